"""The field in which an export keeps what its format cannot say, and how readers take that back.

A message of OpenAI Chat or Anthropic Messages may carry `x_routing_workbench`, with `messages`: the messages of the
model that it stands for, each with what the message itself does not say.

    role, source_role   where it is another than the one read
    list                `instructions` or `messages`, where it belongs to the other one
    joins               true: it goes on with the message before it in that list
    content             its blocks: a number for a block of this message as it was read (from 0), `{"of": number, ...}`
                        for one with another `is_error`, `tool_call_id`, `content` or (of an image) `form`, or a block
                        of the normalized conversation

The document may carry the field too: `system` (what the top-level instructions stand for, like `messages`),
`session_id`, `stop_reason`, `alternatives`, `extras`, `title`, and `empty` for a conversation without a message.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from .image_sources import form_of, image_source
from .model import Block, Json, Media, Message, Role, StopReason, ToolResult
from .normalized import block_from_json, message_from_json
from .positions import Path, path_text

if TYPE_CHECKING:
    from .diagnostics import Place
    from .formats.draft import Draft

FIELD: Final = "x_routing_workbench"
_INSTRUCTIONS = (Role.SYSTEM, Role.DEVELOPER)
#: What a field that does not say what is due raises.
_ODD = (KeyError, TypeError, ValueError, IndexError)


class _Entry(NamedTuple):
    """A message that something stands for."""

    message: Message
    is_instruction: bool
    joins: bool


def read_extended(raw: dict[str, Json], at: Path, draft: Draft, read: Callable[[Json, Path, Draft], None]) -> None:
    """Read a message that carries the field: by the format's own `read`, then as the field says."""
    fronts = len(draft.instructions), len(draft.messages)
    read({key: value for key, value in raw.items() if key != FIELD}, at, draft)
    read_here = draft.instructions[fronts[0] :] + draft.messages[fronts[1] :]
    try:
        entries = _entries(raw[FIELD]["messages"], read_here[0] if read_here else None)
    except _ODD:
        _cannot_read(raw[FIELD], (*at, FIELD), draft)
        return
    _say(at, draft)
    del draft.instructions[fronts[0] :], draft.instructions_at[fronts[0] :]
    del draft.messages[fronts[1] :], draft.messages_at[fronts[1] :]
    for entry in entries:
        into, places = _list(entry.is_instruction, draft)
        if entry.joins:
            draft.joins.append((entry.is_instruction, len(into)))
        into.append(entry.message)
        places.append(at)


def finish(body: Json, path: Path, draft: Draft, system: int | None = None) -> None:
    """Take what the field of a document says, where it has one, and put together what its messages have in pieces.

    `system` is the index of the instruction that was read at its top level.
    """
    if draft.joins:
        _join(draft)
    if isinstance(body, dict) and FIELD in body and "messages" in body:
        _read_document(body[FIELD], (*path, FIELD), draft, system)


def _read_document(raw: Json, at: Path, draft: Draft, system: int | None) -> None:
    if not isinstance(raw, dict):
        _cannot_read(raw, at, draft)
        return
    try:
        alternatives = [message_from_json(message) for message in raw.get("alternatives", ())]
        stop = None if raw.get("stop_reason") is None else StopReason(raw["stop_reason"])
        native = None if system is None else draft.instructions[system]
        instructions = _entries(raw["system"], native) if "system" in raw else None
        extras, title = raw.get("extras", {}), raw.get("title", draft.title)
        session = raw.get("session_id", draft.session_id)
        if not (isinstance(extras, dict) and isinstance(title, str) and (session is None or isinstance(session, str))):
            raise TypeError
    except _ODD:
        _cannot_read(raw, at, draft)
        return
    _say(at, draft)
    draft.alternatives += alternatives
    draft.stop_reason = draft.stop_reason if stop is None else stop
    draft.session_id, draft.title = session, title
    draft.may_be_empty = draft.may_be_empty or raw.get("empty") is True
    draft.extras |= extras_at(extras, at[:-1])
    if instructions is not None:
        front = len(draft.instructions) if system is None else system
        end = front if system is None else system + 1
        draft.instructions[front:end] = [entry.message for entry in instructions]
        draft.instructions_at[front:end] = [(*at[:-1], "system")] * len(instructions)


