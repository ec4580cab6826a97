"""The normalized conversation: roles, content blocks, messages, requests and responses (SPEC 1).

Every value is immutable, and no repr holds text of a conversation, so that none reaches a log or a saved notebook by
accident. What a pure function finds of one message alone is kept on that message (`Message.found_...`), so that an
edited conversation shares the work of the messages it did not change.

What a long conversation has most of is built by setting its slots: the way of a frozen dataclass takes twice as long.
Readers of formats build it by functions (`quick_message` ...) that are twice as fast again: they set the slots of a
class that is not frozen and has the same ones, and then make the value one of the frozen class.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

#: A JSON value that stays opaque: dict, list, str, int, float, bool or None.
Json: TypeAlias = Any


class Role(StrEnum):
    """Who a turn belongs to."""

    # Roles key small tables on hot paths; an enum's own hash is a call into Python.
    __hash__ = str.__hash__

    SYSTEM = "system"
    DEVELOPER = "developer"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class StopReason(StrEnum):
    """Why a model stopped writing an output."""

    END_TURN = "end_turn"
    MAX_TOKENS = "max_tokens"
    TOOL_USE = "tool_use"
    CONTENT_FILTER = "content_filter"
    ERROR = "error"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, init=False)
class Text:
    """Text of a turn."""

    text: str = field(repr=False)

    def __init__(self, text: str) -> None:
        _set_text(self, text)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal: text-like, but never read as a verdict."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Reasoning of a model: structural, adds no text (empty where a provider encrypts it)."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, init=False)
class ToolCall:
    """A proposed call. `arguments` is the parsed JSON value, or the raw string where it did not parse."""

    id: str = field(repr=False)
    name: str = field(repr=False)
    arguments: Json = field(repr=False)

    def __init__(self, id: str, name: str, arguments: Json) -> None:  # noqa: A002 - the field's name
        _set_id(self, id)
        _set_name(self, name)
        _set_arguments(self, arguments)


@dataclass(frozen=True, slots=True, init=False)
class ToolResult:
    """What a tool gave back. `is_error` is None where the format reports nothing."""

    tool_call_id: str = field(repr=False)
    content: tuple[Block, ...]
    is_error: bool | None = None

    def __init__(self, tool_call_id: str, content: tuple[Block, ...], is_error: bool | None = None) -> None:
        _set_tool_call_id(self, tool_call_id)
        _set_result_content(self, content)
        _set_is_error(self, is_error)


@dataclass(frozen=True, slots=True)
class Media:
    """An image, audio, video or file; its source is opaque and never fetched."""

    kind: Literal["image", "audio", "video", "file"]
    source: Json = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Content no rule covers, kept whole. It makes a request unsupported, so it fails closed."""

    provider: str
    raw: Json = field(repr=False)


Block: TypeAlias = Text | Refusal | Reasoning | ToolCall | ToolResult | Media | Unknown


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """One instruction or message: a role and its blocks, in order.

    `source_role` is the role as pasted where it is none of the five; such a message's content is `Unknown`.
    """

    role: Role
    content: tuple[Block, ...]
    source_role: str | None = field(default=None, repr=False)
    # What pure functions have found of this message alone: its redacted text, its events, the rules by which its tool
    # results failed (see `core.vgr.facts` and `core.vgr.tool_record`). None until asked for; never compared or printed.
    found_text: str | None = field(default=None, init=False, repr=False, compare=False)
    found_events: tuple[str, ...] | None = field(default=None, init=False, repr=False, compare=False)
    found_rules: tuple[str, ...] | None = field(default=None, init=False, repr=False, compare=False)
    #: Whether it is known to hold nothing but text, refusals and reasoning.
    found_plain: bool = field(default=False, init=False, repr=False, compare=False)

    def __init__(self, role: Role, content: tuple[Block, ...], source_role: str | None = None) -> None:
        _set_role(self, role)
        _set_content(self, content)
        _set_source_role(self, source_role)
        _set_found_text(self, None)
        _set_found_events(self, None)
        _set_found_rules(self, None)
        _set_found_plain(self, False)


