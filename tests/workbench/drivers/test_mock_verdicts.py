"""What the mock's escalation judge says at each turn."""

from __future__ import annotations

import pytest
from routing_workbench.core.conversation.model import Output, Response, Role, Text
from routing_workbench.core.escalation.verdict import read_verdict
from routing_workbench.workbench.drivers.mock_verdicts import escalation_reply


def verdict(answer: str, turn: int | None) -> str:
    """The reply of this turn, as the real reader reads it in its strictest way."""
    reply = Response((Output(Role.ASSISTANT, (Text(escalation_reply(answer, turn)),)),))
    return read_verdict(reply, require_reason=True).verdict.value


def verdicts(answer: str, turns: int) -> list[str]:
    """The first letters of the verdicts of the first turns."""
    return [verdict(answer, turn)[0] for turn in range(1, turns + 1)]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("decline", "dddd"),
        ("escalate", "eeee"),
        ("unavailable", "uuuu"),
        ("decline x3, escalate", "dddeee"),
        ("decline x6, unavailable, escalate", "dddddduee"),
        ("escalate,decline", "edd"),
        (" Escalate  x 2 ,\nDECLINE ", "eedd"),
        ("decline x0, escalate", "ee"),
        ("decline x0", "dd"),
        ("decline x999999, escalate", "dddd"),
        ("decline, maybe, escalate", "duee"),
    ],
)
def test_a_list_over_turns(answer: str, said: str) -> None:
    """Each word its turns, the last one for ever."""
    assert "".join(verdicts(answer, len(said))) == said


@pytest.mark.parametrize(
    "answer",
    ["", "It looks fine to me, maybe", '{"escalate": true, "reason": "decline"}', "<think>decline", "x3", "escalated"],
)
def test_other_words_are_sent_as_they_stand(answer: str) -> None:
    """Whole, commas and all, at every turn."""
    assert [escalation_reply(answer, turn) for turn in (1, 2, None)] == [answer] * 3


def test_a_word_of_a_list_that_is_no_verdict_is_sent_as_it_stands() -> None:
    """So a judge can go off its contract at one turn."""
    assert escalation_reply("decline, Let me think. x2, escalate", 3) == "Let me think."


def test_outside_a_replay_the_first_word_is_said() -> None:
    """There is no turn to count."""
    assert verdict("escalate, decline", None) == "escalate"
