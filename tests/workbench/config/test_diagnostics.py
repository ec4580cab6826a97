"""What is wrong in a file is told with line, column and next step; one bad table spoils no other."""

from __future__ import annotations

import pytest
from routing_workbench.core.conversation.diagnostics import Severity
from routing_workbench.workbench.config import ConfigurationProblem, RouteKind, read_routes


def test_an_unknown_key_is_told_with_the_nearest_known_one(given, only):
    """Its own line and column, in a route."""
    found = only(given.vgr('  mdoe = "shadow" # oops\n'))
    assert (found.place.line, found.place.column, found.place.path) == (given.first + 4, 3, "routes.r.mdoe")
    assert (found.message, found.next_step) == ("`mdoe` is no key of route `r`.", "Write `mode` if that was meant.")


def test_an_unknown_key_far_from_all_known_ones_gets_the_list(given, only):
    """So that a reader need not look elsewhere."""
    found = only(given.endpoints.replace('id = "small-8b"', 'id = "small-8b"\nzzz = 1') + "[routes]\n")
    assert (found.place.line, found.next_step) == (13, "Remove it. The keys are id, llm_client, extra_body.")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("deadline_seconds = 0", "`deadline_seconds` must be a number above 0, at most 86400, not 0."),
        ("deadline_seconds = nan", "`deadline_seconds` must be a number above 0, at most 86400, not nan."),
        ("deadline_seconds = 1e400", "`deadline_seconds` must be a number above 0, at most 86400, not infinite."),
        ('deadline_seconds = "30"', "`deadline_seconds` must be a number above 0, at most 86400, not a text."),
        (f"deadline_seconds = {'9' * 400}", "`deadline_seconds` must be a number above 0, at most 86400, not a number"),
        ("breaker_threshold = 2.5", "`breaker_threshold` must be a whole number from 1 to 1000000, not "),
        ("breaker_threshold = true", "`breaker_threshold` must be a whole number from 1 to 1000000, not true."),
        ("breaker_threshold = 0", "`breaker_threshold` must be a whole number from 1 to 1000000, not 0."),
        ("task_typing = 1", "`task_typing` must be true or false, not a number."),
        ("task_typing = []", "`task_typing` must be true or false, not a list."),
        ("checker = 2020-01-01", "`checker` must be a table, not a date or time."),
        ('mode = "actve"', "`mode` must be one of off, shadow, evaluate, active: `actve` is none."),
        ("mode = 1", "`mode` must be one of off, shadow, evaluate, active, not a number."),
    ],
)
def test_a_value_of_another_type_or_range_is_told(given, only, line, message):
    """With what it must be, at its line."""
    found = only(given.vgr(f"{line}\n"))
    assert (found.code, found.place.line, found.place.column) == ("wrong-value", given.first + 4, 1)
    assert found.message.startswith(message)


def test_a_missing_key_is_told_at_its_table(given, only):
    """With what to add."""
    found = only(given.vgr().replace('cloud_target = "large"\n', ""))
    assert (found.code, found.place.line) == ("missing-key", given.first)
    assert found.message == "Route `r` has no `cloud_target`."
    assert found.next_step == "Add it: the name of a table under [targets]."


def test_a_dangling_target_is_told_whatever_else_is_wrong(given, remarks):
    """Both remarks, each at its line."""
    text = given.vgr("task_typing = 1\n").replace('"large"\n', '"larg"\n')
    assert remarks(text) == [(given.first + 3, 1, "unknown-target"), (given.first + 4, 1, "wrong-value")]


def test_a_dangling_client_makes_its_target_and_its_routes_unusable(given):
    """A route names the line to correct first, its own, and the client's line is among its remarks."""
    text = given.vgr().replace('id = "large-70b"\nllm_client = "box"', 'id = "large-70b"\nllm_client = "bxo"')
    found = read_routes(text, name="a.toml").routes["r"]
    assert found.problem == (
        f"a.toml:{given.first + 3}:1: `cloud_target` names target `large`, which cannot be used. "
        "Correct that target, or its client. And 1 more."
    )
    assert [(one.code, one.place.line, one.next_step) for one in found.diagnostics] == [
        ("unknown-client", 17, "Write `box` if that was meant."),
        ("unusable-target", given.first + 3, "Correct that target, or its client."),
    ]


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('"openai_chat"', '"openai"', "wrong-value", 4),
        ('"openai_chat"', "5", "wrong-value", 4),
        ("http://127.0.0.1:8080/v1", "127.0.0.1:8080", "refused", 5),
        ('8080/v1"', '8080/v1"\nmax_retries = 11', "wrong-value", 6),
        ('8080/v1"', '8080/v1"\nmax_retries = -1', "wrong-value", 6),
        ('8080/v1"', '8080/v1"\nextra_headers = { "a b" = "c" }', "refused", 6),
        ('8080/v1"', '8080/v1"\nextra_headers = { x-a = 5 }', "wrong-value", 6),
        ('8080/v1"', '8080/v1"\napi_key_env = "not a name"', "refused", 6),
        ('id = "small-8b"', 'id = ""', "wrong-value", 12),
        ('id = "small-8b"', 'id = "small-8b"\nextra_body = { stop = nan }', "no-json", 13),
        ('id = "small-8b"', 'id = "small-8b"\nextra_body = { messages = [] }', "refused", 13),
        ('id = "small-8b"', 'id = "small-8b"\nextra_body = []', "wrong-value", 13),
    ],
)
def test_what_is_wrong_with_an_endpoint_is_told_at_its_line(given, remarks, old, new, code, line):
    """Clients and targets, shape and content."""
    found = remarks(given.endpoints.replace(old, new, 1) + "[routes]\n")
    assert (line, code) in [(at, kind) for at, _, kind in found]


