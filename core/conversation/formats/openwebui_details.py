"""Reasoning and tool calls that Open WebUI keeps as HTML details in the text of an answer."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from ..json_text import decode_embedded
from ..model import Block, Reasoning, Text, ToolCall, ToolResult
from ..positions import Path
from .arguments import arguments
from .draft import Draft

_OPEN = re.compile(r'^[ \t]*<details[ \t]+type="(reasoning|tool_calls)"([^<>]*)>', re.MULTILINE)
_CLOSE = "</details>"
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_SUMMARY = re.compile(r"\s*<summary>[^<]*</summary>")
#: Reasoning is shown as a quote.
_QUOTE = re.compile(r"^> ?", re.MULTILINE)
_AROUND = " \t\r\n"


def details_in(text: str, at: Path, draft: Draft) -> Iterator[Block]:
    """The blocks of an answer in their order: text, reasoning, calls and their results."""
    start = behind = 0
    while "<" in text and (found := _OPEN.search(text, behind)):
        closed = text.find(_CLOSE, found.end())
        if closed < 0:
            break
        behind = closed + len(_CLOSE)
        if before := text[start : found.start()].strip(_AROUND):
            yield Text(before)
        start = behind
        if found[1] == "reasoning":
            yield _reasoning(text[found.end() : closed])
        else:
            yield from _call(dict(_ATTRIBUTE.findall(found[2])), text[found.start() : behind], at, draft)
    rest = text[start:].strip(_AROUND) if start else text
    if rest:
        yield Text(rest)


def _reasoning(body: str) -> Reasoning:
    inner = _SUMMARY.sub("", body, count=1).strip(_AROUND)
    return Reasoning(_QUOTE.sub("", html.unescape(inner)))


def _call(given: dict[str, str], whole: str, at: Path, draft: Draft) -> Iterator[Block]:
    name = html.unescape(given.get("name", ""))
    if not name:
        yield Text(whole)
        return
    call = html.unescape(given.get("id", ""))
    yield ToolCall(call, name, arguments(_decoded(given.get("arguments", "")), name, draft, at))
    if given.get("done") != "false" and "result" in given:
        result = _decoded(given["result"])
        yield ToolResult(call, (Text(result),) if result else ())


def _decoded(value: str) -> str:
    """An attribute's text; it is JSON in most versions, and of a string then."""
    text = html.unescape(value)
    found = decode_embedded(text)
    return found[0] if found is not None and isinstance(found[0], str) else text
