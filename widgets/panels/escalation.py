"""The panels of the Escalation tab, where `layout` finds them (SPEC 6.2; UI 5).

Their acts are in the table of `panels`: `turn`, `turn:previous`, `turn:next`, `escalation:...`, `copy-transcript`.
"""

from .escalation_card import escalation_verdict
from .escalation_details import escalation_details
from .escalation_settings import escalation_settings
from .escalation_streak import streak_panel
from .escalation_transcript import transcript_panel
from .escalation_turns import escalation_turns

__all__ = [
    "escalation_details",
    "escalation_settings",
    "escalation_turns",
    "escalation_verdict",
    "streak_panel",
    "transcript_panel",
]
