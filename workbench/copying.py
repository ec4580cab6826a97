"""What the buttons of the bench copy, as text; and the conversation on the bench in another format."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Final

from ..core.conversation.export import EXPORTS, Exported, export
from ..core.cutoffs.config import config_to_json
from ..widgets.files import Notice
from ..widgets.screen import Screen
from .algorithms.protocol import AnyResult
from .entered import NotUsable

#: The formats that a conversation is exported in, by the act that copies it so.
_EXPORTS: Final = {f"copy-{name}": name for name in EXPORTS}
_NOTHING: Final = "There is no conversation on the bench. Paste one, or choose one of the paste."


@dataclass(frozen=True, slots=True)
class Copied:
    """What goes to the clipboard, empty where there is nothing of the kind; and what there is to say of it."""

    text: str = field(default="", repr=False)
    notice: Notice | None = None


def exported(screen: Screen, to: str) -> Exported:
    """The conversation on the bench in this format. Raises ValueError for none, RuntimeError without a conversation."""
    if to not in EXPORTS:
        raise ValueError(f"There is no format {to!r} to export to. Use one of {', '.join(EXPORTS)}.")
    if screen.reading is None or screen.chosen is None:
        raise RuntimeError(_NOTHING)
    return export(screen.reading.conversations[screen.chosen], to)


def copied(act: str, screen: Screen, result: AnyResult | None) -> Copied:
    """What this act copies. Raises NotUsable where the bench has to be run, or a conversation chosen, first."""
    if act in _EXPORTS:
        return _conversation(screen, _EXPORTS[act])
    if act == "copy-record":
        if result is None:
            raise NotUsable("There is no record yet. Run the bench first.")
        return Copied(result.to_json())
    if act == "copy-view" and screen.derived is not None and screen.derived.judged is not None:
        return Copied(screen.derived.judged.text)
    if act == "copy-cutoffs" and screen.cutoffs is not None:
        return Copied(json.dumps(config_to_json(screen.cutoffs.config), indent=2, ensure_ascii=False))
    if act == "copy-transcript" and screen.escalation is not None and screen.escalation.view is not None:
        return Copied(screen.escalation.view.text)
    return Copied()


def _conversation(screen: Screen, to: str) -> Copied:
    try:
        made = exported(screen, to)
    except RuntimeError:
        raise NotUsable(_NOTHING) from None
    return Copied(made.text, Notice(f"Copied {len(made.text):,} chars.", " ".join(made.notes), failed=False))
