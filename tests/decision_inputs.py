"""Whatever a decision can be made from, for hypothesis: every field, and numbers at and beside the bars."""

from __future__ import annotations

import math

from hypothesis import strategies as st
from routing_workbench.core.vgr.capabilities import Capabilities, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.decision import Readiness
from routing_workbench.core.vgr.policy import Policy, RecoveredRun
from routing_workbench.core.vgr.signals import ReportedToolErrors, Signals, ToolReport, Verdict

SCORE = st.none() | st.floats() | st.sampled_from([0.2, 0.3, 0.5, 0.7, 0.9, math.nextafter(0.9, 0)])
VERDICT = st.none() | st.sampled_from(Verdict)
COUNT = st.integers(-3, 20) | st.integers()
REPORT = st.builds(ReportedToolErrors, st.sampled_from(ToolReport), st.none() | COUNT)
TEXT = st.none() | st.text(max_size=3)
CAPABILITIES = st.builds(
    Capabilities,
    task_text=TEXT,
    final_answer=TEXT,
    transcript=TEXT,
    attempt=TEXT,
    has_checks=st.sampled_from([False, False, False, True]),
    is_coding=st.booleans(),
    is_chat=st.booleans(),
    is_agentic=st.booleans(),
    default_verified=st.booleans(),
    structured_answer=st.booleans(),
    prior_local=SCORE,
    tool_errors=st.none() | st.builds(ToolErrors, st.sampled_from(ToolErrorSource), COUNT),
    tool_results=st.none() | COUNT,
    tool_tail_clean=st.none() | st.booleans(),
)
VERDICTS = ["evidence_strict", "cloud_judge", "evidence_confirm", "agreement", "answer_verifier", "evidence_verifier"]
VERDICTS.append("tests_pass")
SIGNALS = st.builds(Signals, readout=SCORE, deliberation=SCORE, tool_errors=REPORT, **dict.fromkeys(VERDICTS, VERDICT))
BAR = st.floats(0, 1)
DIAL = st.none() | BAR
POLICIES = st.builds(
    Policy,
    readout_bar=BAR,
    band_floor=BAR,
    deliberation_bar=BAR,
    prior_bar=BAR,
    coding_dial=DIAL,
    chat_dial=DIAL,
    answer_dial=DIAL,
    default_verified_dial=DIAL,
    agentic_dial=DIAL,
    answer_judge_arms=st.booleans(),
    coding_dial_requires_judge=st.booleans(),
    recovered_run=st.builds(RecoveredRun, st.booleans(), st.integers(0, 5), st.integers(0, 20), st.booleans()),
)
READINESS = st.builds(Readiness, st.booleans())
