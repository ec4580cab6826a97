"""Rendered chat templates that are not ChatML or Llama 3: harmony, `[INST]`, DeepSeek and those with simple marks."""

from __future__ import annotations

from .deepseek import match_deepseek, read_deepseek
from .draft import Draft
from .format import Format, Holds, Match, Medium, Source
from .harmony import match_harmony, read_harmony
from .inst import match_inst, read_inst
from .marked_turns import match_marked, read_marked

_TEMPLATES = (
    (match_harmony, read_harmony),
    (match_inst, read_inst),
    (match_deepseek, read_deepseek),
    (match_marked, read_marked),
)


def match_rendered(source: Source) -> Match | None:
    """Score a text by the mark it starts with."""
    if source.is_json:
        return None
    return next((found for match, _ in _TEMPLATES if (found := match(source)) is not None), None)


def read_rendered(source: Source, draft: Draft) -> None:
    """Read it by the template whose mark it starts with."""
    for match, read in _TEMPLATES:
        if match(source) is not None:
            read(source, draft)
            return


RENDERED_TEMPLATE = Format(
    "rendered-template-other",
    "Rendered chat template (harmony, `[INST]` and others)",
    "a mark at its start: `<|start|>system`, `[INST]`, `<start_of_turn>`, `<|user|>`, `USER: ... ASSISTANT:`",
    "white space around turns and tags; the definitions of tools are kept as an extra where they have a mark",
    match_rendered,
    read_rendered,
    holds=Holds.REQUEST,
    medium=Medium.TEXT,
    example="harmony-gpt-oss-text",
    priority=2,
)
