"""A vgr route becomes targets, settings and a checker; what it leaves out is listed."""

from __future__ import annotations

import pytest
from routing_workbench.core.conversation.diagnostics import Severity
from routing_workbench.core.vgr.decision import ACTIVE_APPROVAL, Mode
from routing_workbench.core.vgr.policy import Policy
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.config import RouteKind, read_routes
from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.protocol import Category
from routing_workbench.workbench.drivers.with_checker import WithChecker

ALL = f"""\
judge_target = "judge"
cloud_judge_target = "large"
mode = "active"
active_approval = "{ACTIVE_APPROVAL}"
deadline_seconds = 12.5
task_typing = false
latch_escalation = false
speculation_carry = true
structured_answer = true
breaker_threshold = 3
breaker_cooldown_seconds = 60
local_supports_images = true
"""


def test_each_setting_is_taken(given, route):
    """Every key of the format, at a value that is not its default."""
    assert route(given.vgr(ALL)).controls == Controls(
        mode=Mode.ACTIVE,
        approval=ACTIVE_APPROVAL,
        deadline=12.5,
        typing_enabled=False,
        latch_escalation=False,
        speculation_carry=True,
        structured_answer=True,
        breaker_threshold=3,
        breaker_cooldown=60,
        local_supports_images=True,
    )


def test_each_target_answers_its_category(given, route):
    """Local, cloud, judge and cloud judge."""
    found = route(given.vgr(ALL))
    assert found.kind is RouteKind.VGR
    assert {category: target.model for category, target in found.targets.items()} == {
        Category.LOCAL: "small-8b",
        Category.CLOUD: "large-70b",
        Category.JUDGE: "judge-8b",
        Category.CLOUD_JUDGE: "large-70b",
    }


def test_what_is_left_out_is_listed_with_what_holds_instead(given, route):
    """No default is silent: settings, targets and the endpoints in use."""
    found = route(given.vgr())
    assert found.controls == Controls()
    assert found.targets[Category.JUDGE] is found.targets[Category.LOCAL]
    assert Category.CLOUD_JUDGE not in found.targets
    assert found.defaults == (
        ("judge_target", "local_target judges itself"),
        ("cloud_judge_target", "none: no cloud judge is asked"),
        ("mode", "evaluate, the workbench's default"),
        ("deadline_seconds", "30"),
        ("task_typing", "true"),
        ("latch_escalation", "true"),
        ("speculation_carry", "false"),
        ("structured_answer", "false"),
        ("breaker_threshold", "5"),
        ("breaker_cooldown_seconds", "30"),
        ("local_supports_images", "false"),
        ("checker", "none: no check is run"),
        ("targets.small.extra_body", "none"),
        ("llm_clients.box.api_key_env", "none: no key is sent"),
        ("llm_clients.box.extra_headers", "none"),
        ("llm_clients.box.max_retries", "2"),
        ("targets.large.extra_body", "none"),
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('mode = "active"', "Mode active needs its approval text verbatim, and none was given."),
        (
            f'mode = "active"\nactive_approval = "{ACTIVE_APPROVAL.upper()}"',
            "Mode active needs its approval text verbatim, and the text given, 42 characters, differs.",
        ),
    ],
)
def test_mode_active_needs_its_approval_verbatim(given, only, line, message):
    """The diagnostic stands where the text is, or where the mode is."""
    found = only(given.vgr(f"{line}\n"))
    assert (found.code, found.message) == ("mode-not-approved", message)
    assert found.place.line == given.first + 4 + line.count("\n")


def test_tiers_that_are_one_model_are_noted(given, remarks):
    """It is no error: one small model can play every part."""
    text = given.vgr().replace('cloud_target = "large"', 'cloud_target = "small"')
    assert remarks(text, *Severity) == [(given.first + 3, 1, "one-model")]


def test_a_decision_service_writes_no_attempt(given, only):
    """A system_one client answers decision questions alone."""
    found = only(given.vgr('judge_target = "chooser"\n'))
    assert (found.code, found.place.line) == ("decisions-only", given.first + 4)


