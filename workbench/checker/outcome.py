"""What a check came to. It holds no output of the command and no text of the attempt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CheckerEnding(StrEnum):
    """How a check ended; all but the first are no pass."""

    #: Exit status 0, with the tests unchanged before and after.
    PASSED = "passed"
    #: Another exit status, with the tests unchanged: the command's own no.
    FAILED = "failed"
    KILLED_BY_SIGNAL = "killed_by_signal"
    TIMED_OUT = "timed_out"
    #: The command could not be started; most often it is not there.
    NOT_STARTED = "not_started"
    #: The command that makes files of the attempt was not there, or did not end with exit status 0.
    MATERIALIZE_FAILED = "materialize_failed"
    #: The pinned tests, or the copy about to be run, were not what was pinned.
    TESTS_CHANGED_BEFORE = "tests_changed_before"
    #: After the run they were not; a file added counts as much as one changed.
    TESTS_CHANGED_AFTER = "tests_changed_after"
    #: The workspace could not be made, or could not be cleared of all files and processes afterwards.
    WORKSPACE_FAILED = "workspace_failed"


@dataclass(frozen=True, slots=True)
class CheckerOutcome:
    """What a check came to."""

    ending: CheckerEnding
    #: Seconds from its start until its workspace was gone.
    took: float
    #: The command's exit status; None where it gave none.
    exit_code: int | None = None

    @property
    def passed(self) -> bool:
        """Whether the tests pass: a clean exit, and both verifications."""
        return self.ending is CheckerEnding.PASSED
