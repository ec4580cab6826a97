"""A conversation that was edited by hand: what changed lies over what was read, and all else is shared with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ..core.conversation.diagnostics import Diagnostic, Place, Severity
from ..core.conversation.formats.arguments import arguments
from ..core.conversation.formats.draft import Draft
from ..core.conversation.model import (
    Block,
    Message,
    Reasoning,
    Refusal,
    Request,
    Text,
    ToolCall,
    ToolResult,
    text_of,
)
from ..core.conversation.pairing_remarks import pairing_remarks
from ..core.conversation.positions import path_text
from ..core.conversation.reading import Conversation, Reading
from ..core.conversation.remarks import Remark, settle

_BAD_ARGUMENTS = "bad-arguments"


class NotEdited(ValueError):
    """An edit that cannot be made. The message is a sentence for the screen."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A conversation with the edits that were made of it. Without any it is the one that was read, the very object."""

    conversation: Conversation = field(repr=False)
    original: Conversation = field(repr=False)
    #: For each turn of it, the index that it has in the original.
    origins: Sequence[int] = field(repr=False)
    #: What there is to remark on calls whose arguments were edited, by the original's index of their turn.
    remarks: tuple[tuple[int, Remark], ...] = field(default=(), repr=False)

    @property
    def turns(self) -> tuple[int, ...]:
        """The turns that differ from the original's, by their index as it stands now."""
        now, then = self.conversation.request.turns, self.original.request.turns
        return tuple(turn for turn, origin in enumerate(self.origins) if now[turn] is not then[origin])

    @property
    def count(self) -> int:
        """Messages edited and messages removed."""
        return len(self.turns) + len(self.original.request.turns) - len(self.origins)


def unedited(conversation: Conversation) -> Edited:
    """A conversation as it was read."""
    return Edited(conversation, conversation, range(len(conversation.request.turns)))


def turn_words(request: Request, turn: int) -> str:
    """What a turn is called: `instruction 1`, `message 33`."""
    instructions = len(request.instructions)
    return f"instruction {turn + 1:,}" if turn < instructions else f"message {turn - instructions + 1:,}"


def with_text(edited: Edited, turn: int, block: int, text: str) -> Edited:
    """With another text of this block: of a result its text, of a call its arguments as JSON.

    Arguments that are no JSON object are kept as the string, as reading does. Raises NotEdited.
    """
    message = _message(edited, turn)
    if not 0 <= block < len(message.content):
        raise NotEdited(f"There is no block {block} in {turn_words(edited.conversation.request, turn)}.")
    origin = edited.origins[turn]
    said = [one for one in edited.remarks if one[0] != origin]
    made, remarks = _with_text(message.content[block], text)
    said += [(origin, remark) for remark in remarks]
    content = (*message.content[:block], made, *message.content[block + 1 :])
    before = edited.original.request.turns[origin]
    # What reads as it was read is what was read: it is no edit, and what was derived of it stays.
    same = content == before.content and _same_arguments(content, before.content)
    changed = before if same else Message(message.role, content, message.source_role)
    turns = edited.conversation.request.turns
    return _of_turns(edited, (*turns[:turn], changed, *turns[turn + 1 :]), edited.origins, said)


def without(edited: Edited, turn: int) -> Edited:
    """Without this turn. Raises NotEdited, for the last one left, too."""
    _message(edited, turn)
    turns = edited.conversation.request.turns
    if len(turns) == 1:
        raise NotEdited("This is the only message. Paste another conversation instead.")
    origins = (*edited.origins[:turn], *edited.origins[turn + 1 :])
    said = [one for one in edited.remarks if one[0] != edited.origins[turn]]
    return _of_turns(edited, (*turns[:turn], *turns[turn + 1 :]), origins, said)


def shown(reading: Reading, chosen: int, edited: Edited) -> Reading:
    """The reading with the edited conversation in the place of the one that was read, and remarks that hold of it."""
    if edited.conversation is edited.original:
        return reading
    conversations = list(reading.conversations)
    conversations[chosen] = edited.conversation
    index = chosen if len(conversations) > 1 else None
    return replace(
        reading,
        conversations=tuple(conversations),
        diagnostics=_diagnostics(reading.diagnostics, edited, index),
        edits=edited.count,
    )


def _message(edited: Edited, turn: int) -> Message:
    turns = edited.conversation.request.turns
    if not 0 <= turn < len(turns):
        raise NotEdited("This message is no part of the paste: a reply that was asked for cannot be edited.")
    return turns[turn]


