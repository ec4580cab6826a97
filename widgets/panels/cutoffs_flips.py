"""The Smallest flips panel: the nearest single changes that give another label, each to try (UI 5)."""

from __future__ import annotations

from typing import Final

from ...core.cutoffs.decision import ReasonCode
from ...core.explain.cutoffs import CutoffFlip, FlipKind
from ...core.vgr.evidence import OriginKind
from ..screen import Screen
from ..text import Child, Html, h
from . import frame
from .cutoffs_shown import LABEL_CHARS, Shown, shown
from .readable import readable

_NAME: Final = "cutoffs-flips"
_TITLE: Final = "Smallest flips"
#: Flips that are listed; there are two for each rule and label at most.
_LISTED: Final = 8


def cutoffs_flips(screen: Screen) -> Html:
    """The panel; trying one applies it as a what-if. A probability can be changed in the mock alone."""
    of = shown(screen)
    flips = of.flips() if of else ()
    if of is None or not flips:
        return frame.panel(screen, _NAME, _TITLE, frame.empty(_nothing(of)))
    mock = screen.driver is not None and screen.driver.origin.kind is OriginKind.MOCK
    hidden = len(flips) - _LISTED
    rest = h("p", {"class": "t1 dim line"}, f"{hidden:,} further changes are larger.") if hidden > 0 else None
    rows = [_row(index, flip, mock) for index, flip in enumerate(flips[:_LISTED])]
    body = h("div", {"class": "pb"}, h("ol", {"class": "flips"}, rows), rest)
    return frame.panel(screen, _NAME, _TITLE, body, beside=frame.dim("nearest first"), stale=True)


def change(flip: CutoffFlip) -> Child:
    """The change in words, its label cut where it is long and its numbers as they are read."""
    short = frame.short(flip.label, 24)
    label: Child = short if short == flip.label else h("span", {"title": flip.label}, short)
    whole, name = (f"{flip.label} cutoff", [label, " cutoff"])
    if flip.kind is FlipKind.ANSWER:
        whole, name = (f"p({flip.label})", ["p(", label, ")"])
    return [name, readable(flip.change.removeprefix(whole))]


def _nothing(of: Shown | None) -> str:
    if of is None or of.outcome is None:
        return "They are searched once an answer is there."
    if of.outcome.decision.reason_code is ReasonCode.INVALID_VERDICT:
        return "No change of a cutoff helps: the answer is not usable."
    if of.outcome.decision.reason_code is not None:
        return "No change of a cutoff helps: the judge gave no answer."
    return "No single change gives another label."


def _row(index: int, flip: CutoffFlip, mock: bool) -> Html:
    locked = flip.kind is FlipKind.ANSWER and not mock
    disabled = "Only the mock\N{RIGHT SINGLE QUOTATION MARK}s answers can be changed." if locked else ""
    return h(
        "li",
        {"data-k": str(index)},
        h("span", {"class": "b"}, "1 change"),
        h("span", {"class": "dim"}, flip.kind.value),
        h("span", {"class": "what"}, change(flip)),
        h("span", {"class": "b cut", "title": flip.gives}, frame.short(flip.gives, LABEL_CHARS)),
        frame.button("Try", "cutoffs:try", value=str(index), disabled=disabled),
    )
