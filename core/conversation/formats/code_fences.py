"""Code fences in Markdown text: the ranges they cover."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FENCE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_MARK = re.compile(r"(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)


def code_fences(text: str, start: int, end: int, inline: Iterable[int] = ()) -> list[tuple[int, int]]:
    """The ranges of the fences that are closed, marks included, in order; an open one hides nothing.

    `inline` are offsets inside lines where a fence may open too, such as those behind speaker names.
    """
    if "```" not in text and "~~~" not in text:
        return []
    marks = [*_FENCE.finditer(text, start, end), *filter(None, (_MARK.match(text, at, end) for at in inline))]
    marks.sort(key=lambda found: found.start("mark"))
    ranges: list[tuple[int, int]] = []
    #: By mark character, the length from which on no fence is closed any more.
    open_for_good: dict[str, int] = {}
    index = 0
    while index < len(marks):
        mark = marks[index]["mark"]
        if len(mark) < open_for_good.get(mark[0], len(mark) + 1):
            closing = next((i for i in range(index + 1, len(marks)) if _closes(marks[i], mark)), None)
            if closing is None:
                open_for_good[mark[0]] = len(mark)
            else:
                ranges.append((marks[index].start("mark"), marks[closing].end()))
                index = closing
        index += 1
    return ranges


def _closes(line: re.Match[str], mark: str) -> bool:
    return line["mark"].startswith(mark) and not line["info"].strip()
