"""A session of the benches as the APIs have it: requests, replies and streams, one small writer a format."""

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


def _typed(words: str) -> dict[str, Json]:
    return {"type": "text", "text": words}


def anthropic_message(turn: Turn) -> dict[str, Json]:
    """A message of Anthropic Messages."""
    if turn.of:
        result = {"type": "tool_result", "tool_use_id": turn.of.id, "content": [_typed(turn.text)]}
        return {"role": "user", "content": [result]}
    uses = [{"type": "tool_use", "id": c.id, "name": c.name, "input": c.arguments} for c in turn.calls]
    return {"role": turn.role, "content": [_typed(turn.text), *uses]}


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
        made: list[dict[str, Json]] = [_typed(turn.text)]
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
        return {"role": turn.role, "content": [_typed(turn.text), *calls]}

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
            return [{"type": "tool_result", "tool_call_id": turn.of.id, "content": [_typed(turn.text)]}]
        calls = [{"type": "tool_call", "id": c.id, "name": c.name, "arguments": c.arguments} for c in turn.calls]
        return [_typed(turn.text), *calls]

    made = [{"role": turn.role, "content": content(turn)} for turn in turns]
    return {"instructions": made[:1], "messages": made[1:]}


# Replies: what the model wrote in all of the session, as one answer.


def answer_of(turns: list[Turn]) -> Turn:
    """All texts and calls of the assistant as one turn."""
    said = [turn for turn in turns if turn.role == "assistant"]
    return Turn("assistant", "\n\n".join(turn.text for turn in said), [call for turn in said for call in turn.calls])


def chat_reply(turn: Turn) -> dict[str, Json]:
    """A reply of OpenAI Chat."""
    choice = {"index": 0, "message": chat_message(turn), "finish_reason": "stop"}
    usage = {"prompt_tokens": 30, "completion_tokens": 11, "total_tokens": 41}
    return {"id": "chatcmpl-1", "object": "chat.completion", "model": "gpt-5", "choices": [choice], "usage": usage}


def mistral_reply(turns: list[Turn]) -> dict[str, Json]:
    """A reply of Mistral."""
    body = chat_reply(answer_of(turns))
    body["choices"][0]["message"]["prefix"] = False
    return body


def anthropic_reply(turns: list[Turn]) -> dict[str, Json]:
    """A reply of Anthropic Messages, its texts and calls in turn."""
    content = [block for t in turns if t.role == "assistant" for block in anthropic_message(t)["content"]]
    made = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": content}
    return made | {"stop_reason": "end_turn", "usage": {"input_tokens": 3, "output_tokens": 20}}


def responses_reply(turns: list[Turn]) -> dict[str, Json]:
    """A reply of OpenAI Responses, its messages and calls in turn."""
    output = [
        item | {"id": f"item_{i}_{j}", "status": "completed"}
        for i, turn in enumerate(turns)
        if turn.role == "assistant"
        for j, item in enumerate(items(turn))
    ]
    return {"id": "resp_1", "object": "response", "status": "completed", "model": "gpt-5", "output": output}


def gemini_reply(turns: list[Turn]) -> dict[str, Json]:
    """A reply of Gemini, its texts and calls in turn."""
    parts = [part for t in turns if t.role == "assistant" for part in gemini_content(t)["parts"]]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": {"totalTokenCount": 41}, "modelVersion": "gemini-2"}


def bedrock_reply(turns: list[Turn]) -> dict[str, Json]:
    """A reply of Bedrock Converse, its texts and calls in turn."""
    content = [block for t in turns if t.role == "assistant" for block in bedrock_message(t)["content"]]
    return {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "end_turn"}


def ollama_reply(turns: list[Turn]) -> dict[str, Json]:
    """A reply of Ollama."""
    turn = answer_of(turns)
    calls = [{"function": {"name": c.name, "arguments": c.arguments}} for c in turn.calls]
    message: dict[str, Json] = {"role": "assistant", "content": turn.text}
    message |= {"tool_calls": calls} if calls else {}
    made = {"model": "llama3.3", "created_at": "2031-01-01T00:00:00Z", "message": message}
    return made | {"done_reason": "stop", "done": True, "eval_count": 9}


