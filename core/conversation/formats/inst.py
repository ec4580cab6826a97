"""The templates with `[INST]`: Llama 2, and Mistral with its marks for tools, thoughts and the system prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..diagnostics import Place
from ..json_text import compact, decode_embedded
from ..model import Block, Json, Reasoning, Role, Text, ToolResult
from ..positions import Path
from .call_ids import CallIds
from .draft import Draft
from .format import Match, Source
from .rendered_calls import call_of, calls_in
from .rendered_turns import FRONT, is_escaped, keep_front, said, unescaped, with_media

_START = re.compile(
    FRONT + r"(?:(?:<s>|<\|startoftext\|>|\[BOS\])\s*)*(?:\[INST\]|\[AVAILABLE_TOOLS\]|\[SYSTEM_PROMPT\])"
)
#: All marks; what stands behind one of them, up to the next, belongs to it.
_MARK = re.compile(
    r"\[/?(?:INST|AVAILABLE_TOOLS|SYSTEM_PROMPT|TOOL_RESULTS|MODEL_SETTINGS|THINK)\]|\[TOOL_CALLS\]|<s>|</s>"
)
_OPEN = "[INST]"
#: Marks behind which nothing has to stand.
_ENDS = frozenset({"<s>", "</s>", "[/INST]", "[/TOOL_RESULTS]", "[/AVAILABLE_TOOLS]", "[/SYSTEM_PROMPT]", "[/THINK]"})
_SYSTEM = re.compile(r"\s*<<SYS>>(.*?)<</SYS>>", re.DOTALL)
#: A call as later versions write it: `name[CALL_ID]id[ARGS]{...}`.
_CALL = re.compile(r"\s*([\w.-]+)(?:\[CALL_ID\]([\w-]+))?\[ARGS\](.*)\Z", re.DOTALL)
#: A result as they write it: `id[TOOL_CONTENT]text`.
_RESULT = re.compile(r"\s*(?:([\w-]+)\[TOOL_CONTENT\])(.*)\Z", re.DOTALL)
_SPACE = " \t\r\n"


class _Span(NamedTuple):
    """What stands behind a mark, up to the next one."""

    mark: str
    body: str
    start: int
    end: int


def match_inst(source: Source) -> Match | None:
    """Score a text by the mark it starts with."""
    found = _START.match(source.text, source.start)
    return Match(0.96, "it starts with `[INST]` or a mark of its kind") if found else None


def read_inst(source: Source, draft: Draft) -> None:
    """Go from mark to mark; what stands outside of all of them is what the assistant said."""
    reader = _Reader(source, draft)
    for span in _spans(source, draft):
        reader.take(span)
    reader.close()


def _spans(source: Source, draft: Draft) -> Iterator[_Span]:
    text = source.text
    escaped = is_escaped(text, source.start, source.end)
    marks = _marks(text, source.start, source.end)
    keep_front(marks[0].start() if marks else source.end, source, draft)
    for index, mark in enumerate(marks):
        behind = marks[index + 1].start() if index + 1 < len(marks) else source.end
        body = text[mark.end() : behind]
        body = (unescaped(body) if escaped else body).strip(_SPACE)
        yield _Span(mark[0], body, mark.start(), behind)


def _marks(text: str, start: int, end: int) -> list[re.Match[str]]:
    """The marks of the template; a further `[INST]` before the end of one is what the user wrote."""
    found: list[re.Match[str]] = []
    for mark in _MARK.finditer(text, start, end):
        if mark[0] != _OPEN or not found or found[-1][0] != _OPEN:
            found.append(mark)
    return found


class _Reader:
    """The assistant's turn that is being written, and what came before it."""

    def __init__(self, source: Source, draft: Draft) -> None:
        self._source, self._draft = source, draft
        self._ids = CallIds(draft)
        self._blocks: list[Block] = []
        self._start = self._end = 0

    def take(self, span: _Span) -> None:
        """Read one span."""
        if not span.body and span.mark in _ENDS:
            if span.mark == "</s>":
                self.close()
            return
        at = self._source.at(span.start, span.end)
        if span.mark in (_OPEN, "[SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[MODEL_SETTINGS]"):
            self.close()
            self._take_other(span, at)
        elif span.mark == "[THINK]":
            self._begin()
            self._say(span, [Reasoning(span.body)] if span.body else [])
        elif span.mark == "[TOOL_CALLS]":
            self._begin()
            self._say(span, list(_calls(span.body, at, self._draft, self._ids)))
        elif span.body.strip("\"'`"):
            # Behind the end of a mark, or the start of a text: what the assistant said.
            self._begin()
            self._say(span, said(span.body, at, self._draft, self._ids))

    def _begin(self) -> None:
        if not self._blocks:
            self._ids.turn()

    def _say(self, span: _Span, blocks: list[Block]) -> None:
        if blocks and not self._blocks:
            self._start = span.start
        if blocks:
            self._blocks += blocks
            self._end = span.end

    def close(self) -> None:
        """The assistant's turn ends."""
        if self._blocks:
            self._draft.add(Role.ASSISTANT, self._blocks, self._source.at(self._start, self._end))
            self._blocks = []

    def _take_other(self, span: _Span, at: Path | Place) -> None:
        draft, body = self._draft, span.body
        if span.mark == _OPEN:
            if (system := _SYSTEM.match(body)) is not None:
                draft.add(Role.SYSTEM, (Text(system[1].strip(_SPACE)),), at)
                body = body[system.end() :].strip(_SPACE)
            draft.add(Role.USER, with_media(body), at)
        elif span.mark == "[SYSTEM_PROMPT]":
            draft.add(Role.SYSTEM, (Text(body),) if body else (), at)
        elif span.mark == "[TOOL_RESULTS]":
            draft.add(Role.TOOL, list(_results(body, at, draft, self._ids)), at)
        else:
            inner = decode_embedded(body)
            name = "tools" if span.mark == "[AVAILABLE_TOOLS]" else "model settings"
            draft.extras[name] = body if inner is None else inner[0]


