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
from dataclasses import replace
from inspect import isawaitable
from typing import TypeAlias

from ...core.conversation.model import Response
from ...core.vgr.evidence import Origin, OriginKind, Rung
from .mock_faults import error_of, faulty_answer, faulty_reply, text_reply
from .mock_verdicts import escalation_reply
from .protocol import Answer, AnswerType, Call, CallTimeout, Category, InvalidResponse, Question, Reply
from .readout_body import readout_body
from .script import AnswerKind, RouteAnswer, RungScript, Script, answer_kind

#: What a reply may be given as: text, a score for a readout, a whole response or reply, or an error to raise.
Scripted: TypeAlias = str | float | Response | Reply | BaseException
Replies: TypeAlias = Iterable[Scripted] | Callable[[Call], Scripted | Awaitable[Scripted]]
Sleep: TypeAlias = Callable[[float], Awaitable[None]]


class MockDriver:
    """A driver that answers from a script, and sends nothing. The seed and the script say all.

    `replies` are given in its place: one reply a call, in order, or a function of the call, which may be async. A reply
    is a text, a score in [0, 1] for a readout, a whole Response or Reply, or an error to raise.
    """

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
        await self._wait(call.rung, call.timeout, script)
        return faulty_reply(script.fault, self._reply(call, _said(script, call)))

    async def decide(self, question: Question) -> Answer:
        """The scripted answer, after its delay. Raises as `complete` does."""
        script = self.script
        said = script.of(question.rung)
        await self._wait(question.rung, question.timeout, said)
        return faulty_answer(said.fault, _decided(script, said.answer, question.labels))

    async def _wait(self, rung: Rung, left: float, script: RungScript) -> None:
        """Wait as scripted, but no longer than the call may take; then fail, if that is the script."""
        delay = script.delay_ms / 1000
        await self._sleep(min(delay, max(0.0, left)))
        if delay > left:
            raise CallTimeout("timeout", rung)
        if (error := error_of(script.fault, rung)) is not None:
            raise error

    def _reply(self, call: Call, said: object) -> Reply:
        if isinstance(said, BaseException):
            raise said
        if isinstance(said, Reply):
            return said
        if isinstance(said, Response):
            return Reply(said)
        if isinstance(said, str):
            return text_reply(said)
        if isinstance(said, (int, float)) and not isinstance(said, bool) and 0.0 <= said <= 1.0:
            body = readout_body(float(said), f"{self.seed}:{call.rung}")
            return Reply(text_reply(body["choices"][0]["message"]["content"]).response, body)
        raise InvalidResponse("invalid response", call.rung)


def _said(script: RungScript, call: Call) -> str | float:
    """The answer as typed: a number where the rung reads one and it is a probability, else text as it stands."""
    if call.rung is Rung.ESCALATION_JUDGE:
        return escalation_reply(script.answer, call.turn)
    if answer_kind(call.rung) is not AnswerKind.NUMBER:
        return script.answer
    try:
        score = float(script.answer)
    except ValueError:
        return script.answer
    return score if 0.0 <= score <= 1.0 else script.answer


def _decided(script: Script, answer: str, labels: tuple[str, ...]) -> Answer:
    """The answer of this kind, with the provider's own choice, which decides nothing."""
    probabilities = {label: script.probability_of(label, labels) for label in labels}
    likeliest = max(labels, key=lambda label: probabilities[label], default=None)
    given = Answer(probabilities, choice=likeliest, confidence=probabilities.get(likeliest or ""))
    match answer:
        case RouteAnswer.DISTRIBUTION:
            return given
        case RouteAnswer.MISSING_LABEL:
            return replace(given, probabilities={label: probabilities[label] for label in labels[:-1]})
        case RouteAnswer.EXTRA_LABEL:
            return replace(given, probabilities=probabilities | {"a label of the mock": 0.0})
        case RouteAnswer.NO_DISTRIBUTION:
            return replace(given, probabilities=None)
        case RouteAnswer.BOOLEAN | RouteAnswer.SCORE:
            return Answer(None, AnswerType(answer))
    return Answer(None, AnswerType.MISSING)
