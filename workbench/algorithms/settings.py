"""Everything a run depends on, as values: whom it asks, what the operator set, and what was pasted."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...core.conversation.reading import Conversation, Reading
from ...core.cutoffs.config import CutoffsConfig
from ...core.escalation.config import EscalationConfig
from ...core.vgr.policy import POLICY_1_0_0, Policy
from ...widgets.screen import Controls
from ..drivers.protocol import Driver
from ..examples import EXAMPLE_CUTOFFS
from ..turns.breaker import Breakers
from ..turns.session_state import NEW_SESSION, SessionState


@dataclass(frozen=True, slots=True)
class EscalationSettings:
    """The escalation judge's configuration and the two switches beside it."""

    config: EscalationConfig = EscalationConfig()
    #: Whether a session id carries the streak from turn to turn.
    has_session: bool = True
    #: The operator's own option: redact the transcript before it is sent.
    redact: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """Whom a run asks, and what the operator set for it; each algorithm reads its own part."""

    driver: Driver
    controls: Controls = Controls()
    policy: Policy = POLICY_1_0_0
    cutoffs: CutoffsConfig = EXAMPLE_CUTOFFS
    escalation: EscalationSettings = EscalationSettings()


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that a run is made from."""

    reading: Reading = field(repr=False)
    conversation: Conversation = field(repr=False)
    settings: Settings


@dataclass(frozen=True, slots=True)
class Carried:
    """What a session keeps from one run to the next. The breakers are changed by a run, so each run gets a copy."""

    breakers: Breakers
    state: SessionState = NEW_SESSION


def new_session(controls: Controls) -> Carried:
    """A session that has had no turn yet."""
    return Carried(Breakers(controls.breaker_threshold, controls.breaker_cooldown))
