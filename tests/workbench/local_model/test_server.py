"""The local model's server is started, waited for and ended; what goes wrong on the way is said."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest
from routing_workbench.workbench.local_model.parts import NotAvailable, Parts
from routing_workbench.workbench.local_model.server import LocalServer, command, threads

#: Stands in for a server: answers /health on the port that it is given.
_SERVER = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/health" else 404)
        self.end_headers()
    def log_message(self, *arguments):
        pass
port = int(sys.argv[sys.argv.index("--port") + 1])
http.server.HTTPServer(("127.0.0.1", port), Handler).serve_forever()
"""


def stand_in(folder: Path, body: str) -> Parts:
    """A command that runs this Python text, and an empty model."""
    script = folder / "server"
    script.write_text(f"#!{sys.executable}\n{body}", encoding="utf-8")
    script.chmod(0o700)
    model = folder / "model.gguf"
    model.touch()
    return Parts(script, model)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_the_command_stays_on_loopback_and_offline(tmp_path: Path) -> None:
    """The command line says so."""
    words = command(Parts(tmp_path / "server", tmp_path / "m.gguf"), 8093, 2048)
    assert words[words.index("--host") + 1] == "127.0.0.1"
    assert words[words.index("-c") + 1] == "2048"
    assert "--offline" in words


@pytest.mark.parametrize(("cores", "expected"), [(1, 1), (2, 1), (3, 2), (64, 2)])
def test_one_core_stays_with_the_notebook(tmp_path: Path, cores: int, expected: int) -> None:
    """Two threads at most, and never all cores but on a machine that has one."""
    words = command(Parts(tmp_path / "server", tmp_path / "m.gguf"), 8093, cores=cores)
    assert words[words.index("-t") + 1] == str(expected) == str(threads(cores))


def test_a_server_is_ready_when_entered_and_gone_when_left(tmp_path: Path) -> None:
    """Entering waits for it; leaving ends the process."""
    with LocalServer(stand_in(tmp_path, _SERVER), free_port()) as server:
        pid = server.pid
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_server_that_ends_at_once_is_said_to(tmp_path: Path) -> None:
    """The exit code is told."""
    with pytest.raises(NotAvailable, match="ended with code 3"):
        LocalServer(stand_in(tmp_path, "raise SystemExit(3)"), free_port()).__enter__()


def test_an_illegal_instruction_is_said_in_words(tmp_path: Path) -> None:
    """A server built for another CPU is recognized by its signal."""
    with pytest.raises(NotAvailable, match="built for another CPU"):
        LocalServer(stand_in(tmp_path, "import os; os.kill(os.getpid(), 4)"), free_port()).__enter__()


def test_a_taken_port_is_not_mistaken_for_the_model(tmp_path: Path) -> None:
    """Whatever serves there already is not ours."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        with pytest.raises(NotAvailable, match=f"Port {port} is taken"):
            LocalServer(stand_in(tmp_path, _SERVER), port).__enter__()
