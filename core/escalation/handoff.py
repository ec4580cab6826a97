"""The handoff note: what the capable tier is told when it takes a session over (SPEC 6.2)."""

from __future__ import annotations

from dataclasses import replace

from ..conversation.model import Message, Request, Role, Text


def with_handoff_note(request: Request, note: str | None) -> Request:
    """The request to forward to the capable tier: the note joins a last user message, else it becomes a new one.

    The caller's own request stays as it is; without a note it is returned itself.
    """
    if note is None:
        return request
    messages = request.messages
    if messages and messages[-1].role is Role.USER:
        last = messages[-1]
        joined = Message(last.role, (*last.content, Text(note)), last.source_role)
        return replace(request, messages=(*messages[:-1], joined))
    return replace(request, messages=(*messages, Message(Role.USER, (Text(note),))))
