"""What is wrong with a cassette."""

from __future__ import annotations


class CassetteError(ValueError):
    """A cassette that can't be read or written: what is wrong, in which line (from 1), and what to do next."""

    def __init__(self, what: str, next_step: str, line: int | None = None) -> None:
        where = "" if line is None else f"Line {line}: "
        super().__init__(f"{where}{what}. {next_step}")
        self.what = what
        self.next_step = next_step
        self.line = line
