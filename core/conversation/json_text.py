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
    odd = Oddities()

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

    decoder = json.JSONDecoder(
        object_pairs_hook=members, parse_constant=constant, parse_float=real, parse_int=integer, strict=strict
    )
    try:
        value, end = decoder.raw_decode(text, at)
    except RecursionError:
        raise TooDeep from None
    if _deeper_than(value, MAX_DEPTH):
        raise TooDeep
    if text.find("\\ud", at, end) >= 0 or text.find("\\uD", at, end) >= 0:
        value = _whole_characters(value, odd)
    return value, end, odd


def decode_embedded(text: str) -> tuple[Json, Oddities] | None:
    """A JSON text that stands in a string: its value, or None where it is no JSON by the routers' rules (SPEC 2)."""
    body = text.strip(" \t\n\r")
    try:
        value, end, odd = decode(body)
    except ValueError:
        return None
    if end != len(body) or odd.constants or odd.numbers or odd.surrogates:
        return None
    return value, odd


def without_surrogates(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair, same length."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def compact(value: Json) -> str:
    """A JSON value as text, non-ASCII unescaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _deeper_than(value: Json, depth: int) -> bool:
    level = [value] if type(value) in (dict, list) else []
    while level:
        if depth == 0:
            return True
        depth -= 1
        below = []
        for container in level:
            for member in container.values() if type(container) is dict else container:
                if type(member) is dict or type(member) is list:
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
