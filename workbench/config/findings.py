"""What reading a configuration finds: remarks by the path they stand at, and what a diagnostic may quote of a file."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...core.conversation.diagnostics import Diagnostic, Severity
from ...core.conversation.positions import Path
from ...core.conversation.remarks import Remark
from ...core.vgr.text import redact

#: Characters of a name that a diagnostic shows.
_SHOWN = 40
#: Longer names have no near ones: comparing takes quadratic time.
_COMPARED = 80


@dataclass(slots=True)
class Findings:
    """The remarks so far, in the order in which they were made."""

    remarks: list[Remark] = field(default_factory=list)
    #: Where keys stand literally in the file; nothing more is said of them.
    secrets: frozenset[Path] = frozenset()
    #: The remarks by the table they concern, so that a file with many faulty tables is read in linear time.
    _by_table: dict[Path, list[Remark]] = field(default_factory=dict)

    def error(self, code: str, path: Path, message: str, next_step: str) -> None:
        """What stands here cannot be used."""
        self._add(Remark(Severity.ERROR, code, message, next_step, path))

    def warning(self, code: str, path: Path, message: str, next_step: str) -> None:
        """What stands here is used otherwise than its author may expect, or not at all."""
        self._add(Remark(Severity.WARNING, code, message, next_step, path))

    def note(self, code: str, path: Path, message: str) -> None:
        """How something was read that can be read in two ways."""
        self._add(Remark(Severity.NOTE, code, message, "", path))

    def below(self, *path: str | int) -> list[Remark]:
        """The remarks at and below the path of a table or of something in it."""
        return [r for r in self._by_table.get(path[:2], ()) if r.path is not None and r.path[: len(path)] == path]

    def failed(self, *path: str | int) -> bool:
        """Whether something at or below this path cannot be used."""
        return any(remark.severity is Severity.ERROR for remark in self.below(*path))

    def _add(self, remark: Remark) -> None:
        self.remarks.append(remark)
        self._by_table.setdefault((remark.path or ())[:2], []).append(remark)


def told(diagnostic: Diagnostic, file: str) -> str:
    """A diagnostic on one line, with its file and place: `routes.toml:12:1: ...`."""
    place = diagnostic.place
    where = file if place.line is None else f"{file}:{place.line}:{place.column}"
    return f"{where}: {diagnostic.message} {diagnostic.next_step}".rstrip()


def named(name: object) -> str:
    """A name of the file as a sentence quotes it: one line, without what looks like a key, at most 40 characters."""
    text = redact(str(name)[: 4 * _SHOWN])
    text = "".join(c if c.isprintable() and c != "`" else "?" for c in text)
    return f"`{text}`" if len(text) <= _SHOWN else f"`{text[:_SHOWN]}\u2026`"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one may be a misspelling of."""
    if len(name) > _COMPARED:
        return None
    return next(iter(difflib.get_close_matches(name, [k for k in known if len(k) <= _COMPARED], n=1)), None)


def choose(name: str, known: Iterable[str], otherwise: str) -> str:
    """The next step after an unknown name: the nearest known one, or the known ones, or `otherwise` without any."""
    names = sorted(known)
    near = nearest(name, names)
    if near is not None:
        return f"Write {named(near)} if that was meant."
    if not names:
        return otherwise
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"There are {', '.join(named(known) for known in names[:8])}{more}."
