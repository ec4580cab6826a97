"""What the user does on screen, as calls of the session; the vocabulary is the table in `widgets.panels`."""

from __future__ import annotations

from typing import Final

from ..core.vgr.capabilities import TaskType, ToolErrorSource
from ..core.vgr.decision import Mode
from ..core.vgr.evidence import Rung
from ..widgets.act import Act
from ..widgets.algorithm import Algorithm
from . import algorithm_acts
from .entered import NotUsable, UnknownAct, index, number, whole
from .session import Session

__all__ = ["NotUsable", "UnknownAct", "apply"]

NO_FAULT: Final = "none"
_SWITCHES: Final = (
    "pasted_attempt",
    "checker_configured",
    "checker_validated",
    "structured_answer",
    "kill_switch",
    "diagnose",
    "local_supports_images",
    "latch_escalation",
    "speculation_carry",
    "ask_cloud",
)


def apply(act: Act, session: Session) -> None:
    """Do what the user asked. Raises NotUsable for a value out of range, UnknownAct for an act without a meaning."""
    kind, _, rest = act.act.partition(":")
    match kind, rest:
        case "run", "":
            session.run()
        case "cancel", "":
            session.cancel()
        case "algorithm", "":
            session.choose_algorithm(Algorithm(act.value or act.k))
        case "example", "":
            if act.value:
                session.choose_example(act.value)
        case "scenario", "":
            session.choose_scenario(act.value)
        case "force-format", "":
            session.force_format(act.value or None)
        case "choose-conversation", "":
            session.choose_conversation(int(act.value))
        case "choose-listed", "":
            session.choose_listed(index(act.value))
        case "open-path", "":
            session.open_path(_path(act.value, "the file"))
        case "edit-message", "":
            turn, _, block = act.k.partition(":")
            session.edit_message(index(turn), index(block), act.value)
        case "remove-message", "":
            session.remove_message(index(act.k))
        case "undo", "":
            session.undo()
        case "redo", "":
            session.redo()
        case "close-notice", "":
            session.tell(None)
        case "clear-faults", "":
            driver = session.screen.driver
            for row in driver.rungs if driver else ():
                if row.fault != NO_FAULT:
                    session.set_rung(row.rung, fault=NO_FAULT)
        case "probability", "":
            p = number(act.value, f"p({act.k}) is", 0, 1, "Enter 0 to 1.")
            session.set_probabilities({act.k: p})
        case "controls", field:
            _control(field, act.value, session)
        case "rung", field:
            _rung(field, act.value, session)
        case "cutoffs", what:
            algorithm_acts.cutoffs(what, act, session)
        case "escalation", what:
            algorithm_acts.escalation(what, act, session)
        case "turn", what:
            algorithm_acts.turn(what, act, session)
        case _, "":
            _drive(kind, act.value, session)
        case _:
            raise UnknownAct(act.act)


def _drive(kind: str, value: str, session: Session) -> None:
    """Whom to ask, and what is recorded of it. Nothing of this sends anything."""
    match kind:
        case "driver":
            session.choose_driver(value)
        case "configuration":
            session.load_configuration(_path(value, "the configuration"))
        case "route":
            session.choose_route(value)
        case "record":
            session.record_to(_path(value, "the cassette"))
        case "stop-recording":
            session.stop_recording()
        case "pace":
            session.set_pace(value)
        case _:
            raise UnknownAct(kind)


def _path(value: str, of: str) -> str:
    if not value.strip():
        raise NotUsable(f"There is no path. Enter that of {of}, on the kernel's machine.")
    return value.strip()


def _control(field: str, value: str, session: Session) -> None:
    match field:
        case "task_type":
            forced = None if value in ("router", "off") else TaskType(value)
            session.set_controls(forced_type=forced, typing_enabled=value != "off")
        case "provenance":
            session.set_controls(provenance=None if value == "none" else ToolErrorSource(value))
        case "mode":
            session.set_controls(mode=Mode(value))
        case "approval":
            session.set_controls(approval=value)
        case "prior_local":
            prior = None if not value.strip() else number(value, "The prior is", 0, 1, "Enter 0 to 1, or nothing.")
            session.set_controls(prior_local=prior)
        case "deadline":
            session.set_controls(deadline=number(value, "The deadline is", 0, 3600, "Enter seconds, 0 to 3600."))
        case "breaker_threshold":
            threshold = whole(value, "The breaker threshold is", 1, 1000, "Enter a whole number, 1 to 1000.")
            session.set_controls(breaker_threshold=threshold)
        case "breaker_cooldown":
            cooldown = number(value, "The breaker cooldown is", 0, 86_400, "Enter seconds, 0 to 86,400.")
            session.set_controls(breaker_cooldown=cooldown)
        case _ if field in _SWITCHES:
            session.set_controls(**{field: value == "true"})
        case _:
            raise UnknownAct(f"controls:{field}")


def _rung(field: str, value: str, session: Session) -> None:
    name, _, what = field.rpartition(":")
    rung = Rung(name)
    match what:
        case "answer":
            session.set_rung(rung, answer=value)
        case "delay":
            delay = number(value, f"The delay of {name} is", 0, 3_600_000, "Enter milliseconds, 0 to 3,600,000.")
            session.set_rung(rung, delay_ms=round(delay))
        case "fault":
            session.set_rung(rung, fault=value)
        case _:
            raise UnknownAct(f"rung:{field}")
