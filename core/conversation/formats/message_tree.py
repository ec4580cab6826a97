"""Conversations kept as a tree of messages, as chat applications do: the branch that is shown, and the rest."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft


@dataclass(frozen=True, slots=True)
class Branch:
    """The messages from the first to the last one shown, by name, and those on other branches."""

    names: tuple[str, ...]
    others: tuple[str, ...]
    #: Whether the export does not say which message is the last one.
    guessed: bool
    #: The parent that the first of them names, though it does not stand before it; empty where all is there.
    missing: str


def shown_branch(last: Json, messages: dict[str, Json], parent: str) -> Branch:
    """The branch that ends at `last`, or at the last message that nothing follows where that is none of them.

    `parent` is the field that names the message before.
    """
    known = isinstance(last, str) and last in messages
    at: Json = last if known else _last(messages, parent)
    names: dict[str, None] = {}
    while isinstance(at, str) and at in messages and at not in names:
        names[at] = None
        message = messages[at]
        at = message.get(parent) if isinstance(message, dict) else None
    missing = at if isinstance(at, str) else ""
    others = tuple(name for name in messages if name not in names)
    return Branch(tuple(reversed(names)), others, not known, missing)


def _last(messages: dict[str, Json], parent: str) -> str:
    followed = {m[parent] for m in messages.values() if isinstance(m, dict) and isinstance(m.get(parent), str)}
    return next((name for name in reversed(messages) if name not in followed), next(reversed(messages), ""))


def say_branch(branch: Branch, others: int, at: Path, draft: Draft) -> None:
    """Remark on a branch that had to be guessed, on one without its start, and on the messages beside it.

    Said once the branch is read.
    """
    if branch.guessed and not draft.has_no_turn:
        draft.warn(
            "branch-guessed",
            "The export does not say which message is the last one shown; the last one in it is taken.",
            "Check that this is the branch you mean.",
            at,
        )
    if branch.missing:
        draft.warn(
            "branch-broken",
            f"The start of this branch is missing: no message `{shown(branch.missing)}` stands before the first one.",
            "Export the conversation again, if its start matters.",
            at,
        )
    if others:
        counted = "1 message is" if others == 1 else f"{others:,} messages are"
        draft.note("other-branches", f"{counted} on other branches than the one shown; kept aside, not read.", at)
