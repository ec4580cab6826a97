"""An llm_classifier route is the escalation judge, or ordered cutoffs, and says which."""

from __future__ import annotations

import pytest
from routing_workbench.core.conversation.diagnostics import Severity
from routing_workbench.core.cutoffs.config import CutoffsConfig, Rule
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.config import RouteKind, read_routes
from routing_workbench.workbench.drivers.protocol import Category

NOTE = "Take over."
DECISION = """
[routes.r.decision]
fallback = "b"

[routes.r.decision.candidates]
a = "small"
b = "large"
"""
RULES = '[[routes.r.decision.rules]]\ncandidate = "a"\ncutoff = 0.6\n'


def test_an_escalation_route_is_read(given, route):
    """Its settings, and its models by tier."""
    table = f'{{ confirmations = 3, window_message_chars = 80, handoff_note = "{NOTE}" }}'
    lines = f'mode = "escalation"\nescalation = {table}\n'
    found = route(given.escalation(lines))
    assert found.kind is RouteKind.ESCALATION
    assert found.escalation == EscalationConfig(3, 28, 80, NOTE)
    assert (found.cutoffs, found.checker, found.controls) == (None, None, Controls())
    assert {category: target.model for category, target in found.targets.items()} == {
        Category.JUDGE: "judge-8b",
        Category.LOCAL: "small-8b",
        Category.CLOUD: "large-70b",
    }
    assert found.defaults[0] == ("escalation.recent_turn_window", "28")


def test_the_other_names_of_the_targets_are_read_too(given, route):
    """Files have classifier_target, weak_target and strong_target."""
    text = given.escalation('mode = "escalation"\n')
    other = text.replace("judge_target", "classifier_target").replace("efficient_target", "weak_target")
    other = other.replace("capable_target", "strong_target")
    assert route(other).targets == route(text).targets


def test_a_target_named_twice_is_refused(given, only):
    """Neither of two names wins silently."""
    found = only(given.escalation('mode = "escalation"\nweak_target = "small"\n'))
    assert (found.code, found.place.line) == ("two-names", given.first + 6)


def test_the_mode_alone_takes_every_default_and_lists_them(given, route):
    """An escalation route without its table."""
    found = route(given.escalation('mode = "escalation"\n'))
    assert found.escalation == EscalationConfig()
    assert found.defaults[:4] == (
        ("escalation.confirmations", "2"),
        ("escalation.recent_turn_window", "28"),
        ("escalation.window_message_chars", "500"),
        ("escalation.handoff_note", "none"),
    )


def test_the_table_alone_tells_the_mode(given, route):
    """And says so."""
    found = route(given.escalation("escalation = { confirmations = 1 }\n"))
    assert found.kind is RouteKind.ESCALATION
    assert found.defaults[0] == ("mode", "escalation, by its escalation table")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("confirmations", "0", "confirmations is 0."),
        ("confirmations", "true", "confirmations is True."),
        ("recent_turn_window", "1.5", "recent_turn_window is 1.5."),
        ("window_message_chars", "49", "window_message_chars is 49."),
        ("handoff_note", '" "', "handoff_note is blank."),
    ],
)
def test_each_escalation_setting_is_refused_at_its_line(given, only, key, value, message):
    """As the core refuses it."""
    found = only(given.escalation(f"[routes.r.escalation]\n{key} = {value}\n"))
    assert (found.code, found.message, found.place.line) == ("refused", message, given.first + 6)


def test_all_wrong_escalation_settings_are_told_at_once(given, remarks):
    """Each on its own line."""
    text = given.escalation("[routes.r.escalation]\nconfirmations = 0\nhandoff = 1\nrecent_turn_window = 0\n")
    first = given.first
    assert remarks(text) == [
        (first + 6, 1, "refused"),
        (first + 7, 1, "unknown-key"),
        (first + 8, 1, "refused"),
    ]


def test_ordered_cutoffs_are_read(given, route):
    """A candidate that names a target is that target's model; the judge is all that is asked."""
    found = route(given.cutoffs(DECISION + RULES))
    assert found.kind is RouteKind.CUTOFFS
    assert found.cutoffs == CutoffsConfig((("a", "small-8b"), ("b", "large-70b")), (Rule("a", 0.6),), "b")
    assert {category: target.model for category, target in found.targets.items()} == {Category.JUDGE: "chooser-1"}
    assert found.defaults[:6] == (
        ("mode", "ordered cutoffs, by its decision table"),
        ("decision.instructions", "the workbench's own question"),
        ("decision.evidence", "none"),
        ("decision.fail_open", "false"),
        ("decision.recent_turn_window", "the opening and the last user message"),
        ("targets.chooser.extra_body", "none"),
    )


