"""Routing Workbench: paste a conversation and see how an LLM router would serve it, and why.

Every name is loaded when it is first used (PEP 562); importing the package imports nothing else.
"""

# `typing.TYPE_CHECKING` without importing typing; type checkers know the bare name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .core.vgr.policy import POLICY_1_0_0, Policy
    from .widgets.screen import Controls
    from .workbench.analysis import analyze
    from .workbench.app import Workbench
    from .workbench.drivers.mock import MockDriver
    from .workbench.drivers.scenarios import scenario
    from .workbench.drivers.script import Fault, RungScript, Script

    __version__: str

__all__ = [
    "POLICY_1_0_0",
    "Controls",
    "Fault",
    "MockDriver",
    "Policy",
    "RungScript",
    "Script",
    "Workbench",
    "__version__",
    "analyze",
    "scenario",
]

#: The module that each public name lives in.
_HOMES = {
    "POLICY_1_0_0": ".core.vgr.policy",
    "Controls": ".widgets.screen",
    "Fault": ".workbench.drivers.script",
    "MockDriver": ".workbench.drivers.mock",
    "Policy": ".core.vgr.policy",
    "RungScript": ".workbench.drivers.script",
    "Script": ".workbench.drivers.script",
    "Workbench": ".workbench.app",
    "analyze": ".workbench.analysis",
    "scenario": ".workbench.drivers.scenarios",
}


def __getattr__(name: str) -> object:
    """Load a public name on first use and keep it."""
    from importlib import import_module

    value: object
    if name == "__version__":
        value = import_module("importlib.metadata").version("routing-workbench")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name], __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(_HOMES)}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
