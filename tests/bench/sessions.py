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


class _Writer:
    """Writes prose, code and tool output; of its words a share `rare` holds hyphens, capitals or digits."""

    def __init__(self, seed: str, rare: float) -> None:
        self.random = random.Random(seed)
        self._rare = rare

    def prose(self, length: int) -> str:
        words: list[str] = []
        size = 0
        while size < length:
            rare = self._rare and self.random.random() < self._rare
            word = self.random.choice(_RARE if rare else _WORDS)
            words.append(word.capitalize() if not words or words[-1].endswith((".", "\n")) else word)
            size += len(word) + 1
            if self.random.random() < 0.08:
                words[-1] += self.random.choice((".", ",", ".\n"))
        return " ".join(words)

    def code(self, length: int) -> str:
        pieces: list[str] = []
        while sum(map(len, pieces)) < length:
            pieces.append(self.random.choice(_CODE))
        return "\n".join(pieces)

    def output(self, length: int) -> str:
        lines: list[str] = []
        while sum(map(len, lines)) < length:
            lines.append(f"{self.random.randrange(1, 400):>4}  {self.prose(self.random.randrange(20, 70))}")
        return "\n".join(lines)


def session(kind: str, messages: int, *, extra: str = "", rare: float = 0.0) -> tuple[dict[str, Any], str]:
    """A normalized request of `messages` messages as JSON, and an attempt; `extra` is appended to every text."""
    writer = _Writer(f"{kind}-{messages}", rare)
    rng = writer.random
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
            arguments = {"path": f"src/module_{step}.py", "command": writer.prose(200), "limit": step}
            made.append(
                {
                    "role": "assistant",
                    "content": [
                        text(writer.prose(length() - 260)),
                        {"type": "tool_call", "id": call, "name": name, "arguments": arguments},
                    ],
                }
            )
            made.append(
                {
                    "role": "tool",
                    "content": [
                        {"type": "tool_result", "tool_call_id": call, "content": [text(writer.output(length()))]}
                    ],
                }
            )
        else:
            role = "user" if step % 2 == 0 else "assistant"
            body = writer.prose(length()) if kind != "coding" or role == "user" else writer.code(length())
            made.append({"role": role, "content": [text(body)]})
    del made[messages:]
    if kind != "agentic" and made[-1]["role"] == "assistant":
        made[-1] = {"role": "user", "content": [text(writer.prose(length()))]}
    attempt = writer.prose(700) if kind != "coding" else f"```python\n{writer.code(700)}```\n"
    instructions = [{"role": "system", "content": [text(writer.prose(600))]}]
    return {"instructions": instructions, "messages": made}, attempt + extra


def fresh(raw: dict[str, Any]) -> Request:
    """A request that nothing has analysed yet."""
    return request_from_json(raw)


def as_text(raw: dict[str, Any]) -> str:
    """The conversation as JSON text, the unit of the benches."""
    return json.dumps(raw, ensure_ascii=False)
