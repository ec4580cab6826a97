"""Numbers in words: probabilities against their bars, margins, counts and lengths (UI 10).

What is shown never hides the side of a bar: the shown value stands on the side the exact value stands on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

MINUS = "−"
#: A double is told from its neighbours by 17 significant digits; more decimals than that say nothing new.
_MOST_DECIMALS = 17
#: Beyond this a number is no probability, and is shown in full.
_LARGEST_WITH_DECIMALS = 1e6

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _signed(text: str) -> str:
    return text.replace("-", MINUS)


def _special(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "∞" if value > 0 else f"{MINUS}∞"


def probability(value: float, bars: Iterable[float] = ()) -> str:
    """Two decimals, and as many more as it takes to keep the side of every bar: 0.8999 against 0.9 is 0.8999.

    A value that is one of the bars is shown as that bar is.
    """
    if not math.isfinite(value):
        return _special(value)
    if abs(value) >= _LARGEST_WITH_DECIMALS:
        return _signed(repr(float(value)))
    sides = [(limit, value >= limit) for limit in bars]
    if any(value == limit for limit, _ in sides):
        return bar(value)
    for decimals in range(2, _MOST_DECIMALS + 1):
        text = f"{value:.{decimals}f}"
        shown = float(text)
        if all((shown >= limit) is side for limit, side in sides):
            return _signed(f"{0.0:.{decimals}f}" if shown == 0 else text)
    return _signed(repr(float(value)))


def bar(value: float) -> str:
    """A bar, never rounded: at least two decimals, and all that it has."""
    if not math.isfinite(value):
        return _special(value)
    two = f"{value + 0.0:.2f}"
    exact = float(two) == value and abs(value) < _LARGEST_WITH_DECIMALS
    return _signed(two if exact else repr(float(value)))


def score_margin(margin: float) -> str:
    """A signed margin of a score: `+0.14`, `−0.04`; more decimals while the rounded one is 0 and it is not."""
    if not math.isfinite(margin):
        return _special(margin) if margin < 0 or math.isnan(margin) else f"+{_special(margin)}"
    sign = MINUS if math.copysign(1, margin) < 0 else "+"
    size = abs(margin)
    if size >= _LARGEST_WITH_DECIMALS:
        return f"{sign}{size!r}"
    text = next((t for t in (f"{size:.{d}f}" for d in (2, 3, 4)) if float(t) or not size), f"{size:.1g}")
    return sign + _signed(text)


def count_margin(margin: float) -> str:
    """A signed margin of a count: `+6`, `−1`, and `0` at the bar."""
    return _signed(f"{int(margin):+,d}") if margin else "0"


def number(value: int) -> str:
    """A count with separators: `7,289`."""
    return _signed(f"{value:,d}")


def counted(value: int, noun: str) -> str:
    """A count with its noun: `1 char`, `7,289 chars`."""
    return f"{number(value)} {noun}" if value == 1 else f"{number(value)} {noun}s"


def chars(text: str) -> str:
    """A text by its length in code points."""
    return counted(len(text), "char")


def how_many(size: int) -> str:
    """A small number as a word."""
    return _WORDS[size] if size < len(_WORDS) else str(size)


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words as a list in a sentence: `A`, `A and B`, `A, B and C`."""
    items = list(words)
    return f" {last} ".join(items) if len(items) < 3 else f"{', '.join(items[:-1])} {last} {items[-1]}"
