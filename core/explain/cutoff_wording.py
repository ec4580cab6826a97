"""Probabilities in words beside strict cutoffs (SPEC 6.1; UI 10)."""

from __future__ import annotations

from math import inf, nextafter

from .wording import probability


def score_at(value: float, *cutoffs: float) -> str:
    """Two decimals, and as many more as it takes to show on which side of a cutoff it stands, or that it is equal.

    The bars of `wording.probability` are inclusive; of a strict one the next double is what must be reached.
    """
    bars = (bar for cutoff in cutoffs for bar in (cutoff, nextafter(cutoff, inf)))
    return probability(value, tuple(bars))