def _with_text(block: Block, text: str) -> tuple[Block, list[Remark]]:
    if isinstance(block, (Text, Refusal, Reasoning)):
        return type(block)(text), []
    if isinstance(block, ToolCall):
        draft = Draft()
        value = arguments(text, block.name, draft, ())
        return ToolCall(block.id, block.name, value), draft.remarks
    if isinstance(block, ToolResult):
        return ToolResult(block.tool_call_id, _with_result_text(block.content, text), block.is_error), []
    raise NotEdited("This block has no text to edit. Remove the message instead.")


def _with_result_text(content: tuple[Block, ...], text: str) -> tuple[Block, ...]:
    """The text in the place of the first text; media and what is unknown stay where they are."""
    if text == text_of(content):
        return content
    made: list[Block] = []
    due = True
    for block in content:
        if not isinstance(block, (Text, Refusal)):
            made.append(block)
        elif due:
            made.append(Text(text))
            due = False
    return (Text(text), *made) if due else tuple(made)


def _same_arguments(now: tuple[Block, ...], then: tuple[Block, ...]) -> bool:
    """Whether the calls' arguments are the same text: to Python 1 equals true, to a router it does not."""
    return all(
        repr(a.arguments) == repr(b.arguments)
        for a, b in zip(now, then, strict=True)
        if isinstance(a, ToolCall) and isinstance(b, ToolCall)
    )


def _of_turns(
    edited: Edited, turns: Sequence[Message], origins: Sequence[int], remarks: Iterable[tuple[int, Remark]]
) -> Edited:
    original = edited.original
    instructions = sum(origin < len(original.request.instructions) for origin in origins)
    request = Request(tuple(turns[:instructions]), tuple(turns[instructions:]), original.request.session_id)
    if tuple(origins) == tuple(range(len(original.request.turns))) and all(
        now is then for now, then in zip(request.turns, original.request.turns, strict=True)
    ):
        return unedited(original)
    last = len(original.request.turns) - 1
    conversation = replace(
        original,
        request=request,
        places=_places(original, origins),
        stop_reason=original.stop_reason if origins and origins[-1] == last else None,
    )
    return Edited(conversation, original, origins, tuple(remarks))


def _places(original: Conversation, origins: Sequence[int]) -> Sequence[Place]:
    if not original.places or len(origins) == len(original.places):
        return original.places
    return tuple(original.places[origin] for origin in origins)


def _diagnostics(said: Sequence[Diagnostic], edited: Edited, index: int | None) -> tuple[Diagnostic, ...]:
    """The remarks of the reading, without those that no longer hold, and with those that hold now."""
    before, after = (_pairing(one, index) for one in (edited.original, edited.conversation))
    gone = {(one.code, one.message) for one in before} - {(one.code, one.message) for one in after}
    known = {(one.code, one.message) for one in before}
    mended = _edited_paths(edited)
    kept = [
        one
        for one in said
        if (one.code, one.message) not in gone
        and not (one.code == _BAD_ARGUMENTS and one.conversation == index and _inside(one.place.path, mended))
    ]
    new = [one for one in after if (one.code, one.message) not in known]
    by_hand = _settled((replace(one, place=_place(edited, origin)) for origin, one in edited.remarks), index)
    order = list(Severity)
    return tuple(sorted([*kept, *new, *by_hand], key=lambda one: order.index(one.severity)))


def _pairing(conversation: Conversation, index: int | None) -> tuple[Diagnostic, ...]:
    return _settled(pairing_remarks(conversation), index)


def _settled(remarks: Iterable[Remark], index: int | None) -> tuple[Diagnostic, ...]:
    """With the path of its place at most: lines would have to be looked for in the whole paste."""

    def placed(remark: Remark) -> Remark:
        place = remark.place or (None if remark.path is None else Place(path=path_text(remark.path)))
        return replace(remark, path=None, place=place, conversation=index)

    return settle(map(placed, remarks), lambda paths: {})


def _place(edited: Edited, origin: int) -> Place:
    places = edited.original.places
    return places[origin] if origin < len(places) else Place()


def _edited_paths(edited: Edited) -> list[str]:
    places = edited.original.places
    touched = {edited.origins[turn] for turn in edited.turns} | (set(range(len(places))) - set(edited.origins))
    return [path for turn in sorted(touched) if turn < len(places) and (path := places[turn].path)]


def _inside(path: str | None, above: Sequence[str]) -> bool:
    return path is not None and any(path == one or path.startswith((f"{one}.", f"{one}[")) for one in above)
