"""What the coding view takes from an attempt: files, test run, traceback, its end - and what it leaves (SPEC 3)."""

from __future__ import annotations

from collections.abc import Iterator

from ..vgr.text import split_lines
from ..vgr.views import (
    DIFF,
    FILES_BUDGET,
    FILES_HEADING,
    FILES_LINES,
    FINAL_CHARS,
    FINAL_HEADING,
    TEST_BUDGET,
    TEST_HEADING,
    TEST_LINES,
    TRACEBACK_BUDGET,
    TRACEBACK_HEADING,
    TRACEBACK_LINES,
    invokes_runner,
    passage,
    starts_traceback,
)
from .judged import Budget, Row
from .judged_rows import heading, kept_rows, nothing, used
from .marked_text import joined, marked
from .unread import dropped


def work_rows(attempt: str, turn: int) -> tuple[list[Row], list[Budget]]:
    """The sections of the attempt, and their budgets.

    A section's clip tells of what it leaves out; what lies in no section is dropped before the end of the attempt.
    """
    text = marked(attempt)
    lines = split_lines(text.text)
    starts = _line_starts(text.text, lines)
    rows: list[Row] = []
    budgets: list[Budget] = []
    taken: set[int] = set()

    files = [at for at, line in enumerate(lines) if line.startswith(DIFF)][:FILES_LINES]
    test = passage(lines, invokes_runner, TEST_LINES)
    error = passage(lines, starts_traceback, TRACEBACK_LINES)
    for title, name, found, skip, budget, head in (
        (FILES_HEADING, "files", files, len(DIFF), FILES_BUDGET, 1 / 2),
        (TEST_HEADING, "tests", test, 0, TEST_BUDGET, 1 / 3),
        (TRACEBACK_HEADING, "traceback", error, 0, TRACEBACK_BUDGET, 1 / 2),
    ):
        body = joined([text.cut(starts[at] + skip, starts[at] + len(lines[at])) for at in found], "\n")
        if found:
            rows += [heading(title), *kept_rows(body.clipped(budget, head), turn)]
        taken.update(found)
        budgets.append(used(name, (body,), budget))

    last = max(0, len(text) - FINAL_CHARS)
    rows.append(heading(FINAL_HEADING))
    for start, end in _untaken(starts, taken, last):
        part = text.cut(start, end)
        rows.append(dropped(turn, "[assistant attempt] ", part, "earlier in the attempt", len(part)))
    rows += kept_rows(text, turn, start=last) if len(text) else [nothing(turn, "empty attempt")]
    budgets.append(Budget("final output", len(text) - last, FINAL_CHARS))
    return rows, budgets


def _line_starts(text: str, lines: list[str]) -> list[int]:
    """Where each line begins, and where the text ends."""
    starts = [0]
    for line in lines:
        end = starts[-1] + len(line)
        starts.append(min(len(text), end + (2 if text.startswith("\r\n", end) else 1)))
    return starts


def _untaken(starts: list[int], taken: set[int], end: int) -> Iterator[tuple[int, int]]:
    """The runs of whole lines before `end` that no section takes; the last one may end within a line."""
    start = 0
    for at in sorted(taken):
        if starts[at] >= end:
            break
        if starts[at] > start:
            yield start, starts[at]
        start = starts[at + 1]
    if start < end:
        yield start, end
