"""What the records of all three algorithms have in common (SPEC 7, "Records hold no content")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite
from typing import Any, Protocol

from ..core.conversation.reading import Reading
from ..core.vgr.evidence import Asked, Origin
from ..widgets.algorithm import Algorithm
from ..widgets.screen import Controls, Failure

#: The version of the record's own shape.
RECORD_VERSION = 1


class Recorded(Protocol):
    """What every result has."""

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm it is of."""
        ...

    @property
    def reading(self) -> Reading:
        """What was pasted, as read."""
        ...

    @property
    def controls(self) -> Controls:
        """The operator's settings."""
        ...

    @property
    def origin(self) -> Origin:
        """Whom it asked."""
        ...

    @property
    def failure(self) -> Failure | None:
        """What failed."""
        ...


def head(result: Recorded, prompt_set: str) -> dict[str, Any]:
    """What every record begins with: by what it was made, of what, and what failed."""
    from .. import __version__

    made: dict[str, Any] = {
        "record": RECORD_VERSION,
        "workbench": __version__,
        "algorithm": result.algorithm.value,
        "prompt_set": prompt_set,
        "driver": origin(result.origin),
        "controls": _controls(result.controls),
        "reading": _reading(result.reading),
    }
    if result.failure is not None:
        made["failure"] = {"stage": result.failure.stage, "what": result.failure.what}
    return made


def origin(found: Origin) -> dict[str, str]:
    """Where a value comes from."""
    return {"kind": found.kind.value, "label": found.label}


def asked(row: Asked) -> dict[str, Any]:
    """One question: when, how long, what of it was read, and by whom it was answered."""
    return {
        "rung": row.rung.value,
        "started_ms": round(row.started * 1000, 3),
        "took_ms": round(row.took * 1000, 3),
        "value": number(row.value) if isinstance(row.value, float) else row.value,
        "miss": row.miss,
        "error": row.error,
        "note": row.note,
        "extra": row.extra,
        "origin": origin(row.origin),
    }


def length(text: str | None) -> dict[str, int] | None:
    """A text by its length; None stays."""
    return None if text is None else {"chars": len(text)}


def number(value: float | None) -> float | str | None:
    """A number as JSON has it; NaN and the infinities as words."""
    return value if value is None or isfinite(value) else str(value)


def number_from(value: Any) -> Any:
    """The number that `number` wrote."""
    return float(value) if isinstance(value, str) else value


def numbers(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with their numbers as JSON has them."""
    return {name: number(value) if isinstance(value, float) else value for name, value in fields.items()}


def _controls(controls: Controls) -> dict[str, Any]:
    # Whether an approval was given matters; a mistyped one could be anything that was in the clipboard.
    return numbers(asdict(controls)) | {"approval": {"chars": len(controls.approval)}}


def _reading(reading: Reading) -> dict[str, Any]:
    return {
        "format": None if reading.format is None else reading.format.name,
        "conversations": len(reading.conversations),
        # Messages edited or removed by hand: the paste alone does not give this result.
        "edits": reading.edits,
        "remarks": [
            {
                "severity": remark.severity.value,
                "code": remark.code,
                "line": remark.place.line,
                "column": remark.place.column,
            }
            for remark in reading.diagnostics
        ],
    }
