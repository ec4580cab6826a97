"""Messages that two readings have in common: the later reading takes the very objects of the earlier one.

What was derived from a message is kept on it, so an edit costs only the messages that it touches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .model import Block, Json, Media, Message, Text, ToolCall, ToolResult, Unknown
from .reading import Conversation, Reading


def sharing(reading: Reading, previous: Reading) -> Reading:
    """The reading with the messages of the previous one wherever they are equal; conversations are matched by title."""
    old = previous.conversations
    if not old:
        return reading
    named = {} if len(old) == 1 else {one.title: one for one in reversed(old)}
    conversations = []
    for index, new in enumerate(reading.conversations):
        before = old[index] if index < len(old) else None
        if before is None or before.title != new.title:
            before = named.get(new.title, before)
        conversations.append(new if before is None else _sharing(new, before))
    return replace(reading, conversations=tuple(conversations))


def _sharing(new: Conversation, old: Conversation) -> Conversation:
    request = replace(
        new.request,
        instructions=_shared(new.request.instructions, old.request.instructions),
        messages=_shared(new.request.messages, old.request.messages),
    )
    return replace(new, request=request)


def _shared(new: Sequence[Message], old: Sequence[Message]) -> tuple[Message, ...]:
    """Aligned from the front, then from the back, so that an edit or an insertion costs little."""
    made = list(new)
    shortest = min(len(new), len(old))
    front = 0
    while front < shortest and _same(new[front], old[front]):
        made[front] = old[front]
        front += 1
    back = 1
    while back <= shortest - front and _same(new[-back], old[-back]):
        made[-back] = old[-back]
        back += 1
    return tuple(made)


def _same(new: Message, old: Message) -> bool:
    return new.role is old.role and new.source_role == old.source_role and same_content(new.content, old.content)


def same_content(new: tuple[Block, ...], old: tuple[Block, ...]) -> bool:
    """Whether two contents are equal, their JSON values as `same_json` has it."""
    if len(new) != len(old):
        return False
    for a, b in zip(new, old, strict=True):
        if type(a) is not type(b):
            return False
        if isinstance(a, Text) and isinstance(b, Text):
            if a.text != b.text:
                return False
        elif not same_block(a, b):
            return False
    return True


def same_block(new: Block, old: Block) -> bool:
    """Whether two blocks are equal, their JSON values as `same_json` has it."""
    if isinstance(new, ToolCall) and isinstance(old, ToolCall):
        return new.id == old.id and new.name == old.name and same_json(new.arguments, old.arguments)
    if isinstance(new, ToolResult) and isinstance(old, ToolResult):
        flags_and_ids = new.is_error is old.is_error and new.tool_call_id == old.tool_call_id
        return flags_and_ids and same_content(new.content, old.content)
    if isinstance(new, Media) and isinstance(old, Media):
        return new.kind == old.kind and same_json(new.source, old.source)
    if isinstance(new, Unknown) and isinstance(old, Unknown):
        return new.provider == old.provider and same_json(new.raw, old.raw)
    return new == old


def same_json(new: Json, old: Json) -> bool:
    """Equal as JSON text: Python calls 1, 1.0 and true equal, and objects with another order of keys."""
    if type(new) is not type(old):
        return False
    if isinstance(new, dict):
        return list(new) == list(old) and all(map(same_json, new.values(), old.values()))
    if isinstance(new, list):
        return len(new) == len(old) and all(map(same_json, new, old))
    return repr(new) == repr(old) if isinstance(new, float) else bool(new == old)
