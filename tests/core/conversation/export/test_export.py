"""What an export looks like: what an API accepts where it can be said so, and a note for the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.core.conversation import Conversation, read
from routing_workbench.core.conversation.export import EXPORTS, export, export_all
from routing_workbench.core.conversation.model import (
    Media,
    Message,
    Reasoning,
    Refusal,
    Request,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
)

SESSIONS = Path(__file__).resolve().parents[3] / "cases" / "sessions"
FIELD = "x_routing_workbench"
TOOL = {"type": "function", "function": {"name": "gate", "parameters": {"type": "object"}}}


def made(*messages: Message, instructions: tuple[Message, ...] = (), **more: Any) -> Conversation:
    """A conversation of these messages."""
    return Conversation(Request(instructions, messages), **more)


def body(conversation: Conversation, to: str) -> dict[str, Any]:
    """Its export, as JSON."""
    found: dict[str, Any] = json.loads(export(conversation, to).text)
    return found


def pasted(value: Any) -> Conversation:
    """The conversation of a paste."""
    (found,) = read(json.dumps(value)).conversations
    return found


SYSTEM = Message(Role.SYSTEM, (Text("Be brief."),))
ASKED = Message(Role.USER, (Text("Open it."),))
CALLED = Message(Role.ASSISTANT, (Text("Now."), ToolCall("c1", "gate", {"open": True})))
TWO_CALLS = Message(Role.ASSISTANT, (ToolCall("c1", "gate", {}), ToolCall("c2", "gate", {})))
DONE = Message(Role.ASSISTANT, (Text("Open."),))


# As an API has it


def test_an_openai_conversation_is_written_as_it_was_pasted() -> None:
    """Calls, results, late instructions, fields of the body and of messages: nothing needs the extension field."""
    paste = {
        "model": "m",
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "name": "ada", "content": [
                {"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "u"}}]},
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "gate", "arguments": '{"open":true}'}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "ok"},
            {"role": "system", "content": "late"},
            {"role": "assistant", "content": None, "refusal": "no"},
        ],
        "tools": [TOOL],
        "temperature": 0,
    }  # fmt: skip
    exported = export(pasted(paste), "openai-chat")
    assert json.loads(exported.text) == paste
    assert exported.notes == ()


def test_an_anthropic_conversation_is_written_as_it_was_pasted() -> None:
    """Signatures, encrypted reasoning and cache marks stand where they stood."""
    paste = {
        "model": "m",
        "max_tokens": 9,
        "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "sig"},
                {"type": "redacted_thinking", "data": "xyz"},
                {"type": "tool_use", "id": "c1", "name": "gate", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True},
                {"type": "text", "text": "go on", "cache_control": {"type": "ephemeral"}}]},
            {"role": "assistant", "content": [{"type": "server_tool_use", "id": "s", "name": "web", "input": {}}]},
        ],
        "tools": [{"name": "gate", "input_schema": {"type": "object"}}],
    }  # fmt: skip
    exported = export(pasted(paste), "anthropic")
    assert json.loads(exported.text) == paste
    assert exported.notes == ()


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.meta.json")), ids=lambda path: path.stem)
def test_a_session_in_its_own_format_has_no_extension_field(path: Path) -> None:
    """It is what it was."""
    meta = json.loads(path.read_text(encoding="utf-8"))
    (conversation,) = read((path.parent / meta["input"]).read_text(encoding="utf-8")).conversations
    to = "openai-chat" if meta["format"] == "openai-chat-request" else "anthropic"
    exported = export(conversation, to)
    assert FIELD not in exported.text
    assert not any("refuses" in note for note in exported.notes)


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.meta.json")), ids=lambda path: path.stem)
@pytest.mark.parametrize("to", ["openai-chat", "anthropic"])
def test_without_the_extension_field_an_api_accepts_a_session(path: Path, to: str) -> None:
    """Whatever format it was pasted in: calls and results as the API pairs them, nothing it does not know."""
    meta = json.loads(path.read_text(encoding="utf-8"))
    (conversation,) = read((path.parent / meta["input"]).read_text(encoding="utf-8")).conversations
    messages = [{k: v for k, v in m.items() if k != FIELD} for m in body(conversation, to)["messages"]]
    (assert_openai if to == "openai-chat" else assert_anthropic)(messages)


def assert_openai(messages: list[dict[str, Any]]) -> None:
    """Roles and fields of OpenAI Chat; each call is answered right behind it, and no result stands alone."""
    waiting: list[str] = []
    fields = {"system": {"role", "content"}, "user": {"role", "content"}, "tool": {"role", "content", "tool_call_id"}}
    for message in messages:
        assert message.keys() <= fields.get(message["role"], {"role", "content", "tool_calls", "refusal"})
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
            assert isinstance(message["content"], str)
            continue
        assert waiting == []
        for call in message.get("tool_calls", []):
            assert call.keys() == {"id", "type", "function"}
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
            waiting.append(call["id"])
        assert message["content"] or message.get("tool_calls")


def assert_anthropic(messages: list[dict[str, Any]]) -> None:
    """The user begins; each call is answered in the next turn, which begins with the results; no text is blank."""
    assert messages[0]["role"] == "user"
    waiting: set[str] = set()
    for message in messages:
        assert message.keys() == {"role", "content"}
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        assert blocks
        kinds = [block["type"] for block in blocks]
        assert kinds == sorted(kinds, key=lambda kind: kind != "tool_result") or message["role"] == "assistant"
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        assert set(results) == waiting
        waiting = {block["id"] for block in blocks if block["type"] == "tool_use"}
        assert all(block["text"].strip() for block in blocks if block["type"] == "text")


# From one format to the other


def test_results_of_openai_stand_in_one_turn_of_anthropic() -> None:
    """And come apart again."""
    conversation = made(
        ASKED,
        TWO_CALLS,
        Message(Role.TOOL, (ToolResult("c1", (Text("1"),)),)),
        Message(Role.TOOL, (ToolResult("c2", (Text("2"),)),)),
        DONE,
        instructions=(SYSTEM,),
    )
    found = body(conversation, "anthropic")
    assert found["system"] == "Be brief."
    assert [message["role"] for message in found["messages"]] == ["user", "assistant", "user", "assistant"]
    results = found["messages"][2]
    assert [block["tool_use_id"] for block in results["content"]] == ["c1", "c2"]
    assert results[FIELD] == {
        "messages": [{"role": "tool", "content": [0]}, {"role": "tool", "content": [1]}],
    }
    assert [m for m in found["messages"] if FIELD in m] == [results]


def test_results_of_anthropic_are_messages_of_openai() -> None:
    """The error flag and the cut of the turn are kept beside them."""
    answered = Message(Role.USER, (ToolResult("c1", (Text("no"),), True), Text("Again.")))
    messages = body(made(ASKED, CALLED, answered), "openai-chat")["messages"]
    assert messages[1:] == [
        {
            "role": "assistant",
            "content": "Now.",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "gate", "arguments": '{"open":true}'}}
            ],
        },
        {
            "role": "tool",
            "tool_call_id": "c1",
            "content": "no",
            FIELD: {"messages": [{"role": "user", "content": [{"of": 0, "is_error": True}]}]},
        },
        {"role": "user", "content": "Again.", FIELD: {"messages": [{"joins": True}]}},
    ]


def test_an_image_is_written_in_the_words_of_the_api_and_not_twice() -> None:
    """Its data stands once; the field says in which form it was."""
    source = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
    (message,) = body(made(Message(Role.USER, (Media("image", source),))), "openai-chat")["messages"]
    assert message["content"] == [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
    assert message[FIELD] == {"messages": [{"content": [{"of": 0, "form": "anthropic"}]}]}


def test_what_an_api_does_not_know_is_not_in_what_it_reads() -> None:
    """Reasoning without a signature, roles of other formats, a reply's stop reason."""
    thought = Message(Role.ASSISTANT, (Reasoning("secret plan"), Text("Open.")))
    critic = Message(Role.USER, (Text("x"),), "critic")
    conversation = made(ASKED, thought, critic, stop_reason=StopReason.END_TURN)
    for to in ("openai-chat", "anthropic"):
        found = body(conversation, to)
        beside = [found.pop(FIELD), *(message.pop(FIELD) for message in found["messages"] if FIELD in message)]
        assert found["messages"] == [{"role": "user", "content": "Open it."}, {"role": "assistant", "content": "Open."}]
        assert "secret plan" in json.dumps(beside)


