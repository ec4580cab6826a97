"""OpenAI Chat response bodies: choice 0 is the message, the others are kept beside it."""

from __future__ import annotations

from ..model import Json, Message, Role, StopReason, Text
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .format import Format, Match, Source
from .openai_chat import PROVIDER, assistant_blocks

_STOP = {
    "stop": StopReason.END_TURN,
    "length": StopReason.MAX_TOKENS,
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
    if any(isinstance(c, dict) and isinstance(c.get("message"), dict) for c in choices):
        return Match(0.9, "`choices` with a `message`")
    return None


def read_response(source: Source, draft: Draft) -> None:
    """Read the choices in the order of their index."""
    body = source.value
    choices = body.get("choices") if isinstance(body, dict) else None
    at = (*source.path, "choices")
    if not isinstance(choices, list) or not choices:
        draft.fail("no-choices", "The reply holds no choice.", "Paste a reply with at least one choice.", at)
        return
    order = sorted(range(len(choices)), key=lambda i: (_index(choices[i], i), i))
    for rank, position in enumerate(order):
        _read_choice(choices[position], rank == 0, (*at, position), draft)
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


def _read_choice(choice: Json, first: bool, at: Path, draft: Draft) -> None:
    raw = choice.get("message") if isinstance(choice, dict) else None
    if isinstance(raw, dict):
        message = Message(Role.ASSISTANT, tuple(assistant_blocks(raw, (*at, "message"), draft)))
        if raw.get("role", "assistant") != "assistant":
            draft.add_unread(raw["role"], PROVIDER, raw, (*at, "message"))
            return
        # `assistant_blocks` looks for further fields only beyond role and content; the reply may lack the role.
        draft.keep(choice, ("message", "index", "finish_reason"), at)
    else:
        message = Message(Role.ASSISTANT, (draft.unknown(PROVIDER, choice, "A choice without a message", at),))
    if not first:
        draft.alternatives.append(message)
        return
    draft.add(Role.ASSISTANT, message.content, (*at, "message") if isinstance(raw, dict) else at)
    reason = choice.get("finish_reason") if isinstance(choice, dict) else None
    draft.stop_reason = stop_reason(reason, _STOP, draft, (*at, "finish_reason"))


def stop_reason(raw: Json, known: dict[str, StopReason], draft: Draft, at: Path) -> StopReason | None:
    """The normalized stop reason; None where none is given."""
    if raw is None:
        return None
    found = known.get(raw, StopReason.UNKNOWN) if isinstance(raw, str) else StopReason.UNKNOWN
    if found is StopReason.UNKNOWN:
        draft.note("unknown-stop-reason", f"The stop reason `{shown(raw)}` is not known; read as `unknown`.", at)
        draft.keep({str(at[-1]): raw}, (), at[:-1])
    elif found is StopReason.MAX_TOKENS:
        draft.warn(
            "reply-cut-off", "The reply reached its token limit; it is cut off.", "Ask again with a higher limit.", at
        )
    return found


__all__ = ["OPENAI_CHAT_RESPONSE", "Text", "match_response", "read_response", "stop_reason"]

OPENAI_CHAT_RESPONSE = Format(
    "openai-chat-response",
    "OpenAI Chat response",
    "`choices` with a `message`; `object: chat.completion`",
    "nothing; log probabilities and usage are kept as extras",
    match_response,
    read_response,
)
