"""A context overflow in each provider's words, through a whole run; and errors that only sound like one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from blows import Blow
from fault_places import ASKED, Place
from fault_rules import Harm
from fault_server import Scripted
from model_server import Route
from overflow_bodies import OTHER_ERRORS, OVERFLOWS
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.http.targets import WireFormat

pytestmark = pytest.mark.filterwarnings("error")

_TIERS = [place for place in ASKED if place.rung in (Rung.ATTEMPT, Rung.EFFICIENT)]
#: A tier that another one steps in for, and a judge. The words are the driver's to read, so two places will do.
_TWO = [place for place in ASKED if place.rung in (Rung.ATTEMPT, Rung.DELIBERATION)]


@pytest.mark.parametrize("name", OVERFLOWS)
@pytest.mark.parametrize("place", _TWO, ids=str)
def test_an_overflow_is_one_in_every_providers_words(
    route: Route, scene: SimpleNamespace, place: Place, name: str
) -> None:
    """Another tier steps in for a tier, a judge is lost, and nothing is asked again, whatever the status."""
    status, body = OVERFLOWS[name]
    blow = Blow(Harm(name, "context overflow"), lambda _: Scripted(status, body))
    place.verify(route.run_twice(place.case(scene), place.rung, blow, WireFormat.OPENAI_CHAT), blow.harm)


@pytest.mark.parametrize("place", ASKED, ids=str)
def test_an_overflow_may_come_with_a_status_of_success(route: Route, scene: SimpleNamespace, place: Place) -> None:
    """As some gateways pass on the error of the provider behind them."""
    body = {"error": {"code": 400, "message": "This endpoint's maximum context length is 8192 tokens."}}
    blow = Blow(Harm("200", "context overflow"), lambda _: Scripted(body=body))
    place.verify(route.run_twice(place.case(scene), place.rung, blow, WireFormat.OPENAI_CHAT), blow.harm)


@pytest.mark.parametrize("name", OTHER_ERRORS)
@pytest.mark.parametrize("place", _TIERS, ids=str)
def test_an_error_that_sounds_like_one_keeps_its_status(
    route: Route, scene: SimpleNamespace, place: Place, name: str
) -> None:
    """So that a wrong key or a wrong request is not taken for a long conversation."""
    status, body = OTHER_ERRORS[name]
    blow = Blow(Harm(name, f"HTTP {status}"), lambda _: Scripted(status, body))
    if status == 429:
        blow = blow.repeated()
    place.verify(route.run_twice(place.case(scene), place.rung, blow, WireFormat.OPENAI_CHAT), blow.harm)
