"""Quantities: numbers with their unit, compared as exact decimals, never as floats (SPEC 5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .characters import WHITE_SPACE, is_alphanumeric

#: Dollar, euro and pound sign.
MARKS = "$€£"

# Every repetition is possessive: what follows it is never one of its own characters, so giving back cannot help.
_DIGITS = "[0-9][0-9,]*+"
_TAIL = r"(?:\.[0-9]++)?+"
_QUANTITY = re.compile(
    rf"(?P<prefix>[-+{MARKS}{WHITE_SPACE}]*+)(?P<digits>[0-9][0-9,{WHITE_SPACE}]*+{_TAIL})"
    rf"[{WHITE_SPACE}]*+(?P<percent>%)?+[{WHITE_SPACE}]*+"
)
_CURRENCY = re.compile(rf"([{MARKS}])[{WHITE_SPACE}]*+({_DIGITS}{_TAIL})")
# The second branch eats a run of digits that is no percentage, so that it is not tried again from its middle.
_PERCENT = re.compile(rf"({_DIGITS}{_TAIL})[{WHITE_SPACE}]*+%|{_DIGITS}")
_DELIMITED = re.compile(rf"[{MARKS}]?+(?P<digits>{_DIGITS}){_TAIL}%?+")
_GROUPING = re.compile(rf"[,{WHITE_SPACE}]+")


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact number and its unit. Two are equal when both agree; `$20` is not `20`."""

    #: A currency mark, `%`, or empty.
    unit: str
    #: In normalized decimal form with its sign: `-12.5`, `0`.
    magnitude: str


def parse_quantity(text: str) -> Quantity | None:
    """The quantity this text is and nothing else, or None (SPEC 5.1)."""
    found = _QUANTITY.fullmatch(text)
    if found is None:
        return None
    marks = set(found["prefix"]).intersection(MARKS)
    if len(marks) > 1 or (marks and found["percent"]):
        return None
    magnitude = normalized_decimal(found["digits"])
    if "-" in found["prefix"] and magnitude != "0":
        magnitude = f"-{magnitude}"
    return Quantity("".join(marks) or found["percent"] or "", magnitude)


def normalized_decimal(digits: str) -> str:
    """Unsigned digits without grouping, leading zeros and the tail's trailing zeros: `0012,500.50` -> `12500.5`."""
    whole, _, tail = _GROUPING.sub("", digits).partition(".")
    whole, tail = whole.lstrip("0") or "0", tail.rstrip("0")
    return f"{whole}.{tail}" if tail else whole


def spell_amounts(text: str) -> str:
    """The text with its amounts spelled as words: `$20` -> ` cur36u20 `, `5 %` -> ` pct5 ` (SPEC 5.1)."""
    text = _CURRENCY.sub(lambda found: f" cur{ord(found[1])}u{normalized_decimal(found[2])} ", text)
    return _PERCENT.sub(lambda found: f" pct{normalized_decimal(found[1])} " if found[1] else found[0], text)


def delimited_quantities(text: str) -> Iterator[str]:
    """The quantities that stand on their own in a text, as written, left to right (SPEC 5.1, step 5).

    Where the longest reading runs into more text, a shorter one is taken if it ends well. It can only end before a
    comma: before any other character a reading has, it would run into a digit, a dot or a `%`.
    """
    at = 0
    while found := _DELIMITED.search(text, at):
        start, end = found.span()
        # A reading that starts badly may still start after one of its commas, and nowhere else.
        at = text.find(",", start, found.end("digits")) + 1 or end
        if start and _joins_before(text[start - 1]):
            continue
        if end < len(text) and _joins_after(text[end]):
            end = text.rfind(",", start, found.end("digits"))
        if end > start:
            yield text[start:end]
            at = end


def _joins_before(character: str) -> bool:
    return character in MARKS or character in "_." or is_alphanumeric(character)


def _joins_after(character: str) -> bool:
    return character in "_.%" or is_alphanumeric(character)
