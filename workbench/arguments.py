"""What a caller gave by name, checked where it is given: an error says what was given and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Final

from ..core.cutoffs.config import CutoffsConfig
from ..core.escalation.config import EscalationConfig
from ..core.vgr.policy import Policy
from ..widgets.algorithm import Algorithm
from ..widgets.screen import Controls

#: The values whose fields a caller may have meant, by the argument that takes them.
_OWNERS: Final = {
    "controls": Controls,
    "policy": Policy,
    "cutoffs": CutoffsConfig,
    "escalation": EscalationConfig,
}
#: What makes a driver (see `drivers.protocol`).
_DRIVES: Final = ("origin", "origin_for", "models_for", "complete", "decide", "aclose")


def check_names(function: Callable[..., object], unknown: Mapping[str, object]) -> None:
    """Raise TypeError for a name that the function does not take, with the argument it belongs to or the nearest."""
    if not unknown:
        return
    name, called = next(iter(unknown)), function.__qualname__
    parameters = signature(function).parameters.values()
    names = [parameter.name for parameter in parameters if parameter.kind is not Parameter.VAR_KEYWORD]
    says = f"{called}() takes no {name!r}; it takes {', '.join(names)}."
    for argument, owner in _OWNERS.items():
        if argument in names and name in {field.name for field in fields(owner)}:
            raise TypeError(f"{says} Give it as {called}({argument}={owner.__name__}({name}=...)).")
    close = get_close_matches(name, names, 1)
    raise TypeError(f"{says} Did you mean {close[0]!r}?" if close else says)


def check_values(function: str, text: object, driver: object = None, **given: object) -> None:
    """Raise TypeError for a value of another kind than its argument takes. All but the text may be None."""
    if not isinstance(text, str):
        step = "give JSON as json.dumps(...)"
        raise TypeError(f"{function}() reads pasted text, not a {type(text).__name__}; {step}")
    if driver is not None and (isinstance(driver, type) or not all(hasattr(driver, name) for name in _DRIVES)):
        what = f"the class {driver.__name__}" if isinstance(driver, type) else f"a {type(driver).__name__}"
        raise TypeError(f"{function}() takes a driver, not {what}; give one such as driver=MockDriver()")
    for name, value in given.items():
        owner = _OWNERS[name]
        if value is not None and not isinstance(value, owner):
            raise TypeError(f"{function}() takes {name} as {owner.__name__}(...), not as {type(value).__name__}")


def algorithm_of(name: Algorithm | str) -> Algorithm:
    """The algorithm of this name. Raises ValueError, naming those there are, for a name that is none."""
    if name not in tuple(Algorithm):
        raise ValueError(f"algorithm is {name!r}; it is one of {', '.join(map(repr, map(str, Algorithm)))}")
    return Algorithm(name)
