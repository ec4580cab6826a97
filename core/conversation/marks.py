"""Marks: the parts of a conversation that a harness wrote, not the user, so that the task is not mistaken.

Reminders, environment blocks, summaries of what was cut away, project instructions, slash commands and the like ride in
user messages and results. A mark explains; what SPEC computes (capabilities, views, records) never depends on one.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .mark_forms import ANSWER_CHARS, ANSWERS, OPENINGS, REFUSED, SWITCH, TAGS, TAILS, MarkKind, Opening
from .model import Block, Json, Message, Refusal, Request, Role, Text, ToolResult, text_of

__all__ = ["MarkKind", "TextMark", "is_marked", "marks", "task_turn"]


@dataclass(frozen=True, slots=True)
class TextMark:
    """A part of a text that a harness wrote."""

    #: Index in `Request.turns`, and of the block in that turn.
    turn: int
    block: int
    #: Half-open range of code points in the block's text (of a result: its text-like blocks joined by newlines).
    start: int
    end: int
    kind: MarkKind
    #: What it is, for the screen; never text of the conversation.
    words: str = field(default="")


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    kind: MarkKind
    words: str


_NAMES = "|".join(map(re.escape, sorted(TAGS, key=len, reverse=True)))
_CLOSING = re.compile(f"</({_NAMES})>")
_OPENING = re.compile(f"<({_NAMES})(?:[ \t][^<>\n]{{0,300}}+)?>")
_STARTS = (*(opening.start for opening in OPENINGS), SWITCH.start)
_BY_START = {opening.start: opening for opening in (*OPENINGS, SWITCH)}
_REFUSED = tuple(opening.start for opening in REFUSED)
#: How all openings and tails begin: their first characters are looked up before they are compared.
_BEGINNINGS = (*_STARTS, *(tail.start for tail in TAILS))
_HEAD = 12
_HEADS = frozenset(start[:_HEAD] for start in _BEGINNINGS)
_SPACE = " \t\r\n"
_FIRST = frozenset(start[0] for start in _BEGINNINGS) | frozenset(_SPACE)
#: What stands in the last text, or at the end of a text, with a tail that does not begin it.
_AIDER, _RULE = "*SEARCH/REPLACE block*", "---"
_FENCE = "```"
#: What alone tells an opening stands so near its start.
_NEAR = 200
#: So many gaps between tags are looked at for an opening, since one that ends nowhere is searched for to the end.
_GAPS = 50
#: Longer results declare no tool.
_DECLARATION = 100_000
# Bound once: looking a member up on its class costs more than the comparison it is for.
_USER = Role.USER
_ASKING = (Role.USER, Role.SYSTEM, Role.DEVELOPER)


def is_marked(request: Request) -> bool:
    """Whether a message of the user holds a mark; a quick look, since most conversations have none.

    Single characters and a look-up are much faster than looking for words, so these come first.
    """
    last = ""
    for message in request.messages:
        if message.role is _USER:
            for block in message.content:
                if type(block) is Text:
                    last = block.text
                    if not last:
                        continue
                    first = last[0]
                    begins = first in _FIRST and (first in _SPACE or last[:_HEAD] in _HEADS)
                    if (begins or "<" in last or last[-1] == "-") and _is_suspect(last):
                        return True
    return _is_suspect(last)


def _is_suspect(text: str) -> bool:
    """Whether a text may hold a mark."""
    return (
        ("</" in text and _CLOSING.search(text) is not None)
        or text.lstrip().startswith(_BEGINNINGS)
        or _AIDER in text
        or text[-3:] == _RULE
    )


def marks(request: Request) -> tuple[TextMark, ...]:
    """All marks of a conversation, in the order of its turns, blocks and texts; none overlaps another."""
    found: list[TextMark] = []
    answers_harness = False
    for turn, message in enumerate(request.turns):
        if message.role is Role.ASSISTANT:
            if answers_harness:
                found += _answer(turn, message)
            continue
        here: list[TextMark] = []
        for index, block in enumerate(message.content):
            here += (TextMark(turn, index, s.start, s.end, s.kind, s.words) for s in _spans_of(block, message.role))
        if any(mark.words == SWITCH.words for mark in here):
            found = list(_examples(request, turn))
        found += here
        answers_harness = bool(here) and message.role is Role.USER and _is_wholly_marked(message, here)
    return tuple(found)


def task_turn(request: Request) -> int | None:
    """The first turn in which the user says something themselves, by its index in `Request.turns`; None without one."""
    by_turn: dict[int, list[TextMark]] = {}
    for mark in marks(request):
        by_turn.setdefault(mark.turn, []).append(mark)
    for turn, message in enumerate(request.turns):
        if message.role is Role.USER and not _is_wholly_marked(message, by_turn.get(turn, ())):
            return turn
    return None


def _is_wholly_marked(message: Message, found: Iterable[TextMark]) -> bool:
    """Whether nothing but white space is left of the texts of a message beside its marks."""
    left: dict[int, list[TextMark]] = {}
    for mark in found:
        left.setdefault(mark.block, []).append(mark)
    for index, block in enumerate(message.content):
        if isinstance(block, (Text, Refusal)):
            at = 0
            for mark in left.get(index, ()):
                if block.text[at : mark.start].strip():
                    return False
                at = mark.end
            if block.text[at:].strip():
                return False
    return True


def _spans_of(block: Block, role: Role) -> Iterable[_Span]:
    if isinstance(block, Text):
        if role in _ASKING:
            return _in_text(block.text, role) if _is_suspect(block.text) else ()
        return _declaration(block.text)
    if isinstance(block, ToolResult):
        return _in_result(text_of(block.content))
    return ()


def _in_text(text: str, role: Role) -> Iterator[_Span]:
    """The marks of a text: tags first, then what openings and tails stand in the gaps between them."""
    at = 0
    tags = list(_in_tags(text, with_fences=True))
    for count, tag in enumerate((*tags, None)):
        if tag is not None and tag.start < at:
            continue  # inside what an opening marked already
        until = len(text) if tag is None else tag.start
        for span in _in_gap(text, at, until, may_open=role is Role.USER and count < _GAPS):
            yield span
            at = span.end
        if tag is not None and tag.start >= at:
            yield tag
            at = tag.end


def _in_tags(text: str, *, with_fences: bool) -> Iterator[_Span]:
    """Marks of tags that stand at the front of a line and are closed; one in a code block is quoted, not meant."""
    ends: dict[str, list[int]] = {}
    for closing in _CLOSING.finditer(text):
        ends.setdefault(closing[1], []).append(closing.start())
    at = counted = fences = 0
    for opening in _OPENING.finditer(text) if ends else ():
        start, inner, name = opening.start(), opening.end(), opening[1]
        if start < at or name not in ends or not _leads_line(text, start):
            continue
        fences += text.count(_FENCE, counted, start)
        counted = start
        which = bisect_left(ends[name], inner)
        if which == len(ends[name]) or (with_fences and fences % 2):
            continue
        tag, close = TAGS[name], ends[name][which]
        if tag.holds and text.find(tag.holds, inner, close) < 0:
            continue
        at = counted = close + len(name) + 3
        if tag.is_wrapper and text[inner:close].strip():
            yield _Span(start, inner, tag.kind, tag.words)
            yield _Span(close, at, tag.kind, tag.words)
        else:
            yield _Span(start, at, tag.kind, tag.words)


def _leads_line(text: str, at: int) -> bool:
    """Whether nothing but blanks, or another tag, stands before an offset on its line."""
    while at and text[at - 1] in " \t":
        at -= 1
    return not at or text[at - 1] in "\n\r>"


def _in_gap(text: str, start: int, end: int, *, may_open: bool) -> Iterator[_Span]:
    """The opening at the front of a gap, and the tails in it. An opening may run over the gap, to the text's end."""
    at = start + len(text[start:end]) - len(text[start:end].lstrip())
    if may_open and text.startswith(_STARTS, at):
        opening = next(_BY_START[name] for name in _STARTS if text.startswith(name, at))
        if (stop := _end_of(opening, text, at)) is not None:
            yield _Span(at, stop, opening.kind, opening.words)
            at = stop
    for tail in TAILS:
        found = at if text.startswith(tail.start, at) else text.find("\n" + tail.start, at, end) + 1
        if at <= found < end and (found or text.startswith(tail.start)):
            stop = text.find(tail.until, found) if tail.until else -1
            stop = len(text) if stop < 0 else _end_of_line(text, stop)
            yield _Span(found, stop, tail.kind, tail.words)
            at = stop


