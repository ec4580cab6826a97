"""The commands a newcomer types: `make` explains itself, `make lab` serves the first notebook, CI runs the rest."""

from __future__ import annotations

import os
import re
import secrets
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]
#: Variables by which an outer make, or the user's Jupyter, would speak into these runs.
_OUTER = ("MAKE", "MFLAGS", "JUPYTER", "IPYTHON")


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OUTER)}
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    settings = ("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")
    return kept | {name: str(home / name.lower()) for name in (*places, *settings)}


def test_make_lists_each_target_with_a_line(tmp_path: Path) -> None:
    """Every phony target, no other, each with words."""
    listed = subprocess.run(
        ["make"], cwd=_ROOT, env=_environment(tmp_path), capture_output=True, text=True, check=True
    ).stdout
    rows = dict(re.findall(r"^ +make (\w+) +(\S.*)$", listed, re.MULTILINE))
    phony = re.search(r"^\.PHONY: (.+)$", (_ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert phony is not None
    assert list(rows) == phony[1].split()
    assert len(rows) == len(listed.splitlines())


@pytest.fixture
def free_port() -> int:
    """A loopback port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_make_lab_serves_the_first_notebook(tmp_path: Path, free_port: int) -> None:
    """Its address is printed, the notebook is behind it, and no announcement is asked for."""
    token = secrets.token_hex(8)
    options = f"--no-browser --ServerApp.ip=127.0.0.1 --port {free_port} --IdentityProvider.token={token}"
    # The environment that runs this test is the one that make built; `-o` keeps make from building it again.
    command = ["make", "-o", f"{sys.prefix}/.lab", "lab", f"VENV={sys.prefix}", f"LAB_ARGS={options}"]
    process = subprocess.Popen(
        command,
        cwd=_ROOT,
        env=_environment(tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        printed = []
        for line in process.stdout:
            printed.append(line)
            if f"127.0.0.1:{free_port}/lab/tree/examples/first_look.ipynb" in line:
                break
        else:
            pytest.fail("make lab ended without an address:\n" + "".join(printed))
        with urllib.request.urlopen(
            f"http://127.0.0.1:{free_port}/api/contents/examples/first_look.ipynb?content=0&token={token}", timeout=30
        ) as answer:
            assert answer.status == 200
    finally:
        os.killpg(process.pid, 15)
        process.wait(30)


def test_ci_runs_check_and_test_and_nothing_by_hand() -> None:
    """The script stops at the first failure."""
    lines = (_ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]
    assert commands == ["set -euo pipefail", 'cd "$(dirname "${BASH_SOURCE[0]}")/.."', "make check", "make test"]
    assert os.access(_ROOT / ".ci" / "run", os.X_OK)
