"""The command `routing-workbench`."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from .local_model.parts import NotAvailable, find_parts
from .local_model.server import CONTEXT, PORT, LocalServer

_ROUTES: Final = "local-model.toml"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, else those of the process; the exit code."""
    parser = argparse.ArgumentParser(prog="routing-workbench", description="Beside the notebook: what runs in a shell.")
    commands = parser.add_subparsers(required=True, metavar="command")
    serve = commands.add_parser(
        "serve-local-model",
        help="start the small local model and print the configuration that asks it",
        description="Start SmolLM2-135M on a llama.cpp server of this machine, until Ctrl-C. Nothing leaves loopback.",
    )
    serve.add_argument("--port", type=int, default=PORT, help="port on 127.0.0.1 (default: %(default)s)")
    serve.add_argument("--context", type=int, default=CONTEXT, help="tokens of context (default: %(default)s)")
    serve.add_argument("--server", type=Path, help="another llama.cpp server")
    serve.add_argument("--model", type=Path, help="another GGUF file")
    serve.set_defaults(run=_serve)
    chosen = parser.parse_args(arguments)
    return int(chosen.run(chosen))


def routes(port: int) -> str:
    """The routes.toml that asks a local model on this port."""
    text = files("routing_workbench.examples").joinpath(_ROUTES).read_text(encoding="utf-8")
    return text.replace(f":{PORT}/", f":{port}/")


def _serve(chosen: argparse.Namespace) -> int:
    # Whoever ends this command ends the server, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with LocalServer(find_parts(chosen.server, chosen.model), chosen.port, chosen.context) as server:
            _say(f"# Serving on 127.0.0.1:{server.port}, process {server.pid}. Ctrl-C ends it. As a routes.toml:\n")
            _say(routes(server.port))
            return 0 if server.wait() == 0 else 1
    except NotAvailable as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command answers on its standard streams
        return 1
    except KeyboardInterrupt:
        return 0


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - a command answers on its standard streams


if __name__ == "__main__":
    sys.exit(main())
