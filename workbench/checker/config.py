"""What the operator configures of a checker, and why a configuration is refused (SPEC 4.5 `checks`, 7).

The command gets the attempt, which is a model's text, and mostly runs it. Nothing here confines it: see `NO_SANDBOX`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ...core.vgr.serving import ConfigurationError
from ...core.vgr.text import is_blank

#: What everybody who configures or shows a checker is told.
NO_SANDBOX: Final = (
    "The checker is no sandbox: it confines nothing by itself, and the command runs with the rights of this user."
)
#: Characters of an offending value that an error shows.
_SHOWN = 300


class CheckerRefused(ConfigurationError):
    """A checker that is refused. The text says what was given, where, and what to do."""


@dataclass(frozen=True, slots=True, repr=False)
class CheckerConfig:
    """A checker as configured. Raises `CheckerRefused` for one that could not run as it stands.

    It is no sandbox: it confines nothing by itself, and the command runs with the rights of this user.
    """

    #: The folder that is copied and pinned; the command finds the copy as `tests/` in its workspace.
    tests_dir: Path
    #: The arguments of the command, the program first; never a shell line. Exit status 0 means that the tests pass.
    command: tuple[str, ...]
    #: Run before the tests are placed, with the attempt on its standard input, to make files of it.
    materialize_command: tuple[str, ...] | None = None
    #: The operator's statement naming what confines the command. There is no checker without it.
    sandbox_attestation: str = ""
    #: Whether the operator validated this checker; the readiness gate reads it (SPEC 4.6).
    validated: bool = False

    def __post_init__(self) -> None:
        attestation: object = self.sandbox_attestation
        if not isinstance(attestation, str) or is_blank(attestation):
            raise CheckerRefused(
                f"sandbox_attestation is missing. {NO_SANDBOX} "
                "Write into sandbox_attestation what confines the command, "
                'such as "runs in the gVisor pod checks-1, without network".'
            )
        object.__setattr__(self, "command", _arguments("command", self.command))
        if self.materialize_command is not None:
            made = _arguments("materialize_command", self.materialize_command)
            object.__setattr__(self, "materialize_command", made)
        object.__setattr__(self, "tests_dir", _folder(self.tests_dir))
        validated: object = self.validated
        if not isinstance(validated, bool):
            raise CheckerRefused(f"validated is {shown(validated)}. Write true or false.")

    def __repr__(self) -> str:
        """The command's name, but not its arguments, which may hold a key."""
        return f"CheckerConfig({self.name!r}, tests_dir={shown(str(self.tests_dir))}, no sandbox)"

    @property
    def name(self) -> str:
        """The command's name: the last part of its program's path."""
        return os.path.basename(self.command[0]) or self.command[0]


def shown(value: object) -> str:
    """A value as an error names it, controls escaped and shortened."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _arguments(name: str, given: object) -> tuple[str, ...]:
    """The arguments as a tuple. What is wrong is named by its position: an argument may hold a key."""
    if not isinstance(given, (tuple, list)):
        raise CheckerRefused(
            f"{name} is a {type(given).__name__}. Write a list of arguments, the program first, "
            'such as ["python3", "-m", "unittest"]: no shell reads it.'
        )
    if not given:
        raise CheckerRefused(f"{name} is empty. Write the program first, then its arguments.")
    for number, argument in enumerate(given):
        if not isinstance(argument, str):
            raise CheckerRefused(f"{name}[{number}] is a {type(argument).__name__}. Each argument is a text.")
        if not _can_be_passed(argument):
            raise CheckerRefused(f"{name}[{number}] holds a character that no program can be given. Remove it.")
    if is_blank(given[0]):
        raise CheckerRefused(f"{name}[0] is blank. Write the program to run.")
    return tuple(given)


def _can_be_passed(argument: str) -> bool:
    try:
        return b"\0" not in os.fsencode(argument)
    except UnicodeEncodeError:
        return False


def _folder(given: object) -> Path:
    """The folder's absolute path, symbolic links on the way to it resolved."""
    if not isinstance(given, (str, Path)) or not str(given):
        raise CheckerRefused(f"tests_dir is {shown(given)}. Write the path of the folder that holds the tests.")
    try:
        folder = Path(given).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise CheckerRefused(
            f"tests_dir {shown(str(given))} does not exist or can't be reached. "
            "Write the path of the folder that holds the tests."
        ) from None
    if not folder.is_dir():
        raise CheckerRefused(
            f"tests_dir {shown(str(given))} is no folder. Write the path of the folder with the tests."
        )
    return folder
