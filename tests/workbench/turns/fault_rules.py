"""What a fault does to a call, and what that means for breakers, records and the router: rules of SPEC 5 to 7.

They hold whatever the driver: the mock's faults and a real server's are the same to a turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from routing_workbench.core.escalation.outcome import Fallback
from routing_workbench.core.vgr.evidence import Asked, Miss, Rung
from routing_workbench.core.vgr.signals import Verdict
from routing_workbench.workbench.drivers.script import Fault
from routing_workbench.workbench.turns.breaker import CallResult

#: Rungs whose reply is read from the probabilities of its first token, and those that write for the user.
SCORED = (Rung.READOUT, Rung.TURN_CHECK)
TIERS = (Rung.ATTEMPT, Rung.EFFICIENT, Rung.CAPABLE)


class Effect(StrEnum):
    """What a fault leaves of a call."""

    FAILED = "the call fails"
    UNREADABLE = "a reply comes that says nothing"
    DISAGREES = "the reply is read, and says something else"
    READ = "the reply is read as if nothing were wrong"


@dataclass(frozen=True)
class Harm:
    """What went wrong with a call: it failed with `said`, or a reply came that is faulty in the way of `fault`."""

    name: str
    #: The class or status that a record names; empty where a reply came.
    said: str = ""
    fault: Fault = Fault.NONE

    def __str__(self) -> str:
        return self.name

    @property
    def status(self) -> int | None:
        """The HTTP status, if it is one."""
        return int(self.said.removeprefix("HTTP ")) if self.said.startswith("HTTP ") else None

    def effect(self, rung: Rung) -> Effect:
        """The rule (SPEC 5): what is no reply fails; what is one counts only as far as its rung can read it."""
        if self.said:
            return Effect.FAILED
        if rung in TIERS or self.fault is Fault.NONE:
            return Effect.READ  # any text is a reply to the user; whether it is a good one is for the judges
        if self.fault is Fault.HEDGE and rung is Rung.WITNESS:
            return Effect.DISAGREES  # any last line is a witness's answer; this one agrees with no attempt
        if self.fault in (Fault.NO_LOGPROBS, Fault.NAN) and rung not in (*SCORED, Rung.ROUTE):
            return Effect.READ  # nobody asked for probabilities
        if self.fault is Fault.CUT and rung in SCORED:
            return Effect.READ  # its first token is there, and nothing else is read
        return Effect.UNREADABLE

    def loses(self, rung: Rung) -> bool:
        """Whether the rung gives nothing to go by, or not what it would have said."""
        return self.effect(rung) is not Effect.READ

    @property
    def is_eligible(self) -> bool:
        """Whether cloud steps in for an attempt that failed so (SPEC 7)."""
        if self.status is not None:
            return self.status in (403, 408, 429) or 500 <= self.status <= 599
        return self.said in ("context overflow", "transport", "timeout")

    @property
    def fallback(self) -> Fallback | None:
        """Why the capable tier steps in for an efficient one that failed so; None where it may not (SPEC 6.2)."""
        return {"context overflow": Fallback.CONTEXT_OVERFLOW, "transport": Fallback.TRANSPORT}.get(self.said)

    @property
    def reason_code(self) -> str:
        """The reason that a decision takes its fallback with (SPEC 6.1)."""
        if self.status is not None:
            return "upstream_5xx" if 500 <= self.status <= 599 else "upstream_non_5xx"
        return {
            "": "invalid_verdict",
            "timeout": "timeout",
            "transport": "transport",
            "invalid response": "invalid_response",
            "context overflow": "client_error",
            "no key in ROUTE_KEY": "client_error",
            "not configured": "call_error",
        }[self.said]


def _harm(fault: Fault) -> Harm:
    name = fault.value
    if name.startswith("HTTP "):
        return Harm(name, name.partition(",")[0])
    if name.startswith("timeout"):
        return Harm(name, "timeout")
    if fault in (Fault.REFUSED, Fault.DNS, Fault.TLS, Fault.TRUNCATED):
        return Harm(name, "transport")
    if fault in (Fault.NOT_JSON, Fault.WRONG_SHAPE):
        return Harm(name, "invalid response")
    return Harm(name, name) if fault is Fault.CONTEXT_OVERFLOW else Harm(name, fault=fault)


#: Every fault, by what it does.
HARMS = {fault: _harm(fault) for fault in Fault if fault is not Fault.NONE}


def breaker_result(row: Asked) -> CallResult:
    """What the breaker of its endpoint takes from a row: transport, timeout and HTTP 502 to 504 alone count against it.

    A reply that nobody can read came from an endpoint that works.
    """
    if row.miss in (None, Miss.UNPARSABLE):
        return CallResult.SUCCESS
    failures = ("transport", "timeout", "HTTP 502", "HTTP 503", "HTTP 504")
    return CallResult.ENDPOINT_FAILURE if row.error in failures else CallResult.NEITHER


def check_row(row: Asked, harm: Harm) -> None:
    """The row names the reason, and holds nothing that could be taken for evidence."""
    effect = harm.effect(row.rung)
    if effect is Effect.FAILED:
        assert row.miss is (Miss.TIMED_OUT if harm.said == "timeout" else Miss.CALL_FAILED)
        assert (row.error, row.value, row.answer, row.note) == (harm.said, None, "", "")
    elif effect is Effect.UNREADABLE:
        assert (row.miss, row.error) == (Miss.UNPARSABLE, "")
        assert row.value in (None, Verdict.UNKNOWN)
        assert row.note
    elif effect is Effect.DISAGREES:
        assert (row.miss, row.value) == (None, Verdict.NO)
    else:
        assert (row.miss, row.error) == (None, "")