def test_more_retries_than_the_workbench_makes_are_said(given, remarks, route):
    """The format allows ten; two are made, and not silently."""
    text = given.vgr().replace('8080/v1"', '8080/v1"\nmax_retries = 7', 1)
    assert remarks(text, *Severity) == [(6, 1, "fewer-retries")]
    assert {target.client.max_retries for target in route(text).targets.values()} == {2}


def test_another_type_of_route_is_told_and_spoils_no_other(given):
    """The file's other route stays usable."""
    file = read_routes(given.vgr() + '[routes.mix]\ntype = "random"\n')
    assert [route.name for route in file.usable] == ["r"]
    other = file.routes["mix"]
    assert (other.kind, other.targets) == (None, {})
    assert other.problem == (
        f"routes.toml:{given.first + 5}:1: Type `random` is not read here; "
        "this workbench reads vgr and llm_classifier. Use another route of the file."
    )
    with pytest.raises(ConfigurationProblem, match="is not read here"):
        other.driver()


def test_an_unusable_route_still_says_its_kind_and_nothing_else(given):
    """No half-read settings."""
    found = read_routes(given.vgr('mode = "active"\n')).routes["r"]
    assert (found.kind, found.defaults, found.targets) == (RouteKind.VGR, (), {})


def test_a_word_that_is_also_the_name_of_a_bad_target_is_no_reference(given):
    """Labels, notes and texts of a route may be anything."""
    bad = '[targets.broken]\nid = ""\nllm_client = "box"\n'
    lines = (
        'decision = { candidates = { broken = "small", b = "large" }, instructions = "broken", '
        'rules = [{ candidate = "broken", cutoff = 0.5 }], fallback = "broken" }\n'
    )
    found = read_routes(given.cutoffs(lines) + bad).routes["r"]
    assert (found.problem, found.diagnostics) == ("", ())


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", ["llm_clients", "targets", "routes"]),
        ("[llm_clients]\n[targets]\n", ["routes"]),
        ("[llm_clients]\n[routes]\n", ["targets"]),
    ],
)
def test_missing_tables_are_told(text, messages):
    """At the file's first line."""
    found = read_routes(text).diagnostics
    assert [one.message for one in found] == [f"The file has no [{name}.<name>] table." for name in messages]
    assert {(one.code, one.place.line) for one in found} == {("missing-table", 1)}


def test_a_version_that_is_not_known_makes_every_route_unusable(given):
    """Its keys may mean anything."""
    file = read_routes(given.vgr().replace("schema_version = 1", "schema_version = 2"))
    assert file.routes["r"].problem == (
        "routes.toml:1:1: `schema_version` must be 1, not 2. "
        "Write 1 if the file keeps to that format; no other is read here."
    )


def test_what_a_file_holds_beside_its_routes_is_said_on_each(given):
    """Top-level keys that are not read change no route, and are told all the same."""
    text = 'fallback_client = "box"\nrotes = 1\n' + given.vgr() + "[policy]\nreadout_bar = 0.1\n"
    found = read_routes(text).routes["r"]
    assert found.problem == ""
    assert [(one.place.line, one.code, one.severity) for one in found.diagnostics] == [
        (1, "not-read", Severity.WARNING),
        (2, "unknown-key", Severity.WARNING),
        (given.first + 6, "threshold", Severity.WARNING),
    ]


def test_places_hold_where_tomlkit_drops_a_space(given, only):
    """It forgets the space behind a date in an inline table; nothing shifts."""
    body = "extra_body = { since = [{ day = 2020-01-01 }] }\n"
    text = given.endpoints.replace("[targets.large]", f"{body}\n[targets.large]", 1) + "[routes.x]\n  tpye = 1\n"
    found = read_routes(text).diagnostics
    assert [(one.place.line, one.place.column, one.code) for one in found] == [
        (15, 27, "no-json"),
        (given.first + 2, 1, "missing-key"),
    ]


def test_a_flood_of_one_kind_is_cut_and_counted(given):
    """Twenty are listed, and how many more there are."""
    lines = "".join(f"zzz{n} = 1\n" for n in range(50))
    found = read_routes(given.vgr(lines)).diagnostics
    assert len(found) == 21
    assert found[-1].message.startswith("30 more like")
