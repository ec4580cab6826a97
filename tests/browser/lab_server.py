"""A real JupyterLab on a free loopback port, with nothing of the user's: own configuration, workspace, root folder."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import IO

#: Seconds to wait for the server to say that it runs, and to end.
_START = 60.0
_STOP = 15.0


class LabServer:
    """Runs while it is entered; ended by its own process, never by a name."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self._home = folder / "home"
        self.token = secrets.token_hex(16)
        self.port = free_port()
        #: The last lines that the server wrote.
        self.log: deque[str] = deque(maxlen=400)
        self._started = threading.Event()

    @property
    def url(self) -> str:
        """The server's address, without a path."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> LabServer:
        """Start the server and wait until it says that it runs."""
        self.root.mkdir(parents=True)
        config = self._home / "config" / "labconfig"
        config.mkdir(parents=True)
        disabled = {"@jupyterlab/apputils-extension:announcements": True}
        (config / "page_config.json").write_text(json.dumps({"disabledExtensions": disabled}), encoding="utf-8")
        self._process = subprocess.Popen(
            self._command(),
            cwd=self.root,
            env=private_environment(self._home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        assert self._process.stdout is not None
        threading.Thread(target=self._drain, args=(self._process.stdout,), daemon=True).start()
        if not self._started.wait(_START) or self._process.poll() is not None:
            self._end()
            raise RuntimeError("JupyterLab did not start:\n" + "".join(self.log))
        wait_until_listening(self.port)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the server; it ends its kernels."""
        self._end()

    def _command(self) -> list[str]:
        return [
            sys.executable,
            "-P",  # the root folder stays out of the import path
            "-m",
            "jupyterlab",
            "--no-browser",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={self.port}",
            "--ServerApp.port_retries=0",
            "--ServerApp.allow_root=True",
            f"--ServerApp.root_dir={self.root}",
            f"--IdentityProvider.token={self.token}",
            "--LabApp.expose_app_in_browser=True",
            "--LabApp.extension_manager=readonly",
        ]

    def _drain(self, output: IO[str]) -> None:
        for line in output:
            self.log.append(line)
            if f"127.0.0.1:{self.port}/" in line:
                self._started.set()
        self._started.set()  # the output ended: the server did too

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(_STOP)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def private_environment(home: Path) -> dict[str, str]:
    """The environment for a JupyterLab that keeps everything under `home` and reads nothing of the user's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON"))}
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    return kept | {name: str(home / folder) for name, folder in places.items()}


def free_port() -> int:
    """A loopback port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_listening(port: int) -> None:
    """Wait for the port to take connections, which Jupyter's does only after it has printed its address."""
    deadline = monotonic() + _START
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=_START).close()
            return
        except ConnectionRefusedError:
            if monotonic() > deadline:
                raise
            threading.Event().wait(0.05)
