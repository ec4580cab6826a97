"""`make bench`: what detecting and parsing a paste costs, in units of `json.loads` of the same text.

Of JSON lines and of streams the unit is `json.loads` of each line, since no reader can do with less. Every JSON format
of the registry is measured on one agentic session of 300 messages.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from bodies import REQUESTS, Turn, Writer, turns_of
from core_bench import interleaved, print_figures
from logs import LOGS
from replies import REPLIES, STREAMS
from routing_workbench.core.conversation import read
from sessions import session
from traces import EMBEDDED, TRACES

_BAR = 4.0
_MESSAGES = 300
_COMMON = {"OpenAI": "openai-chat-request", "Anthropic": "anthropic-messages-request"}
#: Texts in JSON strings: `json.loads` copies what a reader has to take apart, so no bar of it can be set.
_TEXTS_INSIDE = frozenset({"text-completion-request", "ollama-generate-request", "text-completion-response"})


def turns(kind: str, messages: int) -> list[Turn]:
    """A generated session."""
    return list(turns_of(session(kind, messages)[0]))


def loads(text: str) -> Callable[[], object]:
    """The unit: reading the JSON in a text; where it is no one document, line by line or event by event."""
    lines = [line.removeprefix("data: ") for line in text.split("\n")]
    documents = [line for line in lines if line.startswith("{")] if len(lines) > 1 else lines
    return lambda: [json.loads(document) for document in documents]


def reading(writer: Writer, kind: str, messages: int, seconds: float = 1.0) -> tuple[float, int]:
    """Reading a session against `json.loads` of it, and its characters."""
    text = writer(turns(kind, messages))
    unit = loads(text)
    return interleaved(lambda: lambda: read(text), lambda: unit, seconds), len(text)


def figures() -> Iterator[tuple[str, float, float]]:
    """Name, measured ratio and bar of every figure."""
    for kind in ("agentic", "chat"):
        for messages in (30, 300, 1500):
            for dialect, name in _COMMON.items():
                ratio, size = reading(REQUESTS[name], kind, messages)
                yield f"read {dialect}, {kind}, {size // 1000:,} kB / json.loads", ratio, _BAR
    for name, writer in {**REQUESTS, **REPLIES, **STREAMS, **LOGS, **TRACES}.items():
        ratio, size = reading(writer, "agentic", _MESSAGES, 0.5)
        yield f"read {name}, {size // 1000:,} kB / json.loads", ratio, inf if name in _TEXTS_INSIDE else _BAR
    for name, writer in EMBEDDED.items():
        # What is JSON in strings is decoded twice, and `json.loads` does it once: there is no bar.
        ratio, size = reading(writer, "agentic", _MESSAGES, 0.5)
        yield f"read {name}, {size // 1000:,} kB, JSON in strings / json.loads", ratio, inf


if __name__ == "__main__":
    print_figures(figures())
