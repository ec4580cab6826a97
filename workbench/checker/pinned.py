"""The pinned tests: a private, read-only copy of the operator's folder, with the manifest of what was copied."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .config import CheckerConfig, CheckerRefused, shown
from .folder import Manifest, manifest_of
from .removal import remove_folder


@dataclass(frozen=True, slots=True)
class PinnedTests:
    """The copy and its manifest. The manifest stays in memory, where no command can change it by a file's path."""

    #: A folder only this user can enter; the copy is `tests` in it.
    home: Path
    manifest: Manifest = field(repr=False)
    #: SHA-256 of the manifest, in hexadecimal: what a record names the tests by.
    manifest_hash: str

    @property
    def root(self) -> Path:
        """The copy."""
        return self.home / "tests"

    def holds(self, folder: Path) -> bool:
        """Whether a folder holds exactly what was pinned, nothing more. What can't be read does not."""
        try:
            return manifest_of(folder) == self.manifest
        except (CheckerRefused, OSError):
            return False

    def place(self, folder: Path) -> bool:
        """Copy the tests into a new folder; whether both copies then hold what was pinned. Raises OSError."""
        if not self.holds(self.root):
            return False
        folder.mkdir(mode=0o700)
        try:
            manifest_of(self.root, copy_to=folder)
        except CheckerRefused:
            return False
        return self.holds(folder)

    def remove(self) -> None:
        """Remove the copy; from then on nothing passes against it."""
        remove_folder(self.home)


def pin(config: CheckerConfig) -> PinnedTests:
    """Copy and pin the tests folder. Raises `CheckerRefused` where it can't be, and leaves nothing behind then."""
    try:
        home = Path(tempfile.mkdtemp(prefix="routing-workbench-tests-"))
    except OSError as error:
        raise _unpinned(config, error) from None
    try:
        (home / "tests").mkdir(mode=0o700)
        manifest = manifest_of(config.tests_dir, copy_to=home / "tests")
    except OSError as error:
        remove_folder(home)
        raise _unpinned(config, error) from None
    except BaseException:
        remove_folder(home)
        raise
    return PinnedTests(home, manifest, manifest.hash)


def _unpinned(config: CheckerConfig, error: OSError) -> CheckerRefused:
    return CheckerRefused(
        f"tests_dir {shown(str(config.tests_dir))} can't be copied: {error.strerror or type(error).__name__}. "
        "Make it readable, and see that the disk has room."
    )
