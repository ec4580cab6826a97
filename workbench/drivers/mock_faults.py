"""What each fault of the mock does: the typed error a driver would raise, or the reply that a faulty endpoint gives.

A fault of probabilities (no logprobs, NaN) does nothing to a question that asks for none; its reply says so in a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import nan

from ...core.conversation.model import Json, Output, Response, Role, StopReason, Text
from ...core.vgr.evidence import Rung
from .protocol import (
    Answer,
    AnswerType,
    CallTimeout,
    ContextOverflow,
    DriverError,
    HttpStatusError,
    InvalidResponse,
    Reply,
    TransportError,
)
from .script import Fault

#: What a hedging judge says: no last line of one word, no type, no JSON.
HEDGE = "It looks mostly right to me.\nYes, but the last step deserves a second look"
#: What a hedging readout begins with.
_HEDGING_TOKENS = ("Well", "It", "Mostly", "Probably")
#: Of a hedging decision: the share of its first token that the options hold, too little to go by.
_HEDGED = 0.31

_NO_LOGPROBS_ASKED = "this question asks for no logprobs, so the fault does nothing"

#: Messages and classes are those of the HTTP driver; a connection that breaks within the body is one that failed.
_ERRORS: Mapping[Fault, Callable[[Rung], DriverError]] = {
    Fault.REFUSED: lambda rung: TransportError("connection refused", rung),
    Fault.DNS: lambda rung: TransportError("no such host", rung),
    Fault.TLS: lambda rung: TransportError("no trusted certificate", rung),
    Fault.TRUNCATED: lambda rung: TransportError("the connection closed within the body", rung),
    Fault.TIMEOUT_CONNECT: lambda rung: CallTimeout("no connection in time", rung),
    Fault.TIMEOUT_FIRST_BYTE: lambda rung: CallTimeout("no reply in time", rung),
    Fault.TIMEOUT_MID_BODY: lambda rung: CallTimeout("no end of the reply in time", rung),
    Fault.NOT_JSON: lambda rung: InvalidResponse("the reply is no JSON", rung),
    Fault.WRONG_SHAPE: lambda rung: InvalidResponse("the reply has not the shape of its format", rung),
    Fault.CONTEXT_OVERFLOW: lambda rung: ContextOverflow("the request is longer than the model's window", rung),
}


def error_of(fault: Fault, rung: Rung) -> DriverError | None:
    """The error a call with this fault ends in; None for no fault, and for one that comes as a reply."""
    if fault in _ERRORS:
        return _ERRORS[fault](rung)
    if fault.value.startswith("HTTP "):
        # Retries of a driver are over by then, so Retry-After has had its say.
        return HttpStatusError(int(fault.value[5:8]), rung)
    return None


def faulty_reply(fault: Fault, reply: Reply) -> Reply:
    """A reply as this fault leaves it. One with a body is read from its first token's probabilities."""
    scored = reply.body is not None
    match fault:
        case Fault.EMPTY:
            return replace(text_reply(""), body=_logprobs_of(reply.body, []) if scored else None)
        case Fault.HEDGE:
            top = [{"token": token, "logprob": -0.6 - index} for index, token in enumerate(_HEDGING_TOKENS)]
            return replace(text_reply(HEDGE), body=_logprobs_of(reply.body, top) if scored else None)
        case Fault.CUT:
            return replace(_cut(reply), body=_finished(reply.body, "length") if scored else None)
        case Fault.NO_LOGPROBS if scored:
            return replace(reply, body=_logprobs_of(reply.body, None))
        case Fault.NAN if scored:
            return replace(reply, body=_logprobs_of(reply.body, [{"token": "yes", "logprob": nan}]))
        case Fault.NO_LOGPROBS | Fault.NAN:
            return replace(reply, note=_NO_LOGPROBS_ASKED)
    return reply


def faulty_answer(fault: Fault, answer: Answer) -> Answer:
    """The answer to a decision question as this fault leaves it."""
    match fault:
        case Fault.EMPTY:
            return Answer(None, AnswerType.MISSING, note="the reply holds no answer")
        case Fault.CUT:
            return Answer(None, AnswerType.MISSING, note="the reply was cut off before its answer")
        case Fault.HEDGE:
            note = f"the letters hold {_HEDGED:.2f} of the first token, less than 0.50"
            return Answer(None, choice=answer.choice, covered=_HEDGED, note=note)
        case Fault.NO_LOGPROBS:
            return Answer(None, choice=answer.choice, note="the reply carries no logprobs")
        case Fault.NAN:
            received = dict(answer.probabilities or {})
            return replace(answer, probabilities=received | dict.fromkeys(list(received)[:1], nan))
    return answer


def text_reply(text: str, stop: StopReason = StopReason.END_TURN) -> Reply:
    """A reply of one text."""
    return Reply(Response((Output(Role.ASSISTANT, (Text(text),), stop),)))


def _cut(reply: Reply) -> Reply:
    text = "".join([b.text for output in reply.response.outputs for b in output.content if isinstance(b, Text)])
    return text_reply(text[: (len(text) + 1) // 2], StopReason.MAX_TOKENS)


def _finished(body: Json, reason: str) -> Json:
    choice = body["choices"][0]
    return body | {"choices": [choice | {"finish_reason": reason}]}


def _logprobs_of(body: Json, top: list[dict[str, Json]] | None) -> Json:
    """The body with these alternatives of its first token; none at all for None, no token for an empty list."""
    content = [{**top[0], "top_logprobs": top}] if top else []
    choice = body["choices"][0]
    return body | {"choices": [choice | {"logprobs": None if top is None else {"content": content}}]}
