"""A session of the benches as programs keep it: sessions of agents, exports and data sets."""

from __future__ import annotations

from bodies import (
    Json,
    Turn,
    Writer,
    anthropic,
    anthropic_message,
    chat_message,
    gemini_content,
    inspect_messages,
    items,
    lines,
    openai_chat,
    text,
)
from replies import chat_reply

#: When everything happens.
WHEN = "2031-02-01T10:00:00.000Z"
#: Turns of one of several conversations, behind what all of them begin with.
_PART = 10


def parts_of(turns: list[Turn]) -> list[list[Turn]]:
    """The session as many short ones, each with the instruction and the first question in front."""
    return [turns[:2] + turns[at : at + _PART] for at in range(2, len(turns), _PART)]


def ended(turns: list[Turn]) -> tuple[list[Turn], Turn]:
    """What was asked, and a last answer."""
    return (turns[:-1], turns[-1]) if turns[-1].role == "assistant" else (turns, Turn("assistant", turns[1].text))


def pair(turns: list[Turn]) -> Json:
    """A request and its reply in one object."""
    asked, answer = ended(turns)
    return {"request": openai_chat(asked), "response": chat_reply(answer)}


def batch(turns: list[Turn]) -> str:
    """A file of requests, one a line."""
    address = {"method": "POST", "url": "/v1/chat/completions"}
    return lines(
        {"custom_id": f"q-{i}", **address, "body": openai_chat(part)} for i, part in enumerate(parts_of(turns))
    )


def claude_code(turns: list[Turn]) -> str:
    """A session of Claude Code: each block of an answer is a record of its own."""
    made: list[Json] = []

    def record(kind: str, message: dict[str, Json], **more: Json) -> None:
        head = {"parentUuid": f"u{len(made) - 1}" if made else None, "isSidechain": False, "userType": "external"}
        where = {"cwd": "/repo", "sessionId": "00000000-0000-4000-8000-0000000000c1", "version": "2.1.0"}
        own = {"type": kind, "uuid": f"u{len(made)}", "timestamp": WHEN, "message": message}
        made.append(head | where | own | more)

    for index, turn in enumerate(turns[1:]):
        message = anthropic_message(turn)
        if turn.role != "assistant":
            printed = {"stdout": turn.text[:200], "stderr": "", "interrupted": False}
            record("user", message, **({"toolUseResult": printed} if turn.of else {}))
            continue
        usage = {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 20}}
        head = {"id": f"msg_{index}", "type": "message", "role": "assistant", "model": "claude"}
        for block in message["content"]:
            record("assistant", {**head, "content": [block], **usage}, requestId=f"req_{index}")
    return lines(made)


def claude_code_stream(turns: list[Turn]) -> str:
    """What Claude Code prints as it goes."""
    start = {"type": "system", "subtype": "init", "cwd": "/repo", "session_id": "s", "tools": ["Bash"]}
    made: list[Json] = [start | {"model": "claude"}]
    for index, turn in enumerate(turns[1:]):
        message = anthropic_message(turn)
        if turn.role == "assistant":
            head = {"id": f"msg_{index}", "type": "message", "role": "assistant", "model": "claude"}
            usage = {"stop_reason": None, "usage": {"input_tokens": 3, "output_tokens": 20}}
            message = {**head, "content": message["content"], **usage}
        kind = "assistant" if turn.role == "assistant" else "user"
        made.append({"type": kind, "message": message, "parent_tool_use_id": None, "session_id": "s"})
    return lines(made)


def codex_rollout(turns: list[Turn]) -> str:
    """A rollout of Codex: items, and the events that say the same once more."""
    made: list[Json] = [{"type": "session_meta", "payload": {"id": "d1", "cwd": "/repo", "cli_version": "0.153.4"}}]
    for turn in turns[1:]:
        made += [{"type": "response_item", "payload": item} for item in items(turn)]
        if turn.role in ("user", "assistant"):
            kind = "user_message" if turn.role == "user" else "agent_message"
            made.append({"type": "event_msg", "payload": {"type": kind, "message": turn.text}})
    return lines({"timestamp": WHEN} | record for record in made)


