"""String literals of JavaScript and Python, rewritten to JSON strings."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

_DOUBLE, _SINGLE = "\u201c\u201d\u201e\u201f", "\u2018\u2019\u201a\u201b"
#: All quotes that word processors make of straight ones.
CURLY = _DOUBLE + _SINGLE + "\u00ab\u00bb\u300c\u300e\u301d\uff02"
#: What French puts inside its quotes.
_THIN = " \u00a0\u202f"
_OPENING = re.compile(rf"(?P<prefix>[bBrRuUfF]{{0,2}})(?P<quote>\"\"\"|'''|[\"'`{CURLY}])")


#: What stands behind a value or a key: a bracket, or a mark and what may follow it. Prose goes on with words.
_ENDS_VALUE = (
    rf"\s*+(?:[}}\])]|\Z|[,:]\s*+(?:[\"'`{{}}\[\](\d#<{CURLY}-]|\Z|\.\.\.|\u2026|/[/*]"
    r"|(?:true|false|null|None|True|False|undefined|NaN|Infinity)\b|[A-Za-z_$][\w$.]*+\s*+[:=(]))"
)


def _closed_by(quote: str, inside: str = "") -> re.Pattern[str]:
    """What stands between quotes, and the closing one; linear however it ends."""
    return re.compile(rf"((?:[^{quote[0]}\\]++|\\.{inside})*+){quote}", re.DOTALL)


def _curly(quotes: str, straight: str) -> re.Pattern[str]:
    """The same with curly quotes: one closes only where a value may end, since texts hold them too."""
    some = quotes + straight
    return re.compile(rf"((?:[^{some}\\]++|\\.|[{some}](?!{_ENDS_VALUE}))*+)[{some}]", re.DOTALL)


_BODIES = {
    '"': _closed_by('"'),
    "'": _closed_by("'"),
    "`": _closed_by("`"),
    '"""': _closed_by('"""', '|"(?!"")'),
    "'''": _closed_by("'''", "|'(?!'')"),
    "\u00ab": _closed_by("\u00bb"),
    "\u00bb": _closed_by("\u00ab"),
    "\u300c": _closed_by("\u300d"),
    "\u300e": _closed_by("\u300f"),
    "\u301d": _closed_by("\u301e"),
    "\uff02": _closed_by("\uff02"),
} | {quote: _curly(family, straight) for family, straight in ((_DOUBLE, '"'), (_SINGLE, "'")) for quote in family}

#: What cannot stand in a JSON string as it is.
_SPECIAL = re.compile(
    r"""\\(?: u[0-9a-fA-F]{4} | x[0-9a-fA-F]{2} | U[0-9a-fA-F]{8} | N\{[^{}\n]{1,88}\} | [0-7]{1,3} | \r?\n | . )
      | ["\x00-\x1f]""",
    re.DOTALL | re.VERBOSE,
)
_KEPT = frozenset('"\\/bfnrt')
_PLAIN = {"'": "'", "`": "`", "$": "$", "a": "\\u0007", "v": "\\u000b", "\n": "", "\r": ""}


class Literal(NamedTuple):
    """A literal: its JSON, its end, its quote, and the code and offset of what else was rewritten in it."""

    json: str
    end: int
    quote: str
    odd: tuple[tuple[str, int], ...]


def opens_string(text: str, at: int) -> bool:
    """Whether a string literal, with or without a prefix, opens here."""
    return _OPENING.match(text, at) is not None


