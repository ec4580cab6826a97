"""Numbers with many decimals as they are read: cut, said to go on, and exact in their title (UI 10).

A cut number is a true beginning of the exact one, so what stands on its side of a bar still does.
"""

from __future__ import annotations

import re
from typing import Final

from ..text import Child, h

#: Decimals that a number may have before it is cut, and the digits other than 0 that a small one keeps.
DECIMALS: Final = 4
_DIGITS: Final = 2
_LONG: Final = re.compile(rf"(?<![\w.])\d+\.\d{{{DECIMALS + 1},}}(?!\w)")


def readable(text: str) -> list[Child]:
    """A text of ours with its long numbers cut: `below 0.3333…`. Two that differ still do."""
    parts: list[Child] = []
    end = 0
    cut = _cut(text)
    for found in _LONG.finditer(text):
        if cut[found[0]] != found[0]:
            parts += [text[end : found.start()], h("span", {"title": found[0]}, cut[found[0]])]
            end = found.end()
    return [*parts, text[end:]]


def shortened(text: str) -> str:
    """The same as plain text, for a label in a drawing."""
    cut = _cut(text)
    return _LONG.sub(lambda found: cut[found[0]], text)


def _cut(text: str) -> dict[str, str]:
    """The long numbers of a text as they are shown."""
    exact = set(_LONG.findall(text))
    decimals = DECIMALS
    while True:
        shown = {number: _beginning(number, decimals) for number in exact}
        if len(set(shown.values())) == len(exact):
            return shown
        decimals += 1


def _beginning(number: str, decimals: int) -> str:
    whole, behind = number.split(".")
    kept = max(decimals, len(behind) - len(behind.lstrip("0")) + _DIGITS)
    return number if kept >= len(behind) else f"{whole}.{behind[:kept]}\N{HORIZONTAL ELLIPSIS}"
