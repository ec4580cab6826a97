"""The verdict card while there is no verdict: empty, idle, first run, cancelled, failed (UI 6)."""

from __future__ import annotations

from ...core.explain.wording import counted, listed
from ...core.vgr.evidence import OriginKind
from ..screen import Derived, RunState, Screen
from ..text import Child, Html, h
from . import asked, frame, run
from .durations import milliseconds


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
    if derived.attempt is None:
        says: Child = "No attempt and no evidence asked yet."
    else:
        says = f"Branch {derived.ladder.taken.value}. No evidence asked yet."
    start = frame.button("Run", "run", kind="small primary", disabled=run.cannot_run(screen))
    if screen.driver is None:
        return says, "No driver. Choose mock, cassette or live.", start
    origin = screen.driver.origin
    who = f"{origin.kind.value} driver"
    if origin.kind is OriginKind.LIVE:
        who, stays = f"live driver, {origin.label}", ""
    else:
        stays = " Nothing leaves this machine."
    what = ", ".join(rung.value for rung in screen.will_ask)
    detail = f"Run asks the {who}: {what}.{stays}" if what else f"Run asks nothing of the {who}.{stays}"
    return says, detail, start


def _progress(screen: Screen) -> Html:
    """The progress line steps by stage."""
    stage = len(screen.asked) + 1
    stages = max(len(screen.will_ask), stage)
    width = f"width:{100 * (stage - 0.5) / stages:.0f}%"
    says = f"stage {stage} of {stages}"
    return h("span", {"class": "prog", "role": "img", "aria-label": says}, h("i", {"style": width}))


def _kept(screen: Screen) -> str:
    kept = [f"{row.rung.value} {milliseconds(row.took)} ms" for row in screen.asked]
    if screen.asking is not None:
        kept.append(f"{screen.asking.value} ...")
    return ", ".join(kept)


def _cancel() -> Html:
    return h("div", {"class": "acts"}, frame.button("Cancel", "cancel"))


def _cancelled(screen: Screen) -> tuple[Child, Child, Child]:
    doing = run.cancelled(screen.remark)[0]
    headline = f"Cancelled while {doing}." if doing else "Cancelled."
    kept = listed([row.rung.value for row in screen.asked])
    verb = "is" if len(screen.asked) == 1 else "are"
    rest = "No verdict: the rest was not asked." if kept else "No verdict: nothing was asked."
    return headline, f"{kept} {verb} kept. {rest}" if kept else rest, _again(screen)


def _failed(screen: Screen) -> tuple[Child, Child, Child]:
    if screen.failure is None:
        return "The run failed.", "Nothing was served.", _again(screen)
    rows = [f"{row.rung.value} {milliseconds(row.took)} ms, {asked.missed(row) or 'answered'}" for row in screen.asked]
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
