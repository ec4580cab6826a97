"""A checker's configuration: what is refused, in words that say what to write, and what is shown of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.core.vgr.serving import ConfigurationError
from routing_workbench.workbench.checker.config import NO_SANDBOX, CheckerConfig, CheckerRefused

Make = Callable[..., CheckerConfig]


@pytest.mark.parametrize("attestation", ["", " \n\t", None, True])
def test_no_checker_without_an_attestation(config: Make, attestation: Any) -> None:
    """The refusal says that nothing else confines the command, and what to write where."""
    with pytest.raises(CheckerRefused) as refused:
        config(sandbox_attestation=attestation)
    assert str(refused.value) == (
        "sandbox_attestation is missing. The checker is no sandbox: it confines nothing by itself, and the command "
        "runs with the rights of this user. Write into sandbox_attestation what confines the command, such as "
        '"runs in the gVisor pod checks-1, without network".'
    )


def test_the_attestation_has_no_default(tests_dir: Path) -> None:
    """Leaving it out is refused like leaving it blank."""
    with pytest.raises(CheckerRefused, match=r"^sandbox_attestation is missing"):
        CheckerConfig(tests_dir, ("true",))


@pytest.mark.parametrize("name", ["command", "materialize_command"])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("pytest -q", "{} is a str. Write a list of arguments, the program first, such as "),
        ((), "{} is empty."),
        (("pytest", 7), r"{}\[1\] is a int. Each argument is a text."),
        (("pytest", "a\0b"), r"{}\[1\] holds a character that no program can be given."),
        (("pytest", "\ud800"), r"{}\[1\] holds a character that no program can be given."),
        (("  ", "-q"), r"{}\[0\] is blank."),
        ({"pytest"}, "{} is a set."),
    ],
)
def test_arguments_that_are_refused(config: Make, name: str, given: Any, said: str) -> None:
    """Each refusal names the argument by its position, never by its text."""
    with pytest.raises(CheckerRefused, match="^" + said.format(name)):
        config(**{name: given})


def test_a_command_is_required(config: Make) -> None:
    """None stands for no materialize command, but there is no checker without a command."""
    with pytest.raises(CheckerRefused, match=r"^command is a NoneType"):
        config(command=None)


def test_a_list_of_arguments_is_kept_as_a_tuple(config: Make) -> None:
    """A configuration file gives a list."""
    assert config(command=["pytest", "-q"]).command == ("pytest", "-q")


def test_a_tests_folder_that_does_not_exist_is_refused(config: Make, tmp_path: Path) -> None:
    """It is named."""
    with pytest.raises(CheckerRefused, match=r"absent' does not exist or can't be reached"):
        config(tests_dir=tmp_path / "absent")


def test_a_tests_folder_that_is_a_file_is_refused(config: Make, tests_dir: Path) -> None:
    """It is named."""
    with pytest.raises(CheckerRefused, match=r"check\.py' is no folder"):
        config(tests_dir=tests_dir / "check.py")


def test_the_tests_folder_is_absolute(config: Make, tests_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path keeps its meaning when the working folder changes."""
    monkeypatch.chdir(tests_dir.parent)
    assert config(tests_dir=Path("given")).tests_dir == Path(os.path.realpath(tests_dir))


@pytest.mark.parametrize("given", ["no", 1, None])
def test_validated_is_true_or_false(config: Make, given: Any) -> None:
    """A text or number could pass for true."""
    with pytest.raises(CheckerRefused, match=r"^validated is .+\. Write true or false"):
        config(validated=given)


def test_a_refusal_is_a_configuration_error() -> None:
    """Whoever shows configuration errors shows it as well."""
    assert issubclass(CheckerRefused, ConfigurationError)


def test_the_repr_says_that_it_is_no_sandbox_and_keeps_the_arguments(config: Make, tests_dir: Path) -> None:
    """An argument may hold a key."""
    made = config(command=("/opt/bin/check", "--token=k3y"))
    assert repr(made) == f"CheckerConfig('check', tests_dir={os.path.realpath(tests_dir)!r}, no sandbox)"
    assert "is no sandbox" in NO_SANDBOX
    assert "is no sandbox" in (CheckerConfig.__doc__ or "")
