"""What if: the escalation judge's settings against their baseline, and two switches beside them (SPEC 6.2; UI 5)."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...core.escalation.config import EscalationConfig
from ...core.escalation.streak import never_latches
from ...core.explain.wording import count_margin, counted
from ..algorithm import EscalationScreen
from ..screen import Screen
from ..text import Html, h
from . import frame

NEVER: Final = "A run without session id and confirmations > 1 can never latch."
_REDACTED: Final = "Redaction on, the operator\u2019s own option: the reference does not redact this transcript."
_AS_IT_STANDS: Final = "The reference does not redact this transcript; redacting it is the operator\u2019s own option."


class _Slider(NamedTuple):
    """A number of the configuration, and how far its slider goes unless the value lies beyond."""

    name: str
    words: str
    least: int
    most: int
    step: int


_SLIDERS: Final = (
    _Slider("confirmations", "confirmations", 1, 5, 1),
    _Slider("recent_turn_window", "recent turns", 1, 60, 1),
    _Slider("window_message_chars", "chars a message", 50, 2000, 10),
)


def escalation_settings(screen: Screen) -> Html:
    """The panel; what differs from the baseline is a what-if."""
    shown = screen.escalation
    title = "What if: judge settings"
    if shown is None:
        return frame.panel(screen, "judge-settings", title, frame.empty("No settings yet."))
    changed = changes(shown.config, shown.baseline)
    reset = frame.button("Reset", "escalation:reset", disabled="" if changed else "Nothing differs from the baseline.")
    source = f"baseline {shown.source}"
    return frame.panel(
        screen,
        "judge-settings",
        title,
        h(
            "div",
            {"class": "pb"},
            h("ol", {"class": "pol"}, [_slider(row, shown) for row in _SLIDERS]),
            _note(shown),
            _switches(shown),
            h("p", {"class": "problem fail", "role": "alert"}, shown.problem) if shown.problem else None,
        ),
        beside=frame.tag(f"{source}, {counted(changed, 'change')}", "warn") if changed else frame.tag(source),
        right=reset,
    )


def changes(config: EscalationConfig, baseline: EscalationConfig) -> int:
    """How many settings differ from the baseline."""
    return sum(getattr(config, name) != getattr(baseline, name) for name in EscalationConfig.__slots__)


def _slider(row: _Slider, shown: EscalationScreen) -> Html:
    value, base = getattr(shown.config, row.name), getattr(shown.baseline, row.name)
    most = max(row.most, value, base)
    # A step that does not reach the value would move the thumb off it.
    step = row.step if not any((number - row.least) % row.step for number in (value, base, most)) else 1
    at = (base - row.least) / (most - row.least)
    slider = frame.field(
        row.words,
        f"escalation:{row.name}",
        str(value),
        kind="range",
        classes="",
        min=str(row.least),
        max=str(most),
        step=str(step),
    )
    delta = h("span", {"class": "dl"}, count_margin(value - base) if value != base else frame.dim("same"))
    return h(
        "li",
        {"class": "chg" if value != base else None, "data-k": row.name},
        h("span", None, row.words),
        h("span", {"class": "rng", "style": f"--d:{at:.4f}"}, slider),
        h("span", {"class": "val"}, f"{value:,}"),
        delta,
    )


def _note(shown: EscalationScreen) -> Html:
    note, base = shown.config.handoff_note, shown.baseline.handoff_note
    size = counted(len(note), "char") if note is not None else "none set"
    changed = note != base
    return h(
        "p",
        {"class": "t1 row line note", "data-k": "note"},
        h("span", None, "Handoff note"),
        frame.field("Handoff note", "escalation:handoff_note", note or "", placeholder="none"),
        frame.tag(size, "warn") if changed else frame.dim(size),
    )


def _switches(shown: EscalationScreen) -> list[Html]:
    session = frame.check("session id", "escalation:session", shown.has_session)
    redact = frame.check("redact the transcript", "escalation:redact", shown.redact)
    return [
        h("p", {"class": "t1 row line both", "data-k": "switches"}, session, redact),
        h("p", {"class": "t1", "data-k": "session"}, _session(shown)),
        h("p", {"class": "t1 dim", "data-k": "redact"}, _REDACTED if shown.redact else _AS_IT_STANDS),
    ]


def _session(shown: EscalationScreen) -> Html:
    needed = shown.config.confirmations
    if never_latches(shown.config, shown.has_session):
        return h("span", None, h("span", {"class": "sev warning"}, "warning"), " ", NEVER)
    if not shown.has_session:
        says = "Without a session id an escalation holds for its own turn alone."
    elif needed > 1:
        says = "Session id set: streaks are kept between turns. "
        says += f"Without one, {needed:,} confirmations can never be reached."
    else:
        says = "Session id set: the latch is kept between turns."
    return h("span", {"class": "dim"}, says)
