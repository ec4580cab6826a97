"""What a trace recorded, sorted: the calls of a model are its conversations, and what ran around them is kept aside.

The steps around a call repeat its messages in part; they count only where a trace recorded no call.
"""

from __future__ import annotations

from typing import NamedTuple

from ..model import Json
from ..positions import Path, path_text
from .draft import Draft

#: The rank of a call of a model; anything else ranks behind it, the outermost first.
CALL = 0


class _Record(NamedTuple):
    """One record of a trace; `made` is None where it holds no conversation."""

    made: Draft | None
    rank: int
    trace: str
    raw: Json
    at: Path


class Recorded:
    """Collects what was found in a trace, and settles which of it are the conversations."""

    def __init__(self) -> None:
        self._records: list[_Record] = []

    def add(self, made: Draft, rank: int, trace: str, raw: Json, at: Path) -> None:
        """Add a conversation that was read from one record of a trace."""
        self._records.append(_Record(made, rank, trace, raw, at))

    def leave(self, raw: Json, at: Path) -> None:
        """Leave a record that holds no conversation."""
        self._records.append(_Record(None, CALL, "", raw, at))

    def settle(self, draft: Draft, what: str) -> bool:
        """Put the best of each trace into a draft, in the order of the paste; whether there was one.

        `what` names the records that are kept aside, e.g. "spans".
        """
        best: dict[str, int] = {}
        for one in self._records:
            if one.made is not None:
                best[one.trace] = min(one.rank, best.get(one.trace, one.rank))
        kept, rest = [], []
        for one in self._records:
            if one.made is not None and one.rank == best[one.trace]:
                kept.append(one.made)
            else:
                rest.append(one.at)
                _keep(one, draft)
        if len(kept) == 1:
            (only,) = kept
            draft.take(only)
            draft.title, draft.session_id, draft.stop_reason = only.title, only.session_id, only.stop_reason
        else:
            draft.begun += kept
        if kept and rest:
            counted = "1 is" if len(rest) == 1 else f"{len(rest):,} are"
            draft.note("steps-kept", f"Of the {what}, {counted} no call of a model; kept aside.", rest[0])
        return bool(kept)


def _keep(one: _Record, draft: Draft) -> None:
    """Keep a record under its path; one that is the whole paste, by its fields."""
    if not one.at and isinstance(one.raw, dict):
        draft.keep(one.raw, (), ())
    else:
        draft.extras[path_text(one.at)] = one.raw
