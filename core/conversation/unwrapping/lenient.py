"""JSON that is not quite JSON, and what Python and JavaScript print, rewritten to strict JSON in one linear pass.

Comments, trailing and missing commas, other quotes, bare keys, literals of Python and JavaScript, tuples, sets and
printed objects are read; each kind is counted, with its first place. What could mean two things is an error, raised as
json.JSONDecodeError at its place. Nothing is evaluated, and nesting is bounded.
"""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

from ..syntax import means_json
from .credentials import is_secret_argument
from .rewriting import Pieces
from .scanner import CALL, COLON_DUE, COMMA_DUE, KEY_DUE, VALUE_DUE
from .strings import CURLY, literal, opens_string
from .values import BEHIND, COLON, JOINED, MEMBER, ODD_WORDS, VALUE, WORDS, Frame, Values

_CLOSING: Final = {"{": "}", "[": "]", "(": ")", "call": ")", "members": ""}
_QUOTES: Final = "'\"`"
#: Nobody writes more strings that are joined; each costs a look.
_MOST_JOINED: Final = 100_000
#: No request has more fields.
_MOST_MEMBERS: Final = 1_000
_NAME = re.compile(r"[\w$-]+")
_EQUALS = re.compile(r"[ \t]*=(?!=)")
_COLON_BEHIND = re.compile(r"\s*+:")
_SIMPLE = r"-?(?:0|[1-9][0-9]{0,300}+)(?:\.[0-9]++)?(?![\w.])"
_SINGLE = r"""'[^'"\\\x00-\x1f]*+'(?!')"""
_DOUBLE = r"""\"[^"\\\x00-\x1f]*+\"(?!\")"""


def _run(string: str, value: str) -> str:
    member = rf"{string}[ \t\r\n]*+:[ \t\r\n]*+(?:{value})"
    return rf"{member}(?:[ \t\r\n]*+,[ \t\r\n]*+{member})*+"


#: Members that need no closer look.
_RUNS = re.compile(
    "(?P<single>" + _run(_SINGLE, f"{_SINGLE}|{_SIMPLE}") + ")"
    "|(?P<double>" + _run(_DOUBLE, rf"{_DOUBLE}|{_SIMPLE}|(?:true|false|null)\b") + ")"
)


class Repaired(NamedTuple):
    """What was rewritten: JSON documents, one behind the other, and where the reading ended.

    `repairs` gives by code the offset of the first repair and how many there are; `classes` those of printed objects.
    """

    pieces: Pieces
    end: int
    repairs: dict[str, tuple[int, int]]
    classes: tuple[str, ...]
    #: Where each document begins in the old text.
    starts: tuple[int, ...]


def repair(text: str, at: int, until: int, *, members: bool = False, alone: bool = False) -> Repaired:
    """Rewrite the documents from an offset on; with `members`, one object without its braces.

    Reading ends behind the last document that no other follows; with `alone`, behind the first. Raises
    json.JSONDecodeError, and TooDeep.
    """
    reader = _Reader(text, until)
    reader.at = at
    starts: list[int] = []
    end = at
    reader.skip()
    while True:
        before = len(reader.pieces), dict(reader.repairs)
        if starts:
            reader.pieces.put("\n", reader.at, reader.at)
        starts.append(reader.at)
        try:
            if members:
                reader.enter("members", "{", reader.at)
            else:
                reader.value()
            reader.run()
        except json.JSONDecodeError:
            if len(starts) == 1 or means_json(text, starts[-1]):
                raise
            # Prose that starts with a bracket is no further document.
            reader.pieces.clear(before[0], len(reader.pieces))
            return Repaired(reader.pieces, end, before[1], tuple(reader.classes), tuple(starts[:-1]))
        end = reader.at
        if alone or not reader.goes_on():
            if not alone and reader.at >= until:
                end = until
            return Repaired(reader.pieces, end, reader.repairs, tuple(reader.classes), tuple(starts))


