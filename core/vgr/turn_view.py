"""The proposed-turn view that the in-flight trajectory question reads, and tests on proposed calls (SPEC 7)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ..conversation.model import Message, Output, Request, Response, Role, StopReason, Text, ToolCall, text_of
from .json_text import json_text
from .policy import POLICY_1_0_0, TurnVerification
from .text import clip_mid, is_blank, redact

#: The share of a budget that a clip keeps of the start.
HEAD = 0.5


def turn_view(request: Request, proposed: Response, limits: TurnVerification = POLICY_1_0_0.turn_verification) -> str:
    """What the trajectory question reads: anchors, recent turns and the proposed next turn (SPEC 7).

    Unlike the judged views it keeps blank turns. While it is longer than `limits.total_chars`, its oldest recent turns
    are left out; anchors and the proposed turn always stay.
    """
    turns = request.turns
    system, task = first_turn(turns, Role.SYSTEM), first_turn(turns, Role.USER)
    anchors = []
    if system is not None:
        anchors.append(_line("system", turns[system], limits.system_chars))
    if task is not None:
        anchors.append(_line("task", turns[task], limits.first_user_chars))
    others = (turns[at] for at in range(len(turns) - 1, -1, -1) if at not in (system, task))
    recent = [_line(turn.role, turn, limits.message_chars) for turn in islice(others, limits.recent_turn_window)]
    fragments = " ".join(_fragments(proposed))
    last = f"[proposed next turn] [assistant] {clip_mid(fragments, limits.message_chars, HEAD)}"

    total = len(last) + sum(len(line) + 1 for line in anchors + recent)
    while recent and total > limits.total_chars:
        # `recent` runs from the newest turn to the oldest.
        total -= len(recent.pop()) + 1
    return "\n".join([*anchors, *reversed(recent), last])


def has_tool_call(proposed: Response) -> bool:
    """Whether an assistant output holds a tool call."""
    return any(isinstance(block, ToolCall) for output in _assistant_outputs(proposed) for block in output.content)


def has_incomplete_tool_call(proposed: Response) -> bool:
    """Whether a proposed call was cut off (stop reason max_tokens) or its arguments are still a string (SPEC 7)."""
    return any(
        isinstance(block, ToolCall)
        and (output.stop_reason is StopReason.MAX_TOKENS or isinstance(block.arguments, str))
        for output in _assistant_outputs(proposed)
        for block in output.content
    )


def first_turn(turns: tuple[Message, ...], role: Role) -> int | None:
    """Where the first turn of a role stands."""
    return next((at for at, turn in enumerate(turns) if turn.role is role), None)


def _line(label: str, turn: Message, budget: int) -> str:
    return f"[{label}] {clip_mid(redact(text_of(turn.content)), budget, HEAD)}"


def _assistant_outputs(proposed: Response) -> Iterator[Output]:
    return (output for output in proposed.outputs if output.role is Role.ASSISTANT)


def _fragments(proposed: Response) -> Iterator[str]:
    """The proposed text blocks that are not blank and the calls, each redacted on its own."""
    for output in _assistant_outputs(proposed):
        for block in output.content:
            if isinstance(block, Text) and not is_blank(block.text):
                yield redact(block.text)
            elif isinstance(block, ToolCall):
                yield redact(f"[tool call] {block.name}({json_text(block.arguments)})")