def literal(text: str, at: int, until: int) -> Literal | None:
    """The string literal at an offset; None where none opens. Raises json.JSONDecodeError where it is broken."""
    opening = _OPENING.match(text, at, until)
    if opening is None:
        return None
    quote, prefix = opening["quote"], opening["prefix"].lower()
    found = _BODIES[quote].match(text, opening.end(), until)
    if found is None:
        raise json.JSONDecodeError("Unterminated string starting at", text, opening.start("quote"))
    odd: list[tuple[str, int]] = []
    if quote in CURLY:
        odd.append(("json-curly-quotes", at))
    elif quote[0] != '"':
        odd.append(("json-single-quotes", at))
    if prefix or len(quote) == 3:
        odd.append(("json-f-string" if "f" in prefix and "{" in found[1] else "json-python-literal", at))
    if "b" in prefix:
        made = _bytes(text, found, odd)
    elif "r" in prefix:
        made = json.dumps(found[1], ensure_ascii=False)
    else:
        made = _json(text, found, quote, odd)
    return Literal(made, found.end(), quote, tuple(odd))


def _json(text: str, found: re.Match[str], quote: str, odd: list[tuple[str, int]]) -> str:
    start, end = found.span(1)
    if quote == "\u00ab" and end - start > 1 and text[start] in _THIN and text[end - 1] in _THIN:
        start, end = start + 1, end - 1
    several_lines = len(quote) == 3 or quote == "`"

    def special(one: re.Match[str]) -> str:
        return _as_json(one, text, start, quote, several_lines, odd)

    return f'"{_SPECIAL.sub(special, text[start:end])}"'


def _as_json(
    one: re.Match[str], text: str, start: int, quote: str, several_lines: bool, odd: list[tuple[str, int]]
) -> str:
    part = one[0]
    at = start + one.start()
    if part[0] != "\\":
        if part != '"' and not (several_lines and part in "\r\n\t"):
            odd.append(("raw-control-character", at))
        return '\\"' if part == '"' else json.dumps(part)[1:-1]
    kind = part[1]
    if kind in CURLY and quote in CURLY:
        return kind
    if kind in _KEPT or (kind == "u" and len(part) == 6):
        return part
    if kind in _PLAIN:
        if quote == '"' or quote in CURLY:
            odd.append(("json-escape", at))
        return _PLAIN[kind]
    if len(part) > 2 or kind in "01234567":
        if quote == '"' or quote in CURLY:
            odd.append(("json-escape", at))
        return _numbered(part, kind, text, at)
    if kind in "xuUN":
        raise json.JSONDecodeError("Invalid \\escape", text, at)
    odd.append(("json-escape", at))
    return "\\\\" + kind


def _numbered(part: str, kind: str, text: str, at: int) -> str:
    """A character that is escaped by its number or its name."""
    try:
        if kind == "N":
            return json.dumps(unicodedata.lookup(part[3:-1]), ensure_ascii=False)[1:-1]
        digits, base = (part[2:], 16) if kind in "xU" else (part[1:], 8)
        number = int(digits, base)
        return json.dumps(chr(number))[1:-1]
    except (KeyError, ValueError):
        raise json.JSONDecodeError("Invalid \\escape", text, at) from None


def _bytes(text: str, found: re.Match[str], odd: list[tuple[str, int]]) -> str:
    """The text that printed bytes hold."""
    escaped: Callable[[re.Match[str]], str] = lambda one: _byte(one, text, found.start(1))  # noqa: E731
    content = _SPECIAL.sub(escaped, found[1]).encode("latin-1", "replace")
    try:
        made = content.decode()
    except UnicodeDecodeError:
        odd.append(("json-bytes", found.start(1)))
        made = content.decode(errors="replace")
    return json.dumps(made, ensure_ascii=False)


def _byte(one: re.Match[str], text: str, start: int) -> str:
    part = one[0]
    if part[0] != "\\":
        return part
    kind = part[1]
    if kind in "01234567" or (kind == "x" and len(part) == 4):
        digits, base = (part[2:], 16) if kind == "x" else (part[1:], 8)
        return chr(int(digits, base) & 0xFF)
    if kind == "x":
        raise json.JSONDecodeError("Invalid \\escape", text, start + one.start())
    if kind in "uUN":
        return part
    simple = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "\n": "", "\r": ""}
    return simple.get(kind, kind if kind in "\\'\"" else part)
