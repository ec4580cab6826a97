"""A session of the benches as the APIs have it: requests, one small writer a format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Json: TypeAlias = Any


@dataclass(slots=True)
class Call:
    """A call of a session."""

    id: str
    name: str
    arguments: dict[str, Json]

    def function(self) -> dict[str, Json]:
        """The call as OpenAI has it."""
        body = {"name": self.name, "arguments": json.dumps(self.arguments)}
        return {"id": self.id, "type": "function", "function": body}


@dataclass(slots=True)
class Turn:
    """A message of a session; `of` is the call that a result answers."""

    role: str
    text: str
    calls: list[Call] = field(default_factory=list)
    of: Call | None = None


def turns_of(raw: dict[str, Json]) -> Iterator[Turn]:
    """The turns of a generated session."""
    calls: dict[str, Call] = {}
    for message in raw["instructions"] + raw["messages"]:
        first, *others = message["content"]
        if first["type"] == "tool_result":
            yield Turn("tool", first["content"][0]["text"], of=calls[first["tool_call_id"]])
            continue
        made = [Call(one["id"], one["name"], one["arguments"]) for one in others]
        calls |= {call.id: call for call in made}
        yield Turn(message["role"], first["text"], made)


def text(value: Json) -> str:
    """JSON as programs write it."""
    return json.dumps(value, ensure_ascii=False)


def lines(values: Iterable[Json]) -> str:
    """JSON one a line."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def chat_message(turn: Turn) -> dict[str, Json]:
    """A message of OpenAI Chat."""
    made: dict[str, Json] = {"role": turn.role, "content": turn.text}
    if turn.of:
        return {"role": "tool", "tool_call_id": turn.of.id, "content": turn.text}
    return made | {"tool_calls": [call.function() for call in turn.calls]} if turn.calls else made


def openai_chat(turns: list[Turn]) -> dict[str, Json]:
    """A request of OpenAI Chat."""
    return {"model": "gpt-5", "messages": list(map(chat_message, turns)), "temperature": 0}


def typed(words: str) -> dict[str, Json]:
    """A text part."""
    return {"type": "text", "text": words}


def anthropic_message(turn: Turn) -> dict[str, Json]:
    """A message of Anthropic Messages."""
    if turn.of:
        result = {"type": "tool_result", "tool_use_id": turn.of.id, "content": [typed(turn.text)]}
        return {"role": "user", "content": [result]}
    uses = [{"type": "tool_use", "id": c.id, "name": c.name, "input": c.arguments} for c in turn.calls]
    return {"role": turn.role, "content": [typed(turn.text), *uses]}


def anthropic(turns: list[Turn]) -> dict[str, Json]:
    """A request of Anthropic Messages."""
    messages = list(map(anthropic_message, turns[1:]))
    return {"model": "claude", "max_tokens": 1024, "system": turns[0].text, "messages": messages}


def items(turn: Turn) -> list[dict[str, Json]]:
    """The items of OpenAI Responses that a turn is."""
    if turn.of:
        return [{"type": "function_call_output", "call_id": turn.of.id, "output": turn.text}]
    kind = "output_text" if turn.role == "assistant" else "input_text"
    said = {"type": "message", "role": turn.role, "content": [{"type": kind, "text": turn.text}]}
    return [
        said,
        *(
            {"type": "function_call", "call_id": c.id, "name": c.name, "arguments": json.dumps(c.arguments)}
            for c in turn.calls
        ),
    ]


def responses(turns: list[Turn]) -> dict[str, Json]:
    """A request of OpenAI Responses."""
    given = [item for turn in turns[1:] for item in items(turn)]
    return {"model": "gpt-5", "instructions": turns[0].text, "input": given}


def gemini_content(turn: Turn) -> dict[str, Json]:
    """A content of Gemini."""
    if turn.of:
        answer = {"name": turn.of.name, "response": {"output": turn.text}}
        return {"role": "user", "parts": [{"functionResponse": answer}]}
    calls = [{"functionCall": {"name": c.name, "args": c.arguments}} for c in turn.calls]
    return {"role": "model" if turn.role == "assistant" else "user", "parts": [{"text": turn.text}, *calls]}


