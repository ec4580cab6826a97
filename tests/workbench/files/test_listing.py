"""Listing a file of JSON lines: what is one conversation, what it is called, what is broken, and loading one."""

from __future__ import annotations

import json

import pytest
from routing_workbench.core.conversation.read import read
from routing_workbench.workbench.files import listing as listing_module
from routing_workbench.workbench.files.grouping import Grouping, grouping
from routing_workbench.workbench.files.headway import Headway, Stopped
from routing_workbench.workbench.files.listing import is_listed, listed, loaded, remarks_on, sample_of, whole
from routing_workbench.workbench.files.refusal import NotOpened
from routing_workbench.workbench.files.source import find


def index_of(path):
    """The file as a list, and the file."""
    source = find(path)
    sample = sample_of(source)
    assert is_listed(sample)
    return listed(source, sample, Headway()), source


def titles(index):
    """What the conversations are called."""
    return [index.title(at) for at in range(len(index))]


def claude_code(session, turn, text, **more):
    """A record of a Claude Code session."""
    role = "user" if turn % 2 == 0 else "assistant"
    message = {"role": role, "content": text if role == "user" else [{"type": "text", "text": text}]}
    if role == "assistant":
        message |= {"id": f"msg-{session}-{turn}", "type": "message", "model": "claude", "usage": {}}
    return {
        "parentUuid": f"{session}-{turn - 1}" if turn else None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/work",
        "sessionId": session,
        "version": "1.0.30",
        "type": role,
        "message": message,
        "uuid": f"{session}-{turn}",
        "timestamp": f"2025-07-01T10:00:{turn:02}.000Z",
        **more,
    }


def test_a_request_a_line_is_a_conversation_a_line(written, chats):
    """Called by the first words of their users."""
    index, source = index_of(written(chats))
    assert titles(index) == ["Question 0", "Question 1", "Question 2"]
    assert index.size(1) == "2 messages"
    assert json.loads(loaded(source, index, 1, Headway())) == chats[1]


def test_a_name_stands_before_the_words(written, chats):
    """As the list of a paste has it."""
    index, _ = index_of(written([{"custom_id": f"row-{at}", "body": body} for at, body in enumerate(chats)]))
    assert titles(index)[1] == "row-1: Question 1"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_lines_may_end_in_any_way(written, chats, end):
    """Whatever wrote the file."""
    index, source = index_of(written(chats, end=end))
    assert titles(index) == ["Question 0", "Question 1", "Question 2"]
    assert json.loads(loaded(source, index, 2, Headway())) == chats[2]


def test_a_byte_order_mark_is_no_part_of_the_first_line(written, chats):
    """Windows programs write one."""
    index, source = index_of(written(["\ufeff" + json.dumps(chats[0]), *chats[1:]]))
    assert titles(index)[0] == "Question 0"
    assert (len(index), index.broken) == (3, 0)
    assert read(loaded(source, index, 0, Headway())).conversations[0].request.messages


def test_broken_lines_are_said_by_number_and_can_be_chosen(written, chats):
    """What is wrong with one is said once it is loaded."""
    index, source = index_of(written([chats[0], '{"messages": [', chats[1], "not JSON at all", chats[2]]))
    assert remarks_on(index) == ("2 lines are no JSON objects: 2, 4.",)
    assert [index.problem(at) for at in range(5)] == [
        "",
        "line 2: no JSON object",
        "",
        "line 4: no JSON object",
        "",
    ]
    assert index.title(1) == "line 2"
    assert read(loaded(source, index, 1, Headway())).failed


def test_records_of_a_session_belong_together(written):
    """Also where sessions were written at once; lines that name none belong to the one before."""
    parts = []
    for turn in range(4):
        for session in ("one", "two", "three"):
            parts.append(claude_code(session, turn, f"{session} says {turn}"))
            if turn == 1 and session == "two":
                parts.append({"type": "file-history-snapshot", "messageId": "x", "snapshot": {}})
    index, source = index_of(written(parts))
    assert titles(index) == ["one says 0", "two says 0", "three says 0"]
    assert [index.size(at) for at in range(3)] == ["4 lines", "5 lines", "4 lines"]
    found = read(loaded(source, index, 2, Headway()))
    assert [len(one.request.messages) for one in found.conversations] == [4]


def test_a_session_is_not_called_by_what_a_harness_put_first(written):
    """Unless it has nothing else."""
    parts = [claude_code("one", 0, "<command-name>/clear</command-name>"), claude_code("one", 2, "Mend the build.")]
    parts += [claude_code("two", turn, "<local-command-stdout></local-command-stdout>") for turn in (0, 2)]
    index, _ = index_of(written(parts))
    assert titles(index) == ["Mend the build.", "<local-command-stdout></local-command-stdout>"]


