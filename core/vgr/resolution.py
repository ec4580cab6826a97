"""Tool-error resolution: one count out of what the capabilities carry and what was reported (SPEC 4.3)."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from .capabilities import ToolErrors, ToolErrorSource
from .signals import ReportedToolErrors, ToolReport


class Unresolved(StrEnum):
    """Why there is no count. No information passes the veto, an indeterminate one does not."""

    NO_INFORMATION = "no information"
    INDETERMINATE = "indeterminate"


#: A resolved count (possibly negative, then it never passes) or why there is none.
ToolErrorCount: TypeAlias = int | Unresolved


def resolve_tool_errors(carried: ToolErrors | None, reported: ReportedToolErrors) -> ToolErrorCount:
    """Resolve the carried count against the report. A report of COUNT without a count is indeterminate."""
    report, count = reported.report, reported.count
    if report is ToolReport.INDETERMINATE or (report is ToolReport.COUNT and count is None):
        return Unresolved.INDETERMINATE
    if carried is None:
        # Nobody vouches for a reported zero; a reported failure still counts against the attempt.
        if report is not ToolReport.COUNT or count is None or count == 0:
            return Unresolved.NO_INFORMATION
        return count
    if report is ToolReport.NO_COUNT or (report is ToolReport.COUNT and count != carried.count):
        return Unresolved.INDETERMINATE
    if carried.count == 0 and carried.source is ToolErrorSource.UNTRUSTED:
        return Unresolved.NO_INFORMATION
    return carried.count
