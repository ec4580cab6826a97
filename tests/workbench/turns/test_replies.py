"""What a reply says for its rung (SPEC 5, 7)."""

from __future__ import annotations

from typing import Any

import pytest
from routing_workbench.core.conversation.model import Output, Response, Role, StopReason, Text
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.evidence import Miss, Rung
from routing_workbench.core.vgr.signals import Verdict
from routing_workbench.workbench.drivers.protocol import SHAPE_UNCHECKED, Reply
from routing_workbench.workbench.drivers.readout_body import readout_body
from routing_workbench.workbench.turns.replies import Read, read_reply

EMPTY = Response(())


def text(said: str, stop: StopReason = StopReason.END_TURN) -> Reply:
    """A reply of one text."""
    return Reply(Response((Output(Role.ASSISTANT, (Text(said),), stop),)))


NO_WORD = "the reply is not usable: its last line is neither yes nor no"
NO_TEXT = "the reply holds no text"
CUT = "the reply was cut off at its token limit"


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Sound.\nYes.", Read(1.0, "yes")),
        ("Wrong.\nno", Read(0.0, "no")),
        ("Yes, but", Read(None, "unknown", Miss.UNPARSABLE, NO_WORD)),
        ("", Read(None, "unknown", Miss.UNPARSABLE, NO_TEXT)),
    ],
)
def test_a_deliberation_is_a_score(said: str, read: Read) -> None:
    """Yes is 1.0, no is 0.0, unknown is absent."""
    assert read_reply(Rung.DELIBERATION, text(said)) == read


@pytest.mark.parametrize(
    "rung",
    [
        Rung.CHECKER,
        Rung.EVIDENCE_STRICT,
        Rung.ANSWER_VERIFIER,
        Rung.EVIDENCE_VERIFIER,
        Rung.CLOUD_JUDGE,
        Rung.EVIDENCE_CONFIRM,
    ],
    ids=str,
)
def test_verdicts_are_verdicts(rung: Rung) -> None:
    """Unknown is kept as what it is, and counted as a miss."""
    assert read_reply(rung, text("yes")) == Read(Verdict.YES, "yes")
    assert read_reply(rung, text("no")) == Read(Verdict.NO, "no")
    assert read_reply(rung, text("maybe")) == Read(Verdict.UNKNOWN, "unknown", Miss.UNPARSABLE, NO_WORD)


def test_a_reply_cut_at_its_cap_is_unparsable() -> None:
    """Its last line is not its verdict, and the note says so."""
    assert read_reply(Rung.CLOUD_JUDGE, text("yes", StopReason.MAX_TOKENS)) == Read(
        Verdict.UNKNOWN, "unknown", Miss.UNPARSABLE, CUT
    )


@pytest.mark.parametrize("rung", [Rung.TYPING, Rung.WITNESS, Rung.DELIBERATION, Rung.CLOUD_JUDGE], ids=str)
@pytest.mark.parametrize(
    ("stop", "why"),
    [
        (StopReason.MAX_TOKENS, CUT),
        (StopReason.CONTENT_FILTER, "the reply did not end by itself"),
        (StopReason.END_TURN, NO_TEXT),
    ],
)
def test_a_reply_of_nothing_says_why(rung: Rung, stop: StopReason, why: str) -> None:
    """The stop reason comes before the text."""
    assert read_reply(rung, text(" \n", stop)).note == why


@pytest.mark.parametrize("rung", [Rung.ATTEMPT, Rung.READOUT, Rung.DELIBERATION, Rung.ESCALATION_JUDGE], ids=str)
def test_what_a_driver_notes_stands_first(rung: Rung) -> None:
    """Before what was read, or why nothing was."""
    noted = Reply(EMPTY, note="the endpoint has no logprobs")
    assert read_reply(rung, noted).note.split("; ")[0] == "the endpoint has no logprobs"


