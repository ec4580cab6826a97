"""Deriving capabilities (SPEC 4.1), and that content cannot choose a weaker regime than the default one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import (
    Media,
    Message,
    Reasoning,
    Refusal,
    Request,
    Role,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from routing_workbench.core.conversation.normalized import request_from_json
from routing_workbench.core.vgr.branch import Branch, select_branch
from routing_workbench.core.vgr.capabilities import Capabilities, TaskType, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.decision import Readiness, Route, decide
from routing_workbench.core.vgr.derive import derive
from routing_workbench.core.vgr.flat import capabilities_from_json
from routing_workbench.core.vgr.policy import POLICY_1_0_0
from routing_workbench.core.vgr.signals import Signals, Verdict
from routing_workbench.core.vgr.tool_record import tool_record

_VECTORS = Path(__file__).resolve().parents[2] / "vectors"


def _vectors() -> list[Any]:
    lines = (_VECTORS / "derive_capabilities.jsonl").read_text(encoding="utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    return [pytest.param(row["input"], row["expected"], id=row["id"]) for row in rows]


@pytest.mark.parametrize(("given", "expected"), _vectors())
def test_derive_vector(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """Every golden vector: the branch, and every capability."""
    source, count = given["tool_error_source"], given["tool_error_count"]
    found = derive(
        request_from_json(given["request"]),
        given["attempt"],
        checker_configured=given["checker_configured"],
        task_type=None if given["task_type"] is None else TaskType(given["task_type"]),
        tool_errors=None if source is None else ToolErrors(ToolErrorSource(source), count),
        tool_results=given["tool_results"],
        tool_tail_clean=given["tool_tail_clean"],
    ).capabilities
    # Compared field by field, since no repr shows the texts that differ.
    wanted = capabilities_from_json(expected["capabilities"])
    for name in Capabilities._fields:
        assert getattr(found, name) == getattr(wanted, name), name
    assert select_branch(found) == expected["branch"]


_WORDS = st.sampled_from(
    ["", " ", "\x1c", "hello", "```python", "$ ls", "pytest -q", "3 passed", "[tool result]", '"tool_calls": []',
     "yes", "Final answer: 7", "I am typed chat", '{"task_type": "answer", "checker": true, "prior_local": 1.0}',
     "mode: active", "Traceback (most recent call last)", "command not found", "exit code 1"]
)  # fmt: skip
_TEXTS = st.one_of(st.text(max_size=12), st.lists(_WORDS, max_size=4).map("\n".join))
_JUNK = st.one_of(
    st.builds(Text, _TEXTS),
    st.builds(Refusal, _TEXTS),
    st.builds(Reasoning, _TEXTS),
    st.builds(ToolCall, st.text(max_size=3), _TEXTS, st.dictionaries(_TEXTS, _TEXTS, max_size=2)),
    st.builds(ToolResult, st.text(max_size=3), st.tuples(st.builds(Text, _TEXTS)), st.sampled_from([None, True])),
    st.builds(Media, st.sampled_from(["image", "audio", "video", "file"]), _TEXTS),
    st.builds(Unknown, _TEXTS, _TEXTS),
)
_TURNS = st.builds(Message, st.sampled_from(list(Role)), st.lists(_JUNK, max_size=3).map(tuple))
_REQUESTS = st.builds(
    Request,
    st.lists(_TURNS, max_size=2).map(tuple),
    st.lists(_TURNS, max_size=6).map(tuple),
    st.one_of(st.none(), _TEXTS),
)
_SCORES = st.one_of(st.none(), st.floats(0, 1), st.sampled_from([0.2, 0.3, 0.5, 0.7, 0.9]))


def _of_content(request: Request, attempt: str | None) -> Capabilities:
    """What content alone derives: no operator setting, no typing, the tool record as the host attests it."""
    record = tool_record(request)
    return derive(
        request,
        attempt,
        tool_errors=ToolErrors(ToolErrorSource.HOST, record.errors),
        tool_results=record.results,
        tool_tail_clean=record.tail_clean,
    ).capabilities


@given(_REQUESTS, st.one_of(st.none(), _TEXTS))
def test_content_selects_no_branch_that_an_operator_or_the_router_must_choose(
    request: Request, attempt: str | None
) -> None:
    """Checks, answer, chat and a recognized run need a checker, a type of the router's own, or a declared prior."""
    branch = select_branch(_of_content(request, attempt))
    assert branch in {Branch.CODING_NO_CHECKS, Branch.AGENTIC_VERIFIED, Branch.DEFAULT_VERIFIED, Branch.UNKNOWN}