def gemini(turns: list[Turn]) -> dict[str, Json]:
    """A request of Gemini."""
    contents = list(map(gemini_content, turns[1:]))
    config = {"temperature": 0.2}
    return {"systemInstruction": {"parts": [{"text": turns[0].text}]}, "contents": contents, "generationConfig": config}


def bedrock_message(turn: Turn) -> dict[str, Json]:
    """A message of Bedrock Converse."""
    if turn.of:
        result = {"toolUseId": turn.of.id, "content": [{"text": turn.text}], "status": "success"}
        return {"role": "user", "content": [{"toolResult": result}]}
    uses = [{"toolUse": {"toolUseId": c.id, "name": c.name, "input": c.arguments}} for c in turn.calls]
    return {"role": turn.role, "content": [{"text": turn.text}, *uses]}


def bedrock(turns: list[Turn]) -> dict[str, Json]:
    """A request of Bedrock Converse."""
    messages = list(map(bedrock_message, turns[1:]))
    return {"system": [{"text": turns[0].text}], "messages": messages, "inferenceConfig": {"maxTokens": 1024}}


def mistral(turns: list[Turn]) -> dict[str, Json]:
    """A request of Mistral, whose results name their tool."""
    messages = [chat_message(turn) | ({"name": turn.of.name} if turn.of else {}) for turn in turns]
    return {"model": "mistral-large", "messages": messages, "safe_prompt": False}


def ollama(turns: list[Turn]) -> dict[str, Json]:
    """A request of Ollama, whose calls have no ids."""

    def message(turn: Turn) -> dict[str, Json]:
        if turn.of:
            return {"role": "tool", "tool_name": turn.of.name, "content": turn.text}
        calls = [{"function": {"name": c.name, "arguments": c.arguments}} for c in turn.calls]
        made = {"role": turn.role, "content": turn.text}
        return made | {"tool_calls": calls} if calls else made

    return {"model": "llama3.3", "messages": list(map(message, turns)), "stream": False, "options": {"num_ctx": 4096}}


def vercel_ui(turns: list[Turn]) -> list[Json]:
    """Messages of the Vercel AI SDK as its hooks keep them; a call holds its result."""
    answers = {turn.of.id: turn.text for turn in turns if turn.of}

    def parts(turn: Turn) -> list[dict[str, Json]]:
        made: list[dict[str, Json]] = [typed(turn.text)]
        for c in turn.calls:
            state = {"state": "output-available", "output": answers.get(c.id, "")}
            made.append({"type": f"tool-{c.name}", "toolCallId": c.id, "input": c.arguments, **state})
        return made

    return [{"id": f"msg-{i}", "role": t.role, "parts": parts(t)} for i, t in enumerate(turns) if not t.of]


def vercel_model(turns: list[Turn]) -> list[Json]:
    """Messages of the Vercel AI SDK as it hands them to a model."""

    def message(turn: Turn) -> dict[str, Json]:
        if turn.of:
            output = {"type": "text", "value": turn.text}
            named = {"toolCallId": turn.of.id, "toolName": turn.of.name}
            return {"role": "tool", "content": [{"type": "tool-result", **named, "output": output}]}
        if turn.role == "system":
            return {"role": "system", "content": turn.text}
        calls = [
            {"type": "tool-call", "toolCallId": c.id, "toolName": c.name, "input": c.arguments} for c in turn.calls
        ]
        return {"role": turn.role, "content": [typed(turn.text), *calls]}

    return list(map(message, turns))


