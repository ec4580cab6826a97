"""Remarks while reading: diagnostics that know a path or an offset and get their line and column at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from .diagnostics import Diagnostic, Place, Severity
from .positions import Path

#: So many warnings of one kind are listed one by one; what goes beyond is one more line with the number.
LISTED = 20
_LISTED = {Severity.ERROR: LISTED, Severity.WARNING: LISTED, Severity.NOTE: 3}
#: So many remarks are no flood, whatever they are.
_FEW = min(_LISTED.values())
_NOWHERE = Place()

_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


@dataclass(frozen=True, slots=True)
class Remark:
    """A diagnostic in the making. It stands at a place that is known, or at the value its path leads to."""

    severity: Severity
    code: str
    message: str
    next_step: str = ""
    path: Path | None = None
    place: Place | None = None
    #: Index of the conversation it is about, where the paste holds several.
    conversation: int | None = None

    def of(self, conversation: int) -> Remark:
        """The same remark, about one of several conversations."""
        return Remark(self.severity, self.code, self.message, self.next_step, self.path, self.place, conversation)


def shown(value: object, limit: int = 24) -> str:
    """A name or an id as a remark may quote it: one line, at most `limit` characters."""
    text = str(value)[: limit + 1]
    if not text.isprintable():
        text = "".join([c if c.isprintable() else "?" for c in text])
    return text if len(text) <= limit else text[: limit - 1] + "\u2026"


def settle(
    remarks: Iterable[Remark], locate: Callable[[Iterable[Path]], Mapping[Path, Place]]
) -> tuple[Diagnostic, ...]:
    """The remarks as diagnostics with places, errors first.

    A flood of one kind is cut, and counted: of the paste as a whole, and of each of its conversations by itself, since
    each is looked at by itself.
    """
    kept = list(remarks)
    if len(kept) > _FEW:
        kept = _without_floods(kept)
    paths = [r.path for r in kept if r.place is None and r.path is not None]
    places = locate(paths) if paths else {}
    found = [
        Diagnostic(
            r.severity,
            r.code,
            r.message if r.conversation is None else f"Conversation {r.conversation + 1:,}: {r.message}",
            r.next_step,
            r.place or (_NOWHERE if r.path is None else places[r.path]),
            r.conversation,
        )
        for r in kept
    ]
    if len(found) > 1:
        found.sort(key=lambda d: _ORDER[d.severity])
    return tuple(found)


def _without_floods(remarks: list[Remark]) -> list[Remark]:
    """The remarks, of each kind the first ones; behind them, how many more there are."""
    kept: list[Remark] = []
    counts: dict[tuple[Severity, str, int | None], int] = {}
    last: dict[tuple[Severity, str, int | None], Remark] = {}
    for remark in remarks:
        kind = (remark.severity, remark.code, remark.conversation)
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= _LISTED[remark.severity]:
            kept.append(remark)
            last[kind] = remark
    for kind, count in counts.items():
        if count > _LISTED[kind[0]]:
            more = f"{count - _LISTED[kind[0]]:,} more like \u201c{last[kind].message}\u201d"
            kept.append(Remark(*kind[:2], more, last[kind].next_step, conversation=kind[2]))
    return kept
