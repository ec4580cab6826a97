"""A key that stands in the file is told, and never repeated."""

from __future__ import annotations

import pytest
from routing_workbench.workbench.config import ConfigurationProblem, load_route, read_routes, write_route

SECRET = "hunter2hunter2"
LIKE_A_KEY = "sk-" + "a1" * 12
CLIENT = 'base_url = "http://127.0.0.1:8080/v1"'


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        (f'api_key = "{SECRET}"', SECRET),
        (f'apikey = "{SECRET}"', SECRET),
        (f'token = "{SECRET}"', SECRET),
        ("password = 918273645", "918273645"),
        (f'api_key_env = "{LIKE_A_KEY}"', LIKE_A_KEY),
        (f'extra_headers = {{ Authorization = "Basic {SECRET}" }}', SECRET),
        (f'extra_headers = {{ X-Api-Key = "{SECRET}" }}', SECRET),
        (f'extra_headers = {{ x-anything = "Bearer {SECRET}abcdef" }}', SECRET),
        (f'extra_headers = {{ x-anything = "{LIKE_A_KEY}" }}', LIKE_A_KEY),
    ],
)
def test_a_key_in_a_client_is_told_without_its_value(given, everything_said, line, secret):
    """Keys come from environment variables only; the routes that use the client cannot be used."""
    file = read_routes(given.vgr().replace(CLIENT, f"{CLIENT}\n{line}", 1))
    said = everything_said(file)
    assert secret not in said
    assert ("key-in-file", 6) in [(one.code, one.place.line) for one in file.diagnostics]
    assert "environment variable" in said
    assert file.routes["r"].problem != ""


@pytest.mark.parametrize(
    "line",
    [
        f'api_key_env = "{SECRET}{SECRET}"',
        'api_key_env = "AIzaSyA-hunter2hunter2"',
        f'base_url = "http://user:{SECRET}@127.0.0.1/v1"',
        f'base_url = "http://127.0.0.1/v1?key={SECRET}"',
        f'extra_headers = {{ x-a = "{SECRET}\\n" }}',
        f'extra_headers = "{SECRET}"',
        f'max_retries = "{SECRET}"',
    ],
)
def test_no_refused_value_of_a_client_is_repeated(given, everything_said, line):
    """Whatever it is refused for."""
    text = given.vgr().replace(CLIENT, line if line.startswith("base_url") else f"{CLIENT}\n{line}", 1)
    file = read_routes(text)
    assert "hunter2" not in everything_said(file)
    assert file.routes["r"].problem != ""


def test_a_key_in_a_body_or_a_route_is_told(given, everything_said):
    """Wherever it stands, in whatever depth."""
    text = given.vgr(f'note = "{LIKE_A_KEY}"\n')
    text = text.replace('id = "small-8b"', f'id = "small-8b"\nextra_body = {{ auth = [{{ api_key = "{SECRET}" }}] }}')
    file = read_routes(text)
    said = everything_said(file)
    assert SECRET not in said
    assert LIKE_A_KEY not in said
    assert [one.place.line for one in file.diagnostics if one.code == "key-in-file"] == [13, given.first + 5]


def test_a_header_that_is_no_key_is_sent_and_not_shown(given, everything_said, route):
    """Any header may be secret, so none is shown."""
    text = given.vgr().replace(CLIENT, f'{CLIENT}\nextra_headers = {{ x-team = "{SECRET}" }}', 1)
    assert SECRET not in everything_said(read_routes(text))
    assert {target.client.extra_headers for target in route(text).targets.values()} == {(("x-team", SECRET),)}


def test_a_table_named_by_a_key_is_not_shown(everything_said):
    """Names of tables and keys are redacted as well."""
    file = read_routes(
        f'[llm_clients."{LIKE_A_KEY}"]\nformat = 1\n[targets."{LIKE_A_KEY}"]\n[routes.x]\n"{LIKE_A_KEY}" = 1\n'
    )
    assert LIKE_A_KEY not in "\n".join(f"{one!r} {one.message} {one.next_step} {one.place}" for one in file.diagnostics)


def test_labels_and_evidence_of_a_decision_may_have_any_name(given, route):
    """`token` is a word there."""
    text = given.cutoffs(
        'decision = { candidates = { token = "small", password = "large" }, evidence = { api_key = "none" }, '
        'rules = [{ candidate = "token", cutoff = 0.5 }], fallback = "password" }\n'
    )
    assert route(text).cutoffs.labels == ("password", "token")


def test_an_approval_that_differs_is_not_repeated(given, everything_said):
    """Nor is what else stands where a text should."""
    file = read_routes(given.vgr(f'mode = "active"\nactive_approval = "{SECRET}"\n'))
    assert SECRET not in everything_said(file)


def test_errors_of_loading_and_writing_repeat_no_key(given, tmp_path):
    """They list the diagnostics."""
    text = given.vgr().replace(CLIENT, f'{CLIENT}\napi_key = "{SECRET}"', 1)
    path = tmp_path / "routes.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationProblem) as loading:
        load_route(path)
    with pytest.raises(ConfigurationProblem) as writing:
        write_route(given.vgr(), "r", {"api_key": SECRET})
    assert SECRET not in f"{loading.value}{writing.value}"
    assert "routes.toml:6:1: `api_key` holds a key" in str(loading.value)
