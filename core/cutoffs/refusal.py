"""Why a configuration of ordered cutoffs is refused, in one sentence with the offending value (SPEC 6.1)."""

from __future__ import annotations

from enum import StrEnum

#: How much of an offending value an error quotes, in characters.
_LONGEST_QUOTE = 40


class ConfigCheck(StrEnum):
    """What a configuration is refused for; the checks run in this order."""

    #: Two labels stand for one model.
    DISTINCT_TARGETS = "distinct_targets"
    #: Everything else: the rules, their labels and cutoffs, the fallback, the window, and the shape of the JSON.
    POLICY = "policy"


class InvalidCutoffs(ValueError):
    """A configuration is refused. The text says what was given and the next step; `check` is the check that fired."""

    def __init__(self, check: ConfigCheck, message: str) -> None:
        super().__init__(message)
        self.check = check


def refused(message: str) -> InvalidCutoffs:
    """The refusal of a policy."""
    return InvalidCutoffs(ConfigCheck.POLICY, message)


def quoted(value: object) -> str:
    """A value as an error names it: JSON's words, text in quotes with controls escaped, shortened; else its kind."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if not isinstance(value, (str, int, float)):
        return f"a value of type {type(value).__name__}"
    if isinstance(value, str):
        value = value[: _LONGEST_QUOTE + 1]
    elif isinstance(value, int) and value.bit_length() > 4 * _LONGEST_QUOTE:
        return f"an integer of {value.bit_length():,d} bits"
    text = repr(value)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 3]}..."
