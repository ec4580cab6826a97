"""ChatML, as rendered for Qwen, Hermes and others: `<|im_start|>role`, the text, `<|im_end|>`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft
from .format import Format, Holds, Match, Medium, Source
from .rendered_turns import FRONT, Turn, keep_between, keep_front, read_turns

_START = re.compile(FRONT + r"(?:<s>|<\|endoftext\|>|<\|begin_of_text\|>)?\s*<\|im_(?:start|system|user)\|>")
#: A role, a name behind it, and what parts it from the text; Kimi writes the role a second time.
_HEAD = re.compile(
    r"<\|im_(?P<kind>start|system|user|assistant)\|>[ \t]*(?P<role>[A-Za-z_][\w.-]*)?"
    r"(?:[ \t]+name=(?P<name>[^\s<\\]+))?(?:<\|im_(?:sep|middle)\|>|[ \t]*(?:\r?\n|\\n)|[ \t]+|(?=<)|\Z)?"
)
_OPEN, _END = "<|im_start|>", "<|im_end|>"
_BLANK = re.compile(r"[\s\"'`,]*|(?:\\[nr])*")
_TAIL = re.compile(r"(?:\s*(?:<\|endoftext\|>|</s>|\[EOS\]))+")


def match_chatml(source: Source) -> Match | None:
    """Score a text by the mark it starts with."""
    if source.is_json:
        return None
    if _START.match(source.text, source.start):
        return Match(0.96, "it starts with `<|im_start|>`")
    # A paste that begins in the middle of a turn shows the end of that before any start.
    end, start = (source.text.find(mark, source.start, source.end) for mark in (_END, _OPEN))
    if 0 <= end < start and not source.text[end + len(_END) : start].replace("\\n", "").strip():
        return Match(0.6, "an `<|im_end|>` before the first `<|im_start|>`")
    return None


def read_chatml(source: Source, draft: Draft) -> None:
    """Cut the text at its marks."""
    read_turns(_turns(source, draft), source, draft, "chatml")


def _turns(source: Source, draft: Draft) -> Iterator[Turn]:
    text = source.text
    heads = list(_HEAD.finditer(text, source.start, source.end))
    keep_front(heads[0].start() if heads else source.end, source, draft)
    for index, head in enumerate(heads):
        behind = heads[index + 1].start() if index + 1 < len(heads) else source.end
        end = _end(text, head.end(), behind)
        closed = end >= 0
        body = text[head.end() : end if closed else behind]
        if closed:
            tail = _TAIL.match(text, end + len(_END), behind)
            keep_between(text, tail.end() if tail else end + len(_END), behind, source, draft)
        role = head["role"] or ("" if head["kind"] == "start" else head["kind"])
        yield Turn(role, body, head.start(), end + len(_END) if closed else behind, closed, head["name"] or "")


def _end(text: str, start: int, behind: int) -> int:
    """Where a turn ends; -1 where that is not marked. Where text goes on behind a mark, it may be but quoted."""
    end = text.find(_END, start, behind)
    last = text.rfind(_END, end, behind) if end >= 0 else end
    if last > end and _BLANK.fullmatch(text, last + len(_END), behind):
        gap = text[end + len(_END) : last].lstrip(" \t")
        return end if gap.startswith(("\n", "\r", "\\n", "<")) else last
    return end


CHATML_TEXT = Format(
    "chatml-text",
    "Rendered chat template (ChatML)",
    "`<|im_start|>role` ... `<|im_end|>`",
    "white space around turns and tags",
    match_chatml,
    read_chatml,
    holds=Holds.REQUEST,
    medium=Medium.TEXT,
    example="chatml-hermes-tool-calls",
    priority=2,
)
