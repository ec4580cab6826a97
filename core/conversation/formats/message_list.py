"""The list of messages in a JSON value, wherever it stands, and what its messages look like.

Found and surveyed once for all formats: roles, field names and block types are the structure by which the chat formats
are told apart.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import count, repeat
from typing import Final

from ..json_text import decode_embedded
from ..model import Json
from ..positions import Path

_CONTENT = frozenset({"content", "tool_calls", "function_call", "refusal", "audio", "reasoning_content"})
_OBJECTS = {dict}
#: So many messages are looked at where all of them may tell.
FRONT: Final = 50
#: The fields of most messages.
_PLAIN = frozenset({"role", "content"})
#: Where one of these occurs, the dialect is certain.
_TELLING_FIELDS = frozenset({"tool_calls", "tool_call_id", "function_call", "parts"})
_TELLING_BLOCKS = frozenset({"tool_use", "tool_result", "", "input_text", "output_text"})


@dataclass(slots=True, eq=False, repr=False)
class MessageList:
    """Messages as pasted, the path of their list, and the names that occur up to the first telling message."""

    items: list[Json]
    path: Path
    #: How it is there: `list`, `single` (one message where a list is due), `string` (JSON in a string), `bare`.
    form: str
    roles: frozenset[str]
    fields: frozenset[str]
    #: `type` of the blocks in list contents; "" for a block without one.
    block_types: frozenset[str]
    #: Names of all fields of those blocks.
    block_fields: frozenset[str]
    #: The first messages that are objects, whether all are, and the names of all their fields: what is not in there
    #: need not be looked for.
    front: list[dict[str, Json]]
    is_of_objects: bool
    front_fields: frozenset[str]
    #: Whether messages are a role with content, as in the chat formats; under `messages` the role suffices.
    is_chat: bool
    #: Whether all messages were looked at for these names, since none is telling.
    is_whole: bool
    _front_types: frozenset[str] | None = None

    @property
    def front_types(self) -> frozenset[str]:
        """`type` of all blocks in list contents of the first messages."""
        if self._front_types is None and self.is_whole:
            self._front_types = self.block_types
        elif self._front_types is None:
            contents = [content for one in self.front if type(content := one.get("content")) is list]
            blocks = [block for content in contents for block in content if type(block) is dict]
            self._front_types = frozenset([kind for one in blocks if type(kind := one.get("type")) is str])
        return self._front_types

    @property
    def first_call(self) -> dict[str, Json] | None:
        """The first call under `tool_calls` in the first messages: all calls of a conversation are written alike."""
        if "tool_calls" in self.front_fields:
            for one in self.front:
                calls = one.get("tool_calls")
                if type(calls) is list and calls and type(calls[0]) is dict:
                    return calls[0]
        return None

    def with_paths(self) -> Iterator[tuple[Json, Path]]:
        """Each message and its path."""
        if self.form == "single":
            return iter([(self.items[0], self.path)])
        return zip(self.items, numbered(self.path), strict=False)


def numbered(path: Path, first: int = 0) -> Iterator[Path]:
    """The paths of the items of a list, without end; made without a step in Python, since long lists have many."""
    return zip(*map(repeat, path), count(first), strict=False)


def first_of(names: Iterable[str], among: Container[str]) -> str:
    """The first of these names that is there; empty where none is."""
    for name in names:  # a generator would cost more than all the look-ups
        if name in among:
            return name
    return ""


def message_list(value: Json, path: Path) -> MessageList | None:
    """The messages of a request, of a bare list or of one bare message; None where there is no list of objects."""
    if isinstance(value, list):
        return _survey(value, path, "bare") if any(isinstance(item, dict) for item in value) else None
    if not isinstance(value, dict):
        return None
    if "messages" not in value:
        is_message = isinstance(value.get("role"), str) and not _CONTENT.isdisjoint(value)
        return _survey([value], path, "single") if is_message else None
    messages = value["messages"]
    at = (*path, "messages")
    form = "list"
    if isinstance(messages, str):
        inner = decode_embedded(messages)
        if inner is None:
            return None
        messages, form = inner[0], "string"
    if isinstance(messages, dict):
        messages, form = [messages], "single"
    return _survey(messages, at, form) if isinstance(messages, list) else None


def _is_text(block: Json) -> bool:
    """Whether a block has the type of a text and one more field, as most have."""
    return type(block) is dict and len(block) == 2 and block.get("type") == "text"


def _survey(items: list[Json], path: Path, form: str) -> MessageList:
    """Look at the messages until one shows which dialect it is in; what comes after cannot tell more."""
    roles: set[str] = set()
    fields: set[str] = set()
    block_types: set[str] = set()
    block_fields: set[str] = set()
    plain = texts = False
    is_whole = True
    for item in items:
        if type(item) is not dict:
            continue
        role, content = item.get("role"), item.get("content")
        if type(role) is str:
            roles.add(role)
        if len(item) == 2 and content is not None and type(role) is str:
            plain = True
            if type(content) is str:
                continue
            if type(content) is list and len(content) == 1 and _is_text(content[0]):
                texts = True
                continue
        else:
            fields.update(item)
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict):
                if _is_text(block):
                    texts = True
                    continue
                kind = block.get("type", "")
                block_types.add(kind if isinstance(kind, str) else "")
                block_fields.update(block)
        if not (_TELLING_FIELDS.isdisjoint(fields) and _TELLING_BLOCKS.isdisjoint(block_types)):
            is_whole = False
            break
    if plain:
        fields |= _PLAIN
    if texts:
        block_types.add("text")
    front = items[:FRONT]
    is_of_objects = {*map(type, front)} == _OBJECTS
    if not is_of_objects:
        front = [item for item in front if type(item) is dict]
    named = form == "string" or (bool(path) and path[-1] == "messages")
    return MessageList(
        items,
        path,
        form,
        frozenset(roles),
        frozenset(fields),
        frozenset(block_types),
        frozenset(block_fields),
        front,
        is_of_objects,
        frozenset().union(*front),
        bool(roles) and (named or not fields.isdisjoint(_CONTENT)),
        is_whole,
    )
