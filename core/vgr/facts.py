"""What the views need of one turn, found once and kept on the turn itself (SPEC 1, 3).

Facts are settled for all new turns of a request together, so that one scan over the joined texts decides which
searches for secrets are worth running at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..conversation.model import Media, Message, Refusal, Role, Text, ToolCall, ToolResult, Unknown, text_of
from .characters import is_blank
from .json_text import json_text
from .text import clip_mid, redact, searches_for

_KEY = "vgr"

#: Characters a turn of an assistant or tool may keep in the session view (SPEC 3).
TURN_BUDGET = 1200
#: Characters an event may keep in the agentic view (SPEC 3).
EVENT_BUDGET = 1400

_CLIPPED = (Role.ASSISTANT, Role.TOOL)


class Facts:
    """Facts of one turn. `line` is its session line; `events` its agentic events, None until asked for."""

    __slots__ = ("blank", "events", "line", "redacted", "structural", "text", "unsupported")

    text: str
    blank: bool
    redacted: str
    line: str
    #: Holds media or unknown content directly.
    unsupported: bool
    #: Holds a tool call or a tool result directly.
    structural: bool
    events: tuple[str, ...] | None


def settled(turns: tuple[Message, ...]) -> list[Facts]:
    """The facts of these turns, found now for those that have none yet."""
    known = [turn.derived.get(_KEY) for turn in turns]
    if None in known:
        _settle([turn for turn, facts in zip(turns, known, strict=True) if facts is None])
        known = [turn.derived[_KEY] for turn in turns]
    return known  # type: ignore[return-value]


def _settle(turns: list[Message]) -> None:
    made = []
    for turn in turns:
        facts = Facts()
        content = turn.content
        facts.unsupported = facts.structural = False
        facts.events = None
        if len(content) == 1 and type(content[0]) is Text:
            facts.text = content[0].text
        else:
            for block in content:
                kind = type(block)
                if kind is ToolCall or kind is ToolResult:
                    facts.structural = True
                elif kind is Media or kind is Unknown:
                    facts.unsupported = True
            facts.text = text_of(content)
        facts.blank = is_blank(facts.text)
        made.append(facts)
    searches = searches_for("\n".join([facts.text for facts in made]))
    for turn, facts in zip(turns, made, strict=True):
        text = redact(facts.text, searches) if searches else facts.text
        facts.redacted = text
        if len(text) > TURN_BUDGET and turn.role in _CLIPPED:
            text = clip_mid(text, TURN_BUDGET, 1 / 2)
        facts.line = f"[{turn.role.value}] {text}"
        turn.derived[_KEY] = facts


def events_of(messages: tuple[Message, ...]) -> list[str]:
    """The events of these messages, in order: texts, calls and results, each redacted and clipped (SPEC 3)."""
    known = settled(messages)
    open_turns = [(turn, facts) for turn, facts in zip(messages, known, strict=True) if facts.events is None]
    if open_turns:
        raw = [list(_raw_events(turn)) for turn, _ in open_turns]
        searches = searches_for("\n".join([text for events in raw for _, text in events]))
        for (_, facts), events in zip(open_turns, raw, strict=True):
            facts.events = tuple(
                [prefix + clip_mid(redact(text, searches), EVENT_BUDGET, 1 / 2) for prefix, text in events]
            )
    return [event for facts in known for event in facts.events or ()]


def _raw_events(turn: Message) -> Iterable[tuple[str, str]]:
    """Prefix and unredacted text of each event of a message."""
    prefix = {Role.ASSISTANT: "[assistant] ", Role.TOOL: "[tool result] "}.get(turn.role)
    for block in turn.content:
        if isinstance(block, (Text, Refusal)):
            if prefix is not None:
                yield prefix, block.text
        elif isinstance(block, ToolCall):
            yield "[tool call] ", f"{block.name}({json_text(block.arguments)})"
        elif isinstance(block, ToolResult):
            yield "[tool error] " if block.is_error else "[tool result] ", text_of(block.content)
