"""A session of the benches as gateways, frameworks and captures log its calls."""

from __future__ import annotations

import json
from typing import Any

from bodies import Json, Turn, Writer, bedrock, chat_message, langchain, openai_chat, otel_messages, text
from logs import WHEN, ended, parts_of
from replies import bedrock_reply, chat_reply, events, pieces


def litellm(turns: list[Turn]) -> Json:
    """A standard logging payload of LiteLLM."""
    asked, answer = ended(turns)
    head = {"id": "r", "call_type": "acompletion", "response_cost": 0.1, "custom_llm_provider": "openai", "model": "m"}
    return head | {"messages": list(map(chat_message, asked)), "response": chat_reply(answer), "stream": False}


def litellm_rows(turns: list[Turn]) -> Json:
    """Rows of LiteLLM's spend log, bodies as JSON in strings."""
    rows = []
    for index, part in enumerate(parts_of(turns)):
        asked, answer = ended(part)
        row = {"request_id": f"r{index}", "call_type": "acompletion", "spend": 0.0001, "model": "m", "messages": "{}"}
        rows.append(row | {"proxy_server_request": text(openai_chat(asked)), "response": text(chat_reply(answer))})
    return rows


def otel(turns: list[Turn]) -> Json:
    """An exported span with the messages as JSON in strings."""
    asked, answer = ended(turns)
    values = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.system_instructions": text([{"type": "text", "content": turns[0].text}]),
        "gen_ai.input.messages": text(otel_messages(asked[1:])),
        "gen_ai.output.messages": text([m | {"finish_reason": "stop"} for m in otel_messages([answer])]),
    }
    attributes = [{"key": name, "value": {"stringValue": value}} for name, value in values.items()]
    span = {"name": "chat m", "kind": 3, "attributes": attributes}
    return {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}


def openinference(turns: list[Turn]) -> Json:
    """A span of OpenInference with flat attributes."""
    made: dict[str, Any] = {"openinference.span.kind": "LLM", "llm.model_name": "m"}
    asked, answer = ended(turns)
    for side, said in (("input", asked), ("output", [answer])):
        for index, turn in enumerate(said):
            at = f"llm.{side}_messages.{index}.message"
            made |= {f"{at}.role": turn.role, f"{at}.content": turn.text}
            if turn.of:
                made[f"{at}.tool_call_id"] = turn.of.id
            for number, call in enumerate(turn.calls):
                here = f"{at}.tool_calls.{number}.tool_call"
                made |= {f"{here}.id": call.id, f"{here}.function.name": call.name}
                made[f"{here}.function.arguments"] = json.dumps(call.arguments)
    return {"name": "ChatCompletion", "context": {"trace_id": "0", "span_id": "1"}, "attributes": made}


def langfuse(turns: list[Turn]) -> Json:
    """A trace of Langfuse with one generation."""
    asked, answer = ended(turns)
    made = {"id": "o1", "type": "GENERATION", "name": "OpenAI", "model": "m", "startTime": WHEN}
    made |= {"input": list(map(chat_message, asked)), "output": chat_message(answer)}
    return {"trace": {"id": "l", "name": "agent", "input": None, "output": None}, "observations": [made]}


def langsmith(turns: list[Turn]) -> Json:
    """A run of a model as LangSmith keeps it."""
    asked, answer = ended(turns)
    kinds = {"human": "Human", "ai": "AI", "system": "System", "tool": "Tool"}

    def made(turn: Turn) -> dict[str, Json]:
        data = langchain([turn])[0]["data"]
        name = ["langchain", "schema", "messages", f"{kinds[data['type']]}Message"]
        return {"lc": 1, "type": "constructor", "id": name, "kwargs": data}

    generation = {"text": answer.text, "message": made(answer), "type": "ChatGeneration"}
    run = {"id": "e2", "name": "ChatOpenAI", "run_type": "llm", "start_time": WHEN, "dotted_order": "1"}
    return run | {"inputs": {"messages": [list(map(made, asked))]}, "outputs": {"generations": [[generation]]}}


def bedrock_log(turns: list[Turn]) -> Json:
    """A record of Bedrock's log of invocations."""
    asked, answer = ended(turns)
    body = {"inputContentType": "application/json", "inputBodyJson": bedrock(asked), "inputTokenCount": 9}
    reply = {"outputContentType": "application/json", "outputBodyJson": bedrock_reply([answer]), "outputTokenCount": 8}
    head = {"schemaType": "ModelInvocationLog", "schemaVersion": "1.0", "timestamp": WHEN, "operation": "Converse"}
    return head | {"modelId": "claude", "input": body, "output": reply}


def har(turns: list[Turn]) -> Json:
    """A capture of a browser: bodies as text, the replies as streams."""
    entries = []
    for part in parts_of(turns):
        asked, answer = ended(part)
        chunk = {"id": "c", "object": "chat.completion.chunk"}
        deltas = [{**chunk, "choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces(answer.text)]
        data = {"mimeType": "application/json", "text": text(openai_chat(asked))}
        request = {"method": "POST", "url": "https://llm.example/v1/chat/completions", "headers": [], "postData": data}
        content = {"size": 400, "mimeType": "text/event-stream", "text": events(deltas) + "data: [DONE]\n\n"}
        response = {"status": 200, "headers": [], "content": content}
        entries.append({"startedDateTime": WHEN, "time": 100, "request": request, "response": response})
    return {"log": {"version": "1.2", "creator": {"name": "DevTools", "version": "1"}, "entries": entries}}


def vcr(turns: list[Turn]) -> Json:
    """A cassette of VCR in JSON."""
    made = []
    for part in parts_of(turns):
        asked, answer = ended(part)
        request = {"method": "POST", "uri": "https://llm.example/v1/chat/completions", "body": text(openai_chat(asked))}
        response = {"status": {"code": 200}, "body": {"string": text(chat_reply(answer))}}
        made.append({"request": request, "response": response})
    return {"version": 1, "interactions": made}


def _nested(turns: list[Turn]) -> dict[str, Json]:
    """Attributes of a span whose messages are JSON, not text."""
    asked, answer = ended(turns)
    return {"gen_ai.input.messages": otel_messages(asked), "gen_ai.output.messages": otel_messages([answer])}


TRACES: dict[str, Writer] = {
    "litellm-log": lambda turns: text(litellm(turns)),
    "otel-genai, nested": lambda turns: text({"spans": [{"name": "chat", "attributes": _nested(turns)}]}),
    "langfuse-trace": lambda turns: text(langfuse(turns)),
    "langsmith-run": lambda turns: text(langsmith(turns)),
    "openinference-span": lambda turns: text(openinference(turns)),
    "bedrock-invocation-log": lambda turns: text(bedrock_log(turns)),
}
#: Those that hold JSON in strings, so that a reader decodes twice what `json.loads` decodes once.
EMBEDDED: dict[str, Writer] = {
    "litellm-log, rows": lambda turns: text(litellm_rows(turns)),
    "otel-genai": lambda turns: text(otel(turns)),
    "har": lambda turns: text(har(turns)),
    "vcr-cassette": lambda turns: text(vcr(turns)),
}
