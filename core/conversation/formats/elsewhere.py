"""Formats that are recognized but not read yet: a paste in one of them is named, never misread.

An entry leaves this table when its format gets a module of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from .events import has_events
from .source import Source, objects_in

_Test: TypeAlias = Callable[[Source], bool]


@dataclass(frozen=True, slots=True)
class Sign:
    """A format by name, and how it shows."""

    title: str
    test: _Test
    next_step: str = "Convert it to OpenAI Chat or Anthropic Messages JSON."
    code: str = "format-not-read"

    @property
    def message(self) -> str:
        """What a diagnostic says."""
        return f"This looks like {self.title}" + ("; it is not read yet." if self.code == "format-not-read" else ".")


#: Fields of ordinary requests and messages, by which no format of the table shows.
_ORDINARY = frozenset(
    "role content messages model system tools tool_choice temperature max_tokens max_completion_tokens top_p stream "
    "stop seed user n logprobs top_logprobs response_format tool_calls tool_call_id name metadata".split()
)

_ORDINARY_BLOCKS = frozenset({"text", "tool_use", "tool_result", "image_url", "image"})


def recognize(source: Source) -> Sign | None:
    """The first format of the table that the source shows the structure of."""
    if _is_ordinary(source):
        return None
    return next((sign for sign in (_JSON if source.is_json else _TEXT) if sign.test(source)), None)


def _is_ordinary(source: Source) -> bool:
    found = source.messages
    return (
        found is not None
        and bool(found.roles)
        and source.fields <= _ORDINARY >= found.fields
        and found.block_types <= _ORDINARY_BLOCKS
    )


def named_only() -> list[str]:
    """What the table names."""
    return [sign.title for sign in (*_JSON, *_TEXT) if sign.code == "format-not-read"]


def _fields(*names: str) -> _Test:
    """Some object has all these fields."""
    wanted = frozenset(names)
    return lambda source: wanted <= source.fields and any(wanted <= item.keys() for item in source.objects)


def _field_of(outer: str, *inner: str) -> _Test:
    """Some object has a field with an object, or a list of objects, that has one of these fields."""
    return lambda source: (
        outer in source.fields
        and any(
            not nested.keys().isdisjoint(inner) for item in source.objects for nested in objects_in(item.get(outer))
        )
    )


def _prefix(text: str) -> _Test:
    """Some object has a field whose name starts so."""
    return lambda source: any(name.startswith(text) for name in source.fields)


def _blocks(*names: str, typed: bool) -> _Test:
    """Some message has blocks of one of these types, or with one of these fields and no type."""

    def test(source: Source) -> bool:
        found = source.messages
        if found is None:
            return False
        if typed:
            return not found.block_types.isdisjoint(names)
        return "" in found.block_types and not found.block_fields.isdisjoint(names)

    return test


def _message_field(name: str) -> _Test:
    return lambda source: source.messages is not None and bool(source.messages.roles) and name in source.messages.fields


def _value(name: str, *values: str) -> _Test:
    """Some object has one of these values in a field."""
    return lambda source: name in source.fields and any(item.get(name) in values for item in source.objects)


def _any(*tests: _Test) -> _Test:
    def test(source: Source) -> bool:
        for one in tests:  # noqa: SIM110 - a generator costs more than all the tests
            if one(source):
                return True
        return False

    return test


def _is_error(source: Source) -> bool:
    """An error body, alone or in a list of its own; one logged with its messages is a conversation."""
    value = source.value
    alone = isinstance(value, dict) or (isinstance(value, list) and len(value) == 1)
    messages = source.messages is not None and bool(source.messages.roles)
    return alone and not messages and any(item.get("error") for item in source.objects)


def _all(*tests: _Test) -> _Test:
    return lambda source: all(test(source) for test in tests)


def _starts(pattern: str) -> _Test:
    compiled = re.compile(pattern)
    return lambda source: compiled.match(source.text, source.start) is not None


_JSON: tuple[Sign, ...] = (
    Sign(
        "the error body of an API, which holds no conversation",
        _is_error,
        "Paste the request that failed instead.",
        "provider-error-body",
    ),
    Sign(
        "a Switchyard routing log, which holds token counts and no messages",
        _fields("tier", "prompt_tokens"),
        "Paste the conversation of a request instead.",
        "no-conversation-text",
    ),
    Sign(
        "a Claude Code session or stream",
        _all(_fields("type", "message"), _any(_fields("sessionId"), _fields("session_id"))),
    ),
    Sign("a Gemini CLI session", _any(_value("type", "gemini"), _fields("sessionId", "projectHash"))),
    Sign("a Codex rollout", _all(_fields("timestamp", "type", "payload"))),
    Sign("an Ollama stream", _fields("model", "created_at", "done")),
    Sign("Gemini content", _any(_fields("contents"), _field_of("candidates", "content"))),
    Sign(
        "a Bedrock Converse conversation",
        _any(
            _blocks("text", "toolUse", "toolResult", "image", "reasoningContent", "cachePoint", typed=False),
            _all(_fields("output", "stopReason")),
        ),
    ),
    Sign(
        "a Bedrock invocation log",
        _any(_value("schemaType", "ModelInvocationLog"), _field_of("input", "inputBodyJson")),
    ),
    Sign("a message list of the Vercel AI SDK or Gemini, with `parts`", _message_field("parts")),
    Sign(
        "an OpenTelemetry trace",
        _any(_fields("resourceSpans"), _prefix("gen_ai."), _field_of("attributes", "gen_ai.input.messages")),
    ),
    Sign(
        "an OpenInference span",
        _any(_prefix("llm.input_messages"), _field_of("attributes", "llm.input_messages.0.message.role")),
    ),
    Sign("a Langfuse trace", _any(_fields("trace", "observations"), _fields("observations"))),
    Sign("a LangSmith run", _all(_fields("inputs"), _any(_fields("run_type"), _fields("outputs")))),
    Sign(
        "LangChain messages",
        _any(
            _fields("lc", "kwargs"),
            _value("type", "human", "ai"),
        ),
    ),
    Sign(
        "a LiteLLM log row",
        _any(_fields("call_type", "spend"), _fields("proxy_server_request"), _fields("call_type", "messages")),
    ),
    Sign("ShareGPT conversations", _any(_fields("conversations"), _fields("from", "value"))),
    Sign("a ChatGPT export", _fields("mapping")),
    Sign("a Claude.ai export", _fields("chat_messages")),
    Sign("an Open WebUI export", _field_of("chat", "history", "messages")),
    Sign("an AI Studio export", _fields("chunkedPrompt")),
    Sign("an Inspect evaluation log", _fields("eval", "samples")),
    Sign("a SWE-agent trajectory", _any(_fields("trajectory"), _all(_fields("history", "info")))),
    Sign(
        "OpenHands events",
        _any(
            _field_of("history", "action", "observation"), _fields("action", "args"), _fields("observation", "content")
        ),
    ),
    Sign("a HAR capture", _field_of("log", "entries")),
)

_TEXT: tuple[Sign, ...] = (
    Sign(
        "a printed SDK object",
        _starts(
            r"(?:ChatCompletion|Response|Message|ParsedChatCompletion|ModelResponse|GenerateContentResponse)\w*\([a-z_]+="
        ),
        "Print it with `.model_dump_json()` and paste that.",
    ),
    Sign("a stream of server-sent events", lambda source: has_events(source.text, source.start)),
    Sign(
        "a part of a JSON document",
        _starts(r'"[\w-]+"\s*:\s*[\[{"]'),
        "Paste the whole document, with its outer brackets.",
        "json-fragment",
    ),
    Sign("messages in YAML", _starts(r"(?:messages:\s*)?-\s+[\"']?role[\"']?:\s*\w")),
    Sign("a raw HTTP exchange", _starts(r"(?:POST|GET|PUT) \S+ HTTP/\d|HTTP/\d\S* \d{3}\b"), "Paste its body alone."),
    Sign(
        "a rendered chat template (Vicuna)",
        _starts(r"(?s)(?:[^\n]{0,2000}[.!?] )?USER: (?:(?!\n(?:USER|ASSISTANT):).){0,4000}? ASSISTANT:"),
    ),
    Sign("a rendered chat template (Gemma)", _starts(r"(?:<bos>)?<start_of_turn>")),
    Sign("a rendered chat template", _starts(r"<\|(?:user|assistant|system|prompter)\|>|<\uff5c(?:begin|User)")),
    Sign("a rendered chat template (ChatML)", _starts(r"<\|im_start\|>")),
    Sign("a rendered chat template (Llama 3)", _starts(r"<\|begin_of_text\|>|<\|start_header_id\|>")),
    Sign("a rendered chat template (harmony)", _starts(r"<\|start\|>\w")),
    Sign("a rendered chat template (`[INST]`)", _starts(r"(?:<s>)?\s*\[INST\]")),
    Sign("an Aider history", _starts(r"# aider chat started at")),
    Sign("a Cursor export", _starts(r"(?s)# [^\n]*\n_Exported on [^\n]* from Cursor")),
    Sign("a VCR cassette", _starts(r"interactions:\s*\n")),
    Sign("a curl command", _starts(r"\$? ?curl\s+(?:-|['\"]?https?:)")),
)
