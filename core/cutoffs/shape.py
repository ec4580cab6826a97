"""Reading a configuration's JSON value by value: what has another type, or is unknown, is named (SPEC 6.1)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import isfinite

from ..conversation.model import Json
from ..vgr.strict_json import strict_json
from .refusal import InvalidCutoffs, quoted, refused


def parsed(text: str) -> Json:
    """The value of a JSON text in the strict sense, in which no key may repeat."""
    try:
        strict_json(text)
    except json.JSONDecodeError as error:
        raise refused(f"Line {error.lineno}, column {error.colno}: this is no JSON. Correct it there.") from None
    except ValueError as error:
        reason = "half a surrogate pair" if isinstance(error, UnicodeError) else str(error)
        raise refused(f"This is no JSON: {reason}. Correct it.") from None
    return json.loads(text, object_pairs_hook=_distinct)


def object_of(value: Json, what: str, known: Iterable[str] | None = None) -> Mapping[str, Json]:
    """An object, with no keys but the known ones."""
    if not isinstance(value, Mapping):
        raise _wrong(value, what, "an object")
    for key in value:
        if not isinstance(key, str):
            raise _wrong(key, f"Each key of {what[0].lower()}{what[1:]}", "text")
        if known is not None and key not in known:
            raise refused(f"{what} has the unknown key {quoted(key)}. Known keys: {', '.join(known)}.")
    return value


def needed(given: Mapping[str, Json], key: str, what: str) -> Json:
    """The value of a key that has no default."""
    if key not in given:
        raise refused(f"{what} has no {key}. Add it.")
    return given[key]


def list_of(value: Json, what: str) -> Iterable[Json]:
    """A list."""
    if not isinstance(value, (list, tuple)):
        raise _wrong(value, what, "a list")
    return value


def text_of(value: Json, what: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise _wrong(value, what, "text")
    return value


def whole_of(value: Json, what: str) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong(value, what, "a whole number")
    return value


def number_of(value: Json, what: str) -> float:
    """A number, be it whole or not a number."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise _wrong(value, what, "a number")
    # A whole number beyond the doubles stays what it is, to be refused for its size.
    return float(value) if value in (0, 1) else value


def switch_of(value: Json, what: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise _wrong(value, what, "true or false")
    return value


def json_of(value: Json, what: str) -> Json:
    """A value that JSON can hold; other sources know more, as TOML its dates and infinities."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += object_of(item, what).values()
        elif isinstance(item, list):
            waiting += item
        elif isinstance(item, float):
            if not isfinite(item):
                raise refused(f"{what} holds {quoted(item)}, which JSON has no number for. Leave it out.")
        elif item is not None and not isinstance(item, (str, int)):
            raise refused(f"{what} holds {quoted(item)}, which JSON does not know. Give it as text.")
    return value


def _distinct(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    made: dict[str, Json] = {}
    for key, value in pairs:
        if key in made:
            raise refused(f"The key {quoted(key)} stands twice in one object. Keep one of the two.")
        made[key] = value
    return made


def _wrong(value: object, what: str, needs: str) -> InvalidCutoffs:
    return refused(f"{what} must be {needs}, not {quoted(value)}.")