@settings(max_examples=300)
@given(_REQUESTS, st.one_of(st.none(), _TEXTS), _SCORES, _SCORES)
def test_content_selects_no_regime_weaker_than_the_default_but_through_the_tool_record(
    request: Request, attempt: str | None, readout: float | None, deliberation: float | None
) -> None:
    """On the same scores nothing commits that the default regime would not, unless the tool record vouches for it."""
    capabilities = _of_content(request, attempt)
    signals = Signals(readout=readout, deliberation=deliberation)
    decision = decide(capabilities, signals, Readiness(), POLICY_1_0_0)
    if decision.predicted is Route.CLOUD:
        return
    by_default = Capabilities(
        task_text="t", attempt="a", transcript="v", default_verified=True, tool_errors=capabilities.tool_errors
    )
    committed_by_default = decide(by_default, signals, Readiness(), POLICY_1_0_0).predicted is Route.LOCAL
    vouched = decision.branch is Branch.AGENTIC_VERIFIED and (
        capabilities.tool_errors == ToolErrors(ToolErrorSource.HOST, 0) or decision.resolved.recovered_run
    )
    assert committed_by_default or vouched


@given(_REQUESTS, st.one_of(st.none(), _TEXTS), st.sampled_from(list(ToolErrorSource)))
def test_an_untrusted_record_commits_no_agentic_run_that_the_gate_lets_through(
    request: Request, attempt: str | None, source: ToolErrorSource
) -> None:
    """The tool record opens the agentic regime only where the host attests it."""
    capabilities = _of_content(request, attempt)
    errors = capabilities.tool_errors
    capabilities = capabilities._replace(tool_errors=errors and ToolErrors(source, errors.count))
    signals = Signals(readout=1.0, deliberation=1.0, cloud_judge=Verdict.YES, evidence_confirm=Verdict.YES)
    decision = decide(capabilities, signals, Readiness(), POLICY_1_0_0)
    if decision.branch is Branch.AGENTIC_VERIFIED and decision.effective is Route.LOCAL:
        assert source is ToolErrorSource.HOST


@given(_REQUESTS, st.one_of(st.none(), _TEXTS), st.text(max_size=8))
def test_no_client_field_changes_what_is_derived(request: Request, attempt: str | None, session: str) -> None:
    """The session id is the client's; it selects nothing."""
    renamed = Request(request.instructions, request.messages, session)
    assert _of_content(renamed, attempt) == _of_content(request, attempt)


@given(_REQUESTS, st.one_of(st.none(), _TEXTS), st.booleans(), st.sampled_from([None, *TaskType]))
def test_junk_never_commits(request: Request, attempt: str | None, checker: bool, task_type: TaskType | None) -> None:
    """Whatever is pasted and however it is typed: without evidence nothing is served local."""
    capabilities = derive(request, attempt, checker_configured=checker, task_type=task_type).capabilities
    decision = decide(capabilities, Signals(), Readiness(checker_validated=True), POLICY_1_0_0)
    assert decision.predicted is Route.CLOUD


def test_no_repr_of_a_capability_set_quotes_the_conversation() -> None:
    """A repr may reach a log or a saved notebook."""
    request = Request((), (Message(Role.USER, (Text("canary question"),)),))
    found = derive(request, "canary attempt")
    assert "canary" not in repr((request, found))


@pytest.mark.parametrize(
    ("block", "branch"),
    [
        (Media("image", "x"), Branch.UNKNOWN),
        (Unknown("x", {}), Branch.UNKNOWN),
        (ToolCall("c", "run", {}), Branch.AGENTIC_VERIFIED),
        (Text("fine"), Branch.DEFAULT_VERIFIED),
    ],
)
def test_one_new_message_of_a_long_known_session_still_counts(block: Any, branch: Branch) -> None:
    """What is known of the others hides nothing of the one that was edited in."""
    messages = [Message(Role.USER, (Text(f"wish {number}"),)) for number in range(200)]
    assert select_branch(derive(Request((), tuple(messages)), "Hello.").capabilities) is Branch.DEFAULT_VERIFIED
    messages[100] = Message(Role.ASSISTANT, (block,))
    assert select_branch(derive(Request((), tuple(messages)), "Hello.").capabilities) is branch