_set_text = Text.__dict__["text"].__set__
_set_id, _set_name, _set_arguments = (ToolCall.__dict__[name].__set__ for name in ("id", "name", "arguments"))
_set_tool_call_id, _set_result_content, _set_is_error = (
    ToolResult.__dict__[name].__set__ for name in ("tool_call_id", "content", "is_error")
)
_set_role, _set_content, _set_source_role = (
    Message.__dict__[name].__set__ for name in ("role", "content", "source_role")
)
_set_found_text, _set_found_events, _set_found_rules, _set_found_plain = (
    Message.__dict__[name].__set__ for name in ("found_text", "found_events", "found_rules", "found_plain")
)


class _UnfrozenText:
    __slots__ = Text.__slots__
    if TYPE_CHECKING:
        text: str


class _UnfrozenCall:
    __slots__ = ToolCall.__slots__
    if TYPE_CHECKING:
        id: str
        name: str
        arguments: Json


class _UnfrozenResult:
    __slots__ = ToolResult.__slots__
    if TYPE_CHECKING:
        tool_call_id: str
        content: tuple[Block, ...]
        is_error: bool | None


class _UnfrozenMessage:
    __slots__ = Message.__slots__
    if TYPE_CHECKING:
        role: Role
        content: tuple[Block, ...]
        source_role: str | None
        found_text: str | None
        found_events: tuple[str, ...] | None
        found_rules: tuple[str, ...] | None
        found_plain: bool


def quick_call(id: str, name: str, arguments: Json) -> ToolCall:  # noqa: A002 - the field's name
    """What `ToolCall` makes, in half the time."""
    made = _UnfrozenCall()
    made.id = id
    made.name = name
    made.arguments = arguments
    made.__class__ = ToolCall  # type: ignore[assignment]
    return made  # type: ignore[return-value]


def quick_result(tool_call_id: str, text: str) -> ToolResult:
    """A result of one text, of which no format says whether it failed."""
    block = _UnfrozenText()
    block.text = text
    block.__class__ = Text  # type: ignore[assignment]
    made = _UnfrozenResult()
    made.tool_call_id = tool_call_id
    made.content = (block,)  # type: ignore[assignment]
    made.is_error = None
    made.__class__ = ToolResult  # type: ignore[assignment]
    return made  # type: ignore[return-value]


def quick_message(role: Role, content: tuple[Block, ...]) -> Message:
    """What `Message` makes, in half the time."""
    made = _UnfrozenMessage()
    made.role = role
    made.content = content
    made.source_role = made.found_text = made.found_events = made.found_rules = None
    made.found_plain = False
    made.__class__ = Message  # type: ignore[assignment]
    return made  # type: ignore[return-value]


def quick_text_message(role: Role, text: str) -> Message:
    """A message of one text, as most are."""
    block = _UnfrozenText()
    block.text = text
    block.__class__ = Text  # type: ignore[assignment]
    made = _UnfrozenMessage()
    made.role = role
    made.content = (block,)  # type: ignore[assignment]
    made.source_role = made.found_text = made.found_events = made.found_rules = None
    made.found_plain = False
    made.__class__ = Message  # type: ignore[assignment]
    return made  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Request:
    """What a router is asked: instructions, then messages (SPEC 1)."""

    instructions: tuple[Message, ...]
    messages: tuple[Message, ...]
    session_id: str | None = field(default=None, repr=False)

    @property
    def turns(self) -> tuple[Message, ...]:
        """VGR's flattened order: instructions first, then messages."""
        return self.instructions + self.messages


@dataclass(frozen=True, slots=True)
class Output:
    """One output of a reply; `stop_reason` is None where none was reported."""

    role: Role
    content: tuple[Block, ...]
    stop_reason: StopReason | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """A model's reply."""

    outputs: tuple[Output, ...]


def text_of(content: tuple[Block, ...]) -> str:
    """The text-like blocks joined by a newline (SPEC 1)."""
    return "\n".join([block.text for block in content if isinstance(block, (Text, Refusal))])
