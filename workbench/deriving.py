"""What a conversation gives before any evidence, ready to be shown: capabilities, ladder, judged view, tool results."""

from __future__ import annotations

from ..core.conversation.model import Request, Response
from ..core.conversation.reading import Conversation, split_attempt
from ..core.explain.judged import JudgedView
from ..core.explain.judging import judged_turn, judged_view
from ..core.explain.ladder import ladder
from ..core.explain.results import result_marks
from ..core.vgr.capabilities import TaskType
from ..core.vgr.derive import Derivation
from ..core.vgr.evidence import Origin
from ..core.vgr.policy import Policy
from ..core.vgr.turn_view import has_tool_call
from ..widgets.screen import Controls, Derived
from .progress import Progress
from .turns.outlook import derive_declared
from .turns.questions import attempt_text
from .turns.settings import TurnSettings

#: The judged view that each derivation rule gives (SPEC 4.1); the other rules give none.
_VIEWS = {3: "session", 4: "session", 5: "agentic", 6: "coding", 8: "session"}


def settings_of(controls: Controls) -> TurnSettings:
    """The runner's settings for these controls."""
    return TurnSettings(
        mode=controls.mode,
        approval=controls.approval or None,
        deadline=controls.deadline,
        typing_enabled=controls.typing_enabled,
        forced_type=controls.forced_type,
        checker_configured=controls.checker_configured,
        checker_validated=controls.checker_validated,
        provenance=controls.provenance,
        structured_answer=controls.structured_answer,
        prior_local=controls.prior_local,
        local_supports_images=controls.local_supports_images,
        latch_escalation=controls.latch_escalation,
        speculation_carry=controls.speculation_carry,
        ask_cloud=controls.ask_cloud,
        breaker_threshold=controls.breaker_threshold,
        breaker_cooldown=controls.breaker_cooldown,
        diagnose=controls.diagnose,
    )


def split(conversation: Conversation, controls: Controls) -> tuple[Request, Response | None]:
    """The request and the pasted attempt, or the whole conversation and None where the local tier is to be asked."""
    if not controls.pasted_attempt:
        return conversation.request, None
    return split_attempt(conversation.request, conversation.stop_reason)


def derived(
    request: Request,
    attempt: Response | None,
    controls: Controls,
    policy: Policy,
    *,
    attempt_origin: Origin | None = None,
    task_type: TaskType | None = None,
    typed_by: Origin | None = None,
    previous: Derived | None = None,
) -> Derived:
    """Everything computed of this request and attempt.

    `task_type` is what typing gave; a forced type stands on its own. `typed_by` is the origin of an asked typing.
    What `previous` shows of the same judged text is taken over, so that a changed setting does not mark it again.
    """
    forced = controls.forced_type
    found = task_type if forced is None else forced
    text = None if attempt is None else attempt_text(attempt)
    derivation = derive_declared(request, text, settings_of(controls), found)
    source = "forced" if forced is not None else "not typed" if typed_by is None else typed_by.kind.value
    return Derived(
        request,
        attempt,
        attempt_origin,
        derivation.capabilities,
        derivation.rule,
        derivation.words,
        found,
        source,
        ladder(derivation.capabilities),
        _judged(request, attempt, text, derivation, policy, previous),
        result_marks(request),
    )


def derived_so_far(
    conversation: Conversation, controls: Controls, policy: Policy, progress: Progress, previous: Derived | None = None
) -> Derived:
    """Everything computed of a conversation, with the attempt and the task type that its turn has given so far."""
    request, pasted = split(conversation, controls)
    return derived(
        request,
        pasted if progress.attempt is None else progress.attempt,
        controls,
        policy,
        attempt_origin=progress.attempt_origin,
        task_type=progress.task_type,
        typed_by=progress.typed_by,
        previous=previous,
    )


def _judged(
    request: Request,
    attempt: Response | None,
    text: str | None,
    derivation: Derivation,
    policy: Policy,
    previous: Derived | None,
) -> JudgedView | None:
    """The view that a verifier of this turn reads: a proposed call is read as a turn, all else by its derivation."""
    if attempt is None or text is None:
        return None
    if policy.turn_verification.enabled and has_tool_call(attempt):
        return judged_turn(request, attempt, policy.turn_verification)
    name = _VIEWS.get(derivation.rule)
    transcript = derivation.capabilities.transcript
    if name is None or transcript is None:
        return None
    known = None if previous is None or previous.request != request else previous.judged
    if known is not None and known.name == name and known.text == transcript:
        return known
    return judged_view(name, request, text, attempt)
