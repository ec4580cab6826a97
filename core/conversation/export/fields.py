"""What stands beside the messages: which of it an API has a place for, and where it stood in a paste."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Collection, Mapping
from itertools import pairwise

from ..extension import FIELD
from ..model import Json
from ..positions import Path, path_from_text, path_text
from ..reading import Conversation
from .written import Written

#: What a reader keeps nothing of.
_EMPTY: tuple[Json, ...] = (None, [], {}, "")


def own_extras(conversation: Conversation) -> dict[str, Json]:
    """What was kept with a conversation, by the place in it, wherever in its paste it stood.

    What was kept of a paste of several as a whole is none of one conversation's.
    """
    extras = conversation.extras
    own = extras.maps[0] if isinstance(extras, ChainMap) else extras
    root = root_of(conversation)
    return {key.removeprefix(root + ".") if root else key: value for key, value in own.items()}


def root_of(conversation: Conversation) -> str:
    """Where a conversation stands in a paste of several, e.g. `[2]`; empty where it is the whole paste."""
    paths = [place.path or "" for place in conversation.places] or list(conversation.extras)
    head, dot, _ = (paths[0] if paths else "").partition(".")
    is_record = bool(dot) and head.startswith("[") and head[1:-1].isdigit()
    return head if is_record and all(path.startswith(head + ".") for path in paths) else ""


def in_body(extras: Mapping[str, Json], known: Mapping[str, Callable[[Json], bool]]) -> dict[str, Json]:
    """The fields of a body that the API knows, where their value is in its words."""
    return {key: value for key, value in extras.items() if key in known and value not in _EMPTY and known[key](value)}


def in_messages(extras: Mapping[str, Json], known: Collection[str | int]) -> dict[Path, Json]:
    """The fields of messages and blocks that the API knows, by their paths."""
    found = {}
    for key, value in extras.items():
        path = path_from_text(key)
        is_inside = bool(path) and path[0] in ("messages", "system") and path[-1] in known
        if is_inside and path_text(path) == key and value not in _EMPTY and FIELD not in path:
            found[path] = value
    return found


def put(path: Path, value: Json, body: dict[str, Json], written: Written) -> None:
    """Put a value that stood in a message there again; it is left out where its place is not what it was."""
    if not _is_in_place(path, written):
        return
    at: Json = body
    for step, following in pairwise(path):
        inner = _inner(at, step)
        if isinstance(inner, str) and inner and following == 0 and step in ("content", "system"):
            # A text that has something beside it is a block.
            inner = at[step] = [{"type": "text", "text": inner}]
        if not isinstance(inner, (dict, list)):
            return
        at = inner
    if isinstance(at, dict):
        at.setdefault(path[-1], value)


def _inner(at: Json, step: str | int) -> Json:
    if isinstance(at, dict):
        return at.get(step)
    return at[step] if isinstance(at, list) and isinstance(step, int) and step < len(at) else None


def _is_in_place(path: Path, written: Written) -> bool:
    """Whether each block of the message is written, so that its number is what it was."""
    if path[0] == "system":
        return written.system is not None and written.system.is_whole
    index = path[1] if len(path) > 1 else None
    return isinstance(index, int) and index < len(written.messages) and written.messages[index].is_whole
