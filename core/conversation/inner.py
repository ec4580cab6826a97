"""Where a conversation stands inside other JSON, to point at it."""

from __future__ import annotations

from .formats import REGISTRY, Source
from .model import Json
from .positions import Path

#: So many values are looked at; a wrapper is small beside what it wraps.
_LOOKED_AT = 400


def inner_conversation(value: Json) -> Path | None:
    """The path of the uppermost value that a format fits; None where there is none near the surface."""
    level: list[tuple[Json, Path]] = [(value, ())]
    seen = 0
    while level:
        below: list[tuple[Json, Path]] = []
        for outer, path in level:
            steps = enumerate(outer) if isinstance(outer, list) else outer.items()
            for step, inner in steps:
                seen += 1
                if seen > _LOOKED_AT:
                    return None
                if isinstance(inner, (dict, list)):
                    if REGISTRY.top(Source(inner, (*path, step), registry=REGISTRY)) is not None:
                        return (*path, step)
                    below.append((inner, (*path, step)))
        level = below
    return None
