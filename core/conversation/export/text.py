"""JSON for people and programs: a body with a message a line, which is quick to write and easy to compare."""

from __future__ import annotations

from ..json_text import compact
from ..model import Json


def document(body: dict[str, Json]) -> str:
    """The body with each field on a line, and each item of a list of objects on one of its own."""
    return "{\n" + ",\n".join(f" {compact(name)}: {_value(value)}" for name, value in body.items()) + "\n}\n"


def _value(value: Json) -> str:
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return "[\n" + ",\n".join(f"  {compact(item)}" for item in value) + "\n ]"
    return compact(value)


def line(body: dict[str, Json]) -> str:
    """The body on one line, as files with a conversation a line have it."""
    return compact(body) + "\n"
