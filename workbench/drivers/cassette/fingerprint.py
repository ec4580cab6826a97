"""What a cassette keeps of a request: its length and the hash of its redacted text, never the text.

The hash covers what a model would answer to: messages, caps, reply schema, labels. It leaves out whom and when: the
model, the session, the time left. Secrets are replaced first, so that a hash tells nothing of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256

from ....core.conversation.model import Json, Message
from ....core.conversation.normalized import message_to_json
from ..protocol import Call, Question
from .redaction import Redactor


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A request, for matching."""

    #: `sha256:` and 64 hexadecimal digits.
    digest: str
    #: Characters of the redacted request as hashed, JSON marks included.
    chars: int


def fingerprint_of(asked: Call | Question) -> Fingerprint:
    """The fingerprint of a completion or of a decision question; the two never meet."""
    text = json.dumps(
        Redactor().value(_completion(asked) if isinstance(asked, Call) else _decision(asked)),
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return Fingerprint(f"sha256:{sha256(text.encode()).hexdigest()}", len(text))


def _completion(call: Call) -> Json:
    schema = call.schema
    return {
        "kind": "completion",
        "instructions": _messages(call.request.instructions),
        "messages": _messages(call.request.messages),
        "max_tokens": call.max_tokens,
        "top_logprobs": call.top_logprobs,
        "reasoning": call.reasoning,
        "schema": None if schema is None else {"name": schema.name, "schema": schema.schema},
    }


def _messages(messages: tuple[Message, ...]) -> list[Json]:
    return [message_to_json(message) for message in messages]


def _decision(question: Question) -> Json:
    return {
        "kind": "decision",
        "id": question.id,
        "instructions": question.instructions,
        "labels": question.labels,
        "context": question.context,
    }
