"""The What if panel of the ordered rules: every cutoff, their order, the fallback and the rest of it (UI 5)."""

from __future__ import annotations

from typing import Final

from ...core.cutoffs.config import CutoffsConfig
from ...core.explain.wording import bar, counted, listed
from ..algorithm import CutoffsScreen
from ..screen import Screen
from ..text import Child, Html, h
from . import frame
from .cutoffs_changes import Changes, RuleChange, changes
from .cutoffs_shown import LABEL_CHARS, NO_RULES, label_under, refused, shown
from .readable import readable, shortened

_NAME: Final = "cutoffs-what-if"
_TITLE: Final = "What if: rules"
#: Labels that a rule can be added for by one click; of more, the rest is left to a pasted configuration.
_BUTTONS: Final = 12
_SOURCES: Final = {"example": "the example", "given": "the given rules"}


def cutoffs_settings(screen: Screen) -> Html:
    """The panel; what is refused changes nothing, and its sentence says why."""
    found = screen.cutoffs
    if found is None:
        return frame.panel(screen, _NAME, _TITLE, frame.empty(NO_RULES))
    made = changes(found.config, found.baseline)
    return frame.panel(
        screen,
        _NAME,
        _TITLE,
        h(
            "div",
            {"class": "pb"},
            _problem(found),
            _compared(screen, found, made),
            _rules(found.config, made),
            _gone(made),
            _others(found.config),
            _add(found.config),
            _paste(),
        ),
        beside=frame.tag(counted(made.count, "change"), "warn") if made.count else None,
        right=[
            frame.button("Reset", "cutoffs:reset", disabled="" if made.count else "Nothing is changed."),
            frame.button("Copy as JSON", "copy-cutoffs"),
        ],
    )


def _problem(found: CutoffsScreen) -> Child:
    if not found.problem:
        return None
    return h(
        "p",
        {"class": "t1 problem", "role": "alert", "data-k": "problem"},
        h("span", {"class": "sev error"}, "not taken"),
        " ",
        readable(found.problem),
    )


def _compared(screen: Screen, found: CutoffsScreen, made: Changes) -> Child:
    """The label with the changes and without them; nothing where nobody was asked, or about other labels."""
    of = shown(screen)
    if not made.count or of is None or of.outcome is None or refused(found.baseline):
        return None
    if found.baseline.labels != found.config.labels:
        return None
    now, before = of.outcome.decision.label, label_under(found.baseline, of.outcome)
    source = _SOURCES.get(found.source, f"route {frame.short(found.source)}")
    return h(
        "p",
        {"class": "t1 says", "data-k": "compared"},
        f"With {counted(made.count, 'change')}: ",
        h("b", None, frame.short(now, LABEL_CHARS)),
        f". With {source}: ",
        h("b", None, frame.short(before, LABEL_CHARS)),
        ". The label does not move." if now == before else ".",
    )


def _rules(config: CutoffsConfig, made: Changes) -> Html:
    if not config.rules:
        return h("p", {"class": "t1 dim"}, NO_RULES)
    only = len(config.rules) == 1
    return h("ol", {"class": "pol order"}, [_rule(at, change, only) for at, change in enumerate(made.rules)])


def _rule(at: int, change: RuleChange, only: bool) -> Html:
    rule = change.rule
    name = f"{at + 1:,}\N{EN SPACE}{frame.short(rule.candidate)}"
    spoken = f"Cutoff of rule {at + 1:,}, {frame.short(rule.candidate, 24)}"
    tick = None if change.before is None else f"--d:{change.before:.4f}"
    bounds = {"min": "0", "max": "1", "step": "0.01"}
    slider = frame.field(spoken, "cutoffs:cutoff", f"{rule.cutoff:.12g}", kind="range", classes="", **bounds)
    earlier = frame.button(
        "Earlier",
        "cutoffs:raise-rule",
        kind="quiet",
        label=f"Rule {at + 1:,} one place earlier",
        disabled="" if at else "It is the first rule.",
    )
    remove = frame.button(
        "Remove",
        "cutoffs:remove-rule",
        kind="quiet",
        label=f"Remove rule {at + 1:,}",
        disabled="A configuration needs a rule." if only else "",
    )
    return h(
        "li",
        {"class": "chg" if change.changed else None, "data-k": str(at)},
        h("span", {"class": "cut", "title": rule.candidate}, name),
        h("span", {"class": "rng" if tick else "rng bare", "style": tick}, slider),
        h("span", {"class": "val"}, readable(bar(rule.cutoff))),
        h("span", {"class": "dl"}, change.words if change.changed else h("span", {"class": "dim"}, "same")),
        h("span", {"class": "edit"}, earlier, remove),
    )


def _gone(made: Changes) -> Child:
    """What differs beside the rules that are listed."""
    says = []
    if made.removed:
        rules = listed(f"{frame.short(rule.candidate, 24)} > {shortened(bar(rule.cutoff))}" for rule in made.removed)
        says.append(f"Removed: {rules}.")
    if made.settings:
        says.append(f"Changed too: {listed(made.settings)}.")
    return h("p", {"class": "t1 changed", "data-k": "gone"}, frame.coded(" ".join(says))) if says else None


def _others(config: CutoffsConfig) -> Html:
    window = "" if config.recent_turn_window is None else f"{config.recent_turn_window}"
    labels = [(label, frame.short(label, LABEL_CHARS)) for label in config.labels]
    if config.fallback not in config.labels:
        labels.insert(0, (config.fallback, frame.short(config.fallback, LABEL_CHARS)))
    return h(
        "p",
        {"class": "t1 line row", "data-k": "others"},
        _named("Fallback", "", frame.select("Fallback", "cutoffs:fallback", labels, config.fallback)),
        _named(
            "fail_open",
            "Whether the fallback takes the turn where the judge fails",
            frame.switch(
                "fail_open", "cutoffs:fail_open", (("true", "on"), ("false", "off")), str(config.fail_open).lower()
            ),
        ),
        _named(
            "recent turns",
            "Messages after the opening one that the judge reads; none: the last user message",
            frame.field(
                "Recent turn window",
                "cutoffs:window",
                window,
                kind="number",
                classes="small ms",
                min="1",
                step="1",
                placeholder="none",
            ),
        ),
    )


def _named(name: str, title: str, control: Html) -> Html:
    """A setting and its name, which stay together where the row wraps."""
    return h("span", {"class": "of", "title": title or None}, h("span", None, name), control)


def _add(config: CutoffsConfig) -> Html:
    labels = config.labels[:_BUTTONS]
    more = len(config.labels) - len(labels)
    return h(
        "p",
        {"class": "t1 row gap", "data-k": "add"},
        h("span", None, "Add a rule for"),
        [frame.button(frame.short(label, 24), "cutoffs:add-rule", k=label, value=label) for label in labels],
        frame.dim(f"{more:,} more labels: paste a configuration") if more else None,
    )


def _paste() -> Html:
    """The text is the user's own: it stays as it was typed until it is taken."""
    area = h(
        "textarea",
        {
            "class": "json",
            "rows": 6,
            "aria-label": "Configuration as JSON",
            "placeholder": '{"candidates": {"small": "model-a"}, "policy": {"rules": [...]}, "fallback": "small"}',
            "spellcheck": "false",
            "data-keep": True,
        },
    )
    return h(
        "details",
        {"class": "fold gap", "data-k": "paste"},
        h("summary", None, "Paste a configuration"),
        h("div", {"class": "take", "data-form": True}, area, frame.button("Apply", "cutoffs:config", takes=True)),
    )