@pytest.mark.parametrize(
    "name", ["readout_bar", "coding_dial", "turn_verification", "min_errors", "escalate_at", "my_bar"]
)
def test_thresholds_are_no_route_settings(given, only, name):
    """They are the policy's: a changed one is a what-if in the workbench."""
    found = only(given.vgr(f"{name} = 0.1\n"))
    assert (found.code, found.place.line, found.place.column) == ("threshold", given.first + 4, 1)
    assert found.message == f"`{name}` is a threshold, and thresholds are no route settings."
    assert found.next_step == "Remove it; change the policy in the workbench, as a what-if."


@pytest.mark.parametrize("name", Policy.__dataclass_fields__)
def test_no_constant_of_the_policy_is_a_setting(given, only, name):
    """Whatever the policy holds, a route holds none of it."""
    assert only(given.vgr(f"{name} = 1\n")).code == "threshold"


def test_keys_that_only_describe_a_route_are_not_read_and_said(given, remarks):
    """A documented key that changes no decision is a warning, and the route stays usable."""
    text = given.vgr('id = "switchyard/vgr"\ncontext_window = 128000\n')
    assert remarks(text, *Severity) == [(given.first + 5, 1, "not-read")]
    assert read_routes(text).routes["r"].problem == ""


@pytest.fixture
def folder(tmp_path):
    """A folder with a test folder."""
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "test_it.py").write_text("assert True\n")
    return tmp_path


CHECKER = """
[routes.r.checker]
tests_dir = "checks"
command = ["python3", "-m", "unittest"]
materialize_command = ["tee", "attempt.py"]
sandbox_attestation = "runs in a container without network"
validated = true
"""


def test_a_checker_is_found_beside_the_file(given, route, folder):
    """A relative test folder is one of the file's folder."""
    found = route(given.vgr(CHECKER), folder=folder)
    assert found.checker is not None
    assert found.checker.tests_dir == (folder / "checks").resolve()
    assert found.checker.command == ("python3", "-m", "unittest")
    assert found.checker.materialize_command == ("tee", "attempt.py")
    assert found.checker.validated
    assert (found.controls.checker_configured, found.controls.checker_validated) == (True, True)


def test_a_relative_folder_needs_a_file_to_be_relative_to(given, only):
    """It is never looked for where Python happens to run."""
    found = only(given.vgr(CHECKER))
    assert (found.code, found.place.line) == ("no-folder", given.first + 6)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('"checks"', '"elsewhere"', 6, "does not exist"),
        ('["python3", "-m", "unittest"]', "[]", 7, "command is empty."),
        ('["tee", "attempt.py"]', '[" "]', 8, "materialize_command[0] is blank."),
        ('"runs in a container without network"', '" "', 9, "sandbox_attestation is missing."),
    ],
)
def test_a_checker_that_could_not_run_is_refused_at_its_line(given, only, folder, old, new, line, words):
    """What the checker refuses is told with its place in the file."""
    found = only(given.vgr(CHECKER.replace(old, new)), folder=folder)
    assert (found.code, found.place.line) == ("refused", given.first + line)
    assert words in found.message


def test_a_checker_without_attestation_is_refused_at_its_table(given, only, folder):
    """There is none without a statement of what confines it."""
    text = given.vgr(CHECKER.replace("sandbox_attestation", "# sandbox_attestation"))
    assert only(text, folder=folder).place.line == given.first + 5


def test_the_driver_asks_the_route_and_runs_its_checker(given, route, folder):
    """Making it sends nothing; the models are the route's."""
    plain = route(given.vgr()).driver()
    assert isinstance(plain, HttpDriver)
    assert plain.models_for(Category.LOCAL) == ("small-8b",)
    assert plain.models_for(Category.CHECKER) == ()
    checked = route(given.vgr(CHECKER), folder=folder).driver()
    assert isinstance(checked, WithChecker)
    assert checked.models_for(Category.CLOUD) == ("large-70b",)
    assert checked.models_for(Category.CHECKER) == ("python3",)
