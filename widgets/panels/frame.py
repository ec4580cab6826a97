"""What every panel is made of: the section named by its h3, and the native controls that report an act (UI 5, 9)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from ...core.vgr.evidence import Origin
from .. import marks
from ..algorithm import Algorithm
from ..screen import RunState, Screen
from ..text import Child, Html, h

#: Panels of the conversation itself, stale where another text is in the editor.
_OF_TEXT: Final = frozenset({"turns", "messages", "why", "judge", "cutoffs-question", "transcript"})
_NAMES: Final = re.compile(r"(`[^`\n]+`|\b[a-z]+(?:_[a-z0-9]+)+\b)")


def panel(
    screen: Screen,
    name: str,
    title: str,
    *body: Child,
    beside: Child = None,
    right: Child = None,
    stale: bool = False,
    kind: str = "",
) -> Html:
    """A panel: `name` is its key and the end of its heading's id; `beside` follows the title, `right` ends the head."""
    return h(
        "section",
        {"class": f"panel {kind}".strip(), "aria-labelledby": f"{screen.bench}-{name}", "data-k": name},
        head(screen, name, title, beside=beside, right=right, stale=stale),
        body,
    )


def head(
    screen: Screen, name: str, title: str, *, beside: Child = None, right: Child = None, stale: bool = False
) -> Html:
    """A panel's head: title, a tag where the values are of an earlier input, what stands beside it, its controls."""
    return h(
        "div",
        {"class": "ph"},
        h("h3", {"id": f"{screen.bench}-{name}"}, title),
        tag("stale") if (stale and values_stale(screen)) or (name in _OF_TEXT and unread(screen)) else None,
        beside,
        h("span", {"class": "push"}),
        h("span", {"class": "of"}, right) if right else None,
    )


def shows_stale(screen: Screen) -> bool:
    """Whether the verdict on screen is of an earlier input or run."""
    return has_outcome(screen) and screen.state in (RunState.STALE, RunState.RUNNING)


def values_stale(screen: Screen) -> bool:
    """Whether the values in the panels are: beyond the verdict's, those that stand where a new run was ended."""
    if screen.algorithm is Algorithm.VGR or not has_outcome(screen):
        return shows_stale(screen)
    if screen.algorithm is Algorithm.ESCALATION and _has_new_turns(screen):
        return False
    return screen.state in (RunState.STALE, RunState.RUNNING, RunState.CANCELLED, RunState.FAILED)


def _has_new_turns(screen: Screen) -> bool:
    """Whether the turns of a run that is on, or was ended, have taken the earlier ones' place."""
    shown = screen.escalation
    return shown is not None and shown.outcome is not None and shown.turns != shown.outcome.turns


def has_outcome(screen: Screen) -> bool:
    """Whether the algorithm on screen has come to a result, be it of an earlier input."""
    if screen.algorithm is Algorithm.VGR:
        return screen.outcome is not None
    shown = screen.cutoffs if screen.algorithm is Algorithm.CUTOFFS else screen.escalation
    return shown is not None and shown.outcome is not None


def decided(screen: Screen) -> bool:
    """Whether the verdict card shows a verdict: a result that is current, stale, or standing while a new run is on."""
    return has_outcome(screen) and screen.state in (RunState.DONE, RunState.STALE, RunState.RUNNING)


def unread(screen: Screen) -> bool:
    """Whether the conversation on screen is an earlier one: the paste cannot be read, or a choice is due."""
    there = screen.reading is not None or screen.listing is not None
    return screen.derived is not None and there and screen.chosen is None


def empty(sentence: Child) -> Html:
    """The sentence of a panel that has nothing to show (UI 11)."""
    return h("div", {"class": "pb"}, h("p", {"class": "t1 dim"}, sentence))


def dim(*text: Child) -> Html:
    """Secondary text, one step smaller."""
    return h("span", {"class": "dim t1"}, text)


def evidence(origins: Iterable[Origin]) -> Html:
    """Where the evidence of a verdict comes from; it stays in one line."""
    return h("span", {"class": "of"}, dim("evidence"), [marks.origin(origin) for origin in origins])


