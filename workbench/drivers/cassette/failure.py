"""A failed call as a cassette holds it: its class and status. Not its text: a driver may have put content there."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from ....core.conversation.model import Json
from ....core.vgr.evidence import Rung
from ..protocol import (
    CallTimeout,
    ContextOverflow,
    DriverError,
    HttpStatusError,
    InvalidResponse,
    MissingKey,
    NotConfigured,
    TransportError,
)
from ..with_checker import NotChecked
from .strict import CheckerEndingWord, Strict

_PlainClass = Literal["timeout", "transport", "context_overflow", "invalid_response", "not_configured", "other"]
_PLAIN: Final[dict[_PlainClass, type[DriverError]]] = {
    "timeout": CallTimeout,
    "transport": TransportError,
    "context_overflow": ContextOverflow,
    "invalid_response": InvalidResponse,
    "not_configured": NotConfigured,
    "other": DriverError,
}


class _Plain(Strict):
    kind: _PlainClass = Field(alias="class")

    def error(self, rung: Rung) -> DriverError:
        """The failure as the recorded driver raised it, but for its text."""
        return _PLAIN[self.kind](self.kind.replace("_", " "), rung)


class _HttpStatus(Strict):
    kind: Literal["http_status"] = Field(alias="class")
    status: Annotated[int, Field(ge=100, le=999)]

    def error(self, rung: Rung) -> DriverError:
        """As above."""
        return HttpStatusError(self.status, rung)


class _MissingKey(Strict):
    kind: Literal["missing_key"] = Field(alias="class")
    #: The name of the environment variable, which is no secret.
    variable: str
    unusable: bool

    def error(self, rung: Rung) -> DriverError:
        """As above."""
        return MissingKey(self.variable, rung, unusable=self.unusable)


class _NotChecked(Strict):
    kind: Literal["not_checked"] = Field(alias="class")
    ending: CheckerEndingWord

    def error(self, rung: Rung) -> DriverError:
        """As above."""
        return NotChecked(self.ending, rung)


#: A failed call.
Failure: TypeAlias = Annotated[_Plain | _HttpStatus | _MissingKey | _NotChecked, Field(discriminator="kind")]


def failure_json(error: DriverError) -> Json:
    """A failure as JSON."""
    match error:
        case HttpStatusError():
            return {"class": "http_status", "status": error.status}
        case MissingKey():
            return {"class": "missing_key", "variable": error.variable, "unusable": error.unusable}
        case NotChecked():
            return {"class": "not_checked", "ending": error.ending.value}
        case _:
            return {"class": next(name for name, kind in _PLAIN.items() if isinstance(error, kind))}