def codex_exec(turns: list[Turn]) -> str:
    """What `codex exec --json` prints."""
    made: list[Json] = [{"type": "thread.started", "thread_id": "t1"}, {"type": "turn.started"}]
    for index, turn in enumerate(turns[2:]):
        if turn.of:
            item = {"type": "command_execution", "command": "ls", "aggregated_output": turn.text, "exit_code": 0}
            done = {"id": f"item_{index}", **item, "status": "completed"}
            begun = {**done, "aggregated_output": "", "exit_code": None, "status": "in_progress"}
            made.append({"type": "item.started", "item": begun})
        else:
            done = {"id": f"item_{index}", "type": "agent_message", "text": turn.text}
        made.append({"type": "item.completed", "item": done})
    return lines([*made, {"type": "turn.completed", "usage": {"input_tokens": 3, "output_tokens": 20}}])


def gemini_cli(turns: list[Turn]) -> str:
    """A session of the Gemini CLI: a call holds its result."""
    answers = {turn.of.id: turn.text for turn in turns if turn.of}
    head = {"sessionId": "g", "projectHash": "0000", "startTime": WHEN, "lastUpdated": WHEN, "kind": "main"}
    made: list[Json] = [head]
    for index, turn in enumerate(turns[1:]):
        if turn.of:
            continue
        if turn.role == "user":
            made.append({"id": str(index), "timestamp": WHEN, "type": "user", "content": [{"text": turn.text}]})
            continue
        calls = []
        for call in turn.calls:
            answer = {"id": call.id, "name": call.name, "response": {"output": answers.get(call.id, "")}}
            given = {"id": call.id, "name": call.name, "args": call.arguments, "status": "success"}
            calls.append(given | {"result": [{"functionResponse": answer}], "timestamp": WHEN})
        record = {"id": str(index), "timestamp": WHEN, "type": "gemini", "content": turn.text, "model": "gemini-2"}
        made.append(record | {"toolCalls": calls} if calls else record)
    return lines(made)


def gemini_cli_stream(turns: list[Turn]) -> str:
    """What the Gemini CLI prints as it goes."""
    made: list[Json] = [{"type": "init", "timestamp": WHEN, "session_id": "s", "model": "gemini-2"}]
    for turn in turns[1:]:
        if turn.of:
            answer = {"tool_id": turn.of.id, "status": "success", "output": turn.text}
            made.append({"type": "tool_result", "timestamp": WHEN, **answer})
            continue
        made.append({"type": "message", "timestamp": WHEN, "role": turn.role, "content": turn.text})
        for call in turn.calls:
            given = {"tool_name": call.name, "tool_id": call.id, "parameters": call.arguments}
            made.append({"type": "tool_use", "timestamp": WHEN, **given})
    return lines([*made, {"type": "result", "timestamp": WHEN, "status": "success"}])


def training(turns: list[Turn]) -> str:
    """Records for training, one a line: a prompt of messages with its completion."""
    parts = [ended(part) for part in parts_of(turns)]
    return lines(
        {"prompt": list(map(chat_message, asked)), "completion": [chat_message(answer)]} for asked, answer in parts
    )


def swe_agent(turns: list[Turn]) -> Json:
    """A trajectory of SWE-agent: the history, and the steps that say the same once more."""

    def message(turn: Turn) -> dict[str, Json]:
        made: dict[str, Json] = {"role": turn.role, "content": turn.text, "agent": "main"}
        if turn.of:
            return made | {"message_type": "observation", "tool_call_ids": [turn.of.id]}
        if turn.role == "assistant":
            calls = [call.function() for call in turn.calls] or None
            made |= {"message_type": "action", "thought": turn.text, "action": "ls", "tool_calls": calls}
        return made

    steps = [
        {"action": "ls", "observation": turn.text, "response": "", "thought": "", "execution_time": 0.1}
        for turn in turns
        if turn.of
    ]
    info = {"exit_status": "submitted", "submission": ""}
    return {"environment": "main", "trajectory": steps, "history": list(map(message, turns)), "info": info}


