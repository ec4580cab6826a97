"""The cassettes that the package carries: recorded from a real model, to be shown without network and without a key."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

_SUFFIX = ".jsonl"


def shipped_cassettes() -> Mapping[str, Traversable]:
    """Every shipped cassette by name, in order; `read_cassette` reads it. Empty where none is installed."""
    folder = files(f"{__name__.rpartition('.workbench.')[0]}.examples") / "cassettes"
    if not folder.is_dir():
        return {}
    found = sorted([entry for entry in folder.iterdir() if entry.name.endswith(_SUFFIX)], key=lambda entry: entry.name)
    return {entry.name.removesuffix(_SUFFIX): entry for entry in found}
