"""Texts that are one: some APIs cut what a model says into neighbouring blocks, in the middle of a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from ..model import Block, Reasoning, Text


def continuous(blocks: Iterable[Block], kinds: tuple[type[Block], ...] = (Text,)) -> list[Block]:
    """The blocks; neighbouring ones of one of these kinds, texts or thoughts, are put together as they stand."""
    made: list[Block] = []
    for kind, run in groupby(blocks, type):
        if kind in kinds and (kind is Text or kind is Reasoning):
            made.append(kind("".join(block.text for block in run if isinstance(block, (Text, Reasoning)))))
        else:
            made += run
    return made