@pytest.mark.parametrize(
    ("said", "note", "read"),
    [
        ('{"escalate": true, "reason": "It circles."}', "", Read(None, "escalate")),
        ('{"escalate": false}', "", Read(None, "decline")),
        ('{"escalate": false}', SHAPE_UNCHECKED, Read(None, "unavailable", Miss.UNPARSABLE, "gives no reason")),
        ("It is stuck.", "", Read(None, "unavailable", Miss.UNPARSABLE, "not one JSON object")),
    ],
)
def test_an_escalation_verdict(said: str, note: str, read: Read) -> None:
    """A reason may be missing only where somebody else held the reply to the schema."""
    found = read_reply(Rung.ESCALATION_JUDGE, Reply(text(said).response, note=note))
    assert (found.value, found.answer, found.miss) == (read.value, read.answer, read.miss)
    assert read.note in found.note


def test_a_readout_shows_what_it_was_read_from() -> None:
    """The alternatives that counted, and nothing else of the model's text."""
    read = read_reply(Rung.READOUT, Reply(EMPTY, readout_body(0.34, "7")))
    assert (read.value, read.answer, read.miss) == (0.34, "p = 0.34", None)
    assert [piece.split()[0] for piece in read.note.split(", ")].count("no") == 2


@pytest.mark.parametrize(
    ("body", "note"),
    [
        (None, "no body"),
        ({"choices": []}, "no alternatives"),
        ({"choices": [{"logprobs": {"content": [{"top_logprobs": [{"token": "yes"}]}]}}]}, "malformed entry"),
        (
            {"choices": [{"logprobs": {"content": [{"top_logprobs": [{"token": "<think>", "logprob": 0.0}]}]}}]},
            "neither found: the first token opens thinking",
        ),
        (
            {
                "choices": [
                    {
                        "logprobs": {
                            "content": [
                                {
                                    "top_logprobs": [
                                        {"token": "yes", "logprob": 1e9},
                                        {"token": "no", "logprob": 1e9},
                                    ]
                                }
                            ]
                        }
                    }
                ]
            },
            "overflow",
        ),
    ],
)
@pytest.mark.parametrize("rung", [Rung.READOUT, Rung.TURN_CHECK], ids=str)
def test_no_score_is_unparsable_and_says_why(rung: Rung, body: Any, note: str) -> None:
    """A NaN is no score either: it argues for nothing."""
    assert read_reply(rung, Reply(EMPTY, body)) == Read(None, "unknown", Miss.UNPARSABLE, note)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("coding", Read(TaskType.CODING, "coding")),
        ("abstain", Read(None, "abstain")),
        ("It is coding", Read(None, "unknown", Miss.UNPARSABLE, "the reply is not usable: it is no type of task")),
    ],
)
def test_typing_tells_an_abstention_from_an_unreadable_reply(said: str, read: Read) -> None:
    """Neither names a type."""
    assert read_reply(Rung.TYPING, text(said)) == read


@pytest.mark.parametrize(
    ("witness", "read"),
    [
        ("It is simple.\n40 litres", Read(Verdict.YES, "agreement yes", None, "witness answer: 9 chars")),
        ("38 litres", Read(Verdict.NO, "agreement no", None, "witness answer: 9 chars")),
        ("n/a", Read(Verdict.NO, "agreement no", None, "witness answer: 3 chars")),
        ("", Read(Verdict.UNKNOWN, "unknown", Miss.UNPARSABLE, NO_TEXT)),
    ],
)
def test_a_witness_is_compared_with_the_attempt(witness: str, read: Read) -> None:
    """What is recorded is the agreement and a length."""
    assert read_reply(Rung.WITNESS, text(witness), "Answer: 40 litres") == read


@pytest.mark.parametrize("rung", [Rung.ATTEMPT, Rung.EFFICIENT, Rung.CAPABLE], ids=str)
def test_a_tiers_reply_is_recorded_by_its_length(rung: Rung) -> None:
    """Its text stays out of the record."""
    assert read_reply(rung, text("x" * 1234)) == Read(answer="1,234 chars")
