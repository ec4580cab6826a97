"""Pieces of one streamed LangChain message, put together: `AIMessageChunk`s of one id that stand behind each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..model import Json
from ..positions import Path
from .deltas import add_delta, joined
from .draft import Draft

_CHUNK = "AIMessageChunk"
#: Fields whose pieces are put together; of all others the last counts.
_GROWING = ("content", "additional_kwargs", "tool_call_chunks")


def joined_chunks(items: Iterable[tuple[Json, Path]], draft: Draft) -> Iterator[tuple[Json, Path]]:
    """The messages with their paths, the chunks of each streamed one as a message at the path of the first."""
    pieces: list[dict[str, Json]] = []
    first: tuple[Json, Path] = (None, ())
    for raw, at in items:
        piece = _piece(raw)
        if piece is not None and pieces and piece["id"] == pieces[0]["id"]:
            pieces.append(piece)
            continue
        if pieces:
            yield _whole(pieces, first, draft)
        pieces, first = ([piece], (raw, at)) if piece is not None else ([], first)
        if piece is None:
            yield raw, at
    if pieces:
        yield _whole(pieces, first, draft)


def _piece(raw: Json) -> dict[str, Json] | None:
    """The fields of a chunk that has an id, by which its pieces belong together."""
    if not isinstance(raw, dict):
        return None
    data, name = raw, raw.get("type")
    if isinstance(raw.get("kwargs"), dict) and isinstance(raw.get("id"), list) and raw["id"]:
        data, name = raw["kwargs"], raw["id"][-1]
    elif isinstance(raw.get("data"), dict):
        data = raw["data"]
    return data if name == _CHUNK and isinstance(data.get("id"), str) else None


def _whole(pieces: list[dict[str, Json]], first: tuple[Json, Path], draft: Draft) -> tuple[Json, Path]:
    if len(pieces) == 1:
        return first
    growing: dict[str, Json] = {}
    made: dict[str, Json] = {}
    for piece in pieces:
        made.update({name: value for name, value in piece.items() if value or name not in made})
        add_delta(growing, {name: piece[name] for name in _GROWING if piece.get(name)})
    made |= joined(growing)
    calls = made.pop("tool_call_chunks", None)
    if isinstance(calls, list):
        made["tool_calls"], made["invalid_tool_calls"] = [_without_index(call) for call in calls], []
    made["type"] = "ai"
    draft.note("chunks-joined", f"{len(pieces):,} pieces of one streamed message are read as one.", first[1])
    return made, first[1]


def _without_index(call: Json) -> Json:
    return {name: call[name] for name in call if name != "index"} if isinstance(call, dict) else call
