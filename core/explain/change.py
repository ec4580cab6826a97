"""A change of one thing that a routing decision is made from, and the decision's whole situation (SPEC 4; UI 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeAlias

from ..vgr.branch import Branch, select_branch
from ..vgr.capabilities import Capabilities, TaskType
from ..vgr.decision import Mode, Readiness, Route, decide
from ..vgr.policy import POLICY_1_0_0, Policy
from ..vgr.serving import serve
from ..vgr.signals import Signals


@dataclass(frozen=True, slots=True)
class Situation:
    """All that a decision and its serving are made from."""

    capabilities: Capabilities
    signals: Signals = Signals()
    readiness: Readiness = Readiness()
    mode: Mode = Mode.EVALUATE
    policy: Policy = POLICY_1_0_0
    task_type: TaskType | None = None

    @property
    def branch(self) -> Branch:
        """The branch that is taken."""
        return select_branch(self.capabilities)

    @property
    def served(self) -> Route:
        """The tier that serves."""
        return serve(decide(self.capabilities, self.signals, self.readiness, self.policy), self.mode)

    def with_capabilities(self, **changes: Any) -> Situation:
        """The same with other capabilities, by name."""
        return replace(self, capabilities=self.capabilities._replace(**changes))

    def with_signals(self, **changes: Any) -> Situation:
        """The same with other evidence, by name."""
        return replace(self, signals=replace(self.signals, **changes))


class ChangeKind(StrEnum):
    """What a change is of: who would have to make it."""

    #: Another answer of a judge, a verifier or the checker.
    EVIDENCE = "evidence"
    #: A bar, a dial or a switch of the policy.
    POLICY = "policy"
    #: The count of failed results, the number of results, how the run ended.
    TOOL_RECORD = "tool record"
    #: Who vouches for the count.
    PROVENANCE = "provenance"
    #: The router's typing of the task.
    TASK_TYPE = "task type"
    #: A setting or a declaration of the operator.
    OPERATOR = "operator"


class Side(StrEnum):
    """Where a new number stands to its boundary."""

    BELOW = "below"
    AT_MOST = "at most"
    AT_LEAST = "at least"
    ABOVE = "above"


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one thing. `after` is exact: the boundary itself, or the double next to it."""

    kind: ChangeKind
    #: What is changed: `readout`, `cloud_judge`, `policy.chat_dial`, `tool_errors.count`, `task_type`, `mode`.
    name: str
    before: str | float | None
    after: str | float | None
    #: For a number: which side of which boundary suffices.
    side: Side | None = None
    boundary: float | None = None
    #: How far a number moves, in its own unit (a probability, or a count); None where there is no such distance.
    distance: float | None = None
    #: Whether the client decides it by what it sends.
    client: bool = False
    _made: Callable[[Situation], Situation] = field(
        default=lambda situation: situation, repr=False, compare=False, kw_only=True
    )

    def apply(self, situation: Situation) -> Situation:
        """The situation with this change."""
        return self._made(situation)


#: Gives the situation with another value; the value is named `value`.
MakeWith: TypeAlias = Callable[..., Situation]


def switch(kind: ChangeKind, name: str, before: bool, made: Callable[[Situation], Situation]) -> Change:
    """A switch, turned over."""
    words = ("on", "off") if before else ("off", "on")
    return Change(kind, name, *words, _made=made)
