"""Thinking that stands in a reply's text: set apart as reasoning, so that no reader takes it for the answer.

Models think in tags (`<think>...</think>`, `[THINK]...[/THINK]`), and templates lose the first or the last of them: a
closing tag without an opening one makes reasoning of all before it, an opening one without its end of all behind it.
"""

from __future__ import annotations

import re

from ....core.conversation.model import Reasoning, Text

_TAG = re.compile(
    r"<(?P<close>/)?(?:think|thinking|thought|reasoning)\s*>|\[(?P<close2>/)?THINK\]",
    re.IGNORECASE,
)


def split_thinking(text: str, *, anywhere: bool) -> tuple[Text | Reasoning, ...]:
    """The text and the thinking in it, in order; one Text, unchanged, where there is none.

    `anywhere` finds tags wherever they stand, which a verdict needs: it fails closed. Without it a tag counts only
    where a model puts its own: opening the reply, or closing a line of what its template has opened. So an answer may
    speak of such tags.
    """
    parts: list[Text | Reasoning] = []
    at, thinking = 0, False
    for tag in _TAG.finditer(text):
        closes = bool(tag["close"] or tag["close2"])
        if thinking:
            if closes:
                parts.append(Reasoning(text[at : tag.start()].strip()))
                at, thinking = tag.end(), False
        elif closes:
            unopened = not any(isinstance(part, Reasoning) for part in parts)
            if not anywhere and not (unopened and _ends_line(text, tag.end())):
                break
            parts.append(Reasoning(text[at : tag.start()].strip()))
            at = tag.end()
        else:
            if not anywhere and text[at : tag.start()].strip():
                break
            _add_text(parts, text[at : tag.start()])
            at, thinking = tag.end(), True
    if thinking:
        parts.append(Reasoning(text[at:].strip()))
    elif parts:
        _add_text(parts, text[at:])
    return tuple(parts) if parts else (Text(text),)


def is_thinking_tag(token: str) -> bool:
    """Whether a token opens thinking."""
    return _TAG.match(token.strip()) is not None


def _add_text(parts: list[Text | Reasoning], text: str) -> None:
    text = text.strip("\r\n\t ") if not parts else text.lstrip("\r\n\t ")
    if text:
        parts.append(Text(text))


def _ends_line(text: str, at: int) -> bool:
    return not text[at:].partition("\n")[0].strip()
