"""What a reply says for its rung (SPEC 5, 7)."""

from __future__ import annotations

from typing import Any

import pytest
from routing_workbench.core.conversation.model import Output, Response, Role, StopReason, Text
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.evidence import Miss, Rung
from routing_workbench.core.vgr.signals import Verdict
from routing_workbench.workbench.drivers.protocol import Reply
from routing_workbench.workbench.drivers.readout_body import readout_body
from routing_workbench.workbench.turns.replies import Read, read_reply

EMPTY = Response(())


def text(said: str, stop: StopReason = StopReason.END_TURN) -> Reply:
    """A reply of one text."""
    return Reply(Response((Output(Role.ASSISTANT, (Text(said),), stop),)))


@pytest.mark.parametrize(
    ("said", "value", "answer", "miss"),
    [
        ("Sound.\nYes.", 1.0, "yes", None),
        ("Wrong.\nno", 0.0, "no", None),
        ("Yes, but", None, "unknown", Miss.UNPARSABLE),
        ("", None, "unknown", Miss.UNPARSABLE),
    ],
)
def test_a_deliberation_is_a_score(said: str, value: float | None, answer: str, miss: Miss | None) -> None:
    """Yes is 1.0, no is 0.0, unknown is absent."""
    assert read_reply(Rung.DELIBERATION, text(said)) == Read(value, answer, miss)


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
    assert read_reply(rung, text("maybe")) == Read(Verdict.UNKNOWN, "unknown", Miss.UNPARSABLE)


def test_a_reply_cut_at_its_cap_is_unparsable() -> None:
    """Its last line is not its verdict."""
    assert read_reply(Rung.CLOUD_JUDGE, text("yes", StopReason.MAX_TOKENS)).miss is Miss.UNPARSABLE


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
            "neither found",
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
        ("It is coding", Read(None, "unknown", Miss.UNPARSABLE)),
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
        ("", Read(Verdict.UNKNOWN, "unknown", Miss.UNPARSABLE)),
    ],
)
def test_a_witness_is_compared_with_the_attempt(witness: str, read: Read) -> None:
    """What is recorded is the agreement and a length."""
    assert read_reply(Rung.WITNESS, text(witness), "Answer: 40 litres") == read


def test_an_attempt_is_recorded_by_its_length() -> None:
    """Its text stays out of the record."""
    assert read_reply(Rung.ATTEMPT, text("x" * 1234)) == Read(answer="1,234 chars")
