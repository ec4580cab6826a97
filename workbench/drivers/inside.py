"""What stands behind a driver, whatever is wrapped around it: a cassette that is replayed, a checker that is run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...core.vgr.evidence import OriginKind
from .protocol import Category, Driver, KnowsSecrets

if TYPE_CHECKING:
    from pydantic import SecretStr

    from ..checker.checker import Checker
    from .cassette.playing import CassetteDriver


def replay_of(driver: Driver) -> CassetteDriver | None:
    """The cassette that answers for this driver; None where none does."""
    if driver.origin.kind is not OriginKind.CASSETTE:
        return None
    # Only now: whoever replays nothing needs no parser of cassettes.
    from .cassette.playing import CassetteDriver

    return next((inner for inner in _layers(driver) if isinstance(inner, CassetteDriver)), None)


def rewind(driver: Driver) -> None:
    """Begin a replay anew: a run asks for the first recordings, and what it misses is counted from 0."""
    if (replay := replay_of(driver)) is not None:
        replay.rewind()


def checker_of(driver: Driver) -> Checker | None:
    """The checker that this driver runs; None where it runs none, as a mock or a cassette that answers for one."""
    if driver.origin_for(Category.CHECKER).kind is not OriginKind.LIVE:
        return None
    from .with_checker import WithChecker

    return next((inner.checker for inner in _layers(driver) if isinstance(inner, WithChecker)), None)


def secrets_of(driver: Driver) -> list[SecretStr]:
    """What no recording of this driver may hold."""
    return [secret for inner in _layers(driver) if isinstance(inner, KnowsSecrets) for secret in inner.known_secrets()]


def _layers(driver: Driver) -> Iterator[Driver]:
    from .cassette.recording import RecordingDriver
    from .with_checker import WithChecker

    yield driver
    while isinstance(driver, RecordingDriver | WithChecker):
        driver = driver.driver
        yield driver
