"""What the wire formats share: a request as it is sent, what it leaves out, and a reply's usage and text blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ....core.conversation.model import (
    Block,
    Json,
    Media,
    Message,
    Reasoning,
    Refusal,
    Role,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from ....core.vgr.evidence import Rung
from .thinking import split_thinking

#: The rungs whose reply is an answer to the user, not a verdict.
TIERS = frozenset({Rung.ATTEMPT, Rung.EFFICIENT, Rung.CAPABLE})
#: What a reply's note says of thinking in the content: a reader of the content as it stands sees something else.
THINKING_SET_APART = "the text held thinking in tags, which was set apart"
NO_LOGPROBS = "the endpoint sent no logprobs"

#: Token counts by the names they may be reported under; other names are the endpoint's text and stay out of records.
_COUNTS = (
    "prompt_tokens",
    "completion_tokens",
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)
_DETAILS = {
    "prompt_tokens_details": ("cached_tokens",),
    "input_tokens_details": ("cached_tokens",),
    "completion_tokens_details": ("reasoning_tokens",),
    "output_tokens_details": ("reasoning_tokens",),
}


class Concession(StrEnum):
    """What an endpoint is known to refuse, and is then asked otherwise."""

    #: `max_tokens`; sent as `max_completion_tokens`.
    COMPLETION_TOKENS = "completion_tokens"
    #: The reply format `json_schema`; sent as `json_object`.
    JSON_OBJECT = "json_object"


@dataclass(frozen=True, slots=True)
class Sent:
    """A request's body, and in our words what of the call it does not carry."""

    body: dict[str, Json] = field(repr=False)
    notes: tuple[str, ...] = ()


class Unsent:
    """Counts the blocks of a conversation that a format has no place for."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, kind: str) -> None:
        """One more of a kind: `image`, `reasoning block`."""
        self._counts[kind] += 1

    @property
    def notes(self) -> tuple[str, ...]:
        """`not sent: 2 images, 1 reasoning block`, or nothing."""
        if not self._counts:
            return ()
        counted = ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in sorted(self._counts.items()))
        return (f"not sent: {counted}",)


def content_of(message: Message) -> tuple[Block, ...]:
    """The blocks of a message. Text that a tool message holds outside of a result is one, of no named call."""
    if message.role is not Role.TOOL:
        return message.content
    loose = tuple(block for block in message.content if isinstance(block, (Text, Refusal)))
    others = tuple(block for block in message.content if not isinstance(block, (Text, Refusal)))
    return (*others, ToolResult("", loose)) if loose or not others else others


def kind_of(block: Block) -> str:
    """A block's kind in a few words, as a note counts it."""
    if isinstance(block, Media):
        return "audio block" if block.kind == "audio" else block.kind
    if isinstance(block, Reasoning):
        return "reasoning block"
    if isinstance(block, ToolCall):
        return "misplaced tool call"
    return "misplaced tool result" if isinstance(block, ToolResult) else "unknown block"


def joined(notes: Iterable[str]) -> str:
    """Notes as one, each once."""
    return "; ".join(dict.fromkeys(note for note in notes if note))


def without_thinking(blocks: Iterable[Block], rung: Rung) -> tuple[tuple[Block, ...], tuple[str, ...]]:
    """A reply's blocks with the thinking in their text set apart, and the note that says so."""
    made: list[Block] = []
    notes: tuple[str, ...] = ()
    for block in blocks:
        if isinstance(block, Text):
            parts = split_thinking(block.text, anywhere=rung not in TIERS)
            made += parts
            if len(parts) > 1 or not isinstance(parts[0], Text):
                notes = (THINKING_SET_APART,)
        elif isinstance(block, Unknown) and isinstance(block.raw, dict) and block.raw.get("type") == "thinking":
            made.append(Reasoning(""))  # Mistral's, a list of parts
        else:
            made.append(block)
    return tuple(made), notes


def usage_of(usage: Json) -> Mapping[str, int]:
    """Token counts by name, of the names that are known."""
    if not isinstance(usage, dict):
        return {}
    counts = {name: usage[name] for name in _COUNTS if _is_count(usage.get(name))}
    for details, names in _DETAILS.items():
        inner = usage.get(details)
        if isinstance(inner, dict):
            counts |= {name: inner[name] for name in names if _is_count(inner.get(name))}
    return counts


def readout_body(first_token: Json) -> Json:
    """The part of a chat body that a readout reads, around the entry of the first token (SPEC 5)."""
    return {"choices": [{"logprobs": {"content": [first_token]}}]}


def _is_count(value: Json) -> bool:
    return type(value) is int and value >= 0