def _calls(body: str, at: Path | Place, draft: Draft, ids: CallIds) -> Iterator[Block]:
    found = _CALL.match(body)
    if found is not None:
        yield call_of(found[1], found[3].strip(_SPACE), found[2], at, draft, ids)
    else:
        yield from calls_in(body, at, draft, ids)


def _results(body: str, at: Path | Place, draft: Draft, ids: CallIds) -> Iterator[ToolResult]:
    """Results as JSON with their `content`, as a list of these, or as text behind an id."""
    found = _RESULT.match(body)
    if found is not None:
        text = found[2].strip(_SPACE)
        yield ToolResult(ids.result(found[1], "", at), (Text(text),) if text else ())
        return
    inner = decode_embedded(body)
    values = inner[0] if inner is not None else None
    items: list[Json] = values if isinstance(values, list) else [values]
    if not items or not all(isinstance(item, dict) and "content" in item for item in items):
        yield ToolResult(ids.result(None, "", at), (Text(body),) if body else ())
        return
    for item in items:
        yield _result(item, at, draft, ids)


def _result(item: dict[str, Any], at: Path | Place, draft: Draft, ids: CallIds) -> ToolResult:
    given = next((item[key] for key in ("call_id", "id") if isinstance(item.get(key), str)), None)
    named, content = item.get("name"), item["content"]
    name = named if isinstance(named, str) else ""
    call = ids.result(given, name, at)
    known = {"content", *(("name",) if ids.names(call, name) else ()), *(("call_id", "id") if given == call else ())}
    if rest := {key: value for key, value in item.items() if key not in known}:
        draft.extras.setdefault("beside the results", []).append(rest)
    text = content if isinstance(content, str) else compact(content)
    return ToolResult(call, (Text(text),) if text else ())
