"""The changes of a tool record, of who vouches for it, and of when a run counts as recovered (SPEC 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

from ..vgr.branch import Branch
from ..vgr.capabilities import ToolErrors, ToolErrorSource
from ..vgr.signals import ReportedToolErrors, ToolReport
from .change import Change, ChangeKind, MakeWith, Situation, switch


def tool_changes(situation: Situation, branch: Branch) -> Iterator[Change]:
    """Every single change of what the rule reads of the tools; numbers on the two sides of their boundaries."""
    errors, report = situation.capabilities.tool_errors, situation.signals.tool_errors
    yield from _of_reports(report, errors)
    recovered = situation.policy.recovered_run
    if errors is not None:
        other = ToolErrorSource.UNTRUSTED if errors.source is ToolErrorSource.HOST else ToolErrorSource.HOST
        yield Change(
            ChangeKind.PROVENANCE,
            "tool_errors.source",
            errors.source.value,
            other.value,
            _made=partial(_with_source, source=other),
        )
        yield Change(
            ChangeKind.PROVENANCE,
            "tool_errors.source",
            errors.source.value,
            "nobody",
            _made=lambda s: s.with_capabilities(tool_errors=None),
        )
        least = recovered.min_errors
        for count in sorted(count for count in {0, 1, least - 1, least} - {errors.count} if count >= 0):
            yield _count("tool_errors.count", errors.count, count, _with_count)
    else:
        for source, count in product(ToolErrorSource, (0, 1)):
            yield Change(
                ChangeKind.PROVENANCE,
                "tool_errors.source",
                "nobody",
                f"{source.value}, {count} failed",
                _made=partial(_with_errors, source=source, count=count),
            )
    if branch is Branch.AGENTIC_VERIFIED:
        yield from _of_recovery(situation)


def _with_source(situation: Situation, source: ToolErrorSource) -> Situation:
    errors = situation.capabilities.tool_errors
    return situation if errors is None else _with_errors(situation, source, errors.count)


def _with_errors(situation: Situation, source: ToolErrorSource, count: int) -> Situation:
    return situation.with_capabilities(tool_errors=ToolErrors(source, count))


def _of_reports(report: ReportedToolErrors, errors: ToolErrors | None) -> Iterator[Change]:
    counts = {0, 1} if errors is None else {0, 1, errors.count}
    others = [ReportedToolErrors(kind) for kind in ToolReport if kind is not ToolReport.COUNT]
    others += [ReportedToolErrors(ToolReport.COUNT, count) for count in sorted(counts)]
    for other in others:
        if other != report:
            yield Change(
                ChangeKind.PROVENANCE,
                "reported tool errors",
                _report(report),
                _report(other),
                _made=partial(_with_report, report=other),
            )


def _with_report(situation: Situation, report: ReportedToolErrors) -> Situation:
    return situation.with_signals(tool_errors=report)


def _report(report: ReportedToolErrors) -> str:
    return f"count {report.count}" if report.report is ToolReport.COUNT else report.report.value


def _of_recovery(situation: Situation) -> Iterator[Change]:
    """What makes a run with failed results count as recovered, or no longer (SPEC 4.3)."""
    capabilities, dials = situation.capabilities, situation.policy.recovered_run
    yield switch(
        ChangeKind.POLICY, "policy.recovered_run.enabled", dials.enabled, partial(_recovery_toggled, "enabled")
    )
    yield switch(
        ChangeKind.POLICY,
        "policy.recovered_run.require_clean_tail",
        dials.require_clean_tail,
        partial(_recovery_toggled, "require_clean_tail"),
    )
    if capabilities.tool_tail_clean is not True:
        yield _tail(capabilities.tool_tail_clean, True)
    if capabilities.tool_tail_clean is not False:
        yield _tail(capabilities.tool_tail_clean, False)
    results, errors = capabilities.tool_results, capabilities.tool_errors
    limit = dials.max_tool_results
    if results is None or results > limit:
        yield _count("tool_results", results, limit, _with_results)
    if results is None or results <= limit:
        yield _count("tool_results", results, limit + 1, _with_results)
    if results is not None and results >= 0:
        after = results if results > limit else results - 1
        yield _dial("max_tool_results", limit, after)
    if errors is not None and errors.count > 0:
        yield _dial(
            "min_errors", dials.min_errors, errors.count if errors.count < dials.min_errors else errors.count + 1
        )


def _dial(name: str, before: int, after: int) -> Change:
    return Change(
        ChangeKind.POLICY,
        f"policy.recovered_run.{name}",
        before,
        after,
        distance=abs(after - before),
        _made=lambda s: _with_recovery(s, **{name: after}),
    )


def _with_recovery(situation: Situation, **changes: Any) -> Situation:
    dials = replace(situation.policy.recovered_run, **changes)
    return replace(situation, policy=replace(situation.policy, recovered_run=dials))


def _recovery_toggled(name: str, situation: Situation) -> Situation:
    return _with_recovery(situation, **{name: not getattr(situation.policy.recovered_run, name)})


def _tail(before: bool | None, after: bool) -> Change:
    words = {True: "clean", False: "failed", None: "not known"}
    return Change(
        ChangeKind.TOOL_RECORD,
        "tool_tail_clean",
        words[before],
        words[after],
        client=True,
        _made=lambda s: s.with_capabilities(tool_tail_clean=after),
    )


def _with_count(situation: Situation, value: int) -> Situation:
    errors = situation.capabilities.tool_errors
    return situation if errors is None else situation.with_capabilities(tool_errors=replace(errors, count=value))


def _with_results(situation: Situation, value: int) -> Situation:
    return situation.with_capabilities(tool_results=value)


def _count(name: str, before: int | None, after: int, made: MakeWith) -> Change:
    distance = None if before is None else abs(after - before)
    return Change(
        ChangeKind.TOOL_RECORD,
        name,
        before,
        after,
        distance=distance,
        client=True,
        _made=partial(made, value=after),
    )
