"""The driver panel's value: what the driver is, and what its rungs answer."""

from __future__ import annotations

from typing import Final

from ..core.vgr.evidence import CUTOFF_RUNGS, ESCALATION_RUNGS, VGR_RUNGS, OriginKind, Rung
from ..widgets.algorithm import Algorithm
from ..widgets.screen import DriverPanel, RungControl
from .drivers.mock import MockDriver
from .drivers.protocol import Category, Driver
from .drivers.scenarios import SCENARIOS
from .drivers.script import Fault, Script, answer_kind, answer_options

#: What a run of each algorithm can ask.
RUNGS: Final = {
    Algorithm.VGR: VGR_RUNGS,
    Algorithm.CUTOFFS: CUTOFF_RUNGS,
    Algorithm.ESCALATION: ESCALATION_RUNGS,
}
_CLOUD_JUDGED = (Rung.ANSWER_VERIFIER, Rung.EVIDENCE_VERIFIER, Rung.CLOUD_JUDGE, Rung.EVIDENCE_CONFIRM)


def driver_panel(
    driver: Driver,
    algorithm: Algorithm = Algorithm.VGR,
    labels: tuple[str, ...] = (),
    *,
    asks_cloud: bool = False,
) -> DriverPanel:
    """The panel of a driver; only the mock has rungs to edit.

    `labels` are those of the route question; `asks_cloud` tells that a VGR turn asks the cloud tier for its reply.
    """
    if not isinstance(driver, MockDriver):
        return DriverPanel(driver.origin, "", (), (), (), models=_models(driver))
    script = driver.script
    named = next((name for name, known in SCENARIOS.items() if known.script == script), "")
    rungs = (*VGR_RUNGS, Rung.CAPABLE) if asks_cloud and algorithm is Algorithm.VGR else RUNGS[algorithm]
    return DriverPanel(
        driver.origin,
        named,
        tuple((name, known.description) for name, known in SCENARIOS.items()),
        tuple(_row(rung, script) for rung in rungs),
        tuple(fault.value for fault in Fault),
        tuple((label, script.probability_of(label, labels)) for label in labels)
        if algorithm is Algorithm.CUTOFFS
        else (),
    )


def _models(driver: Driver) -> tuple[tuple[str, str], ...]:
    """Who answers what: of a live driver with the host, of a cassette who answered when it was recorded."""
    live = driver.origin.kind is OriginKind.LIVE
    asked = [(category, models) for category in Category if (models := driver.models_for(category))]
    return tuple(
        (category.value, driver.origin_for(category).label if live else ", ".join(models)) for category, models in asked
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
