"""Exports of chat applications: places, what is kept aside, branches, and what is said about them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Conversation, read
from routing_workbench.core.conversation.model import Media, Reasoning, StopReason, Text


def one(value: Any) -> Conversation:
    """The only conversation of a paste."""
    (conversation,) = read(json.dumps(value)).conversations
    return conversation


def node(name: str, parent: str | None, role: str, text: str, **message: Any) -> dict[str, Any]:
    """A node of a ChatGPT export."""
    content = {"content_type": "text", "parts": [text]}
    return {
        "id": name,
        "parent": parent,
        "children": [],
        "message": {"author": {"role": role}, "content": content, **message},
    }


def chatgpt(last: str, *nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A conversation of a ChatGPT export."""
    return {"title": "Weir", "mapping": {n["id"]: n for n in nodes}, "current_node": last, **more}


def test_a_chatgpt_message_stands_at_its_node() -> None:
    """Whatever order the nodes are in; the place leads to the message."""
    text = json.dumps([chatgpt("a", node("a", "u", "assistant", "two"), node("u", None, "user", "how high"))], indent=1)
    (conversation,) = read(text).conversations
    assert [place.path for place in conversation.places] == ["[0].mapping.u.message", "[0].mapping.a.message"]
    assert conversation.title == "Weir"
    found = read(text.replace('"user"', '"critic"')).diagnostics
    line = text[: text.rindex('"message": {')].count("\n") + 1
    assert next(d.place.line for d in found if d.code == "unsupported-role") == line


def test_other_branches_of_a_chatgpt_tree_are_kept_whole() -> None:
    """Each under its name, and nothing of the branch that is shown with them."""
    other = node("b", "u", "assistant", "no idea")
    kept = one(chatgpt("a", node("u", None, "user", "how high"), node("a", "u", "assistant", "two"), other)).extras
    assert dict(kept) == {"mapping.b": other, "title": "Weir"}


def test_what_is_not_said_of_a_chatgpt_message_is_kept() -> None:
    """Times, channels, hidden turns, recaps."""
    hidden = node("h", "u", "user", "context", metadata={"is_visually_hidden_from_conversation": True})
    recap = node("a", "h", "assistant", "")
    recap["message"]["content"] = {"content_type": "reasoning_recap", "content": "Thought for 3s"}
    last = node("z", "a", "assistant", "two", create_time=7.5)
    kept = one(chatgpt("z", node("u", None, "user", "how high"), hidden, recap, last)).extras
    assert kept["mapping.h.message.content"] == {"content_type": "text", "parts": ["context"]}
    assert kept["mapping.a.message.content.content"] == "Thought for 3s"
    assert kept["mapping.z.message.create_time"] == 7.5


def test_chatgpt_thoughts_are_one_reasoning() -> None:
    """Summary and content of each, in their order."""
    thoughts = node("t", "u", "assistant", "")
    thoughts["message"]["content"] = {
        "content_type": "thoughts",
        "thoughts": [{"summary": "Look", "content": "It is old."}, {"summary": "", "content": "And low."}],
    }
    read_as = one(chatgpt("t", node("u", None, "user", "how high"), thoughts)).request.messages[-1].content
    assert read_as == (Reasoning("Look\nIt is old.\n\nAnd low."),)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("stop", StopReason.END_TURN), ("max_tokens", StopReason.MAX_TOKENS), ("sunset", StopReason.UNKNOWN), ("", None)],
)
def test_why_a_chatgpt_reply_stopped(kind: str, reason: StopReason | None) -> None:
    """As the last message of the assistant says."""
    details = {"metadata": {"finish_details": {"type": kind}}} if kind else {}
    value = chatgpt("a", node("u", None, "user", "q"), node("a", "u", "assistant", "a", **details))
    assert one(value).stop_reason is reason


@pytest.mark.parametrize("size", [3_000])
def test_a_long_branch_is_read_to_its_start(size: int) -> None:
    """Without recursion, in the order from the root."""
    nodes = [node(f"n{i}", f"n{i - 1}" if i else None, "user", str(i)) for i in range(size)]
    conversation = one(chatgpt(f"n{size - 1}", *reversed(nodes)))
    assert [m.content for m in conversation.request.messages] == [(Text(str(i)),) for i in range(size)]


