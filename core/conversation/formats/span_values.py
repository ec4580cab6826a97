"""What went into a step of a trace and what came out, where its library logs both as values of any shape."""

from __future__ import annotations

from typing import Final

from ..json_text import decode_embedded
from ..model import Json
from ..positions import Path
from .draft import Draft
from .generation import is_nothing, read_generation
from .source import Source
from .spans import Span

#: What ran, asked and answered, by the library that writes it so.
_VALUES: Final = (
    ("input.value", "output.value"),
    ("gen_ai.prompt", "gen_ai.completion"),
    ("llm.prompts", "output.value"),
    ("ai.prompt.messages", "ai.response.text"),
    ("ai.prompt", "ai.response.text"),
    ("langfuse.observation.input", "langfuse.observation.output"),
    ("traceloop.entity.input", "traceloop.entity.output"),
    ("mlflow.spanInputs", "mlflow.spanOutputs"),
    ("request_data", "response_data"),
)
#: What Vercel's SDK logs of a reply, beside its text or in place of it.
_VERCEL_CALLS: Final = "ai.response.toolCalls"
_VERCEL_OBJECT: Final = "ai.response.object"


def read_values(span: Span, source: Source, draft: Draft, read: set[str]) -> bool:
    """Read the first pair of values that can be read; whether there was one. Their names go into `read`."""
    pairs = [pair for pair in _VALUES if not is_nothing(span.attributes.get(pair[0]))]
    # An output alone may be the whole state.
    for given, usual in pairs or [pair for pair in _VALUES[:1] if not is_nothing(span.attributes.get(pair[1]))]:
        replied = usual
        asked, answered = span.attributes.get(given), span.attributes.get(replied)
        made = Draft()
        also = {given, replied}
        if not is_nothing(span.attributes.get(_VERCEL_CALLS)):
            also.add(_VERCEL_CALLS)
            answered, replied = _vercel_reply(span.attributes[_VERCEL_CALLS], answered), _VERCEL_CALLS
        elif is_nothing(answered) and isinstance(span.attributes.get(_VERCEL_OBJECT), str):
            also.add(_VERCEL_OBJECT)
            answered, replied = {"role": "assistant", "content": span.attributes[_VERCEL_OBJECT]}, _VERCEL_OBJECT
        if read_generation(asked, _path(span, given), answered, _path(span, replied), source, made):
            draft.take(made)
            draft.stop_reason = made.stop_reason
            read |= also
            return True
    return False


def _path(span: Span, name: str) -> Path:
    return span.paths[name] if name in span.attributes else span.path


def _vercel_reply(raw: Json, text: Json) -> Json:
    """The calls that Vercel's SDK logs without their message, as the message of an assistant with its text."""
    calls = decoded(raw)
    if not isinstance(calls, list) or not all(isinstance(call, dict) and "toolName" in call for call in calls):
        return raw
    made = [
        {
            "id": call.get("toolCallId"),
            "type": "function",
            "function": {"name": call["toolName"], "arguments": call.get("args", call.get("input"))},
        }
        for call in calls
    ]
    return {"role": "assistant", "content": text, "tool_calls": made}


def decoded(value: Json) -> Json:
    """The JSON in a string; of any other value, itself."""
    found = decode_embedded(value) if isinstance(value, str) else None
    return value if found is None else found[0]
