"""What Claude Code shows on its screen, copied from there or written by `/export`: marks at the start of each part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from ..model import Block, Reasoning, Role, Text, ToolCall, ToolResult
from .call_ids import CallIds
from .draft import Draft
from .format import Format, Match, Medium, Source

_BANNER: Final = re.compile(
    r"[ \t]*▐▛███▜▌|╭─+[ \t]*(?:✻[ \t]*)?Claude Code\b|╭─+╮[ \t]*\r?\n│[ \t]*✻ Welcome to Claude Code"
)
_FIRST: Final = re.compile(r"[❯>] \S|[●⏺] \S")
_SAID: Final = re.compile(r"^[●⏺] \S", re.MULTILINE)
_RESULT: Final = re.compile(r"^  ⎿", re.MULTILINE)
#: How a part starts, by what it is.
_PART: Final = re.compile(
    r"(?P<user>[❯>](?: |$))|(?P<said>[●⏺](?: |$))|(?P<result>  ⎿ ?)|(?P<thought>[✻✽✢*∴·] Thinking…)"
    r"|(?P<status>[✻✽✢✶✳] )|(?P<aside>[═─]{3,}|[▐▝╭│╰▎ ]*[▛▜▘▝█╮╯▎│])"
)
_CALL: Final = re.compile(r"(?P<name>[A-Z]\w*|[\w.-]+ - [\w.-]+ \(MCP\))\((?P<taken>.*)\)(?: .{0,60})?", re.DOTALL)
_COMMAND: Final = re.compile(r"[/!#]")

_Kind = Literal["user", "said", "result", "thought", "status", "aside", "front"]


@dataclass(slots=True)
class _Part:
    """A part of the screen: its lines without the mark and the indent, and its range."""

    kind: _Kind
    start: int
    end: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")


def match_screen(source: Source) -> Match | None:
    """Score text that starts as the screen does, with what the assistant said somewhere behind."""
    text, start, end = source.text, source.start, source.end
    if source.is_json:
        return None
    if _BANNER.match(text, start) and _SAID.search(text, start, end):
        return Match(0.97, "it starts with the banner of Claude Code")
    if _FIRST.match(text, start) and _SAID.search(text, start, end) and _RESULT.search(text, start, end):
        return Match(0.95, "parts that start with `●` and `⎿`")
    return None


def read_screen(source: Source, draft: Draft) -> None:
    """Read the parts of the screen in order."""
    parts = list(_parts(source))
    screen = _Screen(source, draft)
    for index, part in enumerate(parts):
        following = parts[index + 1].kind if index + 1 < len(parts) else "aside"
        screen.read(part, following)
    screen.close()
    if screen.has_calls:
        text = "The screen shows calls and results shortened, and lines broken where it ended; read as they stand."
        draft.note("screen-text", text, None, "For all of it, paste the session file from `~/.claude/projects`.")


def _parts(source: Source) -> Iterator[_Part]:
    """The parts: each starts with its mark and goes on in the lines below."""
    part = _Part("front", source.start, source.start)
    # Where the screen marks the user by another sign, `>` starts a quote.
    user = "❯" if re.search(r"^❯ ", source.text[source.start : source.end], re.MULTILINE) else ">"
    for found in re.finditer(r"[^\n]*(?:\n|\Z)", source.text[source.start : source.end]):
        line = found[0].rstrip()
        start = source.start + found.start()
        mark = _mark(line, user, part)
        if mark is not None and mark.lastgroup is not None:
            yield part
            part = _Part(mark.lastgroup, start, start + len(line))  # type: ignore[arg-type]
            whole = part.kind in ("thought", "status", "aside")
            part.lines.append(line if whole else line[mark.end() :].lstrip() if part.kind == "result" else line[2:])
        elif line:
            part.lines.append(_dedented(line, 5 if part.kind == "result" else 2))
            part.end = start + len(line)
        elif part.kind in ("status", "aside") or (part.kind == "front" and not part.lines):
            # What the program says about itself ends with its paragraph.
            yield part
            part = _Part("front", start, start)
        else:
            part.lines.append("")
    yield part


def _mark(line: str, user: str, part: _Part) -> re.Match[str] | None:
    """The mark that starts a part in this line; what a user writes may hold rules and boxes."""
    found = _PART.match(line)
    if found is None or (found.lastgroup == "user" and line[0] != user):
        return None
    return None if found.lastgroup == "aside" and part.kind == "user" else found


def _dedented(line: str, most: int) -> str:
    indent = len(line) - len(line.lstrip(" "))
    return line[min(indent, most) :]


class _Screen:
    """Puts the parts together: what the assistant said one behind the other is one message, the results follow."""

    def __init__(self, source: Source, draft: Draft) -> None:
        self._source = source
        self._draft = draft
        self._ids = CallIds(draft)
        self._blocks: list[Block] = []
        self._at = (0, 0)
        self._results: list[ToolResult] = []
        self._results_at = (0, 0)
        self.has_calls = False
        #: Whether the last thing was a command to the program, whose output follows.
        self._in_command = False

    def read(self, part: _Part, following: _Kind) -> None:
        """Read the next part."""
        text = part.text
        if part.kind == "result" and not self._in_command:
            self._result(part)
            return
        if part.kind == "aside" and "Conversation compacted" in text:
            note = "The conversation was compacted here; the turns before it stay."
            self._draft.note("compacted", note, self._source.at(part.start, part.end))
            self._in_command = True
        elif part.kind in ("said", "thought", "user"):
            self._in_command = part.kind == "user" and following == "result" and _COMMAND.match(text) is not None
        if not text:
            return
        if part.kind == "said":
            self._say(self._call(text, part) or Text(text), part)
        elif part.kind == "thought":
            self._say(Reasoning("\n".join(part.lines[1:]).strip("\n")), part)
        elif part.kind == "user" and not self._in_command:
            self.close()
            self._draft.add(Role.USER, (Text(text),), self._source.at(part.start, part.end))
        else:
            name = "commands" if self._in_command else "lines of the program"
            self._draft.extras.setdefault(name, []).append(text)

    def _call(self, text: str, part: _Part) -> ToolCall | None:
        found = _CALL.fullmatch(text)
        if found is None:
            return None
        self.has_calls = True
        if not any(isinstance(block, ToolCall) for block in self._blocks):
            self._ids.turn()
        call = self._ids.call(None, found["name"], self._source.at(part.start, part.end))
        return ToolCall(call, found["name"], {"input": found["taken"]})

    def _say(self, block: Block, part: _Part) -> None:
        if self._results:
            self.close()
        self._at = (self._at[0] if self._blocks else part.start, part.end)
        self._blocks.append(block)

    def _result(self, part: _Part) -> None:
        last = self._blocks[-1] if self._blocks else None
        call = last.id if isinstance(last, ToolCall) else ""
        if self._results and self._results[-1].tool_call_id == call:
            # Of a call that has its result already it is what hooks say, or more of it.
            before = self._results.pop()
            self._results.append(ToolResult(call, (*before.content, Text(part.text))))
        else:
            self._results.append(ToolResult(call, (Text(part.text),)))
        self._results_at = (self._results_at[0] if len(self._results) > 1 else part.start, part.end)

    def close(self) -> None:
        """End what the assistant says, and the results behind it."""
        if self._blocks:
            self._draft.add(Role.ASSISTANT, self._blocks, self._source.at(*self._at))
        if self._results:
            self._draft.add(Role.TOOL, self._results, self._source.at(*self._results_at))
        self._blocks, self._results = [], []


CLAUDE_CODE_TEXT: Final = Format(
    "claude-code-text",
    "Claude Code screen",
    "the banner of Claude Code, or parts that start with `❯`, `●` and `⎿`",
    "what the screen leaves out of calls and results; which of them failed; commands are kept as extras",
    match_screen,
    read_screen,
    medium=Medium.TEXT,
    alone=True,
    priority=3,
)
