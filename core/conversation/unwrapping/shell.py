"""Words of a shell command, each with where its characters stand: POSIX quoting, and that of Windows' prompt."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from .rewriting import Pieces, Rewriting

_PLAIN = re.compile(r"[^\s'\"\\$;|&<>()`]+")
_ANSI_C = re.compile(r"\$'((?:[^'\\]++|\\.)*+)'", re.DOTALL)
_SINGLE = re.compile(r"'([^']*+)'")
_DOUBLE = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_IN_DOUBLE = re.compile(r'\\(["\\$`]|\r?\n)')
#: White space, lines that go on, and the mark of PowerShell and of Windows' prompt for that.
_SPACE = re.compile(r"(?:[ \t]|[\\`^][ \t]*\r?\n)+")
#: A here-document as the value of an option.
_CAT = re.compile(
    r"\"?\$\([ \t]*cat[ \t]*<<-?[ \t]*(?P<quote>['\"]?)(?P<tag>\w+)(?P=quote)[ \t]*\r?\n"
    r"(?P<body>.*?)\r?\n[ \t]*(?P=tag)\s*\)\"?",
    re.DOTALL,
)
_HEREDOC = re.compile(r"<<-?[ \t]*(?P<quote>['\"]?)(?P<tag>\w+)(?P=quote)")
#: How Windows' prompt escapes a quote, and how it goes on in the next line.
_CARETS = re.compile(r"\^(?P<char>\r?\n[ \t]*|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "e": "\x1b", "E": "\x1b"}


@dataclass(frozen=True, slots=True, repr=False)
class Word:
    """One word: its text, and how that was made of the command."""

    text: str
    pieces: Pieces
    start: int
    end: int


@dataclass(frozen=True, slots=True, repr=False)
class Command:
    """A command: its words, where it ends, and the text of a here-document."""

    words: list[Word]
    end: int
    heredoc: Word | None = None


class Unclosed(ValueError):
    """A quote that is not closed; it stands at `offset`."""

    def __init__(self, offset: int) -> None:
        super().__init__("a quote is not closed")
        self.offset = offset


def command_at(text: str, at: int, end: int) -> Command:
    """The command at an offset. Raises Unclosed."""
    words: list[Word] = []
    heredoc: Word | None = None
    while at < end:
        space = _SPACE.match(text, at, end)
        at = space.end() if space else at
        if at >= end or text[at] in "\r\n;|&)`":
            break
        if found := _HEREDOC.match(text, at, end):
            heredoc, at = _heredoc(text, found, end)
            break
        if text[at] in "<>":
            break
        word = _word(text, at, end)
        words.append(word)
        at = word.end
    return Command(words, at, heredoc)


def _word(text: str, at: int, end: int) -> Word:
    pieces = Pieces(text)
    begin = at
    if found := _CAT.match(text, at, end):
        pieces.copy(*found.span("body"))
        return Word(found["body"], pieces, begin, found.end())
    while at < end and not text[at].isspace() and text[at] not in ";|&<>)":
        char = text[at]
        if found := _PLAIN.match(text, at, end):
            pieces.copy(at, found.end())
        elif char == "'" and (found := _SINGLE.match(text, at, end)):
            pieces.copy(found.start(1), found.end(1))
        elif char == '"' and (found := _DOUBLE.match(text, at, end)):
            _add(pieces, text, found.span(1), _IN_DOUBLE, lambda one: "" if one[1][-1] == "\n" else one[1])
        elif found := _ANSI_C.match(text, at, end):
            _add(pieces, text, found.span(1), _ESCAPE, _ansi_c)
        elif char in "'\"":
            raise Unclosed(at)
        elif char == "\\":
            if _SPACE.match(text, at, end):
                break
            pieces.copy(at + 1, at + 2)
            at += 2
            continue
        else:
            pieces.copy(at, at + 1)
            at += 1
            continue
        at = found.end()
    return Word(pieces.finish().text, pieces, begin, max(at, begin + 1))


def _add(pieces: Pieces, text: str, span: tuple[int, int], pattern: re.Pattern[str], by: object) -> None:
    at = span[0]
    for found in pattern.finditer(text, *span):
        pieces.copy(at, found.start())
        pieces.put(by(found), found.start(), found.end())  # type: ignore[operator]
        at = found.end()
    pieces.copy(at, span[1])


def _ansi_c(found: re.Match[str]) -> str:
    part = found[1]
    if part[0] == "u":
        # Half a character is completed by its other half when the JSON is read.
        return json.dumps(chr(int(part[1:], 16)))[1:-1] if part[1] in "dD" else chr(int(part[1:], 16))
    if part[0] == "x" and len(part) > 1:
        return chr(int(part[1:], 16))
    if part[0] in "01234567":
        return chr(int(part, 8) & 0xFF)
    return _NAMED.get(part, part)


def _heredoc(text: str, found: re.Match[str], end: int) -> tuple[Word | None, int]:
    """The text of a here-document, and the end of the command with it."""
    line = text.find("\n", found.end(), end)
    if line < 0:
        return None, end
    closing = re.compile(rf"^[ \t]*{re.escape(found['tag'])}[ \t]*\r?$", re.MULTILINE).search(text, line + 1, end)
    until = closing.start() if closing else end
    pieces = Pieces(text)
    pieces.copy(line + 1, until)
    return Word(text[line + 1 : until], pieces, line + 1, until), closing.end() if closing else end


def without_carets(text: str, at: int, end: int) -> Rewriting | None:
    """The command with what Windows' prompt escapes by `^` as it stands; None where it escapes nothing so."""
    if '^"' not in text[at:end] and "^\n" not in text[at:end] and "^\r\n" not in text[at:end]:
        return None
    pieces = Pieces(text)
    behind = at
    for found in _CARETS.finditer(text, at, end):
        pieces.copy(behind, found.start())
        char = found["char"]
        pieces.put(" " if char.strip() == "" and "\n" in char else char, found.start(), found.end())
        behind = found.end()
    pieces.copy(behind, end)
    return pieces.finish()
