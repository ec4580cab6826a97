"""JSON with text around it: behind a label, an assignment or a log prefix, in code fences, in a call of an SDK.

It is read where the text around it only says what it is. Where the text may be the prompt, and the JSON a part of it,
nothing is taken out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..diagnostics import Severity
from ..json_text import TooDeep, decode
from ..model import Json
from ..positions import place_at
from ..remarks import Remark
from ..syntax import may_be_repaired, means_json
from .credentials import without_secrets
from .lenient import Repaired, repair
from .repairs import repair_remarks
from .rewriting import Pieces, Rewriting

#: What may open JSON or a printed object in a text.
_OPENING = re.compile(
    r"(?<![\w.])(?P<call>[A-Za-z_][\w.]*+(?:\[[\w., |]{1,120}\])?\()(?=\s*[A-Za-z_]\w*\s?=[^=]|\s*\{)|[\[{]"
)
#: A call that holds a conversation; others (clients, with their keys) are text.
_CONVERSES = re.compile(r"\b(?:messages|contents|input|prompt|content|choices|output|role|parts)\b")
#: What code calls the headers of a request, which are none of it.
_HEADERS = re.compile(r"headers[\"']?\s*[=:]\s*\Z")
#: So many openings may turn out to be none, and each may cost the length of the text.
_FAILURES: Final = 12
#: Lengths of what is around: a label, the words behind the last fence.
_LABEL: Final = 300
#: And of the code before a call.
_CODE: Final = 4000
_STAMP = re.compile(
    r"\s*+[\[(]?(?:\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|\d{10,13}\b|[A-Z][a-z]{2} [A-Z]?[a-z]{0,2} ?\d{1,2}\b"
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL)\b|level=|time=|data:"
    r"|[\w.-]{1,60}(?:\.jsonl?:\d+:|-\d+ *\|))"
)
_ENDS_LABEL = re.compile(
    r"(?:[:=>(|\]-]|\)\]\}',?|\u2192|```[\w+.-]*|~~~[\w+.-]*|\b(?:return|default|yield|await|new|print|json|JSON))\s*+\Z"
)
_TAIL = re.compile(r"(?:[\s)\]};,.`~]|</\w+>)*+\Z")
#: A line of an interpreter or a shell before what it printed.
_ASKED = re.compile(r"[ \t]*(?:>>>|\$|In \[\d*\]:|print\()")
_CODE_LINE = re.compile(
    r"[ \t]*(?:[\w.\[\]\"']+[ \t]*=|[\w.]+\(|(?:import|from|const|let|var|await|return|def|for|if)\b|[)\]};]|#|//)"
)
_FENCE_MARK = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)


class _Chunk(NamedTuple):
    """A document in a text; with what made it JSON, where it is none as it stands."""

    start: int
    end: int
    is_call: bool
    repaired: Repaired | None


def json_in_text(text: str, start: int, end: int) -> tuple[Rewriting, list[Remark], dict[str, Json]] | None:
    """The documents in a text, one behind the other; remarks; and the text around them. None where it is a prompt."""
    chunks = _chunks(text, start, end)
    if not chunks:
        return None
    edges = [start, *(edge for chunk in chunks for edge in (chunk.start, chunk.end)), end]
    around = [text[edges[i] : edges[i + 1]] for i in range(0, len(edges), 2)]
    if not _only_says_what_it_is(around, any(chunk.is_call for chunk in chunks)):
        return None
    pieces = Pieces(text)
    for chunk in chunks:
        if len(pieces):
            pieces.put("\n", chunk.start, chunk.start)
        if chunk.repaired is None:
            pieces.copy(chunk.start, chunk.end)
        else:
            pieces.add_all(chunk.repaired.pieces)
    words = [without_secrets(one) for one in (_FENCE_MARK.sub("", part).strip() for part in around) if one]
    kept: dict[str, Json] = {"text around": words} if words else {}
    remarks = list(repair_remarks([one.repaired for one in chunks if one.repaired is not None], text))
    if kept:
        message = "Text stands around the JSON; only the JSON is read, and the text is kept aside."
        step = "To route the whole text as it stands, choose `Plain prompt`."
        where = place_at(text, chunks[0].start, chunks[-1].end)
        remarks.insert(0, Remark(Severity.WARNING, "text-around-json", message, step, place=where))
    return pieces.finish(), remarks, kept


def _chunks(text: str, start: int, end: int) -> list[_Chunk]:
    """The documents; none where something that means to be one cannot be read."""
    found: list[_Chunk] = []
    failures = 0
    at = start
    while opening := _OPENING.search(text, at, end):
        at = opening.end()
        begin = opening.start()
        is_call = opening["call"] is not None
        if not is_call and not means_json(text, begin) and not may_be_repaired(text, begin):
            continue
        chunk = _chunk_at(text, begin, end, is_call)
        if chunk is None:
            failures += 1
            if failures > _FAILURES or (not is_call and means_json(text, begin)):
                return []
            if is_call and _CONVERSES.search(text, begin, begin + 4000):
                return []
            continue
        is_aside = not is_call and _HEADERS.search(text, max(start, begin - 40), begin) is not None
        if not is_aside and (not is_call or _CONVERSES.search(text, begin, chunk.end)):
            found.append(chunk)
        at = chunk.end
    return found


def _chunk_at(text: str, at: int, end: int, is_call: bool) -> _Chunk | None:
    """The document at an offset; None where there is none."""
    if not is_call:
        try:
            value, until, _ = decode(text, at, strict=False)
        except (ValueError, TooDeep):
            pass
        else:
            return _Chunk(at, until, False, None) if value and until <= end else None
    try:
        made = repair(text, at, end, alone=True)
    except (json.JSONDecodeError, TooDeep):
        return None
    return _Chunk(at, made.end, is_call, made)


def _only_says_what_it_is(around: list[str], is_code: bool) -> bool:
    """Whether what stands before, between and behind the documents are labels and not the prompt."""
    *labels, tail = around
    if not all(is_label(label, _CODE if is_code else _LABEL) for label in labels):
        return False
    if _TAIL.match(tail):
        return True
    is_marked = is_code or "```" in tail or "~~~" in tail
    if is_marked and len(tail) <= _LABEL:
        return True
    in_code = bool(labels) and labels[-1].rstrip().endswith("=")
    return all(_STAMP.match(line) or (in_code and _CODE_LINE.match(line)) for line in _lines(tail))


def is_label(label: str, length: int = _LABEL) -> bool:
    """Whether a text only says what stands behind it."""
    if len(label) > length and not all(_STAMP.match(line) for line in _lines(label)):
        return False
    lines = list(_lines(label))
    return not lines or any(
        (_ENDS_LABEL.search(label), _STAMP.match(lines[-1]), label.endswith("\n") and _ASKED.match(lines[-1]))
    )


def _lines(text: str) -> Iterator[str]:
    return (line for line in text.split("\n") if line.strip())
