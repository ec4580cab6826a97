"""In CI a skipped test is a failed one: what was not run was not shown to work.

One reason is harmless there: a CPU that can't run the packaged model server. It is reported as not run.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import TypeVar

import pytest
from local_model import NOT_RUN

_Report = TypeVar("_Report", pytest.TestReport, pytest.CollectReport)


def _without_skips(report: _Report) -> _Report:
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        if NOT_RUN in str(reason):
            return report
        report.outcome = "failed"
        report.longrepr = f"{reason}\nCI runs every test."
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn the skip of a test into a failure."""
    return _without_skips((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn the skip of a whole module into an error."""
    return _without_skips((yield))
