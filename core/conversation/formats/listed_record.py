"""Records of exports and data sets: each a conversation of its own, one without messages too."""

from __future__ import annotations

from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .source import Source

_TITLE_CHARS = 60


def draft_of(title: Json, at: Path, source: Source, draft: Draft) -> Draft:
    """The draft to read a record into: a further conversation where the source lists records, else the given draft.

    What has its place in the list keeps it, though it may hold no message.
    """
    named = shown(title, _TITLE_CHARS) if isinstance(title, str) else ""
    if not isinstance(source.value, list):
        draft.title = named
        return draft
    made = draft.begin(named, at)
    made.may_be_empty = True
    return made