def mono(text: str) -> Html:
    """A name of the specification or of the source, as it is spelled there."""
    return h("code", None, text)


def coded(text: str) -> list[Child]:
    """A sentence of ours, with the names in it set in mono: what stands between backticks, and snake_case words."""
    return [mono(part.strip("`")) if index % 2 else part for index, part in enumerate(_NAMES.split(text))]


def tag(text: Child, kind: str = "") -> Html:
    """A small label; `kind` is warn, err or empty."""
    return h("span", {"class": f"tag {kind}".strip()}, text)


def button(
    text: Child,
    act: str,
    *,
    k: str | None = None,
    value: str | None = None,
    kind: str = "small",
    pressed: bool | None = None,
    disabled: str = "",
    label: str | None = None,
    title: str = "",
    style: str | None = None,
    takes: bool = False,
) -> Html:
    """A button. `pressed` makes it a toggle; `disabled` is the reason why it cannot be used, shown as its title.

    `takes` makes it report what stands in the field of its `form`.
    """
    return h(
        "button",
        {
            "type": "button",
            "class": kind or None,
            "data-act": act,
            "data-k": k,
            "value": value,
            "aria-pressed": None if pressed is None else str(pressed).lower(),
            "aria-label": label,
            "disabled": bool(disabled),
            "title": disabled or title or None,
            "data-take": takes,
            "style": style,
        },
        text,
    )


def switch(label: str, act: str, options: Iterable[tuple[str, Child]], current: str, *, disabled: str = "") -> Html:
    """One of a few, as toggles side by side; options are (value, text). `disabled` says why none can be pressed."""
    pressed = [(value, text, value == current) for value, text in options]
    return h(
        "span",
        {"class": "seg", "role": "group", "aria-label": label},
        [
            button(text, act, k=value, value=value, kind="", pressed=on, disabled=disabled)
            for value, text, on in pressed
        ],
    )


def select(
    label: str, act: str, options: Iterable[tuple[str, str]], current: str, *, disabled: str = "", k: str | None = None
) -> Html:
    """One of several, as a native list; options are (value, text)."""
    return h(
        "select",
        {
            "class": "small",
            "aria-label": label,
            "data-act": act,
            "data-k": k,
            "disabled": bool(disabled),
            "title": disabled or None,
        },
        [h("option", {"value": value, "selected": value == current}, text) for value, text in options],
    )


def grouped(
    label: str, act: str, first: Iterable[str], groups: Mapping[str, Iterable[str]], current: str, *, title: str = ""
) -> Html:
    """One of many, as a native list in named groups, after those that belong to none."""

    def option(value: str) -> Html:
        return h("option", {"value": value, "selected": value == current}, value)

    return h(
        "select",
        {"class": "small", "aria-label": label, "data-act": act, "title": title or None},
        [option(value) for value in first],
        [h("optgroup", {"label": name}, [option(value) for value in values]) for name, values in groups.items()],
    )


def form(label: str, act: str, text: str, *, placeholder: str, disabled: str = "") -> Html:
    """A field and the button that reports what stands in it; the field is the user's own and is never rewritten."""
    return h(
        "span",
        {"class": "take", "data-form": True},
        h(
            "input",
            {
                "type": "text",
                "class": "small",
                "aria-label": label,
                "placeholder": placeholder,
                "disabled": bool(disabled),
                "data-keep": True,
            },
        ),
        button(text, act, disabled=disabled, takes=True),
    )


def field(
    label: str, act: str, value: str, *, kind: str = "text", classes: str = "small", k: str | None = None, **more: str
) -> Html:
    """A native input; `more` are its further attributes (min, max, step, placeholder)."""
    return h(
        "input",
        {"type": kind, "class": classes, "aria-label": label, "data-act": act, "data-k": k, "value": value, **more},
    )


def check(text: Child, act: str, on: bool, *, disabled: str = "") -> Html:
    """A checkbox with its text."""
    box = h("input", {"type": "checkbox", "data-act": act, "checked": on, "disabled": bool(disabled)})
    return h("label", {"class": "check", "title": disabled or None}, box, text)


def short(text: str, chars: int = 60) -> str:
    """A name in one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= chars else f"{line[:chars]} ..."
