"""What can be taken back: the states of the paste that later ones took the place of, a bounded number of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from .pasted import Pasted

#: Steps that are kept, and of those the ones that replaced a text; and the characters of all texts that are kept.
STEPS: Final = 200
TEXTS: Final = 20
CHARS: Final = 64_000_000


@dataclass(frozen=True, slots=True)
class _Step:
    """A state to go to, and in a few words what lies between it and the state beside it."""

    state: Pasted
    words: str = field(repr=False)
    #: Whether what lies between is typing, which further typing belongs to.
    typed: bool = False


class History:
    """Changed on the session's thread alone."""

    def __init__(self) -> None:
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self._typing = False

    @property
    def undo_steps(self) -> int:
        """How many steps can be taken back."""
        return len(self._done)

    @property
    def redo_steps(self) -> int:
        """How many steps that were taken back can be done again."""
        return len(self._undone)

    @property
    def words(self) -> str:
        """What the next undo takes back; empty where there is nothing."""
        return self._done[-1].words if self._done else ""

    def step(self, before: Pasted, after: Pasted, words: str, *, typed: bool = False) -> None:
        """Another state took the place of the one before. Typing goes on in one step, whatever was typed in between."""
        self._undone.clear()
        if not (typed and self._typing and self._done):
            self._done.append(_Step(before.put_aside_for(after), words, typed))
            self._trim()
        self._typing = typed

    def lost(self, state: Pasted, words: str) -> None:
        """A text that never came to be read, to be gone forward to."""
        self._undone.append(_Step(state, words))
        self._typing = False

    def to_undo(self) -> Pasted | None:
        """The state that the next undo goes to."""
        return self._done[-1].state if self._done else None

    def to_redo(self) -> Pasted | None:
        """The state that the next redo goes to."""
        return self._undone[-1].state if self._undone else None

    def undo(self, now: Pasted) -> str:
        """The step is taken back; gives its words."""
        return self._move(self._done, self._undone, now)

    def redo(self, now: Pasted) -> str:
        """The step is done again; gives its words."""
        return self._move(self._undone, self._done, now)

    def _move(self, source: list[_Step], to: list[_Step], now: Pasted) -> str:
        step = source.pop()
        to.append(_Step(now.put_aside_for(step.state), step.words, step.typed))
        self._typing = False
        self._trim()
        return step.words

    def _trim(self) -> None:
        """The oldest steps go; the last one stays, however long its text."""
        while len(self._done) > 1 and (len(self._done) > STEPS or self._is_too_much()):
            del self._done[0]

    def _is_too_much(self) -> bool:
        texts = {id(step.state.text): len(step.state.text) for step in (*self._done, *self._undone)}
        return len(texts) > TEXTS or sum(texts.values()) > CHARS
