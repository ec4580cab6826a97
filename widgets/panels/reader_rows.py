"""The rows of the Messages panel: each message, attempt and alternative of a conversation with what is known of it.

A row keeps its number (`id`) from one screen to the next while nothing of it changed, so that only what did is sent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from operator import is_
from typing import Any, Final, NamedTuple

from ...core.conversation.diagnostics import Severity
from ...core.conversation.marks import marks, task_turn
from ...core.conversation.model import Block, Message, Request, Role, ToolCall, ToolResult
from ...core.conversation.pairing import BlockAt, pair_results
from ...core.conversation.reading import Conversation
from ...core.explain.results import ResultMark
from ...core.explain.wording import counted
from ...core.vgr.evidence import Origin
from ..screen import Screen
from .reader_places import Problem, problems_at
from .words import text_chars


class Kind(IntEnum):
    """Who speaks in a row; the numbers are those of reader.js."""

    SYSTEM = 0
    DEVELOPER = 1
    USER = 2
    ASSISTANT = 3
    TOOL = 4
    #: Nothing but tool results.
    RESULT = 5


class Flag(IntFlag):
    """What a row is found by; the numbers are those of reader.js."""

    FAILED = 1
    CALLS = 2
    #: A warning or an error of reading stands at it.
    PROBLEM = 4
    INSTRUCTION = 8
    ATTEMPT = 16
    ALTERNATIVE = 32
    TASK = 64
    EDITED = 128


_KINDS: Final = {role: Kind[role.name] for role in Role}
# An enum's own arithmetic is a call into Python, which thousands of rows would feel.
_FAILED, _CALLS, _PROBLEM, _INSTRUCTION, _ATTEMPT, _ALTERNATIVE, _TASK, _EDITED = map(int, Flag)


class Partner(NamedTuple):
    """What a call or a result is joined to: so many rows further on, and the block there; or why to nothing."""

    rows: int = 0
    #: -1 where there is none.
    block: int = -1
    says: str = ""

    @property
    def found(self) -> bool:
        """Whether there is one."""
        return self.block >= 0


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a block that a harness wrote, half-open, and what it is: "compaction summary"."""

    start: int
    end: int
    words: str


