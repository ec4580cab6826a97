"""The record of a run: no content, strict JSON, and enough to recompute its decision."""

from __future__ import annotations

import json
import math
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import routing_workbench
from routing_workbench.core.conversation.diagnostics import Place
from routing_workbench.core.conversation.model import Request
from routing_workbench.core.conversation.reading import Conversation
from routing_workbench.core.vgr.capabilities import TaskType, ToolErrorSource
from routing_workbench.core.vgr.decision import ACTIVE_APPROVAL, Mode
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.core.vgr.policy import Policy, RecoveredRun
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.analysis import analyze
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.scenarios import SCENARIOS, scenario
from routing_workbench.workbench.drivers.script import Fault
from routing_workbench.workbench.examples import example, examples
from routing_workbench.workbench.record import decision_from_record
from routing_workbench.workbench.session import Session

NAMES = [name for name, _ in examples()]
CASES = sorted((Path(__file__).resolve().parents[1] / "cases").glob("**/input*"))
CONTROLS = (
    Controls(),
    Controls(checker_configured=True, checker_validated=True),
    Controls(checker_configured=True),
    Controls(forced_type=TaskType.CODING, provenance=ToolErrorSource.UNTRUSTED),
    Controls(forced_type=TaskType.ANSWER, structured_answer=True, diagnose=True),
    Controls(forced_type=TaskType.CHAT, provenance=None, mode=Mode.SHADOW),
    Controls(forced_type=TaskType.AGENTIC, mode=Mode.ACTIVE, approval=ACTIVE_APPROVAL),
    Controls(prior_local=0.6, typing_enabled=False, pasted_attempt=False),
)
#: Characters in a row, white space apart, that make a leak.
RUN = 12


def strictly(text):
    """Read JSON that has no NaN and names no key twice."""

    def constant(name):
        raise AssertionError(f"{name} is no JSON")

    def once(pairs):
        made = dict(pairs)
        assert len(made) == len(pairs)
        return made

    return json.loads(text, parse_constant=constant, object_pairs_hook=once)


def runs_of(text):
    """All runs of a text."""
    dense = "".join(text.split())
    return {dense[at : at + RUN] for at in range(len(dense) - RUN + 1)}


def content_of(text):
    """All runs within the strings of a conversation, without JSON's own marks between them."""
    return set().union(*[runs_of(piece) for piece in text.split('"')])


@pytest.fixture(scope="session")
def own_words():
    """The runs of our own source, and of what we print of a conversation that says nothing.

    A word of ours that a conversation happens to hold is no leak.
    """
    package = Path(routing_workbench.__file__).parent
    sources = [path for path in package.rglob("*.py") if path.relative_to(package).parts[0] not in ("tests", ".venv")]
    screens = []
    with closing(Session(MockDriver(), on_screen=screens.append)) as session:
        session.set_text(json.dumps([{"role": "user", "content": "?"}, {"role": "assistant", "content": "!"}]))
        assert session.wait(30)
        printed = "\n".join([*map(repr, screens), repr(session.result)])
    return set().union(runs_of(printed), *[runs_of(path.read_text(encoding="utf-8")) for path in sources])


@pytest.mark.parametrize("chosen", SCENARIOS)
@pytest.mark.parametrize("name", NAMES)
def test_a_record_gives_its_decision_again(instant, name, chosen):
    """From the value as from its JSON, under every branch's controls."""
    driver = MockDriver(scenario(chosen).script, sleep=instant)
    for controls in CONTROLS:
        result = analyze(example(name), driver=driver, controls=controls)
        made = result.record()
        if result.decision is None:
            assert "decision" not in made
            continue
        assert decision_from_record(made) == result.decision
        assert decision_from_record(strictly(result.to_json())) == result.decision


def test_the_controls_of_that_test_reach_every_branch_and_both_routes(instant):
    """So that it says something."""
    decided = set()
    for name in NAMES:
        for chosen in ("everything affirms", "everything denies"):
            driver = MockDriver(scenario(chosen).script, sleep=instant)
            results = [analyze(example(name), driver=driver, controls=controls) for controls in CONTROLS]
            decided |= {
                (str(found.decision.branch), str(found.decision.predicted)) for found in results if found.decision
            }
    agentic = {("agentic_verified", "local"), ("agentic_recognized", "local"), ("agentic_verified", "cloud")}
    others = ("checks", "coding_no_checks", "answer", "chat", "default_verified")
    assert decided >= agentic | {(branch, route) for branch in others for route in ("local", "cloud")}


