"""How each fault comes about on a real connection, and how often a call is then made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import fault_server
from fault_rules import HARMS, Harm
from fault_runs import MARK
from fault_server import Scripted
from model_bodies import Sound, failed_body
from routing_workbench.workbench.drivers.http.targets import WireFormat
from routing_workbench.workbench.drivers.script import Fault

#: Calls of one question, where it is repeated, and the waits between them in seconds.
TRIES, WAITS = 3, (0.25, 0.5)
RETRY_AFTER = 7.0
#: Seconds that a rung may take where it is to time out, and by how much its loop's clock then jumps.
RUNG_TIMEOUT, JUMP = 5.0, 6.0


class Address(Enum):
    """Where the connections of the faulty rung go."""

    HERE = "127.0.0.1"
    #: Nobody listens.
    REFUSES = "127.0.0.2"
    #: Connecting never ends.
    HANGS = "127.0.0.3"
    #: A server whose certificate nobody vouches for.
    STRANGER = "127.0.0.4"
    #: A server without TLS where the client begins with it.
    PLAIN = "127.0.0.5"
    #: No address: the resolver is asked for a name that never has one.
    NONE = "none"


@dataclass(frozen=True)
class Blow:
    """A fault on a real connection: what it does, where the rung's connections go, and what the server then says."""

    harm: Harm
    reply: Callable[[Sound], Scripted] = lambda sound: Scripted(body=sound.body())
    address: Address = Address.HERE
    #: Over TLS.
    secure: bool = False
    #: Nothing more comes, and the clock jumps by so many seconds.
    jump: float = 0.0
    #: What of the environment is otherwise, for all rungs.
    environment: Mapping[str, str] = field(default_factory=dict)
    #: How often each call is made, and the waits between.
    tries: int = 1
    waits: tuple[float, ...] = ()

    def __str__(self) -> str:
        return self.harm.name

    @property
    def connects(self) -> bool:
        """Whether its connections come about."""
        return self.address is Address.HERE

    def repeated(self, *waits: float) -> Blow:
        """The same, of which the call is made again."""
        return replace(self, tries=TRIES, waits=waits or WAITS)


def overflow(sound: Sound) -> Scripted:
    """A context overflow in the words of the format's own provider."""
    said = {
        WireFormat.OPENAI_CHAT: f"This model's maximum context length is 8192 tokens. {MARK}",
        WireFormat.OPENAI_RESPONSES: f"Your input exceeds the context window of this model, {MARK}.",
        WireFormat.ANTHROPIC_MESSAGES: f"prompt is too long: 213462 tokens > 200000 maximum {MARK}",
        WireFormat.SYSTEM_ONE: f"The input is too long to fit into the model. {MARK}",
    }
    return Scripted(400, failed_body(sound.wire, said[sound.wire]))


def _blow(fault: Fault) -> Blow:
    blow = Blow(HARMS[fault], lambda sound: Scripted(body=sound.body(fault)))
    if fault.value.startswith("HTTP "):
        status = int(fault.value[5:8])
        headers = {"retry-after": f"{RETRY_AFTER:g}"} if fault is Fault.HTTP_429_RETRY_AFTER else {}
        blow = replace(blow, reply=lambda sound: Scripted(status, failed_body(sound.wire), headers))
        if headers:
            return blow.repeated(RETRY_AFTER, RETRY_AFTER)
        return blow.repeated() if status in (408, 429) or status >= 500 else blow
    held = fault_server.Fault.HOLD if fault is Fault.TIMEOUT_FIRST_BYTE else fault_server.Fault.HOLD_IN_BODY
    match fault:
        case Fault.REFUSED:
            return replace(blow, address=Address.REFUSES).repeated()
        case Fault.DNS:
            return replace(blow, address=Address.NONE).repeated()
        case Fault.TLS:
            return replace(blow, address=Address.STRANGER, secure=True).repeated()
        case Fault.TIMEOUT_CONNECT:
            return replace(blow, address=Address.HANGS, jump=JUMP)
        case Fault.TIMEOUT_FIRST_BYTE | Fault.TIMEOUT_MID_BODY:
            return replace(blow, jump=JUMP, reply=lambda sound: Scripted(body=sound.body(), fault=held))
        case Fault.TRUNCATED:
            return replace(blow, reply=lambda sound: Scripted(body=sound.body(), fault=fault_server.Fault.CUT))
        case Fault.NOT_JSON:
            return replace(blow, reply=lambda _: Scripted(body=f"<html><title>{MARK}</title>"))
        case Fault.WRONG_SHAPE:
            odd = {"object": MARK, "choices": MARK, "output": MARK, "content": 1, "answers": MARK}
            return replace(blow, reply=lambda _: Scripted(body=odd))
        case Fault.CONTEXT_OVERFLOW:
            return replace(blow, reply=overflow)
    return blow


#: The faults that the mock knows too, as a server has them.
BLOWS = {fault: _blow(fault) for fault in HARMS}
