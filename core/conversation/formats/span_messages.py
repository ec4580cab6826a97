"""The conversation in one span, in whichever way its library wrote it down; the rest of the span is kept.

Newest first: OpenInference and GenAI messages, numbered prompts, events, an agent's whole history, and last the input
and output of whatever ran.
"""

from __future__ import annotations

from typing import Final

from ..model import Json, Role, Text
from ..positions import Path, path_text
from .call_ids import CallIds
from .draft import Draft
from .generation import is_nothing, read_answered, read_asked
from .indexed import indexed
from .openai_chat import read_message as read_chat_message
from .openinference_messages import read_message
from .otel_events import ROLE_OF, read_events
from .otel_parts import STOP, read_messages, read_parts
from .recorded import CALL
from .source import Source
from .span_values import decoded, read_values
from .spans import Span
from .stop_reasons import stop_reason
from .wrapping import keep_inside

#: Ranks of what ran around a call of a model: an agent's run with its messages, and a step of any other kind.
AGENT: Final = CALL + 1
STEP: Final = CALL + 2
INPUT: Final = "gen_ai.input.messages"
OUTPUT: Final = "gen_ai.output.messages"
SYSTEM: Final = "gen_ai.system_instructions"
#: Numbered messages of OpenLLMetry, asked and answered.
NUMBERED: Final = (("gen_ai.prompt", "gen_ai.completion"), ("llm.prompts", "llm.completions"))
#: Numbered texts of a completion in OpenInference, and what stands under each number.
COMPLETION: Final = (("llm.prompts", "prompt"), ("llm.choices", "completion"))
FLAT: Final = ("llm.input_messages", "llm.output_messages")
_HISTORIES: Final = ("pydantic_ai.all_messages", "all_messages_events", "events")
_AGENTS: Final = frozenset({"invoke_agent", "create_agent", "AGENT", "CHAIN", "agent", "workflow"})
_TOOLS: Final = frozenset({"execute_tool", "TOOL", "RETRIEVER", "EMBEDDING", "RERANKER", "embeddings", "tool"})
_PARENTS: Final = ("parent_id", "parentSpanId", "parent_span_id", "parentId")
#: Fields of a span that were taken apart.
_TAKEN_APART: Final = ("attributes", "tags", "span_attributes", "SpanAttributes", "events", "logs")
_SESSIONS: Final = ("session.id", "gen_ai.conversation.id")
_KINDS: Final = ("openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind")


def read_span(span: Span, source: Source, draft: Draft) -> int | None:
    """Read a span's conversation and give its rank; None where it holds none, and then the draft is as it was."""
    kinds = {span.attributes.get(name) for name in _KINDS if isinstance(span.attributes.get(name), str)}
    if not kinds.isdisjoint(_TOOLS):
        return None
    read: set[str] = set()
    around = not kinds.isdisjoint(_AGENTS)
    if (
        _openinference(span, source, draft, read)
        or _genai(span, source, draft, read)
        or _numbered(span, draft, read)
        or _completion(span, draft, read)
        or _events(span, source, draft)
    ):
        rank = AGENT if around else CALL
    elif _history(span, draft, read):
        rank = AGENT
    elif read_values(span, source, draft, read):
        # Steps in each other have the same in part: the outermost has it all.
        rank = STEP + any(span.raw.get(name) for name in _PARENTS) if around or not kinds else CALL
    else:
        return None
    for name, value in span.attributes.items():
        if name not in read and not is_nothing(value):
            draft.extras[path_text(span.place_of(name))] = value
    if _failed(span.raw.get("status")):
        step = "What stands here may be no whole answer; ask again."
        draft.warn("run-failed", "The span reports an error.", step, (*span.path, "status"))
    session = next((span.attributes[name] for name in _SESSIONS if isinstance(span.attributes.get(name), str)), None)
    draft.session_id = draft.session_id or session
    draft.keep(span.raw, {*_TAKEN_APART, *span.taken}, span.path)
    for event in span.events:
        if event.event not in ROLE_OF:
            draft.extras[path_text(event.path)] = event.raw
    return rank


def _failed(status: Json) -> bool:
    code = status.get("code", status.get("status_code")) if isinstance(status, dict) else None
    return code == 2 or (isinstance(code, str) and code.upper() in ("ERROR", "STATUS_CODE_ERROR"))


def _openinference(span: Span, source: Source, draft: Draft, read: set[str]) -> bool:
    asked, answered = (indexed(span, name, read) for name in FLAT)
    if not asked and not answered:
        return False
    ids = CallIds(draft)
    for raw, at in (*asked, *answered):
        read_message(raw, at, ids, draft)
    value = span.attributes.get("output.value")
    if not answered and not is_nothing(value):
        read_answered(value, span.paths["output.value"], source, draft)
        read.add("output.value")
    return True


def _genai(span: Span, source: Source, draft: Draft, read: set[str]) -> bool:
    held = [name for name in (SYSTEM, INPUT, OUTPUT) if not is_nothing(span.attributes.get(name))]
    carrier = span
    if not held:
        # Newer libraries put them on an event of the span.
        carrier = next((one for one in span.events if not one.attributes.keys().isdisjoint((INPUT, OUTPUT))), span)
        held = [name for name in (SYSTEM, INPUT, OUTPUT) if not is_nothing(carrier.attributes.get(name))]
    for name in held:
        value, at = decoded(carrier.attributes[name]), carrier.paths[name]
        read.add(name)
        if name == SYSTEM:
            read_parts(value, Role.SYSTEM, at, draft)
        elif not isinstance(value, list):
            if name == OUTPUT:
                read_answered(value, at, source, draft)
            elif not read_asked(value, at, source, draft):
                keep_inside(value, at, source, draft, "What the model was given")
        elif name == INPUT:
            read_messages(_numbered_items(value, at), draft)
        else:
            _read_output(value, at, draft)
    return bool(held)


