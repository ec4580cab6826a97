"""The HTTP driver against a real server on loopback: what it asks, and what becomes of the answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fault_server import (
    MODELS,
    Fault,
    FaultServer,
    Scripted,
    Seen,
    chat_body,
    decide,
)
from http_calls import SECRET, ask, call, failed, question
from routing_workbench.core.conversation.model import Output, Response, Role, StopReason, Text
from routing_workbench.core.vgr.evidence import Origin, OriginKind, Rung
from routing_workbench.core.vgr.readout import p_yes
from routing_workbench.core.vgr.serving import ConfigurationError
from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import (
    CallTimeout,
    Category,
    Driver,
    HttpStatusError,
    NotConfigured,
    ReplySchema,
)


def test_it_is_a_driver_and_names_model_and_host_of_each_category() -> None:
    """The badge names the judge and counts the others; every value names its own."""
    box = Client("box", WireFormat.OPENAI_CHAT, "http://127.0.0.1:8080/v1")
    far = Client("far", WireFormat.ANTHROPIC_MESSAGES, "https://api.example.com")
    driver = HttpDriver({Category.LOCAL: Target("small", box), Category.JUDGE: Target("judge-8b", far)})
    typed: Driver = driver
    assert typed.origin == Origin(OriginKind.LIVE, "judge-8b @ api.example.com and 1 more")
    assert driver.origin_for(Category.LOCAL) == Origin(OriginKind.LIVE, "small @ 127.0.0.1:8080")
    assert (driver.models_for(Category.LOCAL), driver.models_for(Category.CLOUD)) == (("small",), ())
    assert repr(driver) == "HttpDriver(judge-8b @ api.example.com and 1 more)"


def test_a_completion_is_posted_and_read() -> None:
    """Path, model, messages and caps arrive; text, stop reason and usage come back."""
    with FaultServer(Scripted(body=chat_body("Fine.\nyes"))) as server:
        reply = ask(server.driver(), call(max_tokens=768))
    assert reply.response == Response((Output(Role.ASSISTANT, (Text("Fine.\nyes"),), StopReason.END_TURN),))
    assert reply.usage == {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    assert (reply.body, reply.note) == (None, "")
    [seen] = server.seen
    assert (seen.method, seen.path) == ("POST", "/v1/chat/completions")
    assert seen.json == {
        "model": "judge-8b",
        "messages": [{"role": "system", "content": "rubric"}, {"role": "user", "content": SECRET}],
        "max_tokens": 768,
    }


def test_a_readout_keeps_the_first_token_and_nothing_else() -> None:
    """The body that a readout reads holds no message."""
    body = chat_body("yes", top={"yes": -0.1, "no": -2.4})
    with FaultServer(Scripted(body=body)) as server:
        reply = ask(server.driver(), call(Rung.READOUT, max_tokens=4, top_logprobs=8))
    assert p_yes(reply.body) == p_yes(body)
    assert reply.body == {"choices": [{"logprobs": {"content": body["choices"][0]["logprobs"]["content"]}}]}
    assert server.seen[0].json["logprobs"] is True
    assert server.seen[0].json["top_logprobs"] == 8


def test_the_newer_name_of_the_output_cap_is_found_and_remembered() -> None:
    """The first call learns it, the second knows it."""

    def reply(seen: Seen) -> Scripted:
        if "max_tokens" in seen.json:
            says = "Unsupported parameter: 'max_tokens' is not supported with this model. "
            says += "Use 'max_completion_tokens' instead."
            return Scripted(400, body={"error": {"message": says, "param": "max_tokens"}})
        return Scripted(body=chat_body("yes"))

    with FaultServer(reply) as server:
        driver = server.driver()
        for _ in range(2):
            ask(driver, call(max_tokens=768))
    assert ["max_tokens" in seen.json for seen in server.seen] == [True, False, False]
    assert server.seen[-1].json["max_completion_tokens"] == 768


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"message": "This response_format type is unavailable now"}}),
        (422, {"detail": [{"msg": "json_schema is not supported", "input": {"a": 1}}]}),
        (422, ""),
        (501, "not implemented"),
    ],
)
def test_where_json_schema_is_refused_json_object_is_asked_for(status: int, body: Any) -> None:
    """The note says so at every call, and the refusal is remembered."""

    def reply(seen: Seen) -> Scripted:
        refused = seen.json["response_format"]["type"] == "json_schema"
        return Scripted(status, body=body) if refused else Scripted(body=chat_body("{}"))

    schema = ReplySchema("verdict", {"type": "object"})
    with FaultServer(reply) as server:
        driver = server.driver()
        notes = [ask(driver, call(Rung.ESCALATION_JUDGE, schema=schema)).note for _ in range(2)]
    assert notes == ["the endpoint refused json_schema and was asked for json_object"] * 2
    sent = [seen.json["response_format"]["type"] for seen in server.seen]
    assert sent == ["json_schema", "json_object", "json_object"]


def test_an_error_that_names_no_format_is_raised_and_nothing_is_remembered() -> None:
    """A wrong request is not tried in another form."""
    schema = ReplySchema("verdict", {"type": "object"})
    with FaultServer(Scripted(400, body={"error": {"message": "unknown model"}})) as server:
        driver = server.driver()
        for _ in range(2):
            assert isinstance(failed(driver, call(schema=schema)), HttpStatusError)
    assert [seen.json["response_format"]["type"] for seen in server.seen] == ["json_schema"] * 2


def test_what_the_extra_body_insists_on_is_refused_once() -> None:
    """It is asked otherwise in vain, and not for ever."""
    refusal = {"error": {"message": "Use 'max_completion_tokens' instead of 'max_tokens'."}}
    with FaultServer(Scripted(400, body=refusal)) as server:
        error = failed(server.driver(extra_body={"max_tokens": 9}))
    assert isinstance(error, HttpStatusError)
    assert len(server.seen) == 2


def test_an_endpoint_that_refuses_both_formats_ends_in_its_status() -> None:
    """There is no third form."""
    with FaultServer(Scripted(400, body={"error": {"message": "response_format is not allowed"}})) as server:
        error = failed(server.driver(), call(schema=ReplySchema("verdict", {"type": "object"})))
    assert isinstance(error, HttpStatusError)
    assert len(server.seen) == 2


def test_a_readout_over_anthropic_messages_is_not_sent() -> None:
    """Nothing could be read from the reply; the note says why there is no score."""
    with FaultServer() as server:
        reply = ask(server.driver(WireFormat.ANTHROPIC_MESSAGES), call(Rung.READOUT, top_logprobs=8))
    assert (reply.response, reply.body) == (Response(()), None)
    assert reply.note == "anthropic_messages carries no logprobs; nothing was sent"
    assert server.seen == []


def test_a_decision_endpoint_completes_nothing() -> None:
    """It is asked nothing."""
    with FaultServer() as server:
        error = failed(server.driver(WireFormat.SYSTEM_ONE))
    assert type(error) is NotConfigured
    assert str(error) == "a system_one endpoint answers decision questions only"
    assert server.seen == []


def test_a_category_without_a_target_is_not_asked() -> None:
    """The error names it."""
    client = Client("box", WireFormat.OPENAI_CHAT, "http://127.0.0.1:1")
    error = failed(HttpDriver({Category.LOCAL: Target("m", client)}))
    assert type(error) is NotConfigured
    assert str(error) == "no target answers judge"


@pytest.mark.parametrize("targets", [{}, dict.fromkeys((Category.CHECKER, *MODELS), None)])
def test_no_target_and_a_model_for_the_checker_are_refused(targets: Any) -> None:
    """At once, not at the first call."""
    with pytest.raises(ConfigurationError):
        HttpDriver(targets)


def test_making_a_driver_sends_nothing() -> None:
    """Nor does asking it who it is."""
    with FaultServer() as server:
        driver = server.driver()
        assert driver.origin.label == f"judge-8b @ 127.0.0.1:{server.port}"
        asyncio.run(driver.aclose())
    assert server.connections == 0


def test_a_decision_over_a_chat_model_is_read_from_letters() -> None:
    """One letter a label, sorted; the probabilities are the letters' shares, and their mass is shown."""
    top = {" b": -0.5, "A": -1.5, "x": -3.0}
    with FaultServer(Scripted(body=chat_body("B", top=top))) as server:
        driver = server.driver()
        answer = decide(driver, question(("strong", "cheap")))
    assert answer.probabilities is not None
    assert answer.probabilities == pytest.approx({"cheap": 0.26894142, "strong": 0.73105858})
    assert answer.covered == pytest.approx(0.82966082)
    assert (answer.choice, answer.usage["prompt_tokens"]) == ("strong", 11)
    sent = server.seen[0].json
    assert sent["top_logprobs"] == 20
    assert '"options":{"A":"cheap","B":"strong"}' in sent["messages"][1]["content"]
    assert SECRET in sent["messages"][1]["content"]
    assert SECRET not in sent["messages"][0]["content"]


