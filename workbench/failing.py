"""What failed in a run and what to do, in words that quote nothing: of an error that is not ours only its kind."""

from __future__ import annotations

from typing import Final

from ..core.cutoffs.refusal import InvalidCutoffs
from ..core.escalation.config import InvalidEscalation
from ..core.vgr.evidence import Rung
from ..core.vgr.serving import ConfigurationError
from ..widgets.screen import Failure
from .turns.failures import RungFailed

_WHO: Final = {Rung.ATTEMPT: "Local tier", Rung.EFFICIENT: "Efficient tier", Rung.ROUTE: "Decision judge"}


def failure_of(error: Exception) -> Failure:
    """The failure as the screen and the record have it."""
    if isinstance(error, RungFailed):
        return Failure(error.rung.value, f"{_WHO[error.rung]} failed: {error.error}.", error.next_step)
    if isinstance(error, ConfigurationError):
        return Failure("configuration", str(error), "Correct the turn settings, then run again.")
    if isinstance(error, InvalidCutoffs | InvalidEscalation):
        return Failure("configuration", str(error), "Correct the configuration, then run again.")
    return Failure("run", f"The run failed: {type(error).__name__}.", "Run again, or choose another driver.")


def no_outcome() -> RuntimeError:
    """A run that ended without its outcome."""
    return RuntimeError("the run ended without an outcome; this is a defect of the workbench")
