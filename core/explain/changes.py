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
from ..vgr.decision import Mode, Readiness
from ..vgr.policy import POLICY_1_0_0
from ..vgr.signals import Verdict
from .change import Change, ChangeKind, MakeWith, Side, Situation, switch
from .tool_changes import tool_changes

#: The scores, verdicts and policy constants that the rule of a branch reads (SPEC 4.5).
_SCORES: dict[Branch, tuple[str, ...]] = {
    Branch.CODING_NO_CHECKS: ("readout", "deliberation"),
    Branch.ANSWER: ("readout", "deliberation"),
    Branch.CHAT: ("readout", "deliberation"),
    Branch.AGENTIC_VERIFIED: ("readout", "deliberation"),
    Branch.DEFAULT_VERIFIED: ("readout", "deliberation"),
}
_VERDICTS: dict[Branch, tuple[str, ...]] = {
    Branch.CHECKS: ("tests_pass",),
    Branch.CODING_NO_CHECKS: ("evidence_strict", "cloud_judge", "evidence_confirm"),
    Branch.ANSWER: ("answer_verifier", "evidence_verifier", "agreement"),
    Branch.CHAT: ("cloud_judge", "evidence_confirm"),
}
#: The bars each score is held against, by branch: (score, constants).
_BARS: dict[Branch, tuple[tuple[str, tuple[str, ...]], ...]] = {
    Branch.CODING_NO_CHECKS: (
        ("readout", ("readout_bar", "band_floor", "coding_dial")),
        ("deliberation", ("deliberation_bar",)),
    ),
    Branch.ANSWER: (("readout", ("readout_bar", "answer_dial")), ("deliberation", ("deliberation_bar",))),
    Branch.CHAT: (("readout", ("chat_dial",)), ("deliberation", ("deliberation_bar",))),
    Branch.AGENTIC_RECOGNIZED: (("prior_local", ("prior_bar",)),),
    Branch.AGENTIC_VERIFIED: (("readout", ("readout_bar", "agentic_dial")), ("deliberation", ("deliberation_bar",))),
    Branch.DEFAULT_VERIFIED: (
        ("readout", ("readout_bar", "default_verified_dial")),
        ("deliberation", ("deliberation_bar",)),
    ),
}
_SWITCHES: dict[Branch, tuple[str, ...]] = {
    Branch.CODING_NO_CHECKS: ("coding_dial_requires_judge",),
    Branch.ANSWER: ("answer_judge_arms",),
}
#: Branches whose rule reads the count of failed results.
_VETOED = frozenset({Branch.CODING_NO_CHECKS, Branch.CHAT, Branch.AGENTIC_RECOGNIZED, Branch.DEFAULT_VERIFIED})
_COUNTED = _VETOED | {Branch.AGENTIC_VERIFIED}
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
    for name in _SCORES.get(branch, ()):
        score: float | None = getattr(situation.signals, name)
        bars = {value for _, value in _bars(situation, branch, name) if value is not None}
        for limit in sorted(bars):
            yield from _both_sides(ChangeKind.EVIDENCE, name, score, limit, partial(_with_signal, name))
        if score is not None:
            yield Change(ChangeKind.EVIDENCE, name, score, None, _made=partial(_with_signal, name, value=None))


def _with_signal(name: str, situation: Situation, value: float | Verdict | None) -> Situation:
    return situation.with_signals(**{name: value})


def _bars(situation: Situation, branch: Branch, score: str) -> Iterator[tuple[str, float | None]]:
    for name, constants in _BARS.get(branch, ()):
        if name == score:
            for constant in constants:
                yield constant, getattr(situation.policy, constant)


def _both_sides(kind: ChangeKind, name: str, before: float | None, limit: float, made: MakeWith) -> Iterator[Change]:
    """To reach a bar that is not reached, or to miss one that is; every bar here is inclusive."""
    reaches = before is not None and before >= limit
    if not reaches:
        yield _number(kind, name, before, Side.AT_LEAST, limit, limit, made)
    if (reaches or before is None) and limit > 0:
        yield _number(kind, name, before, Side.BELOW, limit, nextafter(limit, -inf), made)


def _of_verdicts(situation: Situation, branch: Branch) -> Iterator[Change]:
    for name in _VERDICTS.get(branch, ()):
        before: Verdict | None = getattr(situation.signals, name)
        for after in _VERDICT_WORDS:
            if after is not before:
                yield Change(ChangeKind.EVIDENCE, name, before, after, _made=partial(_with_signal, name, value=after))


def _of_policy(situation: Situation, branch: Branch) -> Iterator[Change]:
    policy = situation.policy
    for score_name, constants in _BARS.get(branch, ()):
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
