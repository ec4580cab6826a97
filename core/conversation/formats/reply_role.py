"""Who a reply says that it is by: a model, under one of the names that its API has for it."""

from __future__ import annotations

from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft

_NAMES = ("assistant", "model", "", None)


def note_role(role: Json, at: Path, draft: Draft) -> None:
    """Remark on a reply that names another role, and keep that; what a model answered is still the assistant's."""
    if role not in _NAMES:
        draft.keep({str(at[-1]): role}, (), at[:-1])
        draft.warn(
            "role-of-reply",
            f"This reply names the role `{shown(role)}`; as a reply it is read as the assistant's.",
            "If it is none, paste it as a message of a list.",
            at,
        )
