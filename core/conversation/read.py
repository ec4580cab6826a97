"""Reading a paste: find the format, parse it, and say what was found where (DESIGN, "How data flows")."""

from __future__ import annotations

from dataclasses import replace

from .choosing import AS_PROMPT, choose, error_at, forced
from .conversations import conversations_of
from .diagnostics import Place, Severity
from .formats import REGISTRY
from .formats.draft import Draft
from .formats.prompt import PLAIN_PROMPT, on_prompt
from .json_remarks import too_deep_remark
from .json_text import TooDeep
from .opening import opened
from .parsed import Document
from .places import Places
from .reading import Conversation, FormatMatch, Reading
from .remarks import Remark, settle
from .sharing import sharing


def read(text: str, *, force: str | None = None, previous: Reading | None = None) -> Reading:
    """Read a paste; never raises, says in diagnostics what could not be read.

    `force` names the format to read it as. Messages equal to those of `previous` are its very objects, so that what was
    derived from them stays.
    """
    try:
        reading = _read(text, force)
    except (TooDeep, RecursionError):
        too_deep = too_deep_remark(Place(1, 1, start=0, end=len(text)))
        reading = Reading((), None, (), settle([too_deep], lambda paths: {}))
    except Exception as error:  # noqa: BLE001 - a defect of a reader must reach the screen, not end the session
        failure = Remark(
            Severity.ERROR,
            "reader-failed",
            f"Reading failed ({type(error).__name__}); this is a defect of the workbench.",
            "Report it. " + AS_PROMPT,
        )
        reading = Reading((), None, (), settle([failure], lambda paths: {}))
    return reading if previous is None else sharing(reading, previous)


def _read(text: str, force: str | None) -> Reading:
    document, source, found = opened(text, force)
    remarks = list(document.remarks)
    chosen = choose(source, document, found) if force is None else forced(force, document, found, remarks)
    named = REGISTRY.named(chosen.name) if isinstance(chosen, FormatMatch) else None
    conversations: tuple[Conversation, ...] = ()
    if isinstance(chosen, Remark):
        remarks.append(chosen)
    elif named is not None:
        if named is PLAIN_PROMPT:
            source = source.as_text()
            if force is None:
                remarks += on_prompt(source, found)
        draft = Draft()
        named.read(source, draft)
        if document.unread_lines:
            draft.extras["unread lines"] = dict(document.unread_lines)
        if document.kept:
            draft.extras |= document.kept
        conversations, said = conversations_of(draft, Place(1, 1, start=0, end=len(text)))
        remarks += said
        if not conversations and not any(remark.severity is Severity.ERROR for remark in said):
            message = "The paste holds no message."
            remarks.append(error_at(document, "no-messages", message, "Paste at least one message."))
    match = chosen if isinstance(chosen, FormatMatch) else None
    if document.text_layers:
        conversations, remarks = _in_paste(document, conversations, remarks)
    return Reading(conversations, match, found, settle(remarks, document.places))


def _in_paste(
    document: Document, conversations: tuple[Conversation, ...], remarks: list[Remark]
) -> tuple[tuple[Conversation, ...], list[Remark]]:
    """With places in the paste, where the text that was read was made from it; the document's own have them."""
    own = set(map(id, document.remarks))
    placed = [
        remark if remark.place is None or id(remark) in own else replace(remark, place=document.in_paste(remark.place))
        for remark in remarks
    ]
    return tuple(
        replace(one, places=one.places.moved(document.in_paste)) if isinstance(one.places, Places) else one
        for one in conversations
    ), placed
