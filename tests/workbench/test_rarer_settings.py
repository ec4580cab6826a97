"""The settings that a turn rarely needs, from `Controls` to what is asked: in a script and on a bench (SPEC 7)."""

from __future__ import annotations

import json

import pytest
from routing_workbench.core.conversation.model import text_of
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Ending, Rung
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.analysis import analyze
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.scenarios import scenario

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


class Kept(MockDriver):
    """A mock that keeps the calls it got."""

    def __init__(self, name):
        super().__init__(scenario(name).script)
        self.calls = []

    async def complete(self, call):
        """Keep the call, then answer it."""
        self.calls.append(call)
        return await super().complete(call)


@pytest.mark.parametrize(
    ("controls", "forwarded"),
    [
        (Controls(), None),
        (Controls(speculation_carry=True), None),
        (Controls(ask_cloud=True), 1),
        (Controls(ask_cloud=True, speculation_carry=True), 2),
    ],
)
def test_the_cloud_tier_is_asked_where_wanted_and_carries_the_attempt_where_wanted(talk, controls, forwarded):
    """Once, with the caller's own words first; the rejected attempt is labelled as unverified."""
    driver = Kept("everything denies")
    result = analyze(talk, driver=driver, controls=controls)
    asked = [call for call in driver.calls if call.rung is Rung.CAPABLE]
    assert (result.served, len(asked)) == (Route.CLOUD, 0 if forwarded is None else 1)
    if asked:
        text = "\n".join(text_of(message.content) for message in asked[0].request.messages)
        assert text.startswith("Sum up this memo.")
        assert ("[unverified reference]" in text, text.endswith("It is about tides.")) == (forwarded == 2,) * 2
        assert result.record()["asked"][-1]["rung"] == "capable"


@pytest.mark.parametrize(("supported", "ending"), [(False, Ending.LOCAL_IMAGE_UNSUPPORTED), (True, None)])
def test_images_go_to_the_local_tier_where_it_takes_them(supported, ending):
    """Else the turn is served by cloud without an attempt."""
    content = [{"type": "text", "text": "What is this?"}, IMAGE]
    text = json.dumps({"messages": [{"role": "user", "content": content}]})
    assert analyze(text, controls=Controls(local_supports_images=supported)).outcome.ending is ending


@pytest.mark.parametrize(
    ("latch", "endings"),
    [
        (True, [Ending.TURN_VERIFICATION_ESCALATED, Ending.TURN_VERIFICATION_LATCHED]),
        (False, [Ending.TURN_VERIFICATION_ESCALATED, Ending.TURN_VERIFICATION_ESCALATED]),
    ],
)
def test_turn_verification_latches_the_session_where_wanted(opened, proposal, latch, endings):
    """Else each turn at its bar is escalated on its own."""
    session, _ = opened(MockDriver(scenario("turn checks escalate").script), proposal)
    session.set_controls(latch_escalation=latch)
    found = []
    for _ in range(2):
        session.run()
        assert session.wait(30)
        found.append(session.result.outcome.ending)
    assert (found, session.result.outcome.latched) == (endings, latch)


def test_a_breaker_opens_at_its_threshold(opened, chat):
    """After as many turns whose local tier was down, and a change of its settings begins it anew."""
    session, _ = opened(MockDriver(scenario("local tier down").script), chat(("user", "Hi")))
    session.set_controls(breaker_threshold=2, breaker_cooldown=3600.0)
    found = []
    for _ in range(3):
        assert session.wait(30)
        found.append(session.result.outcome.ending)
        session.run()
    assert found == [Ending.LOCAL_UNAVAILABLE, Ending.LOCAL_UNAVAILABLE, Ending.BREAKER_OPEN]
    session.set_controls(breaker_threshold=3)
    assert session.wait(30)
    assert session.result.outcome.ending is Ending.LOCAL_UNAVAILABLE
