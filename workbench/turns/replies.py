"""What a reply says: the value it gives its rung, the words to show for it, or why it gives none (SPEC 5, 6.2, 7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan

from ...core.conversation.model import Response, StopReason
from ...core.escalation.verdict import VerdictReading, read_verdict
from ...core.vgr.capabilities import TaskType
from ...core.vgr.evidence import Miss, Rung
from ...core.vgr.matching import match_answer_verdict
from ...core.vgr.readout import read_readout
from ...core.vgr.signals import Verdict
from ...core.vgr.text import is_blank
from ...core.vgr.verdicts import first_output_text, parse_task_type, parse_verdict, parse_witness
from ..drivers.protocol import SHAPE_UNCHECKED, Reply
from .questions import attempt_text

_SCORE_OF_VERDICT = {Verdict.YES: 1.0, Verdict.NO: 0.0}


@dataclass(frozen=True, slots=True)
class Read:
    """A reply as read. It holds lengths, scores and closed words, never the model's own text."""

    value: float | Verdict | TaskType | None = None
    #: What to show: "p = 0.34", "yes", "164 chars".
    answer: str = ""
    miss: Miss | None = None
    #: What was read, or why nothing was.
    note: str = ""


def read_reply(rung: Rung, reply: Reply, attempt: str = "") -> Read:
    """Read a reply for this rung. `attempt` is the attempt's text, which a witness is compared with."""
    found = _read(rung, reply, attempt)
    return replace(found, note="; ".join([note for note in (reply.note, found.note) if note]))


def escalation_reading(reply: Reply) -> VerdictReading:
    """The escalation judge's verdict, held to the whole schema where json_object had to do for it (SPEC 6.2)."""
    return read_verdict(reply.response, require_reason=SHAPE_UNCHECKED in reply.note)


def _read(rung: Rung, reply: Reply, attempt: str) -> Read:
    match rung:
        case Rung.ATTEMPT | Rung.EFFICIENT | Rung.CAPABLE:
            return Read(answer=f"{len(attempt_text(reply.response)):,} chars")
        case Rung.ESCALATION_JUDGE:
            return _escalation(escalation_reading(reply))
        case Rung.READOUT | Rung.TURN_CHECK:
            return _score(reply)
        case Rung.TYPING:
            return _task_type(reply.response)
        case Rung.WITNESS:
            return _witness(reply.response, attempt)
        case Rung.DELIBERATION:
            found = _verdict(reply.response)
            verdict = found.value
            return replace(found, value=_SCORE_OF_VERDICT.get(verdict) if isinstance(verdict, Verdict) else None)
        case _:
            return _verdict(reply.response)


def _verdict(response: Response) -> Read:
    verdict = parse_verdict(response)
    if verdict is Verdict.UNKNOWN:
        return Read(verdict, verdict.value, Miss.UNPARSABLE, _why(response, "its last line is neither yes nor no"))
    return Read(verdict, verdict.value)


def _score(reply: Reply) -> Read:
    readout = read_readout(reply.body)
    if readout.p_yes is None or isnan(readout.p_yes):
        return Read(None, "unknown", Miss.UNPARSABLE, readout.why)
    return Read(readout.p_yes, f"p = {readout.p_yes:.2f}", None, readout.summary)


def _task_type(response: Response) -> Read:
    typing = parse_task_type(response)
    if typing.task_type is not None:
        return Read(typing.task_type, typing.task_type.value)
    if typing.abstained:
        return Read(None, "abstain")
    return Read(None, "unknown", Miss.UNPARSABLE, _why(response, "it is no type of task"))


def _witness(response: Response, attempt: str) -> Read:
    answer = parse_witness(response)
    if answer is None:
        return Read(Verdict.UNKNOWN, "unknown", Miss.UNPARSABLE, _why(response, "it gives no answer"))
    agreement = match_answer_verdict(answer, attempt)
    return Read(agreement, f"agreement {agreement.value}", None, f"witness answer: {len(answer):,} chars")


def _escalation(reading: VerdictReading) -> Read:
    if reading.absent is not None:
        return Read(None, reading.verdict.value, Miss.UNPARSABLE, reading.absent.value)
    return Read(None, reading.verdict.value)


def _why(response: Response, otherwise: str) -> str:
    """Why a reply of text carries nothing, from the stop reason down to its words (SPEC 5)."""
    stopped = response.outputs[0].stop_reason if response.outputs else None
    if stopped is StopReason.MAX_TOKENS:
        return "the reply was cut off at its token limit"
    if stopped not in (None, StopReason.END_TURN):
        return "the reply did not end by itself"
    if is_blank(first_output_text(response)):
        return "the reply holds no text"
    return f"the reply is not usable: {otherwise}"