def test_the_notes_say_what_is_unsaid_and_what_is_missing() -> None:
    """Counted, by name, with what to do."""
    answered = Message(Role.USER, (ToolResult("c9", (Text("no"),), True),))
    exported = export(made(ASKED, CALLED, answered, Message(Role.ASSISTANT, (Refusal(""),))), "openai-chat")
    assert exported.notes == (
        "OpenAI Chat has no place for this; it is kept in `x_routing_workbench`: roles (1), "
        "whether results are errors (1).",
        "The API refuses the field `x_routing_workbench`; remove it before you send this.",
        "The API asks for `model` too.",
        "The API refuses calls without a result right behind them (1), "
        "results that answer no call right before them (1).",
    )
    assert "`model` and `max_tokens`" in export(made(ASKED), "anthropic").notes[-1]


def test_declared_tools_are_written_only_in_the_words_of_the_api() -> None:
    """Those of another API are kept, and come back."""
    conversation = made(ASKED, extras={"tools": [TOOL], "model": "m", "spend": 2})
    assert body(conversation, "openai-chat")["tools"] == [TOOL]
    assert body(conversation, "openai-chat")[FIELD] == {"extras": {"spend": 2}}
    other = body(conversation, "anthropic")
    assert "tools" not in other
    assert other[FIELD] == {"extras": {"tools": [TOOL], "spend": 2}}