def langchain_reply(turns: list[Turn]) -> dict[str, Json]:
    """A reply of LangChain as a run of a model keeps it."""
    message = langchain([answer_of(turns)])[0]["data"]
    kwargs = message | {"type": "ai"}
    made = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": kwargs}
    return {"generations": [[{"text": message["content"], "message": made}]], "llm_output": None}


# Streams: the same in pieces as models write it.

_PIECE = 24


def pieces(words: str) -> list[str]:
    """A text in pieces as a model writes it."""
    return [words[at : at + _PIECE] for at in range(0, len(words), _PIECE)]


def events(values: Iterable[Json], *, named: bool = False) -> str:
    """Server-sent events."""
    return "".join(
        (f"event: {value['type']}\n" if named else "") + f"data: {json.dumps(value, ensure_ascii=False)}\n\n"
        for value in values
    )


def _chat_deltas(turn: Turn) -> Iterator[dict[str, Json]]:
    yield {"role": "assistant", "content": ""}
    for piece in pieces(turn.text):
        yield {"content": piece}
    for index, call in enumerate(turn.calls):
        made = call.function()
        taken = made["function"]["arguments"]
        yield {"tool_calls": [{"index": index, **made, "function": {"name": call.name, "arguments": ""}}]}
        for piece in pieces(taken):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def chat_stream(turn: Turn) -> str:
    """A stream of OpenAI Chat."""

    def chunk(delta: dict[str, Json], reason: str | None = None) -> dict[str, Json]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", "choices": [choice]}

    return events([*map(chunk, _chat_deltas(turn)), chunk({}, "stop")]) + "data: [DONE]\n\n"


def mistral_stream(turns: list[Turn]) -> str:
    """A stream of Mistral with contents as chunks."""
    deltas = [{"role": "assistant", "content": [_typed(piece)]} for piece in pieces(answer_of(turns).text)]
    made = [{"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": d}]} for d in deltas]
    made[-1]["choices"][0]["finish_reason"] = "stop"
    return events(made) + "data: [DONE]\n\n"


def anthropic_stream(turns: list[Turn]) -> str:
    """A stream of Anthropic Messages."""
    start = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [], "stop_reason": None}
    made: list[Json] = [{"type": "message_start", "message": start}]
    blocks = [block for t in turns if t.role == "assistant" for block in anthropic_message(t)["content"]]
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            empty: dict[str, Json] = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces(block["text"])]
        else:
            empty = block | {"input": {}}
            whole = json.dumps(block["input"])
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces(whole)]
        made.append({"type": "content_block_start", "index": index, "content_block": empty})
        made += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        made.append({"type": "content_block_stop", "index": index})
    made.append({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}})
    return events([*made, {"type": "message_stop"}], named=True)


def responses_stream(turns: list[Turn]) -> str:
    """A stream of OpenAI Responses."""
    body = responses_reply(turns)
    made: list[Json] = [{"type": "response.created", "response": body | {"output": [], "status": "in_progress"}}]
    for index, item in enumerate(body["output"]):
        at = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            said = item["content"][0]["text"]
            where = at | {"content_index": 0}
            made.append(at | {"type": "response.output_item.added", "item": item | {"content": []}})
            made += [where | {"type": "response.output_text.delta", "delta": piece} for piece in pieces(said)]
            made.append(where | {"type": "response.output_text.done", "text": said})
        else:
            taken = item["arguments"]
            kind = "response.function_call_arguments"
            made.append(at | {"type": "response.output_item.added", "item": item | {"arguments": ""}})
            made += [at | {"type": f"{kind}.delta", "delta": piece} for piece in pieces(taken)]
            made.append(at | {"type": f"{kind}.done", "arguments": taken})
        made.append(at | {"type": "response.output_item.done", "item": item})
    return events([*made, {"type": "response.completed", "response": body}], named=True)


def gemini_stream(turns: list[Turn]) -> str:
    """A stream of Gemini."""

    def chunk(part: dict[str, Json], **more: Json) -> dict[str, Json]:
        content = {"role": "model", "parts": [part]}
        return {"candidates": [{"content": content, "index": 0, **more}], "modelVersion": "gemini-2"}

    texts = [chunk({"text": piece}) for piece in pieces(answer_of(turns).text)]
    return events([*texts, chunk({"text": ""}, finishReason="STOP")])


