"""The Streak panel: the streak over the turns, and each turn's verdict, evidence and tier in a row (SPEC 6.2; UI 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.escalation.outcome import EscalationTurn
from ...core.escalation.streak import TurnVerdict
from ...core.escalation.verdict import EscalationVerdict
from ...core.explain.clause import Holds
from ...core.explain.wording import counted
from ...core.vgr.evidence import Rung
from .. import marks
from ..screen import RunState, Screen
from ..text import Child, Html, h
from . import frame
from .escalation_chart import streak_chart
from .escalation_turn import evidence, fell_back, judged_by, row_of, said_reason, shown_turns
from .view import START, View

#: The shortest runs that fold: latched turns say all the same, declines at streak 0 only differ in their reasons.
_LATCHED_RUN: Final = 2
_DECLINED_RUN: Final = 4
#: Most rows listed, around the selected turn; most characters of a reason in its row, which shows one line.
ROWS: Final = 400
_REASON: Final = 300
PASTED: Final = (
    "Each turn is judged with the reply as pasted; after a latch the session goes on as pasted, for what a stronger "
    "model would have said is not known."
)
_KEY: Final = "triangle escalate, dot decline, ?\u00a0unavailable, cross the efficient tier failed"
_HEADS: Final = (
    ("turn", None),
    ("evidence", None),
    ("judge\u2019s reply", None),
    ("streak before", "num"),
    ("after", "num"),
    ("served", None),
)


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring turns that one row stands for."""

    turns: Sequence[EscalationTurn]

    @property
    def first(self) -> EscalationTurn:
        return self.turns[0]

    def holds(self, number: int) -> bool:
        return self.first.turn <= number <= self.turns[-1].turn


def streak_panel(screen: Screen, view: View = START) -> Html:
    """The panel: chart and folded table, or the table of every turn."""
    turns = shown_turns(screen)
    running = screen.state is RunState.RUNNING
    if screen.escalation is None or not (turns or running):
        return frame.panel(screen, "streak", "Streak", frame.empty(_nothing(screen)))
    options = (("chart", "Chart"), ("table", "Table"))
    return frame.panel(
        screen,
        "streak",
        "Streak",
        h(
            "div",
            {"class": "pb"},
            None if view.escalation_table else [streak_chart(screen.escalation), h("p", {"class": "t0 dim"}, _KEY)],
            _table(screen, turns, folded=not view.escalation_table),
            h("p", {"class": "t1 dim line"}, PASTED, _live(turns)),
        ),
        beside=frame.dim("escalate adds 1, decline clears, unavailable leaves it"),
        right=frame.switch("Show as", "escalation:view", options, "table" if view.escalation_table else "chart"),
        stale=True,
    )


def _nothing(screen: Screen) -> str:
    total = screen.escalation.total if screen.escalation is not None else 0
    if not total:
        return "No assistant turn yet."
    return f"Not replayed. Replay asks {counted(total, 'verdict')}."


def _live(turns: Sequence[EscalationTurn]) -> str:
    """Of the turn that the conversation waits for, whose reply was not pasted."""
    asked = next((turn.turn for turn in turns if row_of(turn, Rung.EFFICIENT) is not None), None)
    return "" if asked is None else f" Turn {asked:,} is live: its reply was asked of the efficient tier."


def _table(screen: Screen, turns: Sequence[EscalationTurn], *, folded: bool) -> Html:
    selected = screen.escalation.selected if screen.escalation is not None else 0
    runs = list(_runs(turns, selected) if folded else (_Run((turn,)) for turn in turns))
    shown = _around(runs, selected)
    return h(
        "div",
        {"class": "listed", "data-k": "table"},
        h(
            "table",
            {"class": "tab turns"},
            h("caption", {"class": "sr"}, "Turns in order: evidence, judge\u2019s reply, streak, and who served"),
            h("thead", None, h("tr", None, [h("th", {"scope": "col", "class": kind}, name) for name, kind in _HEADS])),
            h("tbody", None, [_row(run, selected) for run in shown], _next(screen, turns)),
        ),
        _left_out(len(runs) - len(shown)),
    )


def _runs(turns: Sequence[EscalationTurn], selected: int) -> Iterator[_Run]:
    """The turns in order, with runs that say the same folded; a turn that is looked at keeps its reason."""
    start = 0
    while start < len(turns):
        kind = _alike(turns[start], selected)
        end = start + 1
        while kind and end < len(turns) and _alike(turns[end], selected) == kind:
            end += 1
        run = turns[start:end]
        least = _LATCHED_RUN if kind == "latched" else _DECLINED_RUN
        yield from (_Run(run),) if len(run) >= least else (_Run((turn,)) for turn in run)
        start = end


def _alike(turn: EscalationTurn, selected: int) -> str:
    if turn.evidence is TurnVerdict.LATCHED:
        return "latched"
    plain = turn.verdict is EscalationVerdict.DECLINE and turn.turn != selected
    return "declined" if plain and not (turn.streak_before or turn.streak_after) else ""


def _around(runs: Sequence[_Run], selected: int) -> Sequence[_Run]:
    at = next((index for index, run in enumerate(runs) if run.holds(selected)), 0)
    start = max(0, min(at - ROWS // 2, len(runs) - ROWS))
    return runs[start : start + ROWS]


def _left_out(rows: int) -> Child:
    if not rows:
        return None
    says = f"{counted(rows, 'more row')} not listed here. Select a turn to see those around it."
    return h("p", {"class": "t1 dim"}, says)


def _row(run: _Run, selected: int) -> Html:
    turn, here = run.first, run.holds(selected)
    kind = "here" if here else None
    many = len(run.turns) > 1
    name = f"{turn.turn:,} to {run.turns[-1].turn:,}" if many else f"{turn.turn:,}"
    button = h(
        "button",
        {
            "type": "button",
            "class": "quiet",
            "data-act": "turn",
            "value": turn.turn,
            "aria-current": "true" if here else None,
            "aria-label": f"Turn {name}",
        },
        name,
    )
    return h(
        "tr",
        {"class": kind, "data-k": f"t{turn.turn}", "data-act": "turn", "data-value": turn.turn},
        h("th", {"scope": "row"}, button),
        h("td", None, evidence(turn)),
        h("td", {"class": "reply"}, judged_by(turn), _reason(run)),
        h("td", {"class": "num"}, f"{turn.streak_before:,}"),
        h("td", {"class": "num b"}, f"{turn.streak_after:,}"),
        h("td", None, marks.tier(turn.served)),
    )


def _reason(run: _Run) -> Child:
    """The reason in one line: the judge's own, or ours for why there is none."""
    turn = run.first
    if turn.evidence is TurnVerdict.LATCHED:
        return None
    if turn.fallback is not None:
        return fell_back(turn.fallback)
    says = said_reason(turn) if len(run.turns) == 1 else counted(len(run.turns), "turn")
    return h("span", {"class": "dim", "title": says[:_REASON]}, frame.short(says, _REASON))


def _next(screen: Screen, turns: Sequence[EscalationTurn]) -> Child:
    """While a replay runs, the turn that is being asked about."""
    if screen.state is not RunState.RUNNING or screen.escalation is None or frame.shows_stale(screen):
        return None
    if len(turns) >= screen.escalation.total:
        return None
    cells = [
        h("td", {"class": "dim"}, "asking"),
        h("td", {"class": "reply"}, marks.holds(Holds.NOT_ASKED, "no reply yet")),
    ]
    name = h("th", {"scope": "row"}, f"{len(turns) + 1:,}")
    return h("tr", {"data-k": "asking"}, name, cells, h("td"), h("td"), h("td"))
