"""A route of a `routes.toml` in use: read from disk, with the driver that asks its models."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.cutoffs.config import CutoffsConfig
from ..core.escalation.config import EscalationConfig
from ..core.vgr.serving import ConfigurationError
from ..widgets.algorithm import Algorithm
from ..widgets.screen import Controls
from .drivers.protocol import Driver

if TYPE_CHECKING:
    from .config.route import Route


@dataclass(frozen=True, slots=True)
class Configured:
    """A usable route, the file it stands in, and its driver, which has sent nothing."""

    path: str = field(repr=False)
    route: Route
    driver: Driver
    #: The usable routes of that file.
    routes: tuple[str, ...] = ()
    #: What is wrong elsewhere in that file: severity, and a line with file and place.
    remarks: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm that the route configures."""
        return Algorithm.VGR if self.route.kind is None else Algorithm(self.route.kind.value)

    @property
    def controls(self) -> Controls | None:
        """The settings of a turn, of a route that sets any."""
        return self.route.controls if self.algorithm is Algorithm.VGR else None

    def set_over(self, current: Controls) -> Controls:
        """The settings of a turn as this route sets them. What no route holds stays, the kill switch above all."""
        from .config.vgr import ROUTE_SETTINGS

        found = self.controls
        return current if found is None else replace(current, **{n: getattr(found, n) for n in ROUTE_SETTINGS})

    @property
    def cutoffs(self) -> CutoffsConfig | None:
        """The ordered cutoffs, of a route that has them."""
        return self.route.cutoffs

    @property
    def escalation(self) -> EscalationConfig | None:
        """The escalation judge's configuration, of a route that has one."""
        return self.route.escalation


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of reading a file: the route in use, or why there is none."""

    path: str = field(repr=False)
    routes: tuple[str, ...] = ()
    configured: Configured | None = None
    problem: str = field(default="", repr=False)
    #: What is wrong elsewhere in the file: severity, and a line with file and place.
    remarks: tuple[tuple[str, str], ...] = field(default=(), repr=False)


def configured(path: str | Path, route: str | None = None) -> Configured:
    """The named route of the file, or its only usable one. It asks nobody.

    Raises ConfigurationProblem, which says what is wrong, with file and line, and what to do.
    """
    # Only now: without a configuration nobody has to wait for its parsers.
    from .config.findings import named
    from .config.loading import load_file, load_route, remarks
    from .config.route import ConfigurationProblem

    found = load_route(path, route)
    try:
        driver = found.driver()
    except ConfigurationError as error:  # what only shows when the checker's tests are copied
        raise ConfigurationProblem(f"Route {named(found.name)} cannot be used: {error}") from None
    file = load_file(path)
    return Configured(str(path), found, driver, tuple(one.name for one in file.usable), remarks(file))


def loaded(path: str, route: str | None) -> Loaded:
    """The same for a screen: what is wrong is told, together with the routes that there are to choose from."""
    from .config.loading import load_file, remarks
    from .config.route import ConfigurationProblem

    routes: tuple[str, ...] = ()
    found: tuple[tuple[str, str], ...] = ()
    try:
        file = load_file(path)
        routes, found = tuple(one.name for one in file.usable), remarks(file)
        used = configured(path, route)
        return Loaded(path, routes, used, remarks=used.remarks)
    except ConfigurationProblem as error:
        told = str(error).splitlines()
        return Loaded(path, routes, None, str(error), tuple(one for one in found if one[1] not in told))
    except Exception as error:  # noqa: BLE001 - by its kind only: whatever it quotes may be a key
        return Loaded(path, routes, None, f"Reading {path} failed: {type(error).__name__}. Check the file.")
