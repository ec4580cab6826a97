"""The result of a VGR turn, the same value for a script and for the bench: read, derived, gathered and decided."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ..core.conversation.reading import Reading
from ..core.explain.endings import ending_reason
from ..core.explain.reason import Reason, reason
from ..core.explain.trace import Trace, trace
from ..core.vgr.branch import Branch
from ..core.vgr.decision import Decision, Readiness, Route
from ..core.vgr.evidence import Asked, Origin, Rung, TurnOutcome
from ..core.vgr.policy import Policy
from ..widgets.algorithm import Algorithm
from ..widgets.screen import Controls, Derived, Failure

_SCORES = (Rung.READOUT, Rung.DELIBERATION)


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """What one run found. `outcome` is None where nothing was routed; then `reading` or `failure` says why."""

    reading: Reading
    controls: Controls
    policy: Policy
    origin: Origin
    derived: Derived | None = None
    outcome: TurnOutcome | None = None
    trace: Trace | None = None
    #: The same rule with the extra evidence of a diagnosis; display only, never the decision.
    trace_with_extra: Trace | None = None
    reason: Reason | None = None
    failure: Failure | None = None

    @property
    def algorithm(self) -> Algorithm:
        """Verification-gated routing."""
        return Algorithm.VGR

    @property
    def asked(self) -> tuple[Asked, ...]:
        """Everything asked, in order; empty where the turn came to no outcome."""
        return () if self.outcome is None else self.outcome.asked

    @property
    def branch(self) -> Branch | None:
        """The verification branch; None where nothing was derived."""
        return None if self.derived is None else self.derived.ladder.taken

    @property
    def decision(self) -> Decision | None:
        """The decision; None where the turn ended before the rules."""
        return None if self.outcome is None else self.outcome.decision

    @property
    def served(self) -> Route | None:
        """The tier that serves; None where nothing was routed."""
        return None if self.outcome is None else self.outcome.served

    def to_json(self) -> str:
        """The record of the run as JSON: versions, lengths, scores, verdicts, timings and origins, no content."""
        return json.dumps(self.record(), indent=2, allow_nan=False)

    def record(self) -> dict[str, Any]:
        """The record of the run as a dictionary, see `workbench.record`."""
        from .record import record

        return record(self)

    def __repr__(self) -> str:
        if self.outcome is None:
            return "<Result: nothing routed>"
        return f"<Result: {self.branch}, served {self.served}, {len(self.outcome.asked)} asked, {self.origin.kind}>"


def concluded(
    reading: Reading, controls: Controls, policy: Policy, origin: Origin, derived: Derived, outcome: TurnOutcome
) -> Result:
    """The result of a turn that ran to its outcome, with the decision written out and its reason."""
    if outcome.decision is None:
        why = None if outcome.ending is None else ending_reason(outcome.ending, outcome.served)
        return Result(reading, controls, policy, origin, derived, outcome, reason=why)
    readiness = Readiness(controls.checker_validated)

    def written(extra: bool) -> Trace:
        signals = outcome.signals_with_extra if extra else outcome.signals
        rows = [row for row in outcome.asked if row.rung in _SCORES and row.value is None and (extra or not row.extra)]
        unanswered = frozenset(row.rung.value for row in rows)
        return trace(derived.capabilities, signals, readiness, controls.mode, policy, unanswered=unanswered)

    made = written(extra=False)
    with_extra = written(extra=True) if any(row.extra for row in outcome.asked) else None
    why = reason(made, derived.capabilities, [row for row in outcome.asked if not row.extra])
    return Result(reading, controls, policy, origin, derived, outcome, made, with_extra, why)
