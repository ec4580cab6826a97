"""Why a model stopped: a provider's word as a normalized stop reason."""

from __future__ import annotations

from collections.abc import Mapping

from ..model import Json, StopReason
from ..positions import Path
from ..remarks import shown
from .draft import Draft


def stop_reason(raw: Json, known: Mapping[str, StopReason], draft: Draft, at: Path) -> StopReason | None:
    """The normalized stop reason; None where none is given. A word that is not known is kept as an extra."""
    if raw is None:
        return None
    found = known.get(raw) if isinstance(raw, str) else None
    if found is None:
        draft.note("unknown-stop-reason", f"The stop reason `{shown(raw)}` is not known; read as `unknown`.", at)
        draft.keep({str(at[-1]): raw}, (), at[:-1])
        return StopReason.UNKNOWN
    if found is StopReason.MAX_TOKENS:
        draft.warn(
            "reply-cut-off", "The reply reached its token limit; it is cut off.", "Ask again with a higher limit.", at
        )
    return found
