"""The template of DeepSeek: marks for the user and the assistant, a fenced JSON behind the name of each tool."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..diagnostics import Place
from ..model import Block
from ..positions import Path
from .call_ids import CallIds
from .draft import Draft
from .format import Match, Source
from .rendered_calls import call_of
from .rendered_turns import FRONT, Turn, keep_between, keep_front, read_turns, said

# The marks are written with a full-width bar, and a block character in place of a space.
_BAR, _GAP = "\uff5c", "[\u2581_ ]"


def _mark(words: str) -> str:
    return f"<{_BAR}{words.replace(' ', _GAP)}{_BAR}>"


_START = re.compile(FRONT + f"(?:{_mark('begin of sentence')}|{_mark('User')}|{_mark('Assistant')})")
_TURN = re.compile(
    f"{_mark('begin of sentence')}|<{_BAR}(?P<role>User|Assistant|System){_BAR}>"
    f"|{_mark('tool outputs begin')}|(?P<behind>{_mark('tool outputs end')})"
    f"|(?P<output>{_mark('tool output begin')})"
)
_END = re.compile(f"{_mark('end of sentence')}|{_mark('tool output end')}")
_NAME = "[^\\n<]{0,200}"
_CALL = re.compile(
    f"{_mark('tool call begin')}"
    f"(?:function{_mark('tool sep')}(?P<old>{_NAME})\\n|(?P<new>{_NAME}){_mark('tool sep')})"
    f"(?P<taken>.*?)(?:{_mark('tool call end')}|\\Z)",
    re.DOTALL,
)
_AROUND = re.compile(f"{_mark('tool calls begin')}|{_mark('tool calls end')}")
_FENCE = re.compile(r"\s*```(?:json)?\s*(.*?)\s*(?:```\s*)?\Z", re.DOTALL)


def match_deepseek(source: Source) -> Match | None:
    """Score a text by the mark it starts with."""
    found = _START.match(source.text, source.start)
    return Match(0.96, "it starts with a mark of DeepSeek's template") if found else None


def read_deepseek(source: Source, draft: Draft) -> None:
    """Cut the text at its marks; what stands before the first turn is the system prompt."""
    read_turns(_turns(source, draft), source, draft, "deepseek", reads=_said)


def _turns(source: Source, draft: Draft) -> Iterator[Turn]:
    text = source.text
    heads = list(_TURN.finditer(text, source.start, source.end))
    keep_front(heads[0].start() if heads else source.end, source, draft)
    for index, head in enumerate(heads):
        start, at = head.start(), head.end()
        behind = heads[index + 1].start() if index + 1 < len(heads) else source.end
        role = (head["role"] or ("tool" if head["output"] else "assistant" if head["behind"] else "system")).lower()
        end = _END.search(text, at, behind)
        if role == "tool":
            yield Turn(role, text[at : end.start() if end else behind], start, end.end() if end else behind)
            # Behind the end of a result the assistant goes on.
            start = at = end.end() if end else behind
            role, end = "assistant", _END.search(text, at, behind)
        body = text[at : end.start() if end else behind]
        if end is not None:
            keep_between(text, end.end(), behind, source, draft)
        if body.strip() or head["role"]:
            # Only an assistant's turn has an end of its own.
            yield Turn(role, body, start, end.end() if end else behind, end is not None or role != "assistant")


def _said(body: str, at: Path | Place, draft: Draft, ids: CallIds) -> list[Block]:
    """Thoughts and text, then the calls behind them."""
    found = list(_CALL.finditer(body))
    if not found:
        return said(body, at, draft, ids)
    blocks: list[Block] = []
    end = 0
    for call in found:
        if between := _AROUND.sub("", body[end : call.start()]).strip():
            blocks += said(between, at, draft, ids)
        fence = _FENCE.match(call["taken"])
        taken = fence[1] if fence else call["taken"].strip()
        blocks.append(call_of((call["old"] or call["new"] or "").strip(), taken, None, at, draft, ids))
        end = call.end()
    rest = _AROUND.sub("", body[end:]).strip()
    return [*blocks, *said(rest, at, draft, ids)] if rest else blocks
