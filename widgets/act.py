"""What the user did on screen, as a value: the only thing that comes up from a panel."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Act:
    """The element's `data-act`, the nearest `data-k`, and the control's value, all as text."""

    act: str
    k: str = field(default="", repr=False)
    value: str = field(default="", repr=False)
