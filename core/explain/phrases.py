"""Comparisons as parts of a sentence: what a score did at its bar, what a verifier said (UI 10)."""

from __future__ import annotations

from collections.abc import Iterable

from .clause import Comparison, Holds

#: The longest headline, in characters (UI 3: two lines that can be read from three metres).
LONGEST = 80

_NAMES = {"prior_local": "prior"}
_SAID = {
    "yes": "said yes",
    "no": "said no",
    "unknown": "gave no usable answer",
    "not asked": "was not asked",
}


def fitting(*sentences: str) -> str:
    """The first sentence that fits a headline; the last one where none does."""
    return next((sentence for sentence in sentences if len(sentence) <= LONGEST), sentences[-1])


def sentence(*parts: str) -> str:
    """One sentence: the parts joined, the first letter large unless it begins the name of a field, a full stop."""
    text = " ".join(parts)
    first = text.split(" ", 1)[0]
    return f"{text if '_' in first else text[:1].upper() + text[1:]}."


def scored(comparison: Comparison) -> bool:
    """Whether a score was given, be it not a number."""
    return comparison.value not in ("not asked", "none")


def measured(comparison: Comparison) -> str:
    """`readout 0.93 clears the bar of 0.90`; without a score, why there is none."""
    name = _NAMES.get(comparison.source, comparison.source)
    if not scored(comparison):
        return f"{name} {'was not asked' if comparison.value == 'not asked' else 'gave no usable score'}"
    if comparison.value == "NaN":
        return f"{name} is not a number"
    if not comparison.margin_text:
        return f"{name} {comparison.value} has no {bar_kind(comparison)} to clear"
    if comparison.bar_name == "band_floor" and comparison.holds is Holds.YES:
        return f"{name} {comparison.value} is in the band"
    return f"{name} {comparison.value} {verb(comparison)} the {bar_kind(comparison)} of {bar_of(comparison)}"


def verb(comparison: Comparison) -> str:
    """What a score did at its bar: `clears` or `misses`."""
    return "clears" if comparison.holds is Holds.YES else "misses"


def bar_kind(comparison: Comparison) -> str:
    """What kind of policy constant a bar is: a dial or a bar."""
    return "dial" if comparison.bar_name.endswith("_dial") else "bar"


def bar_of(comparison: Comparison) -> str:
    """The bar as shown, without its relation."""
    return comparison.needs.rpartition(" ")[2]


def said(comparison: Comparison) -> str:
    """`cloud_judge said no`."""
    return f"{comparison.source} {_SAID[comparison.value]}"


def pick(comparisons: Iterable[Comparison], source: str) -> Comparison:
    """The first comparison that reads this field."""
    return next(comparison for comparison in comparisons if comparison.source == source)