def claude(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A conversation of a Claude.ai export."""
    return {"uuid": "c", "name": "Weir", "chat_messages": list(messages), **more}


def test_results_of_claude_ai_stand_at_their_blocks() -> None:
    """One pasted message gives three turns; each knows where it stands."""
    content = [
        {"type": "tool_use", "name": "level", "input": {}},
        {"type": "tool_result", "name": "level", "content": "2 m"},
        {"type": "text", "text": "Two metres."},
    ]
    conversation = one(claude({"sender": "assistant", "text": "", "content": content}))
    assert [place.path for place in conversation.places] == [
        "chat_messages[0]",
        "chat_messages[0].content[1]",
        "chat_messages[0].content[2]",
    ]


def test_an_attachment_of_claude_ai_is_text_and_a_file() -> None:
    """Its text was read by the model; what else is known of it stays with the file."""
    attached = {"file_name": "weir.txt", "file_size": 12, "extracted_content": "two metres"}
    content = one(claude({"sender": "human", "text": "sum up", "attachments": [attached]})).request.messages[0].content
    assert content == (Text("sum up"), Text("two metres"), Media("file", {"file_name": "weir.txt", "file_size": 12}))


def test_a_text_of_claude_ai_that_its_blocks_do_not_say_is_kept() -> None:
    """It is not doubled where it repeats them, whatever white space stands between."""
    blocks = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    same = one(claude({"sender": "human", "text": "a\n\nb", "content": blocks}))
    other = one(claude({"sender": "human", "text": "a c", "content": blocks}))
    assert "chat_messages[0].text" not in same.extras
    assert other.extras["chat_messages[0].text"] == "a c"


def webui(last: str, *messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A chat of Open WebUI."""
    return {"title": "Weir", "history": {"messages": {m["id"]: m for m in messages}, "currentId": last}, **more}


def test_a_flat_list_of_open_webui_is_kept_where_it_says_more() -> None:
    """What only repeats the tree is not."""
    asked = {"id": "u", "parentId": None, "role": "user", "content": "how high"}
    stale = {"id": "u", "role": "user", "content": "how wide"}
    assert "messages" not in one(webui("u", asked, messages=[asked])).extras
    assert one(webui("u", asked, messages=[stale])).extras["messages"] == [stale]


def test_reasoning_of_open_webui_is_unquoted() -> None:
    """It stands in the answer as an HTML quote."""
    text = (
        '<details type="reasoning" done="true" duration="2">\n<summary>Thought for 2 seconds</summary>\n'
        "&gt; a &lt; b\n&gt;\n&gt; &quot;c&quot;\n</details>\nTwo."
    )
    asked = {"id": "u", "parentId": None, "role": "user", "content": "how high"}
    answer = {"id": "a", "parentId": "u", "role": "assistant", "content": text}
    assert one(webui("a", asked, answer)).request.messages[1].content == (Reasoning('a < b\n\n"c"'), Text("Two."))


def test_two_inputs_that_were_not_sent_are_both_kept() -> None:
    """AI Studio keeps what is typed beside the chunks."""
    chunks = [{"role": "user", "text": "q"}, {"role": "model", "text": "a"}]
    typed = [{"role": "user", "text": "b"}, {"role": "user", "text": "c"}]
    kept = one({"chunkedPrompt": {"chunks": chunks, "pendingInputs": typed}}).extras
    assert [kept[f"chunkedPrompt.pendingInputs[{i}]"] for i in (0, 1)] == typed


def test_a_signature_in_ai_studio_keeps_the_parts() -> None:
    """Parts that hold more than the pieces of the text are not dropped."""
    parts = [{"text": "Two "}, {"text": "metres.", "thoughtSignature": "s"}]
    kept = one({"chunkedPrompt": {"chunks": [{"role": "model", "text": "Two metres.", "parts": parts}]}}).extras
    assert kept == {"chunkedPrompt.chunks[0].parts": parts}
