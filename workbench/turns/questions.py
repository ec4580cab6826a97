"""What each rung is asked: which model, which rubric, which material, with which caps (SPEC 7).

All material is redacted before it is clipped, but for a tier's own request, which is the user's, the checker's, which
runs on the operator's machine, and the escalation judge's transcript, which redacts at the operator's choice only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from ...core.conversation.model import Message, Request, Response, Role, Text, text_of
from ...core.vgr.evidence import Rung
from ...core.vgr.policy import TurnVerification
from ...core.vgr.text import is_blank, redact
from ...core.vgr.turn_view import turn_view
from ...core.vgr.views import session_view
from ...prompts import escalation_prompt, escalation_schema, vgr_closing, vgr_prompt
from ..drivers.protocol import Call, Category, ReplySchema

#: Characters of the redacted task that typing reads.
TYPING_CHARS = 4000
#: A readout's caps in tokens and in top alternatives; reasoning is off so that the first token is the answer.
READOUT_TOKENS = 4
READOUT_ALTERNATIVES = 8
#: Output cap of a deliberation, in tokens; the other verdicts get the same.
DELIBERATION_TOKENS = 768
#: Output cap of the escalation judge, in tokens (SPEC 6.2).
ESCALATION_TOKENS = 4096
#: One word is all that typing asks for.
TYPING_TOKENS = 8


@dataclass(frozen=True, slots=True)
class _Shape:
    category: Category
    max_tokens: int | None = DELIBERATION_TOKENS
    top_logprobs: int | None = None
    reasoning: bool = True


_READOUT = _Shape(Category.JUDGE, READOUT_TOKENS, READOUT_ALTERNATIVES, reasoning=False)
_SHAPES: dict[Rung, _Shape] = {
    Rung.ATTEMPT: _Shape(Category.LOCAL, None),
    Rung.TURN_CHECK: _READOUT,
    Rung.TYPING: _Shape(Category.JUDGE, TYPING_TOKENS, reasoning=False),
    Rung.CHECKER: _Shape(Category.CHECKER, None),
    Rung.READOUT: _READOUT,
    Rung.EVIDENCE_STRICT: _Shape(Category.JUDGE),
    Rung.DELIBERATION: _Shape(Category.JUDGE),
    Rung.WITNESS: _Shape(Category.JUDGE),
    Rung.ANSWER_VERIFIER: _Shape(Category.CLOUD_JUDGE),
    Rung.EVIDENCE_VERIFIER: _Shape(Category.CLOUD_JUDGE),
    Rung.CLOUD_JUDGE: _Shape(Category.CLOUD_JUDGE),
    Rung.EVIDENCE_CONFIRM: _Shape(Category.CLOUD_JUDGE),
    Rung.ROUTE: _Shape(Category.JUDGE),
    Rung.EFFICIENT: _Shape(Category.LOCAL, None),
    Rung.ESCALATION_JUDGE: _Shape(Category.JUDGE, ESCALATION_TOKENS),
    Rung.CAPABLE: _Shape(Category.CLOUD, None),
}


@dataclass(frozen=True, slots=True)
class Material:
    """What the questions of one turn are made from."""

    request: Request = field(repr=False)
    attempt: Response = field(repr=False)
    attempt_text: str = field(repr=False)
    #: The judged view, once derived (SPEC 3).
    transcript: str = field(default="", repr=False)
    turn_verification: TurnVerification = TurnVerification()
    #: Whether the cloud judge is asked with the strict rubric (coding, readout at its dial).
    strict: bool = False


def category_of(rung: Rung) -> Category:
    """Which model answers this rung."""
    return _SHAPES[rung].category


def reply_call(rung: Rung, request: Request, timeout: float, *, turn: int | None = None) -> Call:
    """The request itself for a tier that replies to it: `attempt`, `efficient` or `capable`. Nothing is redacted."""
    return _call(rung, request, timeout, turn=turn)


def escalation_call(transcript: str, timeout: float, *, turn: int) -> Call:
    """The rubric as system, the transcript as the only user message, the reply held to the schema (SPEC 6.2)."""
    request = _rubric_and_view(escalation_prompt(), transcript)
    return _call(Rung.ESCALATION_JUDGE, request, timeout, schema=_verdict_schema(), turn=turn)


def call_for(rung: Rung, material: Material, timeout: float) -> Call:
    """The question this rung asks of this VGR turn; any rung of it but the attempt."""
    if rung is Rung.CHECKER:
        attempt = Message(Role.ASSISTANT, (Text(material.attempt_text),))
        return _call(rung, Request((), (attempt,)), timeout)
    name = _prompt_name(rung, material)
    closing = vgr_closing(name)
    # The view stands in the message as it was derived, to the character; what we ask of it comes behind.
    asked = _view(rung, material) + (f"\n\n{closing}" if closing else "")
    return _call(rung, _rubric_and_view(vgr_prompt(name), asked), timeout)


def attempt_text(attempt: Response) -> str:
    """The attempt's text: the text-like blocks of its assistant outputs, joined by newlines."""
    texts = [text_of(output.content) for output in attempt.outputs if output.role is Role.ASSISTANT]
    return "\n".join([text for text in texts if text])


def task_text(request: Request) -> str:
    """The text of the last user turn that is not blank; empty where there is none (SPEC 1)."""
    for turn in reversed(request.turns):
        if turn.role is Role.USER and not is_blank(text := text_of(turn.content)):
            return text
    return ""


def witness_view(request: Request) -> str:
    """The session view without the attempt, which a witness never sees (SPEC 7)."""
    return session_view(request, "").removesuffix("[assistant attempt] ").removesuffix("\n")


def _prompt_name(rung: Rung, material: Material) -> str:
    if rung is Rung.CLOUD_JUDGE and material.strict:
        return Rung.EVIDENCE_STRICT.value
    return rung.value


def _view(rung: Rung, material: Material) -> str:
    if rung is Rung.TYPING:
        return redact(task_text(material.request))[:TYPING_CHARS]
    if rung is Rung.TURN_CHECK:
        return turn_view(material.request, material.attempt, material.turn_verification)
    if rung is Rung.WITNESS:
        return witness_view(material.request)
    return material.transcript


@cache
def _verdict_schema() -> ReplySchema:
    schema = escalation_schema()
    return ReplySchema(schema["name"], schema["schema"])


def _rubric_and_view(rubric: str, view: str) -> Request:
    return Request((Message(Role.SYSTEM, (Text(rubric),)),), (Message(Role.USER, (Text(view),)),))


def _call(
    rung: Rung, request: Request, timeout: float, *, schema: ReplySchema | None = None, turn: int | None = None
) -> Call:
    shape = _SHAPES[rung]
    return Call(
        rung,
        shape.category,
        request,
        timeout,
        shape.max_tokens,
        shape.top_logprobs,
        shape.reasoning,
        schema=schema,
        turn=turn,
    )
