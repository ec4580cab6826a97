"""The command `routing-workbench`."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from .local_model.parts import ALIAS, NotAvailable, find_parts
from .local_model.server import CONTEXT, HOST, PORT, LocalServer

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
    serve.add_argument("--write", type=Path, metavar="FILE", help="write the configuration to a new file, too")
    serve.set_defaults(run=_serve)
    chosen = parser.parse_args(arguments)
    return int(chosen.run(chosen))


def routes(port: int) -> str:
    """The routes.toml that asks a local model on this port."""
    return _shipped().read_text(encoding="utf-8").replace(f":{PORT}/", f":{port}/")


def _shipped() -> Path:
    """The configuration in the package: that of the usual port."""
    return Path(str(files("routing_workbench.examples").joinpath(_ROUTES)))


def _serve(chosen: argparse.Namespace) -> int:
    # Whoever ends this command ends the server, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if chosen.write is not None and chosen.write.exists():
            raise NotAvailable(f"{chosen.write} is there already and stays as it is. Name a new file.")
        with LocalServer(find_parts(chosen.server, chosen.model), chosen.port, chosen.context) as server:
            # A comment each, so that all of the output is a routes.toml.
            _say(f"# Serving {ALIAS} on {HOST}:{server.port}, process {server.pid}. Ctrl-C ends it.")
            _say(_next_step(chosen.write, server.port))
            _say(routes(server.port))
            return _ended(server.wait())
    except (NotAvailable, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command answers on its standard streams
        return 1
    except KeyboardInterrupt:
        return 0


def _ended(code: int) -> int:
    """The server ended although nobody ended the command; said where it did not end well."""
    if code:
        print(f"The local model server ended with code {code}.", file=sys.stderr)  # noqa: T201 - a command answers on its standard streams
    return 1 if code else 0


def _next_step(written: Path | None, port: int) -> str:
    """Which file to name in the notebook; writes it where one is asked for."""
    if written is not None:
        with written.open("x", encoding="utf-8") as file:
            file.write(routes(port))
    elif port != PORT:
        return f"# Save what follows, or start again with --write {_ROUTES}; then name that file in the notebook.\n"
    path = (_shipped() if written is None else written).resolve()
    return (
        f"# In the notebook, under Driver: load this file as the configuration, then choose live.\n#   {path}\n"
        f"# Or in a cell: Workbench.from_config({str(path)!r})\n"
    )


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - a command answers on its standard streams


if __name__ == "__main__":
    sys.exit(main())
