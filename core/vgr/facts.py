"""What the views show of a turn, found once and kept on the turn itself (SPEC 1, 3).

What is missing is found for many turns together: one scan over their joined texts decides which searches for secrets
are worth running at all. Only what a view shows is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..conversation.model import Block, Message, Reasoning, Refusal, Role, Text, ToolCall, ToolResult, text_of
from .characters import is_blank
from .json_text import json_text
from .text import clip_mid, redact, searches_for

#: Characters an event may keep in the agentic view (SPEC 3).
EVENT_BUDGET = 1400

# Texts scanned together: few enough that a scan stays in the processor's cache.
_BATCH = 64

_PLAIN = {Text, Refusal, Reasoning}
# Messages are frozen; what is kept on them is no part of their value.
_keep = object.__setattr__
# Members are bound once: looking one up on its class costs more than the comparison it is for.
_ASSISTANT, _TOOL = Role.ASSISTANT, Role.TOOL


def turn_text(turn: Message) -> str:
    """The text of a turn: its text-like blocks joined by a newline (SPEC 1)."""
    return content_text(turn.content)


def content_text(content: tuple[Block, ...]) -> str:
    """`text_of`, with a short way for the one text block that most content is."""
    if len(content) == 1 and type(content[0]) is Text:
        return content[0].text
    return text_of(content)


def kinds_of(turns: Sequence[Message]) -> set[type]:
    """The kinds of block that these turns hold; plain ones may be left out once a long session is known to be plain."""
    if len(turns) <= _BATCH:
        return {type(block) for turn in turns for block in turn.content}
    odd = [turn for turn in turns if not turn.found_plain]
    kinds: set[type] = {type(block) for turn in odd for block in turn.content}
    if len(odd) > _BATCH and kinds <= _PLAIN:
        for turn in odd:
            _keep(turn, "found_plain", True)
    return kinds


def texts_of(turns: Sequence[Message]) -> list[str]:
    """For each turn its redacted text; empty where the turn is blank (SPEC 3)."""
    missing = [turn for turn in turns if turn.found_text is None]
    for start in range(0, len(missing), _BATCH):
        batch = missing[start : start + _BATCH]
        for turn, text in zip(batch, _redacted(batch), strict=True):
            _keep(turn, "found_text", "" if text.isspace() and is_blank(text) else text)
    return [turn.found_text for turn in turns]  # type: ignore[misc]


def unseen_texts(turns: Sequence[Message]) -> list[str] | None:
    """The texts as they are, where these few turns are new and each is one text that is not blank; else None.

    Whoever finds no secret in them tells so with `keep_texts`, and spares a scan of their own. Of many turns the scan
    goes in batches instead.
    """
    if len(turns) > _BATCH or [turn for turn in turns if turn.found_text is not None]:
        return None
    texts = [
        content[0].text if len(content := turn.content) == 1 and type(content[0]) is Text else "" for turn in turns
    ]
    return None if "" in texts or any(map(str.isspace, texts)) else texts


def keep_texts(turns: Sequence[Message], texts: Sequence[str]) -> None:
    """Keep these texts on their turns as redacted ones."""
    for turn, text in zip(turns, texts, strict=True):
        _keep(turn, "found_text", text)


def events_of(messages: Sequence[Message]) -> list[str]:
    """The events of these messages, in order: texts, calls and results, each redacted and clipped (SPEC 3)."""
    missing = [message for message in messages if message.found_events is None]
    for start in range(0, len(missing), _BATCH):
        _find_events(missing[start : start + _BATCH])
    return [event for message in messages for event in message.found_events]  # type: ignore[union-attr]


def _redacted(turns: list[Message]) -> list[str]:
    texts = [
        content[0].text if len(content := turn.content) == 1 and type(content[0]) is Text else text_of(content)
        for turn in turns
    ]
    searches = searches_for("\n".join(texts))
    return [redact(text, searches) for text in texts] if searches else texts


def _find_events(messages: list[Message]) -> None:
    prefixes: list[str] = []
    texts: list[str] = []
    ends: list[int] = []
    for message in messages:
        role = message.role
        for block in message.content:
            kind = type(block)
            if kind is ToolCall:
                prefixes.append("[tool call] ")
                texts.append(f"{block.name}({json_text(block.arguments)})")  # type: ignore[union-attr]
            elif kind is ToolResult:
                prefixes.append("[tool error] " if block.is_error else "[tool result] ")  # type: ignore[union-attr]
                texts.append(content_text(block.content))  # type: ignore[union-attr]
            elif (kind is Text or kind is Refusal) and (role is _ASSISTANT or role is _TOOL):
                prefixes.append("[assistant] " if role is _ASSISTANT else "[tool result] ")
                texts.append(block.text)  # type: ignore[union-attr]
        ends.append(len(texts))
    searches = searches_for("\n".join(texts))
    if searches:
        texts = [redact(text, searches) for text in texts]
    events = [
        prefix + (text if len(text) <= EVENT_BUDGET else clip_mid(text, EVENT_BUDGET, 1 / 2))
        for prefix, text in zip(prefixes, texts, strict=True)
    ]
    start = 0
    for message, end in zip(messages, ends, strict=True):
        _keep(message, "found_events", tuple(events[start:end]))
        start = end
