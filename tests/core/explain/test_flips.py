"""The smallest flips: each turns the decision, none is needless, and none that is smaller is missed (UI 5)."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from decision_inputs import CAPABILITIES, POLICIES, READINESS, SIGNALS, VERDICTS
from hypothesis import given, settings
from hypothesis import strategies as st
from routing_workbench.core.explain.change import Change, ChangeKind, Side, Situation
from routing_workbench.core.explain.flips import Flip, smallest_flips
from routing_workbench.core.vgr.capabilities import Capabilities, TaskType, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.decision import Mode, Route
from routing_workbench.core.vgr.policy import POLICY_1_0_0
from routing_workbench.core.vgr.signals import Signals, Verdict

SITUATIONS = st.builds(
    Situation, CAPABILITIES, SIGNALS, READINESS, st.sampled_from([*[Mode.EVALUATE] * 3, *Mode]), POLICIES
)
CHAT = Capabilities(task_text="t", attempt="a", transcript="v", is_chat=True)
CODING = Capabilities(task_text="t", attempt="a", transcript="v", is_coding=True)
AGENTIC = Capabilities(
    task_text="t",
    attempt="a",
    transcript="v",
    is_agentic=True,
    tool_errors=ToolErrors(ToolErrorSource.HOST, 7),
    tool_results=16,
    tool_tail_clean=True,
)


def says(flip: Flip) -> list[tuple[str, object, object]]:
    """Name, before and after of each change."""
    return [(change.name, change.before, change.after) for change in flip.changes]


def one(situation: Situation, name: str) -> list[Change]:
    """The single changes of this name that flip."""
    return [flip.changes[0] for flip in smallest_flips(situation) if [c.name for c in flip.changes] == [name]]


def test_a_score_short_of_its_bar_names_the_bar_itself() -> None:
    """At the bar it holds, since bars are inclusive; the dial moved down to the score does the same."""
    situation = Situation(CHAT, Signals(readout=0.25))
    (up,) = one(situation, "readout")
    assert (up.side, up.boundary, up.after) == (Side.AT_LEAST, 0.3, 0.3)
    assert up.distance == pytest.approx(0.05)
    (dial,) = [c for c in one(situation, "policy.chat_dial") if c.side]
    assert (dial.side, dial.boundary, dial.after) == (Side.AT_MOST, 0.25, 0.25)


def test_a_score_at_its_bar_falls_one_double_below() -> None:
    """And the bar rises one double above the score."""
    situation = Situation(CHAT, Signals(readout=0.3))
    (down,) = [c for c in one(situation, "readout") if c.side]
    assert (down.side, down.boundary, down.after) == (Side.BELOW, 0.3, math.nextafter(0.3, 0))
    (dial,) = [c for c in one(situation, "policy.chat_dial") if c.side]
    assert (dial.side, dial.boundary, dial.after) == (Side.ABOVE, 0.3, math.nextafter(0.3, 1))


def test_a_run_that_is_one_result_too_long_for_recovery() -> None:
    """One result fewer, or a dial one higher; what the client could send itself is a trust finding."""
    found = smallest_flips(Situation(AGENTIC, Signals(readout=0.34)))
    assert says(found[0]) == [("policy.recovered_run.max_tool_results", 15, 16)]
    assert says(found[1]) == [("tool_results", 16, 15)]
    assert [(flip.distance, flip.is_trust_finding) for flip in found[:3]] == [(1, False), (1, True), (7, True)]
    assert says(found[2]) == [("tool_errors.count", 7, 0)]


def test_two_changes_where_no_single_one_does() -> None:
    """Cloud judgement on chat needs both verifiers."""
    situation = Situation(CHAT, Signals(readout=None, deliberation=None), policy=replace(POLICY_1_0_0, chat_dial=None))
    pairs = [says(flip) for flip in smallest_flips(situation) if len(flip.changes) == 2]
    assert [("cloud_judge", None, Verdict.YES), ("evidence_confirm", None, Verdict.YES)] in pairs


def test_another_task_type_takes_another_branch() -> None:
    """With what the operator declared kept."""
    situation = Situation(CODING, Signals(readout=0.95, cloud_judge=Verdict.NO), task_type=TaskType.CODING)
    found = smallest_flips(situation, {TaskType.CHAT: CHAT, TaskType.CODING: CODING})
    assert [("task_type", "coding", "chat")] in [says(flip) for flip in found]
    flip = next(flip for flip in found if says(flip) == [("task_type", "coding", "chat")])
    assert (flip.changes[0].kind, flip.gives) == (ChangeKind.TASK_TYPE, Route.LOCAL)


def test_an_unknown_branch_has_no_flip_but_another_branch() -> None:
    """Unsupported input never commits, whatever the evidence says."""
    assert smallest_flips(Situation(Capabilities(), Signals(readout=1.0))) == ()


def test_mode_off_asks_for_another_mode() -> None:
    """Where the attempt is good enough, the mode alone holds it back."""
    names = [says(flip)[0] for flip in smallest_flips(Situation(CHAT, Signals(readout=0.9), mode=Mode.OFF))]
    assert ("mode", "off", "evaluate") in names
    assert ("mode", "off", "active") in names


@settings(deadline=None)  # how long one example takes says nothing on a shared machine
@given(SITUATIONS, CAPABILITIES)
def test_every_flip_turns_the_decision_and_none_of_its_changes_is_needless(
    situation: Situation, chat: Capabilities
) -> None:
    """Applied, it gives the other tier; any change of a pair alone leaves the tier as it is."""
    for flip in smallest_flips(situation, {TaskType.CHAT: chat}):
        assert flip.apply(situation).served is flip.gives is not situation.served
        if len(flip.changes) > 1:
            assert [change.apply(situation).served for change in flip.changes] == [situation.served] * 2


def _with_policy(situation: Situation, name: str, value: Any) -> Situation:
    group, _, field = name.rpartition(".")
    if group:
        value = replace(situation.policy.recovered_run, **{field: value})
        return replace(situation, policy=replace(situation.policy, recovered_run=value))
    return replace(situation, policy=replace(situation.policy, **{field: value}))


def _with_source(situation: Situation, source: ToolErrorSource | None) -> Situation:
    errors = situation.capabilities.tool_errors
    made = None if source is None else ToolErrors(source, errors.count if errors else 0)
    return situation.with_capabilities(tool_errors=made)


def _with_count(situation: Situation, count: int) -> Situation:
    errors = situation.capabilities.tool_errors
    return situation.with_capabilities(tool_errors=errors and replace(errors, count=count))


_SCORES = (None, 0.0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.7, 0.8, 0.9, math.nextafter(0.9, 0), 1.0, math.nan)
_BARS = (0.0, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
_DIALS = (None, *_BARS)
_COUNTS = (0, 1, 2, 3, 7, 14, 15, 16)
_VERDICTS = (None, *Verdict)
_SWITCH = (False, True)
_Change: TypeAlias = tuple[str, Any, Callable[[Situation, Any], Situation]]


def _signal(name: str) -> Callable[[Situation, Any], Situation]:
    return lambda situation, value: situation.with_signals(**{name: value})


def _capability(name: str) -> Callable[[Situation, Any], Situation]:
    return lambda situation, value: situation.with_capabilities(**{name: value})


def _policy(name: str) -> Callable[[Situation, Any], Situation]:
    return lambda situation, value: _with_policy(situation, name, value)


#: Ways to change one thing: the name a flip gives it, new values, and the change.
_WAYS: list[tuple[str, Sequence[Any], Callable[[Situation, Any], Situation]]] = [
    *((name, _SCORES, _signal(name)) for name in ("readout", "deliberation")),
    *((name, _VERDICTS, _signal(name)) for name in VERDICTS),
    *(
        (f"policy.{name}", _BARS, _policy(name))
        for name in ("readout_bar", "band_floor", "deliberation_bar", "prior_bar")
    ),
    *(
        (f"policy.{name}_dial", _DIALS, _policy(f"{name}_dial"))
        for name in ("coding", "chat", "answer", "agentic", "default_verified")
    ),
    *(
        (f"policy.{name}", _SWITCH, _policy(name))
        for name in (
            "coding_dial_requires_judge",
            "answer_judge_arms",
            "recovered_run.enabled",
            "recovered_run.require_clean_tail",
        )
    ),
    *(
        (f"policy.recovered_run.{name}", range(18), _policy(f"recovered_run.{name}"))
        for name in ("min_errors", "max_tool_results")
    ),
    ("tool_results", _COUNTS, _capability("tool_results")),
    ("tool_tail_clean", _SWITCH, _capability("tool_tail_clean")),
    ("tool_errors.count", _COUNTS, _with_count),
    ("tool_errors.source", (None, *ToolErrorSource), _with_source),
    ("structured_answer", _SWITCH, _capability("structured_answer")),
    ("mode", tuple(Mode), lambda situation, value: replace(situation, mode=value)),
]
_BASES = (
    CHAT,
    CODING,
    AGENTIC,
    Capabilities(task_text="t", attempt="a", transcript="v", has_checks=True),
    Capabilities(task_text="t", attempt="a", transcript="v", final_answer="a"),
    Capabilities(task_text="t", attempt="a", transcript="v", default_verified=True),
    Capabilities(task_text="t", attempt="a", transcript="v", prior_local=0.4),
)


def _change(draw: random.Random) -> _Change:
    name, values, make = draw.choice(_WAYS)
    return name, draw.choice(values), make


def _situation(draw: random.Random) -> Situation:
    """Any of the branches, changed in a few ways."""
    situation = Situation(draw.choice(_BASES))
    for _ in range(draw.randrange(8)):
        _, value, make = _change(draw)
        situation = make(situation, value)
    return situation


def test_no_single_change_is_missed_and_none_is_nearer() -> None:
    """Whatever one thing is changed to: where that turns the decision, a flip of it is listed that moves no more."""
    draw = random.Random(11)
    turned: Counter[str] = Counter()
    while turned.total() < 300:
        situation, (name, value, make) = _situation(draw), _change(draw)
        if make(situation, value).served is situation.served:
            continue
        turned[name] += 1
        listed = one(situation, name)
        assert listed, (situation, name, value)
        before = listed[0].before
        numbers = [number for number in (value, before) if type(number) in (int, float) and math.isfinite(number)]
        if len(numbers) == 2:
            distances = [found.distance for found in listed if found.distance is not None]
            assert min(distances) <= abs(numbers[0] - numbers[1]), (situation, name, value)
    assert len(turned) > 15, turned


def test_no_pair_is_missed() -> None:
    """Where two changes turn the decision and neither does alone, a flip of the same two is listed, or one of one."""
    draw = random.Random(12)
    turned: Counter[tuple[str, str]] = Counter()
    while turned.total() < 40:
        situation, first, second = _situation(draw), _change(draw), _change(draw)
        once, other = first[2](situation, first[1]), second[2](situation, second[1])
        both = second[2](once, second[1])
        alone = situation.served is once.served is other.served
        if first[0] == second[0] or not alone or both.served is situation.served:
            continue
        turned[first[0], second[0]] += 1
        names = [{change.name for change in flip.changes} for flip in smallest_flips(situation)]
        assert any(found <= {first[0], second[0]} for found in names), (situation, first[:2], second[:2])
    assert len(turned) > 15, turned
