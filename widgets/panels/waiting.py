"""The verdict card while there is no verdict: empty, idle, first run, cancelled, failed (UI 6)."""

from __future__ import annotations

from typing import Final

from ...core.explain.wording import counted, listed
from ...core.vgr.evidence import OriginKind
from ..algorithm import Algorithm
from ..screen import Derived, DriverPanel, RunState, Screen
from ..text import Child, Html, h
from . import asked, frame, run
from .durations import milliseconds

#: Answers that a card lists one by one; of more it gives the count and the last.
_LISTED: Final = 8


def waiting(screen: Screen) -> Html:
    """The card without a verdict; as high as one with."""
    headline, detail, more = _says(screen)
    kind = " failed" if screen.state is RunState.FAILED else ""
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
            more if screen.state is RunState.RUNNING else None,
            h("p", {"class": "detail"}, detail),
            h("div", {"class": "acts"}, more) if screen.state is not RunState.RUNNING else _cancel(),
        ),
        h("p", {"class": "sr", "role": "status", "data-k": "said"}, _said(screen, headline)),
    )


def calls(screen: Screen, found: DriverPanel) -> str:
    """What Run will send, in a sentence: the questions in order, and whether anything leaves this machine."""
    what = ", ".join(run.repeated(screen.will_ask))
    if found.origin.kind is OriginKind.LIVE:
        who = f"the live driver, {found.origin.label}"
        return f"Run asks {who}: {what}." if what else f"Run asks nothing of {who}."
    who = f"the {found.origin.kind.value} driver"
    says = f"Run asks {who}: {what}." if what else f"Run asks nothing of {who}."
    return f"{says} Nothing leaves this machine."


def _said(screen: Screen, headline: Child) -> Child:
    """Said once, when a run ended; never while the clock runs."""
    return headline if screen.state in (RunState.CANCELLED, RunState.FAILED) else None


def _says(screen: Screen) -> tuple[Child, Child, Child]:
    """Headline, detail, and the progress line or the buttons."""
    match screen.state:
        case RunState.RUNNING:
            return run.asking(screen), _kept(screen), _progress(screen)
        case RunState.CANCELLED:
            return _cancelled(screen)
        case RunState.FAILED:
            return _failed(screen)
    if screen.reading is not None and not screen.reading.conversations:
        return (
            "Nothing to route: the paste could not be read.",
            "The Conversation panel says where, and what to do.",
            None,
        )
    if screen.derived is not None and not frame.unread(screen):
        return _idle(screen, screen.derived)
    if screen.reading is None:
        paste = [frame.button("Paste", "paste"), " "]
        examples = [("", "Examples"), *screen.examples]
        choose = frame.select("Examples", "example", examples, "") if screen.examples else None
        says = "A chat request, a transcript or a log. Or open an example."
        return "Paste a conversation to see its route.", says, [paste, choose]
    total = counted(len(screen.reading.conversations), "conversation")
    return "Choose a conversation to see its route.", f"The paste holds {total}; one is routed at a time.", None


def _idle(screen: Screen, derived: Derived) -> tuple[Child, Child, Child]:
    start = frame.button("Run", "run", kind="small primary", disabled=run.cannot_run(screen))
    if screen.driver is None:
        return _known(screen, derived), "No driver. Choose mock, cassette or live.", start
    return _known(screen, derived), calls(screen, screen.driver), start


def _known(screen: Screen, derived: Derived) -> str:
    """What is known before anything is asked."""
    if screen.algorithm is Algorithm.CUTOFFS and screen.cutoffs is not None:
        config = screen.cutoffs.config
        if not config.rules:
            return "No rules. Add one, or paste a configuration."
        return f"{counted(len(config.rules), 'rule')}, else {frame.short(config.fallback, 24)}. No question sent yet."
    if screen.algorithm is Algorithm.ESCALATION and screen.escalation is not None:
        total = screen.escalation.total
        return f"{counted(total, 'assistant turn')}. None judged yet." if total else "No assistant turn yet."
    if derived.attempt is None:
        return "No attempt and no evidence asked yet."
    return f"Branch {derived.ladder.taken.value}. No evidence asked yet."


def _progress(screen: Screen) -> Html:
    """The progress line steps by stage."""
    stage = len(screen.asked) + 1
    stages = max(len(screen.will_ask), stage)
    width = f"width:{100 * (stage - 0.5) / stages:.0f}%"
    says = f"stage {stage} of {stages}"
    return h("span", {"class": "prog", "role": "img", "aria-label": says}, h("i", {"style": width}))


def _kept(screen: Screen) -> str:
    rows = screen.asked
    kept = [f"{run.named(row.rung)} {milliseconds(row.took)} ms" for row in rows]
    if len(kept) > _LISTED:
        kept = [counted(len(kept), "answer"), f"the last {kept[-1]}"]
    if screen.asking is not None:
        kept.append(f"{run.named(screen.asking)} ...")
    return ", ".join(kept)


def _cancel() -> Html:
    return h("div", {"class": "acts"}, frame.button("Cancel", "cancel"))


def _cancelled(screen: Screen) -> tuple[Child, Child, Child]:
    doing = run.cancelled(screen.remark)[0]
    headline = f"Cancelled while {doing}." if doing else "Cancelled."
    kept = listed(run.repeated(row.rung for row in screen.asked))
    verb = "is" if len(screen.asked) == 1 else "are"
    rest = "No verdict: the rest was not asked." if kept else "No verdict: no answer had come."
    return headline, f"{kept} {verb} kept. {rest}" if kept else rest, _again(screen)


def _failed(screen: Screen) -> tuple[Child, Child, Child]:
    if screen.failure is None:
        return "The run failed.", "Nothing was served.", _again(screen)
    rows = [
        f"{run.named(row.rung)} {milliseconds(row.took)} ms, {asked.missed(row) or 'answered'}" for row in screen.asked
    ]
    if len(rows) > _LISTED:
        rows = [counted(len(rows) - _LISTED, "call"), *rows[-_LISTED:]]
    stage = f"Failed at stage {screen.failure.stage}."
    details = h(
        "details",
        {"data-k": "details"},
        h("summary", None, "Details"),
        h("p", {"class": "t1"}, f"{stage} Asked before: {'; '.join(rows) or 'nothing'}."),
    )
    return screen.failure.what, screen.failure.next_step, [_again(screen), details]


def _again(screen: Screen) -> Html:
    return frame.button("Run again", "run", disabled=run.cannot_run(screen))
