"""The handoff note (SPEC 6.2): where it goes, and that the caller's conversation stays as it is."""

from __future__ import annotations

from routing_workbench.core.conversation.model import Media, Message, Request, Role, Text
from routing_workbench.core.escalation.handoff import with_handoff_note

RULES = Message(Role.SYSTEM, (Text("rules"),))
NOTE = Text("Take over.")


def test_a_last_user_message_is_joined() -> None:
    """The note is a further block of it, behind what is there."""
    content = (Text("task"), Media("image", None))
    request = Request((RULES,), (RULES, Message(Role.USER, content)), "s1")
    noted = with_handoff_note(request, "Take over.")
    assert noted == Request((RULES,), (RULES, Message(Role.USER, (*content, NOTE))), "s1")
    assert request.messages[-1].content == content


def test_after_any_other_message_it_is_a_new_one() -> None:
    """Also in a conversation without messages."""
    for messages in ((), (Message(Role.TOOL, ()),), (Message(Role.USER, ()), Message(Role.ASSISTANT, ()))):
        noted = with_handoff_note(Request((RULES,), messages, "s1"), "Take over.")
        assert noted == Request((RULES,), (*messages, Message(Role.USER, (NOTE,))), "s1")


def test_what_was_found_of_the_message_is_not_carried_over() -> None:
    """The joined message is another one; the others are the very same."""
    first, last = Message(Role.ASSISTANT, (Text("hi"),)), Message(Role.USER, (Text("task"),))
    object.__setattr__(last, "found_text", "task")
    noted = with_handoff_note(Request((), (first, last)), "Take over.")
    assert noted.messages[0] is first
    assert noted.messages[1].found_text is None


def test_without_a_note_the_request_is_the_same() -> None:
    """No copy, no empty block."""
    request = Request((), (Message(Role.USER, (Text("task"),)),))
    assert with_handoff_note(request, None) is request
