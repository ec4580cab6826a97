"""Ids for calls that have none: made of names, joined by name and order, and never taken twice."""

from __future__ import annotations

from routing_workbench.core.conversation.formats.call_ids import CallIds
from routing_workbench.core.conversation.formats.draft import Draft


def test_each_call_gets_its_tools_name_and_a_number_from_the_second_on() -> None:
    """One note for all of them."""
    draft = Draft()
    ids = CallIds(draft)
    assert [ids.call(None, name, ()) for name in ("f", "g", "f", "")] == ["f", "g", "f-2", "call"]
    assert [remark.code for remark in draft.remarks] == ["ids-made"]


def test_a_made_id_is_never_one_that_stands_there() -> None:
    """However a paste names its calls."""
    ids = CallIds(Draft())
    assert [ids.call("f", "g", ()), ids.call(None, "f", ()), ids.call("", "f", ())] == ["f", "f-2", "f-3"]


def test_results_go_to_the_first_open_call_of_their_name() -> None:
    """In whatever order they come."""
    ids = CallIds(Draft())
    for name in ("f", "g", "f"):
        ids.call(None, name, ())
    assert [ids.result(None, name, ()) for name in ("g", "f", "f")] == ["g", "f", "f-2"]


def test_results_without_a_name_go_by_order_within_the_last_turn_that_called() -> None:
    """A call that was never answered keeps nobody waiting; a turn without calls changes nothing."""
    ids = CallIds(Draft())
    ids.turn()
    ids.call(None, "lost", ())
    ids.turn()
    ids.call(None, "f", ())
    ids.call(None, "g", ())
    ids.turn()
    assert [ids.result(None, "", ()) for _ in range(3)] == ["f", "g", ""]


def test_a_result_that_names_its_tool_reaches_back() -> None:
    """Past the calls of later turns."""
    ids = CallIds(Draft())
    ids.call(None, "slow", ())
    ids.turn()
    ids.call(None, "quick", ())
    assert ids.result(None, "slow", ()) == "slow"


def test_a_result_for_no_call_keeps_what_it_names() -> None:
    """Its id before its tool; so that it is found to be an orphan."""
    ids = CallIds(Draft())
    assert (ids.result("c9", "f", ()), ids.result(None, "f", ())) == ("c9", "f")


def test_a_given_id_is_joined_by_name_with_a_note() -> None:
    """Where the result does not repeat it."""
    draft = Draft()
    ids = CallIds(draft)
    ids.call("c1", "f", ())
    assert ids.result(None, "f", ()) == "c1"
    assert [remark.code for remark in draft.remarks] == ["result-by-name"]


def test_a_result_by_id_is_not_answered_again_by_order() -> None:
    """It no longer waits."""
    ids = CallIds(Draft())
    ids.call("c1", "f", ())
    ids.call("c2", "f", ())
    assert (ids.result("c1", "", ()), ids.result(None, "", ())) == ("c1", "c2")
