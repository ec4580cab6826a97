"""Capabilities and signals read from the flat JSON form that records and golden vectors use (SPEC 4.1, 4.3)."""

from __future__ import annotations

from collections.abc import Mapping

from ..conversation.model import Json
from .capabilities import Capabilities, ToolErrors, ToolErrorSource
from .signals import ReportedToolErrors, Signals, ToolReport, Verdict

_SCORES = ("readout", "deliberation")


def capabilities_from_json(raw: Mapping[str, Json]) -> Capabilities:
    """Read a flat capability set; a missing key is unset. Raises TypeError or ValueError on another shape."""
    fields = dict(raw)
    source, count = fields.pop("tool_error_source", None), fields.pop("tool_error_count", None)
    if (source is None) is not (count is None):
        raise ValueError("tool_error_source and tool_error_count are set together or not at all")
    errors = None if source is None else ToolErrors(ToolErrorSource(source), count)
    return Capabilities(**fields | {"tool_errors": errors, "prior_local": _number(fields.get("prior_local"))})


def signals_from_json(raw: Mapping[str, Json]) -> Signals:
    """Read signals; a missing key was never asked for. Raises TypeError or ValueError on another shape."""
    fields: dict[str, Json] = {}
    for name, value in raw.items():
        if name == "tool_errors":
            report, _, count = value.partition(":")
            fields[name] = ReportedToolErrors(ToolReport(report), int(count) if count else None)
        else:
            fields[name] = _number(value) if name in _SCORES else Verdict(value)
    return Signals(**fields)


def _number(value: Json) -> float | None:
    """A number; NaN and the infinities, which JSON has not, are written as strings."""
    return None if value is None else float(value)
