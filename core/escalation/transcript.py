"""The transcript that the escalation judge reads of a conversation (SPEC 6.2).

Only what is shown is rendered. Of a message that is not shown no more than its role is looked at, so a transcript
costs what it shows, however long the session.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from ..conversation.model import Message, Refusal, Request, Role, Text, ToolCall, ToolResult
from ..vgr.json_text import json_text
from ..vgr.text import redact
from .config import EscalationConfig

#: Characters of the whole transcript.
TOTAL_CHARS = 18_000
#: Characters of an instruction and of a message of the task.
INSTRUCTION_CHARS, TASK_CHARS = 1000, 4000
#: Stands for what was taken from the middle of a message; 14 characters, which count against its limit.
TRIMMED = " ...[trimmed] "
#: Stands at the end of a transcript whose task framing alone is too long, and what is left for that.
TRUNCATED, TRUNCATED_CHARS = "...<truncated>", TOTAL_CHARS - 15

# Members are bound once: looking one up on its class costs more than the comparison it is for.
_SYSTEM, _DEVELOPER, _USER, _ASSISTANT, _TOOL = Role
#: What stands before a message: of the task framing, and of any other.
LABELS = {role: f"[{role}] " for role in Role}
FRAMING_LABELS = LABELS | {_USER: "[user (task)] "}


def summarize_for_judge(
    messages: Sequence[Message],
    turn: int,
    config: EscalationConfig,
    *,
    redacted: bool = False,
    framing: Sequence[int] | None = None,
) -> str:
    """The transcript: header, task framing, and the newest of all other messages, as far as they fit (SPEC 6.2).

    `turn` is the number of the assistant's turn under judgement. As the specification has it, nothing is redacted; with
    `redacted`, which is an operator's own choice, every message is, before it is cut. Whoever takes the turns of one
    session finds its `task_framing` once and gives it, instead of having it looked for at every turn.
    """
    places = task_framing(messages) if framing is None else framing
    known = bisect_left(places, len(messages))
    anchors: list[str] = []
    size = 0
    for at in places[:known]:
        anchors.append(framing_line(messages[at], redacted))
        size += len(anchors[-1]) + 1
        if size > TOTAL_CHARS:
            break
    # From the newest message to the oldest.
    recent: list[str] = []
    at = len(messages)
    while at and size <= TOTAL_CHARS and len(recent) < config.recent_turn_window:
        at -= 1
        if known and places[known - 1] == at:
            known -= 1
        else:
            recent.append(window_line(messages[at], config, redacted))
            size += len(recent[-1]) + 1
    first = header(turn, len(recent), len(messages))
    while recent and len(first) + size > TOTAL_CHARS:
        size -= len(recent.pop()) + 1
        first = header(turn, len(recent), len(messages))
    recent.reverse()
    text = "\n".join([first, *anchors, *recent])
    return text if len(text) <= TOTAL_CHARS else text[:TRUNCATED_CHARS] + TRUNCATED


def conversation_turn(request: Request) -> int:
    """How many turns the assistant has had; instructions are not looked at."""
    return sum([message.role is _ASSISTANT for message in request.messages])


def task_framing(messages: Sequence[Message]) -> list[int]:
    """Where the messages stand that frame the task: instructions, and the user's before the assistant first speaks.

    It holds for every beginning of these messages too, and for them with a reply behind.
    """
    begun = next((at for at, message in enumerate(messages) if message.role is _ASSISTANT), len(messages))
    opening = [at for at, message in enumerate(messages[:begun]) if message.role is not _TOOL]
    # This is all that is done with most of a long session, so the places are counted only where there are any.
    if not [1 for message in messages[begun:] if (role := message.role) is _SYSTEM or role is _DEVELOPER]:
        return opening
    late = [at for at, message in enumerate(messages[begun:], begun) if message.role in (_SYSTEM, _DEVELOPER)]
    return opening + late


def header(turn: int, shown: int, messages: int) -> str:
    """The first line."""
    return f"Conversation turn {turn}; showing the last {shown} of {messages} messages after the task framing."


def framing_chars(message: Message) -> int:
    """How many characters of a message of the task framing are shown."""
    return TASK_CHARS if message.role is _USER else INSTRUCTION_CHARS


def framing_line(message: Message, redacted: bool = False) -> str:
    """A message of the task framing as it is shown."""
    return FRAMING_LABELS[message.role] + truncate_middle(_text(message, redacted), framing_chars(message))


def window_line(message: Message, config: EscalationConfig, redacted: bool = False) -> str:
    """Any other message as it is shown."""
    return LABELS[message.role] + truncate_middle(_text(message, redacted), config.window_message_chars)


def message_text(message: Message) -> str:
    """What the judge can read of a message: texts, calls and the contents of results, joined by spaces.

    Nothing is redacted. Media, reasoning and unknown content add nothing, empty texts their separator.
    """
    content = message.content
    if len(content) == 1 and type(content[0]) is Text:
        return content[0].text
    pieces: list[str] = []
    # Results may hold results: the blocks that are still to be read, the next one last.
    waiting = [*content]
    waiting.reverse()
    while waiting:
        block = waiting.pop()
        if type(block) is Text or type(block) is Refusal:
            pieces.append(block.text)
        elif type(block) is ToolResult:
            waiting.extend(block.content[::-1])
        elif type(block) is ToolCall:
            pieces.append(call_text(block))
    return " ".join(pieces)


def call_text(call: ToolCall) -> str:
    """A call as the judge reads it."""
    return f"tool_call {call.name}({json_text(call.arguments)})"


def truncate_middle(text: str, limit: int) -> str:
    """The text, or its two ends around a mark; it is never shortened to less than 20 characters (SPEC 6.2)."""
    if len(text) <= limit:
        return text
    head, tail = kept_ends(len(text), limit)
    return f"{text[:head]}{TRIMMED}{text[len(text) - tail :]}"


def kept_ends(length: int, limit: int) -> tuple[int, int]:
    """How many characters a text of this length, which is over its limit, keeps at its start and at its end."""
    keep = limit - 14
    if keep < 20:
        keep = min(length, 20)
    head = keep * 2 // 3
    return head, keep - head


def _text(message: Message, redacted: bool) -> str:
    text = message_text(message)
    return redact(text) if redacted else text