@pytest.mark.parametrize(
    "policy",
    [
        Policy(version="1.0.0-mine", coding_dial=None, default_verified_dial=None),
        Policy(readout_bar=math.nan, default_verified_dial=math.inf, deliberation_bar=-math.inf),
        Policy(recovered_run=RecoveredRun(enabled=False, max_tool_results=3)),
    ],
    ids=["unset", "not finite", "parts"],
)
@pytest.mark.parametrize("name", NAMES)
def test_a_record_holds_the_policy_whatever_its_numbers(instant, name, policy):
    """NaN and the infinities too, which JSON has not."""
    result = analyze(example(name), driver=MockDriver(sleep=instant), policy=policy)
    again = decision_from_record(strictly(result.to_json()))
    assert again == result.decision


def test_a_record_says_by_what_it_was_made(chat):
    """Versions, prompt set, driver, policy and controls."""
    made = strictly(analyze(chat(("user", "Hi"), ("assistant", "Hello"))).to_json())
    assert made["record"] == 1
    assert made["workbench"] == routing_workbench.__version__
    assert made["driver"] == {"kind": "mock", "label": "seed 7"}
    assert made["policy"]["version"] == "1.0.0"
    assert made["prompt_set"]
    assert made["reading"]["format"] == "openai-chat-request"
    assert made["derived"]["capabilities"]["attempt"] == {"chars": 5}


def test_every_question_is_recorded_with_its_time_and_origin(chat):
    """In the order they were asked."""
    asked = strictly(analyze(chat(("user", "Hi"), ("assistant", "Hello"))).to_json())["asked"]
    assert [row["rung"] for row in asked] == ["typing", "readout"]
    assert all(row["took_ms"] > 0 and row["origin"] == {"kind": "mock", "label": "seed 7"} for row in asked)
    assert all(later["started_ms"] >= row["started_ms"] for row, later in pairwise(asked))


def test_a_question_is_recorded_with_what_was_read_of_its_reply(chat):
    """In our words; empty where there is nothing to say."""
    asked = analyze(chat(("user", "Hi"), ("assistant", "Hello"))).record()["asked"]
    typing, readout = [row["note"] for row in asked]
    assert (typing, readout.split()[0]) == ("", "yes")


def test_a_decision_is_recorded_with_the_prompts_it_was_asked_with(chat):
    """Not with those of whoever writes the record."""
    result = analyze(chat(("user", "Hi"), ("assistant", "Hello")))
    then = replace(result, outcome=replace(result.outcome, prompt_set="vgr-of-then"))
    assert then.record()["prompt_set"] == "vgr-of-then"


def test_a_changed_policy_is_recorded_as_such(chat):
    """By the names of its constants, whatever its version says."""
    policy = Policy(chat_dial=None, recovered_run=RecoveredRun(min_errors=2))
    changed = analyze(chat(("user", "Hi"), ("assistant", "Hello")), policy=policy).record()
    assert changed["policy_changes"] == ["chat_dial", "recovered_run.min_errors"]
    assert analyze(chat(("user", "Hi"), ("assistant", "Hello"))).record()["policy_changes"] == []


def test_a_failed_call_is_recorded_by_class_and_status(chat):
    """Never by its body."""
    script = scenario("everything affirms").script.edited(Rung.READOUT, fault=Fault.HTTP_503)
    made = analyze(chat(("user", "Hi"), ("assistant", "Hello")), driver=MockDriver(script)).record()
    (row,) = [row for row in made["asked"] if row["rung"] == "readout"]
    assert (row["miss"], row["error"], row["value"]) == ("call_failed", "HTTP 503", None)


def test_an_unreadable_paste_is_recorded_by_code_and_place():
    """The remark's sentence may quote the paste."""
    made = strictly(analyze('{"messages": [{"role": "user", "content": "x"}').to_json())
    assert made["reading"]["remarks"] == [{"severity": "error", "code": "json-cut-off", "line": 1, "column": 47}]
    assert "derived" not in made


