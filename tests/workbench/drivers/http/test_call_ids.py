"""The ids of tool calls: pasted ids where they can be sent, else made ones, and results that find their calls."""

from __future__ import annotations

from routing_workbench.workbench.drivers.http.call_ids import CallIds


def test_ids_that_can_be_sent_are_sent() -> None:
    """As pasted."""
    ids = CallIds()
    assert [ids.of_call("a"), ids.of_call("b"), ids.of_result("b"), ids.of_result("a")] == ["a", "b", "b", "a"]


def test_calls_without_ids_get_them_and_results_follow_in_order() -> None:
    """A result that names no call answers the first that waits."""
    ids = CallIds()
    assert [ids.of_call(""), ids.of_call(""), ids.of_result(""), ids.of_result("")] == [
        "call_1",
        "call_2",
        "call_1",
        "call_2",
    ]


def test_one_id_in_every_round_becomes_several() -> None:
    """Each result goes to its round's call."""
    ids = CallIds()
    assert [ids.of_call("x"), ids.of_result("x"), ids.of_call("x"), ids.of_result("x")] == [
        "x",
        "x",
        "call_2",
        "call_2",
    ]


def test_ids_in_letters_that_are_not_allowed_are_replaced() -> None:
    """On both sides."""
    ids = CallIds(r"[A-Za-z0-9_-]+")
    assert [ids.of_call("functions.get:0"), ids.of_result("functions.get:0")] == ["call_1", "call_1"]


def test_a_made_id_takes_no_pasted_one() -> None:
    """It is the next that is free."""
    ids = CallIds()
    assert [ids.of_call("call_2"), ids.of_call("")] == ["call_2", "call_3"]


def test_a_result_of_no_call_keeps_its_id() -> None:
    """The endpoint has the say."""
    assert CallIds().of_result("lost") == "lost"
