"""Reading the escalation judge's reply: one JSON object, and nothing else (SPEC 5, 6.2).

What the contract does not read is `unavailable`, which leaves the streak as it is. A more tolerant reading is told
beside it, to explain what a judge probably meant, and decides nothing.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from enum import StrEnum

from ..conversation.model import Json, Output, Response, StopReason, Text
from ..vgr.strict_json import strict_json
from ..vgr.text import trim

_FENCE = "```"
_ESCALATE, _REASON = "escalate", "reason"
# What a tolerant reader goes by, in JSON or a Python literal, whole or cut.
_STATED = re.compile(r"""(?P<quote>["'])escalate(?P=quote)\s*:\s*["']?(?P<value>true|false)\b""", re.IGNORECASE)


class EscalationVerdict(StrEnum):
    """What the judge said of a turn."""

    ESCALATE = "escalate"
    DECLINE = "decline"
    #: Asked, and no usable answer.
    UNAVAILABLE = "unavailable"


class Absent(StrEnum):
    """Why a reply carries no verdict."""

    NO_TEXT = "the reply holds no text"
    CUT = "the reply was cut off at its token limit"
    STOPPED = "the reply did not end by itself"
    NOT_JSON = "the reply is not one JSON object, bare or in a json fence"
    NO_ESCALATE = "the reply does not say escalate"
    NOT_BOOLEAN = "escalate is neither true nor false"
    REPEATED = "the reply gives a key twice"
    NO_REASON = "the reply gives no reason"
    REASON_NOT_TEXT = "the reply's reason is no text"
    FURTHER_KEY = "the reply has a key that was not asked for"


@dataclass(frozen=True, slots=True)
class VerdictReading:
    """A judge's reply, read."""

    verdict: EscalationVerdict
    #: The judge's own words, untrusted; empty where it gave none or no verdict was read.
    reason: str = field(default="", repr=False)
    #: Why there is no verdict; None where there is one.
    absent: Absent | None = None
    #: What a tolerant reader would take for `escalate` where the contract reads no verdict; None where it would not
    #: either, and where there is a verdict. It never counts.
    tolerant: bool | None = None


def read_verdict(response: Response, *, require_reason: bool = False) -> VerdictReading:
    """The verdict of the reply's first output (SPEC 5): its text blocks, never its reasoning or refusals.

    `require_reason` is for judges asked in `json_object` mode, where nobody else checks the reply against the schema:
    it then has to give a reason and no further key. A reply that did not end by itself carries no verdict even where
    what is there parses, as with every other verifier (SPEC 5): nobody knows what was to follow, and without a verdict
    the streak neither grows nor is forgiven.
    """
    output = response.outputs[0] if response.outputs else None
    if output is None:
        return VerdictReading(EscalationVerdict.UNAVAILABLE, absent=Absent.NO_TEXT)
    text = "\n".join([block.text for block in output.content if isinstance(block, Text)])
    absent = _stopped(output)
    if absent is None:
        absent = Absent.NO_TEXT if not trim(text) else None
    if absent is None:
        body = _body(text)
        value = _parsed(body)
        absent = _fault(body, value, require_reason)
        if absent is None:
            verdict = EscalationVerdict.ESCALATE if value[_ESCALATE] else EscalationVerdict.DECLINE
            return VerdictReading(verdict, value.get(_REASON) or "")
    return VerdictReading(EscalationVerdict.UNAVAILABLE, absent=absent, tolerant=_tolerant(text))


def _stopped(output: Output) -> Absent | None:
    if output.stop_reason in (None, StopReason.END_TURN):
        return None
    return Absent.CUT if output.stop_reason is StopReason.MAX_TOKENS else Absent.STOPPED


def _body(text: str) -> str:
    """The text without the fence around the whole of it; only a fence without tag or tagged `json` is one."""
    text = trim(text)
    if not (text.startswith(_FENCE) and text.endswith(_FENCE)):
        return text
    return trim(text[len(_FENCE) : -len(_FENCE)].removeprefix("json"))


def _parsed(body: str) -> Json:
    """The JSON value; None where the text is no JSON."""
    try:
        return strict_json(body)
    except ValueError:
        return None


def _fault(body: str, value: Json, whole: bool) -> Absent | None:
    """Why the value of this text is no verdict; None if it is one. `whole`: checked against all of the schema."""
    if not isinstance(value, dict):
        return Absent.NOT_JSON
    if _ESCALATE not in value:
        return Absent.NO_ESCALATE
    if not isinstance(value[_ESCALATE], bool):
        return Absent.NOT_BOOLEAN
    # Of a repeated key the value holds the last occurrence only.
    keys = [key for key, _ in json.loads(body, object_pairs_hook=list)]
    if keys.count(_ESCALATE) > 1 or keys.count(_REASON) > 1:
        return Absent.REPEATED
    reason = value.get(_REASON)
    if not isinstance(reason, str | None):
        return Absent.REASON_NOT_TEXT
    if whole and reason is None:
        return Absent.NO_REASON
    if whole and len(value) > 2:
        return Absent.FURTHER_KEY
    return None


def _tolerant(text: str) -> bool | None:
    """What the text states of `escalate` outside of thinking tags; None where it states nothing, or both."""
    answer = text.rpartition("</think>")[2].partition("<think>")[0]
    stated = {found["value"].lower() == "true" for found in _STATED.finditer(answer)}
    return stated.pop() if len(stated) == 1 else None
