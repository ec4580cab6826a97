"""From a paste to JSON values with positions: marks, fences, several documents, and what is no JSON (DESIGN).

Whether a text is JSON at all is decided here: JSON that is not quite JSON is repaired, and each repair remarked on; a
paste that means to be JSON and cannot be read is an error with its place, never a prompt; prose that merely starts with
a bracket is prose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from .diagnostics import Place, Severity
from .json_remarks import (
    CONTROL,
    LINE_UNREAD,
    SEPARATORS,
    control_remark,
    line_unread_remark,
    odd_remarks,
    separators_remark,
    surrogate_remark,
    too_deep_remark,
)
from .json_text import Oddities, TooDeep, decode, decode_embedded, without_surrogates
from .model import Json
from .parsed import AROUND, Document, content_range
from .positions import place_at, skip_space
from .remarks import Remark
from .syntax import explain, may_be_repaired, means_json

_FENCE = re.compile(r"(?P<mark>`{3,}|~{3,})[^\n`]*\n(?P<body>.*?)\r?\n?(?P=mark)\Z", re.DOTALL)
#: The label of a code block that came along when it was copied from a chat.
_LABEL = re.compile(r"(?:json|JSON)[ \t]*\r?\n(?:\s*Copy(?: code)?[ \t]*\r?\n)?(?=\s*[\[{])")
#: What ends a line of a document, and how the next one begins.
_NEXT_DOCUMENT = re.compile(r'(?<=\})[ \t]*\r?\n\s*\{\s*"')
#: So many more strings may lie around a document that is in a string.
_ROUNDS = 4
#: What people put between documents; behind a document more JSON follows, or nothing.
_BETWEEN = re.compile(r"(?:[,;\ufeff]|-{3,}|={3,})[ \t\r\n]*")


def parse_document(text: str) -> Document:
    """Take a paste apart; raises nothing."""
    clean = without_surrogates(text)
    remarks = [] if clean == text else [surrogate_remark(text, clean)]
    start, end = content_range(clean)
    if clean.startswith(("{", "["), start):
        return _parse_json(clean, start, end, start, end, remarks)
    fence = _FENCE.match(clean[:end], start) if clean.startswith(("```", "~~~"), start) else None
    at, until = (fence.start("body"), fence.end("body")) if fence else (start, end)
    if label := _LABEL.match(clean, at):
        at = label.end()
    at = skip_space(clean, at)
    opening = clean[at : at + 1]
    if opening == '"' and (inner := _embedded(clean, at, until)):
        return Document(clean, start, end, inner[0], (at,), remarks=(*remarks, *inner[1]))
    if opening not in ("{", "["):
        # The rest of a document whose start is missing, before whole ones: the last lines of a log.
        line = clean.find("\n", at, until)
        stop = len(clean[at:line].rstrip()) + at if line >= 0 else until
        if _NEXT_DOCUMENT.match(clean, stop, until) and (lines := _parse_lines(clean, start, end, at, until, remarks)):
            return lines
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
                remarks.append(control_remark(text, error.pos))
                continue
            lines = _parse_lines(text, start, end, at, until, [r for r in remarks if r.code != CONTROL])
            before = list(zip(values, roots, strict=True))
            return lines or _repaired(text, start, end, at, until, error, behind, remarks, before)
        values.append(value)
        roots.append(behind)
        if oddities.any():
            odd.append((len(roots) - 1, oddities))
        behind = skip_space(text, next_at)
        between = _BETWEEN.match(text, behind) if behind < until else None
        if between and (between.end() >= until or text[between.end()] in "{["):
            behind = between.end()
            if not any(r.code == SEPARATORS for r in remarks):
                remarks.append(separators_remark(text, between.start()))
        if behind < until and text[behind] not in "{[" and not AROUND.fullmatch(text, behind, until):
            commented = _commented(text, start, end, at, until, behind)
            if commented is not None:
                return commented
            if lines := _parse_lines(text, start, end, at, until, remarks):
                return lines
            return Document(text, start, end, values[0], (roots[0],), prose_behind=behind, remarks=tuple(remarks))
    is_list = len(values) > 1
    for index, oddities in odd:
        remarks += odd_remarks(text, roots[index], (index,) if is_list else (), oddities)
    return Document(text, start, end, values if is_list else values[0], tuple(roots), is_list, remarks=tuple(remarks))


def _parse_lines(text: str, start: int, end: int, at: int, until: int, remarks: list[Remark]) -> Document | None:
    """One document a line, some lines broken; None where the paste is not of this kind."""
    values: list[Json] = []
    roots: list[int] = []
    unread: dict[str, str] = {}
    found: list[Remark] = []
    offset = at
    # Lines that do not begin as documents do, and the last line that is not blank.
    strange: list[int] = []
    last = 0
    # What is read may start behind spaces, or a byte order mark.
    first, begin = text.count("\n", 0, at) + 1, text.rfind("\n", 0, at) + 1
    for number, line in enumerate(text[at:until].split("\n"), first):
        lead = skip_space(line, 0)
        body = line.rstrip()
        if lead < len(body):
            if body[lead] != "{":
                # The rest of a document, or a line that something else wrote in between.
                if not values and body.count("}") <= body.count("{"):
                    return None
                strange.append(number)
            last = number
            try:
                if body[lead] != "{":
                    raise json.JSONDecodeError("No document", body, lead)
                value, stop, oddities = decode(body, lead)
                if stop != len(body):
                    raise json.JSONDecodeError("Extra data", body, stop)
            except ValueError:
                column = offset + lead - (begin if number == first else offset) + 1
                place = Place(number, column, None, offset + lead, offset + len(body))
                unread[str(number)] = body
                found.append(line_unread_remark(place))
            else:
                values.append(value)
                roots.append(offset + lead)
                if oddities.any():
                    found += odd_remarks(text, roots[-1], (len(roots) - 1,), oddities)
        offset += len(line) + 1
    if len(values) < 2 or len(values) < len(unread) or len(values) < 2 * len(strange) or last in strange:
        return None
    if strange:
        from .unwrapping.credentials import without_secrets

        unread |= {str(one): without_secrets(unread[str(one)]) for one in strange}
    made = Document(text, start, end, values, tuple(roots), True, unread_lines=unread, remarks=(*remarks, *found))
    return (_with_repaired_lines(made, at, until) or made) if unread else made


def _with_repaired_lines(lines: Document, at: int, until: int) -> Document | None:
    """The same with the broken lines that can be repaired; None where none can."""
    from .unwrapping.lenient import repair
    from .unwrapping.repairs import repair_remarks
    from .unwrapping.rewriting import Pieces

    pieces = Pieces(lines.text)
    repaired = []
    begin = at
    for remark in lines.remarks:
        if remark.code != LINE_UNREAD or remark.place is None:
            continue
        start, end = remark.place.start or 0, remark.place.end or 0
        if lines.text[start] != "{":
            continue
        try:
            made = repair(lines.text, start, end)
        except (json.JSONDecodeError, TooDeep):
            continue
        if made.end == end and len(made.starts) == 1:
            pieces.copy(begin, start)
            pieces.add_all(made.pieces)
            begin = end
            repaired.append(made)
    if not repaired:
        return None
    pieces.copy(begin, until)
    layer = pieces.finish()
    inner = _parse_json(layer.text, 0, len(layer.text), 0, len(layer.text), [])
    found = inner.inside(layer, repair_remarks(repaired, lines.text))
    return replace(found, unread_lines=_renumbered(inner.unread_lines, lines.text.count("\n", 0, at)))


def _renumbered(lines: Mapping[str, str] | None, before: int) -> Mapping[str, str] | None:
    """Unread lines by their number in a text that has more lines before them."""
    return lines and {str(int(number) + before): line for number, line in lines.items()}


def _commented(text: str, start: int, end: int, at: int, until: int, behind: int) -> Document | None:
    """Documents with a comment behind one of them; None where what stands there is prose."""
    if not text.startswith(("//", "/*", "#"), behind):
        return None
    try:
        made = _tolerant(text, start, end, at, until, [])
    except (json.JSONDecodeError, TooDeep):
        return None
    return None if made is None or made.prose_behind is not None else made


def _tolerant(text: str, start: int, end: int, at: int, until: int, remarks: list[Remark]) -> Document | None:
    """The documents from an offset on, read with tolerance. Raises json.JSONDecodeError, and TooDeep."""
    # Loaded when a paste needs it: most are strict JSON.
    from .unwrapping.lenient import repair
    from .unwrapping.repairs import repair_remarks

    made = repair(text, at, until)
    layer = made.pieces.finish()
    inner = _parse_json(layer.text, 0, len(layer.text), 0, len(layer.text), [])
    if not inner.roots:
        return None
    rest = skip_space(text, made.end)
    between = _BETWEEN.match(text, rest)
    rest = min(between.end() if between else rest, until)
    if not AROUND.fullmatch(text, rest, until):
        # What was repaired in a part of a text that is no document is of no interest.
        layers = (layer, *inner.layers)
        return replace(inner, text=text, start=start, end=end, prose_behind=rest, remarks=tuple(remarks), layers=layers)
    return replace(
        inner,
        text=text,
        start=start,
        end=end,
        remarks=(*remarks, *repair_remarks([made], text), *map(layer.remark, inner.remarks)),
        layers=(layer, *inner.layers),
    )


def _repaired(
    text: str,
    start: int,
    end: int,
    at: int,
    until: int,
    error: json.JSONDecodeError,
    behind: int,
    remarks: list[Remark],
    before: list[tuple[Json, int]],
) -> Document:
    """The documents from `at` on, read with tolerance; where that fails too, what is wrong with the one at `behind`."""
    if may_be_repaired(text, at):
        said = [r for r in remarks if r.code not in (CONTROL, SEPARATORS)]
        try:
            if (made := _tolerant(text, start, end, at, until, said)) is not None:
                return made
        except TooDeep:
            return Document(text, start, end, broken=True, remarks=(*said, too_deep_remark(place_at(text, at))))
        except json.JSONDecodeError as fault:
            error = fault
    return _broken(text, start, end, behind, until, error, remarks, before)


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
    # Some loggers and queues dump what was dumped already.
    for _ in range(_ROUNDS):
        inner = decode_embedded(inner[0]) if inner is not None and isinstance(inner[0], str) else inner
    if inner is None or not isinstance(inner[0], (dict, list)):
        return None
    note = Remark(
        Severity.NOTE, "json-in-string", "The paste is a JSON text inside a JSON string; the inside was read."
    )
    return inner[0], (note, *odd_remarks(None, 0, (), inner[1]))
