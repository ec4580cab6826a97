"""Generated sessions for the benches: agentic, chat and coding, 600-900 characters a message, seeded."""

from __future__ import annotations

import json
import random
from typing import Any

from routing_workbench.core.conversation.model import Request
from routing_workbench.core.conversation.normalized import request_from_json

_WORDS = (
    "the parser reads each record and keeps its offset so that a later pass can report where the value stood "
    "when the import failed we saw that two stations share one table and the cache returns the older of them "
    "please check whether the retry loop waits long enough before it gives up and write down what you measured"
).split()

# Hyphens, capitals and digits, about as often as in real text.
_RARE = ("re-run", "Kelvin", "read-only", "well-formed", "28", "UTC", "check-in", "API")

_CODE = (
    "def merge(left, right):\n    rows = []\n    for a, b in zip(left, right):\n"
    "        rows.append(a if a.stamp > b.stamp else b)\n    return rows\n",
    "class Window:\n    def __init__(self, size):\n        self.size = size\n        self.items = []\n\n"
    "    def push(self, item):\n        self.items.append(item)\n",
    'for name in sorted(tables):\n    table = tables[name]\n    print(f"{name:<20} {len(table.rows):>6}")\n',
)


def _prose(rng: random.Random, length: int) -> str:
    words: list[str] = []
    size = 0
    while size < length:
        word = rng.choice(_WORDS) if rng.random() > 0.02 else rng.choice(_RARE)
        words.append(word.capitalize() if not words or words[-1].endswith((".", "\n")) else word)
        size += len(word) + 1
        if rng.random() < 0.08:
            words[-1] += rng.choice((".", ",", ".\n"))
    return " ".join(words)


def _code(rng: random.Random, length: int) -> str:
    pieces: list[str] = []
    size = 0
    while size < length:
        piece = rng.choice(_CODE)
        pieces.append(piece)
        size += len(piece)
    return "\n".join(pieces)


def _output(rng: random.Random, length: int) -> str:
    lines: list[str] = []
    size = 0
    while size < length:
        line = f"{rng.randrange(1, 400):>4}  {_prose(rng, rng.randrange(20, 70))}"
        lines.append(line)
        size += len(line) + 1
    return "\n".join(lines)


def session(kind: str, messages: int, *, seed: int = 7, extra: str = "") -> tuple[dict[str, Any], str]:
    """A normalized request of `messages` messages as JSON, and an attempt; `extra` is appended to every text."""
    rng = random.Random(f"{kind}-{messages}-{seed}")
    made: list[dict[str, Any]] = []

    def text(value: str) -> dict[str, Any]:
        return {"type": "text", "text": value + extra}

    def length() -> int:
        return rng.randrange(600, 900)

    while len(made) < messages:
        step = len(made)
        if kind == "agentic" and step:
            name = rng.choice(("Bash", "Read", "Edit"))
            call = f"call_{step}"
            arguments = {"path": f"src/module_{step}.py", "command": _prose(rng, 200), "limit": step}
            made.append(
                {
                    "role": "assistant",
                    "content": [
                        text(_prose(rng, length() - 260)),
                        {"type": "tool_call", "id": call, "name": name, "arguments": arguments},
                    ],
                }
            )
            made.append(
                {
                    "role": "tool",
                    "content": [
                        {"type": "tool_result", "tool_call_id": call, "content": [text(_output(rng, length()))]}
                    ],
                }
            )
        else:
            role = "user" if step % 2 == 0 else "assistant"
            body = _prose(rng, length()) if kind != "coding" or role == "user" else _code(rng, length())
            made.append({"role": role, "content": [text(body)]})
    del made[messages:]
    if kind != "agentic" and made[-1]["role"] == "assistant":
        made[-1] = {"role": "user", "content": [text(_prose(rng, length()))]}
    attempt = _prose(rng, 700) if kind != "coding" else f"```python\n{_code(rng, 700)}```\n"
    instructions = [{"role": "system", "content": [text(_prose(rng, 600))]}]
    return {"instructions": instructions, "messages": made}, attempt + extra


def fresh(raw: dict[str, Any]) -> Request:
    """A request that nothing has analysed yet."""
    return request_from_json(raw)


def as_text(raw: dict[str, Any]) -> str:
    """The conversation as JSON text, the unit of the benches."""
    return json.dumps(raw, ensure_ascii=False)
