"""Context overflow in each provider's words, and errors that are something else."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from fault_server import PATIENCE, FaultServer, Scripted, complete
from overflow_bodies import OTHER_ERRORS, OVERFLOWS
from routing_workbench.core.conversation.model import Message, Request, Role, Text
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.http.error_body import error_words
from routing_workbench.workbench.drivers.http.overflow import WORDINGS, says_overflow
from routing_workbench.workbench.drivers.protocol import (
    Call,
    Category,
    ContextOverflow,
    DriverError,
    HttpStatusError,
)


def failed(status: int, body: Any) -> DriverError:
    """How a call to a server fails that says this."""
    request = Request((), (Message(Role.USER, (Text("q"),)),))
    with FaultServer(Scripted(status, body=body)) as server, pytest.raises(DriverError) as caught:
        complete(server.driver(), Call(Rung.DELIBERATION, Category.JUDGE, request, PATIENCE))
    return caught.value


@pytest.mark.parametrize("name", OVERFLOWS)
def test_an_overflow_is_recognized(name: str) -> None:
    """Whatever its status."""
    assert type(failed(*OVERFLOWS[name])) is ContextOverflow


@pytest.mark.parametrize("name", OTHER_ERRORS)
def test_another_error_keeps_its_status(name: str) -> None:
    """Also where it speaks of sizes, or repeats what it was sent."""
    error = failed(*OTHER_ERRORS[name])
    assert isinstance(error, HttpStatusError)
    assert error.status == OTHER_ERRORS[name][0]


def test_every_wording_is_in_use() -> None:
    """No row of the table is without an error that it recognizes."""
    said = [error_words(body if isinstance(body, str) else json.dumps(body)) for _, body in OVERFLOWS.values()]
    assert all(says_overflow(words) for words in said)
    unused = [who for who, wording in WORDINGS if not any(re.search(wording, words) for words in said)]
    assert unused == []
