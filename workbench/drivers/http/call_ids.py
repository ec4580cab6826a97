"""The ids of tool calls as an endpoint takes them: none empty, none twice, in the letters it allows.

Conversations come without ids, with one id in every round, or with another provider's ids. An id that can be sent is
sent as it is. A result goes to the first call of its id that has none yet (SPEC 1), one without an id to the first
call that waits.
"""

from __future__ import annotations

import re


class CallIds:
    """Hands out the ids of one request, in the order of its blocks. `allowed` is the pattern of a whole id."""

    def __init__(self, allowed: str = r".+") -> None:
        self._allowed = re.compile(allowed, re.DOTALL)
        self._taken: set[str] = set()
        #: Calls that wait for their result: the id as pasted, and as sent.
        self._waiting: list[tuple[str, str]] = []

    def of_call(self, pasted: str) -> str:
        """The id of the next call."""
        sent = pasted
        if not self._allowed.fullmatch(sent) or sent in self._taken:
            sent = self._fresh()
        self._taken.add(sent)
        self._waiting.append((pasted, sent))
        return sent

    def of_result(self, pasted: str) -> str:
        """The id that the next result answers; that of no call where none waits for it."""
        for at, (of_call, sent) in enumerate(self._waiting):
            if of_call == pasted or not pasted:
                del self._waiting[at]
                return sent
        return pasted if self._allowed.fullmatch(pasted) else self._fresh()

    def _fresh(self) -> str:
        number = len(self._taken) + 1
        while (made := f"call_{number}") in self._taken:
            number += 1
        return made
