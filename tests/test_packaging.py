"""The wheel, in an empty environment: nothing is missing, every module, prompt and example loads.

The environment is a virtual one without packages. The wheel is installed into it for real; its dependencies are lent by
a path file to the running environment, which costs no download. Path files inside a lent folder are not read, so the
editable install that the tests themselves run on stays out of it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]
_FOLDERS = ("core", "examples", "prompts", "widgets", "workbench")
#: What is no source: what Python and JupyterLab leave behind.
_LEFT_BEHIND = ("__pycache__", ".ipynb_checkpoints", "first_look.png")  # the last is the picture of the README
_PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")

_LOAD_ALL = """
import importlib, json, pkgutil, sys
import routing_workbench

def fail(name):
    raise ImportError(name)

found = [routing_workbench.__name__]
for module in pkgutil.walk_packages(routing_workbench.__path__, "routing_workbench.", onerror=fail):
    importlib.import_module(module.name)
    found.append(module.name)
from routing_workbench import prompts
texts = {name: prompts.vgr_prompt(name) for name in prompts.VGR_PROMPTS}
from routing_workbench.workbench.examples import example, examples
conversations = {name: example(name) for name, _ in examples()}
shadowed = sorted({"core", "examples", "prompts", "widgets", "workbench"} & set(sys.modules))
files = {name: sys.modules[name].__file__ for name in found}
print(json.dumps({
    "files": files, "prompts": texts, "conversations": conversations, "shadowed": shadowed,
    "version": routing_workbench.__version__,
}))
"""


@dataclass(frozen=True, slots=True)
class _Environment:
    python: Path
    packages: Path


def _run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _shipped_sources() -> set[str]:
    """What must be in the wheel: every file of the folders, and two of the root."""
    paths = {Path("__init__.py"), Path("py.typed")}
    for folder in _FOLDERS:
        inside = (path.relative_to(_ROOT) for path in (_ROOT / folder).rglob("*") if path.is_file())
        paths |= {path for path in inside if not set(_LEFT_BEHIND) & set(path.parts)}
    return {f"routing_workbench/{path.as_posix()}" for path in paths}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy: nothing is left in the checkout, nothing of an older build comes along."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "__init__.py", "py.typed"):
        shutil.copy(_ROOT / name, source)
    for folder in _FOLDERS:
        shutil.copytree(_ROOT / folder, source / folder, ignore=shutil.ignore_patterns(*_LEFT_BEHIND))
    out = tmp_path_factory.mktemp("wheel")
    _run(*_PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", out, source)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> _Environment:
    """An environment that holds the wheel and nothing else, with dependencies on loan."""
    home = tmp_path_factory.mktemp("environment")
    _run(sys.executable, "-m", "venv", "--without-pip", home)
    python = home / "bin" / "python"
    _run(*_PIP, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel))
    packages = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(home), "platbase": str(home)}))
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return _Environment(python, packages)


def test_the_wheel_holds_every_module_and_data_file_and_nothing_else(wheel: Path) -> None:
    """A new subpackage has to be listed in pyproject.toml; core/SPEC.md, prompts, scripts and styles come along."""
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == _shipped_sources()
    assert "routing_workbench/core/SPEC.md" in packed


def test_the_wheel_carries_license_notice_and_ranges(wheel: Path) -> None:
    """Apache-2.0 with its notice; every direct dependency with a lower and an upper bound; no cap on Python."""
    with zipfile.ZipFile(wheel) as archive:
        info = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(info).decode())
        licenses = {Path(name).name for name in archive.namelist() if ".dist-info/licenses/" in name}
    assert licenses == {"LICENSE", "NOTICE"}
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    direct = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert direct
    assert [line for line in direct if ">=" not in line or "<" not in line] == []


def test_every_module_prompt_and_example_loads_beside_shadowing_files(installed: _Environment, tmp_path: Path) -> None:
    """A `core.py` and a `widgets/` folder beside the notebook stay what they are, and ours stay ours."""
    trap = "raise RuntimeError('the file beside the notebook was imported')\n"
    for name in ("core.py", "examples.py", "prompts.py", "widgets/__init__.py", "workbench/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(trap, encoding="utf-8")
    seen = json.loads(_run(installed.python, "-c", _LOAD_ALL, cwd=tmp_path))
    assert seen["shadowed"] == []
    home = installed.packages / "routing_workbench"
    assert {Path(file) for file in seen["files"].values()} == {
        installed.packages / name for name in _shipped_sources() if name.endswith(".py")
    }
    assert all(text.strip() for text in (*seen["prompts"].values(), *seen["conversations"].values()))
    assert set(seen["prompts"]) == {path.stem for path in (home / "prompts" / "vgr").glob("*.md")}
    assert set(seen["conversations"]) == {path.name for path in (home / "examples" / "conversations").iterdir()}
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert seen["version"] == project["version"]
