"""Templates with one mark before a turn and perhaps one behind it: Gemma, Zephyr, Phi, GLM, Granite, Vicuna, Alpaca."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..model import Role
from .draft import Draft
from .format import Match, Source
from .rendered_turns import FRONT, ROLES, Turn, keep_between, keep_front, read_turns


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a template. The head's group `role` is the role as the template writes it."""

    name: str
    start: re.Pattern[str]
    head: re.Pattern[str]
    end: re.Pattern[str]
    #: Whether a system prompt may stand before the first mark, which is but words with a colon.
    front_is_system: bool = False
    #: Whether the end of some turns, those of users, is never marked.
    ends_by_next: bool = False


_BEGIN = r"(?:(?:<s>|<bos>|<BOS_TOKEN>|\[gMASK\]|<sop>|<\|begin_of_text\|>)\s*)*"
_OPEN = r"<\|(?P<role>system|user|assistant|tool|tools|observation|prompter|context|function)\|>"
MARKS = (
    Marks(
        "Gemma",
        re.compile(FRONT + _BEGIN + r"<start_of_turn>"),
        re.compile(r"<start_of_turn>[ \t]*(?P<role>[\w-]*)(?:\s|\\n)?"),
        re.compile(r"<end_of_turn>|<eos>"),
    ),
    Marks(
        "Granite",
        re.compile(FRONT + _BEGIN + r"<\|start_of_role\|>"),
        re.compile(r"<\|start_of_role\|>(?P<role>[\w-]*)[^<]{0,80}<\|end_of_role\|>"),
        re.compile(r"<\|end_of_text\|>"),
    ),
    Marks(
        "Command",
        re.compile(FRONT + _BEGIN + r"<\|START_OF_TURN_TOKEN\|>"),
        re.compile(r"<\|START_OF_TURN_TOKEN\|><\|(?P<role>SYSTEM|USER|CHATBOT)_TOKEN\|>"),
        re.compile(r"<\|END_OF_TURN_TOKEN\|>"),
    ),
    Marks(
        "Zephyr",
        re.compile(FRONT + _BEGIN + _OPEN),
        re.compile(_OPEN),
        re.compile(r"</s>|<\|end\|>|<\|endoftext\|>|<\|im_end\|>|<\|end_of_turn\|>"),
        ends_by_next=True,
    ),
    Marks(
        "Vicuna",
        re.compile(
            r"(?:[^\n]{0,2000}[.!?] )?USER: "
            r"(?:(?!\n(?:USER|ASSISTANT):).){0,4000}? ASSISTANT:",
            re.DOTALL,
        ),
        re.compile(r"(?:(?<=[\s>])|\A)(?P<role>USER|ASSISTANT):[ \t]?"),
        re.compile(r"</s>"),
        front_is_system=True,
        ends_by_next=True,
    ),
    Marks(
        "Alpaca",
        re.compile(
            r"(?:Below is an instruction [^\n]{1,300}\r?\n\s*)?### Instruction:(?=.*\n### Response:)", re.DOTALL
        ),
        re.compile(r"(?:(?<=\n)|\A)### (?P<role>Instruction|Input|Response):[ \t]*"),
        re.compile(r"</s>|<\|endoftext\|>|<\|im_end\|>"),
        front_is_system=True,
        ends_by_next=True,
    ),
)
_ROLES = {
    **ROLES,
    "prompter": Role.USER,
    "chatbot": Role.ASSISTANT,
    "context": Role.USER,
    "instruction": Role.USER,
    "input": Role.USER,
    "response": Role.ASSISTANT,
}
_TAIL = re.compile(r"(?:\s*(?:</s>|<s>|<eos>|<\|endoftext\|>))+")


def marks_of(source: Source) -> Marks | None:
    """The template whose mark a text starts with."""
    return next((marks for marks in MARKS if marks.start.match(source.text, source.start)), None)


def match_marked(source: Source) -> Match | None:
    """Score a text by the mark it starts with; words with a colon are the weakest of them."""
    marks = marks_of(source)
    if marks is None:
        return None
    return Match(0.88 if marks.front_is_system else 0.96, f"it starts with a mark of {marks.name}'s template")


def read_marked(source: Source, draft: Draft) -> None:
    """Cut the text at the marks of its template."""
    marks = marks_of(source)
    if marks is not None:
        read_turns(_turns(marks, source, draft), source, draft, marks.name.lower(), _ROLES)


def _turns(marks: Marks, source: Source, draft: Draft) -> Iterator[Turn]:
    text = source.text
    heads = list(marks.head.finditer(text, source.start, source.end))
    if heads and marks.front_is_system and text[source.start : heads[0].start()].strip():
        yield Turn("system", text[source.start : heads[0].start()], source.start, heads[0].start())
    elif heads:
        keep_front(heads[0].start(), source, draft)
    for index, head in enumerate(heads):
        behind = heads[index + 1].start() if index + 1 < len(heads) else source.end
        end = marks.end.search(text, head.end(), behind)
        if end is not None:
            tail = _TAIL.match(text, end.end(), behind)
            keep_between(text, tail.end() if tail else end.end(), behind, source, draft)
        body = text[head.end() : end.start() if end else behind]
        by_next = marks.ends_by_next and head["role"].lower() != "assistant" and bool(body.strip())
        closed = end is not None or by_next
        yield Turn(head["role"], body, head.start(), end.end() if end else behind, closed)
