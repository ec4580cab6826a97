"""From a paste to JSON values with positions: marks, fences, several documents, and what is no JSON (DESIGN).

Whether a text is JSON at all is decided here: a paste that means to be JSON and is not is an error with its place,
never a prompt; prose that merely starts with a bracket is prose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .diagnostics import Place, Severity
from .json_text import MAX_DEPTH, Oddities, TooDeep, decode, decode_embedded, without_surrogates
from .model import Json
from .positions import Path, path_from_text, path_text, place_at, repeated_keys, skip_space, spans
from .remarks import LISTED, Remark, shown
from .syntax import explain, means_json

#: What stands before and behind a paste and means nothing: white space, byte order marks, zero-width spaces.
_AROUND = re.compile(r"[\s\ufeff\u200b]*")
_FENCE = re.compile(r"(?P<mark>`{3,}|~{3,})[\w.+-]*[ \t]*\r?\n(?P<body>.*?)\r?\n?(?P=mark)\Z", re.DOTALL)
#: The label of a code block that came along when it was copied from a chat.
_LABEL = re.compile(r"(?:json|JSON)[ \t]*\r?\n(?:\s*Copy(?: code)?[ \t]*\r?\n)?(?=\s*[\[{])")
#: What people put between documents; behind a document more JSON follows, or nothing.
_BETWEEN = re.compile(r"(?:[,;]|-{3,}|={3,})[ \t\r\n]*")

_CONTROL = "raw-control-character"


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A paste, taken apart. `roots` is empty where it holds no JSON that could be read."""

    #: The paste, half surrogates replaced; offsets are those of the paste.
    text: str
    #: Where the paste's own content begins and ends.
    start: int
    end: int
    #: The JSON value; with `several`, the list of the values.
    value: Json = None
    roots: tuple[int, ...] = ()
    several: bool = False
    #: Means to be JSON but is broken: `remarks` holds the error.
    broken: bool = False
    #: Where prose follows behind the JSON value: the offset of the prose.
    prose_behind: int | None = None
    #: Lines of a paste with one document a line that are no JSON, by line number.
    unread_lines: Mapping[str, str] | None = None
    remarks: tuple[Remark, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the paste holds nothing but white space and marks."""
        return self.start >= self.end

    def places(self, paths: Iterable[Path]) -> dict[Path, Place]:
        """The place of each path; of the nearest value above it where a path leads nowhere."""
        wanted = list(paths)
        if not self.roots or not wanted:
            return {path: Place(path=path_text(path)) for path in wanted}
        found = spans(self.text, self.roots, self.several, wanted)
        places = {}
        for path in wanted:
            there = path
            while there and there not in found:
                there = there[:-1]
            start, end = found.get(there, (self.roots[0], None))
            places[path] = place_at(self.text, start, end, path_text(path))
        return places


def locate(text: str, path: str) -> Place:
    """Where the value at a JSON path stands in a paste, e.g. `messages[3].content`; for a jump from the screen."""
    steps = path_from_text(path)
    try:
        return parse_document(text).places([steps])[steps]
    except RecursionError:
        return Place(path=path)


def parse_document(text: str) -> Document:
    """Take a paste apart; raises nothing."""
    clean = without_surrogates(text)
    remarks = [] if clean == text else [_surrogate_in(text, clean)]
    found = _AROUND.match(clean)
    start = found.end() if found else 0
    end = max(start, len(clean.rstrip(" \t\r\n\f\v\u00a0\ufeff\u200b")))
    fence = _FENCE.match(clean[:end], start) if clean.startswith(("```", "~~~"), start) else None
    at, until = (fence.start("body"), fence.end("body")) if fence else (start, end)
    if label := _LABEL.match(clean, at):
        at = label.end()
    at = skip_space(clean, at)
    opening = clean[at : at + 1]
    if opening == '"' and (inner := _embedded(clean, at, until)):
        return Document(clean, start, end, inner[0], (at,), remarks=(*remarks, *inner[1]))
    if opening not in ("{", "["):
        return Document(clean, start, end, remarks=tuple(remarks))
    return _parse_json(clean, start, end, at, until, remarks)


def _parse_json(text: str, start: int, end: int, at: int, until: int, remarks: list[Remark]) -> Document:
    values: list[Json] = []
    roots: list[int] = []
    odd: list[tuple[int, Oddities]] = []
    strict = True
    behind = at
    while behind < until:
        try:
            value, next_at, oddities = decode(text, behind, strict=strict)
        except TooDeep:
            return Document(text, start, end, broken=True, remarks=(*remarks, too_deep_remark(place_at(text, behind))))
        except json.JSONDecodeError as error:
            if strict and error.msg.startswith("Invalid control character"):
                strict = False
                remarks.append(_control_character(text, error.pos))
                continue
            by_lines = [r for r in remarks if r.code != _CONTROL]
            return _parse_lines(text, start, end, at, until, by_lines) or _broken(
                text, start, end, behind, until, error, remarks, list(zip(values, roots, strict=True))
            )
        values.append(value)
        roots.append(behind)
        if oddities.any():
            odd.append((len(roots) - 1, oddities))
        behind = skip_space(text, next_at)
        between = _BETWEEN.match(text, behind) if behind < until else None
        if between and (between.end() >= until or text[between.end()] in "{["):
            behind = between.end()
            if not any(r.code == "separators" for r in remarks):
                remarks.append(_separators(text, between.start()))
        if behind < until and text[behind] not in "{[" and not _AROUND.fullmatch(text, behind, until):
            return Document(text, start, end, values[0], (roots[0],), prose_behind=behind, remarks=tuple(remarks))
    several = len(values) > 1
    for index, oddities in odd:
        remarks += _odd_remarks(text, roots[index], (index,) if several else (), oddities)
    return Document(text, start, end, values if several else values[0], tuple(roots), several, remarks=tuple(remarks))


def _parse_lines(text: str, start: int, end: int, at: int, until: int, remarks: list[Remark]) -> Document | None:
    """One document a line, some lines broken; None where the paste is not of this kind."""
    values: list[Json] = []
    roots: list[int] = []
    unread: dict[str, str] = {}
    found: list[Remark] = []
    offset = at
    first = text.count("\n", 0, at) + 1
    for number, line in enumerate(text[at:until].split("\n"), first):
        lead = skip_space(line, 0)
        body = line.rstrip()
        if lead < len(body):
            if body[lead] != "{":
                return None
            try:
                value, stop, oddities = decode(body, lead)
                if stop != len(body):
                    raise json.JSONDecodeError("Extra data", body, stop)
            except ValueError:
                place = Place(number, lead + 1, None, offset + lead, offset + len(body))
                unread[str(number)] = body
                found.append(_line_unread(place))
            else:
                values.append(value)
                roots.append(offset + lead)
                if oddities.any():
                    found += _odd_remarks(text, roots[-1], (len(roots) - 1,), oddities)
        offset += len(line) + 1
    if len(values) < 2 or len(values) < len(unread):
        return None
    return Document(text, start, end, values, tuple(roots), True, unread_lines=unread, remarks=(*remarks, *found))


def _broken(
    text: str,
    start: int,
    end: int,
    at: int,
    until: int,
    error: json.JSONDecodeError,
    remarks: list[Remark],
    before: list[tuple[Json, int]],
) -> Document:
    if not means_json(text, at):
        if before:
            value, root = before[0]
            return Document(text, start, end, value, (root,), prose_behind=at, remarks=tuple(remarks))
        return Document(text, start, end, remarks=tuple(remarks))
    fault = explain(text, error, until)
    remark = Remark(
        Severity.ERROR, fault.code, fault.message, fault.next_step, place=place_at(text, fault.offset, fault.offset + 1)
    )
    return Document(text, start, end, broken=True, remarks=(*remarks, remark))


def _embedded(text: str, at: int, until: int) -> tuple[Json, tuple[Remark, ...]] | None:
    """A paste that is one JSON string with a JSON document in it."""
    try:
        value, end, _ = decode(text, at)
    except ValueError:
        return None
    inner = decode_embedded(value) if isinstance(value, str) and skip_space(text, end) >= until else None
    if inner is None or not isinstance(inner[0], (dict, list)):
        return None
    note = Remark(
        Severity.NOTE, "json-in-string", "The paste is a JSON text inside a JSON string; the inside was read."
    )
    return inner[0], (note, *_odd_remarks(None, 0, (), inner[1]))


def _odd_remarks(text: str | None, root: int, path: Path, odd: Oddities) -> list[Remark]:
    made = []
    if odd.repeated_keys:
        where = [((), 0)] if text is None else repeated_keys(text, root, path)
        for count, (key_path, offset) in enumerate(where):
            name = f"The key `{shown(key_path[-1])}`" if key_path else "A key"
            place = None if text is None or count > LISTED else place_at(text, offset, path=path_text(key_path))
            made.append(
                Remark(
                    Severity.WARNING,
                    "repeated-key",
                    f"{name} stands twice in one object; the last one counts, the earlier one is not read.",
                    "Keep one of the two.",
                    place=place,
                )
            )
    for count, code, what in (
        (odd.constants, "not-a-number", "`NaN` or `Infinity`, which JSON does not have; kept as text"),
        (odd.numbers, "number-too-large", "a number too large to compute with; kept as text"),
        (odd.surrogates, "half-surrogate", "half a character (a lone surrogate); U+FFFD stands in its place"),
    ):
        if count:
            times = "once" if count == 1 else f"{count} times"
            made.append(
                Remark(Severity.WARNING, code, f"The JSON holds {what} ({times}).", "Correct it at its source.", path)
            )
    return made


def _surrogate_in(text: str, clean: str) -> Remark:
    at = next(i for i, (old, new) in enumerate(zip(text, clean, strict=True)) if old != new)
    return Remark(
        Severity.WARNING,
        "half-surrogate",
        "The paste holds half a character (a lone surrogate); U+FFFD stands in its place.",
        "Copy from the source again.",
        place=place_at(clean, at, at + 1),
    )


def _separators(text: str, at: int) -> Remark:
    message = "This separator stands outside the JSON; it was skipped."
    return Remark(Severity.NOTE, "separators", message, place=place_at(text, at, at + 1))


def _control_character(text: str, at: int) -> Remark:
    return Remark(
        Severity.WARNING,
        _CONTROL,
        "A string holds a raw line break or control character; it was read as it stands.",
        "Gateways refuse this: write \\n for a line break.",
        place=place_at(text, at, at + 1),
    )


def too_deep_remark(place: Place | None) -> Remark:
    """The error of a paste that is nested deeper than routers read."""
    return Remark(
        Severity.ERROR,
        "json-too-deep",
        f"The JSON is nested deeper than {MAX_DEPTH} levels, which routers refuse.",
        "Paste the conversation alone, without what it is wrapped in.",
        place=place,
    )


def _line_unread(place: Place) -> Remark:
    return Remark(
        Severity.WARNING,
        "line-unread",
        f"Line {place.line} is not valid JSON; it is kept aside and is no part of the conversation.",
        "Correct the line, or check that nothing is missing without it.",
        place=place,
    )
