"""Connections, statuses and bodies that no mock has: each means to a run what its kind does, and nothing more."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

import fault_server
import pytest
from blows import Address, Blow
from fault_places import ASKED, Place, vgr
from fault_rules import TIERS, Harm
from fault_runs import MARK
from fault_server import Scripted, chat_body
from http_calls import NOW
from model_bodies import Sound, failed_body
from model_server import Route
from routing_workbench.core.vgr.decision import Route as Tier
from routing_workbench.core.vgr.evidence import Ending, Rung
from routing_workbench.workbench.drivers.http.targets import WireFormat
from routing_workbench.workbench.drivers.script import Fault

pytestmark = pytest.mark.filterwarnings("error")

_CHAT = WireFormat.OPENAI_CHAT
#: A tier of each algorithm, a score, a verdict, a choice and an object.
_PLACES = [
    place
    for place in ASKED
    if place.rung in (Rung.ATTEMPT, Rung.READOUT, Rung.DELIBERATION, Rung.EFFICIENT, Rung.ESCALATION_JUDGE)
    or str(place) == "the route, open"
]
_JUDGES = [place for place in _PLACES if place.rung not in TIERS]


def transport(name: str, fault: fault_server.Fault, *, chunked: bool = False) -> Blow:
    """The connection ends in this way."""

    def reply(sound: Sound) -> Scripted:
        return Scripted(body=sound.body(), fault=fault, chunked=chunked)

    return Blow(Harm(name, "transport"), reply)


def refusing(status: int, body: Any = None, **headers: str) -> Blow:
    """The endpoint answers with this status."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}

    def reply(sound: Sound) -> Scripted:
        return Scripted(status, failed_body(sound.wire) if body is None else body, sent)

    return Blow(Harm(f"{status} {headers or body or ''}".strip()[:40], f"HTTP {status}"), reply)


def invalid(name: str, body: Any, **headers: str) -> Blow:
    """A reply that is none."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Blow(Harm(name, "invalid response"), lambda _: Scripted(body=body, headers=sent))


def saying(name: str, **message: Any) -> Blow:
    """A reply of a whole message that holds no text to be read."""
    body = chat_body(None)
    body["choices"][0]["message"] |= message
    return Blow(Harm(name, fault=Fault.EMPTY), lambda _: Scripted(body=body))


def packed(sound: Sound) -> bytes:
    """A sound body as gzip has it."""
    return gzip.compress(json.dumps(sound.body()).encode())


FAILING = [
    transport("closed at once", fault_server.Fault.CLOSE).repeated(),
    transport("reset", fault_server.Fault.RESET).repeated(),
    transport("no HTTP", fault_server.Fault.NOISE).repeated(),
    transport("cut within a chunk", fault_server.Fault.CUT, chunked=True),
    Blow(Harm("no TLS", "transport"), address=Address.PLAIN, secure=True).repeated(),
    refusing(301, location=f"/{MARK}"),
    Blow(Harm("400, mute", "HTTP 400"), lambda _: Scripted(400)),
    refusing(404),
    refusing(422),
    refusing(501),
    refusing(504).repeated(),
    refusing(529).repeated(),
    refusing(429, retry_after="3600"),
    refusing(503, retry_after=format_datetime(NOW.replace(year=2020), usegmt=True)).repeated(0.0, 0.0),
    refusing(502, f"<html>{MARK}").repeated(),
    # The error's own words are not waited for beyond their time.
    Blow(
        Harm("400, held", "HTTP 400"), lambda _: Scripted(400, MARK * 9, fault=fault_server.Fault.HOLD_IN_BODY), jump=3
    ),
    Blow(Harm("401, cut", "HTTP 401"), lambda _: Scripted(401, MARK * 9, fault=fault_server.Fault.CUT)),
    invalid("empty", b""),
    invalid("null", b"null"),
    invalid("a list", [chat_body(MARK)]),
    invalid("two objects", b"{}{}"),
    invalid("a stream", f"data: {{}}\n\ndata: {MARK}\n\n"),
    invalid("half an object", json.dumps(chat_body(MARK))[:-9]),
    invalid("no UTF-8", b'{"choices": "\xff\xfe"}'),
    invalid("too deep", b'{"choices":' + b"[" * 2000 + b"]" * 2000 + b"}"),
    invalid("no gzip", json.dumps(chat_body(MARK)), content_encoding="gzip"),
    invalid("an encoding nobody asked for", json.dumps(chat_body(MARK)), content_encoding="br"),
    invalid("an error with status 200", {"error": {"message": MARK, "code": 502}}),
    invalid("no choices", {"choices": []}),
    invalid("an empty choice", {"choices": [None]}),
    invalid("no message", {"choices": [{"finish_reason": "stop"}]}),
    invalid("a number for a message", {"choices": [{"message": {"content": 1}}]}),
    invalid("answers", {"answers": {"route": {"type": "choice"}}}),
]


@pytest.mark.parametrize("blow", FAILING, ids=str)
@pytest.mark.parametrize("place", _PLACES, ids=str)
def test_a_call_that_fails(route: Route, scene: SimpleNamespace, place: Place, blow: Blow) -> None:
    """It fails as its kind does, and is repeated only where nothing of an answer had come."""
    if place.rung is Rung.ESCALATION_JUDGE and str(blow) in ("400, mute", "501"):
        # It may be the schema that the endpoint doesn't take; so it is asked once more without.
        blow = replace(blow, tries=2)
    place.verify(route.run_twice(place.case(scene), place.rung, blow, _CHAT), blow.harm)


SILENT = [
    saying("null"),
    saying("thinking alone", content=f"<think>It is right, {MARK}. yes</think>"),
    saying("thinking without an end", content=f"<think>yes\n{MARK}\nyes"),
    saying("reasoning in a field of its own", content="", reasoning_content="yes", reasoning="yes"),
    saying("white space", content=" \n\t"),
]
_CALL = {"id": "c", "type": "function", "function": {"name": MARK, "arguments": "{}"}}
#: What tiers may well say, and a judge may not.
SILENT_TO_JUDGES = [
    saying("a refusal", refusal=f"I can't, {MARK}: yes"),
    saying("a call of a tool", tool_calls=[_CALL]),
    saying("prose", content=f"Surely, {MARK}."),
    saying("a verdict and a word", content='{"escalate": true} yes indeed'),
]


@pytest.mark.parametrize("blow", SILENT, ids=str)
@pytest.mark.parametrize("place", [place for place in _PLACES if place.rung is not Rung.EFFICIENT], ids=str)
def test_a_reply_that_says_nothing(route: Route, scene: SimpleNamespace, place: Place, blow: Blow) -> None:
    """What a model thinks is no verdict, and no attempt either."""
    place.verify(route.run_twice(place.case(scene), place.rung, blow, _CHAT), blow.harm)


@pytest.mark.parametrize("blow", SILENT_TO_JUDGES, ids=str)
@pytest.mark.parametrize("place", _JUDGES, ids=str)
def test_a_reply_that_is_no_verdict(route: Route, scene: SimpleNamespace, place: Place, blow: Blow) -> None:
    """Whatever else it is."""
    place.verify(route.run_twice(place.case(scene), place.rung, blow, _CHAT), blow.harm)


def broken(sound: Sound) -> Scripted:
    """A sound body whose text begins with half a character and a NUL."""
    body = sound.body()
    message = body["choices"][0]["message"]
    if sound.rung is not Rung.ESCALATION_JUDGE:
        message["content"] = f"\ud83d\x00\n{message['content']}"
    return Scripted(body=body)


HARMLESS = [
    Blow(Harm("half a character"), broken),
    Blow(Harm("chunks"), lambda sound: Scripted(body=sound.body(), chunked=True)),
    Blow(Harm("a mark of byte order"), lambda sound: Scripted(body="\ufeff" + json.dumps(sound.body()))),
    Blow(Harm("gzip"), lambda sound: Scripted(body=packed(sound), headers={"content-encoding": "gzip"})),
    Blow(Harm("white space around"), lambda sound: Scripted(body=f"\n\n {json.dumps(sound.body())}\r\n")),
    Blow(Harm("no usage"), lambda sound: Scripted(body={"choices": sound.body()["choices"], "usage": MARK})),
    Blow(Harm("201"), lambda sound: Scripted(201, sound.body())),
    Blow(Harm("a cookie"), lambda sound: Scripted(body=sound.body(), headers={"set-cookie": f"a={MARK}"})),
]


@pytest.mark.parametrize("blow", HARMLESS, ids=str)
@pytest.mark.parametrize("place", _PLACES, ids=str)
def test_a_reply_that_only_looks_odd_is_read(route: Route, scene: SimpleNamespace, place: Place, blow: Blow) -> None:
    """Nothing is lost by it."""
    place.verify(route.run_twice(place.case(scene), place.rung, blow, _CHAT), blow.harm)


UNASKED = [
    Blow(Harm("no key", "no key in ROUTE_KEY"), environment={"ROUTE_KEY": ""}, tries=0),
    Blow(Harm("no CA bundle", "not configured"), environment={"SSL_CERT_FILE": "/nowhere/ca.pem"}, tries=0),
]


@pytest.mark.parametrize("blow", UNASKED, ids=str)
@pytest.mark.parametrize("place", [place for place in _PLACES if place.rung is not Rung.ESCALATION_JUDGE], ids=str)
def test_what_the_operator_has_to_mend(route: Route, scene: SimpleNamespace, place: Place, blow: Blow) -> None:
    """Nothing is sent, no other tier hides it, and once it is mended the same driver works."""
    place.verify(route.run_twice(place.case(scene), place.rung, blow, _CHAT), blow.harm)


_HALF = {"id": "c", "type": "function", "function": {"name": "read", "arguments": '{"path": "a.'}}
_WHOLE = {"id": "c", "type": "function", "function": {"name": "read", "arguments": '{"path": "a.py"}'}}


@pytest.mark.parametrize(
    ("call", "finish"), [(_HALF, "tool_calls"), (_HALF, "length"), (_WHOLE, "length")], ids=["half", "both", "cut"]
)
def test_a_proposed_call_that_is_not_whole(route: Route, scene: SimpleNamespace, call: Any, finish: str) -> None:
    """Cloud serves, and nobody is asked to judge it."""
    body = chat_body(None, tool_calls=[call])
    body["choices"][0]["finish_reason"] = finish
    blow = Blow(Harm("half a call"), lambda _: Scripted(body=body))
    both = route.run_twice(vgr(scene.plain, None, None), Rung.ATTEMPT, blow, _CHAT)
    outcome = both.faulty.result.outcome
    assert (outcome.ending, outcome.served) == (Ending.MALFORMED_TOOL_CALL, Tier.CLOUD)
    assert [row.rung for row in both.faulty.asked] == [Rung.ATTEMPT]
    assert both.sound.result.served is Tier.LOCAL


def test_a_letter_is_read_though_the_reply_was_cut_off_behind_it(route: Route, scene: SimpleNamespace) -> None:
    """Its first token is there, and nothing else is read."""

    def reply(sound: Sound) -> Scripted:
        body = sound.body()
        body["choices"][0]["finish_reason"] = "length"
        return Scripted(body=body)

    (place,) = [place for place in ASKED if str(place) == "the route, open"]
    blow = Blow(Harm("cut behind the letter"), reply)
    place.verify(route.run_twice(place.case(scene), place.rung, blow, _CHAT), blow.harm)
