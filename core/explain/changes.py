"""The changes that could matter to a decision: of numbers the two sides of every boundary, of words all others.

Only what the branch's rule and its gate read is listed, since nothing else can turn them (SPEC 4.5, 4.6). A number
matters on the two sides of a boundary only, so these few changes stand for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import inf, isfinite, nextafter
from typing import Any

from ..vgr.branch import Branch
from ..vgr.capabilities import Capabilities, TaskType
from ..vgr.clauses import AllOf, AnyOf, Count, Leaf, Node, Says, Score
from ..vgr.decision import Mode, Readiness
from ..vgr.policy import POLICY_1_0_0
from ..vgr.rules import RULES
from ..vgr.signals import Verdict
from .change import Change, ChangeKind, MakeWith, Side, Situation, switch
from .tool_changes import tool_changes


def _leaves(node: Node) -> Iterator[Leaf]:
    if isinstance(node, (AllOf, AnyOf)):
        for part in node.parts:
            yield from _leaves(part)
    else:
        yield node


#: Every comparison that the rule of a branch makes.
_LEAVES = {branch: tuple(leaf for clause in rule.clauses for leaf in _leaves(clause)) for branch, rule in RULES.items()}
#: Without dials a rule names the bars that its dials stand in for.
_NO_DIALS = replace(
    POLICY_1_0_0, coding_dial=None, chat_dial=None, answer_dial=None, default_verified_dial=None, agentic_dial=None
)


def _bars_of(branch: Branch) -> dict[str, tuple[str, ...]]:
    """The constants that each score of a branch is held against, by the score's name."""
    named: dict[str, dict[str, None]] = {}
    for leaf in _LEAVES[branch]:
        if isinstance(leaf, Score):
            for policy in (_NO_DIALS, POLICY_1_0_0):
                named.setdefault(leaf.source, {})[leaf.bar(policy)[0]] = None
    return {score: tuple(constants) for score, constants in named.items()}


_BARS = {branch: _bars_of(branch) for branch in Branch}
_VERDICTS = {
    branch: tuple(dict.fromkeys(leaf.source for leaf in leaves if isinstance(leaf, Says)))
    for branch, leaves in _LEAVES.items()
}
#: Branches whose rule reads the count of failed results.
_COUNTED = frozenset(branch for branch, leaves in _LEAVES.items() if any(isinstance(leaf, Count) for leaf in leaves))
#: Switches of the policy that a rule reads beside its comparisons.
_SWITCHES: dict[Branch, tuple[str, ...]] = {
    Branch.CODING_NO_CHECKS: ("coding_dial_requires_judge",),
    Branch.ANSWER: ("answer_judge_arms",),
}
_VERDICT_WORDS = (None, *Verdict)


def changes_of(situation: Situation) -> list[Change]:
    """Every single change that the rule or the gate of the branch could notice; the branch stays."""
    branch = situation.branch
    made = [*_of_scores(situation, branch), *_of_verdicts(situation, branch), *_of_policy(situation, branch)]
    if branch in _COUNTED:
        made += tool_changes(situation, branch)
    if branch in (Branch.CHECKS, Branch.CODING_NO_CHECKS):
        validated = situation.readiness.checker_validated
        made.append(
            switch(
                ChangeKind.OPERATOR,
                "checker_validated",
                validated,
                lambda s: replace(s, readiness=Readiness(not s.readiness.checker_validated)),
            )
        )
    if branch is Branch.ANSWER:
        declared = situation.capabilities.structured_answer
        made.append(
            switch(
                ChangeKind.OPERATOR,
                "structured_answer",
                declared,
                lambda s: s.with_capabilities(structured_answer=not s.capabilities.structured_answer),
            )
        )
    if branch is Branch.AGENTIC_RECOGNIZED:
        made += _of_prior(situation)
    made += [_mode(situation, mode) for mode in Mode if mode is not situation.mode]
    return made


def changes_of_branch(situation: Situation, retyped: Mapping[TaskType | None, Capabilities]) -> list[Change]:
    """The changes that take another branch: another task type, as `retyped` derives it, and a prior more or less."""
    made = [
        Change(
            ChangeKind.TASK_TYPE,
            "task_type",
            _typed(situation.task_type),
            _typed(task_type),
            _made=partial(_with_type, task_type=task_type, capabilities=capabilities),
        )
        for task_type, capabilities in retyped.items()
        if task_type is not situation.task_type
    ]
    prior = situation.capabilities.prior_local
    if prior is None:
        after = situation.policy.prior_bar
        made.append(_number(ChangeKind.OPERATOR, "prior_local", None, Side.AT_LEAST, after, after, _with_prior))
    else:
        made.append(
            Change(
                ChangeKind.OPERATOR, "prior_local", prior, None, _made=lambda s: s.with_capabilities(prior_local=None)
            )
        )
    return [change for change in made if change.apply(situation).branch is not situation.branch]


