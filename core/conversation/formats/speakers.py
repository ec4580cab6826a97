"""Speaker lines in plain text: who is named, in which style, and which of them open a turn.

A transcript keeps to the style of its first speaker line; a name in another style, or inside a code fence, is text.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..model import Role

#: Names that leave no doubt, in any case; what may follow them is `_MORE`.
_SURE = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "ai assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.DEVELOPER,
    "tool": Role.TOOL,
}
_MORE = "prompt|message|query|input|instructions|response|reply|answer|output|result"
#: Names that also mean other things: with a capital letter, and only where no sure name has the same role.
_LOOSE = {
    "me": Role.USER,
    "you": Role.USER,
    "customer": Role.USER,
    "agent": Role.ASSISTANT,
    "bot": Role.ASSISTANT,
    "chatbot": Role.ASSISTANT,
    "model": Role.ASSISTANT,
}
#: Assistants by name; a version may follow.
_PRODUCTS = (
    "ChatGPT GPT Claude Gemini Bard Copilot Grok DeepSeek Llama Mistral Mixtral Qwen Perplexity Cursor Nemotron".split()
)
_CAPITAL = [form for name in _LOOSE for form in (name.capitalize(), name.upper())]
_NAME = rf"""(?:
    (?i:{"|".join(sorted(_SURE, key=len, reverse=True))})(?:[ ](?i:{_MORE}))?
    | (?:{"|".join(_CAPITAL)})
    | (?:{"|".join(_PRODUCTS)})(?:[ -]?v?\d[\w.]*(?:[ -](?:[A-Z]|\d)[\w.]*){{0,2}}|[ ](?:[A-Z]|\d)[\w.]*)?
    )(?:[ ](?:said|replied|responded))?(?![\w-])"""
#: What may stand beside a name: `(gpt-4)`, `[10:32]`, ` - 10:32`.
_ASIDE = r"(?:[ ]?\([^()\n]{1,40}\)|[ ]?\[[^\[\]\n]{1,40}\]|[ ]?[-,|\u00b7\u2013\u2014][ ]\d[\d:./,\- ]{2,24}(?:[AaPp][Mm])?)?"
#: A date or time in front of a name, bare or in brackets.
_STAMP = r"(?:(?=\D{0,2}\d{1,4}[-/:.]\d)[\[(]?\d[\d\-/:.,TZ+ ]{3,32}(?:[AaPp][Mm])?[\])]?,?[ ]*(?:[-\u2013|][ ]+)?)?"
_EMOJI = r"(?:[\u2190-\u2bff\U0001f000-\U0001faff][\ufe0f\u200d\u2190-\u2bff\U0001f000-\U0001faff]{0,5}[ ]?)?"
_SPACE = r"[^\S\r\n]"
_LINE = re.compile(
    rf"""
    ^[\ufeff\u200b\u200e]?(?P<indent>[ \t]*)
    (?: (?P<heading>\#{{1,6}}){_SPACE}+{_EMOJI}(?P<hm>\*\*|__)?{_EMOJI}(?P<h>{_NAME})(?P<ha>{_ASIDE})
            (?: :?(?(hm)(?P=hm)):?{_SPACE}*(?:\#+{_SPACE}*)?\r?$ | :{_SPACE}+(?=\S) )
      | {_EMOJI}(?P<bold>\*\*|__|\*){_EMOJI}(?P<b>{_NAME})(?P<ba>{_ASIDE})
            (?: [ ]?[:\uff1a](?P=bold){_SPACE}* | (?P=bold)(?P<ba2>{_ASIDE})[ ]?[:\uff1a]{_SPACE}*
              | (?P=bold)(?P<ba3>{_ASIDE}){_SPACE}*\r?$ )
      | (?P<bracket>[\[<])(?P<k>{_NAME})[\]>]:?{_SPACE}*
      | (?P<cs>{_STAMP}){_EMOJI}(?P<c>{_NAME})(?P<ca>{_ASIDE})
            (?: {_SPACE}?(?P<colon>[:\uff1a])(?![:/]) {_SPACE}* | (?P<angle>>+)(?:{_SPACE}+|\r?$) | (?P<alone>){_SPACE}*\r?$ )
    )
    """,
    re.VERBOSE | re.MULTILINE,
)
_FENCE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Head:
    """A speaker line: who, in which style, where it starts and where the text behind it starts."""

    role: Role
    name: str
    #: A date, a time or a model that stands beside the name.
    aside: str
    style: str
    indent: str
    start: int
    body: int

    @property
    def is_sure(self) -> bool:
        """Whether the name can hardly mean anything else."""
        return self.name.lower().startswith(tuple(_SURE))


def speaker_lines(text: str, start: int, end: int) -> list[Head]:
    """The speaker lines of a text that open a turn, in order."""
    outer = _whole_fence(text, start, end)
    heads = [_head(found) for found in _LINE.finditer(text, *(outer or (start, end)))]
    if not heads:
        return []
    fences = [] if outer else _fences(text, heads)
    starts = [fence for fence, _ in fences]
    first: Head | None = None
    kept: list[Head] = []
    for head in heads:
        inside = bisect.bisect_right(starts, head.start) - 1
        if inside >= 0 and head.start < fences[inside][1]:
            continue
        if first is None:
            first = head
        if _fits(head, first, kept):
            kept.append(head)
    return list(_without_doubtful(kept))
