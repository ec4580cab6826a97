"""Harmony, the template of gpt-oss: channels carry thoughts, calls and the answer; a tool speaks under its own name.

What an assistant writes up to the next turn of another is one message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..diagnostics import Place
from ..json_text import decode_embedded
from ..model import Block, Reasoning, Role, Text, ToolCall, ToolResult
from ..positions import Path
from ..remarks import shown
from .call_ids import CallIds
from .draft import Draft, role_named
from .format import Match, Source
from .rendered_calls import call_of
from .rendered_turns import FRONT, is_escaped, keep_between, keep_front, unescaped

PROVIDER = "harmony"

#: Of a model's bare output the first header stands in the prompt: it starts with a channel.
_START = re.compile(FRONT + r"<\|(?:start\|>\s*[A-Za-z]|channel\|>\s*(?:analysis|commentary|final)\b)")
_MARK = re.compile(r"<\|start\|>")
_MESSAGE = "<|message|>"
_END = re.compile(r"<\|(end|call|return)\|>")
_SPACE = " \t\r\n"
#: Tools that come with the template; all others stand in a name space.
_OWN_TOOLS = frozenset({"python", "browser", "container", "tool"})
_FUNCTIONS = "functions."
_CHANNELS = ("analysis", "commentary", "final", "")
_FORMS = ("json", "code")
#: Whom a message is for that calls nobody.
_NOBODY = ("user", "all", "assistant", "")


@dataclass(frozen=True, slots=True)
class _Header:
    """Who speaks, to whom, on which channel, and what the content is constrained to, e.g. `json`."""

    author: str
    recipient: str
    channel: str
    form: str
    #: Words that are none of these.
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """One message of the template: its header, its content and its range."""

    header: _Header
    content: str = field(repr=False)
    start: int
    end: int
    #: Whether its content has begun, and whether its end is marked.
    begun: bool
    closed: bool


def match_harmony(source: Source) -> Match | None:
    """Score a text by the mark it starts with."""
    return Match(0.96, "it starts with `<|start|>`") if _START.match(source.text, source.start) else None


def read_harmony(source: Source, draft: Draft) -> None:
    """Cut the text at its marks, and put together what an assistant wrote in one turn."""
    ids = CallIds(draft)
    parts = list(_parts(source, draft))
    blocks: list[Block] = []
    first, last = 0, 0
    for index, part in enumerate(parts):
        if part.header.author == "assistant":
            is_last = index + 1 == len(parts)
            if is_last and not part.closed and not part.content:
                message = "The last message is only opened, for the model to write it; it is none."
                draft.note("generation-prompt", message, source.at(part.start, part.end))
                continue
            if not blocks:
                first = part.start
                ids.turn()
            last = part.end
            blocks += _said(part, source.at(part.start, part.end), draft, ids)
            continue
        _add_said(blocks, first, last, source, draft)
        blocks = []
        _read_other(part, source.at(part.start, part.end), draft, ids)
    _add_said(blocks, first, last, source, draft)


def _add_said(blocks: list[Block], first: int, last: int, source: Source, draft: Draft) -> None:
    if blocks:
        draft.add(Role.ASSISTANT, blocks, source.at(first, last))


def _parts(source: Source, draft: Draft) -> Iterator[_Part]:
    text = source.text
    escaped = is_escaped(text, source.start, source.end)
    starts = _starts(source)
    keep_front(starts[0] if starts else source.end, source, draft)
    for index, start in enumerate(starts):
        behind = starts[index + 1] if index + 1 < len(starts) else source.end
        body = text.find(_MESSAGE, start, behind)
        end = _END.search(text, body if body >= 0 else start, behind)
        stop = end.start() if end else behind
        header = text[start : body if body >= 0 else stop].removeprefix("<|start|>")
        content = text[body + len(_MESSAGE) : stop] if body >= 0 else ""
        if end is not None:
            keep_between(text, end.end(), behind, source, draft)
        content = (unescaped(content) if escaped else content).strip(_SPACE)
        read = _header(header)
        if read.rest:
            draft.extras.setdefault("words of headers", {})[str(index)] = " ".join(read.rest)
        yield _Part(read, content, start, end.end() if end else behind, body >= 0, end is not None)


def _starts(source: Source) -> list[int]:
    """Where messages start; before the first start, a channel is that of a bare output."""
    found = [mark.start() for mark in _MARK.finditer(source.text, source.start, source.end)]
    channel = source.text.find("<|channel|>", source.start, found[0] if found else source.end)
    return [channel, *found] if channel >= 0 else found


def _header(text: str) -> _Header:
    """What a header says; author, recipient, channel and form may each stand at several places of it."""
    front, _, behind = text.partition("<|channel|>")
    behind, _, form = behind.partition("<|constrain|>")
    words = [front.split(), behind.split(), form.split()]
    recipients = [word for part in words for word in part if word.startswith("to=")]
    authors, channels, forms = ([word for word in part if not word.startswith("to=")] for part in words)
    forms = channels[1:] + forms
    rest = authors[1:] + forms[1:] + recipients[1:] + [word for word in forms[:1] if word not in _FORMS]
    author, channel = authors[0] if authors else "assistant", channels[0] if channels else ""
    recipient = recipients[0][3:] if recipients else ""
    rest += [channel] if channel not in _CHANNELS else []
    rest += [recipient] if recipient not in _NOBODY and author != "assistant" else []
    return _Header(
        author,
        recipient,
        channel,
        forms[0] if forms else "",
        tuple(rest),
    )


def _said(part: _Part, at: Path | Place, draft: Draft, ids: CallIds) -> list[Block]:
    if part.header.recipient not in _NOBODY:
        return [_call(part, at, draft, ids)]
    if part.header.channel == "analysis":
        return [Reasoning(part.content)]
    if part.header.channel not in _CHANNELS:
        message = (
            f"The channel `{shown(part.header.channel)}` is not known; its text is read as what the assistant said."
        )
        draft.note("unknown-channel", message, at)
    return [Text(part.content)] if part.content else []


def _call(part: _Part, at: Path | Place, draft: Draft, ids: CallIds) -> ToolCall:
    """A call; to the template's own tools, as `python`, code is written as it is."""
    name = part.header.recipient.removeprefix(_FUNCTIONS)
    inner = decode_embedded(part.content)
    if (
        part.header.recipient.startswith(_FUNCTIONS)
        or part.header.form == "json"
        or (inner and isinstance(inner[0], dict))
    ):
        return call_of(name, part.content, None, at, draft, ids)
    draft.note("custom-tool", f"The input of `{shown(name)}` is free text; read as one argument, `input`.", at)
    return call_of(name, {"input": part.content}, None, at, draft, ids)


def _read_other(part: _Part, at: Path | Place, draft: Draft, ids: CallIds) -> None:
    role = role_named(part.header.author)
    tool = (
        part.header.author.split(".")[0] in _OWN_TOOLS
        or "." in part.header.author
        or part.header.recipient == "assistant"
    )
    if not part.closed and part.begun:
        draft.note("open-turn", "The end of the last turn is not marked; it may be cut off.", at)
    if role is not None and role is not Role.TOOL:
        draft.add(role, (Text(part.content),) if part.content else (), at)
    elif tool:
        name = "" if part.header.author == "tool" else part.header.author.removeprefix(_FUNCTIONS)
        content = (Text(part.content),) if part.content else ()
        draft.add(Role.TOOL, (ToolResult(ids.result(None, name, at), content),), at)
    else:
        draft.add_unread(part.header.author, PROVIDER, {"role": part.header.author, "text": part.content}, at)
