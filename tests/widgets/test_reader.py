"""The reader: a light index, contents as they are asked for, small changes small, no text in saved state."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from routing_workbench.core.conversation.model import Message, Request, Role, Text
from routing_workbench.core.conversation.read import read
from routing_workbench.core.conversation.reading import Conversation, Reading
from routing_workbench.widgets.act import Act
from routing_workbench.widgets.reader import FOUND, INDEXED, MODULES, PUSHED, Reader
from routing_workbench.widgets.screen import Edits, RunState, Screen
from routing_workbench.widgets.surface import asset


@pytest.fixture
def acts():
    """What was reported."""
    return []


@pytest.fixture
def reader(acts):
    """A reader whose messages to the browser are kept in `reader.sent`, with the number of their bytes."""
    made = Reader(acts.append)
    object.__setattr__(made, "sent", [])

    def send(content, buffers=None):
        size = len(json.dumps(content, ensure_ascii=False).encode()) + sum(map(len, buffers or []))
        made.sent.append((content, buffers or [], size))

    object.__setattr__(made, "send", send)
    yield made
    made.close()


def ask(reader, content):
    """What is sent in answer."""
    reader.sent.clear()
    reader._receive(reader, content, [])
    return [message for message, _, _ in reader.sent]


def kinds(reader):
    """The kinds of what was sent."""
    return [next(iter(message)) for message, _, _ in reader.sent]


def talk(*texts, **more):
    """A screen with these texts as messages of the user."""
    turns = tuple(Message(Role.USER, (Text(text),)) for text in texts)
    return of(turns, **more)


def of(turns, **more):
    """A screen with these messages."""
    reading = Reading((Conversation(Request((), turns)),), None, (), ())
    return Screen(RunState.IDLE, reading=reading, chosen=0, **more)


def test_a_conversation_is_told_by_its_index_and_its_first_rows(reader):
    """What stands around the list comes first."""
    reader.show(talk("one", "two"))
    assert kinds(reader) == ["head", "rows", "index"]
    index, buffers, _ = reader.sent[2]
    assert index == {"index": {"n": 1, "at": 0, "gone": 0, "whole": False}}
    assert [len(buffer) for buffer in buffers] == [8, 8, 2, 2]
    assert [row["parts"][0]["head"] for row in reader.sent[1][0]["rows"]] == ["one", "two"]


def test_the_same_screen_is_sent_once(reader):
    """Also where a run goes on around it."""
    screen = talk("one")
    reader.show(screen)
    reader.sent.clear()
    reader.show(screen)
    reader.show(replace(screen, remark="later", state=RunState.RUNNING))
    assert reader.sent == []


def test_what_is_derived_anew_of_the_same_conversation_sends_nothing(reader, screens):
    """Each step of a run derives again."""
    reader.show(screens.idle())
    reader.sent.clear()
    # Only what is the very same conversation is.
    screen = replace(screens.idle(), reading=reader._seen[0])
    turns = screen.reading.conversations[0].request.turns
    request = Request(turns[:1], turns[1:-1])
    reader.show(replace(screen, derived=replace(screen.derived, request=request)))
    assert reader.sent == []


def test_an_edited_message_is_sent_alone(reader):
    """Its contents before its place, so that no row is ever bare."""
    turns = tuple(Message(Role.USER, (Text(f"message {at}"),)) for at in range(5_000))
    reader.show(of(turns))
    reader.sent.clear()
    reader.show(of((*turns[:2_000], Message(Role.USER, (Text("changed"),)), *turns[2_001:])))
    assert kinds(reader) == ["head", "rows", "index"]
    assert reader.sent[2][0]["index"] == {"n": 2, "at": 2_000, "gone": 1, "whole": False}
    assert sum(size for _, _, size in reader.sent) < 1_000


def test_a_removed_and_an_appended_message_move_the_rest(reader):
    """Nothing of the rest is sent."""
    turns = tuple(Message(Role.USER, (Text(f"message {at}"),)) for at in range(100))
    reader.show(of(turns))
    reader.sent.clear()
    reader.show(of((*turns[:3], *turns[4:])))
    reader.show(of((*turns[:3], *turns[4:], Message(Role.USER, (Text("more"),)))))
    indexes = [message["index"] for message, _, _ in reader.sent if "index" in message]
    assert [(index["at"], index["gone"]) for index in indexes] == [(3, 1), (99, 0)]


def test_no_message_is_too_long(reader):
    """A hundred thousand rows come in pieces that stand alone; so do rows that say much."""
    turn = Message(Role.USER, tuple(Text("\N{GRINNING FACE}" * 900) for _ in range(40)))
    reader.show(of((turn,) * 100_000))
    assert max(size for _, _, size in reader.sent) < 500_000
    indexes = [(message["index"], buffers) for message, buffers, _ in reader.sent if "index" in message]
    assert [index["n"] for index, _ in indexes] == [1, 2, 3]
    assert [index["at"] for index, _ in indexes] == [0, INDEXED, 2 * INDEXED]
    assert sum(len(buffers[2]) for _, buffers in indexes) == 100_000


def test_a_new_view_gets_everything(reader):
    """After a page reload: what is around, the first rows, the whole index, what is sought."""
    reader.show(talk(*[f"tide {at}" for at in range(100)]))
    ask(reader, {"search": "tide 7", "n": 3})
    made = ask(reader, {"want": True})
    assert kinds(reader) == ["head", "rows", "index", "found"]
    assert made[0]["head"]["search"] == "tide 7"
    assert len(made[1]["rows"]) == PUSHED
    assert made[2]["index"]["whole"]
    assert made[3]["found"] == {"q": "tide 7", "n": None, "total": 11, "rows": 11}


def test_a_view_before_the_first_screen_gets_nothing(reader):
    """It asks again."""
    assert ask(reader, {"want": True}) == []


def test_rows_are_answered_by_their_place(reader):
    """What is not there is left out: the browser hears of it by the index."""
    reader.show(talk("one", "two", "three"))
    (made,) = ask(reader, {"rows": [1, 7, -1]})
    assert [row["parts"][0]["head"] for row in made["rows"]] == ["two"]


def test_a_text_comes_piece_by_piece(reader):
    """By its range; no piece is too long, and lone surrogates can be sent."""
    reader.show(talk("x" * 500_000 + "\ud800end"))
    (first,) = ask(reader, {"piece": [0, 0, 100, 400_000]})
    assert (first["piece"]["from"], len(first["piece"]["text"])) == (100, 80_000)
    (last,) = ask(reader, {"piece": [0, 0, 500_000, 600_000]})
    assert last["piece"] == {"id": 1, "b": 0, "from": 500_000, "text": "\ufffdend"}


def test_what_is_sought_is_counted_and_told_where(reader):
    """Rows and how often, then the places in a row that is seen."""
    reader.show(talk("Tide and tide", "low water", "tide"))
    (found,) = ask(reader, {"search": "TIDE", "n": 4})
    assert found["found"] == {"q": "TIDE", "n": 4, "total": 3, "rows": 2}
    assert [memory.hex() for memory in reader.sent[0][1]] == ["0000000002000000", "0200000001000000"]
    (hits,) = ask(reader, {"hits": [0, 1]})
    assert hits == {"hits": [[1, [0, 0, 4, 0, 9, 13]], [2, []]], "q": "TIDE"}


def test_more_matching_rows_than_are_told_are_counted(reader):
    """The total is of all."""
    reader.show(of((Message(Role.USER, (Text("a"),)),) * (FOUND + 5)))
    (found,) = ask(reader, {"search": "a", "n": 1})
    assert found["found"]["total"] == FOUND + 5
    assert len(reader.sent[0][1][0]) == 4 * FOUND


def test_a_search_follows_the_conversation(reader):
    """An edit may add a match."""
    turns = (Message(Role.USER, (Text("tide"),)),)
    reader.show(of(turns))
    ask(reader, {"search": "tide", "n": 1})
    reader.sent.clear()
    reader.show(of((*turns, *turns)))
    assert reader.sent[-1][0]["found"]["total"] == 2


def test_a_text_to_edit_comes_whole(reader):
    """In parts; one that is too long says so."""
    reader.show(talk("x" * 100_000, "y" * 200_001))
    made = ask(reader, {"edit": [0, 0]})
    assert "".join(one["edit"]["text"] for one in made) == "x" * 100_000
    assert [(one["edit"]["part"], one["edit"]["parts"]) for one in made] == [(0, 2), (1, 2)]
    (refused,) = ask(reader, {"edit": [1, 0]})
    assert refused["edit"]["says"] == (
        "200,001 chars, more than the 200,000 that are edited here. Edit it in the source."
    )


def test_what_is_no_message_of_the_paste_is_not_edited(reader, screens):
    """The attempt of the local tier."""
    reader.show(screens.idle())
    (refused,) = ask(reader, {"edit": [34, 0]})
    assert refused["edit"]["says"] == "This cannot be edited here. Edit it in the source."


def test_a_message_as_it_was_pasted(reader):
    """Its JSON by its path; where no place is known, a sentence."""
    text = '{"messages": [{"role":"user",  "content":"why?"}]}'
    reader.show(Screen(RunState.IDLE, reading=read(text), chosen=0), text)
    (made,) = ask(reader, {"raw": [0]})
    assert made["raw"] == [[1, 34, ""]]
    (piece,) = ask(reader, {"piece": [0, -1, 0, 99]})
    assert piece["piece"]["text"] == '{"role":"user",  "content":"why?"}'
    reader.show(talk("why?"))
    (made,) = ask(reader, {"raw": [0]})
    assert made["raw"][0][1:] == [0, "No place in the source is known for this message."]


def test_how_it_is_looked_at_is_kept_for_the_next_view(reader):
    """And forgotten with the conversation."""
    reader.show(talk("why?"))
    ask(reader, {"look": {"filter": "failed", "raw": True}})
    head = ask(reader, {"want": True})[0]["head"]
    assert (head["filter"], head["raw"]) == ("failed", True)
    reader.show(Screen(RunState.EMPTY))
    head = ask(reader, {"want": True})[0]["head"]
    assert (head["filter"], head["raw"], head["search"]) == ("all", False, "")


def test_edits_are_told(reader):
    """What can be taken back, and which rows they are."""
    reader.show(talk("why?", edits=Edits(2, 1, "the edit of message 1", (0,), 1)))
    head = reader.sent[0][0]["head"]
    assert (head["undo"], head["redo"], head["words"], head["edited"]) == (2, 1, "the edit of message 1", 1)
    assert reader.sent[2][1][3] == bytes([128 | 64])


def test_an_earlier_conversation_is_stale(reader, screens):
    """Another text is in the editor, and it could not be read."""
    reader.show(replace(screens.idle(), reading=screens.unreadable().reading, chosen=None))
    assert reader.sent[0][0]["head"]["stale"]


def test_going_to_a_message_and_to_a_remark(reader, screens):
    """By turn, with the focus; by the index of the remark, without it. What is not there is left alone."""
    reader.show(screens.idle())
    reader.sent.clear()
    reader.go_to(5)
    reader.go_to(99)
    reader.go_to_problem(1)
    reader.go_to_problem(9)
    assert [message for message, _, _ in reader.sent] == [
        {"go": {"row": 5, "focus": True}},
        {"go": {"row": 1, "focus": False}},
    ]


def test_acts_reach_the_callback(reader, acts):
    """As text."""
    ask(reader, {"act": "edit-message", "k": "3:0", "value": "new"})
    ask(reader, {"act": "undo"})
    assert acts == [Act("edit-message", "3:0", "new"), Act("undo")]


@pytest.mark.parametrize("content", [{}, {"act": None}, {"rows": []}, {"look": {"filter": "else"}}, {"blocks": [9, 0]}])
def test_other_messages_do_nothing(reader, acts, content):
    """A browser sends what it likes."""
    reader.show(talk("why?"))
    assert (ask(reader, content), acts) == ([], [])


def test_a_fault_is_said_by_its_kind_and_the_next_screen_is_drawn(reader):
    """The text of an error may quote the conversation."""
    reader.show(talk("why?"))
    reader.sent.clear()
    reader.fail(KeyError("secret words"))
    assert reader.sent[0][0]["head"]["fault"] == "This panel could not be drawn: KeyError. The other panels stand."
    reader.show(talk("why?"))
    assert "fault" not in reader.sent[1][0]["head"]


def test_saved_state_and_repr_hold_no_text(reader):
    """Widget state goes into notebooks, a repr into logs."""
    reader.show(talk("secret words"), "secret words")
    ask(reader, {"search": "secret words", "n": 1})
    assert "secret words" not in str(reader.get_state()) + repr(reader)


def test_the_modules_make_one():
    """Only the last one exports, none imports, and none writes HTML."""
    texts = [asset(name) for name in MODULES]
    assert ["export" in text for text in texts] == [False] * (len(texts) - 1) + [True]
    for text in texts:
        assert "import " not in text
        assert "innerHTML" not in text
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
