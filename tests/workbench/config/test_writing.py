"""Written back, a file holds the changed values, and every other line to the byte."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st
from routing_workbench.core.cutoffs.config import Rule
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.vgr.decision import ACTIVE_APPROVAL, Mode
from routing_workbench.workbench.config import ConfigurationProblem, read_routes, route_changes, write_route

FILE = """\
# The head.
[llm_clients.box]   # one
format = "openai_chat"
base_url = "http://127.0.0.1:8080/v1"

[targets]
small = { id = "s", llm_client = "box" , extra_body = { stop = [ "a",
   "b" ] } } # kept
large = { id = "l", llm_client = "box" }

[routes.talk] # a vgr route
type = "vgr"
local_target = "small"
  cloud_target="large"   # indented
mode   =   "evaluate"\t# aligned
deadline_seconds = 30 # half a minute
task_typing = true

# About the next one.
[routes.agent]
type = "llm_classifier"
mode = "escalation"
judge_target = "small"
efficient_target = "small"
capable_target = "large"
escalation = { confirmations = 2, window_message_chars = 500 } # streak

[routes.inline]
type = "llm_classifier"
judge_target = "small"
decision = { candidates = { a = "small", b = "large" }, policy = { rules = [
  # the cheap one first
  { candidate = "a", cutoff = 0.7 }, # seventy
  { candidate = "b", cutoff = 0.2 },
], fallback = "b" } }

[routes.blocks]
type = "llm_classifier"
judge_target = "small"
decision.fallback = "b" # dotted
decision.candidates = { a = "small", b = "large" }

[[routes.blocks.decision.rules]] # first
candidate = "a"
cutoff = 0.7

# second
[[routes.blocks.decision.rules]]
candidate = "b"
cutoff = 0.2
# The end.
"""


def differing(before: str, after: str) -> list[tuple[str, str]]:
    """The runs of lines that differ."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [("".join(old[a:b]), "".join(new[c:d])) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("talk", {"deadline_seconds": 45.5}, [("30 # half", "45.5 # half")]),
        ("talk", {"mode": "shadow"}, [('mode   =   "evaluate"\t#', 'mode   =   "shadow"\t#')]),
        ("talk", {"task_typing": False}, [("task_typing = true", "task_typing = false")]),
        ("agent", {"escalation.confirmations": 3}, [("confirmations = 2,", "confirmations = 3,")]),
        ("inline", {"decision.rules": [{"candidate": "a", "cutoff": 0.7}, {"candidate": "b", "cutoff": 0.5}]}, [
            ('"b", cutoff = 0.2 }', '"b", cutoff = 0.5 }')
        ]),
        ("blocks", {"decision.rules": [{"candidate": "a", "cutoff": 0.8}, {"candidate": "b", "cutoff": 0.2}]}, [
            ("cutoff = 0.7\n\n# second", "cutoff = 0.8\n\n# second")
        ]),
        ("blocks", {"decision.fallback": "a"}, [('fallback = "b" # dotted', 'fallback = "a" # dotted')]),
        ("inline", {"decision.fallback": "a"}, [('], fallback = "b" } }', '], fallback = "a" } }')]),
        ("talk", {"deadline_seconds": None}, [("deadline_seconds = 30 # half a minute\n", "")]),
        ("talk", {"breaker_threshold": 9}, [("typing = true\n", "typing = true\nbreaker_threshold = 9\n")]),
        ("blocks", {"decision.fail_open": True}, [
            ("# dotted\n", "# dotted\ndecision.fail_open = true\n")
        ]),
        ("talk", {"deadline_seconds": 30.0, "mode": "evaluate", "active_approval": None}, []),
    ],
)  # fmt: skip
def test_only_the_changed_value_changes(name, changes, expected):
    """Its comment, its spacing and its line's place stay."""
    wanted = FILE
    for old, new in expected:
        assert wanted.count(old) == 1
        wanted = wanted.replace(old, new)
    assert write_route(FILE, name, changes) == wanted


