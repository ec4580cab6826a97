"""Routing Workbench: paste a conversation and see how an LLM router would serve it, and why.

    Workbench()                                          a bench in JupyterLab, with the mock
    Workbench.from_config("routes.toml", route="...")    with models of your own
    analyze(text, algorithm="vgr")                       the same in a script: "vgr", "cutoffs" or "escalation"
    CassetteDriver(read_cassette(path))                  a recording in place of models; `record_to` makes one

Every name is loaded when it is first used (PEP 562); importing the package imports nothing else.
"""

# `typing.TYPE_CHECKING` without importing typing; type checkers know the bare name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .core.cutoffs.config import CutoffsConfig, Rule
    from .core.escalation.config import EscalationConfig
    from .core.vgr.capabilities import TaskType
    from .core.vgr.decision import Mode
    from .core.vgr.evidence import Rung
    from .core.vgr.policy import POLICY_1_0_0, Policy
    from .widgets.algorithm import Algorithm
    from .widgets.screen import Controls
    from .workbench.analysis import analyze
    from .workbench.app import Workbench
    from .workbench.config.loading import load_route
    from .workbench.config.route import ConfigurationProblem
    from .workbench.cutoffs_result import CutoffsResult
    from .workbench.drivers.cassette.playing import CassetteDriver
    from .workbench.drivers.cassette.reading import read_cassette
    from .workbench.drivers.cassette.recording import RecordingDriver, record_to
    from .workbench.drivers.http.driver import HttpDriver
    from .workbench.drivers.http.targets import Client, Target, WireFormat
    from .workbench.drivers.mock import MockDriver
    from .workbench.drivers.protocol import Category
    from .workbench.drivers.scenarios import scenario
    from .workbench.drivers.script import Fault, RungScript, Script
    from .workbench.escalation_result import EscalationResult
    from .workbench.result import Result

    __version__: str

__all__ = [
    "POLICY_1_0_0",
    "Algorithm",
    "CassetteDriver",
    "Category",
    "Client",
    "ConfigurationProblem",
    "Controls",
    "CutoffsConfig",
    "CutoffsResult",
    "EscalationConfig",
    "EscalationResult",
    "Fault",
    "HttpDriver",
    "MockDriver",
    "Mode",
    "Policy",
    "RecordingDriver",
    "Result",
    "Rule",
    "Rung",
    "RungScript",
    "Script",
    "Target",
    "TaskType",
    "WireFormat",
    "Workbench",
    "__version__",
    "analyze",
    "load_route",
    "read_cassette",
    "record_to",
    "scenario",
]

#: The module that each public name lives in.
_HOMES = {
    "Algorithm": ".widgets.algorithm",
    "CassetteDriver": ".workbench.drivers.cassette.playing",
    "Category": ".workbench.drivers.protocol",
    "Client": ".workbench.drivers.http.targets",
    "ConfigurationProblem": ".workbench.config.route",
    "Controls": ".widgets.screen",
    "CutoffsConfig": ".core.cutoffs.config",
    "CutoffsResult": ".workbench.cutoffs_result",
    "EscalationConfig": ".core.escalation.config",
    "EscalationResult": ".workbench.escalation_result",
    "Fault": ".workbench.drivers.script",
    "HttpDriver": ".workbench.drivers.http.driver",
    "MockDriver": ".workbench.drivers.mock",
    "Mode": ".core.vgr.decision",
    "POLICY_1_0_0": ".core.vgr.policy",
    "Policy": ".core.vgr.policy",
    "RecordingDriver": ".workbench.drivers.cassette.recording",
    "Result": ".workbench.result",
    "Rule": ".core.cutoffs.config",
    "Rung": ".core.vgr.evidence",
    "RungScript": ".workbench.drivers.script",
    "Script": ".workbench.drivers.script",
    "Target": ".workbench.drivers.http.targets",
    "TaskType": ".core.vgr.capabilities",
    "WireFormat": ".workbench.drivers.http.targets",
    "Workbench": ".workbench.app",
    "analyze": ".workbench.analysis",
    "load_route": ".workbench.config.loading",
    "read_cassette": ".workbench.drivers.cassette.reading",
    "record_to": ".workbench.drivers.cassette.recording",
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
