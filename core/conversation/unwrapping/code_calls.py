"""Calls in code that send a request by its address: `fetch(...)` as browsers copy it, `requests.post(...)`."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from ..json_text import TooDeep, decode
from ..model import Json
from ..positions import Path, spans
from .credentials import kept_address
from .lenient import Repaired, repair
from .quoting import string_inside
from .rewriting import Pieces, Rewriting

_CALL = re.compile(
    r"(?:(?:const|let|var)[ \t]+)?(?:\w+[ \t]*=[ \t]*)?(?:await[ \t]+)?(?=(?:fetch|axios(?:\.post)?"
    r"|(?:requests|httpx|session|client|self\.client)\.(?:post|request))\()"
)
#: A line of code before a call: an import, a comment, a string that is assigned, or nothing.
_BEFORE = re.compile(
    r"[ \t]*(?:(?:import|from)[ \t][\w., \t*(){}'\"/@-]{1,200};?|(?:#|//)[^\n]{0,300}"
    r"|(?:(?:const|let|var)[ \t]+)?\w+[ \t]*=[ \t]*f?(?:\"[^\"\n]{0,2000}\"|'[^'\n]{0,2000}'|os\.[^\n]{1,100});?)?"
    r"[ \t]*\r?\n"
)
_BODIES = ("json", "body", "data", "content")


class Posted(NamedTuple):
    """The body that a call sends: how it came out of the text, what else the call says, and what was repaired."""

    layers: list[Rewriting]
    kept: dict[str, Json]
    repaired: Repaired


def posted_by(text: str, at: int, end: int) -> Posted | None:
    """The body that a call here sends; None where no such call stands here, or where it cannot be read."""
    found = _CALL.match(text, at, end) or _behind_code(text, at, end)
    if found is None:
        return None
    try:
        made = repair(text, found.end(), end, alone=True)
    except (json.JSONDecodeError, TooDeep):
        return None
    layer = made.pieces.finish()
    value, _, _ = decode(layer.text)
    path = _body(value)
    if path is None:
        return None
    start, until = spans(layer.text, (0,), False, [path])[path]
    inner = string_inside(layer.text, start, until) if layer.text[start] == '"' else _part(layer.text, start, until)
    address = _address(value)
    return Posted([layer, inner], {"request": {"url": kept_address(address)}} if address else {}, made)


def _behind_code(text: str, at: int, end: int) -> re.Match[str] | None:
    """The first call at the start of a line, where only imports and simple assignments stand before it."""
    while line := _BEFORE.match(text, at, end):
        at = line.end()
        if found := _CALL.match(text, at, end):
            return found
    return None


def _body(value: Json) -> Path | None:
    """Where the body stands among the arguments."""
    if isinstance(value, dict):
        return next(((name,) for name in _BODIES if name in value), None)
    if isinstance(value, list) and len(value) > 1 and isinstance(value[1], dict):
        named = next(((1, name) for name in _BODIES if name in value[1]), None)
        return (1,) if named is None else named
    return None


def _address(value: Json) -> str:
    candidates = value[:1] if isinstance(value, list) else [value.get("argument 1"), value.get("url")]
    return next((one for one in candidates if isinstance(one, str)), "")


def _part(text: str, start: int, end: int) -> Rewriting:
    pieces = Pieces(text)
    pieces.copy(start, end)
    return pieces.finish()
