"""Reading a paste: find the format, parse it, and say what was found where (DESIGN, "How data flows")."""

from __future__ import annotations

from dataclasses import replace

from .diagnostics import Place, Severity
from .document import Document, parse_document, too_deep_remark
from .formats import FORMATS, Source, candidates, format_named
from .formats.draft import Draft
from .formats.elsewhere import recognize
from .formats.prompt import PLAIN_PROMPT, on_prompt
from .inner import inner_conversation
from .json_text import MAX_DEPTH, TooDeep, too_deep
from .model import Block, Json, Media, Text, ToolCall, ToolResult, Unknown
from .pairing_remarks import pairing_remarks
from .positions import field_name, path_text, place_at
from .reading import Conversation, FormatMatch, Reading
from .remarks import Remark, settle, shown
from .sharing import sharing

#: From this score on a format is certain, whatever else the paste looks like.
_CERTAIN = 0.9
_AS_PROMPT = f"To route the text as it stands, choose `{PLAIN_PROMPT.title}`."


def read(text: str, *, force: str | None = None, previous: Reading | None = None) -> Reading:
    """Read a paste; never raises, says in diagnostics what could not be read.

    `force` names the format to read it as. Messages equal to those of `previous` are its very objects, so that what was
    derived from them stays.
    """
    try:
        reading = _read(text, force)
    except (TooDeep, RecursionError):
        reading = Reading(
            (), None, (), settle([too_deep_remark(Place(1, 1, start=0, end=len(text)))], lambda paths: {})
        )
    except Exception as error:  # noqa: BLE001 - a defect of a reader must reach the screen, not end the session
        failure = Remark(
            Severity.ERROR,
            "reader-failed",
            f"Reading failed ({type(error).__name__}); this is a defect of the workbench.",
            "Report it. " + _AS_PROMPT,
        )
        reading = Reading((), None, (), settle([failure], lambda paths: {}))
    return reading if previous is None else sharing(reading, previous)


def _read(text: str, force: str | None) -> Reading:
    document = parse_document(text)
    source = Source(
        document.value, (), document.text, document.start, document.end, bool(document.roots), document.several
    )
    if document.prose_behind is not None and not _holds_conversation(source):
        source = Source(None, (), document.text, document.start, document.end, is_json=False)
    found = candidates(source)
    if not found and isinstance(source.value, list) and len(source.value) == 1:
        alone = replace(source, value=source.value[0], path=(0,))
        if found := candidates(alone):
            source = alone
    remarks = list(document.remarks)
    if force is not None:
        chosen = _forced(force, source, document, found, remarks)
    else:
        chosen = _choose(source, document, found, remarks)
        if chosen is not None and chosen.name == PLAIN_PROMPT.name:
            remarks += on_prompt(source, found)
    draft = Draft()
    conversation = None
    if chosen is not None:
        named = format_named(chosen.name)
        if named is not None:
            as_text = named is PLAIN_PROMPT and source.is_json
            named.read(replace(source, is_json=False) if as_text else source, draft)
            conversation = _finish(draft, document)
        remarks += draft.remarks
        if conversation is not None and _too_deep(conversation):
            conversation = None
            remarks.append(too_deep_remark(Place(1, 1, start=0, end=len(text))))
        elif conversation is not None:
            remarks += pairing_remarks(conversation)
        elif not any(remark.severity is Severity.ERROR for remark in draft.remarks):
            remarks.append(
                _error("no-messages", "The paste holds no message.", "Paste at least one message.", document)
            )
    conversations = () if conversation is None else (conversation,)
    return Reading(conversations, chosen, found, settle(remarks, document.places))


def _choose(
    source: Source, document: Document, found: tuple[FormatMatch, ...], remarks: list[Remark]
) -> FormatMatch | None:
    """The best candidate, or None with an error that says why there is none."""
    if document.broken:
        return None
    if document.is_empty:
        remarks.append(_error("empty-input", "The paste is empty.", "Paste a conversation or a prompt.", document))
        return None
    best = found[0] if found else None
    sign = recognize(source) if best is None or best.score < _CERTAIN else None
    if sign is not None:
        remarks.append(_error(sign.code, sign.message, f"{sign.next_step} {_AS_PROMPT}", document))
        return None
    if best is None:
        remarks.append(_none_fits(document))
    elif document.prose_behind is not None and source.is_json:
        place = place_at(document.text, document.prose_behind, document.end)
        message = "Text follows behind the JSON document."
        step = f"Remove it, or paste the document alone. {_AS_PROMPT}"
        remarks.append(Remark(Severity.ERROR, "text-behind-json", message, step, place=place))
        return None
    return best


