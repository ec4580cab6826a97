"""The templates of Llama 3 and 4: `<|start_header_id|>role<|end_header_id|>`, the text, `<|eot_id|>`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..diagnostics import Place
from ..model import Block, Json, Text
from ..positions import Path
from .call_ids import CallIds
from .draft import Draft
from .format import Format, Holds, Match, Medium, Source
from .rendered_calls import call_of, calls_in
from .rendered_turns import FRONT, Turn, keep_between, keep_front, read_turns, said

_START = re.compile(FRONT + r"(?:<\|begin_of_text\|>|<s>)?\s*<\|(?:start_header_id|header_start)\|>")
_HEAD = re.compile(
    r"<\|(?:start_header_id|header_start)\|>[ \t]*([\w.-]*)[ \t]*<\|(?:end_header_id|header_end)\|>(?:\s|\\n)*"
)
#: What ends a turn, or the turn of a model that waits for its tool.
_END = re.compile(r"<\|(?:eot_id|eom_id|eot|eom|end_of_text)\|>")
_TAIL = re.compile(r"(?:\s*<\|end_of_text\|>)+")
_PYTHON = re.compile(r"<\|python_(?:tag|start)\|>")
_PYTHON_END = "<|python_end|>"
#: A built-in tool as it is called: `brave_search.call(query="tide")`.
_BUILT_IN = re.compile(r"\s*(\w+)\.call\((.*)\)\s*\Z", re.DOTALL)
_KEYWORD = re.compile(r"(?<!\w)(\w++)\s*+=\s*+(\"(?:[^\"\\]|\\.)*+\"|[^,]*+)\s*(?:,|\Z)")
#: The tool that runs bare code, by the role of its results.
_INTERPRETER = "ipython"


def match_llama3(source: Source) -> Match | None:
    """Score a text by the mark it starts with."""
    if source.is_json or not _START.match(source.text, source.start):
        return None
    return Match(0.96, "it starts with a `<|start_header_id|>`")


def read_llama3(source: Source, draft: Draft) -> None:
    """Cut the text at its marks."""
    read_turns(_turns(source, draft), source, draft, "llama3", reads=_said)


def _turns(source: Source, draft: Draft) -> Iterator[Turn]:
    text = source.text
    heads = list(_HEAD.finditer(text, source.start, source.end))
    keep_front(heads[0].start() if heads else source.end, source, draft)
    for index, head in enumerate(heads):
        behind = heads[index + 1].start() if index + 1 < len(heads) else source.end
        end = _END.search(text, head.end(), behind)
        if end is not None:
            tail = _TAIL.match(text, end.end(), behind)
            keep_between(text, tail.end() if tail else end.end(), behind, source, draft)
        body = text[head.end() : end.start() if end else behind]
        yield Turn(head[1], body, head.start(), end.end() if end else behind, end is not None)


def _said(body: str, at: Path | Place, draft: Draft, ids: CallIds) -> list[Block]:
    """Text, then what stands behind the mark of a call: JSON, a built-in tool, or code."""
    mark = _PYTHON.search(body)
    if mark is None:
        return said(body, at, draft, ids)
    blocks = said(body[: mark.start()].strip(), at, draft, ids)
    code, _, rest = body[mark.end() :].partition(_PYTHON_END)
    code = code.strip()
    if code.startswith(("{", "[")):
        blocks += calls_in(code, at, draft, ids)
    elif built_in := _BUILT_IN.match(code):
        named = {name: value.strip("\"'") for name, value in _KEYWORD.findall(built_in[2])}
        taken: Json = named if not _KEYWORD.sub("", built_in[2]).strip() else built_in[2]
        blocks.append(call_of(built_in[1], taken, None, at, draft, ids))
    else:
        draft.note("code-call", f"Code for the interpreter; read as a call of `{_INTERPRETER}` with it as `code`.", at)
        blocks.append(call_of(_INTERPRETER, {"code": code}, None, at, draft, ids))
    return [*blocks, Text(rest.strip())] if rest.strip() else blocks


LLAMA3_TEXT = Format(
    "llama3-text",
    "Rendered chat template (Llama 3)",
    "`<|start_header_id|>role<|end_header_id|>` ... `<|eot_id|>`",
    "white space around turns; whether a turn ended the message or waited for a tool",
    match_llama3,
    read_llama3,
    holds=Holds.REQUEST,
    medium=Medium.TEXT,
    example="llama3-header-text",
    priority=2,
)
