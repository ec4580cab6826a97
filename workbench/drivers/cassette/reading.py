"""Reading a cassette: strictly, for a hand may have edited it, and with the line of what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from ....core.conversation.json_text import decode, too_deep
from ....core.conversation.model import Json
from .errors import CassetteError
from .lines import MAX_BYTES, MAX_LINE_DEPTH, VERSION, Header, RecordedCall
from .redaction import Redactor
from .strict import Strict

_MIB = 1024 * 1024
#: Characters of a file's own words that an error shows.
_SHOWN = 160
_FIX = "Correct the line, or record the cassette again."

_Line = TypeVar("_Line", bound=Strict)


@dataclass(frozen=True, slots=True)
class Cassette:
    """A cassette as read."""

    header: Header
    calls: tuple[RecordedCall, ...]

    @property
    def seconds(self) -> float:
        """What the recorded calls took together."""
        return sum([call.took_ms for call in self.calls]) / 1000

    @property
    def summary(self) -> str:
        """For a person: how many calls, how long they took, when and from whom."""
        calls = f"{len(self.calls):,} call{'' if len(self.calls) == 1 else 's'}"
        whom = ", ".join(dict.fromkeys(self.header.origin.values())) or self.header.source.value
        return f"{calls}, {self.seconds:.1f} s, recorded on {self.header.recorded} from {whom}"


def read_cassette(path: str | Path | Traversable) -> Cassette:
    """The cassette in a file, for a CassetteDriver to answer from.

    Raises CassetteError where there is none, or none that can be read: what is wrong, in which line, what to do.
    """
    path = Path(path).expanduser() if isinstance(path, str) else path
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CassetteError(
            f"{path.name} can't be opened: {error.strerror}", "Check the path and its permissions."
        ) from None
    if len(content) > MAX_BYTES:
        raise CassetteError(_too_long(), "Record fewer calls on one cassette.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CassetteError("not UTF-8", "Save the file as UTF-8.", line) from None
    return parse_cassette(text)


def parse_cassette(text: str) -> Cassette:
    """The cassette of this text. Raises CassetteError that names the line."""
    if len(text) > MAX_BYTES:
        raise CassetteError(_too_long(), "Record fewer calls on one cassette.")
    # Only a newline ends a line; a reply may hold other characters that some call line ends.
    lines = text.split("\n")
    header: Header | None = None
    calls: list[RecordedCall] = []
    for number, line in enumerate(lines, 1):
        if not line.strip(" \t\r"):
            continue
        value = _value(line, number, cut=number == len(lines))
        if header is None:
            header = _header(value, number)
        else:
            calls.append(_model(RecordedCall, value, number))
    if header is None:
        raise CassetteError("empty, no cassette", "Choose a file that `record_to` wrote.", 1)
    return Cassette(header, tuple(calls))


def _value(line: str, number: int, *, cut: bool) -> Json:
    """The line's JSON. `cut` says that no newline ends it."""
    line = line.strip(" \t\r")
    try:
        value, end, odd = decode(line)
    except ValueError:
        if cut and number > 1:
            raise CassetteError(
                "cut short, the recording stopped in the middle of it",
                "Delete this line; the lines before it are whole.",
                number,
            ) from None
        raise CassetteError("no JSON", _FIX, number) from None
    if end != len(line):
        raise CassetteError("more than one JSON value", "Write one call a line.", number)
    if odd.repeated_keys:
        raise CassetteError("a key is repeated", _FIX, number)
    if too_deep(value, MAX_LINE_DEPTH):
        raise CassetteError("nested too deeply", _FIX, number)
    if odd.any():
        raise CassetteError("a number or a character that JSON does not have", _FIX, number)
    return value


def _header(value: Json, number: int) -> Header:
    version = value.get("cassette") if isinstance(value, dict) else None
    if isinstance(version, bool) or not isinstance(version, int):
        raise CassetteError("no header of a cassette", "Choose a file that `record_to` wrote.", number)
    if version != VERSION:
        raise CassetteError(
            f"a cassette of version {_shown(str(version))}; this workbench reads version {VERSION}",
            "Update the workbench, or record the cassette again.",
            number,
        )
    return _model(Header, value, number)


def _model(kind: type[_Line], value: Json, number: int) -> _Line:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join([str(step) for step in first["loc"]])
        says = first["msg"].removeprefix("Value error, ")
        raise CassetteError(_shown(f"{where}: {says}" if where else says), _FIX, number) from None


def _shown(text: str) -> str:
    """What may hold a piece of the file, shortened and redacted."""
    text = Redactor().text(text)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _too_long() -> str:
    return f"longer than {MAX_BYTES // _MIB} MiB"
