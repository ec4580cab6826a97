"""Gemini generateContent responses: candidate 0 is the message, the others are kept beside it."""

from __future__ import annotations

from ..model import Json, Role, StopReason
from ..positions import Path
from ..remarks import shown
from .call_ids import CallIds
from .draft import Draft
from .format import Format, Holds, Match, Source
from .gemini_parts import PROVIDER, parts_of
from .reply_role import note_role
from .stop_reasons import stop_reason

#: Each field of a response in its two spellings.
FINISH = ("finishReason", "finish_reason")
FEEDBACK = ("promptFeedback", "prompt_feedback")
_STOP = {
    "STOP": StopReason.END_TURN,
    "MAX_TOKENS": StopReason.MAX_TOKENS,
    **dict.fromkeys(
        (
            "SAFETY",
            "RECITATION",
            "LANGUAGE",
            "BLOCKLIST",
            "PROHIBITED_CONTENT",
            "SPII",
            "IMAGE_SAFETY",
            "IMAGE_PROHIBITED_CONTENT",
            "IMAGE_RECITATION",
            "MODEL_ARMOR",
        ),
        StopReason.CONTENT_FILTER,
    ),
    **dict.fromkeys(
        ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE"),
        StopReason.ERROR,
    ),
    **dict.fromkeys(("OTHER", "FINISH_REASON_UNSPECIFIED"), StopReason.UNKNOWN),
}
#: Beside these a `response` is one half of something else.
_RECORD = frozenset({"request", "custom_id", "contents", "messages"})
#: By this field a line of a batch names its request: a reply of its own, and no piece of a stream.
BATCH = "key"


def given(raw: dict[str, Json], names: tuple[str, ...]) -> tuple[str, Json]:
    """The field that stands there under one of its names, and its value; None where there is none."""
    for name in names:
        if (value := raw.get(name)) is not None:
            return name, value
    return names[0], None


def body_in(value: Json, path: Path) -> tuple[dict[str, Json], Path] | None:
    """The response, or the one under `response` where it is wrapped alone; None where there is none."""
    if not isinstance(value, dict):
        return None
    inner = value.get("response")
    if isinstance(inner, dict) and _RECORD.isdisjoint(value) and "candidates" not in value:
        value, path = inner, (*path, "response")
    candidates = value.get("candidates")
    if isinstance(candidates, list) and any(map(_is_candidate, candidates)):
        return value, path
    feedback = given(value, FEEDBACK)[1]
    blocked = isinstance(feedback, dict) and not feedback.keys().isdisjoint(("blockReason", "block_reason"))
    return (value, path) if blocked else None


def _is_candidate(raw: Json) -> bool:
    if not isinstance(raw, dict):
        return False
    content = raw.get("content")
    return isinstance(content, dict) or (content is None and given(raw, FINISH)[1] is not None)


def match_response(source: Source) -> Match | None:
    """Score a body with candidates, or one that says why there are none."""
    found = body_in(source.value, source.path)
    if found is None:
        return None
    has = bool(found[0].get("candidates"))
    return Match(0.97 if has else 0.95, "`candidates` with a `content`" if has else "a `promptFeedback`")


def read_response(source: Source, draft: Draft) -> None:
    """Read the candidates in the order of their index."""
    found = body_in(source.value, source.path)
    if found is None:
        return
    body, at = found
    if body is not source.value:
        draft.keep(source.value, ("response",), source.path)
    raw = body.get("candidates")
    candidates = raw if isinstance(raw, list) else []
    order = sorted(range(len(candidates)), key=lambda i: (_index(candidates[i], i), i))
    for rank, position in enumerate(order):
        _read_candidate(candidates[position], rank == 0, (*at, "candidates", position), draft)
    if len(candidates) > 1:
        draft.warn(
            "several-choices",
            f"The reply holds {len(candidates)} candidates; candidate {_index(candidates[order[0]], order[0])} is the "
            "message.",
            "The others are kept as alternatives; to look at one, paste it alone.",
            (*at, "candidates"),
        )
    if not candidates:
        _say_blocked(body, at, draft)
    draft.keep(body, ("candidates",), at)


def _say_blocked(body: dict[str, Json], at: Path, draft: Draft) -> None:
    name, feedback = given(body, FEEDBACK)
    reason = given(feedback, ("blockReason", "block_reason"))[1] if isinstance(feedback, dict) else None
    draft.stop_reason = StopReason.CONTENT_FILTER
    draft.warn(
        "prompt-blocked",
        f"The API blocked the prompt (`{shown(reason)}`); there is no reply.",
        "Paste the request alone to route it.",
        (*at, name),
    )


def _index(candidate: Json, position: int) -> int:
    index = candidate.get("index") if isinstance(candidate, dict) else None
    return index if isinstance(index, int) and not isinstance(index, bool) else position


def _read_candidate(raw: Json, first: bool, at: Path, draft: Draft) -> None:
    reply = Draft()
    content = raw.get("content") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not (content is None or isinstance(content, dict)):
        reply.add(Role.ASSISTANT, (reply.unknown(PROVIDER, raw, "A candidate without a content", at),), at)
    else:
        content = content or {}
        where = (*at, "content")
        parts = parts_of(content.get("parts"), (*where, "parts"), reply, CallIds(reply), joined=True)
        reply.add(Role.ASSISTANT, parts, at)
        draft.keep(content, ("role", "parts"), where)
        note_role(content.get("role"), (*where, "role"), draft)
        finish, reason = given(raw, FINISH)
        draft.keep(raw, ("content", "index", finish), at)
        if first:
            draft.stop_reason = stop_reason(reason, _STOP, draft, (*at, finish))
    draft.take(reply, as_alternative=not first)


GEMINI_RESPONSE = Format(
    "gemini-response",
    "Gemini response",
    "`candidates` with a `content`; a `promptFeedback`",
    "where one text part ends and the next begins; ratings, citations and usage are kept as extras",
    match_response,
    read_response,
    holds=Holds.REPLY,
    fields=frozenset({"candidates", "promptFeedback", "prompt_feedback", "response"}),
    example="gemini-response-code-execution",
    priority=2,
)
