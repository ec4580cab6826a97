"""Strict JSON (SPEC 2): no NaN, no lone surrogates, no number beyond double range, nesting below 128."""

from __future__ import annotations

import json
import re
from math import isinf
from typing import NoReturn

from ..conversation.model import Json

#: The nesting at which a text is no JSON any more.
NESTING_LIMIT = 128

# A backslash stands in strings only, and escapes are read one after the other, so an escaped one starts no other.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"|(?P<opens>[\[{])|(?P<closes>[\]}])')


def strict_json(text: str) -> Json:
    """The parsed value. Raises ValueError where the text is no JSON in the strict sense."""
    text.encode()
    try:
        value = json.loads(text, parse_float=_float, parse_int=_int, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    # These two are looked for in the text: of a repeated key the value holds the last occurrence only.
    if "\\u" in text and any(found["lone"] for found in _ESCAPE.finditer(text)):
        raise ValueError("half a surrogate pair")
    if text.count("{") + text.count("[") >= NESTING_LIMIT and _nesting(text) >= NESTING_LIMIT:
        raise ValueError("nested too deeply")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError("not a JSON number")


def _float(digits: str) -> float:
    value = float(digits)
    if isinf(value):
        raise ValueError("number beyond double range")
    return value


def _int(digits: str) -> int:
    if len(digits) > 300:
        _float(digits)
    return int(digits)


def _nesting(text: str) -> int:
    """How deep the brackets of a well-formed JSON text are nested; those in strings are none."""
    depth = deepest = 0
    for found in _BRACKET.finditer(text):
        if found["opens"]:
            depth += 1
            deepest = max(deepest, depth)
        elif found["closes"]:
            depth -= 1
    return deepest