def bedrock_stream(turns: list[Turn]) -> str:
    """The events of a stream of Bedrock Converse, one a line."""
    made: list[Json] = [{"messageStart": {"role": "assistant"}}]
    made += [
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": piece}}}
        for piece in pieces(answer_of(turns).text)
    ]
    return lines([*made, {"contentBlockStop": {"contentBlockIndex": 0}}, {"messageStop": {"stopReason": "end_turn"}}])


def ollama_stream(turns: list[Turn]) -> str:
    """A stream of Ollama, one record a line."""
    head = {"model": "llama3.3", "created_at": "2031-01-01T00:00:00Z"}
    said = [
        head | {"message": {"role": "assistant", "content": p}, "done": False} for p in pieces(answer_of(turns).text)
    ]
    return lines([*said, head | {"message": {"role": "assistant", "content": ""}, "done": True, "eval_count": 9}])


def vercel_ui_stream(turns: list[Turn]) -> str:
    """A stream of the Vercel AI SDK to its chat hooks."""
    answers = {turn.of.id: turn.text for turn in turns if turn.of}
    made: list[Json] = [{"type": "start", "messageId": "m"}]
    for index, turn in enumerate(turns):
        if turn.role != "assistant":
            continue
        named = {"id": str(index)}
        made += [{"type": "start-step"}, {"type": "text-start", **named}]
        made += [{"type": "text-delta", **named, "delta": piece} for piece in pieces(turn.text)]
        made.append({"type": "text-end", **named})
        for call in turn.calls:
            given = {"toolCallId": call.id, "toolName": call.name, "input": call.arguments}
            made.append({"type": "tool-input-available", **given})
            answer = {"toolCallId": call.id, "output": answers.get(call.id, "")}
            made.append({"type": "tool-output-available", **answer})
        made.append({"type": "finish-step"})
    return events([*made, {"type": "finish"}]) + "data: [DONE]\n\n"


def langgraph_stream(turns: list[Turn]) -> str:
    """What each node of LangGraph added, one a line."""
    nodes = {"assistant": "agent", "tool": "tools"}
    held = [(nodes.get(turn.role, "start"), langchain([turn])[0]["data"]) for turn in turns]
    return lines({node: {"messages": [message]}} for node, message in held)


def _prompt(turns: list[Turn]) -> str:
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
    "ollama-generate-request": lambda turns: text({"model": "llama3.3", "prompt": _prompt(turns), "think": False}),
    "text-completion-request": lambda turns: text({"model": "m", "prompt": _prompt(turns), "max_tokens": 9}),
    "vercel-ui-messages": lambda turns: text(vercel_ui(turns)),
    "vercel-model-messages": lambda turns: text(vercel_model(turns)),
    "inspect-messages": lambda turns: text(inspect_messages(turns)),
    "otel-genai-messages": lambda turns: text(otel_messages(turns)),
    "langchain-messages": lambda turns: text(langchain(turns)),
    "normalized": lambda turns: text(normalized(turns)),
}
REPLIES: dict[str, Writer] = {
    "openai-chat-response": lambda turns: text(chat_reply(answer_of(turns))),
    "anthropic-messages-response": lambda turns: text(anthropic_reply(turns)),
    "openai-responses-response": lambda turns: text(responses_reply(turns)),
    "gemini-response": lambda turns: text(gemini_reply(turns)),
    "bedrock-converse-response": lambda turns: text(bedrock_reply(turns)),
    "mistral-chat-response": lambda turns: text(mistral_reply(turns)),
    "ollama-chat-response": lambda turns: text(ollama_reply(turns)),
    "text-completion-response": lambda turns: text(
        {"object": "text_completion", "choices": [{"index": 0, "text": _prompt(turns), "finish_reason": "stop"}]}
    ),
    "langchain-reply": lambda turns: text(langchain_reply(turns)),
}
STREAMS: dict[str, Writer] = {
    "openai-chat-sse": lambda turns: chat_stream(answer_of(turns)),
    "anthropic-sse": anthropic_stream,
    "openai-responses-sse": responses_stream,
    "gemini-stream": gemini_stream,
    "bedrock-converse-stream": bedrock_stream,
    "mistral-chat-sse": mistral_stream,
    "ollama-chat-stream": ollama_stream,
    "vercel-ui-stream": vercel_ui_stream,
    "langgraph-stream": langgraph_stream,
}
