"""A route of type vgr: its targets, its settings and its checker (SPEC 4.6, 7)."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Final

from ...core.conversation.positions import Path
from ...core.vgr.serving import ModeNotApproved, check_mode
from ...widgets.screen import Controls
from ..checker.config import CheckerConfig, CheckerRefused
from ..drivers.protocol import Category
from .checking import absent, checked
from .endpoints import Endpoints, refused
from .findings import Findings, named
from .picking import names_of, pick
from .route import Route, RouteKind
from .tables import CheckerTable, VgrTable

#: Which setting of the workbench each key of a route is; `checker` sets two more.
SETTINGS: Final = {
    "mode": "mode",
    "active_approval": "approval",
    "deadline_seconds": "deadline",
    "task_typing": "typing_enabled",
    "latch_escalation": "latch_escalation",
    "speculation_carry": "speculation_carry",
    "structured_answer": "structured_answer",
    "breaker_threshold": "breaker_threshold",
    "breaker_cooldown_seconds": "breaker_cooldown",
    "local_supports_images": "local_supports_images",
}
#: All the settings that a route holds.
ROUTE_SETTINGS: Final = (*SETTINGS.values(), "checker_configured", "checker_validated")
_CATEGORIES: Final = {
    "local_target": Category.LOCAL,
    "cloud_target": Category.CLOUD,
    "judge_target": Category.JUDGE,
    "cloud_judge_target": Category.CLOUD_JUDGE,
}


def vgr_route(
    name: str, values: object, path: Path, endpoints: Endpoints, folder: FilePath | None, findings: Findings
) -> Route | None:
    """The route at this path; None where remarks say why it cannot be used."""
    # The names first, so that a dangling one is told whatever else is wrong.
    names = names_of(values, _CATEGORIES)
    targets, of_targets = pick(names, _CATEGORIES, path, endpoints, findings)
    table = checked(VgrTable, values, path, f"Route {named(name)}", findings)
    if table is None:
        return None
    if table.judge_target is None and Category.LOCAL in targets:
        targets[Category.JUDGE] = targets[Category.LOCAL]
    checker = None if table.checker is None else _checker(table.checker, (*path, "checker"), folder, findings)
    try:
        check_mode(table.mode, table.active_approval)
    except ModeNotApproved as error:
        at = "mode" if table.active_approval is None else "active_approval"
        findings.error(
            "mode-not-approved",
            (*path, at),
            f"{str(error).partition('. ')[0].capitalize()}.",
            "Set active_approval to the approval text, or choose evaluate.",
        )
    local, cloud = targets.get(Category.LOCAL), targets.get(Category.CLOUD)
    if local is not None and cloud is not None and (local.model, local.client.url) == (cloud.model, cloud.client.url):
        message = "`local_target` and `cloud_target` are one model at one endpoint, so the tiers do not differ."
        findings.note("one-model", (*path, "cloud_target"), message)
    if findings.failed(*path):
        return None
    controls = Controls(
        **{setting: getattr(table, key) for key, setting in SETTINGS.items() if key in table.model_fields_set},
        checker_configured=checker is not None,
        checker_validated=checker is not None and checker.validated,
    )
    return Route(
        name,
        RouteKind.VGR,
        targets,
        controls,
        checker=checker,
        defaults=(*absent(table), *of_targets),
    )


def _checker(table: CheckerTable, path: Path, folder: FilePath | None, findings: Findings) -> CheckerConfig | None:
    tests = FilePath(table.tests_dir)
    if not tests.is_absolute():
        if folder is None:
            findings.error(
                "no-folder",
                (*path, "tests_dir"),
                "`tests_dir` is relative, and this text comes from no folder.",
                "Write an absolute path, or read the file from where it lies.",
            )
            return None
        tests = folder / tests
    try:
        return CheckerConfig(
            tests,
            tuple(table.command),
            None if table.materialize_command is None else tuple(table.materialize_command),
            table.sandbox_attestation,
            table.validated,
        )
    except CheckerRefused as error:
        refused(error, CheckerTable.model_fields, path, findings)
        return None
