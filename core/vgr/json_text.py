"""Printing JSON the way the judged views show it (SPEC 3, "JSON printing")."""

from __future__ import annotations

from json.encoder import encode_basestring as _quote
from math import isfinite
from typing import Any

from ..conversation.model import Json

_LEAST, _MOST = -(2**63), 2**64 - 1


def json_text(value: Json) -> str:
    """The value as compact JSON: source key order, non-ASCII unescaped, floats in shortest round-trip form."""
    if type(value) is not dict:
        return _print(value)
    # Arguments are nearly always one object of plain values, so that case takes the short way.
    parts = []
    for key, item in value.items():
        kind = type(item)
        if kind is str:
            parts.append(f"{_quote(key)}:{_quote(item)}")
        elif kind is int and _LEAST <= item <= _MOST:
            parts.append(f"{_quote(key)}:{item}")
        else:
            return _print(value)
    return "{" + ",".join(parts) + "}"


def float_text(value: float) -> str:
    """A double in shortest round-trip form: `1e-7`, `1e+16`, `0.00001`, `1.0`, `-0.0`; `null` where not finite."""
    if not isfinite(value):
        return "null"
    text = repr(value)
    mantissa, mark, exponent = text.partition("e-0")
    if not mark:
        return text
    if exponent != "5":
        return f"{mantissa}e-{exponent}"
    sign = "-" if mantissa.startswith("-") else ""
    return f"{sign}0.0000{mantissa.lstrip('-').replace('.', '')}"


def _number(value: int | float) -> str:
    if isinstance(value, int):
        if _LEAST <= value <= _MOST:
            return str(value)
        try:
            return float_text(float(value))
        except OverflowError:
            return "null"
    return float_text(value)


def _print(value: Json) -> str:
    """Print any value with an explicit stack, so that depth is bounded by memory alone."""
    pieces: list[str] = []
    # Each entry is text to write as it stands, or a value in a one-element list.
    stack: list[str | list[Any]] = [[value]]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            pieces.append(top)
            continue
        item = top[0]
        if item is None:
            pieces.append("null")
        elif item is True:
            pieces.append("true")
        elif item is False:
            pieces.append("false")
        elif isinstance(item, str):
            pieces.append(_quote(item))
        elif isinstance(item, (int, float)):
            pieces.append(_number(item))
        elif isinstance(item, dict):
            stack.append("}")
            for index, (key, part) in reversed(list(enumerate(item.items()))):
                stack.append([part])
                stack.append(("," if index else "") + _quote(key) + ":")
            stack.append("{")
        else:
            stack.append("]")
            for index, part in reversed(list(enumerate(item))):
                stack.append([part])
                if index:
                    stack.append(",")
            stack.append("[")
    return "".join(pieces)