def _numbered_items(items: list[Json], at: Path) -> list[tuple[Json, Path]]:
    return [(item, (*at, index)) for index, item in enumerate(items)]


def _read_output(items: list[Json], at: Path, draft: Draft) -> None:
    """Read what came out: the steps of an agent, or several choices of a model, of which the first is the message."""
    choices = len(items) > 1 and all(isinstance(item, dict) and item.get("finish_reason") for item in items)
    if not (choices and all(item.get("role") == "assistant" for item in items)):
        read_messages(_numbered_items(items, at), draft)
        return
    first, *others = _numbered_items(items, at)
    read_messages([first], draft)
    made = Draft()
    read_messages(others, made)
    _stand_beside(made, len(items), at, draft)


def _stand_beside(made: Draft, choices: int, at: Path, draft: Draft) -> None:
    """Keep further choices of a reply beside its first."""
    draft.take(made, as_alternative=True)
    draft.warn(
        "several-choices",
        f"The reply has {choices} choices; the first is the message.",
        "The others are kept as alternatives; to look at one, paste it alone.",
        at,
    )


def _numbered(span: Span, draft: Draft, read: set[str]) -> bool:
    for given, replied in NUMBERED:
        names: set[str] = set()
        asked, answered = indexed(span, given, names), indexed(span, replied, names)
        if all(raw.keys().isdisjoint(("role", "content", "tool_calls")) for raw, _ in (*asked, *answered)):
            continue
        read |= names
        ids = CallIds(draft)
        for raw, at in asked:
            _read_numbered(raw, at, ids, draft, is_reply=False)
        for raw, at in answered[:1]:
            _read_numbered(raw, at, ids, draft, is_reply=True)
        if len(answered) > 1:
            made = Draft()
            for raw, at in answered[1:]:
                _read_numbered(raw, at, CallIds(made), made, is_reply=True)
            _stand_beside(made, len(answered), answered[0][1], draft)
        return True
    return False


def _read_numbered(raw: dict[str, Json], at: Path, ids: CallIds, draft: Draft, *, is_reply: bool) -> None:
    """A message of OpenLLMetry: that of OpenInference, with calls that are flat and contents that are JSON."""
    message = {"role": "assistant", **raw} if is_reply else dict(raw)
    reason = message.pop("finish_reason", None)
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        message["tool_calls"] = [_function(call) for call in calls]
    content = decoded(message.get("content")) if isinstance(message.get("content"), str) else None
    if isinstance(content, list) and content and all(isinstance(part, dict) and "type" in part for part in content):
        message["content"] = content
    if isinstance(message.get("content"), list) and message.get("role") == "tool" and "tool_call_id" not in message:
        read_chat_message(message, at, draft)
    else:
        read_message(message, at, ids, draft)
    draft.stop_reason = stop_reason(reason or None, STOP, draft, (*at, "finish_reason")) if is_reply else None


def _function(call: Json) -> Json:
    """A call with its name and arguments under `function`."""
    if not isinstance(call, dict) or "function" in call or "name" not in call:
        return call
    beside = {name: value for name, value in call.items() if name not in ("name", "arguments")}
    return {**beside, "function": {"name": call["name"], "arguments": call.get("arguments")}}


def _completion(span: Span, draft: Draft, read: set[str]) -> bool:
    """A completion of OpenInference: numbered prompts, and the texts that a model wrote behind them."""
    names: set[str] = set()
    asked, answered = (_texts(indexed(span, name, names), inner) for name, inner in COMPLETION)
    if not asked:
        return False
    read |= names
    for text, at in asked:
        draft.add(Role.USER, (Text(text),), at)
    for number, (text, at) in enumerate(answered):
        made = Draft()
        made.add(Role.ASSISTANT, (Text(text),), at)
        draft.take(made, as_alternative=number > 0)
    if len(answered) > 1:
        _stand_beside(Draft(), len(answered), answered[0][1], draft)
    return True


def _texts(items: list[tuple[dict[str, Json], Path]], name: str) -> list[tuple[str, Path]]:
    held = ((raw.get(name), at) for raw, at in items)
    return [(one["text"], at) for one, at in held if isinstance(one, dict) and isinstance(one.get("text"), str)]


def _events(span: Span, source: Source, draft: Draft) -> bool:
    if any(event.event in ROLE_OF for event in span.events):
        read_events(span.events, draft)
        return True
    for event in span.events:
        for name, reads in (("gen_ai.prompt", read_asked), ("gen_ai.completion", read_answered)):
            value = event.attributes.get(name)
            if not is_nothing(value):
                reads(value, event.paths[name], source, draft)
    return not draft.has_no_turn


def _history(span: Span, draft: Draft, read: set[str]) -> bool:
    for name in _HISTORIES:
        value = decoded(span.attributes.get(name))
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value) or not value:
            continue
        at = span.paths[name]
        if any("event.name" in item for item in value):
            read_events([Span(item, (*at, index)) for index, item in enumerate(value)], draft)
        elif any("parts" in item for item in value):
            read_messages(_numbered_items(value, at), draft)
        if not draft.has_no_turn:
            read.add(name)
            return True
    return False
