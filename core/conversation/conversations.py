"""From what a reader filled to the conversations of a paste: titles, what is kept, what pairing says."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import replace
from typing import cast

from .diagnostics import Place, Severity
from .formats.draft import Draft, placed
from .json_remarks import too_deep_remark
from .json_text import MAX_DEPTH, too_deep
from .mark_remarks import mark_remarks
from .model import Block, Json, Media, Request, Role, Text, ToolCall, ToolResult, Unknown, text_of
from .pairing_remarks import pairing_remarks
from .positions import Path
from .reading import Conversation
from .remarks import Remark, shown

# Bound once: looking a member up on its class costs more than the comparison it is for.
_ASSISTANT = Role.ASSISTANT
#: Characters of a title that is made of a conversation's first words.
TITLE_CHARS = 80
#: More words do not fit in a title.
_WORDS = TITLE_CHARS // 2 + 1
#: Fields that a remark lists by name.
_LISTED = 6


def conversations_of(draft: Draft, paste: Place) -> tuple[tuple[Conversation, ...], list[Remark]]:
    """The conversations a reader found, in the order of the paste, and all there is to remark.

    What was kept of the paste as a whole is kept with each; remarks on one of several name it. `paste` is the place of
    all of it.
    """
    if not draft.begun:
        found, remarks = _one(draft, paste)
        return (() if found is None or _is_empty(found) else (found,)), remarks
    drafts = draft.all()
    shared: dict[str, Json] = {}
    remarks = []
    made: list[tuple[Conversation, list[Remark]]] = []
    for one in drafts:
        found, said = _one(one, paste)
        if found is not None:
            made.append((found, said))
            continue
        remarks += said
        if one.has_no_turn:
            shared |= one.extras
    if shared and too_deep(list(shared.values()), MAX_DEPTH + 1):
        return (), [*remarks, too_deep_remark(paste)]
    if all(_is_empty(one) for one, _ in made):
        return (), remarks + [remark for _, said in made for remark in said]
    several = len(made) > 1
    if several:
        remarks += [remark.of(index) for index, (_, said) in enumerate(made) for remark in said]
        found_all = [_titled(found, index, shared) for index, (found, _) in enumerate(made)]
    else:
        remarks += made[0][1]
        found_all = [_titled(made[0][0], None, shared)]
    return tuple(found_all), remarks


def _titled(one: Conversation, index: int | None, shared: dict[str, Json]) -> Conversation:
    """The conversation with what is kept of the whole paste and, where it is one of several, with a title."""
    title = one.title if one.title or index is None else _title(one.request, index)
    extras = one.extras
    if shared:
        # Not copied: of a large batch, what failed may be as much as what did not.
        extras = ChainMap(cast("dict[str, Json]", extras), shared)
    return Conversation(one.request, one.places, one.alternatives, extras, title, one.stop_reason)


def _one(draft: Draft, paste: Place) -> tuple[Conversation | None, list[Remark]]:
    """The conversation of one draft, None where it holds no message; and its remarks."""
    remarks = draft.remarks
    if draft.has_kept:
        remarks.append(_kept(list(draft.kept_names())))
    found = draft.conversation()
    if draft.has_no_turn and draft.at is not None and not draft.begun and not _says_why(remarks):
        remarks.append(_without_message(draft.at))
    if found is None:
        return None, remarks
    opaque, is_paired = _looked_through(found)
    if too_deep(draft.kept_values() + opaque, MAX_DEPTH + 1):
        return None, [*remarks, _deep_at(draft.at, paste)]
    if not is_paired:
        remarks.extend(pairing_remarks(found))
    remarks.extend(mark_remarks(found))
    return found, remarks


def _is_empty(conversation: Conversation) -> bool:
    return not (conversation.request.turns or conversation.alternatives)


def _says_why(remarks: list[Remark]) -> bool:
    return any(remark.severity is not Severity.NOTE for remark in remarks)


def _kept(names: list[str]) -> Remark:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    listed = ", ".join(f"`{name}`" for name in names[:_LISTED])
    return Remark(Severity.NOTE, "fields-kept", f"Kept, but not read: {listed}{more}.")


def _deep_at(at: Path | Place | None, paste: Place) -> Remark:
    path, place = (None, paste) if at is None else placed(at)
    return replace(too_deep_remark(place), path=path)


def _without_message(at: Path | Place) -> Remark:
    return Remark(
        Severity.WARNING,
        "no-messages",
        "No message stands here.",
        "Check what it should hold.",
        *placed(at),
    )


def _title(request: Request, index: int) -> str:
    """The first words of the user, or of anybody; else the number."""
    turns = [m for m in request.messages if m.role is Role.USER] or list(request.messages)
    words = next((text for m in turns if (text := " ".join(text_of(m.content)[:400].split(None, _WORDS)[:_WORDS]))), "")
    return shown(words, TITLE_CHARS) or request.session_id or f"conversation {index + 1:,}"


def _looked_through(conversation: Conversation) -> tuple[list[Json], bool]:
    """The JSON that its blocks keep as it was pasted, and whether pairing has nothing to say.

    That is so where each call has an id of its own and one result, but for those of the last message, that still wait.
    """
    opaque: list[Json] = []
    waiting: set[str] = set()
    seen: set[str] = set()
    is_paired = True
    turns = conversation.request.turns
    last = turns[-1] if turns and turns[-1].role is _ASSISTANT else None
    for message in turns:
        if message is last and waiting:
            is_paired = False
        for block in message.content:
            kind = type(block)
            if kind is Text:
                continue
            if kind is ToolCall:
                name = block.id  # type: ignore[union-attr]
                opaque.append(block.arguments)  # type: ignore[union-attr]
                is_paired = is_paired and bool(name) and name not in seen
                seen.add(name)
                waiting.add(name)
            elif kind is ToolResult:
                name, content = block.tool_call_id, block.content  # type: ignore[union-attr]
                is_paired = is_paired and name in waiting
                waiting.discard(name)
                if len(content) != 1 or type(content[0]) is not Text:
                    _gather(block, opaque)
            else:
                _gather(block, opaque)
    for message in conversation.alternatives:
        for block in message.content:
            _gather(block, opaque)
    return opaque, is_paired and (last is not None or not waiting)


def _gather(block: Block, opaque: list[Json]) -> None:
    """Collect the JSON that a block keeps."""
    if isinstance(block, ToolResult):
        for inner in block.content:
            if type(inner) is not Text:
                _gather(inner, opaque)
    elif isinstance(block, ToolCall):
        opaque.append(block.arguments)
    elif isinstance(block, (Media, Unknown)):
        opaque.append(block.raw if isinstance(block, Unknown) else block.source)