def extras_at(extras: dict[str, Json], path: Path) -> dict[str, Json]:
    """What an export kept beside the messages, by its place in a paste where the export stands at a path."""
    return {f"{path_text(path)}.{key}": value for key, value in extras.items()} if path else extras


def _join(draft: Draft) -> None:
    """Put the parts of messages that a format has in pieces together again."""
    for is_instruction in (False, True):
        joined = {index for into_instructions, index in draft.joins if into_instructions is is_instruction}
        if not joined:
            continue
        into, places = _list(is_instruction, draft)
        whole: list[list[Message]] = []
        stands: list[int] = []
        for index, message in enumerate(into):
            if index in joined and whole and whole[-1][0].role is message.role:
                whole[-1].append(message)
            else:
                whole.append([message])
                stands.append(index)
        into[:] = [
            parts[0]
            if len(parts) == 1
            else Message(parts[0].role, tuple(b for part in parts for b in part.content), parts[0].source_role)
            for parts in whole
        ]
        places[:] = [places[index] for index in stands]
    draft.joins.clear()


def _list(is_instruction: bool, draft: Draft) -> tuple[list[Message], list[Path | Place]]:
    return (draft.instructions, draft.instructions_at) if is_instruction else (draft.messages, draft.messages_at)


def _entries(raw: Json, read: Message | None) -> list[_Entry]:
    if not isinstance(raw, list):
        raise TypeError
    return [_entry(one, read) for one in raw]


def _entry(raw: Json, read: Message | None) -> _Entry:
    if not isinstance(raw, dict):
        raise TypeError
    role = Role(raw["role"]) if "role" in raw or read is None else read.role
    named = raw.get("source_role", None if read is None else read.source_role)
    blocks = () if read is None else read.content
    content = tuple(_block(one, blocks) for one in raw["content"]) if "content" in raw else blocks
    into = raw.get("list", "instructions" if role in _INSTRUCTIONS else "messages")
    if into not in ("instructions", "messages") or not (named is None or isinstance(named, str)):
        raise ValueError
    return _Entry(Message(role, content, named), into == "instructions", raw.get("joins") is True)


def _block(raw: Json, read: tuple[Block, ...]) -> Block:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return _read_at(raw, read)
    if "of" not in raw:
        return block_from_json(raw)
    block = _read_at(raw["of"], read)
    if isinstance(block, Media):
        source = image_source(block.source, form_of(block.source) or "", raw["form"])
        if source is None:
            raise ValueError
        return Media(block.kind, source)
    if not isinstance(block, ToolResult):
        raise TypeError
    content = tuple(_block(one, block.content) for one in raw["content"]) if "content" in raw else block.content
    call, failed = raw.get("tool_call_id", block.tool_call_id), raw.get("is_error", block.is_error)
    if not isinstance(call, str) or not (failed is None or isinstance(failed, bool)):
        raise TypeError
    return ToolResult(call, content, failed)


def _read_at(index: Json, read: tuple[Block, ...]) -> Block:
    if not isinstance(index, int) or isinstance(index, bool) or index < 0:
        raise TypeError
    return read[index]


def _say(at: Path, draft: Draft) -> None:
    draft.note("extension-read", f"What the format cannot say was taken from `{FIELD}`.", at)


def _cannot_read(raw: Json, at: Path, draft: Draft) -> None:
    draft.keep({FIELD: raw}, (), at[:-1])
    draft.warn(
        "extension-unread",
        f"`{FIELD}` does not say what an export of the workbench says there; kept, not read.",
        "Export the conversation again, or remove the field.",
        at,
    )
