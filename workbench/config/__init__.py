"""Configuration that people already have: a Switchyard `routes.toml`, read with remarks and written back with comments.

    route = load_route("routes.toml", "assistant")
    route.driver()

What a route may hold stands in `tables`; thresholds are the policy's and no route setting.
"""

from __future__ import annotations

from .loading import load_file, load_route
from .reading import read_routes
from .route import ConfigurationProblem, Route, RouteKind, RoutesFile
from .writing import route_changes, write_route

__all__ = [
    "ConfigurationProblem",
    "Route",
    "RouteKind",
    "RoutesFile",
    "load_file",
    "load_route",
    "read_routes",
    "route_changes",
    "write_route",
]
