"""The mock driver: scripted, seeded answers in place of models, with delays and faults; it sends nothing anywhere.

    MockDriver()                                        the affirming script, seed 7
    MockDriver(scenario("hedging judge").script)        a named scenario
    MockDriver(replies=["yes", 0.4, CallTimeout("...")])    one reply a call, in order
    MockDriver(replies=lambda call: ...)                a function of the call; may be async, slow, wrong or raise

`driver.script` may be replaced at any time, from any thread: each call reads it once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from inspect import isawaitable
from typing import TypeAlias

from ...core.conversation.model import Output, Response, Role, StopReason, Text
from ...core.vgr.evidence import Origin, OriginKind, Rung
from .protocol import (
    Answer,
    Call,
    CallTimeout,
    Category,
    ContextOverflow,
    DriverError,
    HttpStatusError,
    InvalidResponse,
    Question,
    Reply,
    TransportError,
)
from .readout_body import readout_body
from .script import AnswerKind, Fault, RungScript, Script, answer_kind

#: What a reply may be given as: text, a score for a readout, a whole response or reply, or an error to raise.
Scripted: TypeAlias = str | float | Response | Reply | BaseException
Replies: TypeAlias = Iterable[Scripted] | Callable[[Call], Scripted | Awaitable[Scripted]]
Sleep: TypeAlias = Callable[[float], Awaitable[None]]


class MockDriver:
    """A driver that answers from a script, an iterable or a function. The seed and the script say all."""

    def __init__(
        self,
        script: Script | None = None,
        *,
        replies: Replies | None = None,
        seed: int = 7,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.script = Script() if script is None else script
        self.seed = seed
        self._sleep = sleep
        self._function: Callable[[Call], Scripted | Awaitable[Scripted]] | None = None
        self._sequence: Iterator[Scripted] | None = None
        if callable(replies):
            self._function = replies
        elif replies is not None:
            self._sequence = iter(replies)

    def __repr__(self) -> str:
        return f"MockDriver(seed={self.seed})"

    @property
    def origin(self) -> Origin:
        """`MOCK, seed 7`: a mock is never mistaken for a measurement."""
        return Origin(OriginKind.MOCK, f"seed {self.seed}")

    def origin_for(self, category: Category) -> Origin:
        """The same for every category."""
        del category
        return self.origin

    async def aclose(self) -> None:
        """A mock holds nothing."""

    def models_for(self, category: Category) -> tuple[str, ...]:
        """One mock model a category; none for the cloud judge where the script configures none."""
        if category is Category.CLOUD_JUDGE and not self.script.cloud_judge:
            return ()
        return (f"mock-{category}",)

    async def complete(self, call: Call) -> Reply:
        """The scripted reply, after its delay. Raises the scripted fault, or CallTimeout once the time left is over."""
        if self._function is not None:
            said = self._function(call)
            return self._reply(call, await said if isawaitable(said) else said)
        if self._sequence is not None:
            return self._reply(call, next(self._sequence, InvalidResponse("the mock has no reply left", call.rung)))
        script = self.script.of(call.rung)
        await self._wait(call, script)
        if script.fault is not Fault.NONE:
            raise _fault(script.fault, call.rung)
        return self._reply(call, _said(script, call.rung))

    async def decide(self, question: Question) -> Answer:
        """The script's probabilities of these labels; labels it does not name share what is left evenly."""
        named = {label: p for label, p in self.script.probabilities.items() if label in question.labels}
        others = [label for label in question.labels if label not in named]
        share = max(0.0, 1.0 - sum(named.values())) / max(1, len(others))
        return Answer({label: named.get(label, share) for label in question.labels})

    async def _wait(self, call: Call, script: RungScript) -> None:
        delay = script.delay_ms / 1000
        await self._sleep(min(delay, max(0.0, call.timeout)))
        if delay > call.timeout:
            raise CallTimeout("timeout", call.rung)

    def _reply(self, call: Call, said: object) -> Reply:
        if isinstance(said, BaseException):
            raise said
        if isinstance(said, Reply):
            return said
        if isinstance(said, Response):
            return Reply(said)
        if isinstance(said, str):
            return _text(said)
        if isinstance(said, (int, float)) and not isinstance(said, bool) and 0.0 <= said <= 1.0:
            body = readout_body(float(said), f"{self.seed}:{call.rung}")
            return Reply(_text(body["choices"][0]["message"]["content"]).response, body)
        raise InvalidResponse("invalid response", call.rung)


def _said(script: RungScript, rung: Rung) -> str | float:
    """The answer as typed: a number where the rung reads one and it is a probability, else text as it stands."""
    if answer_kind(rung) is not AnswerKind.NUMBER:
        return script.answer
    try:
        score = float(script.answer)
    except ValueError:
        return script.answer
    return score if 0.0 <= score <= 1.0 else script.answer


def _text(text: str) -> Reply:
    return Reply(Response((Output(Role.ASSISTANT, (Text(text),), StopReason.END_TURN),)))


def _fault(fault: Fault, rung: Rung) -> DriverError:
    match fault:
        case Fault.TIMEOUT:
            return CallTimeout("timeout", rung)
        case Fault.TRANSPORT:
            return TransportError("connection refused", rung)
        case Fault.HTTP_401 | Fault.HTTP_429 | Fault.HTTP_503:
            return HttpStatusError(int(fault.value.removeprefix("HTTP ")), rung)
        case Fault.CONTEXT_OVERFLOW:
            return ContextOverflow("context overflow", rung)
        case _:
            return InvalidResponse("invalid response", rung)
