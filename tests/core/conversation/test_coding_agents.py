"""Sessions of coding agents: places, what is kept aside, ids and stop reasons (the turns stand in the .toml files)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Conversation, Reading, Severity, read
from routing_workbench.core.conversation.model import StopReason, Text, ToolResult


def lines(*records: dict[str, Any]) -> str:
    """Records one a line."""
    return "\n".join(json.dumps(record) for record in records)


def session(kind: str, content: Any, uuid: str, parent: str | None = None, **more: Any) -> dict[str, Any]:
    """A record of a Claude Code session."""
    message: dict[str, Any] = {"role": kind, "content": content, **more.pop("message", {})}
    return {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "message": message, **more}


def item(payload: dict[str, Any], kind: str = "response_item") -> dict[str, Any]:
    """A record of a Codex rollout."""
    return {"timestamp": "t", "type": kind, "payload": payload}


def said(role: str, text: str) -> dict[str, Any]:
    """A message of a Codex rollout."""
    kind = "output_text" if role == "assistant" else "input_text"
    return item({"type": "message", "role": role, "content": [{"type": kind, "text": text}]})


def one(found: Reading) -> Conversation:
    """The one conversation of a reading."""
    (conversation,) = found.conversations
    return conversation


def codes(found: Reading, *severities: Severity) -> list[str]:
    """The codes of the remarks of these severities."""
    return [d.code for d in found.diagnostics if d.severity in severities]


CLAUDE = lines(
    session("user", "q", "u1", cwd="/r"),
    session("assistant", [{"type": "text", "text": "a"}], "a1", "u1", message={"id": "m1", "stop_reason": None}),
    session("assistant", [{"type": "text", "text": "b"}], "a2", "a1", message={"id": "m1", "stop_reason": "end_turn"}),
)


def test_a_message_of_several_lines_stands_at_the_first() -> None:
    """So a jump from the screen lands where it begins."""
    assert [place.path for place in one(read(CLAUDE)).places] == ["[0]", "[1]"]


def test_session_id_and_stop_reason_of_a_claude_session() -> None:
    """The last line of a message says why the model stopped."""
    conversation = one(read(CLAUDE))
    assert (conversation.request.session_id, conversation.stop_reason) == ("s1", StopReason.END_TURN)


def test_no_stop_reason_where_a_user_comes_last() -> None:
    """A stop reason is that of the attempt."""
    assert one(read(CLAUDE + "\n" + lines(session("user", "more", "u2", "a2")))).stop_reason is None


def test_the_rest_of_a_claude_record_is_kept() -> None:
    """All fields beside role and content, under the record's path."""
    kept = one(read(CLAUDE)).extras["records"]
    assert kept["[0]"] == {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "s1", "cwd": "/r"}
    assert kept["[2]"]["message"] == {"id": "m1", "stop_reason": "end_turn"}


def test_turns_that_were_taken_back_are_kept() -> None:
    """Whole, under their paths, and a note stands at the first."""
    found = read(
        lines(
            session("user", "q", "u1"),
            session("assistant", "a", "a1", "u1"),
            session("user", "left", "b1", "a1"),
            session("assistant", "left too", "b2", "b1"),
            session("user", "taken", "c1", "a1"),
        )
    )
    assert list(one(found).extras["turns taken back"]) == ["[2]", "[3]"]
    (note,) = [d for d in found.diagnostics if d.code == "turns-taken-back"]
    assert (note.severity, note.place.line) == (Severity.NOTE, 3)


