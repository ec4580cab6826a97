"""Clients and targets: addresses, and what is refused with a next step and without a secret."""

from __future__ import annotations

from typing import Any

import pytest
from routing_workbench.core.vgr.serving import ConfigurationError
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat

CHAT, ANTHROPIC = WireFormat.OPENAI_CHAT, WireFormat.ANTHROPIC_MESSAGES
RESPONSES, SYSTEM_ONE = WireFormat.OPENAI_RESPONSES, WireFormat.SYSTEM_ONE


@pytest.mark.parametrize(
    ("wire", "base", "url"),
    [
        (CHAT, "http://h:8080/v1", "http://h:8080/v1/chat/completions"),
        (CHAT, "http://h:8080/v1/", "http://h:8080/v1/chat/completions"),
        (CHAT, "http://h/v1/chat/completions", "http://h/v1/chat/completions"),
        (CHAT, "http://h/v1/chat/completions/", "http://h/v1/chat/completions"),
        (ANTHROPIC, "https://h", "https://h/v1/messages"),
        (ANTHROPIC, "https://h/v1/", "https://h/v1/messages"),
        (ANTHROPIC, "https://h/proxy", "https://h/proxy/v1/messages"),
        (ANTHROPIC, "https://h/v1/messages", "https://h/v1/messages"),
        (RESPONSES, "https://h/v1", "https://h/v1/responses"),
        (RESPONSES, "https://h/v1/responses", "https://h/v1/responses"),
        (SYSTEM_ONE, "https://h/decide", "https://h/decide"),
        (SYSTEM_ONE, "https://h/decide/", "https://h/decide/"),
        (CHAT, "HTTP://[::1]:80/v1", "HTTP://[::1]:80/v1/chat/completions"),
    ],
)
def test_the_address_is_the_base_and_the_path_of_the_format(wire: WireFormat, base: str, url: str) -> None:
    """A slash at its end, or the path itself, is tolerated; a decision endpoint is used as given."""
    assert Client("c", wire, base).url == url


@pytest.mark.parametrize(
    "base",
    ["", "h/v1", "ftp://h", "http://", "https:///v1", "http://h:99999", "http://h:port", "http://h /v1", "http://h\n",
     "http://bücher.example", "http://[::1", "http://h:0"],
)  # fmt: skip
def test_what_is_no_http_address_is_refused(base: str) -> None:
    """With the form it should have."""
    with pytest.raises(ConfigurationError, match=r"give it as https://host/v1"):
        Client("c", CHAT, base)


@pytest.mark.parametrize(
    "base", ["https://me:hunter2@h/v1", "https://hunter2@h", "https://h/v1?key=hunter2", "https://h#hunter2"]
)
def test_a_secret_in_the_address_is_refused_and_not_repeated(base: str) -> None:
    """User, password, query and fragment have no place there."""
    with pytest.raises(ConfigurationError, match="remove it") as caught:
        Client("c", CHAT, base)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "variable",
    [
        "sk-proj-abcdefgh",
        "sk_live_abcdef",
        "hf_abcdefghijklmnop",
        "AIzaSyAbc",
        "0a1b2c3d",
        "a1b2c3d4e5f60718293a4b5c",
        "a b",
        "",
    ],
)
def test_a_key_in_place_of_its_variable_is_refused_and_not_repeated(variable: str) -> None:
    """It may have been saved, so the text says to replace it."""
    with pytest.raises(ConfigurationError, match="replace it") as caught:
        Client("c", CHAT, "https://h", api_key_env=variable)
    assert not variable or variable not in str(caught.value)


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "_k", "judge2_key", "MyCompany_Judge_Key", None])
def test_the_name_of_a_variable_is_taken(variable: str | None) -> None:
    """Whatever its case."""
    assert Client("c", CHAT, "https://h", api_key_env=variable).api_key_env == variable


@pytest.mark.parametrize(
    "header",
    [("x-a", "secret\nx-b: 1"), ("x-a", "secret\x00"), ("x-a", "sécret"), ("x-a", " secret"), ("x a", "secret"),
     ("", "secret"), ("Content-Length", "secret"), ("transfer-encoding", "secret")],
)  # fmt: skip
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(header: tuple[str, str]) -> None:
    """Its name is said where it is one."""
    with pytest.raises(ConfigurationError, match="extra_headers") as caught:
        Client("c", CHAT, "https://h", extra_headers=(header,))
    assert "secret" not in str(caught.value)


def test_reprs_hold_neither_headers_nor_bodies() -> None:
    """Both may be secret."""
    client = Client("c", CHAT, "https://h", extra_headers=(("x-key", "hunter2"),))
    target = Target("m", client, {"user": "hunter2"})
    assert "hunter2" not in repr((client, target))


@pytest.mark.parametrize("retries", [-1, 3, 1.0, True, "2"])
def test_repetitions_are_bounded(retries: Any) -> None:
    """From none to two."""
    with pytest.raises(ConfigurationError, match="from 0 to 2"):
        Client("c", CHAT, "https://h", max_retries=retries)


def test_a_format_may_be_given_by_its_name() -> None:
    """As a configuration file has it; another name is refused with those there are."""
    named: Any = "openai_chat"
    assert Client("c", named, "https://h").format is CHAT
    other: Any = "grpc"
    with pytest.raises(ConfigurationError, match="system_one"):
        Client("c", other, "https://h")


@pytest.mark.parametrize(
    ("wire", "key"),
    [(CHAT, "messages"), (CHAT, "model"), (CHAT, "stream"), (ANTHROPIC, "system"), (RESPONSES, "input"),
     (RESPONSES, "instructions"), (SYSTEM_ONE, "state")],
)  # fmt: skip
def test_an_extra_body_may_not_replace_what_is_judged(wire: WireFormat, key: str) -> None:
    """Nor the model, nor how the reply is delivered."""
    with pytest.raises(ConfigurationError, match=key):
        Target("m", Client("c", wire, "https://h"), {key: "x"})


@pytest.mark.parametrize("value", [{1, 2}, object(), float("nan"), b"x"])
def test_an_extra_body_is_json(value: Any) -> None:
    """A date from a TOML file is none, for one."""
    with pytest.raises(ConfigurationError, match="no JSON"):
        Target("m", Client("c", CHAT, "https://h"), {"k": value})


@pytest.mark.parametrize("model", ["", "a\nb"])
def test_a_target_names_a_model(model: str) -> None:
    """On one line, since it is shown with every value."""
    with pytest.raises(ConfigurationError, match="names no model"):
        Target(model, Client("c", CHAT, "https://h"))
