"""Characters that a wrong decoding or a terminal put into a text: NULs of UTF-16 and UTF-32, escape sequences."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

from ..diagnostics import Severity
from ..positions import place_at
from ..remarks import Remark
from .rewriting import Pieces, Rewriting

#: One NUL in so many characters is no accident.
_SHARE = 3
#: A byte order mark that was read as characters.
_MARK = re.compile("(?:\ufffd{2}|\xff\xfe|\xfe\xff|\ufeff)?\x00{0,2}|\x00\x00\ufffd{2}")
_ANSI = re.compile(r"\x1b(?:\[[0-9;:?]*+[ -/]*+[@-~]|\][^\x07\x1b]*+(?:\x07|\x1b\\)|[@-Z\\^_])")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def without_nulls(text: str) -> tuple[Rewriting, Remark] | None:
    """A text of two or four bytes a character that was read as one byte a character; None where it is none."""
    nulls = text.count("\0")
    if nulls * _SHARE < len(text):
        return None
    width = 4 if nulls * 2 > len(text) + 8 else 2
    # In UTF-16 of Latin text, the zero stands behind each character in the little-endian order, before it else.
    little = text.count("\0", 0, 4096) > 0 and not text.lstrip("\ufffd\xff\xfe\ufeff").startswith("\0")
    name = f"utf-{width * 8}-{'le' if little else 'be'}"
    made = _decoded(text, width, name) or _stripped(text, width)
    message = "Zero characters stand between the letters: this is UTF-16 or UTF-32 that was read as another encoding."
    step = "Save it as UTF-8, and copy it again."
    return made, Remark(Severity.WARNING, "wrong-encoding", message, step, place=place_at(text, 0, 1))


def _decoded(text: str, width: int, name: str) -> Rewriting | None:
    """The very text, where each character still is its byte."""
    try:
        raw = text.encode("latin-1")
    except UnicodeEncodeError:
        return None
    mark = width if raw[:4].rstrip(b"\0") in (b"\xff\xfe", b"\xfe\xff") or raw[:4] == b"\0\0\xfe\xff" else 0
    body = raw[mark:]
    try:
        made = (body + b"\0" * (-len(body) % width)).decode(name)
    except UnicodeDecodeError:
        return None
    new, old = array("q", [0]), array("q", [mark])
    if width == 2:
        # Characters beyond the first 65,536 take four bytes; what follows one stands two further on.
        for count, found in enumerate(_ASTRAL.finditer(made), 1):
            new.append(found.end())
            old.append(mark + 2 * found.end() + 2 * count)
    ends = array("q", [*old[1:], len(text)])
    return Rewriting(text, made, new, old, ends, width)


def _stripped(text: str, width: int) -> Rewriting:
    """The text without its NULs; what was no Latin letter was lost before."""
    begin = _MARK.match(text)
    start = begin.end() if begin else 0
    new, old, ends = array("q"), array("q"), array("q")
    parts = []
    at = 0
    gap = "\0" * (width - 1)
    for found in re.compile(f"(?:[^\0]{gap})++|(?:{gap}[^\0])++|[^\0]").finditer(text, start):
        part = found[0].replace("\0", "")
        new.append(at)
        old.append(found.start())
        ends.append(found.end())
        parts.append(part)
        at += len(part)
    return Rewriting(text, "".join(parts), new, old, ends, width)


def without_ansi(text: str) -> tuple[Rewriting, Remark] | None:
    """A text without the colours of a terminal; None where it has none."""
    first = _ANSI.search(text) if "\x1b" in text else None
    if first is None:
        return None
    pieces = Pieces(text)
    for start, end in _between(text, _ANSI):
        pieces.copy(start, end)
    message = "Colour codes of a terminal stand in the text; they were left out."
    place = place_at(text, first.start(), first.end())
    step = "Copy it without colours, as with `jq -M` or `NO_COLOR=1`."
    return pieces.finish(), Remark(Severity.WARNING, "terminal-codes", message, step, place=place)


def _between(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The ranges between the matches."""
    at = 0
    for found in pattern.finditer(text):
        yield at, found.start()
        at = found.end()
    yield at, len(text)
