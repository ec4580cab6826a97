"""A file with everything a route needs, into which tests put the route they are about."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from routing_workbench.core.conversation.diagnostics import Diagnostic, Severity
from routing_workbench.workbench.config import Route, RoutesFile, read_routes
from routing_workbench.workbench.config.findings import told

ENDPOINTS = """\
schema_version = 1

[llm_clients.box]
format = "openai_chat"
base_url = "http://127.0.0.1:8080/v1"

[llm_clients.decider]
format = "system_one"
base_url = "http://127.0.0.1:8090/decide"

[targets.small]
id = "small-8b"
llm_client = "box"

[targets.large]
id = "large-70b"
llm_client = "box"

[targets.judge]
id = "judge-8b"
llm_client = "box"

[targets.chooser]
id = "chooser-1"
llm_client = "decider"

"""
#: The first line of what a test appends.
FIRST = ENDPOINTS.count("\n") + 1

VGR = '[routes.r]\ntype = "vgr"\nlocal_target = "small"\ncloud_target = "large"\n'
ESCALATION = """\
[routes.r]
type = "llm_classifier"
judge_target = "judge"
efficient_target = "small"
capable_target = "large"
"""
CUTOFFS = '[routes.r]\ntype = "llm_classifier"\njudge_target = "chooser"\n'


@dataclass(frozen=True)
class Given:
    """A file in the making: the endpoints, and route `r` of one of the three kinds with further lines."""

    endpoints: str = ENDPOINTS
    #: The line of the file on which `[routes.r]` stands.
    first: int = FIRST

    def vgr(self, lines: str = "") -> str:
        """A vgr route."""
        return ENDPOINTS + VGR + lines

    def escalation(self, lines: str = "") -> str:
        """An escalation route, without its mode."""
        return ENDPOINTS + ESCALATION + lines

    def cutoffs(self, lines: str = "") -> str:
        """A route of ordered cutoffs, without its decision."""
        return ENDPOINTS + CUTOFFS + lines


@pytest.fixture
def given() -> Given:
    """The files that tests start from."""
    return Given()


@pytest.fixture
def route():
    """Route `r` of a text, which has to be usable."""

    def read(text: str, **options) -> Route:
        found = read_routes(text, **options).routes["r"]
        assert found.problem == ""
        return found

    return read


@pytest.fixture
def remarks():
    """The remarks on a text as `(line, column, code)`, errors alone unless others are asked for."""

    def read(text: str, *severities: Severity, **options) -> list[tuple[int | None, int | None, str]]:
        wanted = severities or (Severity.ERROR,)
        found = read_routes(text, **options).diagnostics
        return [(one.place.line, one.place.column, one.code) for one in found if one.severity in wanted]

    return read


@pytest.fixture
def only():
    """The one error of a text."""

    def read(text: str, **options) -> Diagnostic:
        errors = [one for one in read_routes(text, **options).diagnostics if one.severity is Severity.ERROR]
        assert len(errors) == 1, [told(one, "file") for one in errors]
        return errors[0]

    return read


@pytest.fixture
def everything_said():
    """All text a file's reading can show: reprs, diagnostics, problems and defaults."""

    def said(file: RoutesFile) -> str:
        parts: list[object] = [file, *file.diagnostics]
        parts += [told(one, file.name) for one in file.diagnostics]
        parts += [str(one.place) for one in file.diagnostics]
        for one in file.routes.values():
            parts += [one, one.problem, one.defaults, one.controls, one.checker, one.cutoffs, one.escalation]
            parts += [repr(target) for target in one.targets.values()]
            parts += [told(remark, file.name) for remark in one.diagnostics]
        return "\n".join(map(repr, parts))

    return said
