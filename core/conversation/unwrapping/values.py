"""Values of JSON that is not quite JSON: scalars are rewritten, containers are opened and closed."""

from __future__ import annotations

import json
import re
from typing import Final

from ..json_text import MAX_DEPTH, TooDeep
from .credentials import REMOVED
from .printed import (
    CONSTRUCTORS,
    EMPTY_LISTS,
    FIRST,
    LAST,
    LEFT_OUT,
    TELLING,
    member_at,
    opaque_at,
    role_named,
    time_at,
)
from .scanner import CALL, COMMA_DUE, TOKEN, VALUE_DUE, Scanner
from .strings import literal

#: What a container waits for: its first member, a further one, a colon, a value, what stands behind a value, a string
#: that is joined to the one before it.
FIRST_MEMBER, MEMBER, COLON, VALUE, BEHIND, JOINED = range(6)
WORDS: Final = {"true": "true", "false": "false", "null": "null", "NaN": "NaN", "Infinity": "Infinity"}
ODD_WORDS: Final = {
    "True": "true", "False": "false", "None": "null", "nan": "NaN", "inf": "Infinity", "undefined": "null",
}  # fmt: skip
_ODD_NUMBER = re.compile(
    r"[+-]?(?:0[xX](?P<hex>[0-9a-fA-F]++)|(?P<word>Infinity|inf|nan|NaN)"
    r"|(?P<whole>0|[1-9][0-9_]*+)?(?P<part>\.[0-9_]*+)?(?P<power>[eE][+-]?[0-9]++)?)(?![\w.])"
)


class Frame:
    """An open container: an object or set, a list, parentheses, a call, or members without braces."""

    __slots__ = ("bare", "comma", "fields", "first_end", "has_comma", "is_code", "key", "keyed", "kind", "last_start",
                 "name", "opening", "secret", "state", "string", "unnamed")  # fmt: skip

    def __init__(self, kind: str, opening: int, name: str = "") -> None:
        #: Its bracket, `call` or `members`.
        self.kind = kind
        #: The number of the piece that opens it.
        self.opening = opening
        self.name = name
        self.state = FIRST_MEMBER
        #: Whether its members have keys; None while that is not known.
        self.keyed: bool | None = True if kind == "members" else None
        #: The offset of the comma before the next member; -1 for none.
        self.comma = -1
        self.has_comma = False
        #: The number of the piece of a key that is no string; -1 for a string, -2 for a container.
        self.key = -1
        #: The offset of a word that must be a key; -1 for none.
        self.bare = -1
        #: The quote of the last value where it was a string, else "".
        self.string = ""
        #: Of a call: the names of its fields, and for each argument without one the piece where it would stand.
        self.fields: set[str] = set()
        self.unnamed: list[int] = []
        #: The numbers of the piece behind the first of these, and of the first piece of the last.
        self.first_end = self.last_start = -1
        #: Whether it is a call in code, rather than a printed object.
        self.is_code = False
        #: The number of the first piece of a value that is a credential; -1 for none.
        self.secret = -1


