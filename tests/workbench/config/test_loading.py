"""Loading gives one usable route, or lists what is wrong with file and line."""

from __future__ import annotations

import pytest
from routing_workbench.workbench.config import ConfigurationProblem, load_file, load_route


@pytest.fixture
def saved(tmp_path):
    """A saved file's path."""

    def save(text: str | bytes):
        path = tmp_path / "routes.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return save


def test_the_one_usable_route_needs_no_name(given, saved):
    """A route of another type does not count."""
    path = saved(given.vgr() + '[routes.other]\ntype = "random"\n')
    assert load_route(path).name == "r"
    assert load_route(str(path), "r") == load_route(path)


def test_several_usable_routes_are_listed(given, saved):
    """None is chosen for the user."""
    with pytest.raises(ConfigurationProblem) as raised:
        load_route(saved(given.vgr() + given.vgr()[len(given.endpoints) :].replace("routes.r", "routes.second")))
    assert str(raised.value) == "routes.toml has 2 routes; name one of `r`, `second`."


def test_a_name_that_is_not_there_is_told_with_the_nearest(given, saved):
    """Or with those there are."""
    with pytest.raises(ConfigurationProblem) as raised:
        load_route(saved(given.vgr().replace("routes.r", "routes.assistant")), "asistant")
    assert str(raised.value) == "routes.toml has no route `asistant`. Write `assistant` if that was meant."


def test_an_unusable_route_lists_its_errors_and_no_others(given, saved):
    """With file, line, column and next step; warnings are left out."""
    text = given.vgr('mdoe = "off"\nvision = true\n') + "[routes.other]\ntype = 5\n"
    with pytest.raises(ConfigurationProblem) as raised:
        load_route(saved(text), "r")
    assert str(raised.value) == (
        "Route `r` of routes.toml cannot be used.\n"
        f"routes.toml:{given.first + 4}:1: `mdoe` is no key of route `r`. Write `mode` if that was meant."
    )


def test_a_file_without_usable_routes_lists_all_errors(saved):
    """The missing tables above all."""
    with pytest.raises(ConfigurationProblem) as raised:
        load_route(saved("x = 1\n"))
    assert str(raised.value).splitlines() == [
        "routes.toml has no route that can be used.",
        *(
            f"routes.toml:1:1: The file has no [{name}.<name>] table. Add one: [{name}.name]."
            for name in ("llm_clients", "targets", "routes")
        ),
    ]


@pytest.mark.parametrize("name", [None, "r"])
def test_what_is_no_toml_is_told_with_its_line(saved, name):
    """Whether a route was named or not."""
    with pytest.raises(ConfigurationProblem, match=r"routes\.toml:2:1: No TOML: a name stands twice\."):
        load_route(saved("a = 1\na = 2\n"), name)


def test_a_file_that_cannot_be_read_is_a_configuration_problem(tmp_path, saved):
    """Absent, a folder, or not UTF-8."""
    with pytest.raises(ConfigurationProblem, match="cannot be read: No such file"):
        load_route(tmp_path / "absent.toml")
    with pytest.raises(ConfigurationProblem, match="cannot be read: Is a directory"):
        load_route(tmp_path)
    with pytest.raises(ConfigurationProblem, match=r"routes\.toml:2: this is no UTF-8"):
        load_route(saved(b"a = 1\nb = '\xff'\n"))


def test_a_byte_order_mark_and_other_line_ends_are_read(given, saved):
    """As editors on Windows write them."""
    text = "\ufeff" + given.vgr('mdoe = "off"\n').replace("\n", "\r\n")
    found = load_file(saved(text)).diagnostics
    assert [(one.code, one.place.line, one.place.column) for one in found] == [("unknown-key", given.first + 4, 1)]


def test_a_checker_is_found_beside_the_file(given, saved, tmp_path):
    """Whatever the working directory is."""
    (tmp_path / "checks").mkdir()
    text = given.vgr('checker = { tests_dir = "checks", command = ["true"], sandbox_attestation = "a container" }\n')
    found = load_route(saved(text)).checker
    assert found is not None
    assert found.tests_dir == (tmp_path / "checks").resolve()
