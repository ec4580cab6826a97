"""Ids for the calls and results of formats that give them none: results are joined by the tool's name, or by order."""

from __future__ import annotations

from collections import deque

from ..diagnostics import Place
from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft


class CallIds:
    """The calls of one conversation that wait for a result.

    A call without an id gets its tool's name, with a number from the second one on; an id that stands there stays.
    A result belongs to the last turn that called; only one that names its tool may reach further back.
    """

    __slots__ = (
        "_answered",
        "_draft",
        "_earlier",
        "_made",
        "_named",
        "_new_turn",
        "_noted",
        "_order",
        "_taken",
        "_times",
    )

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        #: Calls of the last turn that called, in order and by the name of the tool; some may be answered by now.
        self._order: deque[str] = deque()
        self._named: dict[str, deque[str]] = {}
        #: Those of earlier turns, by name.
        self._earlier: dict[str, deque[str]] = {}
        self._answered: set[str] = set()
        #: All ids and the tools they call; the ids that were made here; how often each name was called.
        self._taken: dict[str, str] = {}
        self._made: set[str] = set()
        self._times: dict[str, int] = {}
        self._new_turn = self._noted = False

    def turn(self) -> None:
        """A turn of the assistant begins: once it calls, the calls before it stand behind its own."""
        self._new_turn = True

    def call(self, given: Json, name: str, at: Path | Place) -> str:
        """The id of a call: the one that is given, or one that is made of the name."""
        if self._new_turn:
            self._new_turn = False
            for called, calls in self._named.items():
                self._earlier.setdefault(called, deque()).extend(calls)
            self._order, self._named = deque(), {}
        made = given if isinstance(given, str) and given else self._make(name or "call", at)
        self._taken[made] = name
        self._answered.discard(made)
        self._order.append(made)
        self._named.setdefault(name, deque()).append(made)
        return made

    def result(self, given: Json, name: str, at: Path | Place) -> str:
        """The id of the call that a result answers; the given one, or the name, where no open call is meant."""
        if isinstance(given, str) and given in self._taken:
            self._answered.add(given)
            return given
        if isinstance(given, str) and given and not name:
            return given
        waiting = (self._named.get(name), self._earlier.get(name)) if name else (self._order,)
        found = next((call for calls in waiting if calls and (call := self._first(calls))), "")
        if not found:
            return given if isinstance(given, str) and given else name
        self._answered.add(found)
        if found not in self._made:
            by = f"the call of `{shown(name)}`" if name else "the first call that was open"
            self._draft.note("result-by-name", f"This tool result names no call; joined to {by}.", at)
        return found

    def names(self, call: str, name: str) -> bool:
        """Whether a call of this id is one of this tool; so that the name is no news."""
        return self._taken.get(call, call) == name

    def _first(self, calls: deque[str]) -> str:
        """The first of the calls that is not answered yet."""
        while calls:
            if (call := calls.popleft()) not in self._answered:
                return call
        return ""

    def _make(self, name: str, at: Path | Place) -> str:
        if not self._noted:
            self._noted = True
            message = "Calls have no id here: each gets one of its tool's name; results are joined by name and order."
            self._draft.note("ids-made", message, at)
        while True:
            times = self._times[name] = self._times.get(name, 0) + 1
            made = name if times == 1 else f"{name}-{times}"
            if made not in self._taken:
                self._made.add(made)
                return made
