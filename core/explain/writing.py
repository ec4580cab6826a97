"""A rule written out: its clauses with the values they read, lettered A, A1, A1.1 (SPEC 4.5; UI 5)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from string import ascii_uppercase

from ..vgr.clauses import AllOf, AnyOf, Count, Facts, Leaf, Node, Relation, Score, Stated
from ..vgr.rules import Rule
from ..vgr.signals import Verdict
from .clause import Clause, Comparison, Holds, Join
from .wording import bar as bar_words
from .wording import count_margin, how_many, listed, number, probability, score_margin


def written_rule(rule: Rule, facts: Facts, unanswered: Collection[str] = ()) -> Clause:
    """The rule as one group. `unanswered` names the scores that were asked and came back without a usable answer."""
    scores = list(_scores(rule.clauses))
    bars = {s.source: tuple(_bars(s.source, scores, facts)) for s in scores}
    page = _Page(facts, bars, unanswered)
    clauses = tuple(page.write(node, letter, 0) for node, letter in zip(rule.clauses, ascii_uppercase, strict=False))
    return Clause("", "rule", group_holds(Join.ALL, clauses), None, Join.ALL, clauses)


def written_gate(clause: Stated, facts: Facts) -> Clause:
    """A readiness gate's comparison, keyed G."""
    return _Page(facts, {}, ()).write(clause, "G", 0)


def _scores(nodes: Iterable[Node]) -> Iterator[Score]:
    for node in nodes:
        if isinstance(node, Score):
            yield node
        elif isinstance(node, (AllOf, AnyOf)):
            yield from _scores(node.parts)


def _bars(source: str, scores: Iterable[Score], facts: Facts) -> Iterator[float]:
    for score in scores:
        value = score.bar(facts.policy)[1]
        if score.source == source and value is not None:
            yield value


def group_holds(join: Join, clauses: Collection[Clause]) -> Holds:
    """How a group stands. What is missing decides nothing, so a group is "not asked" only if no part of it says more.

    ALL: a no settles it, then an unknown, then what was not asked. ANY: a yes settles it, then an unknown, then a no.
    """
    states = {clause.holds for clause in clauses}
    if join is Join.ANY:
        order = (Holds.YES, Holds.UNKNOWN, Holds.NO, Holds.NOT_ASKED)
    else:
        order = (Holds.NO, Holds.UNKNOWN, Holds.NOT_ASKED, Holds.YES)
    return next((state for state in order if state in states), Holds.NO)


class _Page:
    """What writing one rule needs at every clause."""

    def __init__(self, facts: Facts, bars: dict[str, tuple[float, ...]], unanswered: Collection[str]) -> None:
        self.facts = facts
        self.bars = bars
        self.unanswered = unanswered

    def write(self, node: Node, key: str, depth: int) -> Clause:
        if not isinstance(node, (AllOf, AnyOf)):
            comparison = self.compare(node)
            return Clause(key, node.label, comparison.holds, comparison)
        join = Join.ALL if isinstance(node, AllOf) else Join.ANY
        keys = [f"{key}{n}" if depth == 0 else f"{key}.{n}" for n in range(1, len(node.parts) + 1)]
        parts = tuple(self.write(part, k, depth + 1) for part, k in zip(node.parts, keys, strict=True))
        label = f"{node.label}: {_keys(join, keys) if depth == 0 else _number_of(join, len(keys))}"
        return Clause(key, label, group_holds(join, parts), None, join, parts)

    def compare(self, leaf: Leaf) -> Comparison:
        if isinstance(leaf, Score):
            return self.score(leaf)
        if isinstance(leaf, Count):
            return self.count(leaf)
        holds = Holds.YES if leaf.holds(self.facts) else Holds.NO
        waived = leaf.required is not None and not leaf.required(self.facts.policy)
        if isinstance(leaf, Stated):
            return Comparison(leaf.source, str(leaf.read(self.facts)), "not required" if waived else leaf.needs, holds)
        verdict = leaf.read(self.facts)
        if holds is Holds.NO and verdict is not Verdict.NO:
            holds = Holds.NOT_ASKED if verdict is None else Holds.UNKNOWN
        needs = "not required" if waived else "yes, if asked" if leaf.if_asked else "yes"
        return Comparison(leaf.source, "not asked" if verdict is None else verdict.value, needs, holds)

    def score(self, leaf: Score) -> Comparison:
        value, (name, bar) = leaf.read(self.facts), leaf.bar(self.facts.policy)
        holds = Holds.YES if leaf.holds(self.facts) else Holds.NO
        needs = f"{leaf.relation.symbol} {'a bar, none set' if bar is None else bar_words(bar)}"
        if value is None:
            asked = leaf.source in self.unanswered
            if holds is Holds.NO:
                holds = Holds.UNKNOWN if asked else Holds.NOT_ASKED
            return Comparison(leaf.source, "none" if asked else "not asked", needs, holds, None, name)
        margin = None if bar is None else _margin(leaf.relation, value, bar)
        shown = probability(value, self.bars[leaf.source])
        text = "" if margin is None else score_margin(margin)
        return Comparison(leaf.source, shown, needs, holds, margin, name, text)

    def count(self, leaf: Count) -> Comparison:
        value, (name, bar) = leaf.read(self.facts), leaf.bar(self.facts.policy)
        holds = Holds.YES if leaf.holds(self.facts) else Holds.NO
        needs = f"{leaf.relation.symbol} {number(bar)}"
        if leaf.passes is not None:
            needs += f" or {leaf.passes}"
        if isinstance(value, str):
            return Comparison(leaf.source, str(value), needs, holds, None, name)
        if leaf.relation is Relation.WITHIN and value < 0:
            needs = "≥ 0"
        margin = _margin(leaf.relation, value, bar)
        text = "" if margin is None else count_margin(margin)
        return Comparison(leaf.source, number(value), needs, holds, margin, name, text)


def _keys(join: Join, keys: list[str]) -> str:
    """`A1 or A2`: what a lettered group is made of."""
    return listed(keys, "or" if join is Join.ANY else "and")


def _number_of(join: Join, size: int) -> str:
    """`all five`, `both`, `either`, `any of three`: how the rows below a numbered group combine."""
    if size == 2:
        return "either" if join is Join.ANY else "both"
    return f"{'any of' if join is Join.ANY else 'all'} {how_many(size)}"


def _margin(relation: Relation, value: float, bar: float) -> float | None:
    """The signed distance to the bar; None where NaN leaves nothing to measure."""
    if math.isnan(value) or math.isnan(bar):
        return None
    if relation is Relation.WITHIN and value < 0:
        return value
    if value == bar:
        return -0.0 if relation in (Relation.BELOW, Relation.NOT_AT_LEAST) else 0
    try:
        above = value - bar
    except OverflowError:  # a count beyond the range of a float
        above = math.copysign(math.inf, 1 if value > bar else -1)
    if relation is Relation.AT_LEAST:
        return above
    return -abs(above) if relation is Relation.EXACTLY else -above
