"""What models say, in each wire format: the scripted answer of a rung, whole or faulty.

Everything that a verdict leaves over holds the mark, so that it is seen where it must not be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from math import log, nan
from typing import Any, NamedTuple

from fault_runs import MARK
from fault_server import chat_body
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.http.targets import WireFormat
from routing_workbench.workbench.drivers.mock_faults import HEDGE
from routing_workbench.workbench.drivers.mock_verdicts import escalation_reply
from routing_workbench.workbench.drivers.readout_body import readout_body
from routing_workbench.workbench.drivers.script import AnswerKind, Fault, Script, answer_kind

_TURN = re.compile(r"Conversation turn (\d+);")
#: Rungs whose whole reply is the answer.
_WHOLE = (Rung.TYPING,)
_TIERS = (Rung.ATTEMPT, Rung.EFFICIENT, Rung.CAPABLE)
#: Alternatives of a first token that is no answer.
_HEDGING = {"Well": -0.6, "It": -1.6, "Mostly": -2.6}


class Said(NamedTuple):
    """A reply before it is put into a format. `top` are the first token's alternatives; None where none were asked."""

    text: str
    top: Mapping[str, float] | None = None
    cut: bool = False
    tokens: float = 3


class Sound(NamedTuple):
    """What a request would be answered with, were nothing wrong."""

    wire: WireFormat
    rung: Rung
    said: Said
    #: The labels of a route question and their probabilities.
    route: Mapping[str, float]

    def body(self, fault: Fault = Fault.NONE) -> dict[str, Any]:
        """The body, faulty in this way."""
        if self.wire is WireFormat.SYSTEM_ONE:
            return _system_one(self.route, fault)
        said = _faulty(self.said, fault, self.rung)
        return _BODIES[self.wire](said)


def sound_reply(script: Script, wire: WireFormat, rung: Rung, sent: Any) -> Sound:
    """The scripted answer of this rung to what was sent."""
    answer = script.of(rung).answer
    if rung is Rung.ROUTE:
        letters = _letters(wire, sent)
        route = {label: script.probability_of(label, tuple(letters.values())) for label in letters.values()}
        top = {letter: log(max(route[label], 1e-9)) for letter, label in letters.items()}
        likeliest = max(letters, key=top.__getitem__)
        return Sound(wire, rung, Said(likeliest, top), route)
    if answer_kind(rung) is AnswerKind.NUMBER:
        (choice,) = readout_body(float(answer), rung)["choices"]
        first = choice["logprobs"]["content"][0]
        top = {entry["token"]: entry["logprob"] for entry in first["top_logprobs"]}
        return Sound(wire, rung, Said(first["token"], top), {})
    if rung is Rung.ESCALATION_JUDGE:
        turn = _TURN.search(json.dumps(sent))
        assert turn is not None
        text = escalation_reply(answer, int(turn[1])).replace("Scripted", MARK)
    elif rung in _TIERS:
        text = f"{answer} {MARK}"
    else:
        text = answer if rung in _WHOLE else f"I, {MARK}, looked at it.\n{answer}"
    return Sound(wire, rung, Said(text), {})


def failed_body(wire: WireFormat, message: str = "") -> dict[str, Any]:
    """An error body, as this format has it."""
    error = {"message": message or f"It failed, {MARK}.", "type": "error", "param": MARK}
    return {"type": "error", "error": error} if wire is WireFormat.ANTHROPIC_MESSAGES else {"error": error}


def _faulty(said: Said, fault: Fault, rung: Rung) -> Said:
    scored = said.top is not None
    match fault:
        case Fault.EMPTY:
            return said._replace(text="", top={} if scored else None)
        case Fault.HEDGE:
            return said._replace(text=f"{MARK}. {HEDGE}", top=_HEDGING if scored else None)
        case Fault.NO_LOGPROBS:
            return said._replace(top=None)
        case Fault.NAN if scored:
            return said._replace(top=dict.fromkeys(said.top or (), nan))
        case Fault.NAN:
            return said._replace(tokens=nan)
        case Fault.CUT if rung is Rung.ROUTE:
            return said._replace(text="", top={}, cut=True)  # it thought until its tokens were spent
        case Fault.CUT:
            return said._replace(cut=True)
    return said


def _chat(said: Said) -> dict[str, Any]:
    body = chat_body(said.text, top=said.top)
    body["choices"][0]["finish_reason"] = "length" if said.cut else "stop"
    body["usage"]["completion_tokens"] = said.tokens
    return body


def _messages(said: Said) -> dict[str, Any]:
    content = [{"type": "text", "text": said.text}] if said.text else []
    stop = "max_tokens" if said.cut else "end_turn"
    usage = {"input_tokens": 11, "output_tokens": said.tokens}
    return {"type": "message", "role": "assistant", "content": content, "stop_reason": stop, "usage": usage}


def _responses(said: Said) -> dict[str, Any]:
    part: dict[str, Any] = {"type": "output_text", "text": said.text, "annotations": []}
    if said.top is not None:
        entries = [{"token": token, "logprob": logprob} for token, logprob in said.top.items()]
        part["logprobs"] = [entries[0] | {"top_logprobs": entries}] if entries else []
    body = {
        "object": "response",
        "status": "incomplete" if said.cut else "completed",
        "output": [{"type": "message", "role": "assistant", "content": [part]}],
        "usage": {"input_tokens": 11, "output_tokens": said.tokens},
    }
    return body | ({"incomplete_details": {"reason": "max_output_tokens"}} if said.cut else {})


def _system_one(route: Mapping[str, float], fault: Fault) -> dict[str, Any]:
    answer: dict[str, Any] = {"type": "choice", "choice": MARK, "probabilities": dict(route), "confidence": 0.99}
    match fault:
        case Fault.HEDGE:
            answer = {"type": "score", "score": 0.5, "probabilities": dict(route)}
        case Fault.NO_LOGPROBS:
            del answer["probabilities"]
        case Fault.NAN:
            answer["probabilities"] = dict.fromkeys(route, nan)
    answers = {} if fault in (Fault.EMPTY, Fault.CUT) else {"route": answer}
    return {"id": "d", "model": MARK, "answers": answers, "usage": {"input_tokens": 11}}


_BODIES: Mapping[WireFormat, Callable[[Said], dict[str, Any]]] = {
    WireFormat.OPENAI_CHAT: _chat,
    WireFormat.ANTHROPIC_MESSAGES: _messages,
    WireFormat.OPENAI_RESPONSES: _responses,
}


def _letters(wire: WireFormat, sent: Any) -> dict[str, str]:
    """The labels of a route question, by letter."""
    if wire is WireFormat.SYSTEM_ONE:
        return {label: label for label in sent["questions"]["route"]["criteria"]}
    text = sent["messages"][1]["content"] if wire is WireFormat.OPENAI_CHAT else sent["input"][0]["content"][0]["text"]
    asked, _ = json.JSONDecoder().raw_decode(text)  # what follows it is for the model's eyes
    options: dict[str, str] = asked["options"]
    return options
