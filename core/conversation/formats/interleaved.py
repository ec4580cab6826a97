"""Messages that hold calls and their results together, as exports keep them: told apart into turns, in their order."""

from __future__ import annotations

from ..diagnostics import Place
from ..model import Block, Role, ToolResult
from ..positions import Path
from .draft import Draft

# Members are bound once: looking one up on its class costs more than the comparison it is for.
_TOOL = Role.TOOL


class Interleaved:
    """One pasted message in the making; results in it become turns of the tool, what follows them a further turn."""

    def __init__(self, role: Role, at: Path | Place, draft: Draft) -> None:
        self._role, self._at, self._draft = role, at, draft
        self._blocks: list[Block] = []
        self._results: list[ToolResult] = []
        self._blocks_at: Path | Place = at
        self._results_at: Path | Place = at
        self._is_empty = True

    def say(self, block: Block, at: Path | Place) -> None:
        """Add a block; behind results it opens the next turn."""
        if self._results:
            self.end_step()
        self.call(block, at)

    def call(self, block: Block, at: Path | Place) -> None:
        """Add a block of the same step, though a result was given already: calls of one step are made together."""
        if not self._blocks:
            self._blocks_at = self._at if self._is_empty else at
        self._blocks.append(block)

    def answer(self, result: ToolResult, at: Path | Place) -> None:
        """Add a result of a call in this step."""
        if not self._results:
            self._results_at = at
        self._results.append(result)

    def end_step(self) -> None:
        """Add what was said, then what was answered."""
        if self._blocks:
            self._draft.add(self._role, self._blocks, self._blocks_at)
        if self._results:
            self._draft.add(_TOOL, self._results, self._results_at)
        if self._blocks or self._results:
            self._is_empty = False
        self._blocks, self._results = [], []

    def end(self) -> None:
        """Add what is left; a message that holds nothing stays a message."""
        self.end_step()
        if self._is_empty:
            self._draft.add(self._role, (), self._at)
