"""vLLM server logs: the prompt that a request came to, as rendered, and what was generated for it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..model import Role, StopReason, Text
from .call_ids import CallIds
from .draft import Draft
from .format import Format, Holds, Match, Medium, Source
from .rendered_turns import said, unescaped
from .wrapping import read_inside

_REPR = r"(?P<text>'(?:[^'\\\n]|\\.)*+'?|\"(?:[^\"\\\n]|\\.)*+\"?)"
#: A prompt or an output, as Python prints a text, and the settings behind it.
_LINE = re.compile(
    r"(?:(?:Received request|Request) (?P<id>[^\s:]+)(?: details)?: prompt: "
    r"|Generated response (?P<reply>[^\s:]+)(?: \(streaming (?P<kind>delta|complete)\))?: output: )"
    + _REPR
    + r"(?P<rest>[^\n]*)"
)
#: How a line of such a log starts, behind what a container or a process puts in front.
_START = re.compile(
    r"[^\n]{0,160}?(?:\b(?:INFO|DEBUG|WARNING|ERROR)\b:?\s+[\d\[\w]|(?:Received request|Generated response) \S+: )"
)
#: A request whose prompt was not logged.
_BARE = re.compile(r"\bReceived request [^\s:]+: (?:params: |prompt: None)")
_FINISH = re.compile(r"finish_reason: '?(\w+)")
_STOP = {"stop": StopReason.END_TURN, "length": StopReason.MAX_TOKENS, "tool_calls": StopReason.TOOL_USE}


@dataclass(slots=True)
class _Exchange:
    """One request and what was generated for it, each with its range in the text."""

    name: str
    prompt: str | None = field(default=None, repr=False)
    outputs: list[str] = field(default_factory=list, repr=False)
    rest: str = field(default="", repr=False)
    finish: str = ""
    start: int = 0
    end: int = 0
    output_start: int = 0
    output_end: int = 0


def match_log(source: Source) -> Match | None:
    """Score a text that starts as a log and holds a prompt."""
    if source.is_json or not _START.match(source.text, source.start):
        return None
    if _LINE.search(source.text, source.start, source.end):
        return Match(0.95, "log lines with `Received request` and its `prompt`")
    found = _BARE.search(source.text, source.start, source.end)
    return Match(0.95, "log lines with `Received request`, though without a `prompt`") if found else None


def read_log(source: Source, draft: Draft) -> None:
    """Read each request, with what was generated for it, as a conversation of its own."""
    exchanges = list(_exchanges(source))
    if not exchanges:
        draft.fail(
            "log-without-prompt",
            "These lines of a server log name requests, but hold no prompt: there is no conversation in them.",
            "Have the server log its prompts (vLLM does at the level DEBUG), or paste the body of the request.",
            source.at(source.start, source.end),
        )
    for one in exchanges:
        made = draft if len(exchanges) == 1 else draft.begin(one.name, source.at(one.start, one.end))
        if one.prompt is not None:
            _read_text(one.prompt, Role.USER, one.start, one.end, source, made)
        if one.outputs:
            _read_text("".join(one.outputs), Role.ASSISTANT, one.output_start, one.output_end, source, made)
            made.stop_reason = _STOP.get(one.finish, StopReason.UNKNOWN) if one.finish not in ("", "None") else None
        if one.rest:
            made.extras["settings"] = one.rest


def _exchanges(source: Source) -> Iterator[_Exchange]:
    found: dict[str, _Exchange] = {}
    for line in _LINE.finditer(source.text, source.start, source.end):
        name, text = line["id"] or line["reply"], _literal(line["text"])
        one = found.setdefault(name, _Exchange(name, start=line.start(), end=line.end()))
        if line["id"]:
            one.prompt, one.start, one.end = text, line.start("text"), line.end("text")
            one.rest = line["rest"].lstrip(", ") or one.rest
            continue
        if line["kind"] == "complete":
            # All that came in pieces stands here once more.
            one.outputs.clear()
        one.outputs.append(text)
        one.output_start, one.output_end = one.output_start or line.start("text"), line.end("text")
        if (finish := _FINISH.search(line["rest"])) is not None:
            one.finish = finish[1]
    return iter(found.values())


def _literal(text: str) -> str:
    """What Python printed as a text, to where it is cut."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        value = None
    return value if isinstance(value, str) else unescaped(text[1:])


def _read_text(text: str, role: Role, start: int, end: int, source: Source, draft: Draft) -> None:
    """A rendered template by its format; any other text as what the role said."""
    made = Draft()
    if read_inside(text, (), source, made, Holds.REQUEST) is None:
        if role is Role.ASSISTANT:
            made.add(role, said(text, (), made, CallIds(made)), ())
        else:
            made.add(role, (Text(text),) if text else (), ())
    made.stand_at(source.at(start, end))
    draft.take(made)


VLLM_SERVER_LOG = Format(
    "vllm-server-log",
    "vLLM server log",
    "log lines with `Received request ...: prompt: '...'`",
    "lines that hold no text; settings and tokens are kept as extras",
    match_log,
    read_log,
    medium=Medium.TEXT,
    priority=3,
)
