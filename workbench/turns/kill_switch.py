"""The operator's handle that sends every turn to cloud at once (SPEC 7)."""

from __future__ import annotations


class KillSwitch:
    """Off until engaged; may be turned from any thread and is read at the start of each turn."""

    def __init__(self, *, engaged: bool = False) -> None:
        self._engaged = engaged

    def __repr__(self) -> str:
        return f"KillSwitch(engaged={self._engaged})"

    @property
    def engaged(self) -> bool:
        """Whether turns are being sent to cloud."""
        return self._engaged

    def engage(self) -> None:
        """Send every turn from now on to cloud, without an attempt."""
        self._engaged = True

    def release(self) -> None:
        """Let turns be verified again."""
        self._engaged = False
