"""Messages of Mistral: content chunks of kinds that OpenAI Chat does not have, read as OpenAI Chat but for these.

The text chunks of a reply are continuous text, with references between them; so neighbouring ones are one text.
"""

from __future__ import annotations

from typing import Any

from ..model import Block, Json, Media, Reasoning, Role, Text
from ..positions import Path, path_text
from .continuous import continuous
from .draft import Draft
from .openai_blocks import assistant_blocks, part_of
from .openai_chat import read_message

#: Chunks that only this API has.
TELLING = frozenset({"reference", "tool_reference", "document_url"})
MAY_TELL = TELLING | {"thinking"}


def is_telling(message: Json) -> bool:
    """Whether a message has what only this API has: `prefix`, a reference, thinking that holds a list."""
    if not isinstance(message, dict):
        return False
    content = message.get("content")
    return "prefix" in message or any(map(_is_telling, content if isinstance(content, list) else ()))


def _is_telling(chunk: Json) -> bool:
    kind = chunk.get("type") if isinstance(chunk, dict) else None
    return isinstance(kind, str) and (
        kind in TELLING or (kind == "thinking" and isinstance(chunk.get("thinking"), list))
    )


def read_chunks(raw: Json, at: Path, draft: Draft) -> None:
    """Read one message into the draft."""
    content = raw.get("content") if isinstance(raw, dict) else None
    role = raw.get("role") if isinstance(raw, dict) else None
    if not isinstance(content, list) or role not in ("user", "assistant", "system"):
        read_message(raw, at, draft)
        return
    blocks = [made for index, chunk in enumerate(content) for made in _chunk(chunk, (*at, "content", index), draft)]
    if role == "assistant":
        draft.add(
            Role.ASSISTANT,
            continuous(blocks, (Text, Reasoning)) + assistant_blocks(raw | {"content": None}, at, draft),
            at,
        )
    else:
        draft.add(Role(role), blocks, at)
        draft.keep(raw, ("role", "content"), at)


def _chunk(raw: Json, at: Path, draft: Draft) -> list[Block]:
    kind = raw.get("type") if isinstance(raw, dict) else None
    if kind == "reference" or kind == "tool_reference":
        # A mark in the text that points at a source, as a citation does.
        draft.extras[path_text(at)] = raw
        return []
    if kind == "thinking" and isinstance(raw.get("thinking"), list):
        return [_thinking(raw, at, draft)]
    if kind == "document_url" and "document_url" in raw:
        draft.keep(raw, ("type", "document_url"), at)
        return [Media("file", raw["document_url"])]
    return [part_of(raw, at, draft)]


def _thinking(raw: dict[str, Any], at: Path, draft: Draft) -> Reasoning:
    """The texts of the list; what else stands in it is kept."""
    draft.keep(raw, ("type", "thinking", "closed"), at)
    texts: list[str] = []
    for index, chunk in enumerate(raw["thinking"]):
        text = chunk.get("text") if isinstance(chunk, dict) else chunk
        if isinstance(text, str):
            texts.append(text)
            if isinstance(chunk, dict):
                draft.keep(chunk, ("type", "text"), (*at, "thinking", index))
        else:
            draft.keep({str(index): chunk}, (), (*at, "thinking"))
    return Reasoning("".join(texts))
