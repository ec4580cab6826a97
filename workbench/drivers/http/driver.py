"""The HTTP driver: asks live models, each category at its own target, over four wire formats (SPEC 8).

    box = Client("box", WireFormat.OPENAI_CHAT, "http://127.0.0.1:8080/v1")
    HttpDriver({Category.LOCAL: Target("small", box), Category.JUDGE: Target("judge-8b", box)})

Making one sends nothing. A call ends within its time, repetitions included; cancelling it closes its connection.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from datetime import UTC, datetime
from random import random
from typing import TYPE_CHECKING, TypeVar

from ....core.conversation.json_text import decode, too_deep, without_surrogates
from ....core.conversation.model import Json, Response
from ....core.vgr.evidence import Origin, OriginKind, Rung
from ....core.vgr.json_text import json_text
from ....core.vgr.serving import ConfigurationError
from ..protocol import (
    Answer,
    Call,
    CallTimeout,
    Category,
    ContextOverflow,
    HttpStatusError,
    InvalidResponse,
    NotConfigured,
    Question,
    Reply,
)
from . import anthropic_messages, openai_chat, openai_responses, system_one
from .concessions import concession
from .error_body import error_words
from .exchange import Exchange
from .keys import headers_for, secrets_of
from .letters import letters_call, options_of, read_letters
from .overflow import says_overflow
from .targets import Target, WireFormat
from .wire import Concession, Sent, joined

if TYPE_CHECKING:
    import httpx
    from pydantic import SecretStr

#: Bytes of a reply that are read at most, and of a request that are sent at most.
MAX_BODY_BYTES = 8 * 1024 * 1024
MAX_REQUEST_BYTES = 32 * 1024 * 1024
#: Calls at a time, of each event loop.
CONCURRENCY = 4

_T = TypeVar("_T")
_READERS: Mapping[WireFormat, Callable[[Json, Call], Reply]] = {
    WireFormat.OPENAI_CHAT: openai_chat.read_body,
    WireFormat.ANTHROPIC_MESSAGES: anthropic_messages.read_body,
    WireFormat.OPENAI_RESPONSES: openai_responses.read_body,
}


class HttpDriver:
    """A driver that asks live models. `targets` says who answers which category; a category without one is not asked.

    `concurrency` bounds the calls at a time. `timeouts` caps single rungs, in seconds; what is left of the deadline
    bounds every call anyway. `transport`, `sleep`, `draw` and `now` are for tests. Making one sends nothing; raises
    ConfigurationError without a target, and for a number that is no bound.
    """

    def __init__(
        self,
        targets: Mapping[Category, Target],
        *,
        concurrency: int = CONCURRENCY,
        timeouts: Mapping[Rung, float] | None = None,
        max_body_bytes: int = MAX_BODY_BYTES,
        max_request_bytes: int = MAX_REQUEST_BYTES,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        draw: Callable[[], float] = random,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        if not targets or Category.CHECKER in targets:
            raise ConfigurationError("Give at least one target, and none for the checker, which is no model.")
        if min(concurrency, max_body_bytes, max_request_bytes) < 1:
            raise ConfigurationError("concurrency, max_body_bytes and max_request_bytes are at least 1.")
        self._targets = dict(targets)
        self._timeouts = dict(timeouts or {})
        if not all(seconds > 0 for seconds in self._timeouts.values()):
            raise ConfigurationError("A rung's timeout is a number of seconds above 0.")
        self._max_request_bytes = max_request_bytes
        self._exchange = Exchange(
            concurrency=concurrency,
            max_body_bytes=max_body_bytes,
            transport=transport,
            sleep=sleep,
            draw=draw,
            now=now,
        )
        #: What an endpoint has refused of a model, by address and model.
        self._known: dict[tuple[str, str], frozenset[Concession]] = {}

    def __repr__(self) -> str:
        return f"HttpDriver({self.origin.label})"

    @property
    def origin(self) -> Origin:
        """The judge's model and host, or the first target's; and how many others there are."""
        first = self._targets.get(Category.JUDGE) or next(iter(self._targets.values()))
        others = len({target.label for target in self._targets.values()} - {first.label})
        return Origin(OriginKind.LIVE, f"{first.label} and {others} more" if others else first.label)

    def origin_for(self, category: Category) -> Origin:
        """The category's model and host; the label is empty where it has no target."""
        target = self._targets.get(category)
        return Origin(OriginKind.LIVE, "" if target is None else target.label)

    def models_for(self, category: Category) -> tuple[str, ...]:
        """The category's model; empty where it has no target."""
        target = self._targets.get(category)
        return () if target is None else (target.model,)

    async def complete(self, call: Call) -> Reply:
        """Ask for a completion. Raises a DriverError; cancelling closes the connection."""
        target = self._target(call.category, call.rung)
        if target.client.format is WireFormat.SYSTEM_ONE:
            raise NotConfigured("a system_one endpoint answers decision questions only", call.rung)
        return await self._within(call.timeout, call.rung, lambda until: self._complete(call, target, until))

    async def decide(self, question: Question) -> Answer:
        """Ask a decision question: natively, or over letters where the target is a chat model."""
        target = self._target(question.category, question.rung)
        return await self._within(question.timeout, question.rung, lambda until: self._decide(question, target, until))

    def known_secrets(self) -> list[SecretStr]:
        """The keys that are set, and the values of extra headers."""
        return [secret for target in self._targets.values() for secret in secrets_of(target.client)]

    async def aclose(self) -> None:
        """Close the running loop's connections; the driver can be used again after."""
        await self._exchange.aclose()

    def _target(self, category: Category, rung: Rung) -> Target:
        target = self._targets.get(category)
        if target is None:
            raise NotConfigured(f"no target answers {category.value}", rung)
        return target

    async def _within(self, left: float, rung: Rung, work: Callable[[float], Coroutine[None, None, _T]]) -> _T:
        """Do the work in the time that is left, and within the rung's own. Raises CallTimeout."""
        seconds = max(0.0, min(left, self._timeouts.get(rung, left)))
        until = asyncio.get_running_loop().time() + seconds
        try:
            async with asyncio.timeout_at(until):
                return await work(until)
        except TimeoutError:
            pass
        # Outside of the handler: the error must not carry the one it replaces.
        raise CallTimeout("no reply in the time that was left", rung)

    async def _complete(self, call: Call, target: Target, until: float) -> Reply:
        if target.client.format is WireFormat.ANTHROPIC_MESSAGES and call.top_logprobs is not None:
            # Nothing could be read from the reply, so nothing is sent.
            return Reply(Response(()), note=f"{anthropic_messages.NO_LOGPROBS}; nothing was sent")
        body, sent = await self._converse(call, target, until)
        reply = _READERS[target.client.format](body, call)
        note = joined((*sent.notes, reply.note))
        return Reply(reply.response, reply.body, reply.usage, note)

    async def _decide(self, question: Question, target: Target, until: float) -> Answer:
        if target.client.format is WireFormat.ANTHROPIC_MESSAGES:
            note = f"{anthropic_messages.NO_LOGPROBS}, so there is no distribution; nothing was sent"
            return Answer(None, note=note)
        if target.client.format is not WireFormat.SYSTEM_ONE:
            options = options_of(question)
            return read_letters(await self._complete(letters_call(question, options), target, until), options)
        sent = system_one.request_body(question, target)
        body, _ = await self._post(sent, target, until, question.rung)
        return system_one.read_answer(body, question)

    async def _converse(self, call: Call, target: Target, until: float) -> tuple[Json, Sent]:
        """Post the call; where the endpoint refuses a parameter that has another form, post that, and remember it."""
        at = (target.client.url, target.model)
        known = self._known.get(at, frozenset())
        while True:
            sent = _sent(call, target, known)
            body, refused = await self._post(sent, target, until, call.rung, known)
            if refused is None:
                if known != self._known.get(at):
                    self._known[at] = self._known.get(at, frozenset()) | known
                return body, sent
            known |= {refused}

    async def _post(
        self, sent: Sent, target: Target, until: float, rung: Rung, known: frozenset[Concession] = frozenset()
    ) -> tuple[Json, Concession | None]:
        """The body that came, or what the endpoint refused and can be asked otherwise."""
        payload = _payload(sent.body)
        if len(payload) > self._max_request_bytes:
            raise ContextOverflow(
                f"the request is larger than the {self._max_request_bytes:,} bytes that are sent", rung
            )
        client = target.client
        headers = headers_for(client, rung)
        received = await self._exchange.post(
            client.url, headers, payload, retries=client.max_retries, until=until, rung=rung
        )
        if received.is_success:
            value = _parsed(received.text)
            if value is None:
                raise InvalidResponse("the reply is no JSON object", rung)
            if value.get("error") and says_overflow(error_words(json_text(value["error"]))):
                raise ContextOverflow("the request is longer than the model's window", rung)
            return value, None
        if says_overflow(received.text):
            raise ContextOverflow("the request is longer than the model's window", rung)
        refused = concession(received.status, received.text, sent.body)
        if refused is None or refused in known:
            raise HttpStatusError(received.status, rung)
        return None, refused


def _sent(call: Call, target: Target, known: frozenset[Concession]) -> Sent:
    if target.client.format is WireFormat.OPENAI_CHAT:
        return openai_chat.request_body(call, target, known)
    if target.client.format is WireFormat.ANTHROPIC_MESSAGES:
        return anthropic_messages.request_body(call, target)
    return openai_responses.request_body(call, target)


def _payload(body: dict[str, Json]) -> bytes:
    try:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError):
        # NaN among a tool's arguments, or nesting: printed as the judged views print it.
        text = json_text(body)
    return without_surrogates(text).encode()


def _parsed(text: str) -> dict[str, Json] | None:
    """The JSON object in a body; what no JSON allows (NaN) is its text in it, which no score is read from."""
    body = text.strip(" \t\n\r")
    try:
        value, end, _ = decode(body)
    except (ValueError, RecursionError):
        return None
    return value if end == len(body) and isinstance(value, dict) and not too_deep(value) else None
