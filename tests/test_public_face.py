"""The package's face: the names it offers, and how little importing it costs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import routing_workbench

#: What a script that only computes must never pay for.
_SCREEN = {"ipywidgets", "plotly", "anywidget", "IPython", "httpx"}


def _modules_loaded_by(statement: str) -> set[str]:
    """The modules that a fresh interpreter loads for this statement."""
    code = f"import sys; before = set(sys.modules)\n{statement}\nloaded = sorted(set(sys.modules) - before)\n"
    code += "import json; print(json.dumps(loaded))"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_importing_the_package_loads_nothing_else() -> None:
    """No ipywidgets, plotly, httpx, pydantic or asyncio; not even one of our own modules."""
    assert _modules_loaded_by("import routing_workbench") == {"routing_workbench"}


@pytest.mark.parametrize("name", sorted(set(routing_workbench.__all__) - {"Workbench", "HttpDriver"}))
def test_a_headless_name_loads_no_screen_and_no_network(name: str) -> None:
    """Only the bench itself needs widgets, and only a live driver the network."""
    loaded = _modules_loaded_by(f"from routing_workbench import {name}")
    assert {module.partition(".")[0] for module in loaded} & _SCREEN == set()


def test_the_public_names_are_these() -> None:
    """A name added or lost is a decision, not an accident."""
    assert sorted(routing_workbench.__all__) == [
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
        "POLICY_1_0_0",
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
    assert set(routing_workbench.__all__) <= set(dir(routing_workbench))


@pytest.mark.parametrize("name", routing_workbench.__all__)
def test_each_public_name_is_there(name: str) -> None:
    """Each loads, and stays the same object."""
    assert getattr(routing_workbench, name) is getattr(routing_workbench, name)


def test_an_unknown_name_says_what_there_is() -> None:
    """The error names the choices."""
    with pytest.raises(AttributeError, match=r"no attribute 'Workbnech'; it has .*Workbench"):
        routing_workbench.Workbnech  # noqa: B018 - asking is the test
