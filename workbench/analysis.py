"""`analyze`: what the bench shows, for a script: read, derive, gather, decide, and give the result as a value."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

from ..core.conversation.read import read
from ..core.conversation.reading import Conversation, Reading
from ..core.vgr.policy import POLICY_1_0_0, Policy
from ..core.vgr.serving import ConfigurationError
from ..widgets.screen import Controls, Derived, Failure
from .deriving import derived_so_far, settings_of, split
from .drivers.mock import MockDriver
from .drivers.protocol import Driver
from .progress import Progress
from .result import Result, concluded
from .turns.breaker import Breakers
from .turns.events import TurnEvent
from .turns.failures import AttemptFailed
from .turns.kill_switch import KillSwitch
from .turns.session_state import NEW_SESSION, SessionState
from .turns.vgr import run_vgr_turn


def analyze(
    text: str,
    *,
    driver: Driver | None = None,
    controls: Controls | None = None,
    policy: Policy = POLICY_1_0_0,
    format: str | None = None,  # noqa: A002 - the word a caller expects
    conversation: int | None = None,
) -> Result:
    """Route a pasted conversation and give everything that was read, derived, asked and decided.

    Without a driver the mock is asked, which sends nothing. `format` names the format to read it as; `conversation`
    chooses, from 0, where a paste holds several. Bad input does not raise: the result's `reading` says what is wrong,
    and its `failure` what failed in the run. Raises IndexError for a conversation that a readable paste has not.
    Works inside a running event loop too; takes at most the deadline of the controls, and once more for a diagnosis.
    """
    if not isinstance(text, str):
        raise TypeError(f"analyze() reads pasted text, not a {type(text).__name__}; give JSON as json.dumps(...)")
    driver = MockDriver() if driver is None else driver
    controls = Controls() if controls is None else controls
    reading = read(text, force=format)
    chosen = _chosen(reading, conversation)
    # A thread of its own, since Jupyter's main thread already runs a loop.
    with ThreadPoolExecutor(1, "routing-workbench-analyze") as pool:
        return pool.submit(asyncio.run, _result(reading, chosen, driver, controls, policy)).result()


def turn_events(
    conversation: Conversation,
    driver: Driver,
    controls: Controls,
    policy: Policy,
    state: SessionState = NEW_SESSION,
    breakers: Breakers | None = None,
) -> AsyncIterator[TurnEvent]:
    """The events of a turn on a whole conversation: its last message is the attempt where the controls say so."""
    request, attempt = split(conversation, controls)
    return run_vgr_turn(
        request,
        attempt=attempt,
        driver=driver,
        settings=settings_of(controls),
        policy=policy,
        state=state,
        breakers=breakers,
        kill_switch=KillSwitch(engaged=controls.kill_switch),
    )


def result_of(
    reading: Reading,
    conversation: Conversation,
    driver: Driver,
    controls: Controls,
    policy: Policy,
    progress: Progress,
    error: Exception | None = None,
    previous: Derived | None = None,
) -> Result:
    """The result of a turn that ended: with its outcome, or with what failed."""
    found = derived_so_far(conversation, controls, policy, progress, previous)
    if error is None and progress.outcome is not None:
        return concluded(reading, controls, policy, driver.origin, found, progress.outcome)
    missing = RuntimeError("the turn ended without an outcome; this is a defect of the workbench")
    return Result(reading, controls, policy, driver.origin, found, failure=failure_of(error or missing))


def failure_of(error: Exception) -> Failure:
    """What failed and what to do; of an error that is not ours only its kind, since its text may quote content."""
    if isinstance(error, AttemptFailed):
        return Failure("attempt", f"Local tier refused: {error.error}.", error.next_step)
    if isinstance(error, ConfigurationError):
        return Failure("configuration", str(error), "Correct the turn settings, then run again.")
    return Failure("run", f"The run failed: {type(error).__name__}.", "Run again, or choose another driver.")


def _chosen(reading: Reading, conversation: int | None) -> int | None:
    if conversation is None or not reading.conversations:
        return 0 if len(reading.conversations) == 1 else None
    if not 0 <= conversation < len(reading.conversations):
        raise IndexError(f"no conversation {conversation}; the paste holds {len(reading.conversations)}, from 0")
    return conversation


async def _result(reading: Reading, chosen: int | None, driver: Driver, controls: Controls, policy: Policy) -> Result:
    if chosen is None:
        return Result(reading, controls, policy, driver.origin)
    conversation = reading.conversations[chosen]
    progress = Progress()
    try:
        async for event in turn_events(conversation, driver, controls, policy):
            progress = progress.after(event)
    except Exception as error:  # noqa: BLE001 - a driver may raise anything; a script gets what the bench would show
        return result_of(reading, conversation, driver, controls, policy, progress, error)
    return result_of(reading, conversation, driver, controls, policy, progress)
