"""The examples to choose from: conversations that the package carries, and a configuration of ordered cutoffs."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from ..core.cutoffs.config import CutoffsConfig, Rule

#: File name and title, in the order they are offered.
_TITLES: Final = {
    "agent-tidewatch-dst-loop.json": "Agent: circles around a daylight-saving bug",
    "agent-ledgerlite-last-line.json": "Agent: a small bug fix, well run",
    "agent-quillgraph-cycle-and-flail.json": "Agent: 110 messages of flailing",
    "coding-triangular-numbers.txt": "Coding: one function, with its test run",
    "answer-leap-seconds.txt": "Answer: one number, asked once",
    "maths-quiz-powers-and-seconds.json": "Maths: a quiz with a calculator",
    "support-larkspur-fork.json": "Support: a customer asks in vain",
    "writing-birthday-speech.json": "Writing: a birthday speech",
}

#: What the Cutoffs tab starts with where the operator configured nothing: three invented models.
EXAMPLE_CUTOFFS: Final = CutoffsConfig(
    candidates=(("small", "local-coder-8b"), ("mid", "relay-coder-32b"), ("large", "summit-coder")),
    rules=(Rule("small", 0.6), Rule("mid", 0.35)),
    fallback="large",
)


def examples() -> tuple[tuple[str, str], ...]:
    """Name and title of every example."""
    return tuple(_TITLES.items())


def example(name: str) -> str:
    """The text of an example. Raises KeyError, naming those there are, for a name that is none."""
    if name not in _TITLES:
        raise KeyError(f"no example {name!r}; there are: {', '.join(_TITLES)}")
    package = f"{__name__.rpartition('.workbench.')[0]}.examples"
    return (files(package) / "conversations" / name).read_text(encoding="utf-8")
