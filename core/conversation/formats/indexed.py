"""Messages that are spread over numbered attributes, put together: `llm.input_messages.10.message.role` and the like.

The numbers are numbers: 10 stands behind 2, whatever the order of the names.
"""

from __future__ import annotations

from typing import Final

from ..json_text import decode_embedded
from ..model import Json
from ..positions import Path
from .spans import Span

#: Digits of an index; a longer number is a name.
_DIGITS: Final = 9
#: So many names of a path are taken apart; messages need eight.
_DEPTH: Final = 30
#: Objects whose fields are spread over dotted names in lists too.
_OBJECTS: Final = frozenset({"message", "tool_call", "message_content"})


def indexed(span: Span, prefix: str, read: set[str]) -> list[tuple[dict[str, Json], Path]]:
    """The objects under `prefix.N.`, or in the list `prefix` itself, each with its path; their names go into `read`."""
    whole = span.attributes.get(prefix)
    if isinstance(whole, str):
        found = decode_embedded(whole)
        whole = None if found is None else found[0]
    if isinstance(whole, list) and all(isinstance(item, dict) for item in whole):
        read.add(prefix)
        at = span.paths[prefix]
        return [(nested(item), (*at, index)) for index, item in enumerate(whole)]
    start = prefix + "."
    spread: dict[int, dict[str, Json]] = {}
    paths: dict[int, Path] = {}
    for name, value in span.attributes.items():
        if not name.startswith(start):
            continue
        number, _, inner = name[len(start) :].partition(".")
        if not inner or not _is_index(number):
            continue
        read.add(name)
        paths.setdefault(int(number), span.paths[name])
        spread.setdefault(int(number), {})[inner] = value
    return [(nested(spread[number]), paths[number]) for number in sorted(spread)]


class _Node(dict[str, Json]):
    """An object that names were taken apart into, and no value of the paste."""


def nested(flat: dict[str, Json]) -> dict[str, Json]:
    """An object whose dotted names are taken apart; numbered members become lists in the order of their numbers."""
    made = _Node()
    for name, raw in flat.items():
        value = raw
        if isinstance(raw, list):
            value = [nested(item) if isinstance(item, dict) and _is_spread(item) else item for item in raw]
        steps = name.split(".", _DEPTH)
        into: dict[str, Json] = made
        for depth, step in enumerate(steps[:-1]):
            below = into.setdefault(step, _Node())
            if not isinstance(below, dict):
                # A value stands where an object is due: the name stays whole.
                steps = [".".join(steps[depth:])]
                break
            into = below
        into[steps[-1]] = value
    return {name: _listed(value) for name, value in made.items()}


def _is_spread(item: dict[str, Json]) -> bool:
    return any(name.partition(".")[0] in _OBJECTS for name in item)


def _listed(value: Json) -> Json:
    if not isinstance(value, _Node):
        return value
    if value and all(map(_is_index, value)):
        return [_listed(value[name]) for name in sorted(value, key=int)]
    return {name: _listed(inner) for name, inner in value.items()}


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS
