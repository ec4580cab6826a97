"""The recorder: a driver around a driver that writes a line after each call, and changes nothing of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TypeAlias, TypeVar

from pydantic import SecretStr, ValidationError

from ....core.conversation.model import Json
from ....core.vgr.evidence import Origin, OriginKind
from ..inside import secrets_of
from ..protocol import Answer, Call, CallTimeout, Category, Driver, DriverError, NotRecorded, Question, Reply
from .errors import CassetteError
from .failure import failure_json
from .fingerprint import fingerprint_of
from .lines import MAX_BYTES, VERSION, Header, RecordedCall, line_text
from .prompt_versions import prompt_sets as current_prompt_sets
from .redaction import Redactor
from .said import answer_json, reply_json

#: Takes a line, its newline included; returns once it is written. May raise OSError.
Sink: TypeAlias = Callable[[str], None]
#: Whoever waits may give up a hair before the time is over.
_HAIR = 0.001

_T = TypeVar("_T", Reply, Answer)


def record_to(
    path: str | Path,
    driver: Driver,
    *,
    recorded: date | None = None,
    name: str | None = None,
    prompt_sets: Mapping[str, str] | None = None,
    secrets: Iterable[SecretStr] = (),
) -> RecordingDriver:
    """A driver that records to a new file, and passes on what the given one answers.

    `recorded` is the day, without one today; `name` is the cassette's, without one the file's. `prompt_sets` are the
    versions of the prompts asked with, by algorithm; without them, those of the package. `secrets` are keys that are
    taken out of replies, beside those that the driver knows itself. Raises CassetteError where the file exists or
    can't be written: a recording is of one run of one driver.
    """
    path = Path(path).expanduser()
    try:
        return RecordingDriver(
            driver,
            _file(path),
            name=path.stem if name is None else name,
            recorded=datetime.now().astimezone().date() if recorded is None else recorded,
            prompt_sets=prompt_sets,
            secrets=secrets,
        )
    except FileExistsError:
        raise CassetteError(f"{path.name} exists", "Choose another name, or delete the file first.") from None
    except OSError as error:
        raise CassetteError(
            f"{path.name} can't be written: {error.strerror}", "Check the folder and its permissions."
        ) from None


def _file(path: Path) -> Sink:
    """A sink that makes the file for the first line and opens it for each: a crash leaves whole lines."""
    # The second mode does not create: a file deleted meanwhile would come back without its header.
    modes = iter(["xb"])

    def append(line: str) -> None:
        with path.open(next(modes, "r+b")) as file:
            file.seek(0, 2)
            file.write(line.encode())

    return append


class RecordingDriver:
    """A driver that passes everything through and records it. The header is written when it is made.

    A call that a person cancelled is not recorded. What can't be written ends the recording, never the call:
    `stopped` then says why.
    """

    def __init__(
        self,
        driver: Driver,
        sink: Sink,
        *,
        name: str,
        recorded: date,
        prompt_sets: Mapping[str, str] | None = None,
        secrets: Iterable[SecretStr] = (),
        clock: Callable[[], float] | None = None,
    ) -> None:
        """`recorded` is today. `clock` gives monotonic seconds; without one the running loop's is used.

        `prompt_sets` are the versions of the prompts asked with, by algorithm; without them, those of the package.

        `secrets` are keys in use, beside those that the driver knows itself: should a reply hold one, it is replaced
        like what looks like a key.
        Raises CassetteError where no header can be made of what is given, and what the sink raises for it.
        """
        self.driver = driver
        #: Why nothing more is recorded; empty while all is well.
        self.stopped = ""
        #: Calls recorded so far.
        self.calls = 0
        self._sink = sink
        self._secrets = tuple(secrets)
        self._clock = clock
        header = _header(driver, name, recorded, current_prompt_sets() if prompt_sets is None else prompt_sets)
        try:
            Header.model_validate(header)
        except ValidationError:
            raise CassetteError("no header can be made of this", "Give a name of 1 to 120 characters.") from None
        text = line_text(header)
        sink(text)
        self._bytes = len(text.encode())

    def __repr__(self) -> str:
        return f"RecordingDriver({self.driver!r}, calls={self.calls})"

    @property
    def origin(self) -> Origin:
        """The recorded driver's: recording changes nothing of what a value is."""
        return self.driver.origin

    def origin_for(self, category: Category) -> Origin:
        """The recorded driver's."""
        return self.driver.origin_for(category)

    def models_for(self, category: Category) -> tuple[str, ...]:
        """The recorded driver's."""
        return self.driver.models_for(category)

    async def complete(self, call: Call) -> Reply:
        """The recorded driver's reply, the same object. Raises what it raises."""
        return await self._through(call, self.driver.complete(call), "reply", reply_json)

    async def decide(self, question: Question) -> Answer:
        """The recorded driver's answer, the same object. Raises what it raises."""
        return await self._through(question, self.driver.decide(question), "answer", answer_json)

    async def aclose(self) -> None:
        """Close the recorded driver. The file needs no closing: it is whole after each line."""
        await self.driver.aclose()

    async def _through(
        self, asked: Call | Question, asking: Coroutine[None, None, _T], key: str, said: Callable[[_T, Redactor], Json]
    ) -> _T:
        clock = self._clock or asyncio.get_running_loop().time
        began = clock()
        try:
            reply = await asking
        except NotRecorded:
            raise
        except DriverError as error:
            failure = failure_json(error)
            self._keep(asked, clock() - began, "error", lambda _: failure)
            raise
        except asyncio.CancelledError:
            # Whoever asked gives up when the time is over, which may be before the driver notices. That is a timeout.
            took = clock() - began
            if took >= asked.timeout - _HAIR:
                self._keep(asked, took, "error", lambda _: failure_json(CallTimeout("timeout")))
            raise
        self._keep(asked, clock() - began, key, lambda redactor: said(reply, redactor))
        return reply

    def _keep(self, asked: Call | Question, took: float, key: str, end: Callable[[Redactor], Json]) -> None:
        """Write a line that can be read again, or stop recording and say why."""
        if self.stopped:
            return
        try:
            text = self._line(asked, took, key, end)
            size = len(text.encode())
            if self._bytes + size > MAX_BYTES:
                self.stopped = f"Recording stopped after call {self.calls}: the cassette is full."
                return
            self._sink(text)
        except (OSError, AttributeError, RecursionError, TypeError, ValueError) as error:
            # The error's own text may quote the line.
            why = error.strerror if isinstance(error, OSError) else "the next one does not fit the format"
            self.stopped = f"Recording stopped after call {self.calls}: {why or type(error).__name__}."
            return
        self._bytes += size
        self.calls += 1

    def _line(self, asked: Call | Question, took: float, key: str, end: Callable[[Redactor], Json]) -> str:
        fingerprint, redactor = fingerprint_of(asked), Redactor((*self._secrets, *secrets_of(self.driver)))
        said = end(redactor)
        turn = asked.turn if isinstance(asked, Call) else None
        made: dict[str, Json] = {"call": self.calls + 1, "rung": asked.rung.value, "category": asked.category.value}
        made |= {} if turn is None else {"turn": turn}
        made |= {"request": fingerprint.digest, "chars": fingerprint.chars, "took_ms": round(took * 1000, 1)}
        made |= {"redacted": redactor.count} if redactor.count else {}
        made[key] = said
        RecordedCall.model_validate(made)
        return line_text(made)


def _header(driver: Driver, name: str, recorded: date, prompt_sets: Mapping[str, str]) -> dict[str, Json]:
    answered = [category for category in Category if driver.models_for(category)]
    redactor = Redactor()
    return {
        "cassette": VERSION,
        "name": redactor.text(name),
        "recorded": f"{recorded:%Y-%m-%d}",
        "source": driver.origin.kind.value,
        "origin": {category.value: _origin(driver.origin_for(category), redactor) for category in answered},
        "models": {category.value: redactor.value(driver.models_for(category)) for category in answered},
        "prompt_sets": dict(prompt_sets),
    }


def _origin(origin: Origin, redactor: Redactor) -> str:
    """Model and host; what stands behind a question mark may be a key."""
    label = redactor.text(origin.label).partition("?")[0]
    return label if origin.kind is OriginKind.LIVE else f"{origin.kind.value}, {label}"
