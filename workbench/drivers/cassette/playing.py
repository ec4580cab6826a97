"""The cassette driver: recorded answers in place of models. It sends nothing and never invents an answer."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Final, TypeAlias

from ....core.vgr.evidence import Origin, OriginKind, Rung
from ..protocol import NOT_AS_RECORDED, Answer, Call, CallTimeout, Category, NotRecorded, Question, Reply
from .fingerprint import Fingerprint, fingerprint_of
from .lines import RecordedCall
from .prompt_versions import algorithm_of
from .prompt_versions import prompt_sets as current_prompt_sets
from .reading import Cassette

Sleep: TypeAlias = Callable[[float], Awaitable[None]]
#: What a recording is found by: what was asked for, of which rung, the request's digest.
_Key: TypeAlias = tuple[type[Call] | type[Question], Rung, str]

#: Time factors: every answer at once, and each after the time that it took.
AT_ONCE: Final = 0.0
AS_RECORDED: Final = 1.0
#: Seconds that a replay may run ahead of the recorded run, whose calls had a little more around them. A timeout that
#: used up all the time then uses it up here too, or there would be time to ask what was not asked.
_AHEAD = 0.25
#: Missing calls that a sentence names.
_NAMED = 8
_NOT_HERE = "not on this cassette"
_HURRIED = "A recorded timeout took less time here, so there was time left to ask what was not asked then."


@dataclass(frozen=True, slots=True)
class MissingCall:
    """A call that was asked for and is not on the cassette."""

    rung: Rung
    #: The assistant turn it asks about, in a replayed session.
    turn: int | None
    #: Length of the redacted request.
    chars: int


class CassetteDriver:
    """A driver that answers from a cassette, and sends nothing (SPEC 8).

    A call is matched by its rung and by the hash of its redacted request. What was asked several times is answered in
    the order recorded, and from then on with the last recording; `rewind` starts anew.
    """

    def __init__(
        self,
        cassette: Cassette,
        *,
        time_factor: float = AT_ONCE,
        prompt_sets: Mapping[str, str] | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Each answer takes the recorded time times `time_factor`: 0 none, 0.5 half of it, 2 twice as long.

        `prompt_sets` are the versions of the prompts asked with, by algorithm; without them, those of the package.
        """
        if not (isfinite(time_factor) and time_factor >= 0):
            raise ValueError(f"time_factor is {time_factor}; it multiplies recorded times, so it is 0 or more")
        self.cassette = cassette
        self.time_factor = time_factor
        #: The calls asked for that are not on the cassette, each once, in the order they were first asked.
        self.missing: tuple[MissingCall, ...] = ()
        self._prompt_sets = dict(current_prompt_sets() if prompt_sets is None else prompt_sets)
        self._sleep = sleep
        self._recorded: defaultdict[_Key, list[RecordedCall]] = defaultdict(list)
        for call in cassette.calls:
            if call.answer is None:
                self._recorded[Call, call.rung, call.request].append(call)
            if call.reply is None:
                self._recorded[Question, call.rung, call.request].append(call)
        self._played: dict[_Key, int] = {}
        self._missed: set[_Key] = set()
        self._hurried = False

    def __repr__(self) -> str:
        return f"CassetteDriver({self.origin.label!r}, calls={len(self.cassette.calls)})"

    @property
    def origin(self) -> Origin:
        """`tidewatch-17, 2031-04-02`; a recorded mock is said to be one."""
        header = self.cassette.header
        label = f"{header.name}, {header.recorded}"
        return Origin(
            OriginKind.CASSETTE, label if header.source is OriginKind.LIVE else f"{label}, of {header.source.value}"
        )

    def origin_for(self, category: Category) -> Origin:
        """The same, with the models that answered."""
        return Origin(OriginKind.CASSETTE, ", ".join((self.origin.label, *self.models_for(category))))

    def models_for(self, category: Category) -> tuple[str, ...]:
        """The models that answered when this was recorded."""
        return tuple(self.cassette.header.models.get(category, ()))

    async def complete(self, call: Call) -> Reply:
        """The recorded reply, after its time. Raises the recorded failure, CallTimeout, or NotRecorded."""
        played = await self._play(call)
        if played.reply is None:
            raise NotRecorded(_NOT_HERE, call.rung)
        return played.reply.reply(played.note)

    async def decide(self, question: Question) -> Answer:
        """The recorded answer, after its time. Raises as `complete` does."""
        played = await self._play(question)
        if played.answer is None:
            raise NotRecorded(_NOT_HERE, question.rung)
        return played.answer.answer(played.note)

    async def aclose(self) -> None:
        """A cassette holds nothing."""

    def rewind(self) -> None:
        """Start anew: every call is answered with its first recording again, and none is missing so far."""
        self._played.clear()
        self._missed.clear()
        self._hurried = False
        self.missing = ()

    def missing_summary(self) -> str:
        """Which calls are missing, and why that may be; empty where none is."""
        if not self.missing:
            return ""
        count = len(self.missing)
        named = [_name(call) for call in self.missing[:_NAMED]]
        more = [f"{count - _NAMED:,} more"] if count > _NAMED else []
        says = "1 call is" if count == 1 else f"{count:,} calls are"
        return f"{says} not on this cassette: {', '.join(named + more)}. {self._why()}"

    def _why(self) -> str:
        recorded = self.cassette.header.prompt_sets
        asked = dict.fromkeys([algorithm_of(call.rung) for call in self.missing])
        versions = [(name, recorded.get(name), self._prompt_sets.get(name)) for name in asked]
        changed = [name for name, old, new in versions if old != new and old is not None and new is not None]
        if changed:
            return f"{NOT_AS_RECORDED} Prompts that have changed since: {', '.join(changed)}."
        return _HURRIED if self._hurried else NOT_AS_RECORDED

    async def _play(self, asked: Call | Question) -> RecordedCall:
        fingerprint = fingerprint_of(asked)
        key: _Key = (type(asked), asked.rung, fingerprint.digest)
        recordings = self._recorded.get(key)
        if recordings is None:
            self._miss(key, asked, fingerprint)
            raise NotRecorded(_NOT_HERE, asked.rung)
        position = self._played.get(key, 0)
        self._played[key] = position + 1
        played = recordings[min(position, len(recordings) - 1)]
        wait = played.took_ms / 1000 * self.time_factor
        if played.error is not None and played.error.kind == "timeout":
            if self.time_factor < AS_RECORDED:
                self._hurried = True
            elif asked.timeout - wait < _AHEAD:
                wait = asked.timeout
        await self._sleep(max(0.0, min(wait, asked.timeout)))
        if wait > asked.timeout:
            raise CallTimeout("timeout", asked.rung)
        if played.error is not None:
            raise played.error.error(asked.rung)
        return played

    def _miss(self, key: _Key, asked: Call | Question, fingerprint: Fingerprint) -> None:
        if key not in self._missed:
            self._missed.add(key)
            turn = asked.turn if isinstance(asked, Call) else None
            self.missing = (*self.missing, MissingCall(asked.rung, turn, fingerprint.chars))


def _name(call: MissingCall) -> str:
    return call.rung.value if call.turn is None else f"{call.rung.value} of turn {call.turn}"
