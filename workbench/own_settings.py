"""Editing what one algorithm alone is set to: the cutoffs and the escalation judge, each edit checked as it is made.

An edit that the core refuses changes nothing but `problem`, which says why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from ..core.conversation.model import Json
from ..core.cutoffs.config import (
    CutoffsConfig,
    InvalidCutoffs,
    check_config,
    config_from_json,
    config_from_text,
    config_to_json,
)
from ..core.escalation.config import EscalationConfig, InvalidEscalation
from ..core.escalation.config import check_config as check_escalation
from ..widgets.algorithm import CutoffsScreen, EscalationScreen

#: Gives the configuration that is wanted, from what is shown. Raises InvalidCutoffs.
CutoffsEdit: TypeAlias = Callable[[CutoffsScreen], CutoffsConfig]

#: The cutoff of a rule that is new.
NEW_CUTOFF = 0.5


def edited_cutoffs(shown: CutoffsScreen, edit: CutoffsEdit) -> CutoffsScreen:
    """The tab after this edit."""
    try:
        config = edit(shown)
        check_config(config)
    except InvalidCutoffs as refusal:
        return replace(shown, problem=str(refusal))
    return replace(shown, config=config, problem="")


def edited_escalation(shown: EscalationScreen, changes: dict[str, Any]) -> EscalationScreen:
    """The tab after these changes, by the names of the configuration, `has_session` and `redact`."""
    switches = {name: changes[name] for name in ("has_session", "redact") if name in changes}
    given = {name: value for name, value in changes.items() if name not in switches}
    try:
        config = replace(shown.config, **given)
        check_escalation(config)
    except InvalidEscalation as refusal:
        return replace(shown, problem=f"{str(refusal)[:1].upper()}{str(refusal)[1:]}.")
    return replace(shown, config=config, problem="", **switches)


def with_cutoffs(shown: CutoffsScreen, config: CutoffsConfig | None, source: str) -> CutoffsScreen:
    """The tab with a configuration that later edits are compared with; None leaves it as it is."""
    return shown if config is None else replace(shown, config=config, baseline=config, source=source, problem="")


def with_escalation(shown: EscalationScreen, config: EscalationConfig | None, source: str) -> EscalationScreen:
    """The same for the escalation judge."""
    return shown if config is None else replace(shown, config=config, baseline=config, source=source, problem="")


# The edits of ordered cutoffs. What a person typed goes to the core as it is, which says what is wrong with it.


def set_cutoff(rule: int, cutoff: Json) -> CutoffsEdit:
    """The cutoff of a rule, by its index."""
    return _of_rules(lambda rules: [*rules[:rule], rules[rule] | {"cutoff": cutoff}, *rules[rule + 1 :]])


def add_rule(label: str) -> CutoffsEdit:
    """A further rule, the last one."""
    return _of_rules(lambda rules: [*rules, {"candidate": label, "cutoff": NEW_CUTOFF}])


def remove_rule(rule: int) -> CutoffsEdit:
    """The rules without this one."""
    return _of_rules(lambda rules: [*rules[:rule], *rules[rule + 1 :]])


def raise_rule(rule: int) -> CutoffsEdit:
    """A rule one place earlier; the first stays."""
    at = max(0, rule - 1)
    return _of_rules(lambda rules: [*rules[:at], rules[rule], *rules[at:rule], *rules[rule + 1 :]])


def set_key(key: str, value: Json) -> CutoffsEdit:
    """Any other key of the configuration; None leaves it out."""

    def edit(shown: CutoffsScreen) -> CutoffsConfig:
        made = {name: old for name, old in config_to_json(shown.config).items() if name != key}
        return config_from_json(made if value is None else made | {key: value})

    return edit


def take_config(text: str) -> CutoffsEdit:
    """Another configuration, as JSON text."""
    return lambda shown: config_from_text(text)


def reset_cutoffs(shown: CutoffsScreen) -> CutoffsConfig:
    """Back to the baseline."""
    return shown.baseline


def _of_rules(change: Callable[[list[dict[str, Json]]], list[dict[str, Json]]]) -> CutoffsEdit:
    def edit(shown: CutoffsScreen) -> CutoffsConfig:
        made = config_to_json(shown.config)
        try:
            rules = change(made["policy"]["rules"])
        except IndexError:
            return shown.config  # a click on a rule that is gone by now
        return config_from_json(made | {"policy": {"rules": rules}})

    return edit
