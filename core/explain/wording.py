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
    """Two decimals, and as many more as it takes to keep the side of every bar: 0.8999 against 0.9 is 0.8999."""
    if not math.isfinite(value):
        return _special(value)
    if abs(value) >= _LARGEST_WITH_DECIMALS:
        return _signed(repr(float(value)))
    sides = [(bar, value >= bar) for bar in bars]
    for decimals in range(2, _MOST_DECIMALS + 1):
        text = f"{value:.{decimals}f}"
        shown = float(text)
        if all((shown >= bar) is side for bar, side in sides):
            return _signed(f"{0.0:.{decimals}f}" if shown == 0 else text)
    return _signed(repr(float(value)))


def bar(value: float) -> str:
    """A bar, never rounded: at least two decimals, and all that it has."""
    if not math.isfinite(value):
        return _special(value)
    exact = repr(float(value))
    two = f"{value:.2f}" if abs(value) < _LARGEST_WITH_DECIMALS else exact
    return _signed(two if float(two) == value and value != 0 else exact if value else "0.00")


def score_margin(margin: float) -> str:
    """A signed margin of a score: `+0.14`, `−0.04`; more decimals while the rounded one is 0 and it is not."""
    if not math.isfinite(margin):
        return _special(margin) if margin < 0 or math.isnan(margin) else f"+{_special(margin)}"
    sign = MINUS if math.copysign(1, margin) < 0 else "+"
    size = abs(margin)
    if size >= _LARGEST_WITH_DECIMALS:
        return f"{sign}{size!r}"
    text = next((t for t in (f"{size:.{d}f}" for d in (2, 3, 4)) if float(t) or not size), f"{size:.1g}")
    return sign + text


def count_margin(margin: float) -> str:
    """A signed margin of a count: `+6`, `−1`, and `0` at the bar."""
    return "0" if margin == 0 else f"{margin:+,.0f}".replace("-", MINUS) if isinstance(margin, float) else _plus(margin)


def _plus(margin: int) -> str:
    return _signed(f"{margin:+,d}")


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
