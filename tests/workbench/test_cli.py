"""The command `routing-workbench` serves the local model, prints its configuration, and ends what it started."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path

import pytest
from routing_workbench.workbench.cli import _next_step, main, routes
from routing_workbench.workbench.local_model.server import PORT

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


def test_a_file_that_is_there_is_never_overwritten(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It is refused before anything is started."""
    mine = tmp_path / "routes.toml"
    mine.write_text("# mine\n", encoding="utf-8")
    assert main(["serve-local-model", "--write", str(mine)]) == 1
    assert f"{mine} is there already" in capsys.readouterr().err
    assert mine.read_text("utf-8") == "# mine\n"


def test_what_is_missing_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without a server the command fails with a sentence, not with a traceback."""
    assert main(["serve-local-model", "--server", str(tmp_path / "none")]) == 1
    assert "The server is not there" in capsys.readouterr().err


@pytest.fixture
def stand_in(tmp_path: Path) -> list[str]:
    """The options that start the stand-in for a server, with an empty model."""
    server, model = tmp_path / "server.py", tmp_path / "model.gguf"
    server.write_text(f"#!{sys.executable}\n{_SERVER}", encoding="utf-8")
    server.chmod(0o700)
    model.touch()
    return ["--server", str(server), "--model", str(model)]


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGINT], ids=["terminated", "interrupted"])
def test_ending_the_command_ends_the_server(stand_in: list[str], tmp_path: Path, ended_by: signal.Signals) -> None:
    """It says so once the server answers, and takes the server with it."""
    with _served([*stand_in, "--port", str(_free_port())], tmp_path) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(ended_by)
        assert process.wait(30) == 0
    assert first.startswith("# Serving smollm2-135m on 127.0.0.1:")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "server.pid").read_text("utf-8")), 0)


def test_what_it_prints_is_the_configuration_and_what_to_do_with_it(stand_in: list[str], tmp_path: Path) -> None:
    """All of the output can be saved as it stands; the file it was asked to write holds the same, and is named."""
    port = _free_port()
    with _served([*stand_in, "--port", str(port), "--write", "mine.toml"], tmp_path) as process:
        assert process.stdout is not None
        printed = ""
        while "deadline_seconds" not in printed:
            line = process.stdout.readline()
            assert line, "the command ended"
            printed += line
        process.terminate()
        assert process.wait(30) == 0
    assert tomllib.loads(printed) == tomllib.loads((tmp_path / "mine.toml").read_text("utf-8"))
    assert tomllib.loads(printed)["llm_clients"]["local"]["base_url"] == f"http://127.0.0.1:{port}/v1"
    assert f"Workbench.from_config({str(tmp_path.resolve() / 'mine.toml')!r})" in printed


def test_the_shipped_configuration_is_named_for_the_usual_port() -> None:
    """It lies in the package, so nothing has to be written."""
    (path,) = [line[1:].strip() for line in _next_step(None, PORT).splitlines() if line.endswith(".toml")]
    assert Path(path).read_text("utf-8") == routes(PORT)
    assert "--write" in _next_step(None, PORT + 1)


@contextmanager
def _served(options: list[str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The command, running in this folder, and ended with what it started whatever happens."""
    command = [sys.executable, "-m", "routing_workbench.workbench.cli", "serve-local-model", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=folder, encoding="utf-8") as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