def test_a_decision_over_anthropic_messages_has_no_distribution() -> None:
    """None is invented, and nothing is sent."""
    with FaultServer() as server:
        answer = decide(server.driver(WireFormat.ANTHROPIC_MESSAGES), question())
    assert answer.probabilities is None
    assert "no logprobs" in answer.note
    assert server.seen == []


def test_a_decision_endpoint_is_asked_natively() -> None:
    """At its address as given."""
    body = {
        "id": "d",
        "model": "m",
        "answers": {
            "route": {
                "type": "choice",
                "choice": "cheap",
                "probabilities": {"cheap": 0.7, "strong": 0.3},
                "confidence": 0.9,
            }
        },
        "usage": {"input_tokens": 9},
    }
    with FaultServer(Scripted(body=body)) as server:
        answer = decide(server.driver(WireFormat.SYSTEM_ONE), question())
    assert answer.probabilities == {"cheap": 0.7, "strong": 0.3}
    assert (answer.choice, answer.confidence, answer.usage) == ("cheap", 0.9, {"input_tokens": 9})
    assert server.seen[0].path == "/v1"


def test_a_decision_ends_in_its_time() -> None:
    """As a completion does."""
    with FaultServer(Scripted(fault=Fault.HOLD)) as server, pytest.raises(CallTimeout):
        decide(server.driver(WireFormat.SYSTEM_ONE), question(timeout=0.1))