def test_results_beside_the_way_stay() -> None:
    """A result whose record is no parent of the next one answers its call all the same."""
    call = [{"type": "tool_use", "id": "t1", "name": "x", "input": {}}]
    found = read(
        lines(
            session("assistant", call, "a1"),
            session("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "r"}], "r1", "a1"),
            session("user", "next", "u2", "a1"),
        )
    )
    assert one(found).request.messages[1].content == (ToolResult("t1", (Text("r"),)),)
    assert codes(found, Severity.WARNING, Severity.ERROR) == []


@pytest.mark.parametrize("parents", [("u1", "u1", "u1"), ("u4", "u3", "u2"), ("?", "?", "?")])
def test_odd_trees_lose_nothing_silently(parents: tuple[str, str, str]) -> None:
    """Links that cross, run in circles or lead nowhere: each turn is read, or kept aside and remarked on."""
    records = [session("user", f"{i}", f"u{i + 2}", parent) for i, parent in enumerate(parents)]
    found = read(lines(session("user", "first", "u1"), *records))
    aside = one(found).extras.get("turns taken back", {})
    assert len(one(found).request.messages) + len(aside) == 4
    assert bool(aside) is ("turns-taken-back" in codes(found, Severity.NOTE))


def test_each_subagent_has_its_own_places_and_session() -> None:
    """A place starts with the record's line; the session's id is that of both."""
    found = read(lines(session("user", "q", "u1"), session("user", "sub", "x1", isSidechain=True)))
    main, sub = found.conversations
    assert [place.path for place in (*main.places, *sub.places)] == ["[0]", "[1]"]
    assert [main.request.session_id, sub.request.session_id] == ["s1", "s1"]


def test_stop_reason_and_extras_of_a_stream() -> None:
    """What a run's envelopes say beside the messages is kept."""
    text = lines(
        {"type": "user", "message": {"role": "user", "content": "q"}, "session_id": "s"},
        {
            "type": "assistant",
            "message": {"id": "m", "role": "assistant", "content": "a", "stop_reason": "max_tokens"},
            "session_id": "s",
        },
        {"type": "result", "subtype": "success", "is_error": False, "result": "a", "total_cost_usd": 1.5},
    )
    found = read(text)
    assert one(found).stop_reason is StopReason.MAX_TOKENS
    assert one(found).extras["records"]["[2]"]["total_cost_usd"] == 1.5
    assert codes(found, Severity.WARNING) == ["reply-cut-off"]


def test_a_rollout_keeps_what_is_no_item() -> None:
    """Under the path of its record; copies of items are only counted."""
    found = read(lines(item({"id": "c1", "cwd": "/r"}, "session_meta"), said("user", "q")))
    assert one(found).extras["records"] == {"[0]": item({"id": "c1", "cwd": "/r"}, "session_meta")}
    assert one(found).request.session_id == "c1"
    assert [place.path for place in one(found).places] == ["[1].payload"]


def test_rolling_back_spares_what_the_program_wrote() -> None:
    """The surroundings that stand before the first prompt begin no turn."""
    found = read(
        lines(
            said("user", "<environment_context>x</environment_context>"),
            said("user", "a"),
            said("user", "b"),
            item({"type": "thread_rolled_back", "num_turns": 1}, "event_msg"),
            item({"type": "thread_rolled_back", "num_turns": 1}, "event_msg"),
            said("user", "c"),
        )
    )
    texts = [message.content for message in one(found).request.messages]
    assert texts == [(Text("<environment_context>x</environment_context>"),), (Text("c"),)]
    assert list(one(found).extras["turns taken back"]) == ["[3]", "[4]"]


def test_messages_of_gemini_that_were_taken_back_are_kept() -> None:
    """Whole, in order."""
    gone = [{"id": "1", "type": "user", "content": "a"}, {"id": "2", "type": "gemini", "content": "b"}]
    found = read(lines(*gone, {"$rewindTo": "1"}, {"id": "3", "type": "user", "content": "c"}))
    assert one(found).extras["turns taken back"] == gone


def test_a_later_record_of_a_message_stands_at_its_own_line() -> None:
    """The order is that of the first record, the content and the place that of the last."""
    found = read(
        lines(
            {"sessionId": "g", "projectHash": "0"},
            {"id": "1", "type": "gemini", "content": ""},
            {"id": "2", "type": "user", "content": "q"},
            {"id": "1", "type": "gemini", "content": "a"},
        )
    )
    assert [place.path for place in one(found).places] == ["[3]", "[2]"]


def test_places_of_aider_select_the_turn() -> None:
    """From the mark of a user line to the end of the turn, and from the first line of an answer."""
    text = "# aider chat started at 2031\n\n#### a  \n#### b  \n\nYes.\n\n> Tokens: 1k sent  \n"
    conversation = one(read(text))
    assert [text[p.start : p.end] for p in conversation.places] == ["#### a  \n#### b  ", "Yes."]
    assert conversation.extras == {"chat started at": "2031", "lines of the program": {"8": "Tokens: 1k sent"}}


def test_places_of_cursor_select_the_turn() -> None:
    """With its rule and its name; the title of the export names the conversation."""
    text = "# T\n_Exported on x from Cursor (9)_\n\n---\n\n**User**\n\nq\n\n---\n\n**Cursor**\n\na"
    conversation = one(read(text))
    assert [text[p.start : p.end] for p in conversation.places] == ["---\n\n**User**\n\nq", "---\n\n**Cursor**\n\na"]
    assert conversation.title == "T"
    assert conversation.extras == {"export": {"title": "T", "exported on": "x"}}


@pytest.mark.parametrize("odd", [{}, [], {"a": 1}, ["a"], None, True, 1, "x"])
@pytest.mark.parametrize(
    "record",
    [
        session("user", "q", "u1", isSidechain=True, agentId="g"),
        {"type": "progress", "sessionId": "s", "data": {"message": session("user", "q", "u")}},
        {"type": "summary", "summary": "s", "leafUuid": "u"},
        {"type": "assistant", "message": {"id": "m", "content": "a"}, "session_id": "s", "parent_tool_use_id": "t"},
        {"type": "stream_event", "event": {"type": "message_start", "message": {"id": "m"}}, "session_id": "s"},
        {"type": "result", "subtype": "success", "is_error": False, "result": "r"},
        said("user", "q"),
        item({"type": "thread_rolled_back", "num_turns": 1}, "event_msg"),
        item({"message": "m", "replacement_history": [{"type": "message", "role": "user"}]}, "compacted"),
        item({"id": "c", "source": {"subagent": {}}, "base_instructions": {"text": "t"}}, "session_meta"),
        {"type": "item.completed", "item": {"type": "mcp_tool_call", "id": "i", "status": "failed", "result": {}}},
        {"id": "0", "msg": {"type": "exec_command_end", "call_id": "k", "stdout": "a", "exit_code": 1}},
        {"sessionId": "g", "projectHash": "0", "messages": [{"id": "1", "type": "user", "content": "q"}]},
        {
            "id": "2",
            "type": "gemini",
            "content": "a",
            "thoughts": [{}],
            "toolCalls": [{"name": "n", "status": "error"}],
        },
        {"$rewindTo": "1"},
    ],
    ids=lambda record: str(record.get("type", next(iter(record)))),
)
def test_junk_in_any_field_is_no_failure(record: dict[str, Any], odd: Any) -> None:
    """Each field of a record, and of the objects in it, may be anything; the reading says something or reads it."""
    beside = (session("user", "q", "u9"), said("user", "q"), {"id": "9", "type": "gemini", "content": "a"})
    for broken in with_odd(record, odd):
        for other in beside:
            for text in (lines(broken, other), lines(other, broken), json.dumps(broken)):
                found = read(text)
                assert "reader-failed" not in {d.code for d in found.diagnostics}
                assert found.conversations or found.failed


def with_odd(value: dict[str, Any], odd: Any) -> list[dict[str, Any]]:
    """The object with each of its fields replaced in turn, those of objects in it too."""
    made = []
    for key, inner in value.items():
        made.append({**value, key: odd})
        if isinstance(inner, dict):
            made += [{**value, key: changed} for changed in with_odd(inner, odd)]
        elif isinstance(inner, list) and inner and isinstance(inner[0], dict):
            made += [{**value, key: [changed]} for changed in with_odd(inner[0], odd)]
    return made
