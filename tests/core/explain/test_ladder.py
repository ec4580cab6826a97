"""The branch ladder: eight rows, what each predicate read, and who would have matched too (SPEC 4.2)."""

from __future__ import annotations

import pytest
from routing_workbench.core.explain.ladder import Condition, RowState, ladder
from routing_workbench.core.vgr.branch import Branch, select_branch
from routing_workbench.core.vgr.capabilities import Capabilities

EVERYTHING = Capabilities(
    task_text="q",
    final_answer="a",
    transcript="v",
    has_checks=True,
    is_coding=True,
    is_chat=True,
    is_agentic=True,
    default_verified=True,
    prior_local=0.7,
)


def rows(capabilities: Capabilities) -> list[tuple[str, str, str]]:
    """Branch, state and words of each row."""
    return [(row.branch, row.state, row.words) for row in ladder(capabilities).rows]


def test_an_agentic_turn_climbs_as_in_the_drawing() -> None:
    """Five failing conditions in at most three words, the taken row, the rest not reached."""
    assert rows(Capabilities(task_text="fix it", transcript="view", is_agentic=True)) == [
        ("checks", "failed", "no checker"),
        ("coding_no_checks", "failed", "not coding"),
        ("answer", "failed", "no final answer"),
        ("chat", "failed", "not chat"),
        ("agentic_recognized", "failed", "no prior"),
        ("agentic_verified", "taken", "taken"),
        ("default_verified", "not_reached", "not reached"),
        ("unknown", "not_reached", "not reached"),
    ]


def test_an_unset_capability_set_falls_through_to_unknown() -> None:
    """Every predicate fails, each with the first condition that does."""
    assert rows(Capabilities()) == [
        ("checks", "failed", "no checker"),
        ("coding_no_checks", "failed", "not coding"),
        ("answer", "failed", "no final answer"),
        ("chat", "failed", "not chat"),
        ("agentic_recognized", "failed", "no transcript"),
        ("agentic_verified", "failed", "not agentic"),
        ("default_verified", "failed", "not default verified"),
        ("unknown", "taken", "taken"),
    ]


def test_later_branches_that_also_match_say_so() -> None:
    """All predicates hold: the first is taken, and only `unknown`, which is what is left, does not match."""
    assert [state for _, state, _ in rows(EVERYTHING)] == ["taken", *["would_match"] * 6, "not_reached"]


def test_a_missing_second_condition_is_named() -> None:
    """An answer without task text, and an agentic flag without a view."""
    words = {branch: says for branch, _, says in rows(Capabilities(final_answer="36", is_agentic=True))}
    assert (words["answer"], words["agentic_verified"]) == ("no task text", "no transcript")


def test_conditions_show_the_values_read_and_texts_by_length() -> None:
    """No text of the conversation reaches the ladder."""
    shown = ladder(Capabilities(task_text="secret", final_answer="s" * 7289, prior_local=0.4999)).rows
    assert shown[0].conditions == (Condition("has_checks", "false", False),)
    assert shown[2].conditions == (
        Condition("final_answer", "7,289 chars", True),
        Condition("task_text", "6 chars", True),
    )
    assert shown[4].conditions == (
        Condition("transcript", "not set", False),
        Condition("prior_local", "0.4999", True),
    )
    assert ladder(Capabilities()).rows[4].conditions[1] == Condition("prior_local", "not declared", False)
    assert shown[7].conditions == ()


@pytest.mark.parametrize("field", ["has_checks", "is_coding", "final_answer", "is_chat", "prior_local", "is_agentic"])
def test_the_taken_row_is_the_branch_selected(field: str) -> None:
    """Without a field and with only it, the ladder and the selection agree."""
    for capabilities in (
        EVERYTHING._replace(**{field: getattr(Capabilities(), field)}),
        Capabilities()._replace(**{field: getattr(EVERYTHING, field)}),
    ):
        climbed = ladder(capabilities)
        assert climbed.taken is select_branch(capabilities)
        assert [row.state for row in climbed.rows].count(RowState.TAKEN) == 1
        assert [row.branch for row in climbed.rows] == list(Branch)


def test_failing_words_are_three_at_most() -> None:
    """Short enough for the ladder's column."""
    assert max(len(says.split()) for _, _, says in rows(Capabilities())) == 3
