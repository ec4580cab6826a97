"""The scores against their bars as values: what the chart draws, and what stands beside it (UI 5, probability lane)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ...core.explain.clause import Comparison, Holds
from ...core.explain.wording import bar as bar_words
from ...core.explain.wording import probability, score_margin
from ...core.vgr.decision import Route
from ...core.vgr.evidence import Asked, Origin, Rung
from ...core.vgr.policy import Policy
from .. import marks
from ..screen import Screen
from ..text import Html
from . import asked

_LABELS: Final = {"readout_bar": "bar", "band_floor": "floor", "deliberation_bar": "bar", "prior_bar": "bar"}


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a lane; `read` tells whether the rule of the branch compares the score with it."""

    label: str
    at: float
    read: bool

    @property
    def words(self) -> str:
        """`dial 0.20`."""
        return f"{self.label} {bar_words(self.at)}"


@dataclass(frozen=True, slots=True)
class Lane:
    """A score in [0, 1] with its bars; `value` is None where there is none, and `says` tells why."""

    name: str
    note: str
    value: float | None
    #: The value as shown, with the decimals that keep its side of every bar.
    shown: str
    bars: tuple[Bar, ...]
    #: What the side above the lowest bar read argues for; None where no bar is read.
    above: Route | None
    #: What the value argues for; None where it argues for neither.
    argues: Route | None
    #: Whether the question was sent.
    asked: bool
    says: Html
    #: Why there is no value although it was asked: `timed_out`; the timeline has the error in full.
    missed: str = ""
    origin: Origin | None = None


def lanes(screen: Screen) -> tuple[Lane, ...]:
    """Readout, deliberation, prior and turn check, in this order."""
    rows = asked.by_rung(asked.shown(screen))
    trace = screen.trace_with_extra or screen.trace
    compared = (
        [one for one in trace.rule.comparisons() if one.needs.startswith("\N{GREATER-THAN OR EQUAL TO}")]
        if trace
        else []
    )
    policy = screen.policy
    readout = [Bar("floor", policy.band_floor, False), Bar("bar", policy.readout_bar, False)]
    return (
        _score("readout", "p(yes)", rows.get(Rung.READOUT), compared, readout, policy),
        _score(
            "deliberation",
            "yes 1, no 0",
            rows.get(Rung.DELIBERATION),
            compared,
            [Bar("bar", policy.deliberation_bar, False)],
            policy,
        ),
        _prior(screen, compared),
        _turn_check(screen, rows.get(Rung.TURN_CHECK)),
    )


def _score(
    name: str, note: str, row: Asked | None, compared: list[Comparison], thin: list[Bar], policy: Policy
) -> Lane:
    read = _read((one for one in compared if one.source == name), policy)
    heavy = {bar.at for bar in read}
    bars = tuple(sorted([*read, *(bar for bar in thin if bar.at not in heavy)], key=lambda bar: bar.at))
    above = Route.LOCAL if read else None
    if row is not None and row.extra:
        note = f"{note.split(',')[0]}, extra"
    if row is None:
        return Lane(name, note, None, "", bars, above, None, False, marks.holds(Holds.NOT_ASKED))
    value = row.value if isinstance(row.value, float) else None
    if value is None:
        says = marks.holds(Holds.UNKNOWN)
        return Lane(name, note, None, "", bars, above, None, True, says, row.miss or "", row.origin)
    shown = probability(value, [bar.at for bar in bars])
    argues, says = _standing(value, read)
    return Lane(name, note, value, shown, bars, above, argues, True, says, origin=row.origin)


def _read(compared: Iterable[Comparison], policy: Policy) -> list[Bar]:
    found = {}
    for one in compared:
        at = getattr(policy, one.bar_name, None) if one.bar_name else None
        if isinstance(at, float):
            label = _LABELS.get(one.bar_name, "dial")
            found[one.bar_name] = Bar(label, at, True)
    return list(found.values())


def _standing(value: float, read: list[Bar]) -> tuple[Route | None, Html]:
    """What a score argues for: the highest bar it clears, else the lowest it misses."""
    if not read:
        return None, marks.holds(Holds.NOT_ASKED, "not compared")
    cleared = [bar for bar in read if value >= bar.at]
    against = max(cleared, key=lambda bar: bar.at) if cleared else min(read, key=lambda bar: bar.at)
    name = f" {against.label}" if len(read) > 1 else ""
    margin = score_margin(value - against.at)
    if cleared:
        return Route.LOCAL, marks.holds(Holds.YES, f"clears{name} {margin}")
    return Route.CLOUD, marks.holds(Holds.NO, f"misses{name} {margin}")


def _prior(screen: Screen, compared: list[Comparison]) -> Lane:
    read = _read((one for one in compared if one.source == "prior_local"), screen.policy)
    bars = tuple(read) or (Bar("bar", screen.policy.prior_bar, False),)
    above = Route.LOCAL if read else None
    value = screen.derived.capabilities.prior_local if screen.derived else None
    if value is None:
        says = marks.holds(Holds.NOT_ASKED, "not declared")
        return Lane("prior", "operator", None, "", bars, above, None, False, says)
    argues, says = _standing(value, read)
    return Lane("prior", "operator", value, probability(value, [bars[0].at]), bars, above, argues, True, says)


def _turn_check(screen: Screen, row: Asked | None) -> Lane:
    verification = screen.policy.turn_verification
    bars = (Bar("escalates", verification.escalate_at, row is not None),)
    note = "p(escalate)"
    if row is None:
        return Lane("turn check", note, None, "", bars, None, None, False, marks.holds(Holds.NOT_ASKED))
    if not isinstance(row.value, float):
        says = marks.holds(Holds.UNKNOWN)
        return Lane("turn check", note, None, "", bars, Route.CLOUD, None, True, says, row.miss or "", row.origin)
    value = row.value
    argues = Route.CLOUD if value >= verification.escalate_at else Route.LOCAL
    streak = f"streak {screen.outcome.streak} of {verification.confirmations}" if screen.outcome else "no streak yet"
    shown = probability(value, [verification.escalate_at])
    return Lane(
        "turn check", note, value, shown, bars, Route.CLOUD, argues, True, marks.tier(argues, streak), origin=row.origin
    )
