"""Turns of a rendered chat template, once its marks are found: roles, thoughts, calls and results in tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ..diagnostics import Place
from ..json_text import decode_embedded
from ..model import Block, Media, Reasoning, Role, Text, ToolCall, ToolResult
from ..positions import Path
from .call_ids import CallIds
from .draft import Draft
from .rendered_calls import call_of, calls_in, is_call, objects_in, python_calls
from .source import Source

#: Reads the body of an assistant's turn.
Reads: TypeAlias = Callable[[str, "Path | Place", Draft, CallIds], list[Block]]

#: What may stand in front of a template: a code fence, a quote that came along.
FRONT = r"(?:`{3,}[a-z0-9]{0,12}[ \t]*\r?\n)?[\"'`]?\s*"
_BEGINNING = re.compile(
    FRONT + r"(?:(?:<s>|<bos>|<sop>|\[gMASK\]|\[BOS\]|<BOS_TOKEN>|<\|(?:begin_of_text|endoftext|startoftext)\|>)\s*)*"
)
#: What may stand behind it, and between turns.
_NOTHING = re.compile(
    r"(?:[\s\"'`,]++|\\[nr]|<s>|<bos>|<sop>|\[gMASK\]|<BOS_TOKEN>|<\|(?:begin_of_text|endoftext|startoftext)\|>)*+"
)
#: What stands before the first turn only: behind others it begins a further conversation.
_BEGINS = re.compile(
    r"<bos>|<BOS_TOKEN>|\[gMASK\]|<\|(?:begin_of_text|endoftext|startoftext)\|>"
    "|<\uff5cbegin[\u2581_ ]of[\u2581_ ]sentence\uff5c>"
)
ROLES: dict[str, Role] = {
    "system": Role.SYSTEM,
    "developer": Role.DEVELOPER,
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "gpt": Role.ASSISTANT,
    "tool": Role.TOOL,
    "tools": Role.TOOL,
    "function": Role.TOOL,
    "observation": Role.TOOL,
    "ipython": Role.TOOL,
    "tool_response": Role.TOOL,
}
_SPACE = " \t\r\n"
_ESCAPE = re.compile(r"\\([nrt\"'\\])")
#: Where templates have a line break: behind a mark or a role, or before a mark.
_ESCAPED_BREAK = re.compile(r"(?:[|\]>]|\b(?:system|user|assistant|model|tool))\\n|\\n(?:<\||\[/?[A-Z])")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_THINK = re.compile(r"\s*<think>(.*?)(?:</think>|\Z)", re.DOTALL)
_OPEN_THINK = re.compile(r"\s*(?:<think>\s*(?:</think>\s*)?)?\Z")
_CALL = re.compile(
    r"(?:^|(?<=>))[ \t]*(?:<tool_call>(.*?)(?:</tool_call>|\Z)|(<function=[^>\n]{1,200}>.*?(?:</function>|\Z)))",
    re.DOTALL | re.MULTILINE,
)
#: A call of GLM-4: the name of the tool, and JSON on the next line.
_NAMED = re.compile(r"([\w.-]{1,100})\n(\{.*\})\Z", re.DOTALL)
_RESPONSE = re.compile(r"<tool_response>(.*?)(?:</tool_response>|\Z)", re.DOTALL)
#: Where images, audio and video stand in the text.
_MEDIA = re.compile(
    r"(?P<image><\|image\|>|<\|vision_start\|>(?:<\|image_pad\|>)+<\|vision_end\|>|<start_of_image>|\[IMG\])"
    r"|(?P<video><\|vision_start\|>(?:<\|video_pad\|>)+<\|vision_end\|>)"
    r"|(?P<audio><\|audio_bos\|>(?:<\|AUDIO\|>)+<\|audio_eos\|>|<\|audio\|>)"
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it stands: its role as the template writes it, its body, its range in the text."""

    role: str
    body: str = field(repr=False)
    start: int
    end: int
    #: Whether its end is marked.
    closed: bool = True
    #: Of the speaker, or the tool.
    name: str = field(default="", repr=False)