def _end_of(opening: Opening, text: str, at: int) -> int | None:
    """Where the mark of an opening ends; None where it is none after all."""
    near = at + _NEAR if len(opening.holds) == 1 else len(text)
    if any(text.find(part, at, near) < 0 for part in opening.holds):
        return None
    for part in opening.until:
        found = text.find(part, at)
        if found >= 0:
            stop = found + len(part)
            return _end_of_line(text, stop) if opening.whole_line and not part.endswith(":") else stop
    if opening.otherwise == "none":
        return None
    return len(text) if opening.otherwise == "text" else _end_of_line(text, at)


def _end_of_line(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _in_result(text: str) -> Iterator[_Span]:
    """Reminders at the end of a result, a call that was refused, and a tool declared where a result is due."""
    if text.startswith(_REFUSED):
        opening = next(one for one in REFUSED if text.startswith(one.start))
        if (stop := _end_of(opening, text, 0)) is not None:
            yield _Span(0, stop, opening.kind, opening.words)
    elif text.endswith((">", ">\n")) and "</system" in text:
        run: list[_Span] = []
        for span in _in_tags(text, with_fences=False):
            if run and text[run[-1].end : span.start].strip():
                run = []
            run.append(span)
        if run and not text[run[-1].end :].strip():
            yield from (span for span in run if span.kind is MarkKind.REMINDER)
    else:
        yield from _declaration(text)


def _declaration(text: str) -> Iterator[_Span]:
    """A tool, or a list of tools, declared in a message of the tool's."""
    if not text.startswith(("{", "[")) or len(text) > _DECLARATION:
        return
    if '"parameters"' in text or '"input_schema"' in text:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return
        tools = value if isinstance(value, list) else [value]
        if tools and all(map(_is_tool, tools)):
            yield _Span(0, len(text), MarkKind.TOOLS, "tool definition")


def _is_tool(value: Json) -> bool:
    body = value.get("function", value) if isinstance(value, dict) else None
    if not isinstance(body, dict) or not isinstance(body.get("name"), str):
        return False
    schema = body.get("parameters", body.get("input_schema"))
    return isinstance(schema, dict) and not {"type", "properties"}.isdisjoint(schema)


def _answer(turn: int, message: Message) -> Iterator[TextMark]:
    """What the harness let the model answer to its own message."""
    for index, block in enumerate(message.content):
        if isinstance(block, Text) and block.text.startswith(ANSWERS) and len(block.text) <= ANSWER_CHARS:
            yield TextMark(turn, index, 0, len(block.text), MarkKind.NOTICE, "answer to the harness")


def _examples(request: Request, until: int) -> Iterator[TextMark]:
    """All texts of the dialogue before the harness said that the examples are over."""
    for turn, message in enumerate(request.turns[:until]):
        if message.role in (Role.USER, Role.ASSISTANT):
            for index, block in enumerate(message.content):
                if isinstance(block, Text) and block.text:
                    end = len(block.text)
                    yield TextMark(turn, index, 0, end, MarkKind.DEMONSTRATION, "demonstration")