def inspect_messages(turns: list[Turn]) -> list[Json]:
    """Messages of Inspect, whose calls name their function and hold parsed arguments."""

    def message(index: int, turn: Turn) -> dict[str, Json]:
        made: dict[str, Json] = {"id": f"A{index}", "role": turn.role, "content": turn.text}
        if turn.of:
            return made | {"tool_call_id": turn.of.id, "function": turn.of.name}
        if turn.role == "assistant":
            made |= {"source": "generate", "model": "gpt-5"}
            if turn.calls:
                calls = [{"id": c.id, "function": c.name, "arguments": c.arguments} for c in turn.calls]
                made["tool_calls"] = [call | {"type": "function"} for call in calls]
        return made

    return [message(index, turn) for index, turn in enumerate(turns)]


def otel_messages(turns: Iterable[Turn]) -> list[Json]:
    """Messages of the GenAI conventions of OpenTelemetry."""

    def parts(turn: Turn) -> list[dict[str, Json]]:
        if turn.of:
            return [{"type": "tool_call_response", "id": turn.of.id, "response": turn.text}]
        calls = [{"type": "tool_call", "id": c.id, "name": c.name, "arguments": c.arguments} for c in turn.calls]
        return [{"type": "text", "content": turn.text}, *calls]

    return [{"role": turn.role, "parts": parts(turn)} for turn in turns]


_KINDS = {"user": "human", "assistant": "ai", "system": "system", "tool": "tool"}


def langchain(turns: Iterable[Turn]) -> list[Json]:
    """Messages of LangChain as `messages_to_dict` writes them."""

    def data(turn: Turn) -> dict[str, Json]:
        kind = _KINDS[turn.role]
        made: dict[str, Json] = {"content": turn.text, "additional_kwargs": {}, "response_metadata": {}, "type": kind}
        made |= {"name": None, "id": None}
        if turn.of:
            return made | {"tool_call_id": turn.of.id, "status": "success"}
        if turn.role == "assistant":
            calls = [{"name": c.name, "args": c.arguments, "id": c.id, "type": "tool_call"} for c in turn.calls]
            return made | {"tool_calls": calls, "invalid_tool_calls": []}
        return made

    return [{"type": _KINDS[turn.role], "data": data(turn)} for turn in turns]


def normalized(turns: list[Turn]) -> dict[str, Json]:
    """The normalized conversation."""

    def content(turn: Turn) -> list[Json]:
        if turn.of:
            return [{"type": "tool_result", "tool_call_id": turn.of.id, "content": [typed(turn.text)]}]
        calls = [{"type": "tool_call", "id": c.id, "name": c.name, "arguments": c.arguments} for c in turn.calls]
        return [typed(turn.text), *calls]

    made = [{"role": turn.role, "content": content(turn)} for turn in turns]
    return {"instructions": made[:1], "messages": made[1:]}


# Replies: what the model wrote in all of the session, as one answer.


def prompt(turns: list[Turn]) -> str:
    """The session as one text."""
    return "\n\n".join(f"{turn.role}: {turn.text}" for turn in turns)


Writer: TypeAlias = Callable[[list[Turn]], str]

REQUESTS: dict[str, Writer] = {
    "openai-chat-request": lambda turns: text(openai_chat(turns)),
    "anthropic-messages-request": lambda turns: text(anthropic(turns)),
    "openai-responses-request": lambda turns: text(responses(turns)),
    "gemini-request": lambda turns: text(gemini(turns)),
    "bedrock-converse-request": lambda turns: text(bedrock(turns)),
    "mistral-chat-request": lambda turns: text(mistral(turns)),
    "ollama-chat-request": lambda turns: text(ollama(turns)),
    "ollama-generate-request": lambda turns: text({"model": "llama3.3", "prompt": prompt(turns), "think": False}),
    "text-completion-request": lambda turns: text({"model": "m", "prompt": prompt(turns), "max_tokens": 9}),
    "vercel-ui-messages": lambda turns: text(vercel_ui(turns)),
    "vercel-model-messages": lambda turns: text(vercel_model(turns)),
    "inspect-messages": lambda turns: text(inspect_messages(turns)),
    "otel-genai-messages": lambda turns: text(otel_messages(turns)),
    "langchain-messages": lambda turns: text(langchain(turns)),
    "normalized": lambda turns: text(normalized(turns)),
}
