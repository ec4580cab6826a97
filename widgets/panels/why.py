"""The Why panel: the branch ladder, what derived it, and the rule of the branch clause by clause."""

from __future__ import annotations

from typing import Final

from ...core.explain.clause import Holds
from ...core.explain.ladder import Condition, Ladder, LadderRow, RowState
from ...core.explain.wording import counted
from ...core.vgr.capabilities import Capabilities
from .. import marks
from ..screen import Derived, Screen
from ..text import Child, Html, h
from . import frame
from .later import flips
from .trace import trace

_ROW_CLASSES: Final = {
    RowState.FAILED: None,
    RowState.TAKEN: "taken",
    RowState.WOULD_MATCH: "off",
    RowState.NOT_REACHED: "off",
}


def why(screen: Screen) -> Html:
    """The panel; the branch is there once a conversation is read, the rule once it was decided."""
    if screen.derived is None:
        body = frame.empty("The branch appears once a conversation is read.")
        return frame.panel(screen, "why", "Why", body)
    derived = screen.derived
    left = h(
        "div",
        None,
        h("div", {"class": "sub"}, "Branch, first match wins"),
        ladder(derived.ladder),
        h("div", {"class": "sub gap"}, f"Derived by rule {derived.rule} of 8"),
        h("p", {"class": "t1 dim"}, frame.coded(derived.rule_words)),
        facts(derived),
    )
    body = h("div", {"class": "why"}, left, h("div", None, trace(screen)))
    beside = frame.dim("first matching branch, then its rule, clause by clause")
    undecided = "" if screen.trace else "Nothing to copy: no rule is decided yet."
    copy = frame.button("Copy as text", "copy-why", disabled=undecided)
    return frame.panel(screen, "why", "Why", body, flips(screen), beside=beside, right=copy, stale=True)


def ladder(of: Ladder) -> Html:
    """The eight branches in the order they are tried; each can be opened for the values its predicate read."""
    return h("ol", {"class": "ladder"}, [_rung(position, row) for position, row in enumerate(of.rows, 1)])


def _rung(position: int, row: LadderRow) -> Html:
    says = "taken" if row.state is RowState.TAKEN else row.words or "not reached"
    if row.state is RowState.NOT_REACHED:
        says = "not reached"
    elif row.state is RowState.WOULD_MATCH:
        says = "not reached, would match"
    return h(
        "li",
        {"class": _ROW_CLASSES[row.state], "data-k": row.branch.value, "title": _conditions(row.conditions) or None},
        h("span", {"class": "n"}, position),
        h("span", {"class": "node"}, h("i")),
        h("span", {"class": "w"}, row.branch.value),
        h("span", {"class": "r"}, says),
        h("span", {"class": "sr"}, _conditions(row.conditions)) if row.conditions else None,
    )


def _conditions(conditions: tuple[Condition, ...]) -> str:
    return "; ".join(f"{one.field} is {one.value}, {'holds' if one.holds else 'does not hold'}" for one in conditions)


def facts(derived: Derived) -> Html:
    """The derived capabilities, task type and declarations, as names and values; texts by their length."""
    rows = [*_set(derived.capabilities), ("task type", _task_type(derived))]
    return h(
        "div",
        {"class": "facts"},
        [[h("span", {"class": "mono dim"}, name), h("span", None, value)] for name, value in rows],
    )


def _set(of: Capabilities) -> list[tuple[str, Child]]:
    flags = ("has_checks", "is_coding", "is_chat", "is_agentic", "default_verified", "structured_answer")
    rows: list[tuple[str, Child]] = [(name, "true") for name in flags if getattr(of, name)]
    for name in ("task_text", "final_answer", "attempt", "transcript"):
        text: str | None = getattr(of, name)
        if text is not None:
            rows.append((name, counted(len(text), "char")))
    if of.prior_local is not None:
        rows.append(("prior_local", f"{of.prior_local:g}, operator"))
    if of.tool_results is not None:
        rows.append(("tool_results", f"{of.tool_results:,}"))
    if of.tool_errors is not None:
        rows.append(("tool_errors", f"{of.tool_errors.count:,}, {of.tool_errors.source.value}"))
    if of.tool_tail_clean is not None:
        rows.append(("tool_tail_clean", "true" if of.tool_tail_clean else "false"))
    return rows


def _task_type(derived: Derived) -> Child:
    value = derived.task_type.value if derived.task_type else "none, the router abstained"
    if derived.task_type is None and not derived.task_type_origin:
        return marks.holds(Holds.NOT_ASKED)
    return [value, f", {derived.task_type_origin}"] if derived.task_type_origin else value
