"""The configuration of ordered cutoffs: its checks, and reading it from JSON (SPEC 6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..conversation.model import Json
from .refusal import ConfigCheck, InvalidCutoffs, quoted, refused
from .shape import json_of, list_of, needed, number_of, object_of, parsed, switch_of, text_of, whole_of

__all__ = [
    "ConfigCheck",
    "CutoffsConfig",
    "InvalidCutoffs",
    "Rule",
    "check_config",
    "config_from_json",
    "config_from_text",
    "config_to_json",
]

_KEYS = ("candidates", "rules", "policy", "fallback", "instructions", "evidence", "fail_open", "recent_turn_window")
#: What may stand in `policy` or beside it.
_POLICY_KEYS = ("rules", "fallback")
_RULE_KEYS = ("candidate", "cutoff")


@dataclass(frozen=True, slots=True)
class Rule:
    """A candidate wins where its probability is strictly greater than the cutoff, a number in [0, 1] (SPEC 6.1)."""

    candidate: str
    cutoff: float


@dataclass(frozen=True, slots=True)
class CutoffsConfig:
    """Ordered cutoffs as the operator configures them (SPEC 6.1).

    Building one checks nothing. `check_config` says whether it holds, and no run asks with one that does not.
    """

    #: Label and model id of each candidate, in the operator's order; a mapping is taken too. Judges see labels alone.
    candidates: tuple[tuple[str, str], ...]
    #: Tried in this order; the first that wins takes the turn.
    rules: tuple[Rule, ...]
    #: The label that takes the turn where no rule wins, the answer is unusable, or the judge fails open.
    fallback: str
    #: The judge's question; None asks our own.
    instructions: str | None = field(default=None, repr=False)
    #: Opaque JSON that is passed to the judge as it is; None passes null.
    evidence: Json = field(default=None, repr=False, hash=False)
    #: Whether a failed call takes the fallback; else its error is raised.
    fail_open: bool = False
    #: How many messages after the opening one the judge reads, at least; None: the opening and the last user message.
    recent_turn_window: int | None = None

    def __post_init__(self) -> None:
        # A table of labels, as a file has it, is what a person writes.
        given: object = self.candidates
        if isinstance(given, Mapping):
            object.__setattr__(self, "candidates", tuple(given.items()))

    @property
    def labels(self) -> tuple[str, ...]:
        """The candidates' labels, sorted by code point: the order in which a judge is given them."""
        return tuple(sorted(label for label, _ in self.candidates))

    def target_of(self, label: str) -> str:
        """The model id behind a label. Raises KeyError where no candidate has it."""
        return dict(self.candidates)[label]


def check_config(config: CutoffsConfig) -> None:
    """Raise InvalidCutoffs unless the configuration holds. The targets are checked before the policy."""
    targets: dict[str, str] = {}
    for label, target in config.candidates:
        if target in targets:
            raise InvalidCutoffs(
                ConfigCheck.DISTINCT_TARGETS,
                f"Candidates {quoted(targets[target])} and {quoted(label)} are both model {quoted(target)}. "
                "Give each label a model of its own.",
            )
        targets[target] = label
    known: set[str] = set()
    for label, _ in config.candidates:
        if label in known:
            raise refused(f"Two candidates have the label {quoted(label)}. Give each a label of its own.")
        known.add(label)
    if not config.rules:
        raise refused("There is no rule. Add one with a candidate and a cutoff.")
    for number, rule in enumerate(config.rules, 1):
        if rule.candidate not in known:
            raise refused(f"Rule {number} names {quoted(rule.candidate)}, which is no candidate. {_choose(known)}")
        # NaN is refused too: it compares false.
        if not 0 <= number_of(rule.cutoff, f"The cutoff of rule {number}") <= 1:
            raise refused(f"The cutoff of rule {number} is {quoted(rule.cutoff)}. Give a number from 0 to 1.")
    if config.fallback not in known:
        raise refused(f"The fallback is {quoted(config.fallback)}, which is no candidate. {_choose(known)}")
    window = config.recent_turn_window
    if window is not None and whole_of(window, "The recent turn window") < 1:
        raise refused(f"The recent turn window is {quoted(window)}. Give 1 or more, or leave it out.")


def config_from_json(value: Json) -> CutoffsConfig:
    """Read a configuration and check it; `rules` and `fallback` may stand in `policy`. Raises InvalidCutoffs."""
    given = object_of(value, "The configuration", _KEYS)
    policy = object_of(given.get("policy", {}), "The policy", _POLICY_KEYS)
    for key in _POLICY_KEYS:
        if key in given and key in policy:
            raise refused(f"{key} stands in the policy and beside it. Keep one of the two.")
    whole = {**given, **policy}
    candidates = object_of(needed(given, "candidates", "The configuration"), "The candidates")
    rules = list_of(needed(whole, "rules", "The configuration"), "The rules")
    instructions, window = given.get("instructions"), given.get("recent_turn_window")
    config = CutoffsConfig(
        tuple((label, text_of(model, f"The model of {quoted(label)}")) for label, model in candidates.items()),
        tuple(_rule(rule, f"rule {number}") for number, rule in enumerate(rules, 1)),
        text_of(needed(whole, "fallback", "The configuration"), "The fallback"),
        None if instructions is None else text_of(instructions, "The instructions"),
        json_of(given.get("evidence"), "The evidence"),
        switch_of(given.get("fail_open", False), "fail_open"),
        None if window is None else whole_of(window, "The recent turn window"),
    )
    check_config(config)
    return config


def config_from_text(text: str) -> CutoffsConfig:
    """Read a configuration from JSON text, in which no key may repeat. Raises InvalidCutoffs."""
    return config_from_json(parsed(text))


def config_to_json(config: CutoffsConfig) -> dict[str, Json]:
    """The configuration as JSON, without what is not set; `config_from_json` reads it back to an equal value."""
    rules = [{"candidate": rule.candidate, "cutoff": rule.cutoff} for rule in config.rules]
    made: dict[str, Json] = {
        "candidates": dict(config.candidates),
        "policy": {"rules": rules},
        "fallback": config.fallback,
        "instructions": config.instructions,
        "evidence": config.evidence,
        "fail_open": config.fail_open or None,
        "recent_turn_window": config.recent_turn_window,
    }
    return {key: value for key, value in made.items() if value is not None}


def _rule(value: Json, what: str) -> Rule:
    given = object_of(value, what.capitalize(), _RULE_KEYS)
    cutoff = number_of(needed(given, "cutoff", what.capitalize()), f"The cutoff of {what}")
    return Rule(text_of(needed(given, "candidate", what.capitalize()), f"The candidate of {what}"), cutoff)


def _choose(labels: Iterable[str]) -> str:
    names = ", ".join(quoted(label) for label in sorted(labels)[:8])
    return f"Choose one of {names}." if names else "Add candidates first."
