"""Decision routing by ordered cutoffs: a judge's probabilities, and the first rule they clear (SPEC 6.1)."""

from __future__ import annotations

from .config import ConfigCheck, CutoffsConfig, InvalidCutoffs, Rule, check_config
from .decision import CutoffDecision, CutoffSource, ReasonCode, decide_by_cutoffs, fail_open_decision

__all__ = [
    "ConfigCheck",
    "CutoffDecision",
    "CutoffSource",
    "CutoffsConfig",
    "InvalidCutoffs",
    "ReasonCode",
    "Rule",
    "check_config",
    "decide_by_cutoffs",
    "fail_open_decision",
]
