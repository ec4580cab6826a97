"""The escalation judge's configuration, and reading it from its JSON form (SPEC 6.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..conversation.model import Json
from ..vgr.text import is_blank, redact

#: The least value of each number.
LEAST: Mapping[str, int] = {"confirmations": 1, "recent_turn_window": 1, "window_message_chars": 50}
_NOTE = "handoff_note"
_KEYS = (*LEAST, _NOTE)
#: Characters of an offending key or value that an error shows.
_SHOWN = 40


class InvalidEscalation(ValueError):
    """A configuration that is refused: it says which key, what was given and what to give instead."""


@dataclass(frozen=True, slots=True)
class EscalationConfig:
    """When a session moves to the capable tier, and what the judge is shown of it (SPEC 6.2).

    `confirmations` and `recent_turn_window` are at least 1, `window_message_chars` is at least 50 characters, a note is
    not blank. Building one checks nothing; `check_config` does, and no run asks with one that it refuses.
    """

    #: Turns in a row that have to be judged `escalate` before the session latches.
    confirmations: int = 2
    #: Messages after the task framing that the judge is shown, the newest ones.
    recent_turn_window: int = 28
    #: Characters of each of them.
    window_message_chars: int = 500
    #: What the capable tier is told when it takes over; None: nothing.
    handoff_note: str | None = field(default=None, repr=False)


def check_config(config: EscalationConfig) -> None:
    """Raise InvalidEscalation for the first value that is out of its range."""
    for key, least in LEAST.items():
        value: object = getattr(config, key)
        # A boolean is an int to Python, and a float may be whole: neither is a count.
        if type(value) is not int:
            raise InvalidEscalation(f"{key} is {_shown(value)}; give a whole number of at least {least}")
        if value < least:
            raise InvalidEscalation(f"{key} is {_shown(value)}; give at least {least}")
    note: object = config.handoff_note
    if note is None:
        return
    if not isinstance(note, str):
        raise InvalidEscalation(f"{_NOTE} is {_shown(note)}; give a text, or leave it out")
    if is_blank(note):
        raise InvalidEscalation(f"{_NOTE} is blank; give a text, or leave it out")


def config_from_json(raw: Json) -> EscalationConfig:
    """The configuration of a JSON object; a missing key has its default. Raises InvalidEscalation for all else."""
    if not isinstance(raw, Mapping):
        raise InvalidEscalation(f"escalation is {_shown(raw)}; give a table with any of {', '.join(_KEYS)}")
    for key in raw:
        if key not in _KEYS:
            raise InvalidEscalation(f"escalation has no key {_shown(key)}; there are {', '.join(_KEYS)}")
    config = EscalationConfig(**raw)
    check_config(config)
    return config


def _shown(value: object) -> str:
    """The value as an error shows it: shortened and redacted."""
    if isinstance(value, (Mapping, list, tuple)):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, int) and abs(value) > 10**_SHOWN:
        return "a number too large to show"
    shown = repr(redact(value)) if isinstance(value, str) else repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
