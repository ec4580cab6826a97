"""`make bench`: what detecting and parsing a paste costs, in units of `json.loads` of the same text."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from core_bench import interleaved, print_figures
from routing_workbench.core.conversation import read
from sessions import session

_BAR = 4.0


def openai(raw: dict[str, Any]) -> dict[str, Any]:
    """The session as a request of OpenAI Chat."""
    messages: list[dict[str, Any]] = []
    for message in raw["instructions"] + raw["messages"]:
        blocks = message["content"]
        if blocks[0]["type"] == "tool_result":
            result = blocks[0]
            messages.append(
                {"role": "tool", "tool_call_id": result["tool_call_id"], "content": result["content"][0]["text"]}
            )
            continue
        made = {"role": message["role"], "content": blocks[0]["text"]}
        calls = [
            {
                "id": b["id"],
                "type": "function",
                "function": {"name": b["name"], "arguments": json.dumps(b["arguments"])},
            }
            for b in blocks[1:]
        ]
        messages.append(made | {"tool_calls": calls} if calls else made)
    return {"model": "gpt-5", "messages": messages, "temperature": 0}


def anthropic(raw: dict[str, Any]) -> dict[str, Any]:
    """The session as a request of Anthropic Messages."""

    def block(one: dict[str, Any]) -> dict[str, Any]:
        if one["type"] == "tool_call":
            return {"type": "tool_use", "id": one["id"], "name": one["name"], "input": one["arguments"]}
        if one["type"] == "tool_result":
            return {"type": "tool_result", "tool_use_id": one["tool_call_id"], "content": one["content"]}
        return one

    messages = [
        {"role": "user" if m["role"] == "tool" else m["role"], "content": list(map(block, m["content"]))}
        for m in raw["messages"]
    ]
    system = raw["instructions"][0]["content"][0]["text"]
    return {"model": "claude", "max_tokens": 1024, "system": system, "messages": messages}


_DIALECTS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"OpenAI": openai, "Anthropic": anthropic}


def reading(kind: str, messages: int, dialect: str) -> tuple[float, int]:
    """Reading a session against `json.loads` of it, and its characters."""
    text = json.dumps(_DIALECTS[dialect](session(kind, messages)[0]), ensure_ascii=False)
    return interleaved(lambda: lambda: read(text), lambda: lambda: json.loads(text)), len(text)


def figures() -> Iterator[tuple[str, float, float]]:
    """Name, measured ratio and bar of every figure."""
    for kind in ("agentic", "chat"):
        for messages in (30, 300, 1500):
            for dialect in _DIALECTS:
                ratio, size = reading(kind, messages, dialect)
                yield f"read {dialect}, {kind}, {size // 1000:,} kB / json.loads", ratio, _BAR


if __name__ == "__main__":
    print_figures(figures())
