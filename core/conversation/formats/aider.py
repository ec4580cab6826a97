"""Aider's chat history: `####` lines of the user, `>` lines of the program, and answers in Markdown between them."""

from __future__ import annotations

import bisect
import re
from typing import Final, Literal

from ..model import Role, Text
from ..remarks import shown
from .code_fences import code_fences
from .draft import Draft
from .format import Format, Match, Medium, Source

_START: Final = re.compile(r"# aider chat started at (?P<when>[^\r\n]*)")
#: How the end of a history starts, where its beginning is cut off.
_TURN: Final = re.compile(r"####(?: |[ \t]*$)|> ", re.MULTILINE)
_MARK: Final = re.compile(r"^(?:# aider chat started at |> (?:Tokens: [\d.,]+k? sent|Aider v\d))", re.MULTILINE)
_LINE: Final = re.compile(r"[^\n]*(?:\n|\Z)")
#: Commands that ask a model something.
_ASKS: Final = re.compile(r"/(?:ask|code|architect|context|help)[ \t]+\S")
_COMMAND: Final = re.compile(r"!|/[a-z][a-z-]*(?:\s|\Z)")

_Kind = Literal["start", "user", "command", "tool", "text", "blank"]


def match_history(source: Source) -> Match | None:
    """Score text that starts with the heading of a chat, or with a turn of one whose marks follow."""
    if source.is_json:
        return None
    if _START.match(source.text, source.start):
        return Match(0.97, "it starts with `# aider chat started at`")
    if _TURN.match(source.text, source.start) and (found := _MARK.search(source.text, source.start, source.end)):
        return Match(0.9, f"turns in `####`, with `{found[0].strip()}`")
    return None


def read_history(source: Source, draft: Draft) -> None:
    """Read each chat of the history as a conversation."""
    chats = [_Chat("")]
    for line in _lines(source):
        if line.kind == "start":
            chats.append(_Chat(line.text))
        chats[-1].lines.append(line)
    full = [chat for chat in chats if chat.has_turn]
    for chat in full:
        chat.read(draft.begin("", source.at(*chat.span)) if len(full) > 1 else draft, source)
    empty = [chat for chat in chats if not chat.has_turn and chat.lines]
    for chat in empty:
        chat.keep(draft, source, chat.lines, "lines beside the chats")
    if empty := [chat for chat in empty if chat.when]:
        what = f"{len(empty):,} chats of the history have" if len(empty) > 1 else "One chat of the history has"
        draft.note("empty-chats", f"{what} no turn.", source.at(*empty[0].span))