def test_json_as_deep_as_readers_take_it_comes_back() -> None:
    """Arguments at the limit of depth, in every format."""
    deep: Any = 1
    for _ in range(125):
        deep = [deep]
    call = ToolCall("c", "gate", {"a": deep})
    for to in EXPORTS:
        (again,) = read(export(made(ASKED, Message(Role.USER, (call,))), to).text).conversations
        assert again.request.messages[1].content == (call,)


# All together


def test_several_are_a_line_each_and_keep_their_titles() -> None:
    """A data set or a log of many sessions; one alone is a document."""
    several = [made(ASKED, title="Fog"), made(DONE, title="Open.")]
    text = export_all(several, "openai-chat").text
    assert [list(json.loads(line)) for line in text.splitlines()] == [["messages", FIELD], ["messages"]]
    assert [one.title for one in read(text).conversations] == ["Fog", "Open."]
    assert export_all(several[:1], "openai-chat") == export(several[0], "openai-chat")


def test_a_conversation_of_several_is_exported_as_if_it_were_alone() -> None:
    """Its fields are its own wherever it stood; what belongs to all of the paste is not."""
    lines = [{"messages": [{"role": "user", "content": f"{n}"}], "model": "m"} for n in range(2)] + [{"junk": 1}]
    found = read("\n".join(map(json.dumps, lines))).conversations[1]
    assert body(found, "openai-chat") == {"model": "m", "messages": [{"role": "user", "content": "1"}]}


def test_another_name_is_refused_with_those_there_are() -> None:
    """The error says what can be asked for."""
    assert EXPORTS == ("openai-chat", "anthropic", "normalized")
    with pytest.raises(ValueError, match="openai-chat, anthropic, normalized"):
        export(made(ASKED), "yaml")


def test_an_export_shows_nothing_of_the_conversation_in_its_repr() -> None:
    """The text is no part of it, and notes are ours."""
    assert "Open it." not in repr(export(made(ASKED), "normalized"))
