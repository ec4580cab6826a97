"""`analyze`: what the bench shows, for a script: read, ask, decide, and give the result as a value."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final, Literal, overload

from ..core.conversation.read import read
from ..core.conversation.reading import Reading
from ..core.cutoffs.config import CutoffsConfig
from ..core.escalation.config import EscalationConfig
from ..core.vgr.policy import POLICY_1_0_0, Policy
from ..widgets.algorithm import Algorithm
from ..widgets.screen import Controls
from .algorithms.cutoffs import CutoffsCourse
from .algorithms.escalation import EscalationCourse
from .algorithms.protocol import AnyResult, Course
from .algorithms.settings import EscalationSettings, Inputs, Settings, new_session
from .algorithms.vgr import VgrCourse
from .arguments import algorithm_of, check_names, check_values
from .cutoffs_result import CutoffsResult
from .drivers.inside import rewind
from .drivers.mock import MockDriver
from .drivers.protocol import Driver
from .escalation_result import EscalationResult
from .examples import EXAMPLE_CUTOFFS
from .own_loop import OwnLoop
from .progress import Progress
from .result import Result

#: Seconds that letting go of the driver may take.
_LET_GO: Final = 5.0


@overload
def analyze(
    text: str,
    *,
    algorithm: Literal["vgr", Algorithm.VGR] = ...,
    driver: Driver | None = ...,
    controls: Controls | None = ...,
    policy: Policy = ...,
    format: str | None = ...,
    conversation: int | None = ...,
) -> Result: ...


@overload
def analyze(
    text: str,
    *,
    algorithm: Literal["cutoffs", Algorithm.CUTOFFS],
    driver: Driver | None = ...,
    controls: Controls | None = ...,
    cutoffs: CutoffsConfig | None = ...,
    format: str | None = ...,
    conversation: int | None = ...,
) -> CutoffsResult: ...


@overload
def analyze(
    text: str,
    *,
    algorithm: Literal["escalation", Algorithm.ESCALATION],
    driver: Driver | None = ...,
    controls: Controls | None = ...,
    escalation: EscalationConfig | None = ...,
    has_session: bool = ...,
    redact: bool = ...,
    format: str | None = ...,
    conversation: int | None = ...,
) -> EscalationResult: ...


@overload
def analyze(
    text: str,
    *,
    algorithm: Algorithm | str,
    driver: Driver | None = ...,
    controls: Controls | None = ...,
    policy: Policy = ...,
    cutoffs: CutoffsConfig | None = ...,
    escalation: EscalationConfig | None = ...,
    has_session: bool = ...,
    redact: bool = ...,
    format: str | None = ...,
    conversation: int | None = ...,
) -> AnyResult: ...


def analyze(
    text: str,
    *,
    algorithm: Algorithm | str = Algorithm.VGR,
    driver: Driver | None = None,
    controls: Controls | None = None,
    policy: Policy = POLICY_1_0_0,
    cutoffs: CutoffsConfig | None = None,
    escalation: EscalationConfig | None = None,
    has_session: bool = True,
    redact: bool = False,
    format: str | None = None,  # noqa: A002 - the word a caller expects
    conversation: int | None = None,
    **unknown: object,
) -> AnyResult:
    """Route a pasted conversation by one algorithm and give everything that was read, asked and decided.

    Without a driver the mock is asked, which sends nothing. `policy` is VGR's; `cutoffs` is the configuration of
    ordered cutoffs, without one an example's; `escalation`, `has_session` and `redact` are the escalation judge's.
    `format` names the format to read the text as; `conversation` chooses, from 0, where a paste holds several.

    Bad input does not raise: the result's `reading` says what is wrong, and its `failure` what failed in the run.
    Raises TypeError for an argument that is none or of another kind, ValueError for an algorithm that is none, and
    IndexError for a conversation that a readable paste has not. Interrupting it ends the call in flight.
    Works inside a running event loop too. A decision takes at most the deadline of the controls, in seconds; a
    diagnosis as long again, and the cloud tier's reply, where it is asked, up to 120 s. A replay of the escalation
    judge has that deadline for each call. What the driver holds is let go of at the end.
    """
    check_names(analyze, unknown)
    check_values("analyze", text, driver, controls=controls, policy=policy, cutoffs=cutoffs, escalation=escalation)
    course = course_of(algorithm)
    settings = Settings(
        MockDriver() if driver is None else driver,
        Controls() if controls is None else controls,
        policy,
        EXAMPLE_CUTOFFS if cutoffs is None else cutoffs,
        EscalationSettings(EscalationConfig() if escalation is None else escalation, has_session, redact),
    )
    reading = read(text, force=format)
    chosen = _chosen(reading, conversation)
    if chosen is None:
        unrouted: AnyResult = course.unrouted(reading, settings)
        return unrouted
    inputs = Inputs(reading, reading.conversations[chosen], settings)
    # A thread of its own, since Jupyter's main thread already runs a loop.
    loop = OwnLoop("routing-workbench-analyze")
    try:
        return loop.result_of(_result(course, inputs))
    finally:
        loop.close()


def course_of(algorithm: Algorithm | str) -> Course[Any]:
    """An algorithm as it is run. Raises ValueError, naming those there are, for a name that is none."""
    chosen = algorithm_of(algorithm)
    courses: tuple[Course[Any], ...] = (VgrCourse(), CutoffsCourse(), EscalationCourse())
    return next(course for course in courses if course.algorithm is chosen)


def _chosen(reading: Reading, conversation: int | None) -> int | None:
    if conversation is None or not reading.conversations:
        return 0 if len(reading.conversations) == 1 else None
    if not 0 <= conversation < len(reading.conversations):
        raise IndexError(f"no conversation {conversation}; the paste holds {len(reading.conversations)}, from 0")
    return conversation


async def _result(course: Course[Any], inputs: Inputs) -> AnyResult:
    progress, failed = Progress(), None
    rewind(inputs.settings.driver)
    try:
        async for event in course.events(inputs, new_session(inputs.settings.controls)):
            progress = progress.after(event)
    except Exception as error:  # noqa: BLE001 - a driver may raise anything; a script gets what the bench would show
        failed = error
    finally:
        with suppress(Exception):
            await asyncio.wait_for(inputs.settings.driver.aclose(), _LET_GO)
    result: AnyResult = course.result(inputs, progress, failed, None)
    return result
