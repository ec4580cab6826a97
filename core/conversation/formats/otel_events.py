"""The older events of OpenTelemetry's GenAI conventions: one a message, `gen_ai.user.message` to `gen_ai.choice`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..json_text import decode_embedded
from ..model import Json, Role
from ..positions import Path
from .draft import Draft
from .openai_chat import read_message
from .otel_parts import PROVIDER, STOP
from .spans import Span, any_value
from .stop_reasons import stop_reason

CHOICE: Final = "gen_ai.choice"
ROLE_OF: Final = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    CHOICE: "assistant",
}
_CONTENT: Final = "gen_ai.event.content"


def read_events(events: Iterable[Span], draft: Draft) -> None:
    """Read the events that are messages, in their order; further choices stand beside the first."""
    for event in events:
        name = event.event
        if name not in ROLE_OF:
            continue
        body, at, held = _body(event)
        draft.keep(event.raw, event.raw if held is None else (held, "name", "event_name", "eventName"), event.path)
        if not isinstance(body, dict):
            draft.add_unread(ROLE_OF[name], PROVIDER, body, at)
        elif name == CHOICE:
            _read_choice(body, at, draft)
        else:
            read_message(_message(body, ROLE_OF[name]), at, draft)
            draft.stop_reason = None


def _body(event: Span) -> tuple[Json, Path, str | None]:
    """The body of an event: of a log record, JSON in one attribute, or the attributes themselves; and its field.

    The field is None where the record itself is the body.
    """
    raw = event.raw
    if isinstance(raw.get("body"), (dict, str)):
        value, steps = any_value(raw["body"])
        return _decoded(value), (*event.path, "body", *steps), "body"
    if _CONTENT in event.attributes:
        return _decoded(event.attributes[_CONTENT]), event.paths[_CONTENT], "attributes"
    fields, held = (raw, None) if "event.name" in raw else (event.attributes, "attributes")
    return {name: value for name, value in fields.items() if name != "event.name"}, event.path, held


def _decoded(value: Json) -> Json:
    found = decode_embedded(value) if isinstance(value, str) else None
    return {"content": value} if isinstance(value, str) and found is None else value if found is None else found[0]


def _message(body: dict[str, Json], role: str) -> dict[str, Json]:
    """The body as a message of OpenAI Chat, which it is but for its role and the name of the call's id."""
    made = {"role": role, **body}
    calls = made.get("tool_calls")
    if isinstance(calls, str) and (found := decode_embedded(calls)) is not None:
        made["tool_calls"] = found[0]
    if role == "tool" and "tool_call_id" not in made and "id" in made:
        made["tool_call_id"] = made.pop("id")
    return made


def _read_choice(body: dict[str, Json], at: Path, draft: Draft) -> None:
    message = body.get("message")
    if isinstance(message, str):
        message = _decoded(message)
    beside = {name: value for name, value in body.items() if name not in ("message", "index", "finish_reason")}
    made = Draft()
    if isinstance(message, dict):
        # The calls of an older choice stand beside its message.
        calls = {"tool_calls": beside.pop("tool_calls")} if "tool_calls" in beside else {}
        read_message(_message({**calls, **message}, "assistant"), at, made)
        made.keep(beside, (), at)
    else:
        read_message(_message(beside, "assistant"), at, made)
    is_further = body.get("index") not in (0, None, "0") and bool(draft.messages) and _is_reply(draft)
    if is_further:
        draft.warn(
            "several-choices",
            "The reply has several choices; the first is the message.",
            "The others are kept as alternatives; to look at one, paste it alone.",
            at,
        )
    else:
        raw = body.get("finish_reason")
        draft.stop_reason = stop_reason(raw or None, STOP, draft, (*at, "finish_reason"))
    draft.take(made, as_alternative=is_further)


def _is_reply(draft: Draft) -> bool:
    return draft.messages[-1].role is Role.ASSISTANT
