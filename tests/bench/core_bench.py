"""`make bench`: what the core costs, in units of `json.loads` of the same conversation.

Each figure is the median over rounds in which the measured work and its unit take turns in one process, so that a
machine that slows down slows both. Nothing here is a test; the bars are printed beside the figures.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator
from math import inf
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from routing_workbench.core.conversation.model import Message, Request, Text
from routing_workbench.core.vgr.branch import select_branch
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.derive import derive
from routing_workbench.core.vgr.tool_record import tool_record
from sessions import as_text, fresh, session

_TYPES = {"agentic": TaskType.AGENTIC, "chat": TaskType.CHAT, "coding": TaskType.CODING}
_SECRETS = " Ask mara.voss@tidewatch.example, with Authorization: Bearer abcdefghijklmnop1234.XYZ please."


def _time(work: Callable[[], object]) -> float:
    """Processor time of this thread: what else the machine does counts less."""
    start = thread_time()
    work()
    return thread_time() - start


Prepared = Callable[[], Callable[[], object]]


def interleaved(work: Prepared, unit: Prepared, seconds: float = 1.0) -> float:
    """Median time of the work over median time of its unit.

    Both take turns in one process; each is prepared right before it is timed, so neither finds its input colder.
    """
    works: list[float] = []
    units: list[float] = []
    begun = perf_counter()
    gc.disable()
    try:
        while perf_counter() - begun < seconds or len(works) < 15:
            units.append(_time(unit()))
            works.append(_time(work()))
            if len(works) % 50 == 0:
                gc.collect()
    finally:
        gc.enable()
    return statistics.median(works) / statistics.median(units)


def analyse(request: Request, attempt: str, kind: str) -> object:
    """What the bar is about: derive the capabilities, select the branch."""
    return select_branch(derive(request, attempt, task_type=_TYPES[kind]).capabilities)


def _first(raw: dict[str, Any], attempt: str, kind: str) -> Prepared:
    def prepared() -> Callable[[], object]:
        request = fresh(raw)
        return lambda: analyse(request, attempt, kind)

    return prepared


def loads(raw: dict[str, Any]) -> Prepared:
    """The unit: reading the conversation's JSON."""
    text = as_text(raw)
    return lambda: lambda: json.loads(text)


def against_loads(kind: str, messages: int, extra: str = "", rare: float = 0.0) -> float:
    """First analysis of a parsed request, in units of `json.loads` of the conversation."""
    raw, attempt = session(kind, messages, extra=extra, rare=rare)
    return interleaved(_first(raw, attempt, kind), loads(raw))


def record_against_loads(messages: int) -> float:
    """The tool record of an agentic session, in the same units."""
    raw, _ = session("agentic", messages)

    def prepared() -> Callable[[], object]:
        request = fresh(raw)
        return lambda: tool_record(request)

    return interleaved(prepared, loads(raw))


def growth(kind: str) -> float:
    """3,000 messages against 300."""
    small, attempt = session(kind, 300)
    large, _ = session(kind, 3000)
    return interleaved(_first(large, attempt, kind), _first(small, attempt, kind), seconds=2.0)


def again(kind: str, messages: int, change: str) -> float:
    """Analysing again after one message was edited or appended, against the first time."""
    raw, attempt = session(kind, messages)

    def prepared() -> Callable[[], object]:
        request = fresh(raw)
        analyse(request, attempt, kind)
        kept = list(request.messages)
        new = Message(kept[messages // 2].role, (Text("One more thing, said in a few words." * 20),))
        if change == "edited":
            kept[messages // 2] = new
        else:
            kept.append(new)
        changed = Request(request.instructions, tuple(kept))
        return lambda: analyse(changed, attempt, kind)

    return interleaved(prepared, _first(raw, attempt, kind))


_BARS = {"agentic": 1.4, "chat": 1.1, "coding": 0.7}
_CHANGES = ("edited", "appended")


def figures() -> Iterator[tuple[str, float, float]]:
    """Name, measured ratio and bar of every figure."""
    for kind, bar in _BARS.items():
        for messages in (30, 300):
            yield f"{kind}, {messages} messages / json.loads", against_loads(kind, messages), bar
    for kind in _BARS:
        yield f"{kind}, 300, an em dash a message / json.loads", against_loads(kind, 300, " \u2014 so."), 2.0
    for kind in _BARS:
        yield f"{kind}, 300, e-mail and bearer a message / json.loads", against_loads(kind, 300, _SECRETS), 6.0
    for kind in _BARS:
        # Hyphens and capital Ks are where keys are looked for; no bar was set for texts that have many.
        yield f"{kind}, 30, a hyphen or capital every 50 words / json.loads", against_loads(kind, 30, rare=0.02), inf
    for messages in (30, 300):
        yield f"tool record, agentic, {messages} / json.loads", record_against_loads(messages), 6.0
    for kind in _BARS:
        yield f"{kind}, 3,000 messages / 300", growth(kind), 11.0
    for kind in _BARS:
        for change in _CHANGES:
            yield f"{kind}, 300, one message {change} / first time", again(kind, 300, change), 1 / 3


def print_figures(measured: Iterable[tuple[str, float, float]]) -> None:
    """One line a figure, as soon as it is measured."""
    print(f"{'figure':<60} {'ratio':>7} {'bar':>6}")
    for name, ratio, bar in measured:
        shown = "none" if bar == inf else f"{bar:.2f}"
        print(f"{name:<60} {ratio:>7.2f} {shown:>6}{'' if ratio <= bar else '   over the bar'}", flush=True)


if __name__ == "__main__":
    print_figures(figures())