def mini_swe_agent(turns: list[Turn]) -> Json:
    """A trajectory of mini-SWE-agent: actions are code blocks, observations are messages of the user."""

    def message(turn: Turn) -> dict[str, Json]:
        if turn.role == "assistant":
            said = f"THOUGHT: {turn.text}\n\n```bash\nls -l\n```"
            return {"role": "assistant", "content": said, "extra": {"response": {"id": "x"}}}
        words = f"<returncode>0</returncode>\n<output>\n{turn.text}\n</output>" if turn.of else turn.text
        return {"role": "user" if turn.of else turn.role, "content": words}

    info = {"exit_status": "Submitted", "submission": "", "model_stats": {"api_calls": 2}}
    return {"info": info, "trajectory_format": "mini-swe-agent-1", "messages": list(map(message, turns))}


def openhands(turns: list[Turn]) -> Json:
    """Events of OpenHands in a row of its output file."""
    made: list[Json] = []
    for turn in turns[1:]:
        source = "user" if turn.role == "user" else "agent"
        head: dict[str, Json] = {"id": len(made), "timestamp": WHEN, "source": source}
        if turn.of:
            made.append(head | {"observation": "run", "content": turn.text, "cause": len(made) - 1, "extras": {}})
        elif turn.calls:
            args = {"command": turn.calls[0].arguments["command"], "thought": turn.text}
            made.append(head | {"action": "run", "args": args})
        else:
            made.append(head | {"action": "message", "args": {"content": turn.text}})
    return {"instance_id": "demo__app-1", "instruction": "Sort", "history": made, "test_result": {"git_patch": ""}}


def inspect_log(turns: list[Turn]) -> Json:
    """An evaluation log of Inspect with one sample."""
    messages = inspect_messages(turns)
    sample = {"id": 1, "epoch": 1, "input": turns[1].text, "target": "ok", "messages": messages, "scores": {}}
    head = {"version": 2, "status": "success", "eval": {"task": "ops", "model": "openai/gpt-5"}}
    return {**head, "plan": {}, "results": {}, "stats": {}, "samples": [sample]}


def chatgpt(turns: list[Turn]) -> Json:
    """A conversation as ChatGPT exports it: a tree of messages."""
    nodes: dict[str, Json] = {"root": {"id": "root", "message": None, "parent": None, "children": ["n0"]}}
    for index, turn in enumerate(turns):
        author = {"role": turn.role, "name": turn.of.name if turn.of else None, "metadata": {}}
        content = {"content_type": "text", "parts": [turn.text]}
        message = {"id": f"n{index}", "author": author, "create_time": 1893456000.5, "content": content}
        message |= {"status": "finished_successfully", "end_turn": None, "weight": 1.0, "metadata": {}}
        message |= {"recipient": turn.calls[0].name if turn.calls else "all", "channel": None}
        below = [f"n{index + 1}"] if index + 1 < len(turns) else []
        above = f"n{index - 1}" if index else "root"
        nodes[f"n{index}"] = {"id": f"n{index}", "parent": above, "children": below, "message": message}
    return [{"title": "Tables", "current_node": f"n{len(turns) - 1}", "conversation_id": "c", "mapping": nodes}]


def claude_ai(turns: list[Turn]) -> Json:
    """A conversation as Claude.ai exports it: calls and results stand in one message."""
    messages: list[dict[str, Json]] = []
    for turn in turns[1:]:
        content = anthropic_message(turn)["content"]
        if messages and turn.role != "user" and messages[-1]["sender"] == "assistant":
            messages[-1]["content"] += content
            continue
        sender = "human" if turn.role == "user" else "assistant"
        made = {"uuid": f"m{len(messages)}", "text": "", "sender": sender, "content": content, "created_at": WHEN}
        messages.append(made | {"attachments": [], "files": []})
    return [{"uuid": "a1", "name": "Tables", "created_at": WHEN, "updated_at": WHEN, "chat_messages": messages}]


