"""Speaker lines in plain text: who is named, in which style, and which of them open a turn.

A transcript keeps to one style of speaker line; a name in another style, or inside a code fence, is text of the turn.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..model import Role
from .code_fences import code_fences

#: Names that leave no doubt, in upper or lower case.
_SURE = {
    "ai assistant": Role.ASSISTANT,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "user": Role.USER,
    "human": Role.USER,
    "system": Role.SYSTEM,
    "developer": Role.DEVELOPER,
    "tool": Role.TOOL,
}
#: Names that mean other things too: they count only where no sure name stands for the same role.
_LOOSE = {"me": Role.USER, "you": Role.USER, "bot": Role.ASSISTANT, "chatbot": Role.ASSISTANT}
#: The same, and in lower case they are keys of configuration files.
_CAPITAL = {"customer": Role.USER, "agent": Role.ASSISTANT, "model": Role.ASSISTANT, "cursor": Role.ASSISTANT}
#: Letters that few-shot prompts and lists of questions use too; in upper case.
_LETTERS = {"q": Role.USER, "a": Role.ASSISTANT}
#: Names that are no speaker where they stand alone on a line.
_NEVER_ALONE = frozenset({"me", "ai", "bot", "customer", "agent", "model", "cursor", "tool", "developer", "q", "a"})
#: Names that templates leave alone on a line in lower case, where their marks were left out.
_ALONE_IN_LOWER = frozenset({"system", "user", "assistant", "human"})
#: Assistants by name; a version may follow.
_PRODUCTS = "chatgpt|gpt|claude|gemini|bard|copilot|grok|deepseek|llama|mistral|mixtral|qwen|nemotron"
_VERSION = r"(?:[ -]?v?\d[\w.]*|[ -](?i:opus|sonnet|haiku|pro|flash|turbo|mini|ultra|plus|large|r\d|code))"
_PART = "prompt|message|query|input|instructions|response|reply|answer|output|result"
_NAME = (
    rf"(?:(?i:{'|'.join(_SURE)})(?:[ ](?i:{_PART}))?|(?i:{'|'.join(_LOOSE)})"
    rf"|{'|'.join(form for name in _CAPITAL for form in (name.capitalize(), name.upper()))}"
    rf"|{'|'.join(name.upper() for name in _LETTERS)}|(?i:{_PRODUCTS}){_VERSION}{{0,3}})"
    r"(?:[ ](?:said|replied|responded))?(?![\w-])"
)
#: What may stand beside a name: `(gpt-4)`, `[10:32]`, ` - 10:32`.
_ASIDE = (
    r"(?:[ ]?\([^()\n]{1,40}\)|[ ]?\[[^\[\]\n]{1,40}\]"
    r"|[ ]?[-,|\u00b7\u2013\u2014][ ]\d[\d:./,\- ]{2,24}(?:[AaPp][Mm])?)?"
)
#: A date or time in front of a name, bare or in brackets.
_STAMP = r"(?:(?=[\[(]?\d{1,4}[-/:.]\d)[\[(]?\d[\d\-/:.,TZ+ ]{3,32}(?:[AaPp][Mm])?[\])]?,?[ ]*(?:[-\u2013|][ ]+)?)?"
_EMOJI = r"(?:[\u2190-\u2bff\U0001f000-\U0001faff][\ufe0f\u200d\u2190-\u2bff\U0001f000-\U0001faff]{0,5}[ ]?)?"
_GAP = r"[^\S\r\n]"
_NAMES = (*_SURE, *_LOOSE, *_CAPITAL, *_PRODUCTS.split("|"))
#: How a line of a speaker starts, so that other lines are left at their second letter: no letter, or that of a name.
_FRONT = "|".join(
    (
        r"[^A-Za-z\s]",
        r"[A-Za-z][^\x00-\x7f]",
        *sorted({f"[{name[0]}{name[0].upper()}][{name[1]}{name[1].upper()}]" for name in _NAMES}),
        *(rf"{name.upper()}(?![A-Za-z])" for name in _LETTERS),
    )
)
_LINE = re.compile(
    rf"""
    ^[\ufeff\u200b\u200e]?(?P<indent>[ \t]*)(?={_FRONT})
    (?: (?P<heading>\#{{1,6}}){_GAP}+{_EMOJI}(?P<mark>\*\*|__)?{_EMOJI}(?P<h>{_NAME})(?P<h_aside>{_ASIDE})
            (?: :?(?(mark)(?P=mark)):?{_GAP}*(?:\#+{_GAP}*)?\r?$ | :{_GAP}+ )
      | {_EMOJI}(?P<bold>\*\*|__|\*){_EMOJI}(?P<b>{_NAME})(?P<b_aside>{_ASIDE})
            (?: [ ]?[:\uff1a](?P=bold){_GAP}* | (?P=bold)(?P<b_behind>{_ASIDE})(?:[ ]?[:\uff1a]{_GAP}*|{_GAP}*\r?$) )
      | (?P<rule>={{4,}}){_GAP}*(?P<r>{_NAME}){_GAP}*={{4,}}{_GAP}*\r?$
      | (?P<bracket>[\[<])(?P<k>{_NAME})[\]>]:?{_GAP}*
      | (?P<stamp>{_STAMP}){_EMOJI}(?P<p>{_NAME})(?P<p_aside>{_ASIDE})
            (?: {_GAP}?(?P<colon>[:\uff1a])(?![:/]){_GAP}* | (?P<angle>>)(?:{_GAP}+|\r?$)
              | {_GAP}*\r?$(?:\n[-=]{{3,}}{_GAP}*\r?$)? )
    )
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Head:
    """A speaker line: who, in which style, where it starts and where the text behind it starts."""

    role: Role
    name: str
    #: The name in lower case, without a version and the like.
    key: str
    #: `heading`, `bold`, `rule`, `[`, `<`, `colon`, `angle` or `line`: the name alone on its line.
    style: str
    #: Of a heading.
    level: int
    indent: int
    #: A date, a time or a model that stands beside the name.
    aside: str
    start: int
    body: int

    @property
    def is_letter(self) -> bool:
        """Whether it is `Q` or `A`, which prompts with examples use."""
        return self.key in _LETTERS

    @property
    def is_sure(self) -> bool:
        """Whether the name leaves no doubt."""
        return self.key in _SURE


@dataclass(frozen=True, slots=True)
class Speakers:
    """The speaker lines of a text, and the range they divide: the inside of a fence around all of it."""

    heads: tuple[Head, ...]
    start: int
    end: int

    @property
    def roles(self) -> set[Role]:
        """The roles that speak."""
        return {head.role for head in self.heads}


def speakers(text: str, start: int, end: int) -> Speakers:
    """The speaker lines that open turns, in the first style in which a user and an assistant speak, or the first."""
    found = [_head(line) for line in _LINE.finditer(text, text.rfind("\n", 0, start) + 1, end)]
    if not found:
        return Speakers((), start, end)
    fences = code_fences(text, start, end, [head.body for head in found])
    if len(fences) == 1 and fences[0] == (start, end) and "\n" in text[start:end]:
        start, end = text.index("\n", start) + 1, text.rindex("\n", start, end)
        fences = []
    opened = [fence[0] for fence in fences]

    def in_fence(at: int) -> bool:
        before = bisect.bisect_right(opened, at) - 1
        return before >= 0 and at < fences[before][1]

    outside = [head for head in found if not in_fence(head.start)]
    first: tuple[Head, ...] = ()
    for style in dict.fromkeys(head.style for head in outside):
        heads = _of_one_mind([head for head in outside if head.style == style])
        if {Role.USER, Role.ASSISTANT} <= {head.role for head in heads}:
            return Speakers(heads, start, end)
        first = first or heads
    return Speakers(first, start, end)


def _head(line: re.Match[str]) -> Head:
    name = line["h"] or line["b"] or line["k"] or line["r"] or line["p"]
    lower = name.lower()
    key = "ai assistant" if lower.startswith("ai assistant") else re.split(r"[ -]", lower, maxsplit=1)[0]
    style = "heading" if line["heading"] else "bold" if line["b"] else "rule" if line["rule"] else line["bracket"]
    style = style or ("colon" if line["colon"] else "angle" if line["angle"] else "line")
    beside = (line["stamp"], line["h_aside"], line["b_aside"], line["b_behind"], line["p_aside"])
    return Head(
        _SURE.get(key) or _LOOSE.get(key) or _CAPITAL.get(key) or _LETTERS.get(key) or Role.ASSISTANT,
        name,
        key,
        style,
        len(line["heading"] or ""),
        len(line["indent"].expandtabs(4)),
        " ".join(part.strip() for part in beside if part and part.strip()),
        line.start(),
        line.end(),
    )


def _of_one_mind(heads: list[Head]) -> tuple[Head, ...]:
    """The heads of one style without those that are likely text: second names of a role, deeper levels and indents."""
    sure: dict[Role, str] = {}
    for head in heads:
        if head.is_sure:
            sure.setdefault(head.role, head.key)
    return tuple(_alike([head for head in heads if sure.get(head.role, head.key) == head.key]))


def _alike(heads: list[Head]) -> Iterator[Head]:
    """Two roles may each have a level of their own, as ChatGPT copies them; a name keeps its case."""
    levels: dict[Role, int] = {}
    case: dict[str, bool] = {}
    for head in heads:
        lower = head.name.islower()
        if (
            (head.indent <= 3 or head.indent == heads[0].indent)
            and (head.level in levels.values() or (head.role not in levels and len(levels) < 2))
            and case.get(head.key, lower) is lower
            and (head.style != "line" or (head.key in _ALONE_IN_LOWER if lower else head.key not in _NEVER_ALONE))
        ):
            levels.setdefault(head.role, head.level)
            case.setdefault(head.key, lower)
            yield head