def is_escaped(text: str, start: int, end: int) -> bool:
    """Whether line breaks are written as escapes, as in a log or a program: the text is but one line."""
    if text.find("\n", start, end) >= 0:
        return False
    quoted = text[start : start + 1] in ('"', "'") and text[end - 1 : end] == text[start : start + 1]
    return (quoted and text.find("\\n", start, end) >= 0) or _ESCAPED_BREAK.search(text, start, end) is not None


def unescaped(text: str) -> str:
    """The text with its escapes read."""
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)


def read_turns(
    turns: Iterable[Turn],
    source: Source,
    draft: Draft,
    provider: str,
    roles: Mapping[str, Role] = ROLES,
    reads: Reads | None = None,
) -> None:
    """Add the turns to the draft; where a template begins once more, each begins a conversation of its own."""
    groups = _groups(list(turns), source.text)
    escaped = is_escaped(source.text, source.start, source.end)
    if escaped:
        draft.note("escaped-text", "Line breaks are written as escapes; they were read as what they stand for.")
    for group in groups:
        at = source.at(group[0].start, group[-1].end)
        _read_group(
            group, source, draft if len(groups) == 1 else draft.begin(at=at), provider, roles, reads or said, escaped
        )


def _groups(turns: list[Turn], text: str) -> list[list[Turn]]:
    """The turns of each conversation."""
    groups: list[list[Turn]] = []
    end = 0
    for turn in turns:
        if not groups or _BEGINS.search(text, end, turn.start) or _BEGINS.match(text, turn.start):
            groups.append([])
        groups[-1].append(turn)
        end = turn.end
    return groups


def _read_group(
    found: list[Turn],
    source: Source,
    draft: Draft,
    provider: str,
    roles: Mapping[str, Role],
    reads: Reads,
    escaped: bool,
) -> None:
    """Add the turns of one conversation. A last turn of the assistant that only was opened is no message."""
    ids = CallIds(draft)
    for index, turn in enumerate(found):
        at = source.at(turn.start, turn.end)
        body = (unescaped(turn.body) if escaped else turn.body).strip(_SPACE)
        role = roles.get(turn.role.lower())
        is_open = not turn.closed and index + 1 == len(found)
        if is_open and role is not None and (not body or (role is Role.ASSISTANT and _OPEN_THINK.match(body))):
            draft.note("generation-prompt", "The last turn is only opened, for the model to write it; it is none.", at)
            continue
        if is_open and role is not Role.ASSISTANT:
            draft.note("open-turn", "The end of the last turn is not marked; it may be cut off.", at)
        if role is None:
            draft.add_unread(turn.role, provider, {"role": turn.role, "text": body}, at)
        elif role is Role.ASSISTANT:
            ids.turn()
            blocks = reads(body, at, draft, ids)
            if index + 1 < len(found) and _answers(found[index + 1], roles):
                blocks = _with_bare_calls(blocks, at, draft, ids)
            draft.add(role, blocks, at)
        elif role is Role.TOOL or (role is Role.USER and body.startswith("<tool_response>")):
            draft.add(role, results_in(body, turn.name, at, draft, ids), at)
        else:
            if turn.name:
                draft.extras.setdefault("names of speakers", {})[str(index)] = turn.name
            draft.add(role, with_media(body), at)


def _answers(turn: Turn, roles: Mapping[str, Role]) -> bool:
    """Whether a turn holds the results of the one before."""
    role = roles.get(turn.role.lower())
    return role is Role.TOOL or (role is Role.USER and turn.body.lstrip(_SPACE).startswith("<tool_response>"))


def _with_bare_calls(blocks: list[Block], at: Path | Place, draft: Draft, ids: CallIds) -> list[Block]:
    """The blocks of a turn that a tool answers: JSON that names a tool is its call, though no mark says so."""
    last = blocks[-1] if blocks else None
    if not isinstance(last, Text) or any(isinstance(block, ToolCall) for block in blocks):
        return blocks
    if named := _NAMED.match(last.text):
        draft.note("bare-call", "The first line names a tool, and a tool's result follows; read as its call.", at)
        return [*blocks[:-1], call_of(named[1], named[2], None, at, draft, ids)]
    if calls := python_calls(last.text):
        draft.note("bare-call", "This Python names tools, and a tool's result follows; read as their calls.", at)
        return [*blocks[:-1], *(call_of(name, taken, None, at, draft, ids) for name, taken in calls)]
    values = objects_in(last.text) if last.text.startswith(("{", "[")) else None
    if not values or not all(map(is_call, values)):
        return blocks
    draft.note("bare-call", "This JSON names a tool, and a tool's result follows; read as its call.", at)
    return [*blocks[:-1], *calls_in(last.text, at, draft, ids)]


