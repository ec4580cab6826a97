"""Evidence as the rules read it: verdicts, scores and the reported tool errors (SPEC 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """A verifier's answer. UNKNOWN = asked, no usable answer; only YES ever commits."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class ToolReport(StrEnum):
    """What the serving side reported about tool errors."""

    ABSENT = "absent"
    NO_COUNT = "no_count"
    INDETERMINATE = "indeterminate"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class ReportedToolErrors:
    """A reported tool-error signal; `count` is set exactly when `report` is COUNT."""

    report: ToolReport = ToolReport.ABSENT
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Signals:
    """What was gathered. None = never asked for, which differs from UNKNOWN (SPEC 4.3). Scores are in [0, 1]."""

    readout: float | None = None
    deliberation: float | None = None
    evidence_strict: Verdict | None = None
    cloud_judge: Verdict | None = None
    evidence_confirm: Verdict | None = None
    agreement: Verdict | None = None
    answer_verifier: Verdict | None = None
    evidence_verifier: Verdict | None = None
    tests_pass: Verdict | None = None
    tool_errors: ReportedToolErrors = ReportedToolErrors()
