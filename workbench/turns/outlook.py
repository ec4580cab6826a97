"""What is known of a turn before it runs: its capabilities as far as derived, and what it will ask (SPEC 4.1, 7)."""

from __future__ import annotations

from ...core.conversation.model import Request, Response
from ...core.vgr.capabilities import TaskType, ToolErrors
from ...core.vgr.decision import Mode
from ...core.vgr.derive import Derivation, derive
from ...core.vgr.evidence import Rung
from ...core.vgr.policy import POLICY_1_0_0, Policy
from ...core.vgr.text import is_blank
from ...core.vgr.tool_record import tool_record
from ...core.vgr.turn_view import has_incomplete_tool_call, has_tool_call
from ..drivers.protocol import Category, Driver
from .gather import Gathering, asked_unless_committed
from .questions import attempt_text, category_of, task_text
from .settings import DEFAULT_SETTINGS, TurnSettings


def will_ask(
    request: Request,
    attempt: Response | None,
    driver: Driver,
    settings: TurnSettings = DEFAULT_SETTINGS,
    policy: Policy = POLICY_1_0_0,
) -> tuple[Rung, ...]:
    """What a turn will ask, in order, as far as that is known before it runs and as long as nothing affirms."""
    serving = (Rung.CAPABLE,) if settings.ask_cloud else ()
    if settings.mode is Mode.OFF:
        return serving
    opening = () if attempt is not None else (Rung.ATTEMPT,)
    if attempt is not None and policy.turn_verification.enabled and has_tool_call(attempt):
        return serving if has_incomplete_tool_call(attempt) else (Rung.TURN_CHECK,)
    if types_task(request, settings, driver):
        return (*opening, Rung.TYPING)
    if attempt is None:
        return opening
    derivation = derive_declared(request, attempt_text(attempt), settings, settings.forced_type)
    gathering = Gathering(derivation.capabilities, configured_categories(driver), policy)
    return (*asked_unless_committed(gathering), *(() if gathering.commits else serving))


def derive_declared(
    request: Request, attempt: str | None, settings: TurnSettings, task_type: TaskType | None
) -> Derivation:
    """Derive the capabilities as a turn does: with the tool record as vouched for, and the operator's declarations."""
    record = tool_record(request)
    vouched = settings.provenance is not None
    derivation = derive(
        request,
        attempt,
        checker_configured=settings.checker_configured,
        task_type=task_type,
        tool_errors=None if settings.provenance is None else ToolErrors(settings.provenance, record.errors),
        tool_results=record.results if vouched else None,
        tool_tail_clean=record.tail_clean if vouched else None,
    )
    declared = derivation.capabilities._replace(
        structured_answer=settings.structured_answer, prior_local=settings.prior_local
    )
    return derivation._replace(capabilities=declared)


def configured_categories(driver: Driver) -> frozenset[Category]:
    """The categories this driver has models for."""
    return frozenset([category for category in Category if driver.models_for(category)])


def types_task(request: Request, settings: TurnSettings, driver: Driver) -> bool:
    """Whether the router types the task; there must be a task, and somebody to ask."""
    return (
        settings.typing_enabled
        and settings.forced_type is None
        and not settings.checker_configured
        and bool(driver.models_for(category_of(Rung.TYPING)))
        and not is_blank(task_text(request))
    )
