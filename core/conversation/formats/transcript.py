"""Plain-text transcripts: `User:` and `Assistant:`, Markdown headings, bold or bracketed names.

A transcript keeps to one style of speaker line, that of its first one; a name in another style, or inside a code fence,
is text of the turn.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass

from ..diagnostics import Place
from ..model import Role, Text
from ..positions import place_at
from .draft import Draft
from .format import Format, Match, Source

_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.DEVELOPER,
    "tool": Role.TOOL,
}
#: Names that only count with a capital letter, since in lower case they are keys of configuration files.
_CAPITAL = {
    "Customer": Role.USER,
    "You said": Role.USER,
    "Bot": Role.ASSISTANT,
    "Chatbot": Role.ASSISTANT,
    "ChatGPT": Role.ASSISTANT,
    "ChatGPT said": Role.ASSISTANT,
    "Claude": Role.ASSISTANT,
    "Gemini": Role.ASSISTANT,
    "Copilot": Role.ASSISTANT,
    "Agent": Role.ASSISTANT,
}
_NAME = "(?:" + "|".join([f"(?i:{name})" for name in _ROLES] + [re.escape(name) for name in _CAPITAL]) + ")"
#: What may stand behind a name: `(gpt-4)`, `(10:32)`.
_ASIDE = r"(?:[ ]\([^()\n]{1,40}\))?"
_HEAD = re.compile(
    rf"""
    ^[ ]{{0,3}}
    (?: (?P<heading>\#{{1,6}})[ \t]+(?:[^\w\s\#*`"']{{1,4}}[ ])?(?P<h>{_NAME}){_ASIDE}:?[ \t]*(?:\#+[ \t]*)?\r?$
      | (?P<bold>\*\*|__)(?P<b>{_NAME}){_ASIDE}
        (?: :(?P=bold)[ \t]* | (?P=bold){_ASIDE}[ \t]*:[ \t]* | (?P=bold)[ \t]*\r?$)
      | \[(?P<k>{_NAME})\](?P<bracket>:?)[ \t]*
      | (?P<c>{_NAME}){_ASIDE}(?P<colon>:)(?:[ \t]+|\r?$)
    )
    """,
    re.VERBOSE | re.MULTILINE,
)
_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_RULE = re.compile(r"(?:^|\n)[ ]{0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class _Head:
    """A speaker line: who, in which style, where it starts and where the text behind it starts."""

    role: Role
    name: str
    style: str
    start: int
    body: int


def match_transcript(source: Source) -> Match | None:
    """Score text by its speaker lines."""
    heads = [] if source.is_json else _heads(source)
    roles = {head.role for head in heads}
    if Role.USER not in roles:
        return None
    first, last = heads[0], heads[-1]
    reason = f"{len(heads)} speaker lines, `{first.name}` to `{last.name}`"
    in_front = source.text[source.start : first.start].strip()
    if len(roles) == 1:
        return None if in_front or not first.name[0].isupper() else Match(0.55, f"it starts with `{first.name}`")
    if not in_front:
        return Match(0.9, reason)
    return Match(0.3, f"{reason}, behind other text") if first.style == "colon" else Match(0.7, reason)


def read_transcript(source: Source, draft: Draft) -> None:
    """Cut the text at its speaker lines."""
    heads = _heads(source)
    text = source.text
    if heads and (in_front := text[source.start : heads[0].start].strip()):
        draft.extras["text in front"] = in_front
        draft.warn(
            "text-in-front",
            "Text stands before the first speaker line; it is kept aside and belongs to no turn.",
            "Give it a speaker line, or read the paste as a plain prompt.",
            place_at(text, source.start, heads[0].start),
        )
    line, counted = 1, 0
    for index, head in enumerate(heads):
        line, counted = line + text.count("\n", counted, head.start), head.start
        is_last = index + 1 == len(heads)
        body = _body(text, head, source.end if is_last else heads[index + 1].start)
        column = head.start - text.rfind("\n", 0, head.start)
        place = Place(line, column, None, head.start, text.index(body, head.body) + len(body))
        if is_last and index and not body and head.role is Role.ASSISTANT:
            draft.note("empty-cue", f"The last `{head.name}` has no text; it asks for a reply and is no turn.", place)
        else:
            draft.add(head.role, (Text(body),) if body else (), place)


def _body(text: str, head: _Head, end: int) -> str:
    """The text of a turn, without the blank lines and the rule around it."""
    body = text[head.body : end].rstrip()
    if head.style != "colon" and (rule := _RULE.search(body)):
        body = body[: rule.start()].rstrip()
    first = len(body) - len(body.lstrip())
    return body[body.rfind("\n", 0, first) + 1 :]


def _heads(source: Source) -> list[_Head]:
    """The speaker lines in the style of the first one, outside code fences."""
    fences = _fences(source.text)
    starts = [start for start, _ in fences]
    heads: list[_Head] = []
    for found in _HEAD.finditer(source.text, source.start, source.end):
        inside = bisect.bisect_right(starts, found.start()) - 1
        if inside >= 0 and found.start() < fences[inside][1]:
            continue
        name = found["h"] or found["b"] or found["k"] or found["c"]
        style = found["heading"] or ("bold" if found["b"] else "bracket" if found["k"] else "colon")
        if not heads or style == heads[0].style:
            role = _CAPITAL.get(name) or _ROLES[name.lower()]
            heads.append(_Head(role, name, style, found.start(), found.end()))
    return heads


def _fences(text: str) -> list[tuple[int, int]]:
    """The ranges of code fences that are closed; an open one hides nothing."""
    ranges: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for line in _FENCE.finditer(text) if "```" in text or "~~~" in text else ():
        if opened is None:
            opened = line
        elif line["mark"].startswith(opened["mark"]) and not line["info"].strip():
            ranges.append((opened.start(), line.end()))
            opened = None
    return ranges


TRANSCRIPT = Format(
    "plain-transcript",
    "Transcript",
    "lines that name speakers: `User:`, `## Assistant`, `**Human:**`, `[user]`",
    "rules between turns and white space around them",
    match_transcript,
    read_transcript,
)
