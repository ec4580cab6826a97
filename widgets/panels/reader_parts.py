"""What a row of the Messages panel says, part by part, as JSON for reader.js: long ones cut, folded ones counted.

A part is a stretch of a block's text. What is cut or folded is fetched by its range once it is opened; media never is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, TypeAlias

from ...core.conversation.model import (
    Block,
    Json,
    Media,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
    text_of,
)
from ...core.explain.wording import counted
from .reader_rows import Flag, Kind, Row, Span, attempt_note
from .words import arguments

#: Blocks of a message that are sent at once.
BLOCKS: Final = 40
#: Characters and lines of a text that are shown before it folds, by who speaks.
_HEADS: Final = {Kind.SYSTEM: (160, 2), Kind.DEVELOPER: (160, 2), Kind.USER: (900, 14)}
_HEAD: Final = (480, 8)
#: What is hidden behind a fold is more than this, in characters.
_LEAST: Final = 80
#: Characters of a folded part's line.
_LINE: Final = 160
#: Longest text that is edited in its row, in characters.
EDITED: Final = 200_000
#: Characters that one piece of a text may have: below 500 kB in any writing.
PIECE: Final = 80_000

#: What is edited of a block, by its kind.
_EDITED: Final[dict[type, str]] = {Text: "text", Refusal: "refusal", ToolCall: "arguments", ToolResult: "result"}

Part: TypeAlias = dict[str, Json]


def row_json(row: Row, first: int = 0) -> Part:
    """The row with the parts of `BLOCKS` blocks from `first` on."""
    about = row.about
    shown = row.content[first : first + BLOCKS]
    made: Part = {
        "id": row.id,
        "role": about.role,
        "pasted": about.source_role,
        "first": first,
        "parts": [part for at, block in enumerate(shown, first) for part in _parts(row, at, block)],
        "more": len(row.content) - first - len(shown),
    }
    if about.problems:
        made["problems"] = [[one.severity.value, one.text, one.index] for one in about.problems]
    if about.flags & Flag.ATTEMPT:
        made["note"] = attempt_note(row)
        if about.origin is not None:
            made["origin"] = [about.origin.kind.value, about.origin.label]
    return made


def block_text(row: Row, at: int) -> str:
    """What a block says in full: a text; a call as its name and arguments; a result; JSON that nobody reads."""
    block = row.content[at]
    if isinstance(block, (Text, Refusal, Reasoning)):
        return block.text
    known = row.texts.get(at)
    if known is None:
        known = row.texts[at] = _written(block)
    return known


def edited_text(row: Row, at: int) -> str | None:
    """What is edited of a block; None where it cannot be edited in its row."""
    block = row.content[at]
    if not row.editable:
        return None
    if isinstance(block, ToolResult):
        return text_of(block.content)
    if isinstance(block, ToolCall):
        return written_arguments(block.arguments)
    return block.text if isinstance(block, (Text, Refusal)) else None


def written_arguments(value: Json) -> str:
    """A call's arguments as they are shown and edited: JSON with an indent, or the text that did not parse."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except (RecursionError, TypeError, ValueError):
        return "(arguments that cannot be printed)"


def _written(block: Block) -> str:
    if isinstance(block, ToolCall):
        return f"{block.name} {written_arguments(block.arguments)}"
    if isinstance(block, ToolResult):
        # Most results are one text, which is not copied.
        return _inner(block.content[0]) if len(block.content) == 1 else "\n".join(map(_inner, block.content))
    return written_arguments(block.raw) if isinstance(block, Unknown) else ""


def _inner(block: Block) -> str:
    """A block of a result, with words for what is no text."""
    if isinstance(block, (Text, Refusal)):
        return block.text
    if isinstance(block, Media):
        return f"[{media_words(block)}]"
    if isinstance(block, Reasoning):
        return f"[reasoning] {block.text}"
    return _written(block)


def media_words(block: Media) -> str:
    """What kind of media it is and how much of it there is, in words: it is neither shown nor fetched."""
    held = _longest(block.source)
    if held.startswith(("http://", "https://")):
        return f"{block.kind} at a remote address of {counted(len(held), 'char')}, never fetched"
    if not held:
        return f"{block.kind} without content"
    encoded = held.partition(";base64,")[2] if held.startswith("data:") else held
    size = f", about {counted(len(encoded) * 3 // 4, 'byte')}" if len(encoded) > _LEAST else ""
    return f"{block.kind}, {counted(len(held), 'char')}{size}, never shown"