def test_every_key_of_a_decision_is_read(given, route):
    """With rules and fallback in `policy`, as the specification writes them."""
    lines = (
        'decision = { candidates = { a = "small", b = "gpt-x" }, policy = { rules = [{ candidate = "b", cutoff = 0 }], '
        'fallback = "a" }, instructions = "Which?", evidence = { a = [1, true] }, fail_open = true, '
        "recent_turn_window = 4 }\n"
    )
    assert route(given.cutoffs(lines)).cutoffs == CutoffsConfig(
        (("a", "small-8b"), ("b", "gpt-x")), (Rule("b", 0.0),), "a", "Which?", {"a": [1, True]}, True, 4
    )


@pytest.mark.parametrize(
    ("value", "severity", "step"),
    [("gpt-x", Severity.NOTE, ""), ("smal", Severity.WARNING, "Write `small` if that was meant.")],
)
def test_a_candidate_that_names_no_target_is_a_model_id_and_said(given, value, severity, step):
    """A misspelt target must not become a model unnoticed."""
    text = given.cutoffs(DECISION.replace('a = "small"', f'a = "{value}"') + RULES)
    found = read_routes(text).routes["r"]
    assert found.cutoffs is not None
    assert found.cutoffs.target_of("a") == value
    assert [(one.code, one.severity, one.next_step) for one in found.diagnostics] == [("model-id", severity, step)]


@pytest.mark.parametrize(
    ("old", "new", "line", "code"),
    [
        ('candidate = "a"', 'candidate = "z"', 11, "refused"),
        ("cutoff = 0.6", "cutoff = 1.01", 13, "wrong-value"),
        ("cutoff = 0.6", "cutoff = nan", 13, "wrong-value"),
        ("cutoff = 0.6", "cutoff = true", 13, "wrong-value"),
        ("cutoff = 0.6", "", 11, "missing-key"),
        ('fallback = "b"', 'fallback = "z"', 5, "refused"),
        ('fallback = "b"', "", 4, "refused"),
        ('b = "large"', 'b = "small"', 7, "refused"),
        ('b = "large"', "b = 5", 9, "wrong-value"),
        ('fallback = "b"', 'fallback = "b"\nfail_opne = true', 6, "unknown-key"),
        ('fallback = "b"', 'fallback = "b"\nevidence = { at = 2020-01-01 }', 6, "no-json"),
        ('fallback = "b"', 'fallback = "b"\nrecent_turn_window = 0', 6, "wrong-value"),
    ],
)
def test_what_is_wrong_in_a_decision_is_told_at_its_line(given, only, old, new, line, code):
    """Candidates, rules and fallback alike."""
    text = given.cutoffs((DECISION + "\n" + RULES).replace(old, new, 1))
    found = only(text)
    assert (found.code, found.place.line) == (code, given.first + line)


def test_a_decision_without_rules_is_refused(given, only):
    """At least one rule."""
    assert only(given.cutoffs(DECISION)).message == "The configuration has no rules."


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        ("", "missing-key", 0),
        ('mode = "capability"\n', "classifier-mode", 3),
        ('mode = "escalation"\n' + DECISION + RULES, "classifier-mode", 3),
        ('mode = "decision"\n', "classifier-mode", 3),
        ("escalation = {}\n" + DECISION + RULES, "two-algorithms", 5),
    ],
)
def test_a_route_that_is_not_one_of_the_two_is_refused(given, only, lines, code, line):
    """Which algorithm is meant is never guessed."""
    found = only(given.cutoffs(lines))
    assert (found.code, found.place.line) == (code, given.first + line)


def test_missing_targets_are_named(given, only):
    """With both of their names."""
    found = only(given.escalation('mode = "escalation"\n').replace('efficient_target = "small"\n', ""))
    assert (found.code, found.place.line) == ("missing-key", given.first)
    assert found.message == "Route `r` has no `efficient_target` (or `weak_target`)."


def test_an_endpoint_without_distribution_is_a_warning(given, remarks):
    """Over anthropic_messages each turn takes the fallback; that is said beforehand."""
    text = given.cutoffs(DECISION + RULES).replace('format = "system_one"', 'format = "anthropic_messages"')
    assert remarks(text, *Severity) == [(given.first + 2, 1, "no-distribution")]


def test_tiers_beside_a_decision_are_not_read_and_said(given, remarks):
    """Its candidates name the models."""
    text = given.cutoffs('weak_target = "small"\n' + DECISION + RULES)
    assert remarks(text, *Severity) == [(given.first + 3, 1, "not-read")]
