"""Plain-text transcripts: `User:` and `Assistant:`, Markdown headings, bold or bracketed names."""

from __future__ import annotations

import re
from itertools import pairwise

from ..diagnostics import Place
from ..model import Role, Text
from ..positions import place_at
from .draft import Draft
from .format import Format, Match, Medium, Source
from .speakers import Head, Speakers, speakers

_INSTRUCTIONS = frozenset({Role.SYSTEM, Role.DEVELOPER})
#: Styles that any prose may have by chance.
_CASUAL = frozenset({"colon", "angle", "line"})
#: How the system message of a completion prompt starts, which stands without a name before the first turn.
_PREAMBLE = re.compile(
    r"(?i)(?:you are|you're|your task is|(?:a|the following is a|this is a|below is a) (?:chat|conv|dial))"
)
#: How rendered chat templates start, which have marks of their own.
_TEMPLATES = ("<|", "<s>", "<bos>", "<start_of_turn>", "[INST]", "<\uff5c")
_RULE = re.compile(r"(?:^|\n)[ ]{0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*\Z")


def match_transcript(source: Source) -> Match | None:
    """Score text by its speaker lines."""
    if source.is_json or source.text.startswith(_TEMPLATES, source.start) or source.objects:
        return None  # JSON, a rendered template, or events of a stream
    found = source.once(_speakers)
    roles = found.roles
    if Role.USER not in roles:
        return None
    first, last = found.heads[0], found.heads[-1]
    front = source.text[found.start : first.start].strip()
    reason = f"{len(found.heads)} speaker lines, `{first.name}` to `{last.name}`"
    if first.style == "line" and (front or not _all_speak(source.text, found)):
        return None
    if first.is_letter:
        return Match(0.3, reason) if Role.ASSISTANT in roles else None
    if Role.ASSISTANT in roles:
        if not front or (first.style in _CASUAL and _PREAMBLE.match(front)):
            return Match(0.9, reason)
        return Match(0.3 if first.style in _CASUAL else 0.7, reason + ", behind other text")
    if front or roles - _INSTRUCTIONS != {Role.USER} or not first.name[0].isupper() or first.style == "line":
        return Match(0.3, reason) if len(roles) > 1 else None
    if len(roles) == 1:
        return Match(0.55, f"it starts with `{first.name}`") if first.is_sure else None
    users = [index for index, head in enumerate(found.heads) if head.role is Role.USER]
    before = all(head.role is Role.USER for head in found.heads[users[0] :])
    return Match(0.9 if before else 0.3, reason)


def _speakers(source: Source) -> Speakers:
    return speakers(source.text, source.start, source.end)


def _all_speak(text: str, found: Speakers) -> bool:
    """Whether something stands behind every name but the last."""
    return all(text[head.body : behind.start].strip() for head, behind in pairwise(found.heads))


def read_transcript(source: Source, draft: Draft) -> None:
    """Cut the text at its speaker lines."""
    text, found = source.text, source.once(_speakers)
    heads = found.heads
    if heads:
        _read_front(text, found, draft)
    ruled = all(_RULE.search(text[head.body : behind.start].rstrip()) for head, behind in pairwise(heads))
    line, counted = 1, 0
    for index, head in enumerate(heads):
        line, counted = line + text.count("\n", counted, head.start), head.start
        is_last = index + 1 == len(heads)
        end = found.end if is_last else heads[index + 1].start
        body = _body(text, head, end, ruled=ruled or head.style not in _CASUAL)
        column = head.start - text.rfind("\n", 0, head.start)
        place = Place(line, column, None, head.start, text.index(body, head.body) + len(body))
        if head.aside:
            draft.extras.setdefault("beside the names", {})[str(line)] = head.aside
        if is_last and index and not body and head.role in (Role.ASSISTANT, Role.USER):
            draft.note("empty-cue", f"Nothing stands behind the last `{head.name}`; it is no turn.", place)
        else:
            draft.add(head.role, (Text(body),) if body else (), place)


def _read_front(text: str, found: Speakers, draft: Draft) -> None:
    """What stands before the first turn: the system message of a completion prompt, or a title that is no turn."""
    first = found.heads[0]
    front = text[found.start : first.start].strip()
    place = place_at(text, found.start, first.start)
    if first.style in _CASUAL and _PREAMBLE.match(front):
        draft.note("preamble", "The text before the first speaker is read as the system message.", place)
        draft.add(Role.SYSTEM, (Text(front),), place)
    elif front:
        draft.extras["text in front"] = front
        draft.warn(
            "text-in-front",
            "Text stands before the first speaker line; it is kept aside and belongs to no turn.",
            "Give it a speaker line, or read the paste as a plain prompt.",
            place,
        )


def _body(text: str, head: Head, end: int, *, ruled: bool) -> str:
    """The text of a turn, without the blank lines and the rule around it."""
    body = text[head.body : end].rstrip()
    if ruled and (rule := _RULE.search(body)):
        body = body[: rule.start()].rstrip()
    if head.style == "<":
        body = body.removesuffix(f"</{head.name}>").rstrip()
    first = len(body) - len(body.lstrip())
    return body[body.rfind("\n", 0, first) + 1 :]


TRANSCRIPT = Format(
    "plain-transcript",
    "Transcript",
    "lines that name speakers: `User:`, `## Assistant`, `**Human:**`, `[user]`, `You said:`",
    "rules between turns and white space around them; times beside the names are kept as extras",
    match_transcript,
    read_transcript,
    medium=Medium.TEXT,
    alone=True,
    example="transcript-markdown-headings",
)
