"""Every rung under every fault of a real server, through the whole run: as the SPEC says, and the next one works.

The rules are those of `test_faults`; what differs is that connections really fail. Nothing is waited for: a call that
is to time out does so by a jump of its loop's clock.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from blows import BLOWS, Blow
from fault_places import ASKED, Place
from fault_rules import SCORED
from fault_runs import MARK
from model_server import Route
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.http.targets import WireFormat
from routing_workbench.workbench.drivers.script import Fault

pytestmark = pytest.mark.filterwarnings("error")

_QUESTIONS = [place for place in ASKED if place.rung is Rung.ROUTE]
#: Of the places whose replies are read alike, one.
_KINDS = [
    place
    for place in ASKED
    if str(place) in ("attempt", "efficient", "readout", "deliberation", "typing", "witness", "escalation_judge")
    or place in _QUESTIONS
]
#: Over a format without logprobs neither a score nor a letter is asked for.
_UNSCORED = [place for place in _KINDS if place.rung not in (*SCORED, Rung.ROUTE)]
#: Faults of a body, which each format has in its own form; connections and statuses are the same to all of them.
_OF_BODIES = (
    Fault.WRONG_SHAPE, Fault.EMPTY, Fault.HEDGE, Fault.NO_LOGPROBS, Fault.NAN, Fault.CUT, Fault.CONTEXT_OVERFLOW,
)  # fmt: skip
_MATRIX = [
    *[(WireFormat.OPENAI_CHAT, place, fault) for place in ASKED for fault in BLOWS],
    *[(WireFormat.OPENAI_RESPONSES, place, fault) for place in _KINDS for fault in _OF_BODIES],
    *[(WireFormat.ANTHROPIC_MESSAGES, place, fault) for place in _UNSCORED for fault in _OF_BODIES],
    *[(WireFormat.SYSTEM_ONE, place, fault) for place in _QUESTIONS for fault in BLOWS],
]


@pytest.mark.parametrize(("wire", "place", "fault"), _MATRIX, ids=str)
def test_every_rung_under_every_fault(
    route: Route, scene: SimpleNamespace, caplog: pytest.LogCaptureFixture, wire: WireFormat, place: Place, fault: Fault
) -> None:
    """The run ends as it must, and the next one on the same driver and loop finds nothing wrong."""
    caplog.set_level("DEBUG")
    blow: Blow = BLOWS[fault]
    both = route.run_twice(place.case(scene), place.rung, blow, wire)
    place.verify(both, blow.harm)
    assert MARK not in caplog.text


def test_every_rung_that_a_model_answers_is_met_above() -> None:
    """And every fault of the mock's has its like on a real connection."""
    assert {place.rung for place in ASKED} == set(Rung) - {Rung.CHECKER}
    assert set(BLOWS) == set(Fault) - {Fault.NONE}