_CHANGES = st.one_of(
    st.tuples(
        st.just("talk"),
        st.fixed_dictionaries(
            {},
            optional={
                "mode": st.sampled_from(["off", "shadow", "evaluate"]),
                "deadline_seconds": st.floats(0.001, 86_400) | st.integers(1, 86_400),
                "task_typing": st.booleans(),
                "structured_answer": st.booleans(),
                "breaker_threshold": st.integers(1, 1_000_000),
                "breaker_cooldown_seconds": st.floats(0, 86_400),
            },
        ),
    ),
    st.tuples(
        st.just("agent"),
        st.fixed_dictionaries(
            {},
            optional={
                "escalation.confirmations": st.integers(1, 10**9),
                "escalation.recent_turn_window": st.integers(1, 10**9),
                "escalation.window_message_chars": st.integers(50, 10**9),
                "escalation.handoff_note": st.text(st.characters(exclude_categories=["Cs"])).map(
                    lambda t: f"Note: {t}"
                ),
            },
        ),
    ),
)


@settings(max_examples=40, deadline=None)
@examples(_CHANGES, st.sampled_from(["\n", "\r\n"]))
def test_what_was_written_is_read_back(change, ending):
    """Each changed key once; no line goes but those of the changed keys, and none comes but theirs."""
    name, changes = change
    text = FILE.replace("\n", ending)
    written = write_route(text, name, changes)
    route = read_routes(written).routes[name]
    assert route.problem == ""
    found = {
        "mode": route.controls.mode.value,
        "deadline_seconds": route.controls.deadline,
        "task_typing": route.controls.typing_enabled,
        "structured_answer": route.controls.structured_answer,
        "breaker_threshold": route.controls.breaker_threshold,
        "breaker_cooldown_seconds": route.controls.breaker_cooldown,
    }
    if route.escalation is not None:
        found |= {f"escalation.{key}": getattr(route.escalation, key) for key in EscalationConfig.__dataclass_fields__}
    assert {key: found[key] for key in changes} == changes
    for old, new in differing(text, written):
        assert all(any(key.partition(".")[0] in line for key in changes) for line in (old + new).split(ending) if line)
    assert "\n" not in written.replace(ending, "")


_RULES = st.lists(
    st.fixed_dictionaries({"candidate": st.sampled_from(["a", "b"]), "cutoff": st.floats(0, 1)}), min_size=1, max_size=5
)


@settings(max_examples=40, deadline=None)
@examples(st.sampled_from(["inline", "blocks"]), _RULES)
def test_any_rules_are_read_back_and_nothing_else_moves(name, rules):
    """As many as there are, in either way of writing them; the text before and behind them stays to the byte."""
    written = write_route(FILE, name, {"decision.rules": rules})
    found = read_routes(written).routes[name].cutoffs
    assert found is not None
    assert [{"candidate": rule.candidate, "cutoff": rule.cutoff} for rule in found.rules] == rules
    start, end = ("{ candidate", "], fallback") if name == "inline" else ('candidate = "a"\ncutoff', "# The end.")
    assert written[: FILE.index(start)] == FILE[: FILE.index(start)]
    assert written.endswith(FILE[FILE.index(end) :])


def test_a_space_that_tomlkit_drops_stays():
    """It forgets the space behind a date in an inline table; the line is not ours to change."""
    text = FILE.replace("# The head.", "notes = [{ day = 2020-01-01 }] # kept")
    assert write_route(text, "talk", {"mode": "off"}) == text.replace('   "evaluate"', '   "off"')


def test_a_byte_order_mark_stays():
    """As editors on Windows write it."""
    assert write_route("\ufeff" + FILE, "talk", {"mode": "off"}) == "\ufeff" + FILE.replace('   "evaluate"', '   "off"')


def test_a_file_without_a_last_line_end_gets_one_before_a_new_key():
    """The new key never joins the last line."""
    text = FILE[: FILE.index("# About")].rstrip("\n")
    assert write_route(text, "talk", {"speculation_carry": True}) == text + "\nspeculation_carry = true\n"


