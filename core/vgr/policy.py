"""The policy: every bar and dial of verification-gated routing, as one value (SPEC 4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass


@dataclass(frozen=True, slots=True)
class RecoveredRun:
    """When an agentic run with failed tool results counts as recovered (SPEC 4.3)."""

    enabled: bool = True
    min_errors: int = 1
    max_tool_results: int = 15
    require_clean_tail: bool = True


@dataclass(frozen=True, slots=True)
class TurnVerification:
    """The in-flight check of proposed tool-bearing turns (SPEC 4.4, 7). Lengths in characters."""

    enabled: bool = True
    confirmations: int = 2
    escalate_at: float = 0.5
    recent_turn_window: int = 28
    message_chars: int = 500
    system_chars: int = 1000
    first_user_chars: int = 2000
    total_chars: int = 18_000


@dataclass(frozen=True, slots=True)
class Policy:
    """Policy 1.0.0 (SPEC 4.4). Bars and dials are probabilities in [0, 1], inclusive; a dial of None is unset."""

    version: str = "1.0.0"
    readout_bar: float = 0.9
    band_floor: float = 0.5
    deliberation_bar: float = 0.5
    prior_bar: float = 0.5
    coding_dial: float | None = 0.2
    chat_dial: float | None = 0.3
    answer_dial: float | None = 0.7
    default_verified_dial: float | None = 0.7
    agentic_dial: float | None = 0.2
    answer_judge_arms: bool = False
    coding_dial_requires_judge: bool = True
    recovered_run: RecoveredRun = field(default_factory=RecoveredRun)
    turn_verification: TurnVerification = field(default_factory=TurnVerification)


#: The frozen constants of policy 1.0.0.
POLICY_1_0_0 = Policy()


def changed_constants(policy: Policy) -> tuple[str, ...]:
    """The constants that differ from policy 1.0.0: `readout_bar`, `recovered_run.min_errors`. Its version is none."""
    return tuple(_changed(policy, POLICY_1_0_0, ""))


def _changed(given: object, frozen: object, group: str) -> Iterator[str]:
    for field_of in fields(frozen):  # type: ignore[arg-type]  # a dataclass, as every group is
        name, now, then = field_of.name, getattr(given, field_of.name), getattr(frozen, field_of.name)
        if is_dataclass(then):
            yield from _changed(now, then, f"{name}.")
        elif now != then and f"{group}{name}" != "version":
            yield f"{group}{name}"
