"""OpenAI Chat response bodies: choice 0 is the message, the others are kept beside it."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Json, Role, StopReason
from ..positions import Path
from .draft import Draft
from .format import Format, Holds, Match, Source
from .openai_blocks import PROVIDER
from .openai_chat import read_message
from .stop_reasons import stop_reason

_STOP = {
    "stop": StopReason.END_TURN,
    "length": StopReason.MAX_TOKENS,
    "model_length": StopReason.MAX_TOKENS,
    "tool_calls": StopReason.TOOL_USE,
    "function_call": StopReason.TOOL_USE,
    "content_filter": StopReason.CONTENT_FILTER,
    "error": StopReason.ERROR,
}


def match_response(source: Source) -> Match | None:
    """Score a body with `choices` that hold messages."""
    body = source.value
    choices = body.get("choices") if isinstance(body, dict) else None
    if not isinstance(choices, list):
        return None
    if body.get("object") == "chat.completion":
        return Match(0.98, "`object` is `chat.completion`")
    if not choices:
        return Match(0.5, "`choices`, though empty")
    if any(isinstance(c, dict) and isinstance(c.get("message"), dict) for c in choices):
        return Match(0.9, "`choices` with a `message`")
    return None


def read_response(source: Source, draft: Draft) -> None:
    """Read the choices in the order of their index."""
    read_choices(source, draft, read_message)


def read_choices(source: Source, draft: Draft, read: Callable[[Json, Path, Draft], None]) -> None:
    """Read the choices, each message by `read`: of OpenAI Chat, or of a dialect of it."""
    body = source.value
    choices = body.get("choices") if isinstance(body, dict) else None
    at = (*source.path, "choices")
    if not isinstance(choices, list) or not choices:
        draft.fail("no-choices", "The reply holds no choice.", "Paste a reply with at least one choice.", at)
        return
    order = sorted(range(len(choices)), key=lambda i: (_index(choices[i], i), i))
    for rank, position in enumerate(order):
        _read_choice(choices[position], rank == 0, (*at, position), draft, read)
    if len(choices) > 1:
        draft.warn(
            "several-choices",
            f"The reply holds {len(choices)} choices; choice {_index(choices[order[0]], order[0])} is the message.",
            "The others are kept as alternatives; to look at one, paste it alone.",
            at,
        )
    draft.keep(body, ("choices",), source.path)


def _index(choice: Json, position: int) -> int:
    index = choice.get("index") if isinstance(choice, dict) else None
    return index if isinstance(index, int) and not isinstance(index, bool) else position


def _read_choice(choice: Json, first: bool, at: Path, draft: Draft, read: Callable[[Json, Path, Draft], None]) -> None:
    raw = choice.get("message") if isinstance(choice, dict) else None
    reply = Draft()
    if not isinstance(raw, dict):
        reply.add(Role.ASSISTANT, (reply.unknown(PROVIDER, choice, "A choice without a message", at),), at)
    else:
        read(raw if "role" in raw else {"role": "assistant", **raw}, (*at, "message"), reply)
        draft.keep(choice, ("message", "index", "finish_reason"), at)
        if first:
            reason = choice.get("finish_reason")
            draft.stop_reason = stop_reason(reason, _STOP, draft, (*at, "finish_reason"))
    draft.take(reply, as_alternative=not first)


OPENAI_CHAT_RESPONSE = Format(
    "openai-chat-response",
    "OpenAI Chat response",
    "`choices` with a `message`; `object: chat.completion`",
    "nothing; log probabilities and usage are kept as extras",
    match_response,
    read_response,
    holds=Holds.REPLY,
    fields=frozenset({"choices"}),
    example="oai-two-choices",
)
