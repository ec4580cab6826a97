"""What is said about JSON that had to be repaired: one remark a kind, at its first place, with how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ..diagnostics import Severity
from ..positions import place_at
from ..remarks import Remark, shown
from .lenient import Repaired

#: The code of the remark about printed objects.
PRINTED: Final = "printed-object"
_DUMP = "Gateways refuse this: print it with json.dumps(...), or copy it from the source again."
_CORRECT = "Gateways refuse this: correct it at its source."
_CHECK = "Check that it was read as it is meant."
#: Class names that a remark lists.
_LISTED = 4


class _Said(NamedTuple):
    message: str
    next_step: str


_SAID: Final[dict[str, _Said]] = {
    "json-comment": _Said("JSON has no comments; they were left out", "Remove them before sending it."),
    "json-trailing-comma": _Said("A trailing comma stands before a closing bracket; it was left out", _CORRECT),
    "json-missing-comma": _Said("A comma is missing between two lines; it was added", f"{_CORRECT} {_CHECK}"),
    "json-single-quotes": _Said("Strings stand in single quotes; they were read as if in double quotes", _DUMP),
    "json-curly-quotes": _Said(
        "Strings stand in curly quotes; they were read as if in straight ones",
        "Copy from the source again, or replace the curly quotes by straight ones.",
    ),
    "json-bare-key": _Said("Keys stand without quotes; they were read as strings", 'Put keys in quotes, as in "role".'),
    "json-python-literal": _Said("This is Python, not JSON; its literals were read as their JSON", _DUMP),
    "json-word": _Said("`undefined` stands in the JSON; it was read as null", _DUMP),
    "json-number": _Said("A number is not written as JSON writes it; its value was read", _CORRECT),
    "json-escape": _Said("JSON does not know this backslash escape; it was read as it is most likely meant", _CHECK),
    "json-joined-strings": _Said("Strings stand one behind the other; they were joined", _CHECK),
    "json-f-string": _Said("A string is a template of Python; what stands in its braces was kept as it is", _CHECK),
    "json-bytes": _Said("Printed bytes are no UTF-8; U+FFFD stands for what could not be decoded", _CHECK),
    "json-space": _Said("Odd spaces or invisible characters stand between the values; they were left out", _CORRECT),
    "credential-removed": _Said("A credential stands in the code; it was not kept", ""),
    "code-call": _Said("A call in code was read by its arguments; nothing was run", _CHECK),
    "separators": _Said("Separators stand outside the JSON; they were skipped", ""),
    "raw-control-character": _Said(
        "A string holds a raw line break or control character; it was read as it stands",
        "Gateways refuse this: write \\n for a line break.",
    ),
    "printed-without-content": _Said("A name or an object stands here without its value; its text was kept", _DUMP),
    PRINTED: _Said("Printed objects", "Print it with `.model_dump_json()`, which leaves nothing out, and paste that."),
}


def repair_remarks(repaired: Sequence[Repaired], text: str) -> Iterator[Remark]:
    """A remark for each kind of repair, in the order of their first places."""
    repairs: dict[str, tuple[int, int]] = {}
    classes: dict[str, None] = {}
    for one in repaired:
        classes |= dict.fromkeys(one.classes)
        for code, (first, count) in one.repairs.items():
            seen = repairs.get(code, (first, 0))
            repairs[code] = (seen[0], seen[1] + count)
    for code, (first, count) in sorted(repairs.items(), key=lambda one: one[1][0]):
        said = _SAID[code]
        times = "" if count == 1 else f" ({count:,} times, first here)"
        message = f"{said.message}{times}."
        if code == PRINTED:
            names = ", ".join(f"`{shown(name)}`" for name in list(classes)[:_LISTED])
            more = ", \u2026" if len(classes) > _LISTED else ""
            message = f"Printed objects ({names}{more}) were read by the fields that are printed{times}."
        severity = Severity.WARNING if said.next_step else Severity.NOTE
        yield Remark(severity, code, message, said.next_step, place=place_at(text, first, first + 1))
