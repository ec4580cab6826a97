"""The drivers to choose from, the one that is asked, and what is recorded of it. Nothing here sends anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.resources.abc import Traversable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..core.vgr.evidence import Origin
from ..widgets.algorithm import Algorithm
from ..widgets.screen import DriverChoice, DriverPanel
from .configured import Configured
from .drivers.cassette.shipped import shipped_cassettes
from .drivers.inside import checker_of, replay_of
from .drivers.mock import MockDriver
from .drivers.protocol import Driver
from .panel import driver_panel

if TYPE_CHECKING:
    from .drivers.cassette.playing import CassetteDriver
    from .drivers.cassette.recording import RecordingDriver

MOCK: Final = "mock"
#: A driver that the program handed in.
GIVEN: Final = "given"
LIVE: Final = "live"
CASSETTE: Final = "cassette:"

NO_LIVE: Final = (
    "No live driver is configured. Load a routes.toml below. For a small model on this machine run "
    "routing-workbench serve-local-model in a terminal: it names the file to load."
)
#: The paces of a replay that have a name, and their factor of the recorded time.
PACES: Final = {"none": 0.0, "original": 1.0}


class NotDriven(ValueError):
    """A driver that cannot be chosen, recorded or paced. The text is a sentence for the screen."""


class Drivers:
    """The mock is always there; a choice is kept as it was left, so switching back loses nothing of it."""

    def __init__(
        self,
        given: Driver | None = None,
        *,
        configured: Configured | None = None,
        cassettes: Mapping[str, Traversable] | None = None,
    ) -> None:
        """Begins with the given driver, else with the configured route's, else with the mock."""
        self.configured = configured
        #: The configuration file that was read last, and the routes there are in it.
        self.path = "" if configured is None else configured.path
        self.routes = () if configured is None else configured.routes
        #: What is wrong elsewhere in that file: severity, and a line with file and place.
        self.remarks = () if configured is None else configured.remarks
        #: What was wrong with the last choice, route or recording.
        self.problem = ""
        self._cassettes: dict[str, Traversable | Path] = {**(shipped_cassettes() if cassettes is None else cassettes)}
        self._made: dict[str, Driver] = {MOCK: MockDriver()}
        self._recorder: RecordingDriver | None = None
        self._file: Path | None = None
        if configured is not None:
            self._made[LIVE] = configured.driver
        self.chosen = MOCK if configured is None else LIVE
        if given is not None:
            self.chosen = MOCK if isinstance(given, MockDriver) else GIVEN
            self._made[self.chosen] = given

    @property
    def base(self) -> Driver:
        """The driver in use, whether or not it is recorded."""
        return self._made[self.chosen]

    @property
    def asked(self) -> Driver:
        """The driver to ask: the one in use, or the recorder around it."""
        return self.base if self._recorder is None else self._recorder

    @property
    def mock(self) -> MockDriver | None:
        """The mock, where it is in use."""
        return self.base if isinstance(self.base, MockDriver) else None

    def choices(self) -> tuple[DriverChoice, ...]:
        """Every driver there is to choose, the ones that can't be with the reason."""
        rows = [DriverChoice(MOCK, f"mock, {self._made[MOCK].origin.label}")]
        rows += [DriverChoice(f"{CASSETTE}{name}", f"cassette: {name}") for name in self._cassettes]
        live = self._made.get(LIVE)
        rows.append(DriverChoice(LIVE, _words(live.origin)) if live else DriverChoice(LIVE, "live", NO_LIVE))
        if GIVEN in self._made:
            rows.append(DriverChoice(GIVEN, _words(self._made[GIVEN].origin)))
        return tuple(rows)

    def choose(self, key: str) -> Driver | None:
        """Use another driver, and give the one to let go of; None for the one in use. Raises NotDriven."""
        found = next((choice for choice in self.choices() if choice.key == key), None)
        if found is None:
            raise NotDriven("This driver is not there any more. Choose another.")
        if found.disabled:
            raise NotDriven(found.disabled)
        self.problem = ""
        if key == self.chosen:
            return None
        if key not in self._made:
            self._made[key] = self._cassette(key.removeprefix(CASSETTE))
        return self._use(key)

    def give(self, driver: Driver) -> Driver:
        """Use a driver that the program hands in, and give the one to let go of. A mock takes the mock's place."""
        key = MOCK if isinstance(driver, MockDriver) else GIVEN
        before = self.base
        self._made[key] = driver
        self._use(key)
        return before

    def configure(self, found: Configured) -> Driver | None:
        """Offer a route's driver as the live one; gives the one before, where that was in use and is to let go of."""
        before = self._made.get(LIVE)
        self.configured, self._made[LIVE], self.problem = found, found.driver, ""
        self.path, self.routes, self.remarks = found.path, found.routes, found.remarks
        if self.chosen != LIVE:
            return None
        self._use(LIVE)
        return before

    def record_to(self, path: str | Path) -> None:
        """Record the driver in use to a new file from now on. Raises NotDriven where that can't be."""
        from .drivers.cassette.errors import CassetteError
        from .drivers.cassette.recording import record_to

        file = Path(path).expanduser()
        try:
            recorder = record_to(file, self.base)
        except CassetteError as error:
            raise NotDriven(str(error)) from None
        self.stop_recording()
        self._recorder, self._file, self.problem = recorder, file, ""

    def stop_recording(self) -> None:
        """Record no further run; one that is on is recorded to its end. The file can be chosen as a cassette."""
        if self._file is not None:
            self._cassettes[self._file.stem] = self._file
            self._made.pop(f"{CASSETTE}{self._file.stem}", None)
        self._recorder = self._file = None

    def close_checker(self) -> None:
        """End the configured route's checker, whose copy of the tests nobody else holds."""
        checker = None if self.configured is None else checker_of(self.configured.driver)
        if checker is not None:
            checker.close()

    def set_pace(self, pace: str) -> None:
        """The pace of replays: `none`, `original`, or a factor of the recorded time. Raises NotDriven for any other."""
        factor = PACES.get(pace)
        if factor is None:
            try:
                factor = float(pace.strip().replace(",", "."))
            except ValueError:
                factor = -1.0
            if not (isfinite(factor) and factor >= 0):
                raise NotDriven("The pace is not usable. Enter none, original, or a factor of 0 or more.")
        if (played := replay_of(self.base)) is not None:
            played.time_factor = factor
        self.problem = ""

    def panel(self, algorithm: Algorithm, labels: tuple[str, ...] = (), *, asks_cloud: bool = False) -> DriverPanel:
        """The panel as it stands now, with the rungs of this algorithm and the labels that the route question has."""
        played, recorder = replay_of(self.base), self._recorder
        stopped = "" if recorder is None else recorder.stopped
        return replace(
            driver_panel(self.base, algorithm, labels, asks_cloud=asks_cloud),
            choices=self.choices(),
            chosen=self.chosen,
            missing="" if played is None else played.missing_summary(),
            pace="" if played is None else _pace(played.time_factor),
            recording="" if self._file is None or stopped else str(self._file),
            checker=self._checker(),
            configuration=self.path,
            routes=self.routes,
            remarks=self.remarks,
            route="" if self.configured is None or self.configured.path != self.path else self.configured.route.name,
            problem=self.problem or stopped,
        )

    def _use(self, key: str) -> Driver:
        before = self.base
        self.stop_recording()
        self.chosen, self.problem = key, ""
        return before

    def _checker(self) -> str:
        """The checker in use, or that of the configured route; what it is, and that it is no sandbox."""
        known = [self.base] if self.configured is None else [self.base, self.configured.driver]
        checker = next((found for driver in known if (found := checker_of(driver)) is not None), None)
        return "" if checker is None else checker.summary

    def _cassette(self, name: str) -> CassetteDriver:
        from .drivers.cassette.errors import CassetteError
        from .drivers.cassette.playing import CassetteDriver
        from .drivers.cassette.reading import read_cassette

        try:
            return CassetteDriver(read_cassette(self._cassettes[name]))
        except CassetteError as error:
            raise NotDriven(f"Cassette {name}: {error}") from None


def _pace(factor: float) -> str:
    return next((name for name, known in PACES.items() if known == factor), f"{factor:g}")


def _words(origin: Origin) -> str:
    return f"{origin.kind.value}: {origin.label}" if origin.label else origin.kind.value
