"""Loading one route of a `routes.toml` from disk, or saying with lines and next steps why that cannot be done."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from ...core.conversation.diagnostics import Diagnostic, Severity
from .document import LONGEST
from .findings import choose, named, told
from .reading import read_routes
from .route import ConfigurationProblem, Route, RoutesFile


def load_file(path: str | PathLike[str]) -> RoutesFile:
    """All routes of the file, the unusable ones too. Raises ConfigurationProblem where it cannot be read at all."""
    where = Path(path).expanduser()
    try:
        # Four bytes is the longest a character takes.
        with where.open("rb") as file:
            raw = file.read(4 * LONGEST + 1)
        text = raw.decode()
    except OSError as error:
        what = error.strerror or type(error).__name__
        # A relative path begins at the kernel's folder, which nobody sees.
        raise ConfigurationProblem(f"{where.absolute()} cannot be read: {what}. Check the path.") from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigurationProblem(f"{where}:{line}: this is no UTF-8. Save the file as UTF-8.") from None
    return read_routes(text, name=where.name, folder=where.absolute().parent)


def load_route(path: str | PathLike[str], route: str | None = None) -> Route:
    """The named route, or the file's one usable route, as its models, settings and `driver()`. It asks nobody.

    Raises ConfigurationProblem: what is wrong, each with file, line and next step, or which routes there are to name.
    """
    file = load_file(path)
    if route is not None and route not in file.routes:
        step = choose(route, file.routes, "It holds no route.")
        raise _problem(
            f"{file.name} has no route {named(route)}. {step}", () if file.routes else file.diagnostics, file
        )
    if route is not None:
        chosen = file.routes[route]
        if chosen.problem:
            raise _problem(f"Route {named(route)} of {file.name} cannot be used.", chosen.diagnostics, file)
        return chosen
    usable = file.usable
    if len(usable) == 1:
        return usable[0]
    if usable:
        names = ", ".join(named(one.name) for one in usable)
        raise ConfigurationProblem(f"{file.name} has {len(usable)} routes; name one of {names}.")
    raise _problem(f"{file.name} has no route that can be used.", file.diagnostics, file)


def remarks(file: RoutesFile) -> tuple[tuple[str, str], ...]:
    """What was found wrong in the file, whichever route it concerns: severity, and a line with file and place."""
    found = [one for one in file.diagnostics if one.severity is not Severity.NOTE]
    return tuple((one.severity.value, told(one, file.name)) for one in found)


def _problem(what: str, diagnostics: tuple[Diagnostic, ...], file: RoutesFile) -> ConfigurationProblem:
    """The problem with its errors, a line each; warnings only add to what is wrong, so they are left out."""
    lines = [told(one, file.name) for one in diagnostics if one.severity is Severity.ERROR]
    return ConfigurationProblem("\n".join([what, *lines]))
