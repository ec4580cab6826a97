"""The arguments of a tool call: a JSON object, or the string as pasted and why it is none."""

from __future__ import annotations

from ..diagnostics import Place
from ..json_text import clean_object, decode_embedded
from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft


def arguments(raw: Json, name: str, draft: Draft, at: Path | Place) -> Json:
    """The parsed object. A string that holds none stays that string, whole; it marks the call as malformed."""
    if isinstance(raw, dict):
        return raw
    if type(raw) is str and (clean := clean_object(raw)) is not None:
        return clean
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        draft.note("empty-arguments", f"The call of `{shown(name)}` has no arguments; read as an empty object.", at)
        return {}
    found = decode_embedded(raw) if isinstance(raw, str) else None
    if found is not None and isinstance(found[0], dict):
        if found[1].repeated_keys:
            draft.warn(
                "repeated-key",
                f"The arguments of `{shown(name)}` name a key twice; the last one counts.",
                "Keep one of the two.",
                at,
            )
        return found[0]
    what = "are not valid JSON, perhaps cut off" if isinstance(raw, str) and found is None else "are not a JSON object"
    draft.warn(
        "bad-arguments",
        f"The arguments of `{shown(name)}` {what}; kept as pasted, and the call counts as malformed.",
        "Paste the whole call, or correct its arguments.",
        at,
    )
    return raw