class About(NamedTuple):
    """What is known of a message beyond its blocks. `rules`, `partners` and `spans` are by block."""

    role: str
    #: The role as pasted.
    source_role: str
    kind: Kind
    #: Of `Flag`; a number, since thousands are made.
    flags: int
    #: The rule by which a result failed; empty where it is clean.
    rules: Mapping[int, str]
    partners: Mapping[int, Partner]
    spans: Mapping[int, tuple[Span, ...]]
    problems: tuple[Problem, ...]
    #: Who made the attempt; None for a pasted one.
    origin: Origin | None


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A message as it is listed. `texts` keeps what was written out of its blocks (see `reader_parts`)."""

    id: int
    content: tuple[Block, ...] = field(repr=False)
    about: About = field(repr=False)
    #: Characters of text, refusals and results' text.
    chars: int
    texts: dict[int, str] = field(default_factory=dict, repr=False)

    @property
    def editable(self) -> bool:
        """Whether it is a message of the paste."""
        return not self.about.flags & _ALTERNATIVE and self.about.origin is None


@dataclass(frozen=True, slots=True)
class Said:
    """The conversation on screen: its messages in the order of `Request.turns`, and what else is listed behind them."""

    request: Request
    conversation: Conversation | None
    #: Index of the attempt in `listed`; None without one.
    attempt: int | None
    origin: Origin | None
    #: An attempt that was produced, and is no message of the paste.
    produced: Message | None
    results: tuple[ResultMark, ...]

    def is_same(self, other: Said | None) -> bool:
        """Whether the other is of the same messages, results and attempt: looked at by identity, which costs little."""
        return (
            other is not None
            and self.request is other.request
            and self.conversation is other.conversation
            and (self.attempt, self.origin) == (other.attempt, other.origin)
            and (self.produced and self.produced.content) is (other.produced and other.produced.content)
            and self.results == other.results
        )

    @property
    def listed(self) -> tuple[Message, ...]:
        """Every message as a row: instructions, messages, a produced attempt, alternatives."""
        produced = () if self.produced is None else (self.produced,)
        return (*self.request.turns, *produced, *self.alternatives)

    @property
    def alternatives(self) -> tuple[Message, ...]:
        """Candidate replies beside the last message."""
        return () if self.conversation is None else self.conversation.alternatives


def said(screen: Screen) -> Said | None:
    """The conversation on screen with its attempt, as far as there are any.

    It is the one that was read last; what was derived of an earlier one is no part of it. Where none is chosen, the
    earlier one stands.
    """
    derived, chosen = screen.derived, screen.chosen
    conversation = None if screen.reading is None or chosen is None else screen.reading.conversations[chosen]
    if conversation is None and derived is None:
        return None
    request = derived.request if conversation is None and derived is not None else conversation.request  # type: ignore[union-attr]
    turns = len(request.turns)
    if derived is None or not _begins_with(request, derived.request):
        return Said(request, conversation, None, None, None, ())
    if derived.attempt is None:
        return Said(request, conversation, None, None, None, derived.results)
    attempt = len(derived.request.turns)
    if attempt < turns:
        return Said(request, conversation, attempt, derived.attempt_origin, None, derived.results)
    outputs = derived.attempt.outputs
    made = outputs[0].content if len(outputs) == 1 else tuple([block for one in outputs for block in one.content])
    origin = derived.attempt_origin
    return Said(request, conversation, attempt, origin, Message(Role.ASSISTANT, made), derived.results)


def _begins_with(request: Request, derived: Request) -> bool:
    """Whether what was derived is of these very messages, the last of them aside."""
    whole, part = request.turns, derived.turns
    return len(whole) - len(part) in (0, 1) and all(map(is_, whole, part))


def rows_of(of: Said, screen: Screen, before: Sequence[Row], ids: Iterator[int], known: Known) -> list[Row]:
    """All rows; those of `before` are taken over where nothing of them changed, others get a new id."""
    messages = of.listed
    abouts = _abouts(of, screen, messages, known)
    made: list[Row] = []
    for message, about, old in zip(messages, abouts, _aligned(messages, before), strict=True):
        if old is None or old.content is not message.content:
            made.append(Row(next(ids), message.content, about, text_chars(message.content)))
        elif old.about != about:
            made.append(Row(next(ids), message.content, about, old.chars, old.texts))
        else:
            made.append(old)
    return made


@dataclass(slots=True)
class Known:
    """What was found of a conversation as a whole; it stands while only what was derived of it changes."""

    _of: tuple[object, ...] = ()
    partners: Mapping[int, Mapping[int, Partner]] = field(default_factory=dict)
    spans: Mapping[int, Mapping[int, tuple[Span, ...]]] = field(default_factory=dict)
    problems: Mapping[int, tuple[Problem, ...]] = field(default_factory=dict)
    #: The turn where the user asks.
    task: int | None = None

    def look(self, of: Said, screen: Screen, messages: Sequence[Message]) -> None:
        """Look at this conversation, where it is not the one that was looked at last."""
        now = (of.request, of.produced and of.produced.content, screen.reading, screen.chosen)
        if len(self._of) == len(now) and all(map(is_, self._of, now)):
            return
        self.partners = _partners(messages)
        self.spans, self.task = _spans(of.request), task_turn(of.request)
        self.problems = {} if screen.chosen is None else problems_at(screen.reading, screen.chosen)
        self._of = now


def splice(before: Sequence[Row], after: Sequence[Row]) -> tuple[int, int, int]:
    """Where the two differ: the first row, how many go, and how many come."""
    shortest = min(len(before), len(after))
    front = 0
    while front < shortest and before[front] is after[front]:
        front += 1
    back = 0
    while back < shortest - front and before[-1 - back] is after[-1 - back]:
        back += 1
    return front, len(before) - front - back, len(after) - front - back


def _aligned(messages: Sequence[Message], before: Sequence[Row]) -> list[Row | None]:
    """For each message the earlier row of the same blocks, else that at the same place from an end."""
    shortest = min(len(messages), len(before))
    front = 0
    while front < shortest and messages[front].content is before[front].content:
        front += 1
    back = 0
    while back < shortest - front and messages[-1 - back].content is before[-1 - back].content:
        back += 1
    middle = {id(row.content): row for row in before[front : len(before) - back]}
    between = [middle.pop(id(message.content), None) for message in messages[front : len(messages) - back]]
    return [*before[:front], *between, *before[len(before) - back :]]


def _abouts(of: Said, screen: Screen, messages: Sequence[Message], known: Known) -> Iterator[About]:
    instructions = len(of.request.instructions)
    alternatives = len(messages) - len(of.alternatives)
    known.look(of, screen, messages[:alternatives])
    rules: dict[int, dict[int, str]] = defaultdict(dict)
    for mark in of.results:
        rules[mark.turn][mark.block] = (mark.rule or "failed") if mark.failed else ""
    edited = frozenset(screen.edits.turns)
    nothing: dict[int, Any] = {}
    for turn, message in enumerate(messages):
        pasted = message.source_role or message.role.value
        role, kind, flags = pasted, _KINDS[message.role], 0
        results = 0
        for block in message.content:
            if type(block) is ToolCall:
                flags |= _CALLS
            elif type(block) is ToolResult:
                results += 1
        if results and results == len(message.content):
            kind, role = Kind.RESULT, "result"
        if turn < instructions:
            flags |= _INSTRUCTION
        elif turn >= alternatives:
            role, flags = "alternative", flags | _ALTERNATIVE
        if turn == of.attempt:
            role, flags = "attempt", flags | _ATTEMPT
        if turn == known.task:
            flags |= _TASK
        if turn in edited:
            flags |= _EDITED
        failing = rules.get(turn, nothing)
        if failing and any(failing.values()):
            flags |= _FAILED
        problems = known.problems.get(turn, ())
        if problems and any(one.severity is not Severity.NOTE for one in problems):
            flags |= _PROBLEM
        yield About(
            role,
            pasted,
            kind,
            flags,
            failing,
            known.partners.get(turn, nothing),
            known.spans.get(turn, nothing),
            problems,
            of.origin if turn == of.attempt else None,
        )


def _partners(messages: Sequence[Message]) -> dict[int, dict[int, Partner]]:
    found: dict[int, dict[int, Partner]] = defaultdict(dict)
    pairing = pair_results(tuple(messages))
    for call, result, by_order in pairing.pairs:
        says = "joined by order: the result names no call" if by_order else ""
        rows = result.turn - call.turn
        found[call.turn][call.block] = Partner(rows, result.block, says)
        found[result.turn][result.block] = Partner(-rows, call.block, says)

    def alone(at: Iterable[BlockAt], says: str) -> None:
        for one in at:
            found[one.turn][one.block] = Partner(says=says)

    alone(pairing.unanswered, "no result in this conversation")
    alone(pairing.orphans, "no call in this conversation")
    alone(pairing.duplicates, "its call has a result already")
    return found


def _spans(request: Request) -> dict[int, dict[int, tuple[Span, ...]]]:
    """What a harness wrote, by turn and block, in order."""
    found: dict[int, dict[int, tuple[Span, ...]]] = defaultdict(dict)
    for mark in marks(request):
        at = found[mark.turn]
        at[mark.block] = (*at.get(mark.block, ()), Span(mark.start, mark.end, mark.words or mark.kind.value))
    return found


def failed_results(rows: Iterable[Row]) -> int:
    """How many results failed."""
    return sum(bool(rule) for row in rows if row.about.flags & _FAILED for rule in row.about.rules.values())


def calls(rows: Iterable[Row]) -> int:
    """How many calls are made."""
    return sum(isinstance(block, ToolCall) for row in rows if row.about.flags & _CALLS for block in row.content)


def with_problems(rows: Iterable[Row]) -> int:
    """How many rows have a warning or an error."""
    return sum(bool(row.about.flags & _PROBLEM) for row in rows)


def attempt_note(row: Row) -> str:
    """Where an attempt comes from and how long it is."""
    chars = counted(row.chars, "char")
    return f"pasted, {chars}" if row.about.origin is None else f"produced by the local tier, {chars}"
