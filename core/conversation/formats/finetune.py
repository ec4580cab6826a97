"""Data sets for fine-tuning: a conversation a line, with weights; or a prompt with a preferred and another answer."""

from __future__ import annotations

from ..model import Json
from ..positions import Path
from .draft import Draft
from .format import Format, Holds, Match
from .source import Source
from .wrapping import keep_inside, read_inside

_PREFERRED, _OTHER = "preferred_output", "non_preferred_output"
#: What a request has and a line of a data set has not.
_REQUEST = frozenset({"model", "max_tokens", "stream", "temperature", "custom_id"})
_LINE = frozenset({"messages", "tools", "functions", "parallel_tool_calls", "weight", "metadata", "id", "item"})


def match_finetune(source: Source) -> Match | None:
    """Score lines that hold messages and nothing of a request, or preferences."""
    if _PREFERRED in source.fields:
        lines = [item for item in source.objects if _PREFERRED in item and "input" in item]
        return Match(0.96, f"`input` with `{_PREFERRED}`") if lines else None
    if not isinstance(source.value, list) or not source.fields <= _LINE or len(source.value) < 2:
        return None
    if len(source.objects) < min(len(source.value), 2) or not all("messages" in item for item in source.objects):
        return None
    weighted = any(_is_weighted(item["messages"]) for item in source.objects)
    return Match(0.96 if weighted else 0.95, f"{len(source.value):,} lines with `messages`" + (", weighted" * weighted))


def _is_weighted(messages: Json) -> bool:
    return isinstance(messages, list) and any(isinstance(m, dict) and "weight" in m for m in messages)


def read_finetune(source: Source, draft: Draft) -> None:
    """Read each line into a conversation of its own."""
    for value, at in source.records():
        if isinstance(value, dict) and _PREFERRED in value:
            _read_preference(value, at, source, draft.begin(at=at))
        elif isinstance(value, dict) and "messages" in value:
            made = draft.begin(at=at)
            if read_inside(value, at, source, made, Holds.REQUEST) is None:
                keep_inside(value, at, source, made, "This line")
        else:
            keep_inside(value, at, source, draft, "This line")


def _read_preference(line: dict[str, Json], at: Path, source: Source, draft: Draft) -> None:
    """The preferred answer is the last message, the other stands beside it."""
    parts = [("input", draft), (_PREFERRED, draft), (_OTHER, Draft())]
    for name, into in parts:
        value = line.get(name)
        if value and read_inside(value, (*at, name), source, into, Holds.REQUEST) is None:
            keep_inside(value, (*at, name), source, into, f"`{name}`")
    draft.take(parts[-1][1], as_alternative=True)
    draft.keep(line, ("input", _PREFERRED, _OTHER), at)


OPENAI_FINETUNE_JSONL = Format(
    "openai-finetune-jsonl",
    "Fine-tuning data set",
    "several lines with `messages` and no `model`; or `input` with `preferred_output`",
    "nothing; weights and tools are kept as extras",
    match_finetune,
    read_finetune,
    fields=frozenset({"messages", _PREFERRED}),
    tells=frozenset({_PREFERRED}),
    example="finetune-jsonl-with-weights",
    priority=2,
)
