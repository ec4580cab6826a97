"""What a model said, as a cassette holds it: a reply, or the answer to a decision question."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ....core.conversation.model import Json
from ....core.conversation.normalized import response_from_json, response_to_json
from ..protocol import Answer, Reply
from .readout_part import readout_part
from .redaction import Redactor
from .strict import AnswerTypeWord, Number, RoleWord, StopReasonWord, Strict, number_word


class _Textual(Strict):
    type: Literal["text", "refusal", "reasoning"]
    text: str


class _ToolCall(Strict):
    type: Literal["tool_call"]
    id: str
    name: str
    arguments: Any


class _ToolResult(Strict):
    type: Literal["tool_result"]
    tool_call_id: str
    content: list[_Block]
    is_error: bool | None = None


class _Media(Strict):
    type: Literal["image", "audio", "video", "file"]
    source: Any = None


class _Unknown(Strict):
    type: Literal["unknown"]
    provider: str = ""
    raw: Any = None


_Block = Annotated[_Textual | _ToolCall | _ToolResult | _Media | _Unknown, Field(discriminator="type")]


class _Output(Strict):
    role: RoleWord
    content: list[_Block]
    stop_reason: StopReasonWord | None = None


class SaidReply(Strict):
    """A recorded reply."""

    outputs: list[_Output]
    #: The first token's alternatives, where the reply had a body.
    body: Any = None
    usage: dict[str, int] = Field(default_factory=dict)
    note: str = ""

    @model_validator(mode="after")
    def _body_is_the_readout_alone(self) -> Self:
        if readout_part(self.body, Redactor()) != self.body:
            raise ValueError("body holds more than choices[0].logprobs.content[0].top_logprobs")
        return self

    def reply(self, note: str = "") -> Reply:
        """The reply; `note` is added to its own."""
        outputs = [output.model_dump(mode="json") for output in self.outputs]
        return Reply(response_from_json({"outputs": outputs}), self.body, dict(self.usage), _joined(self.note, note))


class SaidAnswer(Strict):
    """A recorded answer to a decision question."""

    type: AnswerTypeWord
    probabilities: dict[str, Number] | None
    choice: str | None = None
    confidence: Number | None = None
    covered: Number | None = None
    usage: dict[str, int] = Field(default_factory=dict)
    note: str = ""

    def answer(self, note: str = "") -> Answer:
        """The answer; `note` is added to its own."""
        return Answer(
            None if self.probabilities is None else dict(self.probabilities),
            self.type,
            self.choice,
            self.confidence,
            self.covered,
            dict(self.usage),
            _joined(self.note, note),
        )


def reply_json(reply: Reply, redactor: Redactor) -> Json:
    """A reply as JSON, redacted, its body reduced to what the readout reads."""
    made = redactor.value(response_to_json(reply.response))
    if reply.body is not None:
        made["body"] = readout_part(reply.body, redactor)
    return made | _told(reply.usage, reply.note, redactor)


def answer_json(answer: Answer, redactor: Redactor) -> Json:
    """An answer as JSON, redacted: labels may be anything an endpoint sends."""
    probabilities = answer.probabilities
    made: dict[str, Json] = {
        "type": answer.type.value,
        "probabilities": None
        if probabilities is None
        else redactor.value({label: number_word(p) for label, p in probabilities.items()}),
    }
    if answer.choice is not None:
        made["choice"] = redactor.text(answer.choice)
    for name, number in (("confidence", answer.confidence), ("covered", answer.covered)):
        if number is not None:
            made[name] = number_word(number)
    return made | _told(answer.usage, answer.note, redactor)


def _told(usage: Json, note: str, redactor: Redactor) -> dict[str, Json]:
    made = {"usage": redactor.value(usage)} if usage else {}
    return made | ({"note": redactor.text(note)} if note else {})


def _joined(*notes: str) -> str:
    return "; ".join([note for note in notes if note])
