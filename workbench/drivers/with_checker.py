"""A driver that has a checker: its `checker` calls run the operator's command, all others go on to the models (SPEC 7).

A check has an answer where the command gave one: exit status 0 is yes, another is no. All other endings are misses.
"""

from __future__ import annotations

from ...core.conversation.model import Output, Response, Role, StopReason, Text, text_of
from ...core.vgr.evidence import Origin, OriginKind, Rung
from ..checker.checker import Checker
from ..checker.outcome import CheckerEnding
from .protocol import Answer, Call, CallTimeout, Category, Driver, DriverError, InvalidResponse, Question, Reply

_ANSWERS = {CheckerEnding.PASSED: "yes", CheckerEnding.FAILED: "no"}


class NotChecked(DriverError):
    """The check ended without an answer of its command."""

    def __init__(self, ending: CheckerEnding, rung: Rung | None = None) -> None:
        super().__init__(f"checker: {ending.value.replace('_', ' ')}", rung)
        self.ending = ending


class WithChecker:
    """A driver and a checker as one driver. The checker stays the caller's: it outlives a change of the driver."""

    def __init__(self, driver: Driver, checker: Checker) -> None:
        self.driver = driver
        self.checker = checker

    def __repr__(self) -> str:
        return f"WithChecker({self.driver!r}, {self.checker!r})"

    @property
    def origin(self) -> Origin:
        """The models' origin."""
        return self.driver.origin

    def origin_for(self, category: Category) -> Origin:
        """A check is live whatever the driver: the command really runs."""
        if category is Category.CHECKER:
            return Origin(OriginKind.LIVE, f"checker {self.checker.name}")
        return self.driver.origin_for(category)

    def models_for(self, category: Category) -> tuple[str, ...]:
        """The command's name for the checker; the driver's models for the rest."""
        return (self.checker.name,) if category is Category.CHECKER else self.driver.models_for(category)

    async def complete(self, call: Call) -> Reply:
        """The checker's yes or no, or the driver's reply. Raises NotChecked, or as the driver does."""
        if call.category is not Category.CHECKER:
            return await self.driver.complete(call)
        if len(call.request.messages) != 1:
            raise InvalidResponse("a check is asked of one message, the attempt", call.rung)
        outcome = await self.checker.run(text_of(call.request.messages[0].content), call.timeout)
        if outcome.ending is CheckerEnding.TIMED_OUT:
            raise CallTimeout("timeout", call.rung)
        answer = _ANSWERS.get(outcome.ending)
        if answer is None:
            raise NotChecked(outcome.ending, call.rung)
        note = f"exit status {outcome.exit_code}, tests {self.checker.manifest_hash}, no sandbox"
        return Reply(Response((Output(Role.ASSISTANT, (Text(answer),), StopReason.END_TURN),)), note=note)

    async def decide(self, question: Question) -> Answer:
        """The driver's answer."""
        return await self.driver.decide(question)

    async def aclose(self) -> None:
        """Close the driver."""
        await self.driver.aclose()
