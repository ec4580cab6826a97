"""Tool-error resolution, the veto and the recovered run (SPEC 4.3)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from routing_workbench.core.vgr.capabilities import Capabilities, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.decision import Readiness, facts_of
from routing_workbench.core.vgr.policy import POLICY_1_0_0, Policy, RecoveredRun
from routing_workbench.core.vgr.resolution import ToolErrorCount, Unresolved, resolve_tool_errors
from routing_workbench.core.vgr.rules import RECOVERED_RUN, TOOL_RECORD, TOOL_VETO
from routing_workbench.core.vgr.signals import ReportedToolErrors, Signals, ToolReport

NOTHING, CONFLICT = Unresolved.NO_INFORMATION, Unresolved.INDETERMINATE
ABSENT, NO_COUNT = ReportedToolErrors(), ReportedToolErrors(ToolReport.NO_COUNT)
INDETERMINATE = ReportedToolErrors(ToolReport.INDETERMINATE)
HOST, UNTRUSTED = ToolErrorSource.HOST, ToolErrorSource.UNTRUSTED


def reported(count: int | None) -> ReportedToolErrors:
    """A report of this count."""
    return ReportedToolErrors(ToolReport.COUNT, count)


@pytest.mark.parametrize(
    ("carried", "report", "resolved"),
    [
        pytest.param(None, ABSENT, NOTHING, id="nothing at all"),
        pytest.param(None, NO_COUNT, NOTHING, id="reported without a count"),
        pytest.param(None, INDETERMINATE, CONFLICT, id="reported indeterminate"),
        pytest.param(None, reported(0), NOTHING, id="a reported zero that nobody carries"),
        pytest.param(None, reported(3), 3, id="a reported failure counts"),
        pytest.param(None, reported(-1), -1, id="a reported negative stays negative"),
        pytest.param(None, reported(None), CONFLICT, id="a count report without its count"),
        pytest.param(ToolErrors(HOST, 0), ABSENT, 0, id="host zero"),
        pytest.param(ToolErrors(HOST, 0), reported(0), 0, id="host zero, confirmed"),
        pytest.param(ToolErrors(HOST, 0), reported(1), CONFLICT, id="host zero, contradicted"),
        pytest.param(ToolErrors(HOST, 2), NO_COUNT, CONFLICT, id="host count, report without one"),
        pytest.param(ToolErrors(HOST, 2), INDETERMINATE, CONFLICT, id="host count, report indeterminate"),
        pytest.param(ToolErrors(HOST, 2), reported(None), CONFLICT, id="host count, report lost its count"),
        pytest.param(ToolErrors(HOST, -2), reported(-2), -2, id="host negative, confirmed"),
        pytest.param(ToolErrors(UNTRUSTED, 0), ABSENT, NOTHING, id="untrusted zero proves nothing"),
        pytest.param(ToolErrors(UNTRUSTED, 0), reported(0), NOTHING, id="untrusted zero, confirmed"),
        pytest.param(ToolErrors(UNTRUSTED, 0), reported(2), CONFLICT, id="untrusted zero, contradicted"),
        pytest.param(ToolErrors(UNTRUSTED, 1), ABSENT, 1, id="untrusted failures count"),
    ],
)
def test_resolves_the_carried_count_against_the_report(
    carried: ToolErrors | None, report: ReportedToolErrors, resolved: ToolErrorCount
) -> None:
    """Each pair of a carried and a reported count has one outcome, of the stated type."""
    got = resolve_tool_errors(carried, report)
    assert (got, type(got)) == (resolved, type(resolved))


@pytest.mark.parametrize(
    ("carried", "report", "passes"),
    [
        (None, ABSENT, True),
        (ToolErrors(HOST, 0), ABSENT, True),
        (ToolErrors(UNTRUSTED, 0), ABSENT, True),
        (None, INDETERMINATE, False),
        (ToolErrors(HOST, 1), ABSENT, False),
        (ToolErrors(HOST, -1), ABSENT, False),
    ],
)
def test_veto_passes_on_no_information_or_exactly_zero(
    carried: ToolErrors | None, report: ReportedToolErrors, passes: bool
) -> None:
    """A negative count and an indeterminate one stop the commit as a failure does."""
    facts = facts_of(Capabilities(tool_errors=carried), Signals(tool_errors=report), Readiness(), POLICY_1_0_0)
    assert TOOL_VETO.holds(facts) is passes


RECOVERED = Capabilities(tool_errors=ToolErrors(HOST, 2), tool_results=15, tool_tail_clean=True)


def recovers(capabilities: Capabilities, report: ReportedToolErrors = ABSENT, **changes: object) -> bool:
    """Whether the run recovers, with these changes to the policy's recovered run."""
    policy = Policy(recovered_run=replace(RecoveredRun(), **changes))  # type: ignore[arg-type]
    return RECOVERED_RUN.holds(facts_of(capabilities, Signals(tool_errors=report), Readiness(), policy))


def test_a_run_with_failures_and_a_clean_end_recovers() -> None:
    """All five conditions hold, the results exactly at their limit."""
    assert recovers(RECOVERED)


@pytest.mark.parametrize(
    "capabilities",
    [
        pytest.param(RECOVERED._replace(tool_errors=ToolErrors(UNTRUSTED, 2)), id="not attested by the host"),
        pytest.param(RECOVERED._replace(tool_errors=None), id="no count"),
        pytest.param(RECOVERED._replace(tool_errors=ToolErrors(HOST, 0)), id="fewer errors than asked"),
        pytest.param(RECOVERED._replace(tool_errors=ToolErrors(HOST, -2)), id="negative count"),
        pytest.param(RECOVERED._replace(tool_results=16), id="too many results"),
        pytest.param(RECOVERED._replace(tool_results=-1), id="negative results"),
        pytest.param(RECOVERED._replace(tool_results=None), id="results not known"),
        pytest.param(RECOVERED._replace(tool_tail_clean=False), id="last result failed"),
        pytest.param(RECOVERED._replace(tool_tail_clean=None), id="last result not known"),
    ],
)
def test_a_run_does_not_recover_when_one_condition_fails(capabilities: Capabilities) -> None:
    """Each condition alone keeps the run from counting as recovered."""
    assert not recovers(capabilities)


def test_a_contradicted_count_does_not_recover() -> None:
    """The resolved count is read, not the carried one."""
    assert not recovers(RECOVERED, reported(1))


def test_zero_results_are_within_the_limit() -> None:
    """`0 <= results` is inclusive."""
    assert recovers(RECOVERED._replace(tool_results=0))


def test_the_policy_moves_each_condition() -> None:
    """Switched off, more errors asked for, fewer results allowed, or no clean tail required."""
    failed_tail = RECOVERED._replace(tool_tail_clean=False)
    outcomes = [
        recovers(RECOVERED, enabled=False),
        recovers(RECOVERED, min_errors=3),
        recovers(RECOVERED, max_tool_results=14),
        recovers(failed_tail, require_clean_tail=False),
        recovers(RECOVERED._replace(tool_tail_clean=None), require_clean_tail=False),
    ]
    assert outcomes == [False, False, False, True, True]


def test_a_tool_record_needs_an_attested_zero_or_a_recovered_run() -> None:
    """What passes the veto is not enough here: no information is no clean record."""
    cases = [Capabilities(), Capabilities(tool_errors=ToolErrors(HOST, 0)), RECOVERED]
    assert [TOOL_RECORD.holds(facts_of(c, Signals(), Readiness(), POLICY_1_0_0)) for c in cases] == [False, True, True]
