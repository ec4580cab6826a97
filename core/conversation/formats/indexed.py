"""Messages that are spread over numbered attributes, put together: `llm.input_messages.10.message.role` and the like.

The numbers are numbers: 10 stands behind 2, whatever the order of the names.
"""

from __future__ import annotations

from typing import Final

from ..document import parse_document
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
        # Tables are stored with what Python prints of their lists.
        whole = parse_document(whole).value if found is None else found[0]
    if isinstance(whole, list) and all(isinstance(item, dict) for item in whole):
        read.add(prefix)
        at = span.paths[prefix]
        return [(nested(item), (*at, index)) for index, item in enumerate(whole)]
    start = prefix + "."
    cut = len(start)
    spread: dict[str, _Node] = {}
    paths: dict[str, Path] = {}
    for name, value in span.attributes.items():
        if name.startswith(start):
            number, _, inner = name[cut:].partition(".")
            if inner and _is_index(number):
                read.add(name)
                node = spread.get(number)
                if node is None:
                    node, paths[number] = _Node(), span.paths[name]
                    spread[number] = node
                _put(node, inner, value)
    return [(_object(spread[number]), paths[number]) for number in sorted(spread, key=int)]


class _Node(dict[str, Json]):
    """An object that names were taken apart into, and no value of the paste."""


def nested(flat: dict[str, Json]) -> dict[str, Json]:
    """An object whose dotted names are taken apart; numbered members become lists in the order of their numbers."""
    made = _Node()
    for name, value in flat.items():
        _put(made, name, value)
    return _object(made)


def _put(made: _Node, name: str, raw: Json) -> None:
    value = raw
    if isinstance(raw, list):
        value = [nested(item) if isinstance(item, dict) and _is_spread(item) else item for item in raw]
    *steps, last = name.split(".", _DEPTH)
    into: dict[str, Json] = made
    for depth, step in enumerate(steps):
        below = into.get(step)
        if below is None:
            below = into[step] = _Node()
        elif not isinstance(below, dict):
            # A value stands where an object is due: the name stays whole.
            last = ".".join((*steps[depth:], last))
            break
        into = below
    into[last] = value


def _object(made: _Node) -> dict[str, Json]:
    return {name: _listed(value) if type(value) is _Node else value for name, value in made.items()}


def _is_spread(item: dict[str, Json]) -> bool:
    return any(name.partition(".")[0] in _OBJECTS for name in item)


def _listed(value: _Node) -> Json:
    if _is_index(next(iter(value))) and all(map(_is_index, value)):
        items = [value[name] for name in sorted(value, key=int)]
        return [_listed(item) if type(item) is _Node else item for item in items]
    return _object(value)


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS
