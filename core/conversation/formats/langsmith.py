"""LangSmith runs: calls of a model, and chains with their state; a tree of them, a list, or one a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ..json_text import decode_embedded
from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .format import Format, Match
from .generation import is_nothing, join, read_answered, read_asked, read_generation, read_prompt
from .langchain import opened
from .langchain_reply import generations_in, read_generations
from .recorded import CALL, Recorded
from .source import Source
from .wrapping import keep_inside

_CALLS: Final = frozenset({"llm", "chat_model"})
#: Types of runs that hold no conversation.
_OTHERS: Final = frozenset({"tool", "retriever", "embedding", "parser", "prompt"})
#: Fields that only runs have beside inputs and outputs.
_TELLING: Final = ("dotted_order", "trace_id", "child_runs", "parent_run_id", "serialized", "reference_example_id")
_HELD: Final = ("messages", "generations")
_THREADS: Final = ("thread_id", "session_id", "conversation_id")


class _Run(NamedTuple):
    raw: dict[str, Json]
    at: Path
    #: How many runs stand around it.
    depth: int
    trace: str


def match_langsmith(source: Source) -> Match | None:
    """Score runs by their type, or by inputs and outputs that hold messages."""
    for item in source.objects:
        run = item
        if isinstance(item.get("runs"), list):
            run = next((one for one in item["runs"] if isinstance(one, dict)), {})
        if "inputs" not in run:
            continue
        if isinstance(run.get("run_type"), str):
            return Match(0.97, f"a run of `run_type: {shown(run['run_type'])}` with `inputs`")
        if telling := next((name for name in _TELLING if name in run), None):
            return Match(0.95, f"`inputs` with `{telling}`")
        inputs, outputs = _decoded(run["inputs"]), _decoded(run.get("outputs"))
        if isinstance(inputs, dict) and isinstance(outputs, dict) and any(outputs.get(name) for name in _HELD):
            return Match(0.94, "`inputs`, and `outputs` with messages")
    return None


def read_langsmith(source: Source, draft: Draft) -> None:
    """Read every call of a model; of a trace without one, the outermost run."""
    recorded = Recorded()
    for run in _runs(source, draft):
        named = run.raw.get("run_type")
        kind = named if isinstance(named, str) else ""
        made = Draft(_title(run.raw), run.at)
        if kind in _OTHERS or not _read_run(run, source, made):
            recorded.leave({name: value for name, value in run.raw.items() if name != "child_runs"}, run.at)
            continue
        rank = CALL if kind in _CALLS else CALL + 1 + run.depth + bool(run.raw.get("parent_run_id"))
        raw = {name: value for name, value in run.raw.items() if name != "child_runs"}
        recorded.add(made, rank, run.trace, raw, run.at)
    if not recorded.settle(draft, "runs"):
        draft.fail(
            "no-messages",
            "No run here holds messages.",
            "Paste a run of a model call, or a chain with `messages` in its inputs or outputs.",
            source.path,
        )


def _runs(source: Source, draft: Draft) -> Iterator[_Run]:
    """All runs with those inside them, each behind the one around it."""
    for index, (value, at) in enumerate(source.records()):
        if isinstance(value, dict) and isinstance(value.get("runs"), list):
            level = [(run, (*at, "runs", position), 0) for position, run in enumerate(value["runs"])]
            level.reverse()
            draft.keep(value, ("runs",), at)
        else:
            level = [(value, at, 0)]
        while level:
            raw, where, depth = level.pop()
            if not isinstance(raw, dict) or "inputs" not in raw:
                keep_inside(raw, where, source, draft, "This record")
                continue
            trace = raw.get("trace_id")
            yield _Run(raw, where, depth, trace if isinstance(trace, str) and trace else f"#{index}")
            children = raw.get("child_runs")
            if isinstance(children, list):
                below = [
                    (child, (*where, "child_runs", position), depth + 1) for position, child in enumerate(children)
                ]
                level += reversed(below)


def _read_run(run: _Run, source: Source, draft: Draft) -> bool:
    raw, at = run.raw, run.at
    inputs, outputs = _decoded(raw["inputs"]), _decoded(raw.get("outputs"))
    asked_at, answered_at = (*at, "inputs"), (*at, "outputs")
    batch = _batch(inputs, asked_at)
    if batch:
        groups = generations_in(outputs.get("generations")) if isinstance(outputs, dict) else []
        for index, (value, where) in enumerate(batch):
            one = draft if len(batch) == 1 else draft.begin("", where)
            if isinstance(value, str):
                read_prompt(value, where, source, one)
            elif not read_asked(value, where, source, one):
                keep_inside(value, where, source, one, "The input")
            if index < len(groups):
                reply, reply_at = Draft(), (*answered_at, "generations", index)
                read_generations(groups[index], reply_at, reply)
                join(reply, reply_at, one)
            else:
                # What is no list of generations answers the first input.
                read_answered(outputs if not groups and index == 0 else None, answered_at, source, one)
        draft.keep(inputs, ("messages", "prompts"), asked_at)
        if groups:
            draft.keep(outputs, ("generations", "type"), answered_at)
    elif not read_generation(inputs, asked_at, outputs, answered_at, source, draft):
        return False
    if not is_nothing(raw.get("error")):
        step = "What stands here is not a whole answer; ask again."
        draft.warn("run-failed", "The run reports an error.", step, (*at, "error"))
    draft.session_id = draft.session_id or _thread(raw)
    draft.keep(raw, ("inputs", "outputs", "child_runs"), at)
    return True


def _batch(inputs: Json, at: Path) -> list[tuple[Json, Path]]:
    """The inputs of a call that was asked with lists of messages, or with prompts; empty where it was not."""
    if not isinstance(inputs, dict):
        return []
    prompts, lists = inputs.get("prompts"), inputs.get("messages")
    if isinstance(prompts, list) and prompts and all(isinstance(one, str) for one in prompts):
        return [(one, (*at, "prompts", index)) for index, one in enumerate(prompts)]
    if isinstance(lists, list) and lists and all(isinstance(one, list) and opened(one, ()) is None for one in lists):
        return [(one, (*at, "messages", index)) for index, one in enumerate(lists)]
    return []


def _thread(raw: dict[str, Json]) -> str | None:
    """The thread of a run; its `session_id` is that of the project."""
    extra = raw.get("extra")
    metadata = extra.get("metadata") if isinstance(extra, dict) else None
    named = (metadata.get(name) for name in _THREADS) if isinstance(metadata, dict) else iter(())
    return next((name for name in named if isinstance(name, str) and name), None)


def _title(raw: dict[str, Json]) -> str:
    return " ".join(shown(raw[name], 40) for name in ("name", "id") if isinstance(raw.get(name), str) and raw[name])


def _decoded(value: Json) -> Json:
    found = decode_embedded(value) if isinstance(value, str) else None
    return value if found is None else found[0]


LANGSMITH_RUN = Format(
    "langsmith-run",
    "LangSmith runs",
    "`run_type` with `inputs`; or `inputs`, and `outputs` with `messages` or `generations`",
    "nothing; the runs around the calls of a model are kept as extras",
    match_langsmith,
    read_langsmith,
    fields=frozenset({"inputs", "runs"}),
    example="langsmith-chain-run-plain-state",
)
