"""The workspace of one check: a fresh private folder, the attempt in it, and the environment its commands get."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Final

from .removal import remove_folder

#: The variable that marks every process of a check, so that one which left the process tree is found.
MARK: Final = "ROUTING_WORKBENCH_RUN"
#: Where commands are looked for. The operator's own PATH is not passed on; a path to the program is.
_PATH: Final = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True, slots=True)
class Workspace:
    """One check's folder, which only this user can enter, and its mark."""

    root: Path
    mark: str

    @property
    def attempt(self) -> Path:
        """The attempt's text, in UTF-8 as it stands."""
        return self.root / "attempt.md"

    @property
    def tests(self) -> Path:
        """The copy of the tests that the command runs."""
        return self.root / "tests"

    @property
    def environment(self) -> dict[str, str]:
        """All that a command's environment holds; nothing is inherited."""
        return {
            "PATH": _PATH,
            "HOME": str(self.root),
            "TMPDIR": str(self.root / "tmp"),
            "LANG": "C.UTF-8",
            # Python would write what it compiles beside the tests, which must stay what was pinned.
            "PYTHONDONTWRITEBYTECODE": "1",
            MARK: self.mark,
        }

    def fill(self, attempt: str) -> None:
        """Write the attempt. A lone surrogate, which UTF-8 lacks, is written as it stands rather than replaced."""
        (self.root / "tmp").mkdir(mode=0o700)
        with open(self.attempt, "xb") as file:
            file.write(attempt.encode("utf-8", "surrogatepass"))

    def clear_tests(self) -> None:
        """Make room for the tests, whatever the attempt put there. Raises OSError."""
        self.root.chmod(0o700)
        if self.tests.is_dir() and not self.tests.is_symlink():
            remove_folder(self.tests)
        else:
            self.tests.unlink(missing_ok=True)

    def remove(self) -> bool:
        """Remove the folder; whether it is gone."""
        return remove_folder(self.root)


def new_workspace() -> Workspace:
    """An empty workspace. Raises OSError where none can be made."""
    return Workspace(Path(tempfile.mkdtemp(prefix="routing-workbench-check-")), token_hex(16))
