"""Every rung under every fault of the mock, through the whole run: what the SPEC says happens, and the next one works.

Nothing here is a table of outputs: what a fault does to a call is one rule (`fault_rules`), what a lost call does to a
run another (`fault_places`). A real server's faults are held against the same ones in `test_http_faults`.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from fault_places import PLACES, Place
from fault_rules import HARMS
from fault_runs import Both, Virtually, run_case
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.script import Fault


@pytest.mark.parametrize("fault", HARMS)
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_every_rung_under_every_fault(virtually: Virtually, scene: SimpleNamespace, place: Place, fault: Fault) -> None:
    """The run ends as it must, and the next one on the same loop and driver finds nothing wrong."""
    case = place.case(scene)

    async def both() -> Both:
        driver = MockDriver(case.script.edited(place.rung, fault=fault))
        faulty = await run_case(case, driver)
        driver.script = case.script
        return Both(faulty, await run_case(case, driver))

    place.verify(virtually(both()), HARMS[fault])


def test_every_rung_is_met_above() -> None:
    """A new rung needs its place."""
    assert {place.rung for place in PLACES} == set(Rung)
