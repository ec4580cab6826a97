"""The command `routing-workbench` serves the local model, prints its configuration, and ends what it started."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from routing_workbench.workbench.cli import main, routes

#: Stands in for a server: says its process id in a file beside it, and answers /health.
_SERVER = """
import http.server, os, pathlib, sys
pathlib.Path(__file__).with_suffix(".pid").write_text(str(os.getpid()))
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *arguments):
        pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Handler).serve_forever()
"""


def test_the_command_is_installed() -> None:
    """The wheel brings the command."""
    (found,) = [point for point in distribution("routing-workbench").entry_points if point.name == "routing-workbench"]
    assert found.load() is main


def test_the_configuration_names_the_port() -> None:
    """Another port than the usual one stands in what is printed."""
    assert tomllib.loads(routes(9999))["llm_clients"]["local"]["base_url"] == "http://127.0.0.1:9999/v1"


def test_what_is_missing_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without a server the command fails with a sentence, not with a traceback."""
    assert main(["serve-local-model", "--server", str(tmp_path / "none")]) == 1
    assert "The server is not there" in capsys.readouterr().err


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGINT], ids=["terminated", "interrupted"])
def test_ending_the_command_ends_the_server(tmp_path: Path, ended_by: signal.Signals) -> None:
    """It prints the configuration once the server answers, and takes the server with it."""
    server, model = tmp_path / "server.py", tmp_path / "model.gguf"
    server.write_text(f"#!{sys.executable}\n{_SERVER}", encoding="utf-8")
    server.chmod(0o700)
    model.touch()
    words = ["serve-local-model", "--server", str(server), "--model", str(model), "--port", str(_free_port())]
    command = [sys.executable, "-m", "routing_workbench.workbench.cli", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path, encoding="utf-8") as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(ended_by)
        assert process.wait(30) == 0
    assert first.startswith("# Serving on 127.0.0.1:")
    with pytest.raises(ProcessLookupError):
        os.kill(int(server.with_suffix(".pid").read_text("utf-8")), 0)


def _free_port() -> int:

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