class _Reader(Values):
    #: The last key that was a word.
    last_key = ""
    #: How many members without braces there were.
    members = 0

    def goes_on(self) -> bool:
        """Whether a further document begins behind this one, perhaps behind a comma."""
        repairs = dict(self.repairs)
        self.skip()
        if self.char() in (",", ";"):
            self.note("separators", self.at)
            self.at += 1
            self.skip()
        if self.at >= self.until:
            return False
        if self._begins():
            return True
        # What stands there is no part of it.
        self.repairs = repairs
        return False

    def _begins(self) -> bool:
        if self.char() in ("{", "["):
            return True
        word = self.token()
        return word is not None and word["word"] is not None and CALL.match(self.text, word.end()) is not None

    def run(self) -> None:
        """Read to the end of the document that has been opened."""
        while self.stack:
            self.skip()
            frame = self.stack[-1]
            if not self.char() and not (frame.kind == "members" and frame.state in (BEHIND, MEMBER)):
                raise self.error(VALUE_DUE, self.until)
            if frame.state == BEHIND:
                self._behind(frame)
            elif frame.state == COLON:
                self._colon(frame)
            elif frame.state in (VALUE, JOINED):
                self.value()
            else:
                self._member(frame)

    # Behind a value

    def _behind(self, frame: Frame) -> None:
        char = self.char()
        if char == ",":
            frame.comma, frame.has_comma, frame.state = self.at, True, MEMBER
            self.at += 1
        elif char == _CLOSING[frame.kind]:
            self.leave(frame)
        elif frame.string and char == "+":
            self.note("json-joined-strings", self.at)
            frame.state = JOINED
            self.at += 1
        elif frame.string and opens_string(self.text, self.at):
            self._string_behind_string(frame)
        elif self._begins_member(frame, char):
            self._missing_comma(frame)
        else:
            raise self.error(COMMA_DUE)

    def _string_behind_string(self, frame: Frame) -> None:
        """Python joins strings that stand together; where a colon follows, only a comma is missing."""
        found = literal(self.text, self.at, self.until)
        is_json = not self.is_python and frame.string == '"' and found is not None and found.quote == '"'
        if found is not None and frame.keyed and _COLON_BEHIND.match(self.text, found.end, self.until):
            if not self.newline and frame.kind != "members":
                raise self.error(COMMA_DUE)
            self._missing_comma(frame)
        elif self.text[self.at - 1] in _QUOTES or self.repairs.get("json-joined-strings", (0, 0))[1] >= _MOST_JOINED:
            # No literal closes right before another opens.
            raise self.error(COMMA_DUE)
        elif is_json and frame.kind not in ("(", "call") and (frame.kind == "[" or not self.newline):
            raise self.error(COMMA_DUE)
        else:
            self.note("json-joined-strings", self.at)
            frame.state = JOINED

    def _begins_member(self, frame: Frame, char: str) -> bool:
        """Whether a member begins here, so that only its comma is missing."""
        if frame.kind == "members":
            return bool(char)
        if frame.kind in ("(", "call"):
            return False
        if frame.kind == "{" and frame.keyed:
            return self.newline and (char in "\"'_$" or char.isalpha() or char in CURLY)
        return (self.newline or (char in "{[" and not frame.string)) and (char in "{[\"'" or char.isalnum())

    def _missing_comma(self, frame: Frame) -> None:
        if frame.kind != "members":
            self.note("json-missing-comma", self.at)
        self.pieces.put(",", self.at, self.at)
        frame.state = MEMBER

    def _colon(self, frame: Frame) -> None:
        """Behind what is a key or, in a set, a member."""
        char = self.char()
        if char == ":" or (char == "=" and frame.kind == "members"):
            if frame.key == -2 or frame.keyed is False:
                raise self.error(COMMA_DUE)
            if frame.key >= 0:
                self._quote_key(frame)
            is_secret = frame.kind == "members" and is_secret_argument(self.last_key)
            frame.keyed, frame.state, frame.key, frame.bare = True, VALUE, -1, -1
            if char == ":" and frame.kind == "{":
                self.pieces.copy(self.at, self.at + 1)
            else:
                self.pieces.put(":", self.at, self.at + 1)
            if is_secret:
                frame.secret = len(self.pieces)
            self.at += 1
        elif frame.keyed or (frame.keyed is None and char not in ",}"):
            raise self.error(COLON_DUE)
        elif frame.bare >= 0:
            raise self.error(VALUE_DUE, frame.bare)
        else:
            if frame.keyed is None:
                frame.keyed = False
                self.pieces.change(frame.opening, "[")
                self.note_python(self.at)
            frame.state = BEHIND

    def _quote_key(self, frame: Frame) -> None:
        key = self.pieces.text_of(frame.key)
        self.pieces.change(frame.key, key if key.startswith('"') else f'"{key}"')
        if frame.bare < 0:
            self.note_python(self.at)
        elif frame.kind != "members":
            self.note("json-bare-key", frame.bare)

    # Members

    def _member(self, frame: Frame) -> None:
        """At the begin of a member, or at the end of the container."""
        if self.char() == _CLOSING[frame.kind]:
            self.leave(frame)
            return
        if frame.comma >= 0:
            if frame.kind == "call":
                # Pieces of a call may be taken back by their number, so they are kept apart.
                self.pieces.put(",", frame.comma, frame.comma + 1)
            else:
                self.pieces.copy(frame.comma, frame.comma + 1)
            frame.comma = -1
        if frame.kind == "{" or frame.kind == "members":
            self._key(frame)
        elif frame.kind == "call":
            self._argument(frame)
        else:
            self.value()

    def _key(self, frame: Frame) -> None:
        """A key; in braces of which that is not known yet, perhaps a member of a set."""
        if frame.kind == "{" and frame.keyed is not False and self._many(frame):
            return
        if frame.kind == "members":
            self.members += 1
            if self.members > _MOST_MEMBERS:
                raise self.error(VALUE_DUE)
        found = self.token()
        kind = found.lastgroup if found is not None else None
        if found is not None and kind == "word" and not CALL.match(self.text, found.end(), self.until):
            if frame.kind == "members":
                found = _NAME.match(self.text, self.at, self.until) or found
            word = self.last_key = found[0]
            known = None if word == "undefined" else WORDS.get(word) or ODD_WORDS.get(word)
            if known is None:
                frame.bare = self.at
            frame.key = self.pieces.put(json.dumps(word) if known is None else known, self.at, found.end())
            self.at, frame.state = found.end(), COLON
        elif found is not None and kind == "number":
            frame.key = self.pieces.put(found[0], self.at, found.end())
            self.at, frame.state = found.end(), COLON
        else:
            is_string = kind in ("string", "single") or opens_string(self.text, self.at)
            if not is_string and (frame.keyed or (kind != "word" and self.char() not in "({[")):
                raise self.error(KEY_DUE)
            frame.key = -1 if is_string else -2
            frame.state = COLON
            self.value()

    def _many(self, frame: Frame) -> bool:
        """Members of one kind of quotes and without anything odd in them, many at once; whether there were any."""
        run = _RUNS.match(self.text, self.at, self.until)
        if run is None:
            return False
        members = run[0]
        if run["single"]:
            self.note("json-single-quotes", self.at, members.count("'") // 2)
            self.is_python = True
            self.pieces.put(members.replace("'", '"'), self.at, run.end())
        else:
            self.pieces.copy(self.at, run.end())
        self.at = run.end()
        frame.keyed, frame.state = True, BEHIND
        frame.string = members[-1] if members[-1] in _QUOTES else ""
        return True

    def _argument(self, frame: Frame) -> None:
        """An argument of a call, with its name or without."""
        found = self.token()
        sign = _EQUALS.match(self.text, found.end(), self.until) if found is not None and found["word"] else None
        if found is not None and sign is not None:
            if found[0] in frame.fields:
                raise self.error(VALUE_DUE)
            frame.fields.add(found[0])
            self.pieces.put(json.dumps(found[0]) + ":", self.at, sign.end())
            self.at, frame.state = sign.end(), VALUE
            if frame.is_code and is_secret_argument(found[0]):
                frame.secret = len(self.pieces)
            return
        frame.unnamed.append(self.pieces.put("", self.at, self.at))
        frame.last_start = len(self.pieces)
        self.value()
