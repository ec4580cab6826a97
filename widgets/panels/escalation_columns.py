"""The columns of a drawing over turns: place, label, outline, and what takes a click (UI 5, turn lanes)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...core.escalation.outcome import EscalationTurn
from ...core.escalation.verdict import EscalationVerdict
from ..text import Child, Html, Value, h

#: Most turns whose columns can be clicked: more are narrower than a pointer, and the slider selects any of them.
FINE: Final = 200
#: Most labels of the axis, and of labels with three digits or more.
LABELS: Final = 20
_WIDE_LABELS: Final = 10
_CROSS: Final = h("path", {"class": "sf", "d": "M-3.5-3.5l7 7M3.5-3.5l-7 7", "stroke-width": 2, "fill": "none"})
_DOT: Final = h("circle", {"class": "pg", "r": 2})
_TRIANGLE: Final = h("path", {"class": "pc", "d": "M0-5.5 5 4.5H-5z"})
_QUESTION: Final = h("text", {"class": "on ask", "y": 4, "text-anchor": "middle"}, "?")


@dataclass(frozen=True, slots=True)
class Columns:
    """`total` columns side by side over the whole width; one may be selected, and one may have latched."""

    total: int
    selected: int
    latch: int | None = None

    def left(self, turn: float) -> str:
        """The left edge of a turn's column."""
        return f"{100 * (turn - 1) / self.total:.3f}%"

    def middle(self, turn: int) -> str:
        """The middle of it."""
        return self.left(turn + 0.5)

    def axis(self, y: int) -> list[Html]:
        """The turns that are labelled, the selected one in any case."""
        return [
            self.text(turn, y, f"{turn:,}", "on" if turn == self.selected else "" if self._coarse(turn) else "shy")
            for turn in labelled(self.total, self.selected)
        ]

    def text(self, turn: int, y: int, says: str, kind: str) -> Html:
        """A text in the middle of a column: `on` is strong, `shy` has no room in a narrow drawing."""
        return h("text", {"class": kind or None, "x": self.middle(turn), "y": y, "text-anchor": "middle"}, says)

    def _coarse(self, turn: int) -> bool:
        """Whether a label stays where the columns are narrow: every fifth does, clear of the selected one's."""
        every = 5 * _step(self.total)
        return self.total < 10 or (turn % every == 0 and abs(turn - self.selected) * 4 > every)

    def outline(self, top: int, bottom: int, below: int) -> Child:
        """The outline of the selected column between these heights; one too narrow for its label begins below that."""
        if not 1 <= self.selected <= self.total:
            return None
        top = top if self.total <= 2 * LABELS else below
        return h("rect", {"class": "outline", **self._box(self.selected), "y": top, "height": bottom - top})

    def clicked(self, height: int) -> list[Html]:
        """What takes a click on a column; the slider and the rows do the same by keyboard."""
        if self.total > FINE:
            return []
        acts: dict[str, Value] = {"class": "pick", "y": 0, "height": height, "data-act": "turn"}
        return [
            h("rect", {**acts, **self._box(turn), "data-value": turn, "data-k": f"c{turn}"})
            for turn in range(1, self.total + 1)
        ]

    def latched(self, top: int, bottom: int, line: tuple[int, int]) -> list[Child]:
        """The field behind the latch, where nobody is asked, and the line where it began."""
        if self.latch is None:
            return []
        share = (self.total - self.latch) / self.total
        edge = self.left(self.latch + 1)
        parts: list[Child] = []
        if share:
            width = f"{100 * share:.3f}%"
            parts.append(h("rect", {"class": "off", "x": edge, "width": width, "y": top, "height": bottom - top}))
        if share > 0.4:
            at: dict[str, Value] = {
                # In a narrow drawing it would run out of its field.
                "class": "shy" if share < 0.6 else None,
                "x": f"{100 * (1 - share / 2):.3f}%",
                "y": (top + bottom) // 2 + 4,
                "text-anchor": "middle",
            }
            parts.append(h("text", at, "latched, not asked"))
        ends: dict[str, Value] = {"x1": edge, "x2": edge, "y1": line[0], "y2": line[1]}
        return [*parts, h("line", {"class": "sc", **ends, "stroke-width": 2})]

    def _box(self, turn: int) -> dict[str, str]:
        return {"x": self.left(turn), "width": f"{100 / self.total:.3f}%"}


def labelled(total: int, selected: int) -> list[int]:
    """The turns to label: all while there is room, else a round number apart; the selected one in any case."""
    step = _step(total)
    found = list(range(1, total + 1)) if step == 1 else [1, *range(step, total + 1, step)]
    if not 1 <= selected <= total or step == 1:
        return found
    apart = total / _most(total) / 2
    return sorted({selected, *(turn for turn in found if abs(turn - selected) > apart)})


def _step(total: int) -> int:
    """How many turns apart the labels stand: 1, 2, 5, 10, 20 ..."""
    steps = (step * int(10**power) for power in range(12) for step in (1, 2, 5))
    return next(step for step in steps if total <= step * _most(total))


def _most(total: int) -> int:
    return LABELS if total < 100 else _WIDE_LABELS


def verdict_mark(turn: EscalationTurn, x: str, y: int) -> Child:
    """What the judge said, as a mark at this place: triangle, dot, question mark; a cross where the tier failed."""
    if turn.fallback is not None:
        return mark(_CROSS, x, y)
    drawn = {
        EscalationVerdict.ESCALATE: _TRIANGLE,
        EscalationVerdict.DECLINE: _DOT,
        EscalationVerdict.UNAVAILABLE: _QUESTION,
    }
    return mark(drawn[turn.verdict], x, y) if turn.verdict is not None else None


def result_mark(failed: bool, x: str, y: int) -> Html:
    """A turn's tool results: a cross where one failed, else a dot."""
    return mark(_CROSS if failed else _DOT, x, y)


def mark(drawn: Html, x: str, y: int) -> Html:
    """A mark of fixed size at a place of the drawing, which stretches."""
    return h("svg", {"x": x, "y": y, "overflow": "visible"}, drawn)
