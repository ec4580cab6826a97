"""The last turn of a session as the APIs answer it: whole and as a stream, one small writer a format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from bodies import (
    Json,
    Turn,
    Writer,
    anthropic_message,
    bedrock_message,
    chat_message,
    gemini_content,
    items,
    langchain,
    lines,
    prompt,
    text,
    typed,
)


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
    deltas = [{"role": "assistant", "content": [typed(piece)]} for piece in pieces(answer_of(turns).text)]
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


REPLIES: dict[str, Writer] = {
    "openai-chat-response": lambda turns: text(chat_reply(answer_of(turns))),
    "anthropic-messages-response": lambda turns: text(anthropic_reply(turns)),
    "openai-responses-response": lambda turns: text(responses_reply(turns)),
    "gemini-response": lambda turns: text(gemini_reply(turns)),
    "bedrock-converse-response": lambda turns: text(bedrock_reply(turns)),
    "mistral-chat-response": lambda turns: text(mistral_reply(turns)),
    "ollama-chat-response": lambda turns: text(ollama_reply(turns)),
    "text-completion-response": lambda turns: text(
        {"object": "text_completion", "choices": [{"index": 0, "text": prompt(turns), "finish_reason": "stop"}]}
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
