"""The versions of the prompts in use: recorded in a cassette's header, compared when a call is missing."""

from __future__ import annotations

from ....core.vgr.evidence import CUTOFF_RUNGS, ESCALATION_RUNGS, Rung
from ....prompts import cutoffs_prompt_set, escalation_prompt_set, vgr_prompt_set


def prompt_sets() -> dict[str, str]:
    """The version of every set of prompts, by algorithm."""
    return {"vgr": vgr_prompt_set(), "cutoffs": cutoffs_prompt_set(), "escalation": escalation_prompt_set()}


def algorithm_of(rung: Rung) -> str:
    """The algorithm whose prompts a rung is asked with."""
    if rung in CUTOFF_RUNGS:
        return "cutoffs"
    return "escalation" if rung in ESCALATION_RUNGS else "vgr"
