"""The mock's named scenarios: a word to choose by, one line that says what happens, and the script."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.vgr.evidence import Rung
from .script import AFFIRMING, Fault, RungScript, Script

_JUDGES = (
    Rung.TURN_CHECK,
    Rung.READOUT,
    Rung.EVIDENCE_STRICT,
    Rung.DELIBERATION,
    Rung.ANSWER_VERIFIER,
    Rung.EVIDENCE_VERIFIER,
    Rung.CLOUD_JUDGE,
    Rung.EVIDENCE_CONFIRM,
)
_VERDICTS = tuple(rung for rung in _JUDGES if rung not in (Rung.READOUT, Rung.TURN_CHECK))


@dataclass(frozen=True, slots=True)
class Scenario:
    """A named script."""

    name: str
    #: One line: what the verifiers do and what it shows.
    description: str
    script: Script


def _said(**answers: str) -> Script:
    """The affirming script with these answers, by rung name."""
    script = Script()
    for name, answer in answers.items():
        script = script.edited(Rung(name), answer=answer)
    return script


def _slow() -> Script:
    script = Script()
    for rung in _JUDGES:
        script = script.edited(rung, delay_ms=AFFIRMING[rung].delay_ms * 40)
    return script


def _faulty(*rungs: Rung, fault: Fault) -> Script:
    script = Script()
    for rung in rungs:
        script = script.edited(rung, fault=fault)
    return script


def _verdicts(answer: str, readout: str) -> Script:
    script = _said(readout=readout)
    for rung in _VERDICTS:
        script = script.edited(rung, answer=answer)
    return script


_HEDGE = "It looks mostly right to me.\nYes, but the last step deserves a second look"
_OFF_CONTRACT = '{"verdict": "yes", "confidence": 0.93'

_ALL = (
    Scenario("everything affirms", "Every verifier says yes; the readout gives 0.96.", Script()),
    Scenario(
        "everything denies",
        "Every verifier says no; the readout gives 0.04.",
        _verdicts("no", "0.04").edited(Rung.CHECKER, answer="no"),
    ),
    Scenario(
        "hedging judge",
        "Verifiers answer yes, but: no usable verdict, and the readout sits at 0.55.",
        _verdicts(_HEDGE, "0.55"),
    ),
    Scenario("slow judge", "Every judge takes 40 times as long; shorten the deadline to see what is missed.", _slow()),
    Scenario(
        "failing judge",
        "Every judge answers HTTP 503; nothing can be affirmed.",
        _faulty(*_JUDGES, fault=Fault.HTTP_503),
    ),
    Scenario("timing-out judge", "Every judge times out.", _faulty(*_JUDGES, fault=Fault.TIMEOUT)),
    Scenario(
        "contradicting instruments",
        "The readout is low at 0.12 while deliberation and both cloud judges say yes.",
        _said(readout="0.12"),
    ),
    Scenario(
        "strict cloud judge says no",
        "The readout of 0.62 clears most dials, and the cloud judge says no.",
        _said(readout="0.62", deliberation="no", cloud_judge="no"),
    ),
    Scenario(
        "second look disagrees",
        "The cloud judge says yes and the confirmation says no; the readout gives 0.15.",
        _said(readout="0.15", deliberation="no", evidence_confirm="no", answer_verifier="no", evidence_verifier="no"),
    ),
    Scenario(
        "no cloud judge",
        "No cloud judge is configured; the readout gives 0.62.",
        Script({Rung.READOUT: RungScript("0.62", AFFIRMING[Rung.READOUT].delay_ms)}, cloud_judge=False),
    ),
    Scenario(
        "local tier down",
        "The local tier answers HTTP 503 when it is asked for the attempt.",
        _faulty(Rung.ATTEMPT, fault=Fault.HTTP_503),
    ),
    Scenario(
        "wrong key",
        "The local tier answers HTTP 401: no eligible failure, so the turn fails.",
        _faulty(Rung.ATTEMPT, fault=Fault.HTTP_401),
    ),
    Scenario(
        "malformed replies",
        "Every judge breaks the protocol: nothing of it can be read.",
        _faulty(*_JUDGES, Rung.TYPING, fault=Fault.INVALID_RESPONSE),
    ),
    Scenario(
        "unparsable replies",
        "Judges answer cut-off JSON, and the readout has no probabilities.",
        _verdicts(_OFF_CONTRACT, _OFF_CONTRACT),
    ),
    Scenario("silent judge", "Judges answer with nothing at all.", _verdicts("", "")),
    Scenario(
        "turn checks escalate",
        "The check of a proposed tool call gives 0.81: two in a row latch the session.",
        _said(turn_check="0.81"),
    ),
)

#: All scenarios by name, in the order they are offered.
SCENARIOS: dict[str, Scenario] = {scenario.name: scenario for scenario in _ALL}


def scenario(name: str) -> Scenario:
    """The scenario of this name; raises KeyError that names the ones there are."""
    if name not in SCENARIOS:
        raise KeyError(f"no scenario {name!r}; there are: {', '.join(SCENARIOS)}")
    return SCENARIOS[name]
