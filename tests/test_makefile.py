"""The commands a newcomer types: `make` explains itself, `make lab` serves the first notebook, CI runs the rest."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest
from lab_server import free_port, private_environment, wait_until_listening

_ROOT = Path(__file__).resolve().parents[1]


def _environment(home: Path) -> dict[str, str]:
    """Nothing of the user's Jupyter, and nothing of the make that may run this test."""
    return {name: value for name, value in private_environment(home).items() if not name.startswith(("MAKE", "MFLAGS"))}


def _read(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=30) as answer:
        text: str = answer.read().decode()
        return text


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


def test_make_lab_serves_the_first_notebook(tmp_path: Path) -> None:
    """Its address is printed, the notebook is behind it, and announcements, which would go to the network, are off."""
    port, token = free_port(), secrets.token_hex(8)
    options = f"--no-browser --ServerApp.ip=127.0.0.1 --port {port} --IdentityProvider.token={token}"
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
            if f"127.0.0.1:{port}/lab/tree/examples/first_look.ipynb" in line:
                break
        else:
            pytest.fail("make lab ended without an address:\n" + "".join(printed))
        wait_until_listening(port)
        assert '"name": "first_look.ipynb"' in _read(port, f"api/contents/examples/first_look.ipynb?token={token}")
        page = _read(port, f"lab?token={token}")
        settings = re.search(r'<script id="jupyter-config-data"[^>]*>(.*?)</script>', page, re.DOTALL)
        assert settings is not None
        assert "@jupyterlab/apputils-extension:announcements" in json.loads(settings[1])["disabledExtensions"]
    finally:
        os.killpg(process.pid, 15)
        process.wait(30)


#: Stands in for a model server, so that the command runs on every machine: it answers /health.
_SERVER = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *arguments):
        pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Handler).serve_forever()
"""


def test_make_model_serves_and_prints_a_configuration(tmp_path: Path) -> None:
    """Another server can be named in the environment; what is printed is a routes.toml with its address."""
    server, model, port = tmp_path / "server.py", tmp_path / "model.gguf", free_port()
    server.write_text(f"#!{sys.executable}\n{_SERVER}", encoding="utf-8")
    server.chmod(0o700)
    model.touch()
    named = {"ROUTING_WORKBENCH_LLAMA_SERVER": str(server), "ROUTING_WORKBENCH_GGUF": str(model)}
    command = ["make", "-o", f"{sys.prefix}/.model", "model", f"VENV={sys.prefix}", f"MODEL_ARGS=--port {port}"]
    process = subprocess.Popen(
        command,
        cwd=_ROOT,
        env=_environment(tmp_path) | named,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        printed = []
        for line in process.stdout:
            printed.append(line)
            if line.startswith("deadline_seconds"):
                break
        found = tomllib.loads("".join(printed).partition("# Serving")[2].partition("\n")[2])
        assert found["llm_clients"]["local"]["base_url"] == f"http://127.0.0.1:{port}/v1"
        assert _read(port, "health") == ""
    finally:
        os.killpg(process.pid, 15)
        process.wait(30)


def test_ci_runs_check_and_test_and_nothing_by_hand() -> None:
    """The script stops at the first failure."""
    lines = (_ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]
    assert commands == ["set -euo pipefail", 'cd "$(dirname "${BASH_SOURCE[0]}")/.."', "make check", "make test"]
    assert os.access(_ROOT / ".ci" / "run", os.X_OK)
