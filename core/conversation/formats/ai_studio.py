"""Google AI Studio exports: chunks of a prompt, each a text, a thought, a file or a part of Gemini."""

from __future__ import annotations

from typing import Literal

from ..model import Block, Json, Media, Reasoning, Role, Text, ToolResult
from ..positions import Path, path_text
from .call_ids import CallIds
from .draft import ROLES, Draft
from .format import Format, Match
from .gemini_parts import KINDS, PROVIDER, parts_of
from .interleaved import Interleaved
from .listed_record import draft_of
from .source import Source
from .wrapping import keep_inside

_PROMPT, _CHUNKS, _PENDING, _SYSTEM = "chunkedPrompt", "chunks", "pendingInputs", "systemInstruction"
_ROLES = {"model": Role.ASSISTANT, **ROLES}
_MEDIA: dict[str, Literal["image", "audio", "video", "file"]] = {
    "driveImage": "image",
    "inlineImage": "image",
    "driveAudio": "audio",
    "inlineAudio": "audio",
    "driveVideo": "video",
    "inlineVideo": "video",
    "youtubeVideo": "video",
    "driveDocument": "file",
    "inlineFile": "file",
}
_CHUNK = frozenset({"role", "text", "isThought"})


def match_ai_studio(source: Source) -> Match | None:
    """Score prompts that are kept in chunks."""
    for item in source.objects:
        prompt = item.get(_PROMPT)
        if isinstance(prompt, dict) and (
            isinstance(prompt.get(_CHUNKS), list) or _PENDING in prompt or _PENDING in item
        ):
            return Match(0.97, f"`{_PROMPT}` with `{_CHUNKS}`")
    return None


def read_ai_studio(source: Source, draft: Draft) -> None:
    """Read each prompt by itself."""
    for value, at in source.records():
        if not isinstance(value, dict) or not isinstance(value.get(_PROMPT), dict):
            keep_inside(value, at, source, draft, "This record")
            continue
        _read_prompt(value, at, draft_of(value.get("title"), at, source, draft))


def _read_prompt(value: dict[str, Json], at: Path, draft: Draft) -> None:
    ids = CallIds(draft)
    system = value.get(_SYSTEM)
    if isinstance(system, str) or (isinstance(system, dict) and (system.get("text") or system.get("parts"))):
        where = (*at, _SYSTEM)
        parts = system.get("parts") if isinstance(system, dict) and system.get("parts") else system
        draft.add(Role.SYSTEM, parts_of(parts, where, draft, ids), where)
        if isinstance(system, dict) and parts is not system:
            draft.keep(system, ("parts", "role"), where)
    elif isinstance(system, dict):
        draft.keep(system, (), (*at, _SYSTEM))
    prompt = value[_PROMPT]
    chunks = prompt.get(_CHUNKS)
    held = list(chunks) if isinstance(chunks, list) else []
    for index, chunk in enumerate(held):
        _read_chunk(chunk, (*at, _PROMPT, _CHUNKS, index), ids, draft)
    draft.keep(prompt, (_CHUNKS, _PENDING) if isinstance(chunks, list) else (_PENDING,), (*at, _PROMPT))
    for holder, where in ((value, (*at, _PENDING)), (prompt, (*at, _PROMPT, _PENDING))):
        _read_pending(holder.get(_PENDING), where, not held, ids, draft)
    draft.keep(value, (_PROMPT, _SYSTEM, _PENDING), at)


def _read_pending(pending: Json, at: Path, is_all: bool, ids: CallIds, draft: Draft) -> None:
    """What was typed and not sent: the question, where nothing else is there; kept aside beside a conversation."""
    for index, chunk in enumerate(pending if isinstance(pending, list) else ()):
        where = (*at, index)
        if isinstance(chunk, dict) and not any(v for k, v in chunk.items() if k not in ("role", "tokenCount")):
            continue
        if is_all:
            _read_chunk(chunk, where, ids, draft)
            draft.note("not-sent", "This was typed and not sent yet; it is read as the question.", where)
        else:
            draft.extras[path_text(where)] = chunk
            draft.note("not-sent", "This was typed and not sent; it is kept aside.", where)


def _read_chunk(raw: Json, at: Path, ids: CallIds, draft: Draft) -> None:
    word = raw.get("role") if isinstance(raw, dict) else None
    role = _ROLES.get(word) if isinstance(word, str) else None
    if role is None:
        draft.add_unread(word, PROVIDER, raw, at)
        return
    if role is Role.ASSISTANT:
        ids.turn()
    read = set(_CHUNK)
    blocks = _blocks(raw, at, read, ids, draft)
    if len(blocks) == 1 and not isinstance(blocks[0][0], ToolResult):
        draft.add(role, (blocks[0][0],), at)
    else:
        made = Interleaved(role, at, draft)
        for block, where in blocks:
            if isinstance(block, ToolResult):
                made.answer(block, where)
            else:
                made.say(block, where)
        made.end()
    draft.keep(raw, read, at)


def _blocks(raw: dict[str, Json], at: Path, read: set[str], ids: CallIds, draft: Draft) -> list[tuple[Block, Path]]:
    """The blocks of a chunk with their places; `read` gets the names of the fields they are made of."""
    blocks: list[tuple[Block, Path]] = []
    for name, value in raw.items():
        if name in _MEDIA and value:
            mime = value.get("mimeType") if isinstance(value, dict) else None
            kind = mime.partition("/")[0] if isinstance(mime, str) else ""
            blocks.append((Media(kind if kind in ("image", "audio", "video") else _MEDIA[name], value), (*at, name)))  # type: ignore[arg-type]
            read.add(name)
        elif name in KINDS and name != "text" and value is not None:
            blocks += [(block, (*at, name)) for block in parts_of({name: value}, at, draft, ids)]
            read.add(name)
    text, parts = raw.get("text"), raw.get("parts")
    if isinstance(text, str) and text:
        blocks.append((Reasoning(text) if raw.get("isThought") is True else Text(text), at))
        if _repeats(parts, text):
            read.add("parts")
    elif isinstance(parts, list) and parts:
        blocks += [(block, (*at, "parts")) for block in parts_of(parts, (*at, "parts"), draft, ids, joined=True)]
        read.add("parts")
    return blocks


def _repeats(parts: Json, text: str) -> bool:
    """Whether the parts are but the pieces of the text."""
    pieces = [part.get("text") if isinstance(part, dict) else None for part in parts] if isinstance(parts, list) else []
    more = any(part.keys() - {"text", "thought"} for part in parts if isinstance(part, dict)) if pieces else True
    return not more and "".join(piece if isinstance(piece, str) else "\0" for piece in pieces) == text


AI_STUDIO_EXPORT = Format(
    "ai-studio-export",
    "Google AI Studio export",
    "`chunkedPrompt` with `chunks`",
    "nothing; settings, token counts and signatures are kept as extras",
    match_ai_studio,
    read_ai_studio,
    fields=frozenset({_PROMPT}),
    priority=3,
)
