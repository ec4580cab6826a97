"""Scripts are values: an edit gives a new one."""

from __future__ import annotations

import pytest
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.script import (
    AFFIRMING,
    AnswerKind,
    Fault,
    Script,
    answer_kind,
    answer_options,
)


def test_every_rung_has_an_affirming_answer() -> None:
    """No rung is left without an answer."""
    assert set(AFFIRMING) == set(Rung)


def test_an_edit_changes_one_rung_of_a_new_script() -> None:
    """The old script stays as it was, and what the edit does not name is kept."""
    old = Script()
    new = old.edited(Rung.READOUT, answer="0.34").edited(Rung.READOUT, fault=Fault.TIMEOUT)
    assert (new.of(Rung.READOUT).answer, new.of(Rung.READOUT).fault) == ("0.34", Fault.TIMEOUT)
    assert new.of(Rung.READOUT).delay_ms == AFFIRMING[Rung.READOUT].delay_ms
    assert old.of(Rung.READOUT) == AFFIRMING[Rung.READOUT]
    assert new.of(Rung.DELIBERATION) == AFFIRMING[Rung.DELIBERATION]


def test_clearing_faults_keeps_the_answers() -> None:
    """Only the faults go."""
    script = Script().edited(Rung.READOUT, answer="0.34", fault=Fault.TIMEOUT)
    assert script.faults == 1
    cleared = script.without_faults()
    assert cleared.faults == 0
    assert cleared.of(Rung.READOUT).answer == "0.34"


def test_a_negative_delay_is_refused() -> None:
    """The message names the value and what is allowed."""
    with pytest.raises(ValueError, match="-5; a delay is 0 or more"):
        Script().edited(Rung.READOUT, delay_ms=-5)


@pytest.mark.parametrize(
    ("rung", "kind", "options"),
    [
        (Rung.READOUT, AnswerKind.NUMBER, ()),
        (Rung.ATTEMPT, AnswerKind.TEXT, ()),
        (Rung.CLOUD_JUDGE, AnswerKind.CHOICE, ("yes", "no", "unknown")),
        (Rung.TYPING, AnswerKind.CHOICE, ("coding", "agentic", "answer", "chat", "abstain")),
        (Rung.EFFICIENT, AnswerKind.TEXT, ()),
        (Rung.ESCALATION_JUDGE, AnswerKind.TEXT, ()),
        (Rung.CAPABLE, AnswerKind.TEXT, ()),
        (
            Rung.ROUTE,
            AnswerKind.CHOICE,
            ("distribution", "missing label", "extra label", "no distribution", "boolean", "score", "missing"),
        ),
    ],
)
def test_each_rung_is_edited_in_its_kind(rung: Rung, kind: AnswerKind, options: tuple[str, ...]) -> None:
    """Numbers, choices and text."""
    assert (answer_kind(rung), answer_options(rung)) == (kind, options)


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("timeout", Fault.TIMEOUT_FIRST_BYTE),
        ("transport", Fault.REFUSED),
        ("invalid response", Fault.WRONG_SHAPE),
        ("HTTP 401", Fault.HTTP_401),
        ("context overflow", Fault.CONTEXT_OVERFLOW),
    ],
)
def test_a_fault_is_known_by_its_kind(word: str, fault: Fault) -> None:
    """The words that older scripts have."""
    assert Fault(word) is fault
    with pytest.raises(ValueError, match="flood"):
        Fault("flood")


def test_each_fault_is_offered_once() -> None:
    """A kind is another name of one, so no list shows it twice; the first is none."""
    values = [fault.value for fault in Fault]
    assert values[0] == "none"
    assert len(set(values)) == len(values) == 26


def test_a_probability_is_edited_by_its_label() -> None:
    """The others share what is left; a label that is not asked about takes nothing."""
    script = Script(probabilities={"small": 0.4, "elsewhere": 0.9})
    labels = ("large", "mid", "small")
    assert [script.probability_of(label, labels) for label in labels] == [0.3, 0.3, 0.4]
    over = script.with_probability("large", 1.5)
    assert [over.probability_of(label, labels) for label in labels] == [1.5, 0.0, 0.4]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("large", "mid", "small"), [0.08, 0.21, 0.71]),
        (("cheap", "dear"), [0.5, 0.5]),
        (("big", "huge", "small"), [0.145, 0.145, 0.71]),
    ],
)
def test_the_affirming_script_prefers_the_examples_small_model(labels: tuple[str, ...], expected: list[float]) -> None:
    """Labels that the example does not have share evenly what is left."""
    assert [Script().probability_of(label, labels) for label in labels] == pytest.approx(expected)
