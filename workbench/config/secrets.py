"""Keys that stand literally in the file: where they are, never what they are. Keys come from the environment alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ...core.conversation.positions import Path
from ...core.vgr.text import redact_pieces
from .findings import Findings, named

#: Names under which a key stands, in lower case with underscores.
_NAMES: Final = re.compile(
    r"(.*_)?(api_?key|secret(_key)?|passw(or)?d|authorization|credentials?|access_?key|private_key|cookie|bearer"
    r"|(access|auth|bearer|session|refresh|api|id)_token)"
)
#: In a client and its headers these name a key too; elsewhere they may mean anything.
_SHORT_NAMES: Final = frozenset({"key", "token", "auth", "bearer_token"})
#: What looks like an e-mail address is none of these.
_KINDS: Final = frozenset({"API key", "access key", "bearer"})


def find_secrets(values: Mapping[str, Any], findings: Findings) -> None:
    """Remark on each literal key, and leave its path in `findings.secrets`."""
    found = frozenset(_secrets(values))
    findings.secrets = found
    for path in sorted(found, key=str):
        findings.error(
            "key-in-file",
            path,
            f"{named(path[-1])} holds a key, and keys come from environment variables only.",
            "Remove it, put the key into an environment variable, and name that in api_key_env of the client. "
            "If the file was shared, replace the key.",
        )


def _secrets(values: Mapping[str, Any]) -> Iterator[Path]:
    waiting: list[tuple[Path, Any]] = [((), values)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [((*path, key), one) for key, one in value.items()]
        elif isinstance(value, list):
            waiting += [((*path, number), one) for number, one in enumerate(value)]
        elif _is_secret(path, value):
            yield path


def _is_secret(path: Path, value: object) -> bool:
    if isinstance(value, str):
        if any(piece.kind in _KINDS for piece in redact_pieces(value)):
            return True
        if not value.strip():
            return False
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    names = [step for step in path if isinstance(step, str)]
    # Labels of a decision and what the judge is given are the operator's words.
    if not names or names[0] not in ("llm_clients", "targets", "routes") or "decision" in names[2:-1]:
        return False
    name = names[-1].lower().replace("-", "_")
    return bool(_NAMES.fullmatch(name)) or (names[0] == "llm_clients" and len(names) > 2 and name in _SHORT_NAMES)
