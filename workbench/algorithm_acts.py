"""What the user does on the Cutoffs and Escalation tabs, as calls of the session."""

from __future__ import annotations

from typing import Final

from ..core.explain.cutoff_flips import apply_flip, smallest_flips
from ..core.vgr.evidence import OriginKind
from ..widgets.act import Act
from .entered import NotUsable, UnknownAct, index, number_or_text, whole_or_text
from .own_settings import add_rule, raise_rule, remove_rule, reset_cutoffs, set_cutoff, set_key, take_config
from .session import Session

_NUMBERS: Final = ("confirmations", "recent_turn_window", "window_message_chars")


def cutoffs(what: str, act: Act, session: Session) -> None:
    """An act of the Cutoffs tab. Raises NotUsable, or UnknownAct for one without a meaning."""
    value = act.value
    match what:
        case "cutoff":
            session.edit_cutoffs(set_cutoff(index(act.k), number_or_text(value)))
        case "fallback":
            session.edit_cutoffs(set_key("fallback", value))
        case "fail_open":
            session.edit_cutoffs(set_key("fail_open", value == "true"))
        case "window":
            session.edit_cutoffs(set_key("recent_turn_window", whole_or_text(value) if value.strip() else None))
        case "add-rule":
            session.edit_cutoffs(add_rule(value))
        case "remove-rule":
            session.edit_cutoffs(remove_rule(index(act.k)))
        case "raise-rule":
            session.edit_cutoffs(raise_rule(index(act.k)))
        case "config":
            session.edit_cutoffs(take_config(value))
        case "reset":
            session.edit_cutoffs(reset_cutoffs)
        case "try":
            _try(index(act.k or act.value), session)
        case _:
            raise UnknownAct(f"cutoffs:{what}")


def escalation(what: str, act: Act, session: Session) -> None:
    """An act of the Escalation tab. Raises UnknownAct for one without a meaning."""
    match what:
        case "session":
            session.set_escalation(has_session=act.value == "true")
        case "redact":
            session.set_escalation(redact=act.value == "true")
        case "handoff_note":
            session.set_escalation(handoff_note=act.value or None)
        case "reset":
            session.reset_escalation()
        case _ if what in _NUMBERS:
            session.set_escalation(**{what: whole_or_text(act.value)})
        case _:
            raise UnknownAct(f"escalation:{what}")


def turn(what: str, act: Act, session: Session) -> None:
    """An act that looks at a turn of the replay."""
    match what:
        case "":
            session.look_at_turn(index(act.value or act.k))
        case "previous":
            session.step_turn(-1)
        case "next":
            session.step_turn(1)
        case _:
            raise UnknownAct(f"turn:{what}")


def _try(at: int, session: Session) -> None:
    """Apply a smallest flip: a cutoff as a what-if, a probability to the mock."""
    shown, driver = session.screen.cutoffs, session.screen.driver
    given = None if shown is None or shown.outcome is None else shown.outcome.probabilities
    if shown is None or given is None:
        return
    flips = smallest_flips(shown.config, dict(given))
    if at >= len(flips):
        return  # the list was shorter by the time of the click
    flip = flips[at]
    if flip.rule is not None:
        session.edit_cutoffs(set_cutoff(flip.rule, flip.after))
    elif driver is not None and driver.origin.kind is OriginKind.MOCK:
        session.set_probabilities(apply_flip(shown.config, dict(given), flip)[1])
    else:
        raise NotUsable("Only the mock's probabilities can be changed. Choose the mock, then try this again.")
