"""Strict JSON (SPEC 2): no NaN, no lone surrogates, no number beyond double range, nesting below 128."""

from __future__ import annotations

import json
from math import isinf
from typing import Any, NoReturn

from ..conversation.model import Json

#: The nesting at which a text is no JSON any more.
NESTING_LIMIT = 128


def strict_json(text: str) -> Json:
    """The parsed value. Raises ValueError where the text is no JSON in the strict sense."""
    try:
        value = json.loads(text, parse_float=_float, parse_int=_int, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    _check(value)
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


def _check(value: Any) -> None:
    """Refuse lone surrogates and deep nesting, level by level."""
    level, depth = [value], 0
    while level:
        depth += 1
        below: list[Any] = []
        for item in level:
            if isinstance(item, str):
                item.encode()
            elif isinstance(item, (dict, list)):
                if depth >= NESTING_LIMIT:
                    raise ValueError("nested too deeply")
                if isinstance(item, dict):
                    below.extend(item.keys())
                    below.extend(item.values())
                else:
                    below.extend(item)
        level = below