def _with_type(situation: Situation, task_type: TaskType | None, capabilities: Capabilities) -> Situation:
    # What the operator declares stays, whatever the type.
    kept = situation.capabilities
    given = capabilities._replace(structured_answer=kept.structured_answer, prior_local=kept.prior_local)
    return replace(situation, task_type=task_type, capabilities=given)


def _typed(task_type: TaskType | None) -> str:
    return "none" if task_type is None else task_type.value


def _of_scores(situation: Situation, branch: Branch) -> Iterator[Change]:
    for name, constants in _BARS[branch].items():
        if name == "prior_local":
            continue  # the operator declares it; no judge says it
        score: float | None = getattr(situation.signals, name)
        bars = {getattr(situation.policy, constant) for constant in constants} - {None}
        for limit in sorted(bars):
            yield from _both_sides(ChangeKind.EVIDENCE, name, score, limit, partial(_with_signal, name))
        if score is not None:
            yield Change(ChangeKind.EVIDENCE, name, score, None, _made=partial(_with_signal, name, value=None))


def _with_signal(name: str, situation: Situation, value: float | Verdict | None) -> Situation:
    return situation.with_signals(**{name: value})


def _both_sides(kind: ChangeKind, name: str, before: float | None, limit: float, made: MakeWith) -> Iterator[Change]:
    """To reach a bar that is not reached, or to miss one that is; every bar here is inclusive."""
    reaches = before is not None and before >= limit
    if not reaches:
        yield _number(kind, name, before, Side.AT_LEAST, limit, limit, made)
    if (reaches or before is None) and limit > 0:
        yield _number(kind, name, before, Side.BELOW, limit, nextafter(limit, -inf), made)


def _of_verdicts(situation: Situation, branch: Branch) -> Iterator[Change]:
    for name in _VERDICTS[branch]:
        before: Verdict | None = getattr(situation.signals, name)
        for after in _VERDICT_WORDS:
            if after is not before:
                yield Change(ChangeKind.EVIDENCE, name, before, after, _made=partial(_with_signal, name, value=after))


def _of_policy(situation: Situation, branch: Branch) -> Iterator[Change]:
    policy = situation.policy
    for score_name, constants in _BARS[branch].items():
        score = (
            situation.capabilities.prior_local
            if score_name == "prior_local"
            else getattr(situation.signals, score_name)
        )
        for constant in constants:
            yield from _of_bar(constant, getattr(policy, constant), score)
    for name in _SWITCHES.get(branch, ()):
        yield switch(ChangeKind.POLICY, f"policy.{name}", getattr(policy, name), partial(_toggled, name))


def _of_bar(name: str, before: float | None, score: float | None) -> Iterator[Change]:
    """A bar matters on the two sides of the score it is held against only."""
    made = partial(_with_constant, name)
    if before is not None and name.endswith("_dial"):
        yield Change(ChangeKind.POLICY, f"policy.{name}", before, None, _made=partial(made, value=None))
    if score is None or not 0 <= score <= 1:
        if before is None:
            # What it could be set to is anybody's guess: what policy 1.0.0 has.
            yield Change(
                ChangeKind.POLICY,
                f"policy.{name}",
                None,
                given := getattr(POLICY_1_0_0, name),
                _made=partial(made, value=given),
            )
        return
    cleared = before is not None and score >= before
    if not cleared:
        yield _number(ChangeKind.POLICY, f"policy.{name}", before, Side.AT_MOST, score, score, made)
    if cleared and score < 1:
        yield _number(ChangeKind.POLICY, f"policy.{name}", before, Side.ABOVE, score, nextafter(score, inf), made)


def _with_constant(name: str, situation: Situation, value: Any) -> Situation:
    return replace(situation, policy=replace(situation.policy, **{name: value}))


def _toggled(name: str, situation: Situation) -> Situation:
    return _with_constant(name, situation, not getattr(situation.policy, name))


def _of_prior(situation: Situation) -> Iterator[Change]:
    prior = situation.capabilities.prior_local
    yield from _both_sides(ChangeKind.OPERATOR, "prior_local", prior, situation.policy.prior_bar, _with_prior)


def _with_prior(situation: Situation, value: float | None) -> Situation:
    return situation.with_capabilities(prior_local=value)


def _mode(situation: Situation, mode: Mode) -> Change:
    return Change(ChangeKind.OPERATOR, "mode", situation.mode.value, mode.value, _made=lambda s: replace(s, mode=mode))


def _number(
    kind: ChangeKind,
    name: str,
    before: float | None,
    side: Side,
    boundary: float,
    after: float,
    made: MakeWith,
) -> Change:
    known = before is not None and isfinite(before)
    distance = abs(after - before) if before is not None and known else None
    return Change(kind, name, before, after, side, boundary, distance, _made=partial(made, value=after))
