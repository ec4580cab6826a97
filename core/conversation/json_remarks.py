"""What is said about JSON that was read although it is odd, and about what keeps it from being read."""

from __future__ import annotations

from .diagnostics import Place, Severity
from .json_text import MAX_DEPTH, Oddities
from .positions import Path, path_text, place_at, repeated_keys
from .remarks import LISTED, Remark, shown

CONTROL = "raw-control-character"
SEPARATORS = "separators"
LINE_UNREAD = "line-unread"
REPEATED = "repeated-key"


def odd_remarks(text: str | None, root: int, path: Path, odd: Oddities) -> list[Remark]:
    """What `decode` counted in the document at an offset; without places where `text` is None."""
    made = []
    if odd.repeated_keys:
        where = [((), 0)] if text is None else repeated_keys(text, root, path)
        for count, (key_path, offset) in enumerate(where):
            name = f"The key `{shown(key_path[-1])}`" if key_path else "A key"
            place = None if text is None or count > LISTED else place_at(text, offset, path=path_text(key_path))
            made.append(
                Remark(
                    Severity.WARNING,
                    REPEATED,
                    f"{name} stands twice in one object; the last one counts, the earlier one is not read.",
                    "Keep one of the two.",
                    place=place,
                )
            )
    for count, code, what in (
        (odd.constants, "not-a-number", "`NaN` or `Infinity`, which JSON does not have; kept as text"),
        (odd.numbers, "number-too-large", "a number too large to compute with; kept as text"),
        (odd.surrogates, "half-surrogate", "half a character (a lone surrogate); U+FFFD stands in its place"),
    ):
        if count:
            times = "once" if count == 1 else f"{count} times"
            made.append(
                Remark(Severity.WARNING, code, f"The JSON holds {what} ({times}).", "Correct it at its source.", path)
            )
    return made


def surrogate_remark(text: str, clean: str) -> Remark:
    """Half a character in the paste itself."""
    at = next(i for i, (old, new) in enumerate(zip(text, clean, strict=True)) if old != new)
    return Remark(
        Severity.WARNING,
        "half-surrogate",
        "The paste holds half a character (a lone surrogate); U+FFFD stands in its place.",
        "Copy from the source again.",
        place=place_at(clean, at, at + 1),
    )


def separators_remark(text: str, at: int) -> Remark:
    """What stands between documents."""
    message = "This separator stands outside the JSON; it was skipped."
    return Remark(Severity.NOTE, SEPARATORS, message, place=place_at(text, at, at + 1))


def control_remark(text: str, at: int) -> Remark:
    """A raw line break or control character in a string."""
    return Remark(
        Severity.WARNING,
        CONTROL,
        "A string holds a raw line break or control character; it was read as it stands.",
        "Gateways refuse this: write \\n for a line break.",
        place=place_at(text, at, at + 1),
    )


def too_deep_remark(place: Place | None) -> Remark:
    """The error of a paste that is nested deeper than routers read."""
    return Remark(
        Severity.ERROR,
        "json-too-deep",
        f"The JSON is nested deeper than {MAX_DEPTH} levels, which routers refuse.",
        "Paste the conversation alone, without what it is wrapped in.",
        place=place,
    )


def line_unread_remark(place: Place) -> Remark:
    """A line of JSON lines that is none."""
    return Remark(
        Severity.WARNING,
        LINE_UNREAD,
        f"Line {place.line} is not valid JSON; it is kept aside and is no part of the conversation.",
        "Correct the line, or check that nothing is missing without it.",
        place=place,
    )
