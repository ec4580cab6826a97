"""The lines of a cassette: a header, then one line a call (see the package for what they hold and what they do not)."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from ....core.conversation.json_text import MAX_DEPTH, too_deep
from ....core.conversation.model import Json
from .failure import Failure
from .said import SaidAnswer, SaidReply
from .strict import CategoryWord, OriginKindWord, RungWord, Strict

#: The version of the format.
VERSION: Final = 1
#: A file may be so long, in bytes: what is longer is no recording of a few sessions.
MAX_BYTES: Final = 32 * 1024 * 1024
#: A line may be nested so deep: a reply's own JSON, and what a line puts around it.
MAX_LINE_DEPTH: Final = MAX_DEPTH + 16

# Characters that JSON allows in a string, but that an editor shows as a line's end, as nothing, or out of order.
_UNSEEN: Final = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def _date(text: str) -> str:
    try:
        same = date.fromisoformat(text).isoformat() == text
    except ValueError:
        same = False
    if not same:
        raise ValueError("a date is written like 2031-04-02")
    return text


class Header(Strict):
    """The first line: what was recorded, when, from whom."""

    cassette: Literal[1]
    name: Annotated[str, Field(min_length=1, max_length=120)]
    #: The day of the recording, as in 2031-04-02.
    recorded: Annotated[str, AfterValidator(_date)]
    #: The kind of driver that was recorded. A recorded mock is no measurement.
    source: OriginKindWord
    #: Model and host, by category.
    origin: dict[CategoryWord, str]
    #: The models that answered, by category.
    models: dict[CategoryWord, list[str]]
    #: Versions of the prompts asked with, by algorithm.
    prompt_sets: dict[str, str]


class RecordedCall(Strict):
    """A line for a call: what was asked for, the request's fingerprint, and what came of it."""

    #: Number of the call, from 1, in the order they were done.
    call: Annotated[int, Field(ge=1)]
    rung: RungWord
    category: CategoryWord
    turn: Annotated[int, Field(ge=1)] | None = None
    request: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    #: Length of the redacted request.
    chars: Annotated[int, Field(ge=0)]
    #: Milliseconds from asking to the end.
    took_ms: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    #: How many secrets were replaced in the reply.
    redacted: Annotated[int, Field(ge=0)] = 0
    reply: SaidReply | None = None
    answer: SaidAnswer | None = None
    error: Failure | None = None

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if sum(end is not None for end in (self.reply, self.answer, self.error)) != 1:
            raise ValueError("a call has one of reply, answer and error")
        return self

    @property
    def note(self) -> str:
        """What a reader of the replayed reply has to know."""
        if not self.redacted:
            return ""
        return f"recorded with {self.redacted} secret{'' if self.redacted == 1 else 's'} redacted"


def line_text(line: Json) -> str:
    """A line of the file, its newline included: JSON that any editor shows as one line, characters in their order.

    Raises ValueError where the line could not be read again.
    """
    if too_deep(line, MAX_LINE_DEPTH):
        raise ValueError("nested too deeply")
    text = json.dumps(line, ensure_ascii=False, allow_nan=False)
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"
