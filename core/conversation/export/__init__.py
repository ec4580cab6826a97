"""Exports: a conversation as OpenAI Chat, Anthropic Messages or normalized JSON that reads back as an equal one.

What the format of an API cannot say stands in one extension field (see `extension`), and is said in a note.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..extension import FIELD
from ..model import Json
from ..normalized import message_to_json, request_to_json
from ..read import read
from ..reading import Conversation
from .bodies import Body, body_of
from .dialect import ANTHROPIC, OPENAI_CHAT, Dialect
from .fields import own_extras
from .text import document, line

_NORMALIZED = "normalized"
_DIALECTS = {dialect.name: dialect for dialect in (OPENAI_CHAT, ANTHROPIC)}
#: The names of the formats there are.
EXPORTS: tuple[str, ...] = (*_DIALECTS, _NORMALIZED)


@dataclass(frozen=True, slots=True)
class Exported:
    """An export: JSON text, and what its format could not say by itself, a sentence each."""

    text: str = field(repr=False)
    notes: tuple[str, ...] = ()


def export(conversation: Conversation, to: str) -> Exported:
    """One conversation in the format named; raises ValueError where there is none of this name."""
    body = _body(conversation, to)
    return Exported(document(body.json), _notes([body], to))


def export_all(conversations: Sequence[Conversation], to: str) -> Exported:
    """Several conversations, one a line; a single one as `export` has it. Raises ValueError as `export` does."""
    if len(conversations) == 1:
        return export(conversations[0], to)
    bodies = [_body(conversation, to) for conversation in conversations]
    if to in _DIALECTS:
        _keep_titles(conversations, bodies)
    return Exported("".join(line(body.json) for body in bodies), _notes(bodies, to))


def _body(conversation: Conversation, to: str) -> Body:
    if to == _NORMALIZED:
        return Body(_normalized(conversation), Counter())
    if to not in _DIALECTS:
        raise ValueError(f"There is no export of this name; there are {', '.join(EXPORTS)}.")
    return body_of(conversation, _DIALECTS[to])


def _normalized(conversation: Conversation) -> dict[str, Json]:
    made = request_to_json(conversation.request)
    if conversation.stop_reason is not None:
        made["stop_reason"] = str(conversation.stop_reason)
    if conversation.alternatives:
        made["alternatives"] = [message_to_json(message) for message in conversation.alternatives]
    if extras := own_extras(conversation):
        made["extras"] = extras
    return made | ({"title": conversation.title} if conversation.title else {})


def _keep_titles(conversations: Sequence[Conversation], bodies: Sequence[Body]) -> None:
    """Say the title of each conversation that would be called otherwise when the list is read."""
    found = read("".join(line(body.json) for body in bodies)).conversations
    for conversation, body, again in zip(conversations, bodies, found, strict=len(found) == len(bodies)):
        if conversation.title and conversation.title != again.title:
            body.extend("title", conversation.title)
            body.unsaid["titles"] += 1


def _notes(bodies: Sequence[Body], to: str) -> tuple[str, ...]:
    dialect = _DIALECTS.get(to)
    return () if dialect is None else tuple(_said(bodies, dialect))


def _said(bodies: Sequence[Body], dialect: Dialect) -> list[str]:
    notes = []
    unsaid = sum((body.unsaid for body in bodies), Counter())
    if unsaid:
        what = ", ".join(f"{name} ({count:,})" for name, count in unsaid.items())
        notes += [
            f"{dialect.title} has no place for this; it is kept in `{FIELD}`: {what}.",
            f"The API refuses the field `{FIELD}`; remove it before you send this.",
        ]
    missing = [name for name in dialect.needs if any(name not in body.json for body in bodies)]
    if missing:
        notes.append(f"The API asks for {' and '.join(f'`{name}`' for name in missing)} too.")
    faults = sum((dialect.faults(body.json["messages"]) for body in bodies), Counter())
    if faults:
        notes.append(f"The API refuses {', '.join(f'{name} ({count:,})' for name, count in faults.items())}.")
    return notes


__all__ = ["EXPORTS", "Exported", "export", "export_all"]
