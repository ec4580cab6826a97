"""What the files of agents' sessions have in common: kinds of records, and what becomes of those that are no turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ..model import Json
from ..positions import Path, path_text
from ..remarks import shown
from .draft import Draft

#: Kinds of records that one remark lists by name.
_LISTED: Final = 6
#: What is said of records that are no turns, by code.
_WHY: Final = {
    "harness-records": "no turn",
    "meta-records": "of the harness, though with the role of a user",
    "queued-prompts": "a prompt that waited in a queue; whether it was sent, only a message tells",
}


def kind_of(record: Json) -> str | None:
    """The type of a record; None where it is no object, or its type no text."""
    kind = record.get("type") if isinstance(record, dict) else None
    return kind if isinstance(kind, str) else None


@dataclass(slots=True)
class _Seen:
    """Records of one code: where the first stands, how many there are, and their kinds."""

    at: Path
    count: int = 0
    kinds: dict[str, None] = field(default_factory=dict)


class Kept:
    """Records of a conversation that are kept beside it, each under its path, and what is said of them."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._seen: dict[str, _Seen] = {}
        self._records: dict[str, Json] | None = None

    def keep(self, record: Json, at: Path) -> None:
        """Keep a record, or what is not read of it."""
        if self._records is None:
            self._records = self._draft.extras.setdefault("records", {})
        self._records[path_text(at)] = record

    def aside(self, kind: Json, record: Json, at: Path, code: str = "harness-records") -> None:
        """Keep a record that is no turn; one remark names all of a code."""
        self.keep(record, at)
        seen = self._seen.setdefault(code, _Seen(at))
        seen.count += 1
        seen.kinds[shown(kind) if isinstance(kind, str) and kind else "(no type)"] = None

    def unread(self, record: Json, at: Path) -> None:
        """Keep a record of a kind that is not known."""
        self.keep(record, at)
        kind = kind_of(record)
        what = f"A record of type `{shown(kind)}`" if kind else "A record without a type"
        step = "Check that nothing is missing without it."
        self._draft.warn("record-unread", f"{what} is not known here; it is kept aside.", step, at)

    def failed(self, record: Json, at: Path, what: str, why: Json = None) -> None:
        """Keep a record that says that something failed; `why` is quoted where it is a text."""
        self.keep(record, at)
        said = f" ({shown(why, 60)})" if isinstance(why, str) and why else ""
        step = "Do not take the turn for a finished one."
        self._draft.warn("run-failed", f"{what}{said}. The record is kept aside.", step, at)

    def remark(self) -> None:
        """Say what was kept aside; call it when all is read."""
        if self._draft.has_no_turn and self._records is not None:
            # What is no conversation is kept with all others, each record by itself.
            del self._draft.extras["records"]
            self._draft.extras |= self._records
        for code, seen in self._seen.items():
            what = f"{seen.count:,} records are" if seen.count > 1 else "One record is"
            listed = ", ".join(f"`{kind}`" for kind in list(seen.kinds)[:_LISTED])
            more = f" and {len(seen.kinds) - _LISTED} more kinds" if len(seen.kinds) > _LISTED else ""
            self._draft.note(code, f"{what} {_WHY[code]}: {listed}{more}. Kept aside.", seen.at)