def test_a_table_that_is_missing_is_made():
    """An escalation setting in a route that has the mode alone."""
    text = FILE.replace("escalation = { confirmations = 2, window_message_chars = 500 } # streak\n", "")
    written = write_route(text, "agent", {"escalation.confirmations": 4})
    assert written == text.replace(
        'capable_target = "large"\n', 'capable_target = "large"\nescalation = {confirmations = 4}\n'
    )


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("talk", {"mode": "active"}, "These changes would make route `talk` unusable."),
        ("talk", {"readout_bar": 0.5}, "thresholds are no route settings"),
        ("talk", {"deadline_seconds": float("nan")}, "`deadline_seconds` cannot be written"),
        ("talk", {"mode": object()}, "no way to write a value of type object"),
        ("talk", {"mode.deeper": 1}, "`mode` is no table"),
        ("agent", {"escalation.confirmations": 0}, "confirmations is 0."),
        ("inline", {"decision.evidence": {"a": None}}, "no way to write a value of type NoneType"),
        ("inline", {"decision.rules": []}, "There is no rule."),
        ("tlak", {}, "There is no route `tlak`. Write `talk` if that was meant."),
    ],
)
def test_what_would_not_hold_is_not_written(name, changes, words):
    """The error says why; the text is untouched."""
    with pytest.raises(ConfigurationProblem) as raised:
        write_route(FILE, name, changes)
    assert words in str(raised.value)


def test_no_toml_is_not_written():
    """With the line of what is wrong."""
    with pytest.raises(ConfigurationProblem, match=r"The file:2:1: No TOML: a name stands twice\."):
        write_route("a = 1\na = 2\n", "talk", {"mode": "off"})


def test_an_unusable_route_can_be_repaired():
    """What was wrong before is no reason to refuse."""
    broken = FILE.replace('"evaluate"', '"evalate"').replace("task_typing = true", "task_typing = 1")
    half = write_route(broken, "talk", {"mode": "evaluate"})
    assert "task_typing" in read_routes(half).routes["talk"].problem
    assert write_route(half, "talk", {"task_typing": True}) == FILE


def test_changed_controls_become_changes_of_the_file():
    """Those a route can hold, under the file's names; the others are the workbench's own."""
    route = read_routes(FILE).routes["talk"]
    controls = replace(
        route.controls, mode=Mode.ACTIVE, approval=ACTIVE_APPROVAL, deadline=10.0, prior_local=0.5, kill_switch=True
    )
    changes = route_changes(route, controls=controls)
    assert changes == {"mode": Mode.ACTIVE, "active_approval": ACTIVE_APPROVAL, "deadline_seconds": 10.0}
    written = read_routes(write_route(FILE, "talk", changes)).routes["talk"]
    assert written.controls == replace(controls, prior_local=None, kill_switch=False)
    back = route_changes(written, controls=route.controls)
    assert back == {"mode": Mode.EVALUATE, "active_approval": None, "deadline_seconds": 30.0}


def test_changed_cutoffs_and_escalation_become_changes_of_the_file():
    """And nothing where nothing changed."""
    routes = read_routes(FILE).routes
    cutoffs, policy = routes["inline"].cutoffs, routes["agent"].escalation
    assert cutoffs is not None
    assert policy is not None
    assert route_changes(routes["inline"], cutoffs=cutoffs, controls=routes["inline"].controls) == {}
    changed = replace(cutoffs, rules=(Rule("b", 0.25), *cutoffs.rules), fail_open=True)
    changes = route_changes(routes["inline"], cutoffs=changed)
    assert read_routes(write_route(FILE, "inline", changes)).routes["inline"].cutoffs == changed
    moved = replace(policy, confirmations=1, handoff_note="Take over.")
    changes = route_changes(routes["agent"], escalation=moved)
    assert changes == {"escalation.confirmations": 1, "escalation.handoff_note": "Take over."}
    assert read_routes(write_route(FILE, "agent", changes)).routes["agent"].escalation == moved
