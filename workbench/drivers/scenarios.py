"""The mock's named scenarios: a word to choose by, one line that says what happens, and the script."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.vgr.evidence import Rung
from .mock_faults import HEDGE
from .script import AFFIRMING, Fault, RouteAnswer, RungScript, Script

_JUDGES = (
    Rung.TURN_CHECK,
    Rung.READOUT,
    Rung.EVIDENCE_STRICT,
    Rung.DELIBERATION,
    Rung.ANSWER_VERIFIER,
    Rung.EVIDENCE_VERIFIER,
    Rung.CLOUD_JUDGE,
    Rung.EVIDENCE_CONFIRM,
    Rung.ROUTE,
    Rung.ESCALATION_JUDGE,
)
#: Judges that answer in words.
_VERDICTS = tuple(rung for rung in _JUDGES if rung not in (Rung.READOUT, Rung.TURN_CHECK, Rung.ROUTE))
#: The example configuration's labels; labels that it lacks share what is left.
_SMALL, _MID, _LARGE = "small", "mid", "large"


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


def _routed(small: float, mid: float, large: float) -> Script:
    """The affirming script with these probabilities of the example's labels."""
    return Script(probabilities={_SMALL: small, _MID: mid, _LARGE: large})


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
    script = _said(readout=readout, route=RouteAnswer.NO_DISTRIBUTION)
    for rung in _VERDICTS:
        script = script.edited(rung, answer=answer)
    return script


_OFF_CONTRACT = '{"verdict": "yes", "confidence": 0.93'

_ALL = (
    Scenario(
        "everything affirms",
        "Every verifier says yes; the readout gives 0.96, and the route answer prefers small with 0.71.",
        Script(),
    ),
    Scenario(
        "everything denies",
        "Every verifier says no; the readout gives 0.04.",
        _said(
            readout="0.04",
            checker="no",
            **{rung.value: "no" for rung in _VERDICTS if rung is not Rung.ESCALATION_JUDGE},
        ),
    ),
    Scenario(
        "hedging judge",
        "Verifiers answer yes, but: no usable verdict, and the readout sits at 0.55.",
        _verdicts(HEDGE, "0.55"),
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
        _faulty(Rung.ATTEMPT, Rung.EFFICIENT, fault=Fault.HTTP_503),
    ),
    Scenario(
        "wrong key",
        "The local tier answers HTTP 401: no eligible failure, so the turn fails.",
        _faulty(Rung.ATTEMPT, Rung.EFFICIENT, fault=Fault.HTTP_401),
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
    Scenario(
        "escalates at turn 8",
        "The escalation judge declines seven turns, then escalates every one: the second of them latches.",
        _said(escalation_judge="decline x7, escalate"),
    ),
    Scenario(
        "escalations apart",
        "The escalation judge escalates every other one of 16 turns: the streak is never completed.",
        _said(escalation_judge=", ".join(["escalate, decline"] * 8)),
    ),
    Scenario(
        "judge unavailable between",
        "An escalation, six replies without a verdict, then another: the streak waits and is completed.",
        _said(escalation_judge="escalate, unavailable x6, escalate, decline"),
    ),
    Scenario(
        "judge unavailable",
        "The escalation judge never gives a verdict, and the route question goes unanswered.",
        _said(escalation_judge="unavailable", route=RouteAnswer.MISSING),
    ),
    Scenario(
        "nobody reaches the bar",
        "No label clears its cutoff: small 0.40, mid 0.30; the fallback takes the turn.",
        _routed(0.4, 0.3, 0.3),
    ),
    Scenario("small wins", "The first rule wins: small 0.72 against its cutoff of 0.60.", _routed(0.72, 0.18, 0.1)),
    Scenario(
        "tie at the cutoff",
        "mid 0.35 stands at its cutoff of 0.35, which is not above it; the fallback takes the turn.",
        _routed(0.22, 0.35, 0.43),
    ),
    Scenario(
        "no usable distribution",
        "The route answer leaves a label out: the fallback takes the turn, whatever fail_open says.",
        _said(route=RouteAnswer.MISSING_LABEL),
    ),
    Scenario(
        "a label too many",
        "The route answer adds a label nobody configured: not usable, the fallback takes the turn.",
        _said(route=RouteAnswer.EXTRA_LABEL),
    ),
    Scenario(
        "not a number",
        "The probabilities hold NaN: no readout can be read, and no route answer is usable.",
        _faulty(Rung.READOUT, Rung.TURN_CHECK, Rung.ROUTE, fault=Fault.NAN),
    ),
    Scenario(
        "a boolean answer",
        "The route question is answered with a boolean, which carries no distribution.",
        _said(route=RouteAnswer.BOOLEAN),
    ),
)

#: All scenarios by name, in the order they are offered.
SCENARIOS: dict[str, Scenario] = {scenario.name: scenario for scenario in _ALL}


def scenario(name: str) -> Scenario:
    """The scenario of this name, whose `script` a MockDriver takes. Raises KeyError that names the ones there are."""
    if name not in SCENARIOS:
        raise KeyError(f"no scenario {name!r}; there are: {', '.join(SCENARIOS)}")
    return SCENARIOS[name]
