"""Parts that both kinds of messages of the Vercel AI SDK have: files, and what the application keeps for itself."""

from __future__ import annotations

from typing import Final, Literal

from ..model import Json, Media

PROVIDER: Final = "vercel"

#: Kinds of parts that never reach the model.
_ASIDE = frozenset(
    {"step-start", "source", "source-url", "source-document", "tool-approval-request", "tool-approval-response"}
)
_KINDS: dict[str, Literal["image", "audio", "video"]] = {"image": "image", "audio": "audio", "video": "video"}


def is_aside(kind: str) -> bool:
    """Whether parts of a kind are the application's own: marks of steps, sources, data to draw."""
    return kind in _ASIDE or kind.startswith("data-")


def media_of(part: Json) -> Media:
    """A file, by the kind that its media type names."""
    named = [part.get(key) for key in ("mediaType", "mimeType", "contentType")] if isinstance(part, dict) else []
    mime = next((name for name in named if isinstance(name, str)), "")
    kind = part.get("type") if isinstance(part, dict) else None
    if not mime and isinstance(kind, str) and kind.startswith("image"):
        mime = "image"
    return Media(_KINDS.get(mime.partition("/")[0], "file"), part)
