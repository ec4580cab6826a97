"""Gemini generateContent requests, bare lists of contents, and what SDKs accept in their place."""

from __future__ import annotations

from typing import Any

from ..model import Json, Role
from ..positions import Path
from .call_ids import CallIds
from .draft import Draft
from .format import Format, Holds, Match, Source
from .gemini_parts import has_parts, is_part, parts_of, read_contents
from .openai_chat import session_of

_SYSTEM = ("systemInstruction", "system_instruction")
#: Fields of a body that are telling where its `contents` is but a text.
_TELLING = frozenset({*_SYSTEM, "generationConfig", "generation_config", "safetySettings", "config"})
#: Where a request is wrapped alone: what may not stand beside it.
_REPLIES = frozenset({"response", "candidates", "error"})
_LOOKED_AT = 10


def match_request(source: Source) -> Match | None:
    """Score a body, a list of contents or one content."""
    body, _ = _body(source)
    if isinstance(body, list):
        looked = body[:_LOOKED_AT]
        return Match(0.9, "a list of contents with `parts`") if any(map(has_parts, looked)) else None
    if not isinstance(body, dict):
        return None
    for name in ("contents", "history"):
        contents = body.get(name)
        items = contents[:_LOOKED_AT] if isinstance(contents, list) else [contents]
        if any(has_parts(item) or (name == "contents" and is_part(item)) for item in items):
            return Match(0.95, f"`{name}` with `parts`")
        is_text = bool(items) and all(isinstance(item, str) for item in items)
        if is_text and name == "contents" and not _TELLING.isdisjoint(body):
            return Match(0.9, "`contents` as a text")
    if has_parts(body) and "contents" not in body:
        return Match(0.9, "a content with `parts`")
    return None


def _body(source: Source) -> tuple[Any, Path]:
    """The value, or the request in it where it is wrapped alone, as in the lines of a batch."""
    value = source.value
    inner = value.get("request") if isinstance(value, dict) and _REPLIES.isdisjoint(value) else None
    if isinstance(inner, dict) and "contents" in inner and "contents" not in value:
        return inner, (*source.path, "request")
    return value, source.path


def read_request(source: Source, draft: Draft) -> None:
    """Read the system instruction and the contents; all other fields of the body are kept as extras."""
    body, at = _body(source)
    ids = CallIds(draft)
    if body is not source.value:
        draft.keep(source.value, ("request",), source.path)
    name = next((n for n in ("contents", "history") if n in body), None) if isinstance(body, dict) else None
    if name is None:
        read_contents(body, at, draft, ids)
        return
    read = {name}
    for holder, where in ((body, at), (body.get("config"), (*at, "config"))):
        if isinstance(holder, dict):
            taken = {key for key in _SYSTEM if holder.get(key)}
            for key in taken:
                _read_instruction(holder[key], (*where, key), draft, ids)
            if holder is body:
                read |= taken
            else:
                draft.keep(holder, taken, where)
                read.add("config")
    read_contents(body[name], (*at, name), draft, ids)
    draft.session_id = session_of(body)
    draft.keep(body, read if draft.session_id is None else read | {"session_id"}, at)


def _read_instruction(raw: Json, at: Path, draft: Draft, ids: CallIds) -> None:
    """A content, whatever its role is; or its parts, or its text."""
    if isinstance(raw, dict) and "parts" in raw:
        draft.add(Role.SYSTEM, parts_of(raw["parts"], (*at, "parts"), draft, ids), at)
        draft.keep(raw, ("role", "parts"), at)
    else:
        draft.add(Role.SYSTEM, parts_of(raw, at, draft, ids), at)


GEMINI_REQUEST = Format(
    "gemini-request",
    "Gemini request",
    "`contents` (or a bare list) of `role` and `parts`; a `systemInstruction`",
    "where one text part of the model ends and the next begins; signatures and settings are kept as extras",
    match_request,
    read_request,
    holds=Holds.REQUEST,
    fields=frozenset({"contents", "parts", "history", "request"}),
    example="gemini-contents-signature-and-thought",
    priority=2,
)