def openwebui(turns: list[Turn]) -> Json:
    """A chat as Open WebUI exports it: a tree of messages."""
    said = [turn for turn in turns[1:] if not turn.of]
    nodes = {}
    for index, turn in enumerate(said):
        below = [f"m{index + 1}"] if index + 1 < len(said) else []
        tree = {"id": f"m{index}", "parentId": f"m{index - 1}" if index else None, "childrenIds": below}
        nodes[f"m{index}"] = {**tree, "role": turn.role, "content": turn.text, "timestamp": 1893456000}
    history = {"currentId": f"m{len(said) - 1}", "messages": nodes}
    chat = {"title": "Tables", "models": ["m"], "params": {"system": turns[0].text}, "history": history}
    return [{"id": "b1", "title": "Tables", "chat": {**chat, "messages": []}}]


def ai_studio(turns: list[Turn]) -> Json:
    """A prompt as AI Studio exports it."""

    def chunks(turn: Turn) -> list[dict[str, Json]]:
        content = gemini_content(turn)
        return [{"role": content["role"], **part, "tokenCount": 9} for part in content["parts"]]

    made = [chunk for turn in turns[1:] for chunk in chunks(turn)]
    prompt = {"chunks": made, "pendingInputs": [{"text": "", "role": "user"}]}
    settings = {"model": "models/gemini-2", "temperature": 1.0}
    return {"runSettings": settings, "systemInstruction": {"text": turns[0].text}, "chunkedPrompt": prompt}


def sharegpt(turns: list[Turn]) -> Json:
    """A data set of ShareGPT with several conversations; calls are turns of their own."""
    names = {"user": "human", "assistant": "gpt", "system": "system", "tool": "observation"}

    def said(turn: Turn) -> list[dict[str, Json]]:
        calls = [text({"name": c.name, "arguments": c.arguments}) for c in turn.calls]
        own = {"from": names[turn.role], "value": turn.text}
        return [own, *({"from": "function_call", "value": call} for call in calls)]

    return [
        {"id": f"a_{i}", "conversations": [one for turn in part for one in said(turn)]}
        for i, part in enumerate(parts_of(turns))
    ]


def finetune(turns: list[Turn]) -> str:
    """A data set for fine-tuning, a conversation a line."""
    return lines({"messages": list(map(chat_message, part))} for part in parts_of(turns))


LOGS: dict[str, Writer] = {
    "request-response-pair": lambda turns: text(pair(turns)),
    "several-conversations": lambda turns: text(list(map(anthropic, parts_of(turns)))),
    "openai-batch-jsonl": batch,
    "openai-finetune-jsonl": finetune,
    "claude-code-jsonl": claude_code,
    "claude-code-stream-json": claude_code_stream,
    "codex-rollout-jsonl": codex_rollout,
    "codex-exec-jsonl": codex_exec,
    "gemini-cli-session": gemini_cli,
    "gemini-cli-stream-json": gemini_cli_stream,
    "training-records": training,
    "wrapped": lambda turns: text({"id": "w", "payload": anthropic(turns)}),
    "swe-agent-traj": lambda turns: text(swe_agent(turns)),
    "swe-agent-traj, mini": lambda turns: text(mini_swe_agent(turns)),
    "openhands-events": lambda turns: text(openhands(turns)),
    "inspect-eval-log": lambda turns: text(inspect_log(turns)),
    "chatgpt-export": lambda turns: text(chatgpt(turns)),
    "claude-ai-export": lambda turns: text(claude_ai(turns)),
    "openwebui-export": lambda turns: text(openwebui(turns)),
    "ai-studio-export": lambda turns: text(ai_studio(turns)),
    "sharegpt": lambda turns: text(sharegpt(turns)),
}