def said(body: str, at: Path | Place, draft: Draft, ids: CallIds) -> list[Block]:
    """What an assistant wrote: thoughts at the front, then text and calls in tags."""
    blocks, rest = thoughts(body)
    end = 0
    for found in _CALL.finditer(rest):
        blocks += _text(rest[end : found.start()])
        blocks += calls_in(found[1] if found[1] is not None else found[2], at, draft, ids)
        end = found.end()
    return [*blocks, *_text(rest[end:])]


def thoughts(body: str) -> tuple[list[Block], str]:
    """The thoughts that a text starts with, and the rest; their opening tag may stand in the prompt."""
    found = _THINK.match(body)
    if found is not None:
        thought, rest = found[1], body[found.end() :]
    elif "</think>" in body and "<think>" not in body:
        thought, _, rest = body.partition("</think>")
    else:
        return [], body
    thought = thought.strip(_SPACE)
    return [Reasoning(thought)] if thought else [], rest.strip(_SPACE)


def results_in(body: str, name: str, at: Path | Place, draft: Draft, ids: CallIds) -> list[Block]:
    """The results of a turn: each in its tags, or the whole."""
    if not body.startswith("<tool_response>"):
        return [_result(body, name, at, ids)]
    blocks: list[Block] = []
    end = 0
    for found in _RESPONSE.finditer(body):
        blocks += _text(body[end : found.start()])
        blocks.append(_result(found[1].strip(_SPACE), name, at, ids))
        end = found.end()
    return [*blocks, *_text(body[end:])]


def _result(text: str, name: str, at: Path | Place, ids: CallIds) -> ToolResult:
    """One result; it may be JSON that names its tool or its call."""
    inner = decode_embedded(text) if text.startswith("{") else None
    value = inner[0] if inner is not None and isinstance(inner[0], dict) else {}
    named = value.get("name") if "content" in value else None
    call = ids.result(
        next((value[key] for key in ("tool_call_id", "call_id") if isinstance(value.get(key), str)), None),
        name or (named if isinstance(named, str) else ""),
        at,
    )
    return ToolResult(call, (Text(text),) if text else ())


def _text(text: str) -> list[Block]:
    clean = text.strip(_SPACE)
    return [Text(clean)] if clean else []


def with_media(body: str) -> list[Block]:
    """A text, and the media that stand in it."""
    if "<" not in body and "[IMG]" not in body:
        return [Text(body)] if body else []
    blocks: list[Block] = []
    end = 0
    for found in _MEDIA.finditer(body):
        kind = found.lastgroup
        blocks += _text(body[end : found.start()])
        blocks.append(Media("image" if kind == "image" else "video" if kind == "video" else "audio", found[0]))
        end = found.end()
    return [*blocks, *_text(body[end:])] if blocks else [Text(body)] if body else []


def keep_front(end: int, source: Source, draft: Draft) -> None:
    """Keep what stands before the first turn and is no mark of a beginning."""
    if not _BEGINNING.fullmatch(source.text, source.start, end):
        keep_between(source.text, source.start, end, source, draft)


def keep_between(text: str, start: int, end: int, source: Source, draft: Draft) -> None:
    """Keep what stands outside of all turns, and say so."""
    if _NOTHING.fullmatch(text, start, end):
        return
    at = source.at(start, end)
    draft.extras.setdefault("text between turns", []).append(text[start:end])
    draft.warn(
        "text-between-turns",
        "Text stands outside of the marks of all turns; it is kept aside and belongs to none.",
        "Check that no mark is missing.",
        at,
    )
