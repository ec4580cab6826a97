"""What a paste may hold that is no JSON as it stands: each document that can be taken out of it, likeliest first.

Whether one of them is meant is decided by whoever asks, by the formats that fit it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from ..diagnostics import Severity
from ..document import parse_document
from ..formats.events import has_events
from ..json_remarks import too_deep_remark
from ..json_text import TooDeep, decode
from ..model import Json
from ..parsed import Document, content_range
from ..positions import place_at
from ..remarks import Remark
from ..syntax import explain
from .characters import without_ansi, without_nulls
from .code_calls import posted_by
from .curl import CURL, curl_at, sent_by
from .embedded import is_label, json_in_text
from .http_text import add_exchange, dropped_remark, is_http, messages
from .lenient import repair
from .lines import without_line_marks
from .printed import message_type
from .quoting import unquoted
from .repairs import repair_remarks
from .rewriting import Pieces, Rewriting
from .shell import without_carets
from .yaml_text import YamlFault, is_certainly_yaml, looks_like_yaml, yaml_as_json

_FENCE = re.compile(r"(?:```|~~~)(?P<info>[^\n]*)\n")
#: So often quotes may be escaped.
_ROUNDS: Final = 4
#: One of these must be among members without braces: any label looks like a member.
_TELLING: Final = frozenset(
    "messages contents input prompt role content choices conversations history chat_messages message parts".split()
)
#: Members of an object without its braces: the keys of a request, or what pydantic prints.
_MEMBERS = re.compile(r"""(?:["'][\w-]+["']|[A-Za-z_][\w-]*)\s*(?::\s*["'\[{]|=\s*(?:["'\[{]|None\b|[A-Z]\w*\())""")
#: A tuple, or a printed object: its name begins with a capital letter, or it is one of what arrays print.
_PRINTED = re.compile(
    r"\((?=\s*[\[{(])|(?:[\w.]*\.)?(?:[A-Z]\w*|array)(?:\[[\w\s.,|\[\]]{1,120}\])?\((?=\s*(?:[a-z_]\w*\s*=|[\[{]|\)))"
    r"|defaultdict\(<"
)
#: How SDKs print the error body of an API.
_API_ERROR = re.compile(r"^(?:[\w.]{1,80}(?:Error|Exception): )?Error code: \d{3} - (?=\{)", re.MULTILINE)
#: Printed objects that hold what a model was asked or answered.
_OF_AN_SDK = re.compile(
    r"[\w.]*(?:Completion|Response|Message|Chunk|Event|Content)\w*(?:\[[^\]\n]{1,120}\])?\([a-z_]\w*="
)


def candidates(document: Document) -> Iterator[Document]:
    """The documents that may be meant, where a paste is no JSON (or JSON with prose behind it)."""
    cleaned = document
    for undo in (without_nulls, without_ansi, without_line_marks):
        if (made := undo(cleaned.text)) is not None:
            layer, remark = made
            inner = parse_document(layer.text)
            is_text = not inner.roots and not inner.broken
            # A text counts without its marks only where it is a stream, or could not be read with them at all.
            if undo is without_nulls or not is_text or has_events(layer.text, inner.start):
                found = _within(cleaned, layer, [remark], inner, text_too=undo is without_nulls or is_text)
                cleaned = replace(found, is_certain=undo is without_nulls)
                yield cleaned
            elif undo is without_ansi:
                cleaned = _within(cleaned, layer, [remark], inner, text_too=True)
    text = cleaned.text
    start, end = content_range(text)
    opening = _FENCE.match(text, start)
    at = opening.end() if opening else start
    until = at + len(text[at:end].removesuffix("```").removesuffix("~~~").rstrip()) if opening else end
    # Of JSON that is broken no part is taken for the whole.
    finders = (
        (_unquoted,)
        if cleaned.broken
        else (_commented, _printed, _unquoted, _curl, _http, _posted, _yaml, _members, _embedded)
    )
    if opening and opening["info"].strip().lower() in ("", "json", "jsonc", "json5", "python", "javascript", "js"):
        finders = (_fenced, *finders)
    for find in finders:
        yield from (_outside(cleaned, made) for made in find(text, at, until))


def _outside(cleaned: Document, made: Document) -> Document:
    """A document found in a cleaned text, as one of the paste."""
    if not cleaned.text_layers:
        return made
    layers = (*cleaned.layers[: cleaned.text_layers], *made.layers)
    said = list(made.remarks)
    for layer in reversed(cleaned.layers[: cleaned.text_layers]):
        said = [layer.remark(remark) for remark in said]
    before = [remark for remark in cleaned.remarks if remark.severity is not Severity.ERROR]
    return replace(made, layers=layers, text_layers=cleaned.text_layers, remarks=(*before, *said))


def _within(
    outer: Document, layer: Rewriting, remarks: Iterable[Remark], inner: Document, *, text_too: bool = False
) -> Document:
    """A document that was parsed from what a layer made of an outer one's text."""
    return _outside(outer, inner.inside(layer, remarks, text_too=text_too))


def _from(layer: Rewriting, remarks: Iterable[Remark], kept: dict[str, Json] | None = None) -> Document:
    """The JSON that a layer made."""
    made = parse_document(layer.text).inside(layer, remarks)
    return replace(made, kept=kept or None, is_certain=False)


def _fenced(text: str, at: int, until: int) -> Iterator[Document]:
    """JSON in a fence that is not closed: whole, or broken off."""
    pieces = Pieces(text)
    pieces.copy(at, until)
    made = parse_document(pieces.finish().text)
    if (made.roots or made.broken) and made.prose_behind is None:
        yield made.inside(pieces.finish())


def _commented(text: str, at: int, until: int) -> Iterator[Document]:
    """JSON behind comments."""
    if not text.startswith(("//", "/*", "#"), at):
        return
    try:
        made = repair(text, at, until)
    except (json.JSONDecodeError, TooDeep):
        return
    if made.end >= until:
        yield _from(made.pieces.finish(), repair_remarks([made], text))


def _printed(text: str, at: int, until: int) -> Iterator[Document]:
    """Printed objects, one or several; with the reprs of arrays."""
    if _PRINTED.match(text, at) is None:
        return
    try:
        made = repair(text, at, until)
    except TooDeep:
        yield _failed(text, too_deep_remark(place_at(text, at)))
        return
    except json.JSONDecodeError as error:
        if _OF_AN_SDK.match(text, at):
            fault = explain(text, error, until)
            step = f"{fault.next_step} Or print it with `.model_dump_json()` and paste that."
            place = place_at(text, fault.offset, fault.offset + 1)
            yield _failed(text, Remark(Severity.ERROR, fault.code, fault.message, step, place=place))
        return
    if not text[made.end : until].strip(" \t\r\n;,)"):
        found = _from(made.pieces.finish(), repair_remarks([made], text))
        yield replace(found, is_certain=_OF_AN_SDK.match(text, at) is not None)


def _unquoted(text: str, at: int, until: int) -> Iterator[Document]:
    """JSON whose quotes are escaped; several rounds of that."""
    made = unquoted(text, at, until)
    layers: list[Rewriting] = []
    remarks: list[Remark] = []
    while made is not None and len(layers) < _ROUNDS:
        layer, remark = made
        if remark.code == "json-csv" and layers:
            return
        remarks += [] if layers else [remark]
        layers.append(layer)
        inner = parse_document(layer.text)
        if inner.roots and inner.prose_behind is None:
            for outer in reversed(layers):
                inner = inner.inside(outer)
            yield replace(inner, remarks=(*remarks, *inner.remarks), is_certain=False)
            return
        made = unquoted(layer.text, *content_range(layer.text))


def _curl(text: str, at: int, until: int) -> Iterator[Document]:
    """The bodies of curl commands."""
    begin = curl_at(text, at, until)
    is_certain = begin is not None
    if begin is None:
        found = CURL.search(text, at, until)
        if found is None or not is_label(text[at : found.start()]):
            return
        begin = found.end()
    plain = without_carets(text, begin, until)
    inner_text, begin, end = (text, begin, until) if plain is None else (plain.text, 0, len(plain.text))
    sent = sent_by(inner_text, begin, end)
    if sent.is_broken:
        said = [one if plain is None else plain.remark(one) for one in sent.remarks]
        if is_certain:
            yield _failed(text, *said)
        return
    made = _from(sent.pieces.finish(), sent.remarks, sent.kept)
    if plain is not None:
        made = made.inside(plain)
    yield replace(made, is_certain=is_certain)


def _http(text: str, at: int, until: int) -> Iterator[Document]:
    """The bodies of HTTP messages: each request with the response behind it."""
    if not is_http(text, at):
        return
    pieces = Pieces(text)
    about: list[Json] = []
    names: list[str] = []
    asked: Pieces | None = None
    reply = None
    for message in messages(text, at, until):
        about.append(message.about)
        names += [name for name, _ in message.headers]
        if message.is_request:
            if asked is not None:
                add_exchange(asked, None, pieces)
            asked = message.body
        elif message.body is not None and asked is not None:
            add_exchange(asked, (message.body, message.text), pieces)
            asked = None
        elif message.body is not None:
            reply = message
            add_exchange(message.body, None, pieces)
    if asked is not None:
        add_exchange(asked, None, pieces)
    remarks = [
        Remark(Severity.NOTE, "http-exchange", "The bodies of HTTP messages were read.", place=place_at(text, at)),
        *dropped_remark(names, text, at),
    ]
    if not len(pieces):
        message_ = "These HTTP messages have no body."
        step = "Paste the request with its body."
        yield _failed(text, Remark(Severity.ERROR, "http-without-body", message_, step, place=place_at(text, at)))
        return
    layer = pieces.finish()
    if reply is not None and has_events(layer.text, 0):
        made = parse_document(layer.text).inside(layer, remarks, text_too=True)
        yield replace(made, kept={"http": about})
        return
    yield replace(_from(layer, remarks, {"http": about}), is_certain=True)


def _posted(text: str, at: int, until: int) -> Iterator[Document]:
    """The body that a call in code sends."""
    posted = posted_by(text, at, until)
    if posted is None:
        return
    made = parse_document(posted.layers[-1].text)
    for layer in reversed(posted.layers):
        made = made.inside(layer)
    remarks = [
        *repair_remarks([posted.repaired], text),
        Remark(
            Severity.NOTE,
            "credentials-dropped",
            "The body of a call was read; its headers, which hold credentials, are not kept.",
            place=place_at(text, at),
        ),
    ]
    yield replace(made, kept=posted.kept or None, is_certain=False, remarks=(*remarks, *made.remarks))


def _yaml(text: str, at: int, until: int) -> Iterator[Document]:
    """YAML with messages in it."""
    if not looks_like_yaml(text, at):
        return
    try:
        pieces, odd = yaml_as_json(text, at, until)
    except TooDeep:
        yield _failed(text, too_deep_remark(place_at(text, at)))
        return
    except YamlFault as error:
        if is_certainly_yaml(text, at):
            message = f"This YAML cannot be read: {error}."
            step = "Correct this place, or copy from the source again."
            place = place_at(text, error.offset, error.offset + 1)
            yield _failed(text, Remark(Severity.ERROR, "yaml-syntax", message, step, place=place))
        return
    remarks = [Remark(Severity.NOTE, code, _YAML[code], place=place_at(text, first)) for code, first in odd.items()]
    made = _from(pieces.finish(), remarks)
    role = made.value.get("role") if isinstance(made.value, dict) else None
    # A list of fields that a person wrote: no role holds a space.
    if not (isinstance(role, str) and " " in role):
        yield replace(made, is_certain=is_certainly_yaml(text, at))


_YAML = {
    "yaml-word": "A word like `yes` or `off` is read as text, as in YAML 1.2; older readers make a truth value of it.",
    "yaml-binary": "Binary data stands here that is no text, even decompressed; it is kept as base64.",
}


def _embedded(text: str, at: int, until: int) -> Iterator[Document]:
    """JSON with text around it."""
    start, end = content_range(text)
    found = json_in_text(text, start, end)
    if found is not None:
        layer, remarks, kept = found
        yield replace(_from(layer, remarks, kept), is_certain=_API_ERROR.search(text, start, end) is not None)


def _members(text: str, at: int, until: int) -> Iterator[Document]:
    """The members of an object, without its braces."""
    if _MEMBERS.match(text, at) is None:
        return
    try:
        made = repair(text, at, until, members=True)
    except (json.JSONDecodeError, TooDeep):
        return
    layer = made.pieces.finish()
    value, _, _ = decode(layer.text)
    if _TELLING.isdisjoint(value):
        return
    if kind := message_type(text[at:until]):
        made.pieces.change(0, f'{{"type": "{kind}", ')
    message = "The members of an object stand here without its braces; they were read as one."
    step = "Paste the whole document, with its outer brackets."
    remark = Remark(Severity.WARNING, "json-fragment", message, step, place=place_at(text, at, at + 1))
    yield _from(made.pieces.finish(), [remark, *repair_remarks([made], text)])


def _failed(text: str, *remarks: Remark) -> Document:
    start, end = content_range(text)
    return Document(text, start, end, broken=True, remarks=remarks)
