"""Captures and YAML: bodies that are encoded, compressed or taken apart, and what is bounded."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Reading, Severity, read
from routing_workbench.core.conversation.json_text import TooDeep
from routing_workbench.core.conversation.model import text_of
from routing_workbench.core.conversation.unwrapping.inflate import inflated
from routing_workbench.core.conversation.unwrapping.yaml_text import YamlFault, yaml_as_json

ASKED = {"messages": [{"role": "user", "content": "hi"}]}
REPLY = json.dumps({"choices": [{"message": {"role": "assistant", "content": "yo \u00e9"}, "finish_reason": "stop"}]})


def texts(found: Reading) -> list[str]:
    """The texts of all turns of the one conversation."""
    (conversation,) = found.conversations
    return [text_of(message.content) for message in conversation.request.turns]


def codes(found: Reading) -> set[str]:
    """The codes of all remarks."""
    return {d.code for d in found.diagnostics}


def har(content: dict[str, Any]) -> str:
    """A capture of one exchange with this reply."""
    request = {"method": "POST", "url": "https://x.example/v1?key=1", "postData": {"text": json.dumps(ASKED)}}
    headers = [{"name": "Authorization", "value": "Bearer SECRET"}]
    return json.dumps(
        {
            "log": {
                "entries": [
                    {"request": request | {"headers": headers}, "response": {"status": 200, "content": content}}
                ]
            }
        }
    )


def cassette(body: str) -> str:
    """A cassette in YAML with this body as its reply."""
    return (
        "interactions:\n- request:\n    method: POST\n    uri: https://x.example\n"
        f"    body: '{json.dumps(ASKED)}'\n  response:\n    status: {{code: 200}}\n    body:\n      string: {body}\n"
    )


def encoded(content: bytes) -> str:
    """Bytes as captures keep them."""
    return base64.b64encode(content).decode()


@pytest.mark.parametrize("content", [REPLY.encode(), gzip.compress(REPLY.encode(), mtime=0)], ids=["plain", "gzip"])
def test_an_encoded_reply_is_read(content: bytes) -> None:
    """In a capture, and in a cassette of either kind."""
    assert texts(read(har({"text": encoded(content), "encoding": "base64"}))) == ["hi", "yo \u00e9"]
    assert texts(read(cassette(f"!!binary |\n        {encoded(content)}"))) == ["hi", "yo \u00e9"]
    body = {"base64_string": encoded(content)}
    one = {"request": {"body": json.dumps(ASKED)}, "response": {"body": body}}
    assert texts(read(json.dumps({"interactions": [one]}))) == ["hi", "yo \u00e9"]


@pytest.mark.parametrize("content", [b"\x80\xff\x00", gzip.compress(REPLY.encode(), mtime=0)[:-9], b"\x1f\x8bxx"])
def test_a_reply_that_is_no_text_is_said(content: bytes) -> None:
    """It is kept as it is, and is not what the model said."""
    for found in (
        read(har({"text": encoded(content), "encoding": "base64"})),
        read(cassette(f"!!binary |\n        {encoded(content)}")),
    ):
        assert texts(found) == ["hi"]
        assert "body-unreadable" in codes(found)


def test_what_is_decompressed_is_bounded() -> None:
    """A small body may become a huge one."""
    assert inflated(gzip.compress(b"a" * 2000, mtime=0), most=1000) is None
    assert inflated(gzip.compress(b"a" * 1000, mtime=0), most=1000) == "a" * 1000


def test_headers_cookies_and_queries_are_not_kept() -> None:
    """The address is, and the status."""
    found = read(har({"text": REPLY}))
    (conversation,) = found.conversations
    kept = json.dumps(dict(conversation.extras))
    assert "SECRET" not in kept
    assert "key=1" not in kept
    assert conversation.extras["log.entries[0].url"] == "https://x.example/v1"
    assert "credentials-dropped" in codes(found)


def test_a_cut_off_request_of_a_capture_is_kept_and_said() -> None:
    """It is no other request, and not lost."""
    entry = {"request": {"method": "POST", "url": "u", "postData": {"text": '{"messages": [{"ro'}}, "response": {}}
    found = read(json.dumps({"log": {"entries": [entry]}}))
    assert found.conversations == ()
    assert {"inner-unread", "no-conversation"} <= codes(found)


# YAML


def value_of(text: str) -> Any:
    """The value of a YAML text."""
    return json.loads(yaml_as_json(text, 0, len(text))[0].finish().text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[yes, no, on, off, y, true, False]", ["yes", "no", "on", "off", "y", True, False]),
        ("[1, -2, +3, 1.50, .5, 5., 1e3, 0x1F, 0o17]", [1, -2, 3, 1.5, 0.5, 5.0, 1000.0, 31, 15]),
        ("[007, 1_000, 12:30, 2031-02-03, '1', \"2\"]", ["007", "1_000", "12:30", "2031-02-03", "1", "2"]),
        ("[~, null, ]", [None, None]),
        ("a:\nb: ''\n1: x\ntrue: y", {"a": None, "b": "", "1": "x", "true": "y"}),
        ("[!!str 1, !!binary aGk=, !custom x]", ["1", "hi", "x"]),
        ("!!python/object/apply:os.system ['id']", ["id"]),
        ("a: &x {b: 1}\nc: *x", {"a": {"b": 1}, "c": {"b": 1}}),
        ("a: |\n  x\n  y\nb: >-\n  x\n  y\n", {"a": "x\ny\n", "b": "x y"}),
    ],
)
def test_yaml_is_read_as_data(text: str, value: Any) -> None:
    """By the rules of YAML 1.2; no tag runs anything."""
    assert value_of(text) == value


@pytest.mark.parametrize("text", ["a: [", "a: *x", "a: &a [*a]", "{[1]: 2}", "a: b: c", "a: \x07"])
def test_yaml_that_cannot_be_read_has_a_place(text: str) -> None:
    """Whatever the parser stumbles over."""
    with pytest.raises(YamlFault) as caught:
        yaml_as_json(text, 0, len(text))
    assert 0 <= caught.value.offset <= len(text)


def test_aliases_are_bounded() -> None:
    """Nine of nine of nine ... end with an error, soon."""
    lines = ["a: &a [" + "x," * 9 + "]"]
    for last, name in zip("abcdefghijk", "bcdefghijkl", strict=True):
        lines.append(f"{name}: &{name} [{','.join(['*' + last] * 9)}]")
    with pytest.raises(YamlFault):
        value_of("\n".join(lines))


def test_yaml_is_bounded_in_depth() -> None:
    """As JSON is."""
    with pytest.raises(TooDeep):
        value_of("[" * 200 + "]" * 200)
    with pytest.raises(TooDeep):
        value_of("[" * 100_000)


def test_the_place_of_broken_yaml_is_said() -> None:
    """Line and column."""
    (error,) = [d for d in read("messages:\n- role: user\n content: x").diagnostics if d.severity is Severity.ERROR]
    assert (error.code, error.place.line) == ("yaml-syntax", 3)


SECRETS = {"Authorization": "Bearer NONE-1", "x-api-key": "NONE-2", "Cookie": "a=NONE-3; b=NONE-4"}
MESSAGES = [{"role": "user", "content": "hi"}]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"headers": SECRETS, "url": "https://x.example/v1?key=NONE-5", "body": {"messages": MESSAGES}}),
        json.dumps({"messages": MESSAGES, "api_key": "NONE-6", "extra_headers": SECRETS}),
        "INFO POST https://x.example?key=NONE-7 Authorization: Bearer NONE-8 body=" + json.dumps(MESSAGES),
        "INFO Cookie: a=NONE-9; b=NONE-10\nbody=" + json.dumps(MESSAGES),
        "{a}\nAuthorization: Bearer NONE-11\n{a}".format(a=json.dumps(MESSAGES[0])),
    ],
)
def test_no_credential_is_kept_beside_a_conversation(text: str) -> None:
    """Neither of a logged request, nor of the text around one."""
    (conversation, *_) = read(text).conversations
    assert "NONE" not in json.dumps(dict(conversation.extras))