class _Line:
    """A line outside or inside code fences: what it is, its text without marks, and its range."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: _Kind, text: str, start: int, end: int) -> None:
        self.kind, self.text, self.start, self.end = kind, text, start, end


def _lines(source: Source) -> list[_Line]:
    """The lines of the history, told apart; what stands in a closed code fence is text."""
    text, start, end = source.text, source.start, source.end
    fences = code_fences(text, start, end)
    opened = [fence[0] for fence in fences]
    found: list[_Line] = []
    ruled = re.search(r"^> [^\n]*  \r?$", text[start:end], re.MULTILINE) is not None
    asked = re.search(r"^#### [^\r\n]*", text[start:end], re.MULTILINE)
    spaced = asked is not None and asked[0].endswith("  ")
    for match in _LINE.finditer(text, start, end):
        if match.start() == match.end():
            continue
        body = match[0].rstrip("\r\n")
        before = bisect.bisect_right(opened, match.start()) - 1
        fenced = before >= 0 and match.start() < fences[before][1]
        # The last line has lost its spaces with the end of the paste.
        told: tuple[_Kind, str] = ("text", body)
        if not fenced:
            is_last = match.end() == end
            told = _told(body, ruled=ruled and not is_last, spaced=spaced and not is_last)
        found.append(_Line(*told, match.start(), match.start() + len(body)))
    return found


def _told(body: str, *, ruled: bool, spaced: bool) -> tuple[_Kind, str]:
    """What a line is; `ruled` where lines of the program end in two spaces, `spaced` where those of the user do."""
    if found := _START.match(body):
        return "start", found["when"].strip()
    if (body.startswith("#### ") and (not spaced or body.endswith("  "))) or body.rstrip() == "####":
        return "user", body[5:].rstrip(" ") if body.endswith("  ") else body[5:]
    if body.startswith(">") and (body[1:2] in (" ", "")) and (not ruled or body.endswith(" ") or body == ">"):
        return "tool", body[2:].rstrip()
    return ("text", body) if body.strip() else ("blank", body)


class _Chat:
    """The lines of one chat, from its heading on."""

    def __init__(self, when: str) -> None:
        self.when = when
        self.lines: list[_Line] = []

    @property
    def has_turn(self) -> bool:
        """Whether its user asked something, or an answer stands in it."""
        return any(kind in ("user", "text") for kind, _ in self._parts())

    @property
    def span(self) -> tuple[int, int]:
        """Its range in the text."""
        return self.lines[0].start, self.lines[-1].end

    def keep(self, draft: Draft, source: Source, lines: list[_Line], name: str = "lines of the program") -> None:
        """Keep lines that are no turn, by number."""
        kept = [line for line in lines if line.kind not in ("blank", "start")]
        if kept:
            into = draft.extras.setdefault(name, {})
            for line in kept:
                into[_number(line, source)] = line.text

    def read(self, draft: Draft, source: Source) -> None:
        """Read the turns into a draft."""
        if self.when:
            draft.extras["chat started at"] = self.when
        commands = 0
        for kind, lines in self._parts():
            if kind == "command":
                commands += 1
                draft.extras.setdefault("commands", {})[_number(lines[0], source)] = _joined(lines)
            elif kind in ("user", "text"):
                place = source.at(lines[0].start, lines[-1].end)
                draft.add(Role.USER if kind == "user" else Role.ASSISTANT, (Text(_joined(lines)),), place)
            else:
                self.keep(draft, source, lines)
        if commands:
            what = f"{commands:,} commands" if commands > 1 else "A command"
            draft.note("slash-commands", f"{what} to the program got no answer of the model; kept aside, as no turn.")

    def _parts(self) -> list[tuple[_Kind, list[_Line]]]:
        """The runs of lines as what they are in the chat: what stands before its first question is no answer."""
        runs, parts = self._runs(), list[tuple[_Kind, list[_Line]]]()
        begun = not self.when
        for index, (kind, lines) in enumerate(runs):
            what: _Kind = kind
            if kind == "user" and _is_command(lines) and not _is_answered(runs, index):
                what = "command"
            elif (kind == "user" and not _joined(lines).strip()) or (kind == "text" and not begun):
                what = "tool"
            begun = begun or what == "user"
            parts.append((what, lines))
        return parts

    def _runs(self) -> list[tuple[_Kind, list[_Line]]]:
        """Neighbouring lines of a kind. Blank lines belong to an answer, and end what a user says."""
        runs: list[tuple[_Kind, list[_Line]]] = []
        open_kind: _Kind | None = None
        for line in self.lines:
            if line.kind == "blank":
                if open_kind == "text":
                    runs[-1][1].append(line)
                elif open_kind == "user":
                    open_kind = None
            elif line.kind == open_kind:
                runs[-1][1].append(line)
            else:
                open_kind = line.kind
                runs.append((line.kind, [line]))
        for kind, lines in runs:
            while kind == "text" and lines[-1].kind == "blank":
                lines.pop()
        return runs


def _is_answered(runs: list[tuple[_Kind, list[_Line]]], index: int) -> bool:
    """Whether a text follows before the user says something again."""
    behind = (runs[i][0] for i in range(index + 1, len(runs)))
    return next((kind for kind in behind if kind in ("text", "user")), None) == "text"


def _is_command(lines: list[_Line]) -> bool:
    first = lines[0].text
    return _COMMAND.match(first) is not None and not _ASKS.match(first)


def _joined(lines: list[_Line]) -> str:
    return "\n".join(line.text for line in lines)


def _number(line: _Line, source: Source) -> str:
    place = source.at(line.start, line.end)
    return shown(place.line if not isinstance(place, tuple) else line.start)


AIDER_MARKDOWN: Final = Format(
    "aider-markdown",
    "Aider history",
    "`# aider chat started at`, `####` lines of the user, `>` lines of the program",
    "blank lines around turns; lines of the program and commands without an answer are kept as extras",
    match_history,
    read_history,
    medium=Medium.TEXT,
    example="aider-history",
    priority=3,
)
