"""The driver panel's value: what the driver is, and what its rungs answer."""

from __future__ import annotations

from ..core.vgr.evidence import VGR_RUNGS, Rung
from ..widgets.screen import DriverPanel, RungControl
from .drivers.mock import MockDriver
from .drivers.protocol import Driver
from .drivers.scenarios import SCENARIOS
from .drivers.script import Fault, Script, answer_kind, answer_options

_CLOUD_JUDGED = (Rung.ANSWER_VERIFIER, Rung.EVIDENCE_VERIFIER, Rung.CLOUD_JUDGE, Rung.EVIDENCE_CONFIRM)


def driver_panel(driver: Driver) -> DriverPanel:
    """The panel of a driver; only the mock has rungs to edit."""
    if not isinstance(driver, MockDriver):
        return DriverPanel(driver.origin, "", (), (), ())
    script = driver.script
    named = next((name for name, known in SCENARIOS.items() if known.script == script), "")
    return DriverPanel(
        driver.origin,
        named,
        tuple((name, known.description) for name, known in SCENARIOS.items()),
        tuple(_row(rung, script) for rung in VGR_RUNGS),
        tuple(fault.value for fault in Fault),
    )


def _row(rung: Rung, script: Script) -> RungControl:
    said = script.of(rung)
    unset = rung in _CLOUD_JUDGED and not script.cloud_judge
    return RungControl(
        rung,
        said.answer,
        answer_options(rung),
        answer_kind(rung).value,
        said.delay_ms,
        said.fault.value,
        "no cloud judge configured" if unset else "",
    )
