"""Which format a paste is read as, or the error that says why there is none (DESIGN, "How data flows")."""

from __future__ import annotations

from collections.abc import Sequence

from .diagnostics import Place, Severity
from .formats import FORMATS, REGISTRY, Source
from .formats.elsewhere import recognize
from .formats.prompt import PLAIN_PROMPT
from .inner import inner_conversation
from .model import Json
from .parsed import Document
from .positions import path_text, place_at
from .reading import FormatMatch
from .remarks import Remark, shown

#: From this score on a format is certain, whatever else the paste looks like.
CERTAIN = 0.88
AS_PROMPT = f"To route the text as it stands, choose `{PLAIN_PROMPT.title}`."


def source_of(document: Document) -> tuple[Source, tuple[FormatMatch, ...]]:
    """What the formats look at, and all formats that fit it, best first."""
    source = Source(
        document.value,
        (),
        document.text,
        document.start,
        document.end,
        bool(document.roots),
        document.several,
        registry=REGISTRY,
    )
    found = REGISTRY.candidates(source)
    if document.prose_behind is not None and not found and recognize(source) is None:
        source = source.as_text()
        return source, REGISTRY.candidates(source)
    if not found and isinstance(source.value, list) and len(source.value) == 1:
        alone = source.only()
        if found := REGISTRY.candidates(alone):
            return alone, found
    return source, found


def choose(source: Source, document: Document, found: Sequence[FormatMatch]) -> FormatMatch | Remark | None:
    """The best candidate, or the error that says why there is none; None where the document said so already."""
    if document.broken:
        return None
    if document.is_empty:
        return error_at(document, "empty-input", "The paste is empty.", "Paste a conversation or a prompt.")
    best = found[0] if found else None
    sign = recognize(source) if best is None or best.score < CERTAIN else None
    if sign is not None:
        return error_at(document, sign.code, sign.message, f"{sign.next_step} {AS_PROMPT}")
    if best is None:
        return _none_fits(document)
    if document.prose_behind is not None and source.is_json:
        place = place_at(document.text, document.prose_behind, document.end)
        message = "Text follows behind the JSON document."
        step = f"Remove it, or paste the document alone. {AS_PROMPT}"
        return Remark(Severity.ERROR, "text-behind-json", message, step, place=place)
    return best


def forced(
    name: str, document: Document, found: Sequence[FormatMatch], remarks: list[Remark]
) -> FormatMatch | Remark | None:
    """The format asked for, whatever it scores, or the error why the paste cannot be read so.

    `remarks` are those of the document; read as a prompt, it cannot be broken.
    """
    named = REGISTRY.named(name)
    if named is None:
        names = ", ".join(f.name for f in FORMATS)
        return error_at(document, "no-such-format", "There is no format of this name.", f"Use one of: {names}.")
    match = next((m for m in found if m.name == name), None)
    if named is PLAIN_PROMPT and not document.is_empty:
        remarks[:] = [remark for remark in remarks if remark.severity is not Severity.ERROR]
        return match or FormatMatch(named.name, named.title, 0.0, "chosen by hand")
    if match is not None:
        return match
    if any(remark.severity is Severity.ERROR for remark in remarks):
        return None
    message = f"The paste cannot be read as {named.title}: it has no {named.recognized_by}."
    return error_at(document, "format-does-not-fit", message, "Choose another format.")


def error_at(document: Document, code: str, message: str, next_step: str) -> Remark:
    """An error about the whole paste."""
    return Remark(Severity.ERROR, code, message, next_step, place=_whole_place(document))


def _whole_place(document: Document) -> Place:
    """The place of the whole paste."""
    if document.is_empty:
        return Place(1, 1, start=0, end=0)
    return place_at(document.text, document.start, document.end)


def _none_fits(document: Document) -> Remark:
    """The error of JSON that no format fits; it points at a conversation that stands deeper in it."""
    if document.several:
        message = f"These are {len(document.roots)} JSON documents, and none holds a conversation that can be read."
    elif isinstance(document.value, dict) and "messages" in document.value:
        message = _why_no_messages(document.value["messages"])
    elif (path := inner_conversation(document.value)) is not None:
        message = f"A conversation stands inside other JSON, under `{shown(path_text(path), 60)}`."
        return Remark(Severity.ERROR, "conversation-inside", message, f"Paste that part alone. {AS_PROMPT}", path)
    else:
        message = "This is JSON, but no conversation was found in it."
    step = f"Paste a request, a reply, both, or a transcript, in a format of the list. {AS_PROMPT}"
    return error_at(document, "unknown-format", message, step)


def _why_no_messages(messages: Json) -> str:
    if isinstance(messages, list) and any(isinstance(message, dict) for message in messages):
        return "No message in `messages` names a role."
    return "`messages` is empty." if messages == [] else "`messages` is no list of messages."