class Values(Scanner):
    """Reads values; what stands between them is read by what builds on it."""

    def __init__(self, text: str, until: int) -> None:
        super().__init__(text, until)
        self.stack: list[Frame] = []
        #: The classes of printed objects, in the order of the text.
        self.classes: dict[str, None] = {}
        #: How many calls in code are open.
        self.in_code = 0

    def value(self) -> None:
        """A value, or the begin of one."""
        found = self.token()
        if found is None:
            self._other_value(self.char())
        elif found.lastgroup == "string":
            self._string(found[0], found.end(), '"')
        elif found.lastgroup == "single":
            self.note("json-single-quotes", self.at)
            self.is_python = True
            self._string(f'"{found[0][1:-1]}"', found.end(), "'")
        elif found.lastgroup == "number":
            self._copied(found.end())
        else:
            self._word(found[0], found.end())

    def _other_value(self, char: str) -> None:
        if not char:
            raise self.error(VALUE_DUE, self.until)
        if char in "{[(":
            self.enter(char, "[" if char == "(" else char, self.at + 1)
        elif (string := literal(self.text, self.at, self.until)) is not None:
            for code, at in string.odd:
                self.note(code, at)
            self.is_python = self.is_python or string.quote[0] == "'"
            self._string(string.json, string.end, string.quote)
        elif char == "<":
            self._in_angles()
        elif (number := _ODD_NUMBER.match(self.text, self.at, self.until)) and re.search(r"\d|[a-z]", number[0]):
            self.note("json-python-literal" if number["word"] else "json-number", self.at)
            self._written(_number(number), number.end())
        else:
            raise self.error(VALUE_DUE)

    def _word(self, word: str, end: int) -> None:
        if word in WORDS:
            self._copied(end)
        elif word in ODD_WORDS:
            if word == "undefined":
                self.note("json-word", self.at)
            else:
                self.note_python(self.at)
            self._written(ODD_WORDS[word], end)
        elif time := time_at(self.text, self.at, self.until):
            self.note_python(self.at)
            self._written(*time)
        elif call := CALL.match(self.text, end, self.until):
            name = word.rpartition(".")[2]
            if self.in_code and name[0].islower() and name not in CONSTRUCTORS:
                # What a function would give is not known.
                raise self.error(VALUE_DUE)
            is_code = name == "fetch" or ("." in word and name[0].islower() and name not in FIRST | LAST)
            self.note("code-call" if is_code else "printed-object", self.at)
            if not is_code:
                self.classes.setdefault(name)
            self.is_python = True
            self.enter("call", "{", call.end(), name)
            self.stack[-1].is_code = is_code
            self.in_code += is_code
        elif (role := role_named(word)) is not None:
            self.note_python(self.at)
            self._written(json.dumps(role), end)
        elif self.in_code or (self.stack and self.stack[-1].kind == "call" and self.stack[-1].state == VALUE):
            self.note("printed-without-content", self.at)
            self._written(json.dumps(word), end)
        else:
            raise self.error(VALUE_DUE)

    def _in_angles(self) -> None:
        """A member of an enum stands for its value; any other object in angles for its text."""
        text, at, until = self.text, self.at, self.until
        inside = member_at(text, at, until)
        if inside is not None:
            string = literal(text, inside, until)
            number = TOKEN.match(text, inside, until)
            made, end = (string.json, string.end) if string else (number["number"], number.end()) if number else ("", 0)
            if made and text.startswith(">", end):
                self.note_python(at)
                self._written(made, end + 1)
                return
        behind = opaque_at(text, at, until)
        if behind is None:
            raise self.error(VALUE_DUE)
        self.note("printed-without-content", at)
        self._written(json.dumps(text[at:behind], ensure_ascii=False), behind)

    def _string(self, made: str, end: int, quote: str) -> None:
        if self.stack and self.stack[-1].state == JOINED:
            self.pieces.drop_last_character()
            self._written(made[1:], end, quote)
        elif quote == '"' and made == self.text[self.at : end]:
            self._copied(end, quote)
        else:
            self._written(made, end, quote)

    def _copied(self, end: int, string: str = "") -> None:
        self.pieces.copy(self.at, end)
        self._complete(end, string)

    def _written(self, made: str, end: int, string: str = "") -> None:
        self.pieces.put(made, self.at, end)
        self._complete(end, string)

    def _complete(self, end: int, string: str = "") -> None:
        """A value ends here; `string` is its quote where it is one."""
        self.at = end
        if not self.stack:
            return
        frame = self.stack[-1]
        if frame.state == JOINED and not string:
            raise self.error(COMMA_DUE, end - 1)
        frame.string = string
        if frame.secret >= 0:
            self.pieces.clear(frame.secret, len(self.pieces))
            self.pieces.put(f'"{REMOVED}"', end - 1, end)
            self.note("credential-removed", end - 1)
            frame.secret = -1
        if frame.unnamed and frame.first_end < 0:
            frame.first_end = len(self.pieces)
        if frame.state != COLON:
            frame.state = BEHIND

    # Containers

    def enter(self, kind: str, opening: str, end: int, name: str = "") -> None:
        """Open a container whose opening ends there."""
        if len(self.stack) >= MAX_DEPTH:
            raise TooDeep
        self.stack.append(Frame(kind, self.pieces.put(opening, self.at, end), name))
        self.at = end

    def leave(self, frame: Frame) -> None:
        """Close the innermost container at its bracket."""
        at = self.at
        end = at if frame.kind == "members" else at + 1
        if frame.comma >= 0 and frame.kind in "{[":
            self.note("json-trailing-comma", frame.comma)
        if frame.kind == "call":
            self._close_call(frame)
        elif frame.kind == "(" and not frame.has_comma and frame.state == BEHIND:
            self.note_python(at)
            self.pieces.change(frame.opening, "")
        elif frame.kind == "(":
            self.note_python(at)
            self.pieces.put("]", at, end)
        elif frame.keyed and frame.kind == "members":
            self.pieces.put("}", at, end)
        elif frame.kind == "{" and frame.keyed is False:
            self.pieces.put("]", at, end)
        else:
            self.pieces.copy(at, end)
        self.stack.pop()
        self.in_code -= frame.is_code
        self._complete(end)

    def _close_call(self, frame: Frame) -> None:
        """An object with the fields of the call; without fields, what it was called with."""
        unnamed = len(frame.unnamed)
        if unnamed and (frame.name in FIRST or (unnamed == 1 and not frame.fields)):
            self.pieces.change(frame.opening, "")
            self.pieces.clear(frame.first_end, len(self.pieces))
            return
        if unnamed and frame.name in LAST:
            self.pieces.clear(frame.opening, frame.last_start)
            return
        if not frame.fields and (unnamed or frame.name in EMPTY_LISTS):
            self.pieces.change(frame.opening, "[")
            self.pieces.put("]", self.at, self.at + 1)
            return
        for number, piece in enumerate(frame.unnamed, 1):
            self.pieces.change(piece, f'"argument {number}": ')
        added = LEFT_OUT.get(frame.name, {}) if TELLING.isdisjoint(frame.fields) else {}
        more = json.dumps(added)[1:-1]
        self.pieces.put((", " if more and frame.fields else "") + more + "}", self.at, self.at + 1)


def _number(found: re.Match[str]) -> str:
    """The JSON of a number that is written as Python or JavaScript allow."""
    sign = "-" if found[0][0] == "-" else ""
    if found["word"]:
        return "NaN" if found["word"].lower() == "nan" else f"{sign}Infinity"
    if found["hex"]:
        # Digits beyond double range are counted, and kept as text, by what decodes the JSON.
        return f"{sign}{int(found['hex'], 16)}" if len(found["hex"]) < 256 else f"{sign}{'9' * 310}"
    whole = (found["whole"] or "0").replace("_", "")
    part = (found["part"] or "").replace("_", "")
    return sign + whole + (f"{part}0" if part == "." else part) + (found["power"] or "")
