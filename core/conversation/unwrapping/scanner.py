"""Tokens of JSON that is not quite JSON, what stands between them, and the tally of what was repaired."""

from __future__ import annotations

import json
import re
from typing import Final

from .rewriting import Pieces

TOKEN: Final = re.compile(
    r"""(?P<string>"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"(?!"))
      | (?P<single>'[^'"\\\x00-\x1f]*+'(?!'))
      | (?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![\w.]))
      | (?P<word>[A-Za-z_$][\w$]*+(?:\.[A-Za-z_$][\w$]*+)*+(?!["']))
    """,
    re.VERBOSE,
)
#: The arguments of a generic class, and the bracket that makes a word a call.
CALL: Final = re.compile(r"(?:\[[\w\s.,|\[\]]{1,120}\])?\(")
VALUE_DUE: Final = "Expecting value"
COMMA_DUE: Final = "Expecting ',' delimiter"
COLON_DUE: Final = "Expecting ':' delimiter"
KEY_DUE: Final = "Expecting property name enclosed in double quotes"

#: White space that JSON does not know, and characters that nobody sees.
_ODD_SPACE = re.compile(
    "[\v\f\x1c-\x1f\x85\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]+"
)
_SPACE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\n]*|#[^\n]*|/\*(?:[^*]++|\*(?!/))*+\*/")
#: Dots in a comment stand for something that was left out.
_LEFT_OUT = re.compile(r"(?://|\#|/\*)\s*(?P<dots>\.\.\.|\u2026)")


class Scanner:
    """Goes through the text once, and tells what is no strict JSON."""

    def __init__(self, text: str, until: int) -> None:
        self.text = text
        self.until = until
        self.at = 0
        self.pieces = Pieces(text)
        #: By code, where it was repaired first, and how often.
        self.repairs: dict[str, tuple[int, int]] = {}
        #: Whether a line ended before this token.
        self.newline = False
        #: Whether something was met that only Python writes.
        self.is_python = False

    def char(self) -> str:
        """The character here; "" at the end."""
        return self.text[self.at] if self.at < self.until else ""

    def token(self) -> re.Match[str] | None:
        """The plain string (of JSON, or the same in single quotes), number or word here."""
        return TOKEN.match(self.text, self.at, self.until)

    def skip(self) -> None:
        """Go to the next token; comments and odd spaces are left out."""
        text, until, begun = self.text, self.until, self.at
        space = _SPACE.match(text, begun, until)
        at = space.end() if space else begun
        if at < until and " " < text[at] < "\x7f" and text[at] not in "/#":
            self.at = at
            self.newline = at > begun and "\n" in text[begun:at]
            return
        while True:
            space = _SPACE.match(text, self.at, until)
            self.at = space.end() if space else self.at
            char = self.char()
            if char in ("/", "#"):
                comment = _COMMENT.match(text, self.at, until)
                if comment is None:
                    break
                if dots := _LEFT_OUT.match(text, self.at, until):
                    raise self.error(VALUE_DUE, dots.start("dots"))
                self.note("json-comment", self.at)
                self.at = comment.end()
            elif char and (odd := _ODD_SPACE.match(text, self.at, until)):
                self.note("json-space", self.at)
                self.at = odd.end()
            else:
                break
        self.newline = "\n" in text[begun : self.at]

    def note(self, code: str, at: int, times: int = 1) -> None:
        """Count a repair."""
        first, count = self.repairs.get(code, (at, 0))
        self.repairs[code] = (first, count + times)

    def note_python(self, at: int) -> None:
        """Count something that only Python writes."""
        self.note("json-python-literal", at)
        self.is_python = True

    def error(self, what: str, at: int | None = None) -> json.JSONDecodeError:
        """The error at an offset, here by default; `what` is due."""
        return json.JSONDecodeError(what, self.text, self.at if at is None else at)