def _none_fits(document: Document) -> Remark:
    """The error of JSON that no format fits; it points at a conversation that stands deeper in it."""
    if document.several:
        message = f"These are {len(document.roots)} JSON documents, and none holds a conversation that can be read."
    elif isinstance(document.value, dict) and "messages" in document.value:
        message = _why_no_messages(document.value["messages"])
    elif (path := inner_conversation(document.value)) is not None:
        message = f"A conversation stands inside other JSON, under `{shown(path_text(path), 60)}`."
        return Remark(Severity.ERROR, "conversation-inside", message, f"Paste that part alone. {_AS_PROMPT}", path)
    else:
        message = "This is JSON, but no conversation was found in it."
    step = f"Paste an OpenAI Chat or Anthropic Messages request, a reply, both, or a transcript. {_AS_PROMPT}"
    return _error("unknown-format", message, step, document)


def _why_no_messages(messages: Json) -> str:
    if isinstance(messages, list) and any(isinstance(message, dict) for message in messages):
        return "No message in `messages` names a role."
    return "`messages` is empty." if messages == [] else "`messages` is no list of messages."


def _forced(
    force: str, source: Source, document: Document, found: tuple[FormatMatch, ...], remarks: list[Remark]
) -> FormatMatch | None:
    """The format asked for, whatever it scores; None with an error where the paste cannot be read so."""
    named = format_named(force)
    if named is None:
        names = ", ".join(f.name for f in FORMATS)
        remarks.append(_error("no-such-format", "There is no format of this name.", f"Use one of: {names}.", document))
        return None
    match = next((m for m in found if m.name == force), None)
    if named is PLAIN_PROMPT and not document.is_empty:
        remarks[:] = [remark for remark in remarks if remark.severity is not Severity.ERROR]
        return match or FormatMatch(named.name, named.title, 0.0, "chosen by hand")
    if match is not None:
        return match
    if not any(remark.severity is Severity.ERROR for remark in remarks):
        message = f"The paste cannot be read as {named.title}: it has no {named.recognized_by}."
        remarks.append(_error("format-does-not-fit", message, "Choose another format.", document))
    return None


def _holds_conversation(source: Source) -> bool:
    return bool(candidates(source)) or recognize(source) is not None


def _finish(draft: Draft, document: Document) -> Conversation | None:
    if document.unread_lines:
        draft.extras["unread lines"] = dict(document.unread_lines)
    if draft.extras:
        names = list(dict.fromkeys(field_name(key) for key in draft.extras))
        more = f" and {len(names) - 6} more" if len(names) > 6 else ""
        listed = ", ".join(f"`{name}`" for name in names[:6])
        draft.note("fields-kept", f"Kept, but not read: {listed}{more}.")
    return draft.conversation()


def _too_deep(conversation: Conversation) -> bool:
    opaque: list[Json] = list(conversation.extras.values())
    for message in (*conversation.request.turns, *conversation.alternatives):
        for block in message.content:
            if type(block) is not Text:
                _gather(block, opaque)
    return too_deep(opaque, MAX_DEPTH + 1)


def _gather(block: Block, opaque: list[Json]) -> None:
    """Collect the JSON that a block keeps as it was pasted."""
    if isinstance(block, ToolCall):
        opaque.append(block.arguments)
    elif isinstance(block, ToolResult):
        for inner in block.content:
            _gather(inner, opaque)
    elif isinstance(block, (Media, Unknown)):
        opaque.append(block.raw if isinstance(block, Unknown) else block.source)


def _error(code: str, message: str, next_step: str, document: Document) -> Remark:
    place = (
        place_at(document.text, document.start, document.end) if not document.is_empty else Place(1, 1, start=0, end=0)
    )
    return Remark(Severity.ERROR, code, message, next_step, place=place)