def _longest(value: Json, depth: int = 4) -> str:
    """The longest text in an opaque source: its data or its address."""
    if isinstance(value, str):
        return value
    if depth and isinstance(value, (dict, list)):
        inner = value.values() if isinstance(value, dict) else value
        return max((_longest(one, depth - 1) for one in inner), key=len, default="")
    return ""


def _parts(row: Row, at: int, block: Block) -> Iterator[Part]:
    """The parts of one block. The last of them carries what is known of the block as a whole."""
    made = list(_stretches(row, at, block))
    last = made[-1]
    rule, partner = row.about.rules.get(at), row.about.partners.get(at)
    if rule is not None:
        last["rule"] = rule
    if partner is not None:
        last["says"] = partner.says
        if partner.found:
            last["pair"] = [partner.rows, partner.block]
    what = _EDITED.get(type(block))
    if row.editable and what:
        last["edit"] = f"{what} of {block.name[:_LINE]}" if isinstance(block, ToolCall) else what
    yield from made


def _stretches(row: Row, at: int, block: Block) -> Iterator[Part]:
    if isinstance(block, Media):
        yield _part("note", at, 0, 0, line=media_words(block))
        return
    text = block_text(row, at)
    if isinstance(block, ToolCall):
        line = arguments(block.arguments)[:_LINE]
        behind = len(block.name) + 1
        yield _part("call", at, behind, len(text), label=block.name[:_LINE], line=" ".join(line.split()))
    elif isinstance(block, Unknown):
        of = f" of {block.provider}" if block.provider else ""
        yield _part("unknown", at, 0, len(text), label=f"unknown content{of}, kept and not read")
    elif isinstance(block, Reasoning):
        if text:
            yield _part("reasoning", at, 0, len(text), label="reasoning")
        else:
            yield _part("note", at, 0, 0, line="reasoning without text")
    elif isinstance(block, ToolResult):
        kind = "result" if text else "note"
        # What a harness wrote into a result is named, and not cut out of it.
        label = ", ".join(dict.fromkeys(one.words for one in row.about.spans.get(at, ())))
        line = _first_line(text, 0, len(text)) if text else "empty result"
        yield _part(kind, at, 0, len(text), label=label, line=line)
    else:
        label = "refusal" if isinstance(block, Refusal) else ""
        if not text.strip():
            yield _part("note", at, 0, len(text), label=label, line="empty text")
            return
        for start, end, words in _cut(len(text), row.about.spans.get(at, ())):
            if words:
                yield _part("mark", at, start, end, label=words, line=_first_line(text, start, end))
            elif not text[start:end].isspace():
                head = text[start : _head_end(text, start, end, *_HEADS.get(row.about.kind, _HEAD))]
                yield _part("text", at, start, end, label=label, head=head)


def _part(kind: str, block: int, start: int, end: int, *, label: str = "", line: str = "", head: str = "") -> Part:
    made: Part = {"kind": kind, "b": block, "from": start, "to": end}
    made |= {name: value for name, value in (("label", label), ("line", line), ("head", head)) if value}
    return made


def _cut(length: int, marked: tuple[Span, ...]) -> Iterator[tuple[int, int, str]]:
    """The stretches of a text: those that are marked with their words, and those between."""
    at = 0
    for one in marked:
        start, end = max(one.start, at), min(one.end, length)
        if start >= end:
            continue
        if start > at:
            yield at, start, ""
        yield start, end, one.words
        at = end
    if at < length:
        yield at, length, ""


def _head_end(text: str, start: int, end: int, chars: int, lines: int) -> int:
    """Where the head of a text ends: after so many characters or lines, or with the text where little is left."""
    cut = min(end, start + chars)
    at = start
    for _ in range(lines):
        at = text.find("\n", at, cut) + 1
        if not at:
            break
    else:
        cut = at - 1
    return end if end - cut <= _LEAST and text.count("\n", cut, end) < 2 else cut


def _first_line(text: str, start: int, end: int) -> str:
    """The first line of a stretch that says something, cut."""
    return next((line for line in text[start : min(end, start + 2_000)].split("\n") if line.strip()), "")[:_LINE]
