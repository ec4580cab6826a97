"""Checking a table of the file: its model's value, or one remark for each key that is wrong, missing or unknown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date, time
from enum import Enum
from math import isfinite
from typing import Any, Final, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from ...core.conversation.positions import Path, path_text
from ...core.vgr.policy import Policy, RecoveredRun, TurnVerification
from .findings import Findings, choose, named, nearest
from .tables import Table

#: Constants of the policy, which no route sets (SPEC 4.4).
POLICY_NAMES: Final = frozenset(
    field.name for constants in (Policy, RecoveredRun, TurnVerification) for field in fields(constants)
) | {"policy", "thresholds"}
#: How further bars and dials end that people may look for.
_POLICY_ENDINGS: Final = ("_bar", "_dial", "_floor", "_threshold")
#: Keys of the documented format that are not read here and change no decision.
_NOT_READ: Final = {
    "context_window": "it tells clients what the route can take",
    "tool_calling": "it tells clients what the route can take",
    "reasoning": "it tells clients what the route can take",
    "vision": "it tells clients what the route can take",
    "forward_auth": "the workbench has no caller whose credential it could forward",
    "prompt": "the workbench asks with its own rubric, which may judge otherwise",
}
#: Digits of a number that a sentence shows.
_DIGITS: Final = 12
#: The errors of values that are numbers, as they should be.
_NUMBERS: Final = frozenset(
    {"greater_than", "greater_than_equal", "less_than", "less_than_equal", "finite_number", "int_from_float"}
)

T = TypeVar("T", bound=Table)


def checked(model: type[T], values: object, path: Path, words: str, findings: Findings) -> T | None:
    """The table at this path as the model's value; None where a remark says why there is none.

    `words` name the table in a sentence, as in "Client `local`". Keys that have been remarked on as secrets are left
    out of the value, so it is for the caller to ask whether anything below the path has failed.
    """
    if not isinstance(values, dict):
        findings.error("wrong-value", path, f"{words} must be a table, not {given(values)}.", "Write it as a table.")
        return None
    known = {key: value for key, value in values.items() if not _said(model, key, (*path, key), words, findings)}
    try:
        return model.model_validate(known)
    except ValidationError as error:
        for one in error.errors(include_url=False, include_context=False):
            _remark(model, one["type"], one["loc"], one["input"], path, words, findings)
    return None


def absent(table: Table, prefix: str = "") -> Iterator[tuple[str, str]]:
    """The keys that a table leaves to their defaults, each with the default in words; nested tables add theirs."""
    for key, info in type(table).model_fields.items():
        value = getattr(table, key)
        if isinstance(value, Table):
            yield from absent(value, f"{prefix}{key}.")
        elif key not in table.model_fields_set:
            extra = info.json_schema_extra
            words = str(extra.get("absent") or "") if isinstance(extra, dict) else ""
            if words or value is not None:
                yield f"{prefix}{key}", words or worded(value)


def worded(value: object) -> str:
    """A default in words, as the file would write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return str(value.value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def given(value: object) -> str:
    """What a value is, in words that repeat nothing of the file."""
    if isinstance(value, bool):
        return worded(value)
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a text" if value.strip() else "an empty text"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, Mapping):
        return "a table"
    return "a date or time" if isinstance(value, (date, time)) else "a value of another type"


def number(value: object) -> str:
    """A number that is out of its range, as a sentence shows it."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return given(value)
    if isinstance(value, float) and not isfinite(value):
        return "nan" if value != value else "infinite"
    if abs(value) >= 10**_DIGITS:
        return "a number that large"
    return worded(value)


def no_json(value: Any, path: Path) -> Path | None:
    """The path of the first value inside that JSON cannot hold: a date, a time, nan, an infinity."""
    waiting: list[tuple[Path, Any]] = [(path, value)]
    while waiting:
        at, item = waiting.pop()
        if isinstance(item, dict):
            waiting += [((*at, key), one) for key, one in reversed(item.items())]
        elif isinstance(item, list):
            waiting += [((*at, number), one) for number, one in reversed(list(enumerate(item)))]
        elif not isinstance(item, (str, int, float)) or (isinstance(item, float) and not isfinite(item)):
            return at
    return None


def _said(model: type[BaseModel], key: str, path: Path, words: str, findings: Findings) -> bool:
    """Whether this key is not the model's, and no more than a warning: it is left out."""
    if path in findings.secrets or key in model.model_fields or key not in _NOT_READ:
        return path in findings.secrets
    findings.warning(
        "not-read", path, f"{named(key)} of {_inside(words)} is not read here: {_NOT_READ[key]}.", "It can stay."
    )
    return True


def _remark(
    model: type[Table], kind: str, loc: Sequence[str | int], value: Any, path: Path, words: str, findings: Findings
) -> None:
    where = (*path, *loc)
    if kind == "extra_forbidden":
        _unknown(_holder(model, loc), str(loc[-1]), where, words, findings)
        return
    must = _must(model, loc)
    key = named(path_text(tuple(loc)))
    if where in findings.secrets:
        return
    if kind == "missing":
        findings.error("missing-key", where[:-1], f"{words} has no {key}.", f"Add it: {must}.")
        return
    if kind == "enum" and isinstance(value, str):
        shown = f": {named(value)} is none"
    else:
        shown = f", not {number(value) if kind in _NUMBERS else given(value)}"
    findings.error("wrong-value", where, f"{key} must be {must}{shown}.", "Correct the value.")


def _unknown(model: type[BaseModel], key: str, path: Path, words: str, findings: Findings) -> None:
    near = nearest(key, model.model_fields)
    if key in POLICY_NAMES or (near is None and key.endswith(_POLICY_ENDINGS)):
        findings.error(
            "threshold",
            path,
            f"{named(key)} is a threshold, and thresholds are no route settings.",
            "Remove it; change the policy in the workbench, as a what-if.",
        )
        return
    known = [name for name in model.model_fields if name != "type"]
    step = choose(key, known, "") if near else f"Remove it. The keys are {', '.join(known)}."
    findings.error("unknown-key", path, f"{named(key)} is no key of {_inside(words)}.", step)


def _inside(words: str) -> str:
    return words[:1].lower() + words[1:]


def _must(model: type[BaseModel], loc: Sequence[str | int]) -> str:
    """What the value at this place must be, as its field says; inside a list or a plain table, as their field says."""
    holder = model
    must = "a value"
    for step in loc:
        info = holder.model_fields.get(step) if isinstance(step, str) else None
        if info is not None:
            must = info.description or must
            holder = _nested(info) or holder
    return must


def _holder(model: type[BaseModel], loc: Sequence[str | int]) -> type[BaseModel]:
    """The model of the table in which the last key of a place stands."""
    for step in loc[:-1]:
        info = model.model_fields.get(step) if isinstance(step, str) else None
        model = (_nested(info) if info is not None else None) or model
    return model


def _nested(info: FieldInfo) -> type[BaseModel] | None:
    waiting = [info.annotation]
    while waiting:
        one = waiting.pop()
        if isinstance(one, type) and issubclass(one, BaseModel):
            return one
        waiting += get_args(one)
    return None
