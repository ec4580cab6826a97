"""The verdict card of the Escalation tab while there is no verdict: idle, first run, cancelled, failed (UI 6)."""

from __future__ import annotations

from collections import Counter

from ...core.escalation.outcome import EscalationTurn
from ...core.explain.wording import counted, listed
from ...core.vgr.evidence import OriginKind, Rung
from ..screen import RunState, Screen
from ..text import Child, Html, h
from . import frame, run
from . import waiting as bench
from .escalation_turn import FELL_BACK, shown_turns


def waiting(screen: Screen) -> Html:
    """The card without a verdict; as high as one with."""
    shown = screen.escalation
    if shown is None or screen.derived is None or frame.unread(screen):
        return bench.waiting(screen)
    headline, detail, more = _says(screen)
    kind = " failed" if screen.state is RunState.FAILED else ""
    ended = screen.state in (RunState.CANCELLED, RunState.FAILED)
    return h(
        "section",
        {
            "class": f"panel verdict plain waiting{kind}",
            "aria-labelledby": f"{screen.bench}-verdict",
            "data-k": "verdict",
        },
        h("h3", {"class": "sr", "id": f"{screen.bench}-verdict"}, "Verdict"),
        h(
            "div",
            {"class": "say"},
            h("p", {"class": "reason"}, headline),
            _progress(screen) if screen.state is RunState.RUNNING else None,
            h("p", {"class": "detail"}, detail),
            h("div", {"class": "acts"}, more),
        ),
        h("p", {"class": "sr", "role": "status", "data-k": "said"}, headline if ended else None),
    )


def _says(screen: Screen) -> tuple[Child, Child, Child]:
    """Headline, detail and buttons."""
    turns, total = shown_turns(screen), screen.escalation.total if screen.escalation is not None else 0
    kept = _kept(turns, total)
    match screen.state:
        case RunState.RUNNING:
            headline = f"Judging turn {min(len(turns) + 1, total):,} of {total:,}."
            return headline, kept or "No verdict yet.", frame.button("Cancel", "cancel")
        case RunState.CANCELLED:
            headline = f"Cancelled at turn {min(len(turns) + 1, total):,} of {total:,}."
            return headline, kept or "No turn was judged.", _again(screen)
        case RunState.FAILED:
            what, step = "The replay failed.", "Run it again."
            if screen.failure is not None:
                what, step = screen.failure.what, screen.failure.next_step
            return what, f"{step} {kept}".strip(), _again(screen)
    if not total:
        return "No assistant turn yet.", "Paste a session: every reply of the assistant is judged in order.", None
    return _idle(screen, total)


def _idle(screen: Screen, total: int) -> tuple[Child, Child, Child]:
    start = frame.button("Replay", "run", kind="small primary", disabled=run.cannot_run(screen))
    if screen.driver is None:
        return "Not replayed.", "No driver. Choose mock, cassette or live.", start
    asked = [counted(total, "verdict")]
    if Rung.EFFICIENT in screen.will_ask:
        asked.append("one reply of the efficient tier")
    origin = screen.driver.origin
    who = f"the live driver, {origin.label}" if origin.kind is OriginKind.LIVE else f"the {origin.kind.value} driver"
    stays = "" if origin.kind is OriginKind.LIVE else " Nothing leaves this machine."
    return "Not replayed.", f"Replay asks {listed(asked)} of {who}, fewer once a turn latches.{stays}", start


def _kept(turns: tuple[EscalationTurn, ...], total: int) -> str:
    """What the turns judged so far were: `5 of 17 turns judged: 4 decline, 1 unavailable`."""
    if not turns:
        return ""
    words = Counter(FELL_BACK if turn.fallback else turn.verdict.value if turn.verdict else "latched" for turn in turns)
    said = ", ".join(f"{size:,} {word}" for word, size in words.items())
    return f"{len(turns):,} of {counted(total, 'turn')} judged: {said}."


def _progress(screen: Screen) -> Html:
    """The progress line steps by turn."""
    total = max(screen.escalation.total if screen.escalation is not None else 1, 1)
    done = min(len(shown_turns(screen)) + 0.5, total)
    says = f"turn {min(len(shown_turns(screen)) + 1, total):,} of {total:,}"
    return h(
        "span",
        {"class": "prog", "role": "img", "aria-label": says},
        h("i", {"style": f"width:{100 * done / total:.0f}%"}),
    )


def _again(screen: Screen) -> Html:
    return frame.button("Replay again", "run", disabled=run.cannot_run(screen))
