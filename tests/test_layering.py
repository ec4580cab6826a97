"""The floors of the house: imports only go down, and the core stays pure (DESIGN, The house)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]
#: From the ground up; a floor may import itself and what lies below.
_FLOORS = ("core", "prompts", "widgets", "workbench")
_MODULES = sorted(path.relative_to(_ROOT) for floor in _FLOORS for path in (_ROOT / floor).rglob("*.py"))
_CORE = [path for path in _MODULES if path.parts[0] == "core"]

#: The core modules where data enters through pydantic. None does so far.
_PYDANTIC: frozenset[str] = frozenset()
#: The one core module that reads YAML.
_YAML = "core/conversation/unwrapping/yaml_text.py"
#: What the shell may know of the widgets besides the app: the values on screen.
_VALUE_MODULES = {"widgets.act", "widgets.algorithm", "widgets.files", "widgets.screen"}
#: What a floor may ask of the package's face, which loads nothing for it: the version, written into records.
_FACE = {"__version__"}
#: Clock, randomness, concurrency and the outside world: arguments in the core, never imports.
_IMPURE = {
    "asyncio", "concurrent", "ctypes", "getpass", "http", "logging", "multiprocessing", "os", "pathlib", "platform",
    "random", "sched", "secrets", "select", "selectors", "shutil", "signal", "socket", "socketserver", "ssl",
    "subprocess", "tempfile", "threading", "time", "urllib.request", "uuid",
}  # fmt: skip
_IMPURE_CALLS = {"open", "print", "input", "eval", "exec", "now", "today", "utcnow"}
#: What only some floors may import, by distribution.
_SCREEN = {"anywidget", "ipywidgets", "plotly", "IPython", "traitlets"}
_NETWORK = {"asyncio", "http", "httpx", "socket", "ssl", "urllib.request", "websockets"}


def _tree(module: Path) -> ast.Module:
    return ast.parse((_ROOT / module).read_text(encoding="utf-8"), filename=str(module))


def _imports(module: Path) -> Iterator[str]:
    """Each imported module; our own by their path from the root, as in `core.vgr.policy`."""
    package = module.parts[:-1]
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            yield from (f"/{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield f"/{node.module}"
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1]
            assert node.level <= len(package) + 1, f"{module}:{node.lineno} imports from above the package"
            if node.module:
                yield ".".join((*base, node.module))
            else:
                yield from (".".join((*base, alias.name)) for alias in node.names)


def _ours(module: Path) -> set[str]:
    return {name for name in _imports(module) if not name.startswith("/")}


def _foreign(module: Path) -> set[str]:
    return {name[1:] for name in _imports(module) if name.startswith("/")}


def _touches(names: set[str], forbidden: set[str]) -> set[str]:
    """The names that are, or lie in, one of the forbidden modules."""
    return {name for name in names if any(name == ban or name.startswith(f"{ban}.") for ban in forbidden)}


def test_the_house_was_found() -> None:
    """All floors have modules, so the tests below look at something."""
    assert {path.parts[0] for path in _MODULES} == set(_FLOORS)


@pytest.mark.parametrize("module", _MODULES, ids=str)
def test_imports_only_go_down(module: Path) -> None:
    """A floor imports itself and the floors below."""
    allowed = _FLOORS[: _FLOORS.index(module.parts[0]) + 1]
    assert {name for name in _ours(module) - _FACE if name.partition(".")[0] not in allowed} == set()


@pytest.mark.parametrize("module", _MODULES, ids=str)
def test_our_own_imports_are_relative(module: Path) -> None:
    """A `core.py` beside a notebook would shadow a global `core`."""
    assert _touches(_foreign(module), {"routing_workbench", *_FLOORS, "tests"}) == set()


@pytest.mark.parametrize("module", [path for path in _MODULES if path.parts[0] == "workbench"], ids=str)
def test_only_the_app_imports_widgets(module: Path) -> None:
    """The rest of the shell fills the screen's value and knows no widget."""
    if module != Path("workbench/app.py"):
        widgets = {name for name in _ours(module) if name.partition(".")[0] == "widgets"}
        assert widgets - _VALUE_MODULES == set()
        assert _touches(_foreign(module), _SCREEN) == set()


@pytest.mark.parametrize("name", sorted(_VALUE_MODULES))
def test_a_value_module_imports_the_core_and_other_values_alone(name: str) -> None:
    """Nor do the packages it lies in, so that using it loads no widget."""
    module = Path(*name.split(".")).with_suffix(".py")
    assert {used.partition(".")[0] for used in _ours(module) - _VALUE_MODULES} <= {"core"}
    assert {used.partition(".")[0] for used in _foreign(module)} <= sys.stdlib_module_names
    assert list(_imports(module.with_name("__init__.py"))) == []


@pytest.mark.parametrize("module", [path for path in _MODULES if path.parts[0] == "widgets"], ids=str)
def test_widgets_know_no_driver_and_no_network(module: Path) -> None:
    """They show what they are given."""
    assert _touches(_foreign(module), _NETWORK) == set()


@pytest.mark.parametrize("module", _MODULES, ids=str)
def test_httpx_stays_inside_the_http_driver(module: Path) -> None:
    """The only module that can reach a model."""
    if module.parts[:3] not in {("workbench", "drivers", "http"), ("workbench", "drivers", "http.py")}:
        assert _touches(_foreign(module), {"httpx"}) == set()


@pytest.mark.parametrize("module", _CORE, ids=str)
def test_the_core_imports_the_standard_library_alone(module: Path) -> None:
    """And pydantic, in the modules listed above; and PyYAML, in the one that reads YAML."""
    allowed = set(sys.stdlib_module_names) | ({"pydantic"} if str(module) in _PYDANTIC else set())
    allowed |= {"yaml"} if module.as_posix() == _YAML else set()
    assert {name for name in _foreign(module) if name.partition(".")[0] not in allowed} == set()


@pytest.mark.parametrize("module", _CORE, ids=str)
def test_the_core_has_no_clock_randomness_or_io(module: Path) -> None:
    """Everything it needs is an argument, everything it finds a return value."""
    assert _touches(_foreign(module), _IMPURE) == set()
    calls = (node.func for node in ast.walk(_tree(module)) if isinstance(node, ast.Call))
    names = {
        func.id if isinstance(func, ast.Name) else func.attr
        for func in calls
        if hasattr(func, "id") or hasattr(func, "attr")
    }
    assert names & _IMPURE_CALLS == set()


@pytest.mark.parametrize("module", _CORE, ids=str)
def test_the_core_has_no_coroutines(module: Path) -> None:
    """It is called, and answers."""
    kinds = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
    assert [node.lineno for node in ast.walk(_tree(module)) if isinstance(node, kinds)] == []
