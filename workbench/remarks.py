"""What changed between two inputs, in a few words for the screen."""

from __future__ import annotations

import json
from dataclasses import fields

from ..core.conversation.model import Request
from ..core.cutoffs.config import CutoffsConfig
from ..core.escalation.config import EscalationConfig
from ..widgets.algorithm import EscalationScreen
from ..widgets.screen import Controls

_WORDS = {
    "forced_type": "task type",
    "typing_enabled": "task typing",
    "pasted_attempt": "attempt",
    "prior_local": "prior",
    "diagnose": "diagnosis",
}


def changed_messages(before: Request, after: Request) -> str:
    """`message 33 edited`, `2 messages added` and the like; empty where nothing differs."""
    if before == after:
        return ""
    if before.instructions != after.instructions:
        return "instructions edited" if before.messages == after.messages else "conversation changed"
    old, new = before.messages, after.messages
    common = min(len(old), len(new))
    edited = [number for number in range(common) if old[number] is not new[number] and old[number] != new[number]]
    if not edited:
        count = abs(len(new) - len(old))
        return f"{count} {'message' if count == 1 else 'messages'} {'added' if len(new) > len(old) else 'removed'}"
    if len(edited) == 1 and len(old) == len(new):
        return f"message {edited[0] + 1} edited"
    return "conversation changed"


def changed_controls(before: Controls, after: Controls) -> str:
    """The names of the settings that differ: `mode changed`."""
    names = [
        _WORDS.get(field.name, field.name.replace("_", " "))
        for field in fields(Controls)
        if getattr(before, field.name) != getattr(after, field.name)
    ]
    return f"{' and '.join(names)} changed"


def changed_cutoffs(before: CutoffsConfig, after: CutoffsConfig) -> str:
    """`cutoff of mid changed`, `fallback changed`, and the like; empty where nothing differs."""
    old, new = before.rules, after.rules
    if [rule.candidate for rule in old] == [rule.candidate for rule in new]:
        pairs = zip(old, new, strict=True)
        names = [f"cutoff of {rule.candidate}" for rule, other in pairs if rule.cutoff != other.cutoff]
    else:
        names = ["rules"]
    others = ("candidates", "fallback", "instructions", "fail_open", "recent_turn_window")
    names += [name.replace("_", " ") for name in others if getattr(before, name) != getattr(after, name)]
    # As text: to Python 1 equals true, to a judge it does not.
    names += ["evidence"] if json.dumps(before.evidence) != json.dumps(after.evidence) else []
    return _changed(names)


def changed_escalation(before: EscalationScreen, after: EscalationScreen) -> str:
    """`confirmations changed`, `session id and redaction changed`, and the like; empty where nothing differs."""
    names = [
        field.name.replace("_", " ")
        for field in fields(EscalationConfig)
        if getattr(before.config, field.name) != getattr(after.config, field.name)
    ]
    names += ["session id"] if before.has_session is not after.has_session else []
    names += ["redaction"] if before.redact is not after.redact else []
    return _changed(names)


def _changed(names: list[str]) -> str:
    if not names:
        return ""
    return f"{' and '.join(names)} changed" if len(names) <= 2 else "configuration changed"
