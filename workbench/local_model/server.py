"""The local model's server as a process of ours: started, waited for, and ended by its process id."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
from time import monotonic, sleep
from types import TracebackType
from typing import Final

from .parts import ALIAS, NotAvailable, Parts

#: Loopback alone: the model is for this machine.
HOST: Final = "127.0.0.1"
#: The port that examples/local-model.toml names.
PORT: Final = 8093
#: Tokens of context. Long sessions need more than the 2,048 that a readout gets by with; 8,192 is what the model knows.
CONTEXT: Final = 8192
#: Threads that compute, where the machine has cores to spare for them.
THREADS: Final = 2
_READY: Final = 60.0
_STOP: Final = 10.0
_POLL: Final = 0.05


def threads(cores: int | None = None) -> int:
    """Threads for a machine of so many cores, else this one: one core stays with the notebook and its browser.

    Threads wait for each other after every operation, so one that has to share its core holds up all: on two busy
    cores a readout took 12 s with two threads and 0.6 s with one.
    """
    return max(1, min(THREADS, (cores or os.cpu_count() or 1) - 1))


def command(parts: Parts, port: int, context: int = CONTEXT, cores: int | None = None) -> list[str]:
    """The command line that serves this model; nothing of it reaches beyond this machine."""
    return [
        str(parts.server),
        *("-m", str(parts.model), "--alias", ALIAS, "--host", HOST, "--port", str(port)),
        *("-t", str(threads(cores)), "-c", str(context), "--parallel", "1", "--offline", "--no-ui", "--no-repack"),
    ]


class LocalServer:
    """Runs while it is entered. Its output is dropped: it would hold the conversations."""

    def __init__(self, parts: Parts, port: int = PORT, context: int = CONTEXT) -> None:
        self._command = command(parts, port, context)
        self.port = port
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process id. Raises RuntimeError before the start."""
        if self._process is None:
            raise RuntimeError("The local model server is not started; enter it first.")
        return self._process.pid

    def __enter__(self) -> LocalServer:
        """Start it and wait until it answers. Raises NotAvailable where it ends instead, or takes too long."""
        if _answers(self.port):
            raise NotAvailable(f"Port {self.port} is taken. Choose another with --port, or end what serves there.")
        self._process = subprocess.Popen(  # noqa: S603 - our own argument list, no shell
            self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = monotonic() + _READY
        try:
            while not _healthy(self.port):
                ended = self._process.poll()
                if ended is not None:
                    raise NotAvailable(_ended(ended))
                if monotonic() > until:
                    raise NotAvailable(f"The local model server did not answer within {_READY:.0f} s.")
                sleep(_POLL)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        self.stop()

    def wait(self) -> int:
        """Wait until it ends by itself; its exit code, negative for a signal."""
        return 0 if self._process is None else self._process.wait()

    def stop(self) -> None:
        """End it, by force where it does not go. Does nothing the second time."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(_STOP)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def kill(self) -> None:
        """End it at once, in the midst of whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def _ended(code: int) -> str:
    if code == -signal.SIGILL:
        return "The local model server was built for another CPU: it ended with an illegal instruction."
    return f"The local model server ended with code {code} before it answered. Start it by hand to see why."


def _healthy(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=1.0)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=1.0)
    try:
        connection.connect()
    except OSError:
        return False
    finally:
        connection.close()
    return True