def test_lines_before_the_first_session_belong_to_it(written):
    """Claude Code puts a summary in front."""
    parts = [{"type": "summary", "summary": "A fix", "leafUuid": "one-3"}]
    parts += [claude_code("one", turn, f"one says {turn}") for turn in range(4)]
    parts += [claude_code("two", turn, f"two says {turn}") for turn in range(4)]
    index, source = index_of(written(parts))
    assert [index.size(at) for at in range(len(index))] == ["5 lines", "4 lines"]
    assert loaded(source, index, 0, Headway()).startswith('{"type": "summary"')


def test_a_broken_line_of_a_session_stays_in_it(written):
    """And is named at it."""
    parts = [claude_code("one", turn, f"one says {turn}") for turn in range(4)]
    parts.insert(2, '{"type": "user", "sess')
    parts += [claude_code("two", turn, f"two says {turn}") for turn in range(4)]
    index, _ = index_of(written(parts))
    assert [(index.size(at), index.problem(at)) for at in range(2)] == [
        ("5 lines", "line 3: no JSON object"),
        ("4 lines", ""),
    ]


def test_a_session_of_a_long_line_is_found_at_its_end(written, monkeypatch):
    """A line with images in it is not read to be listed."""
    monkeypatch.setattr("routing_workbench.workbench.files.lines.KEPT", 2_000)
    monkeypatch.setattr("routing_workbench.workbench.files.lines.END", 600)
    parts = [claude_code(name, turn, f"{name} says {turn}") for turn in range(4) for name in ("one", "two")]
    parts.append(claude_code("two", 4, 'He wrote "sessionId": "one" here. ' * 100))
    index, _ = index_of(written(parts))
    assert [index.size(at) for at in range(2)] == ["4 lines", "5 lines"]


def test_a_request_and_the_reply_behind_it_are_one(written, chats):
    """As in a paste."""
    reply = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}],
    }
    index, source = index_of(written([part for chat in chats for part in (chat, reply)]))
    assert titles(index) == ["Question 0", "Question 1", "Question 2"]
    found = read(loaded(source, index, 1, Headway()))
    assert [len(one.request.messages) for one in found.conversations] == [2]


def test_one_message_a_line_is_one_conversation(written):
    """They belong together, so they are never listed one by one."""
    path = written([{"role": "user" if at % 2 == 0 else "assistant", "content": f"Say {at}"} for at in range(30)])
    assert grouping(sample_of(find(path))) == Grouping(one=True)


@pytest.mark.parametrize(
    "text",
    [
        '{"messages": []}',
        '{\n  "messages": [\n    {\n      "role": "user"\n    }\n  ]\n}',
        "[\n" + ",\n".join(['{"role": "user", "content": "x"}'] * 20) + "\n]",
        "A prompt.\nIn two lines.",
        'data: {"a": 1}\n\ndata: {"b": 2}',
        "",
    ],
)
def test_what_is_no_json_lines_is_not_listed(tmp_path, text):
    """One document, however it is laid out, a stream, or a text."""
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    assert not is_listed(sample_of(find(path)))


def test_a_file_in_utf_16_is_not_listed(tmp_path):
    """Its lines end in two bytes."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"a": 2}\n', encoding="utf-16")
    assert not is_listed(sample_of(find(path)))


def test_listing_stops_when_told(written, chats):
    """Cancel really stops it."""
    source = find(written(chats))
    headway = Headway()
    headway.stop()
    with pytest.raises(Stopped):
        listed(source, sample_of(source), headway)


def test_a_conversation_over_the_limit_is_refused_with_its_size(written, chats, monkeypatch):
    """With what to do."""
    monkeypatch.setattr(listing_module, "WHOLE", 50)
    index, source = index_of(written(chats))
    with pytest.raises(
        NotOpened, match=r"Number 1 of talks\.jsonl is a conversation of 101 bytes, over the limit of 50\."
    ):
        loaded(source, index, 0, Headway())
    with pytest.raises(NotOpened, match=r"talks\.jsonl is one document of 306 bytes, over the limit of 50\."):
        whole(source, Headway())


def test_a_file_that_is_no_text_is_refused(tmp_path):
    """Quoting nothing."""
    path = tmp_path / "a.bin"
    path.write_bytes(b"secret\xff")
    with pytest.raises(NotOpened, match="Byte 7 is not UTF-8") as refusal:
        whole(find(path), Headway())
    assert "secret" not in str(refusal.value)


def test_titles_are_filtered_in_any_case(written, chats):
    """And the filter is kept until another one comes."""
    index, _ = index_of(written([*chats, {"messages": [{"role": "user", "content": "STRASSE in \u00dc"}]}]))
    assert list(index.found("")) == [0, 1, 2, 3]
    assert list(index.found(" question ")) == [0, 1, 2]
    assert list(index.found("stra\u00dfe")) == [3]
    assert index.found("stra\u00dfe") is index.found("STRASSE")


def test_a_repr_holds_no_title(written, chats):
    """It may quote a conversation."""
    index, source = index_of(written(chats))
    assert "Question" not in repr((index, source))
