"""What the README says to type works: its Python runs as it stands, its commands are targets of the Makefile."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]
_README = (_ROOT / "README.md").read_text(encoding="utf-8")
_BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", _README, re.MULTILINE | re.DOTALL)
_PYTHON = [text for language, text in _BLOCKS if language == "python"]
_COMMANDS = [line for language, text in _BLOCKS if language == "sh" for line in text.splitlines()]
_MAKE = [command for command in _COMMANDS if command.startswith("make ")]
_PIP = [command for command in _COMMANDS if not command.startswith("make ")]


def test_it_shows_both_ways_in() -> None:
    """A bench, a script, and the commands to start and to check; nothing in a language that is not run here."""
    assert {language for language, _ in _BLOCKS} == {"python", "sh"}
    assert ["Workbench()" in text for text in _PYTHON] == [True, False]
    assert ["analyze(" in text for text in _PYTHON] == [False, True]


@pytest.mark.parametrize("text", _PYTHON, ids=["bench", "script"])
def test_its_python_runs_as_it_stands(text: str, tmp_path: Path) -> None:
    """In a fresh interpreter, beside nothing, with a warning as an error in our own modules."""
    command = [sys.executable, "-W", "error:::routing_workbench", "-c", text]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == ("print(" in text)


def test_its_commands_are_what_make_offers() -> None:
    """CI runs check and test by these names, and a test of its own runs lab."""
    assert _MAKE == ["make lab", "make check", "make test"]
    targets = set(re.findall(r"^([a-z]+):.*  ## ", (_ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {command.removeprefix("make ") for command in _MAKE} <= targets


def test_the_plain_pip_way_works(tmp_path: Path) -> None:
    """Its commands, as they stand, in a copy of the checkout: a fresh environment, the install, and Lab answers.

    The only change is that Lab says its version instead of staying up; `make lab` has a test that starts it.
    """
    checkout = tmp_path / "checkout"
    shutil.copytree(_ROOT, checkout, ignore=shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "tests"))
    assert len(_PIP) == 3
    for command in (*_PIP[:2], f"{_PIP[2]} --version"):
        done = subprocess.run(command.split(), cwd=checkout, capture_output=True, text=True, check=False, timeout=420)
        assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4.")
    says = "import routing_workbench as r; print(r.analyze('Hello').reading.format.name)"
    python = [checkout / ".venv/bin/python", "-c", says]
    ran = subprocess.run(python, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (ran.stdout, ran.stderr) == ("plain-prompt\n", "")


def test_its_links_lead_somewhere() -> None:
    """Every relative link is a file of the checkout."""
    links = re.findall(r"\]\(([^)#:]+)\)", _README)
    assert links
    assert [link for link in links if not (_ROOT / link).exists()] == []
