"""The evidence on screen: which rows belong to what is shown now, and how one row's answer reads."""

from __future__ import annotations

from typing import Final

from ...core.explain.clause import Holds
from ...core.vgr.evidence import Asked, Miss, Rung
from .. import marks
from ..screen import RunState, Screen
from ..text import Html, h

#: The rung that a field of the rules comes from; fields that are not listed are computed.
RUNG_OF: Final[dict[str, Rung]] = {
    "readout": Rung.READOUT,
    "deliberation": Rung.DELIBERATION,
    "evidence_strict": Rung.EVIDENCE_STRICT,
    "cloud_judge": Rung.CLOUD_JUDGE,
    "evidence_confirm": Rung.EVIDENCE_CONFIRM,
    "agreement": Rung.WITNESS,
    "answer_verifier": Rung.ANSWER_VERIFIER,
    "evidence_verifier": Rung.EVIDENCE_VERIFIER,
    "tests_pass": Rung.CHECKER,
}

#: The verdicts of SPEC 4.3, in the order of the grid.
VERDICTS: Final = (
    "evidence_strict",
    "cloud_judge",
    "evidence_confirm",
    "agreement",
    "answer_verifier",
    "evidence_verifier",
    "tests_pass",
)

#: Misses that are faults of the call; an unparsable reply is an answer without use.
FAULTS: Final = (Miss.DEADLINE_EXHAUSTED, Miss.TIMED_OUT, Miss.CALL_FAILED)


def shown(screen: Screen) -> tuple[Asked, ...]:
    """The rows to show: those of the run that is on, was cancelled or failed, else those of the outcome."""
    if screen.state in (RunState.RUNNING, RunState.CANCELLED, RunState.FAILED) or screen.outcome is None:
        return screen.asked
    return screen.outcome.asked


def by_rung(rows: tuple[Asked, ...]) -> dict[Rung, Asked]:
    """The last row of each rung."""
    return {row.rung: row for row in rows}


def end(rows: tuple[Asked, ...]) -> float:
    """When the last of these rows ended, in seconds since the turn began."""
    return max((row.started + row.took for row in rows), default=0.0)


def sent(rows: tuple[Asked, ...]) -> int:
    """How many of these rows were calls; a row that no time was left for was not sent."""
    return sum(row.miss is not Miss.DEADLINE_EXHAUSTED for row in rows)


def missed(row: Asked) -> str:
    """Why a row gave no evidence: `timed_out`, `call_failed: HTTP 503`; empty where it did."""
    if row.miss is None:
        return ""
    # A timeout's error says it a second time.
    return f"{row.miss.value}: {row.error}" if row.error and row.miss is Miss.CALL_FAILED else row.miss.value


def answer(row: Asked) -> Html:
    """A row's answer: as given, or why there is none (a fault in red, an unusable reply as unknown)."""
    if row.miss is None:
        return h("span", None, row.answer or str(row.value if row.value is not None else "answered"))
    if row.miss in FAULTS:
        return h("span", {"class": "fail"}, missed(row))
    return marks.holds(Holds.UNKNOWN, missed(row))
