"""A route of a `routes.toml` as the workbench uses it: its models, its settings, and the driver they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from ...core.conversation.diagnostics import Diagnostic
from ...core.cutoffs.config import CutoffsConfig
from ...core.escalation.config import EscalationConfig
from ...widgets.screen import Controls
from ..checker.config import CheckerConfig
from ..drivers.http.targets import Target
from ..drivers.protocol import Category, Driver


class RouteKind(StrEnum):
    """The algorithm a route configures."""

    VGR = "vgr"
    CUTOFFS = "cutoffs"
    ESCALATION = "escalation"


class ConfigurationProblem(ValueError):
    """A configuration that cannot be used. The text says what, at which line, and the next step."""


@dataclass(frozen=True, slots=True, repr=False)
class Route:
    """One route of a file. Where `problem` is not empty it cannot be used, and only says so."""

    name: str
    #: None where the file does not tell it, or names a type that is not read here.
    kind: RouteKind | None
    #: Whom to ask. Cut-off candidates are routed to and never asked, so they have no place here.
    targets: Mapping[Category, Target] = field(default_factory=lambda: MappingProxyType({}))
    controls: Controls = Controls()
    cutoffs: CutoffsConfig | None = None
    escalation: EscalationConfig | None = None
    checker: CheckerConfig | None = None
    #: What the file leaves out, each key with what holds instead, in words.
    defaults: tuple[tuple[str, str], ...] = ()
    #: The remarks on this route and on the targets and clients it uses, in the order of their lines.
    diagnostics: tuple[Diagnostic, ...] = ()
    #: Why it cannot be used, one sentence with its line; empty where it can.
    problem: str = ""

    def __repr__(self) -> str:
        """The name and kind alone: headers and bodies may hold secrets."""
        return f"Route({self.name!r}, {self.kind}{', not usable' if self.problem else ''})"

    def driver(self) -> Driver:
        """A driver that asks this route's models, and runs its checker. Making it sends nothing.

        A checker's test folder is copied and pinned now. Raises ConfigurationProblem where the route cannot be used.
        """
        if self.problem:
            raise ConfigurationProblem(self.problem)
        # Only now: reading a file loads no HTTP client.
        from ..checker.checker import Checker
        from ..drivers.http.driver import HttpDriver
        from ..drivers.with_checker import WithChecker

        driver = HttpDriver(self.targets)
        return driver if self.checker is None else WithChecker(driver, Checker(self.checker))


@dataclass(frozen=True, slots=True, repr=False)
class RoutesFile:
    """What a file holds: its routes by name, the unusable ones too, and all remarks in the order of their lines."""

    name: str
    routes: Mapping[str, Route]
    diagnostics: tuple[Diagnostic, ...]

    def __repr__(self) -> str:
        return f"RoutesFile({self.name!r}, {len(self.routes)} routes, {len(self.diagnostics)} diagnostics)"

    @property
    def usable(self) -> tuple[Route, ...]:
        """The routes that can be used."""
        return tuple(route for route in self.routes.values() if not route.problem)
