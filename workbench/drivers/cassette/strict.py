"""What the lines of a cassette are made of: strict models, and the numbers that JSON lacks."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from math import isfinite
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ....core.conversation.model import Role, StopReason
from ....core.vgr.evidence import OriginKind, Rung
from ...checker.outcome import CheckerEnding
from ..protocol import AnswerType, Category


class Strict(BaseModel):
    """A model without unknown keys, conversions and changes. No repr: a reply's text must not reach a log."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        return ()


_E = TypeVar("_E", bound=StrEnum)
# JSON has no enums, so these alone are read from their words.
_Word = Annotated[_E, Field(strict=False)]
RungWord = _Word[Rung]
CategoryWord = _Word[Category]
OriginKindWord = _Word[OriginKind]
RoleWord = _Word[Role]
StopReasonWord = _Word[StopReason]
AnswerTypeWord = _Word[AnswerType]
CheckerEndingWord = _Word[CheckerEnding]

_WORDS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def number_word(number: float) -> float | str:
    """A number as JSON has it; NaN and the infinities as words."""
    return number if isfinite(number) else str(number)


def _from_word(value: object) -> object:
    return _WORDS.get(value, value) if isinstance(value, str) else value


#: A number as received, NaN and the infinities included.
Number = Annotated[float, BeforeValidator(_from_word)]
