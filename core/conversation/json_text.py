"""JSON as it is pasted: decoding that notices what plain `json.loads` changes, drops or lets through.

What no JSON reader of a gateway accepts - `NaN`, numbers beyond double range, half a surrogate pair - is replaced by
something harmless and counted, so that nothing behind this module meets it.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from .model import Json

#: Deeper documents are no JSON to the routers (SPEC 2: nesting of 128 or more).
MAX_DEPTH = 127

_CONTAINERS = frozenset({dict, list})
#: Numbers of so many digits are in double range.
_COUNTABLE = 308
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class TooDeep(ValueError):
    """A document nested deeper than `MAX_DEPTH`."""


@dataclass(slots=True)
class Oddities:
    """How many values of a document were not what JSON allows, by kind."""

    repeated_keys: int = 0
    #: `NaN`, `Infinity`, `-Infinity`: kept as their text.
    constants: int = 0
    #: Numbers beyond double range: kept as their text.
    numbers: int = 0
    #: Strings with half a surrogate pair: U+FFFD stands in its place.
    surrogates: int = 0

    def any(self) -> bool:
        """Whether there is something to say."""
        return bool(self.repeated_keys or self.constants or self.numbers or self.surrogates)


def decode(text: str, at: int = 0, *, strict: bool = True) -> tuple[Json, int, Oddities]:
    """The JSON value at an offset, the offset behind it, and what was odd.

    `strict=False` allows raw control characters in strings. Raises json.JSONDecodeError, and TooDeep.
    """
    odd = _NOTHING_ODD
    try:
        try:
            value, end = _scan(text, at)
        except (_Odd, json.JSONDecodeError) as error:
            if strict and not isinstance(error, _Odd):
                raise
            odd = Oddities()
            value, end = _counting(odd, strict).raw_decode(text, at)
    except RecursionError:
        raise TooDeep from None
    if _ESCAPED_SURROGATE.search(text, at, end):
        odd = Oddities() if odd is _NOTHING_ODD else odd
        value = _whole_characters(value, odd)
    return value, end, odd


def decode_embedded(text: str) -> tuple[Json, Oddities] | None:
    """A JSON text that stands in a string: its value, or None where it is no JSON by the routers' rules (SPEC 2)."""
    body = text.strip(" \t\n\r")
    try:
        value, end, odd = decode(body) if "\\u" in body else _decode_clean(body)
    except (ValueError, RecursionError):
        return None
    if end != len(body) or odd.constants or odd.numbers or odd.surrogates:
        return None
    if len(body) > 2 * MAX_DEPTH and body.count("{") + body.count("[") > MAX_DEPTH and too_deep(value):
        return None
    return value, odd


def clean_object(text: str) -> dict[str, Json] | None:
    """The object in a string that holds one as programs write it; None for all that needs a closer look.

    A short way for the arguments of tool calls: what it gives, `decode_embedded` gives too.
    """
    if text[:1] != "{" or ("\\" in text and "\\u" in text):
        return None
    try:
        # So short a text holds no number too long.
        value, end = (_scan_short if len(text) <= _COUNTABLE else _scan_once)(text, 0)
    except (ValueError, RecursionError, _Odd, StopIteration):
        return None
    if end != len(text):
        return None
    made: dict[str, Json] = value
    if end > 2 * MAX_DEPTH and not _CONTAINERS.isdisjoint(map(type, made.values())):
        return None if text.count("{") + text.count("[") > MAX_DEPTH else made
    return made


def _decode_clean(body: str) -> tuple[Json, int, Oddities]:
    try:
        return *_scan(body, 0), _NOTHING_ODD
    except _Odd:
        return decode(body)


class _Odd(Exception):
    """Something odd: the quick reading is given up, and the careful one counts."""


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    # Most objects are a role and a content, a type and a text, a call with its id: this is how they are built fastest.
    count = len(pairs)
    if count == 2:
        (first, one), (second, other) = pairs
        if first != second:
            return {first: one, second: other}
    elif count == 3:
        (first, one), (second, other), (third, last) = pairs
        if first != second and second != third and third != first:
            return {first: one, second: other, third: last}
    elif count == 1:
        return dict(pairs)
    made = dict(pairs)
    if len(made) != count:
        raise _Odd
    return made


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise _Odd
    return value


def _countable(digits: str) -> int:
    if len(digits) > _COUNTABLE:
        raise _Odd
    return int(digits)


def _refuse(name: str) -> Json:
    raise _Odd(name)


#: Most documents are clean, and this decoder has no state; so it is shared.
_CLEAN = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite, parse_int=_countable)


_scan = _CLEAN.raw_decode
# What the scanner raises at the end of a text becomes a JSONDecodeError in `raw_decode`, at the cost of a call.
_scan_once = _CLEAN.scan_once  # type: ignore[attr-defined]  # typeshed leaves it out
_scan_short = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite).scan_once  # type: ignore[attr-defined]
_NOTHING_ODD = Oddities()


def _counting(odd: Oddities, strict: bool) -> json.JSONDecoder:
    """A decoder that counts what is odd and goes on."""

    def members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        made = dict(pairs)
        if len(made) != len(pairs):
            odd.repeated_keys += 1
        return made

    def constant(name: str) -> str:
        odd.constants += 1
        return name

    def real(digits: str) -> float | str:
        value = float(digits)
        if math.isinf(value):
            odd.numbers += 1
            return digits
        return value

    def integer(digits: str) -> int | str:
        if len(digits) > 308 and (len(digits) > 310 or math.isinf(float(digits))):
            odd.numbers += 1
            return digits
        return int(digits)

    return json.JSONDecoder(
        object_pairs_hook=members, parse_constant=constant, parse_float=real, parse_int=integer, strict=strict
    )


def without_surrogates(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair, same length."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def compact(value: Json) -> str:
    """A JSON value as text, non-ASCII unescaped."""
    return _COMPACT(value)


def too_deep(value: Json, depth: int = MAX_DEPTH) -> bool:
    """Whether a value is nested deeper than so many levels."""
    level = [value] if type(value) is dict or type(value) is list else []
    while level:
        if depth == 0:
            return True
        depth -= 1
        below: list[Json] = []
        for container in level:
            for member in container.values() if type(container) is dict else container:
                kind = type(member)
                if kind is dict or kind is list:
                    below.append(member)
        level = below
    return False


def _whole_characters(value: Json, odd: Oddities) -> Json:
    if type(value) is str:
        made = without_surrogates(value)
        if made != value:
            odd.surrogates += 1
        return made
    if type(value) is list:
        return [_whole_characters(item, odd) for item in value]
    if type(value) is dict:
        return {_whole_characters(key, odd): _whole_characters(item, odd) for key, item in value.items()}
    return value
