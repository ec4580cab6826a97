"""A conversation as the body of a request; what is not read back of it goes into the extension field."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..extension import FIELD
from ..model import Json, Message, Reasoning
from ..normalized import message_to_json
from ..positions import Path, path_from_text, path_text
from ..read import read
from ..reading import Conversation
from ..sharing import same_json
from .dialect import READ_AS, Dialect
from .fields import in_body, in_messages, own_extras, put, root_of
from .plan import entries
from .text import document
from .written import Turn, Written


@dataclass(slots=True)
class Body:
    """The body of a request, and what is unsaid in it, in words for a note."""

    json: dict[str, Json] = field(repr=False)
    unsaid: Counter[str]

    def extend(self, name: str, value: Json) -> None:
        """Say something of the document in its extension field."""
        self.json.setdefault(FIELD, {})[name] = value


def body_of(conversation: Conversation, dialect: Dialect) -> Body:
    """The body of one conversation, which reads back as an equal one."""
    extras = own_extras(conversation)
    for with_pasted in (True, False):
        turns, as_pasted = _turns(conversation, extras, dialect) if with_pasted else (_in_order(conversation), False)
        written = dialect.write(turns)
        made = _native(written, extras, dialect, as_pasted=as_pasted)
        reading = read(document(made))
        is_read = reading.format is not None and reading.format.name in READ_AS and len(reading.conversations) == 1
        if is_read or not with_pasted:
            break
    found = reading.conversations[0] if is_read else None
    return _with_rest(made, written, found, conversation, extras)


def _in_order(conversation: Conversation) -> list[Turn]:
    request = conversation.request
    return [Turn(message, True) for message in request.instructions] + [Turn(m, False) for m in request.messages]


def _turns(conversation: Conversation, extras: dict[str, Json], dialect: Dialect) -> tuple[list[Turn], bool]:
    """The turns as they stood in a paste of this format; else in the order of the model."""
    turns, root = _in_order(conversation), root_of(conversation)
    places = [(place.path or "").removeprefix(root + "." if root else "") for place in conversation.places]
    paths = [path_from_text(place) for place in places]
    if len(paths) != len(turns) or not all(map(_is_place, paths)) or not all(map(dialect.stands_alone, turns)):
        return turns, False
    order = sorted(range(len(turns)), key=lambda turn: paths[turn][1:])
    top = 1 if paths and paths[order[0]] == ("system",) else 0
    if [paths[turn] for turn in order[top:]] != [("messages", index) for index in range(len(turns) - top)]:
        return turns, False
    if top != (sum(turn.is_instruction for turn in turns) if dialect.top_level else 0):
        return turns, False
    return [
        Turn(
            turns[index].message,
            turns[index].is_instruction,
            _signed(turns[index].message, places[index], extras),
            True,
        )
        for index in order
    ], True


def _is_place(path: Path) -> bool:
    return path == ("system",) or (len(path) == 2 and path[0] == "messages" and isinstance(path[1], int))


def _signed(message: Message, place: str, extras: dict[str, Json]) -> dict[int, str]:
    """The reasoning of which the paste holds the provider's signature, or its encrypted data."""
    found: dict[int, str] = {}
    for index, block in enumerate(message.content):
        if isinstance(block, Reasoning):
            if f"{place}.content[{index}].signature" in extras:
                found[id(block)] = "thinking"
            elif f"{place}.content[{index}].data" in extras:
                found[id(block)] = "redacted_thinking"
    return found


def _native(written: Written, extras: dict[str, Json], dialect: Dialect, *, as_pasted: bool) -> dict[str, Json]:
    """What the format itself can say: the fields of a body, its instructions and messages."""
    known = in_body(extras, dialect.body)
    made: dict[str, Json] = {name: known.pop(name) for name in ("model", "max_tokens") if name in known}
    if written.system is not None and written.system.raw is not None and written.system.raw["system"]:
        made["system"] = written.system.raw["system"]
    made["messages"] = [native.raw for native in written.messages]
    made |= known
    if as_pasted:
        for path, value in in_messages(extras, dialect.inside).items():
            put(path, value, made, written)
    return made


def _with_rest(
    made: dict[str, Json],
    written: Written,
    found: Conversation | None,
    conversation: Conversation,
    extras: dict[str, Json],
) -> Body:
    """The body with what was not read of it in the extension field, message by message and for the document."""
    body = Body(made, Counter())
    read_at: dict[str, Message] = {}
    if found is not None:
        read_at = {place.path or "": m for place, m in zip(found.places, found.request.turns, strict=True)}
    for index, native in enumerate(written.messages):
        said = entries(native.pieces, read_at.get(path_text(("messages", index))), body.unsaid)
        if said is not None and native.raw is not None:
            native.raw[FIELD] = {"messages": said}
    if written.system is not None:
        said = entries(written.system.pieces, read_at.get("system"), body.unsaid)
        if said is not None:
            body.extend("system", said)
    request = conversation.request
    if not (request.turns or conversation.alternatives):
        body.extend("empty", True)
        body.unsaid["that it holds no message"] += 1
    if request.session_id is not None:
        body.extend("session_id", request.session_id)
        body.unsaid["the session id"] += 1
    if conversation.stop_reason is not None:
        body.extend("stop_reason", str(conversation.stop_reason))
        body.unsaid["why the model stopped"] += 1
    if conversation.alternatives:
        body.extend("alternatives", [message_to_json(message) for message in conversation.alternatives])
        body.unsaid["other answers"] += len(conversation.alternatives)
    read_extras = {} if found is None else found.extras
    left = {k: v for k, v in extras.items() if k not in read_extras or not same_json(read_extras[k], v)}
    if left:
        body.extend("extras", left)
        body.unsaid["fields beside the messages"] += len(left)
    return body
