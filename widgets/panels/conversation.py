"""The Conversation panel around the paste editor: its head, and below the editor what the paste was read as.

The editor is a widget of its own, so the panel is two pieces of HTML with room between: `conversation_head` and
`conversation_details`.
"""

from __future__ import annotations

from typing import Final

from ...core.conversation.model import Block, Request, Role, ToolCall, ToolResult
from ...core.conversation.reading import Conversation, FormatMatch, Reading
from ...core.explain.wording import counted
from ..algorithm import Algorithm
from ..screen import Edits, Screen
from ..text import Child, Html, h, join
from . import frame
from .choices import of_file, of_paste
from .opening import notice, on_its_way
from .problems import problems
from .view import START, View
from .words import text_chars

_DETECT: Final = ""
#: What the conversation on the bench is copied as.
_COPIES: Final = (
    ("OpenAI Chat", "copy-openai-chat"),
    ("Anthropic", "copy-anthropic"),
    ("normalized JSON", "copy-normalized"),
)
#: Why the attempt is no choice where another algorithm than VGR is on screen.
_NO_CHOICE: Final = {
    Algorithm.CUTOFFS: "Cutoffs route the request before there is an attempt.",
    Algorithm.ESCALATION: "The escalation judge reads every reply as it was pasted.",
}


def conversation_head(screen: Screen, view: View = START) -> Html:
    """Title, source, and the ways to get a conversation: paste, open a file or a path, choose an example."""
    examples = [("", "Examples"), *screen.examples]
    right = [
        frame.button("Paste", "paste"),
        frame.button("Open", "open"),
        frame.button("Path", "conversation:path", pressed=view.path, title="Open a file by its path"),
        frame.select("Examples", "example", examples, "") if screen.examples else None,
    ]
    source = (
        h("span", {"class": "cut dim t1", "title": screen.source_name}, screen.source_name)
        if screen.source_name
        else None
    )
    return join((frame.head(screen, "conversation", "Conversation", beside=source, right=right), _path(view)))


def _path(view: View) -> Child:
    if not view.path:
        return None
    label = "Path on the kernel's machine"
    return h(
        "p", {"class": "row by-path", "data-k": "by-path"}, frame.form(label, "open-path", "Open", placeholder=label)
    )


def conversation_details(screen: Screen, view: View = START) -> Html:
    """Format and why, counts, attempt, what reading remarked, and the list to choose from where there are several."""
    reading, edits = screen.reading, screen.edits
    empty = reading is None and screen.listing is None and not edits.undo and not edits.redo
    if empty and screen.opening is None and screen.notice is None:
        return Html()  # the empty editor says what to do
    return h(
        "div",
        {"class": "pb details"},
        on_its_way(screen.opening),
        notice(screen.notice),
        None if screen.listing is None else of_file(screen.listing, view),
        None if reading is None else _read(screen, reading, view),
        None if empty else _history(screen.edits),
    )


def _read(screen: Screen, reading: Reading, view: View) -> list[Child]:
    return [
        _format(reading),
        of_paste(reading, screen.chosen, view) if len(reading.conversations) > 1 else None,
        _chosen(screen, reading),
        problems(reading, view, screen.chosen),
    ]


def _history(edits: Edits) -> Html:
    """How many edits lie over the paste, and the steps back and forward."""
    undo = "" if edits.undo else "Nothing to undo."
    return h(
        "p",
        {"class": "row history", "data-k": "history"},
        frame.tag(counted(edits.count, "edit"), "warn") if edits.count else frame.dim("Not edited"),
        frame.button("Undo", "undo", disabled=undo, title=f"Undo {edits.words}" if edits.words else ""),
        frame.button("Redo", "redo", disabled="" if edits.redo else "Nothing to redo."),
        frame.dim(f"takes back {edits.words}") if edits.undo and edits.words else None,
    )


def _format(reading: Reading) -> Html:
    if reading.format is None:
        return h("p", {"class": "kv"}, h("span", {"class": "b"}, "No format fits"), _candidates(reading))
    return h(
        "p",
        {"class": "kv"},
        h("span", None, "read as ", h("span", {"class": "b"}, _read_as(reading.format))),
        h("span", None, frame.coded(reading.format.reason)) if reading.format.reason else None,
        _candidates(reading),
    )


def _read_as(match: FormatMatch) -> str:
    return f"{match.title}:" if match.reason else match.title


def _candidates(reading: Reading) -> Child:
    """How many formats fit, and the list to force one."""
    best = reading.candidates[0].name if reading.candidates else _DETECT
    forced = reading.format is not None and reading.format.name != best
    total = counted(len(reading.candidates), "candidate")
    if len(reading.candidates) < 2 and not forced:
        return frame.dim(f"detected, {total}") if reading.candidates else None
    first = f"{'detect' if forced else 'detected'}, {total}"
    options = [(_DETECT, first), *((match.name, _scored(match)) for match in reading.candidates)]
    current = reading.format.name if forced and reading.format else _DETECT
    return [frame.dim("forced") if forced else None, frame.select("Read as", "force-format", options, current)]


def _scored(match: FormatMatch) -> str:
    return f"{match.title}, fits {match.score:.2f}"


def _chosen(screen: Screen, reading: Reading) -> Child:
    if screen.chosen is None:
        return None
    found = reading.conversations[screen.chosen]
    return [
        h("p", {"class": "t1 dim counts"}, counts(found.request)),
        _alternatives(found),
        h("p", {"class": "t1 attempt"}, h("span", None, "Attempt"), _attempt(screen, found.request)),
        h("p", {"class": "t1 attempt"}, h("span", None, "Copy as"), [frame.button(*one) for one in _COPIES]),
    ]


def counts(request: Request) -> str:
    """`1 instruction, 34 messages, 17 assistant turns, 16 calls, 16 results, 7,033 chars`."""
    blocks: list[Block] = [block for turn in request.turns for block in turn.content]
    return ", ".join(
        (
            counted(len(request.instructions), "instruction"),
            counted(len(request.messages), "message"),
            counted(sum(message.role is Role.ASSISTANT for message in request.messages), "assistant turn"),
            counted(sum(isinstance(block, ToolCall) for block in blocks), "call"),
            counted(sum(isinstance(block, ToolResult) for block in blocks), "result"),
            counted(text_chars(blocks), "char"),
        )
    )


def _alternatives(found: Conversation) -> Child:
    """Candidate replies beside the last message; of fields that are not read the reading's remarks tell."""
    if not found.alternatives:
        return None
    return h("p", {"class": "t1 dim"}, f"{counted(len(found.alternatives), 'further reply candidate')} kept, not read")


def _attempt(screen: Screen, request: Request) -> Child:
    if not request.messages or request.messages[-1].role is not Role.ASSISTANT:
        return frame.dim("asked of the local tier: the conversation does not end with an assistant message")
    options = (("true", f"message {len(request.messages):,}"), ("false", "ask the local tier"))
    current = "true" if screen.controls.pasted_attempt else "false"
    return frame.switch(
        "Attempt", "controls:pasted_attempt", options, current, disabled=_NO_CHOICE.get(screen.algorithm, "")
    )
