"""What a reply says: the value it gives its rung, the words to show for it, or why it gives none (SPEC 5, 7)."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from ...core.vgr.capabilities import TaskType
from ...core.vgr.evidence import Miss, Rung
from ...core.vgr.matching import match_answer_verdict
from ...core.vgr.readout import read_readout
from ...core.vgr.signals import Verdict
from ...core.vgr.verdicts import parse_task_type, parse_verdict, parse_witness
from ..drivers.protocol import Reply
from .questions import attempt_text

_SCORE_OF_VERDICT = {Verdict.YES: 1.0, Verdict.NO: 0.0}


@dataclass(frozen=True, slots=True)
class Read:
    """A reply as read. It holds lengths, scores and closed words, never the model's own text."""

    value: float | Verdict | TaskType | None = None
    #: What to show: "p = 0.34", "yes", "164 chars".
    answer: str = ""
    miss: Miss | None = None
    note: str = ""


def read_reply(rung: Rung, reply: Reply, attempt: str = "") -> Read:
    """Read a reply for this rung. `attempt` is the attempt's text, which a witness is compared with."""
    match rung:
        case Rung.ATTEMPT:
            return Read(answer=f"{len(attempt_text(reply.response)):,} chars")
        case Rung.READOUT | Rung.TURN_CHECK:
            return _score(reply)
        case Rung.TYPING:
            return _task_type(reply)
        case Rung.WITNESS:
            return _witness(reply, attempt)
        case Rung.DELIBERATION:
            verdict = parse_verdict(reply.response)
            return Read(_SCORE_OF_VERDICT.get(verdict), verdict.value, _missed(verdict))
        case _:
            verdict = parse_verdict(reply.response)
            return Read(verdict, verdict.value, _missed(verdict))


def _missed(verdict: Verdict) -> Miss | None:
    return Miss.UNPARSABLE if verdict is Verdict.UNKNOWN else None


def _score(reply: Reply) -> Read:
    readout = read_readout(reply.body)
    if readout.p_yes is None or isnan(readout.p_yes):
        why = "overflow" if readout.absent is None else readout.absent.value.replace("_", " ")
        return Read(None, "unknown", Miss.UNPARSABLE, why)
    return Read(readout.p_yes, f"p = {readout.p_yes:.2f}", None, readout.summary)


def _task_type(reply: Reply) -> Read:
    typing = parse_task_type(reply.response)
    if typing.task_type is not None:
        return Read(typing.task_type, typing.task_type.value)
    if typing.abstained:
        return Read(None, "abstain")
    return Read(None, "unknown", Miss.UNPARSABLE)


def _witness(reply: Reply, attempt: str) -> Read:
    answer = parse_witness(reply.response)
    if answer is None:
        return Read(Verdict.UNKNOWN, "unknown", Miss.UNPARSABLE)
    agreement = match_answer_verdict(answer, attempt)
    return Read(agreement, f"agreement {agreement.value}", None, f"witness answer: {len(answer):,} chars")
