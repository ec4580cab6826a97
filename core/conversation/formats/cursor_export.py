"""Cursor's Markdown export: a heading, then turns between rules; rules and names inside answers are text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ..model import Role, Text
from ..remarks import shown
from .draft import Draft
from .format import Format, Match, Medium, Source

#: Where a line starts, be it behind a byte order mark.
_LINE: Final = r"(?<![^\n\ufeff])"
_EXPORT: Final = re.compile(
    rf"(?:{_LINE}#[ \t](?P<title>[^\r\n]*)\r?\n(?:[ \t]*\r?\n)*+)?"
    rf"{_LINE}_Exported on (?P<when>[^\r\n]*?) from Cursor\b[^\r\n]*"
)
#: A rule, then a name alone on its line.
_HEAD: Final = re.compile(
    r"^-{3,}+[ \t]*\r?\n(?:[ \t]*\r?\n)*+\*\*(?P<name>User|Cursor|Assistant)\*\*[ \t]*\r?$\n?", re.MULTILINE
)
_BARE: Final = re.compile(r"^\*\*(?P<name>User|Cursor|Assistant)\*\*[ \t]*\r?$\n?", re.MULTILINE)
_FENCE: Final = re.compile(r"^[ ]{0,3}(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
#: What people put between two exports.
_RULE: Final = re.compile(r"\n-{3,}+\Z")


def match_export(source: Source) -> Match | None:
    """Score text that starts as an export does."""
    if source.is_json or _EXPORT.match(source.text, source.start) is None:
        return None
    return Match(0.97, "it starts with `_Exported on ... from Cursor_`")


class _Turn(NamedTuple):
    """A speaker line, and the range of the text behind it."""

    name: str
    start: int
    body: int
    end: int


def read_export(source: Source, draft: Draft) -> None:
    """Read each export of the paste as a conversation."""
    text, marks = source.text, _marks(source)
    fence = _Fences(marks)
    heads: list[re.Match[str]] = []
    for found in _EXPORT.finditer(text, source.start, source.end):
        if not heads or not fence.covers(found.start()):
            heads.append(found)
            fence.begin(found.end())
    for index, head in enumerate(heads):
        is_last = index + 1 == len(heads)
        end = source.end if is_last else heads[index + 1].start()
        made = draft.begin("", source.at(head.start(), end)) if len(heads) > 1 else draft
        title = " ".join((head["title"] or "").split())
        made.title = shown(title, 80)
        made.extras |= {"export": {"title": title, "exported on": head["when"]}}
        _read_turns(source, made, head.end(), end, marks)


def _read_turns(source: Source, draft: Draft, start: int, end: int, marks: list[re.Match[str]]) -> None:
    turns, hidden = _turns(source.text, start, end, marks)
    front = source.text[start : turns[0].start if turns else end].strip().strip("-").strip()
    if front:
        draft.extras["text in front"] = front
        draft.warn(
            "text-in-front",
            "Text stands before the first speaker line; it is kept aside and belongs to no turn.",
            "Give it a speaker line, or read the paste as a plain prompt.",
            source.at(start, turns[0].start if turns else end),
        )
    for turn in turns:
        body = source.text[turn.body : turn.end].rstrip()
        if turn.end == end != source.end and (rule := _RULE.search(body, body.rfind("\n"))):
            body = body[: rule.start()].rstrip()
        first = len(body) - len(body.lstrip("\r\n"))
        role = Role.USER if turn.name == "User" else Role.ASSISTANT
        content = (Text(body[first:]),) if body[first:].strip() else ()
        draft.add(role, content, source.at(turn.start, turn.body + len(body)))
    for at in hidden:
        note = "This speaker line stands in a code fence; it is read as text of the turn."
        draft.note("separator-in-fence", note, source.at(at, at))


def _turns(text: str, start: int, end: int, marks: list[re.Match[str]]) -> tuple[list[_Turn], list[int]]:
    """The turns, and where speaker lines stand in code fences."""
    heads = list(_HEAD.finditer(text, start, end)) or list(_BARE.finditer(text, start, end))
    found: list[re.Match[str]] = []
    hidden: list[int] = []
    fence = _Fences(marks)
    for head in heads:
        if found and fence.covers(head.start()):
            hidden.append(head.start())
        else:
            found.append(head)
            fence.begin(head.end())
    starts = [*(head.start() for head in found), end]
    return [_Turn(h["name"], h.start(), h.end(), starts[i + 1]) for i, h in enumerate(found)], hidden


class _Fences:
    """Which speaker lines a fence of their own turn covers.

    A fence that a turn opens and never closes covers nothing: the next mark behind the speaker line then opens a fence
    again, with its language.
    """

    def __init__(self, marks: list[re.Match[str]]) -> None:
        self._marks = marks
        self._index = 0
        self._open = ""
        self._until = 0

    def begin(self, at: int) -> None:
        """Begin a turn; no fence is open."""
        self._open, self._until = "", 0
        while self._index < len(self._marks) and self._marks[self._index].start() < at:
            self._index += 1

    def covers(self, at: int) -> bool:
        """Whether a fence is open there, and closed later on. Ask in order."""
        if at < self._until:
            return True
        while self._index < len(self._marks) and self._marks[self._index].start() < at:
            mark = self._marks[self._index]
            self._index += 1
            if not self._open:
                self._open = mark["mark"]
            elif _closes(mark, self._open):
                self._open = ""
        if not self._open:
            return False
        behind = (self._marks[i] for i in range(self._index, len(self._marks)))
        following = next((mark for mark in behind if mark["mark"].startswith(self._open)), None)
        if following is None or following["info"].strip():
            return False
        self._until = following.start()
        return True


def _closes(mark: re.Match[str], opened: str) -> bool:
    return mark["mark"].startswith(opened) and not mark["info"].strip()


def _marks(source: Source) -> list[re.Match[str]]:
    return list(_FENCE.finditer(source.text, source.start, source.end))


CURSOR_MARKDOWN: Final = Format(
    "cursor-markdown",
    "Cursor export",
    "`_Exported on ... from Cursor_`, then `**User**` and `**Cursor**` between rules",
    "rules between turns and blank lines around them",
    match_export,
    read_export,
    medium=Medium.TEXT,
    example="cursor-export-rules-inside-answer",
    priority=3,
)
