"""Serving: the route each mode serves, and the approval that mode `active` needs (SPEC 4.6)."""

from __future__ import annotations

from .decision import ACTIVE_APPROVAL, Decision, Mode, Route


class ConfigurationError(ValueError):
    """A setting that is refused. The text says what was given, where, and what to do."""


class ModeNotApproved(ConfigurationError):
    """Mode `active` without its approval text, verbatim."""


def check_mode(mode: Mode, approval: str | None) -> None:
    """Accept the mode, or raise `ModeNotApproved`: `active` needs `ACTIVE_APPROVAL`, character by character."""
    if Mode(mode) is not Mode.ACTIVE or approval == ACTIVE_APPROVAL:
        return
    given = "none was given" if not approval else f"the text given, {len(approval)} characters, differs"
    raise ModeNotApproved(
        f"mode active needs its approval text verbatim, and {given}. "
        f"Set approval to {ACTIVE_APPROVAL!r}, or choose evaluate."
    )


def serve(decision: Decision, mode: Mode) -> Route:
    """The route served: off and shadow CLOUD, evaluate the predicted, active the effective one.

    `check_mode` guards the configuration; this does not ask for the approval again.
    """
    return route_served(decision.predicted, decision.effective, mode)


def route_served(predicted: Route, effective: Route, mode: Mode) -> Route:
    """The route served in a mode, from the two routes of a decision."""
    if mode is Mode.EVALUATE:
        return predicted
    return effective if mode is Mode.ACTIVE else Route.CLOUD
