"""JSON whose quotes were escaped once more: HTML, a string without its quotes, a cell of CSV, a literal of Python."""

from __future__ import annotations

import html
import json
import re

from ..diagnostics import Severity
from ..positions import place_at
from ..remarks import Remark
from .rewriting import Pieces, Rewriting, replaced
from .strings import literal

_ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_TWICE = re.compile(f"&amp;{_ENTITY.pattern[1:]}")
_HTML = re.compile(r"(?:[\[{]\s*)+(?:&amp;|&)(?:quot|#34|#x22|#39|apos);|(?:&#123;|&lbrace;|&#91;|&lbrack;)")
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SIMPLE = {f"\\{name}": meant for name, meant in zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True)}
_ESCAPED = re.compile(r"[\[{](?:\s|\\+[nrt]|[\[{])*\\+\"")
_CSV = re.compile(r'"?[\[{](?:\s|[\[{])*""(?!\s*[:,\]}])')
_LITERAL = re.compile(r"(?:json\.loads\(\s*)?(?P<string>[bBuUrR]{0,2}(?:\'\'\'|\'|\"\"\"|\"|`))")


def unquoted(text: str, start: int, end: int) -> tuple[Rewriting, Remark] | None:
    """The text between these offsets with its quotes as JSON has them; None where they are not escaped."""
    if _HTML.match(text, start):
        return _html(text, start, end), _said(text, start, "json-html", "The quotes are HTML (&quot;); they were read")
    if _ESCAPED.match(text, start):
        what = 'The quotes are escaped (\\"): this JSON was copied out of a string; it was read'
        return _unescaped(text, start, end), _said(text, start, "json-escaped", what)
    if _CSV.match(text, start):
        what = 'The quotes are doubled (""): this JSON was copied out of CSV; it was read'
        return _from_csv(text, start, end), _said(text, start, "json-csv", what)
    return _from_literal(text, start, end)


def _said(text: str, at: int, code: str, what: str) -> Remark:
    step = "Copy it from where it is not escaped, to be sure that nothing was changed."
    return Remark(Severity.WARNING, code, f"{what}.", step, place=place_at(text, at, at + 1))


def _html(text: str, start: int, end: int) -> Rewriting:
    # Quotes that were escaped twice come out of two rounds.
    if "&amp;quot;" in text[start : start + 200]:
        return replaced(text, start, end, _TWICE, lambda found: html.unescape(html.unescape(found[0])))
    return replaced(text, start, end, _ENTITY, lambda found: html.unescape(found[0]))


def string_inside(text: str, start: int, end: int) -> Rewriting:
    """What stands in the JSON string between these offsets, quotes included."""
    return _unescaped(text, start + 1, end - 1)


def _unescaped(text: str, start: int, end: int) -> Rewriting:
    return replaced(text, start, end, _ESCAPE, _meant)


def _meant(found: re.Match[str]) -> str:
    """What an escape of JSON means; any other is kept."""
    if (simple := _SIMPLE.get(found[0])) is not None:
        return simple
    try:
        made: str = json.loads(f'"{found[0]}"')
    except json.JSONDecodeError:
        return found[0][1:] if found[0][1] == "'" else found[0]
    return made


def _from_csv(text: str, start: int, end: int) -> Rewriting:
    if text[start] == '"':
        start += 1
        end -= text[end - 1] == '"'
    return replaced(text, start, end, re.compile('""'), lambda found: '"')


def _from_literal(text: str, start: int, end: int) -> tuple[Rewriting, Remark] | None:
    """JSON in a string literal that is no JSON string, such as printed bytes."""
    opening = _LITERAL.match(text, start, end)
    if opening is None:
        return None
    try:
        found = literal(text, opening.start("string"), end)
    except json.JSONDecodeError:
        return None
    if found is None or text[found.end : end].strip(" \t\r\n);,"):
        return None
    inside = json.loads(found.json)
    if not inside.lstrip().startswith(("{", "[")):
        return None
    # Escapes change lengths, so that places inside are exact only where there are none.
    pieces = Pieces(text)
    body = opening.end("string")
    if inside == text[body : body + len(inside)]:
        pieces.copy(body, body + len(inside))
    else:
        pieces.put(inside, body, found.end)
    what = "The paste is a JSON text inside a string of code; the inside was read"
    return pieces.finish(), _said(text, start, "json-in-string", what)
