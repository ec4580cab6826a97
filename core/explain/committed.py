"""Why an attempt is committed: the arm that holds, in one sentence (SPEC 4.5)."""

from __future__ import annotations

from .clause import Comparison, Holds
from .phrases import fitting, measured, sentence
from .trace import Trace
from .wording import listed

_SCORES = frozenset({"readout", "deliberation", "prior_local"})
#: Verdicts that are not a verifier's word on the attempt have a sentence of their own.
_SENTENCES = {
    "tests_pass": "The checker passed.",
    "agreement": "The witness agrees with the structured answer.",
}


def committed(trace: Trace) -> str:
    """The fact that commits, at most 80 characters. Only for a trace that commits."""
    given = [c for c in trace.decisive.comparisons() if c.holds is Holds.YES and c.needs != "not required"]
    special = next((_SENTENCES[c.source] for c in given if c.source in _SENTENCES), None)
    if special is not None:
        return special
    cleared = [measured(c) for c in given if c.source in _SCORES and c.needs.startswith("≥")]
    yes = [c for c in given if c.value == Holds.YES]
    needed = [c for c in yes if c.needs == Holds.YES]
    names = [c.source for c in given if c.source in _SCORES and c.needs.startswith("≥")]
    return fitting(
        _told(cleared[:1], yes),
        _told(cleared[:1], needed),
        _told([f"{name} clears its bar" for name in names[:1]], needed),
    )


def _told(cleared: list[str], yes: list[Comparison]) -> str:
    said = [f"{listed(dict.fromkeys(c.source for c in yes))} said yes"] if yes else []
    return sentence(listed(cleared + said))
