"""What the user does on screen, as calls of the session; the vocabulary is the table in `widgets.panels`."""

from __future__ import annotations

import math
from typing import Final

from ..core.vgr.capabilities import TaskType, ToolErrorSource
from ..core.vgr.decision import Mode
from ..core.vgr.evidence import Rung
from ..widgets.act import Act
from .session import Session

NO_FAULT: Final = "none"
_SWITCHES: Final = (
    "pasted_attempt",
    "checker_configured",
    "checker_validated",
    "structured_answer",
    "kill_switch",
    "diagnose",
)


class UnknownAct(ValueError):
    """An element reports what nobody handles: a mistake of ours."""


class NotUsable(ValueError):
    """A value was entered that the control cannot take. The message is a sentence for the screen."""


def apply(act: Act, session: Session) -> None:
    """Do what the user asked. Raises NotUsable for a value out of range, UnknownAct for an act without a meaning."""
    kind, _, rest = act.act.partition(":")
    match kind, rest:
        case "run", "":
            session.run()
        case "cancel", "":
            session.cancel()
        case "example", "":
            if act.value:
                session.choose_example(act.value)
        case "scenario", "":
            session.choose_scenario(act.value)
        case "force-format", "":
            session.force_format(act.value or None)
        case "choose-conversation", "":
            session.choose_conversation(int(act.value))
        case "clear-faults", "":
            driver = session.screen.driver
            for row in driver.rungs if driver else ():
                if row.fault != NO_FAULT:
                    session.set_rung(row.rung, fault=NO_FAULT)
        case "controls", field:
            _control(field, act.value, session)
        case "rung", field:
            _rung(field, act.value, session)
        case _:
            raise UnknownAct(act.act)


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


def number(text: str, subject: str, least: float, most: float, next_step: str) -> float:
    """A number in [least, most] from a text field, with a comma as decimal point allowed. Raises NotUsable."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise NotUsable(f"{subject} not usable. {next_step}")
    return value
