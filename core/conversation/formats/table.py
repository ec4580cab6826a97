"""The page of formats, made from the registry: `make formats` prints it and writes it to core/FORMATS.md."""

from __future__ import annotations

from ..unwrapping import READ_THROUGH
from . import FORMATS
from .elsewhere import named_only
from .format import Format, Medium

_HEAD = """# Formats that are read

Made from the registry by `make formats`; change `core/conversation/formats` instead of this page.

A paste is read as the format with the highest score; the others that fit are offered beside it. Whatever stands beside
the messages is kept with the conversation, so "loses nothing" means that every part of the paste is in the normalized
conversation, in its extras or in a remark. A paste that holds several conversations gives a list to choose from.
"""
_MEDIA = {Medium.JSON: "JSON", Medium.TEXT: "text", Medium.BOTH: "text or JSON lines"}


def formats_page() -> str:
    """The whole page, in Markdown."""
    lines = [
        _HEAD,
        "| format | name | priority | written in | recognized by | loses | example |",
        "|---|---|---|---|---|---|---|",
        *map(_row, sorted(FORMATS, key=lambda one: one.priority)),
    ]
    lines += ["", "## Read through", "", "This is undone, and said, before a format is looked for.", ""]
    lines += [f"- {what}" for what in READ_THROUGH]
    if left := named_only():
        lines += ["", "## Recognized, and not read yet", "", "A paste in one of these is named, never misread.", ""]
        lines += [f"- {title}" for title in left]
    return "\n".join(lines) + "\n"


def _row(one: Format) -> str:
    example = f"`{one.example}`" if one.example else ""
    cells = (one.title, f"`{one.name}`", str(one.priority), _MEDIA[one.medium], one.recognized_by, one.loses, example)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
