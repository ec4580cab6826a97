"""Pieces of a streamed value, put together: texts are appended, lists merged by `index`, the rest replaced.

Appended texts stay lists of pieces until the end, so that a long stream costs no more than its length.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..model import Json

#: Texts that are whole in each piece that has them.
_WHOLE = frozenset({"role", "type", "id", "object", "model", "status", "call_id", "finish_reason"})


class _Pieces(list[str]):
    """A text that is still being written."""


def add_delta(into: dict[str, Json], delta: Mapping[str, Json]) -> None:
    """Merge one piece of an object into what came before."""
    for key, value in delta.items():
        before = into.get(key)
        if value is None:
            into.setdefault(key, None)
        elif isinstance(value, str) and key not in _WHOLE:
            if isinstance(before, _Pieces):
                # Some servers send the name of a call with every piece of it.
                if key != "name" or before != [value]:
                    before.append(value)
            elif key == "content" and isinstance(before, list):
                # Some models write parts while they think, and plain text after it.
                before.append({"type": "text", "text": value})
            else:
                into[key] = _Pieces([value])
        elif isinstance(value, str):
            into[key] = value or before
        elif isinstance(value, dict):
            if not isinstance(before, dict):
                before = into[key] = {}
            add_delta(before, value)
        elif isinstance(value, list):
            if not isinstance(before, list) or isinstance(before, _Pieces):
                text = before if key == "content" and isinstance(before, _Pieces) and any(before) else None
                before = into[key] = [] if text is None else [{"type": "text", "text": text}]
            for item in value:
                _add_item(before, item)
        else:
            into[key] = value


def _add_item(items: list[Json], item: Json) -> None:
    """Merge an item into the one it continues, or append it."""
    before = _continued(items, item) if isinstance(item, dict) else None
    if before is not None:
        add_delta(before, item)
    elif isinstance(item, dict):
        made: dict[str, Json] = {}
        add_delta(made, item)
        items.append(made)
    else:
        items.append(item)


def _continued(items: list[Json], item: Mapping[str, Json]) -> dict[str, Json] | None:
    """The item of the same index, but for a new id; without an index that of the same id, or the last call."""
    index, given = item.get("index"), item.get("id")
    for before in reversed(items):
        if not isinstance(before, dict):
            continue
        other = before.get("id")
        if index is not None:
            if before.get("index") == index:
                return before if not (given and other and given != other) else None
        elif given:
            if given == other:
                return before
        elif isinstance(function := item.get("function"), dict):
            return None if function.get("name") else before
        else:
            return None
    return None


def joined(value: Json) -> Json:
    """The value with its texts written out."""
    if isinstance(value, _Pieces):
        return "".join(value)
    if isinstance(value, dict):
        return {key: joined(item) for key, item in value.items()}
    if isinstance(value, list):
        return [joined(item) for item in value]
    return value