def test_an_approval_is_recorded_by_its_length(chat):
    """A mistyped one could be anything that was in the clipboard."""
    result = analyze(chat(("user", "Hi")), controls=Controls(mode=Mode.ACTIVE, approval="clipboard-canary-9471"))
    assert strictly(result.to_json())["controls"]["approval"] == {"chars": 21}
    assert "clipboard-canary" not in f"{result.to_json()}{result!r}{result.controls!r}{result.failure}"


def _texts():
    yield from ((name, example(name)) for name in NAMES)
    for path in CASES:
        yield path.parent.name, path.read_bytes().decode("utf-8", "replace")


HOSTILE = {
    "tool names and ids": {
        "messages": [
            {"role": "user", "content": "canary-text-01"},
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "canary-text-02"}],
                "tool_calls": [
                    {
                        "id": "canary-id-03",
                        "type": "function",
                        "function": {"name": "canary_tool_04", "arguments": '{"canary-key-05": "canary-06"}'},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "canary-id-07", "name": "canary-name-08", "content": "canary-text-09"},
            {"role": "assistant", "content": "canary-attempt-10"},
        ],
        "model": "canary-model-11",
        "metadata": {"canary-meta-12": "canary-meta-13"},
        "session_id": "canary-session-14",
        "canary-field-15": [1],
    },
    "roles and blocks": {
        "messages": [
            {"role": "canary-role-16", "content": "canary-text-17"},
            {"role": "user", "content": [{"type": "canary-block-18", "canary-part-19": "canary-part-20"}]},
            {"role": "user", "name": "canary-name-21", "content": "sk-canary22canary22canary"},
            {"canary-no-role-23": "canary-text-24"},
        ]
    },
    "anthropic": {
        "system": "canary-system-25",
        "messages": [
            {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "canary-url-26"}}]},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "canary-id-27", "name": "canary-tool-28", "input": {"a": 1}}],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "canary-id-29", "content": "timed out canary-30"}],
            },
        ],
    },
    "a document of another kind": {"canary-top-31": {"canary-deep-32": "canary-value-33"}},
}


def _shown(opened, instant, text, **keywords):
    """All that a session writes or prints of itself for this text."""
    session, watch = opened(MockDriver(sleep=instant), **keywords)
    session.set_text(text, "canary-file-name.json")
    assert session.wait(30)
    screens = [repr(screen) for screen in watch.screens]
    result = session.result
    return "\n".join([*screens, repr(session), repr(result), "" if result is None else result.to_json()])


@pytest.mark.parametrize(("name", "text"), list(_texts()), ids=lambda value: value if len(value) < 60 else "")
def test_nothing_of_a_conversation_is_recorded_or_printed(opened, instant, own_words, name, text):
    """Not 12 characters in a row, in the record, in the repr of the result or in that of any screen."""
    assert runs_of(_shown(opened, instant, text)) & (content_of(text) - own_words) == set(), name


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("cut", [0, 2], ids=["whole", "cut off"])
def test_no_name_id_role_or_key_is_recorded_or_printed(opened, instant, name, cut):
    """They are content as well, also where a paste is broken."""
    text = json.dumps(HOSTILE[name])
    assert "canary" not in _shown(opened, instant, text[: len(text) - cut], controls=Controls(diagnose=True))


def test_no_file_name_or_approval_is_printed(opened, instant, chat):
    """A file's name may name a customer, an approval may be what was in the clipboard."""
    controls = Controls(mode=Mode.ACTIVE, approval="parrot-words")
    shown = _shown(opened, instant, chat(("user", "Hi")), controls=controls)
    assert "parrot" not in shown
    assert "canary-file" not in shown


@pytest.mark.parametrize(
    "value", [Place(path="messages[0].canary-key"), Conversation(Request((), ()), title="canary title")], ids=type
)
def test_no_path_or_title_is_printed(value):
    """Both are made of what was pasted."""
    assert "canary" not in repr(value)


def test_what_the_mock_writes_is_not_printed(opened, instant, chat):
    """Its answers can be typed by the user."""
    session, watch = opened(MockDriver(sleep=instant), chat(("user", "Hi")))
    session.set_rung(Rung.ATTEMPT, answer="canary-attempt-text")
    assert session.wait(30)
    assert session.screen.derived.capabilities.attempt == "canary-attempt-text"
    assert "canary" not in "".join(map(repr, watch.screens)) + repr(session.result) + session.result.to_json()
