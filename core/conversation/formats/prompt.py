"""A bare prompt: the whole paste is one user message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..diagnostics import Severity
from ..model import Role, Text
from ..positions import place_at
from ..reading import FormatMatch
from ..remarks import Remark
from .draft import Draft
from .format import Format, Match, Medium, Source
from .transcript import TRANSCRIPT

#: What JSON and Python write for the role of a message.
_ROLE = re.compile(
    r"""(?:\\?["']{1,2}|:)role(?:\\?["']{1,2})?\s*(?:[:=]>?)\s*\\?["']{1,2}(?:user|assistant|system|developer|tool|human|model)\\?["']
      | ^[ \t]*(?:-[ \t]+)?role:[ \t]*["']?(?:user|assistant|system|developer|tool)["']?[ \t]*\r?$""",
    re.MULTILINE | re.VERBOSE,
)
#: What chat templates write at the start of a turn, or behind one of a user.
_MARK = re.compile(r"<\|(?:im_start|start_header_id|start_of_role|channel)\|>|<start_of_turn>|\[/INST\]")


def match_prompt(source: Source) -> Match | None:
    """Any text that is not JSON can be a prompt."""
    return None if source.is_json or source.start >= source.end else Match(0.4, "text without roles")


def read_prompt(source: Source, draft: Draft) -> None:
    """Take the text whole, without the blank lines around it."""
    text = source.text[source.start : source.end]
    place = place_at(source.text, source.start, source.end)
    draft.note("plain-prompt", "The whole paste is read as one user message.", place)
    draft.add(Role.USER, (Text(text),), place)


def on_prompt(source: Source, candidates: Sequence[FormatMatch]) -> Iterator[Remark]:
    """What looks like turns in a text that is read as one prompt."""
    if any(candidate.name == TRANSCRIPT.name for candidate in candidates):
        yield Remark(
            Severity.WARNING,
            "speakers-in-prompt",
            "Lines of this text name speakers, but they are read as part of one prompt.",
            f"To read them as turns, choose `{TRANSCRIPT.title}`.",
        )
    elif found := _MARK.search(source.text, source.start, source.end):
        yield Remark(
            Severity.WARNING,
            "template-in-prompt",
            "Turns of a rendered chat template stand in this text, but they are read as part of one prompt.",
            "To read them as turns, paste them from their first mark on.",
            place=place_at(source.text, found.start(), found.end()),
        )
    elif found := _ROLE.search(source.text, source.start, source.end):
        yield Remark(
            Severity.WARNING,
            "messages-in-prompt",
            "Messages in JSON or YAML stand in this text, but they are read as part of one prompt.",
            "To read them as turns, paste them alone.",
            place=place_at(source.text, found.start(), found.end()),
        )


PLAIN_PROMPT = Format(
    "plain-prompt",
    "Plain prompt",
    "text that is no JSON and names no roles",
    "white space around the text",
    match_prompt,
    read_prompt,
    medium=Medium.TEXT,
    alone=True,
    example="plain-prompt-only",
)
