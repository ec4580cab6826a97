"""The streak over the turns as a drawing: steps, the bar, what the judge said, and the latch (SPEC 6.2; UI 5).

Drawn in place rather than by plotly: it follows the theme, stands in the saved page, and its columns can be clicked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ...core.escalation.outcome import EscalationTurn
from ...core.escalation.streak import TurnVerdict
from ..algorithm import EscalationScreen
from ..text import Html, Value, h
from .escalation_columns import Columns, verdict_mark
from .escalation_turn import confirmations, latch_of, streak

_HEIGHT: Final = 140
#: Where the streak is 0, and where the highest value drawn stands; the axis of turns and the marks below it.
_ZERO: Final = 96
_TOP: Final = 28
_TICKS: Final = 112
_MARKS: Final = 128
#: Most levels of the streak that are labelled, and the pixels between two of them.
_LEVELS: Final = 5
_APART: Final = 11


def streak_chart(shown: EscalationScreen) -> Html:
    """The drawing of the turns judged so far, over all there are to judge."""
    turns, bar = shown.turns, confirmations(shown)
    columns = Columns(max(shown.total, len(turns), 1), shown.selected, latch_of(shown))
    peak = max((turn.streak_after for turn in turns), default=0)
    chart = _Chart(turns, columns, bar, max(bar, peak, 1))
    latched = f", latched at turn {columns.latch:,}" if columns.latch is not None else ""
    says = (
        f"Streak by turn: {len(turns):,} of {columns.total:,} turns judged, at most {streak(peak, bar)}{latched}; "
        "the table below holds the same values"
    )
    drawn = h("svg", {"height": _HEIGHT, "role": "img", "aria-label": says}, chart.parts())
    return h("div", {"class": "streakbox", "data-k": "chart"}, drawn)


@dataclass(frozen=True, slots=True)
class _Chart:
    turns: tuple[EscalationTurn, ...]
    columns: Columns
    bar: int
    #: The highest value drawn.
    most: int

    def parts(self) -> Iterator[Html | list[Html]]:
        """Everything, from the ground up."""
        yield self._levels()
        yield list(self._latch())
        yield list(self._steps())
        yield self.columns.axis(_TICKS)
        for turn in self.turns:
            if drawn := verdict_mark(turn, self.columns.middle(turn.turn), _MARKS):
                yield h("g", None, drawn)
        if outline := self.columns.outline(_TICKS - 12, _HEIGHT - 1, _TICKS + 6):
            yield h("g", None, outline)
        yield self.columns.clicked(_HEIGHT)

    def _y(self, value: int) -> float:
        return round(_ZERO - (_ZERO - _TOP) * value / self.most, 1)

    def _levels(self) -> list[Html]:
        """Levels of the streak, the bar among them; what would run into the bar's label is left out."""
        bar = self._y(self.bar)
        levels = [at for at in range(0, self.most + 1, -(-self.most // _LEVELS)) if abs(self._y(at) - bar) >= _APART]
        return [self._level(at) for at in (*levels, self.bar)]

    def _level(self, value: int) -> Html:
        y = self._y(value)
        kind = "lvl bar" if value == self.bar else "lvl"
        line = h("line", {"class": kind, "x1": 0, "x2": "100%", "y1": y, "y2": y})
        return h("g", None, line, h("text", {"x": -8, "y": y + 4, "text-anchor": "end"}, f"{value:,}"))

    def _latch(self) -> Iterator[Html]:
        latch = self.columns.latch
        yield h("g", None, self.columns.latched(6, _ZERO, (4, _ZERO)))
        share = 0.0 if latch is None else latch / self.columns.total
        # The bar's label stands clear of the latch's, which stands clear of the edge.
        right: dict[str, Value] = {"x": "99.5%", "text-anchor": "end"}
        left: dict[str, Value] = {"x": "0.5%", "text-anchor": "start"}
        at = right if latch is not None and share < 0.5 else left
        yield h("text", {**at, "y": self._y(self.bar) - 5}, f"confirmations {self.bar:,}")
        if latch is not None:
            beside: dict[str, Value] = (
                {"dx": 6, "text-anchor": "start"} if share < 0.3 else {"dx": -6, "text-anchor": "end"}
            )
            where: dict[str, Value] = {"class": "on", "x": self.columns.left(latch + 1), "y": 14}
            yield h("text", {**where, **beside}, f"latch at {latch:,}")

    def _steps(self) -> Iterator[Html]:
        """A level for each run of turns with one streak, and a riser where it begins; none where nobody is asked."""
        left, start = 0, 0
        asked = [turn for turn in self.turns if turn.evidence is not TurnVerdict.LATCHED]
        for at, turn in enumerate(asked):
            follows = asked[at + 1] if at + 1 < len(asked) else None
            if follows is not None and turn.streak_after == follows.streak_before == follows.streak_after:
                continue
            first = asked[start]
            # Without a session id a turn starts from 0, whatever the one before left.
            if first.streak_after != left or first.streak_before != left:
                yield self._line(first.turn, first.turn, first.streak_before, first.streak_after)
            yield self._line(first.turn, turn.turn + 1, turn.streak_after, turn.streak_after)
            left, start = turn.streak_after, at + 1

    def _line(self, x1: int, x2: int, y1: int, y2: int) -> Html:
        columns = self.columns
        at: dict[str, Value] = {"x1": columns.left(x1), "x2": columns.left(x2), "y1": self._y(y1), "y2": self._y(y2)}
        return h("line", {"class": "sc" if max(y1, y2) else "sg", **at, "stroke-width": 3})
