"""Where in one text a harness speaks: tags that lead a line, openings, tails, what stands at the end of a result.

Linear in the text: each pattern is anchored, and what ends nowhere is looked for a bounded number of times.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from .mark_forms import OPENINGS, REFUSED, SWITCH, TAGS, TAILS, MarkKind, Opening
from .model import Json, Request, Role, Text


class Span(NamedTuple):
    """A marked part of a text, in code points."""

    start: int
    end: int
    kind: MarkKind
    words: str


# Bound once: looking a member up on its class costs more than the comparison it is for.
_USER = Role.USER
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


def is_suspect(text: str) -> bool:
    """Whether a text may hold a mark."""
    return (
        ("</" in text and _CLOSING.search(text) is not None)
        or text.lstrip().startswith(_BEGINNINGS)
        or _AIDER in text
        or text[-3:] == _RULE
    )


def is_marked(request: Request) -> bool:
    """Whether a message of the user holds a mark; a quick look, since most conversations have none.

    Single characters and a look-up are much faster than looking for words, so these come first.
    """
    text = ""
    for message in request.messages:
        if message.role is not _USER:
            continue
        for block in message.content:
            if type(block) is Text and (text := block.text):
                first = text[0]
                begins = first in _FIRST and (first in _SPACE or text[:_HEAD] in _HEADS)
                if (begins or "<" in text or text[-1] == "-") and is_suspect(text):
                    return True
    # What some harnesses remind of stands behind the user's last words.
    return is_suspect(text)


def in_text(text: str, *, of_user: bool) -> Iterator[Span]:
    """The marks of a text: tags first, then what openings and tails stand in the gaps between them."""
    at = 0
    tags = list(_in_tags(text, with_fences=True))
    for count, tag in enumerate((*tags, None)):
        if tag is not None and tag.start < at:
            continue  # inside what an opening marked already
        until = len(text) if tag is None else tag.start
        for span in _in_gap(text, at, until, may_open=of_user and count < _GAPS):
            yield span
            at = span.end
        if tag is not None and tag.start >= at:
            yield tag
            at = tag.end


def _in_tags(text: str, *, with_fences: bool) -> Iterator[Span]:
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
            yield Span(start, inner, tag.kind, tag.words)
            yield Span(close, at, tag.kind, tag.words)
        else:
            yield Span(start, at, tag.kind, tag.words)


def _leads_line(text: str, at: int) -> bool:
    """Whether nothing but blanks, or another tag, stands before an offset on its line."""
    while at and text[at - 1] in " \t":
        at -= 1
    return not at or text[at - 1] in "\n\r>"


def _in_gap(text: str, start: int, end: int, *, may_open: bool) -> Iterator[Span]:
    """The opening at the front of a gap, and the tails in it. An opening may run over the gap, to the text's end."""
    at = start + len(text[start:end]) - len(text[start:end].lstrip())
    if may_open and text.startswith(_STARTS, at):
        opening = next(_BY_START[name] for name in _STARTS if text.startswith(name, at))
        if (stop := _end_of(opening, text, at)) is not None:
            yield Span(at, stop, opening.kind, opening.words)
            at = stop
    for tail in TAILS:
        found = at if text.startswith(tail.start, at) else text.find("\n" + tail.start, at, end) + 1
        if at <= found < end and (found or text.startswith(tail.start)):
            stop = text.find(tail.until, found) if tail.until else -1
            stop = len(text) if stop < 0 else _end_of_line(text, stop)
            yield Span(found, stop, tail.kind, tail.words)
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


def in_result(text: str) -> Iterator[Span]:
    """Reminders at the end of a result, a call that was refused, and a tool declared where a result is due."""
    if text.startswith(_REFUSED):
        opening = next(one for one in REFUSED if text.startswith(one.start))
        if (stop := _end_of(opening, text, 0)) is not None:
            yield Span(0, stop, opening.kind, opening.words)
    elif text.endswith((">", ">\n")) and "</system" in text:
        run: list[Span] = []
        for span in _in_tags(text, with_fences=False):
            if run and text[run[-1].end : span.start].strip():
                run = []
            run.append(span)
        if run and not text[run[-1].end :].strip():
            yield from (span for span in run if span.kind is MarkKind.REMINDER)
    else:
        yield from declaration(text)


def declaration(text: str) -> Iterator[Span]:
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
            yield Span(0, len(text), MarkKind.TOOLS, "tool definition")


def _is_tool(value: Json) -> bool:
    body = value.get("function", value) if isinstance(value, dict) else None
    if not isinstance(body, dict) or not isinstance(body.get("name"), str):
        return False
    schema = body.get("parameters", body.get("input_schema"))
    return isinstance(schema, dict) and not {"type", "properties"}.isdisjoint(schema)
