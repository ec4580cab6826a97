"""Keeping the client library's log records of our calls to ourselves.

httpx and httpcore log addresses and response headers, and an endpoint may echo anything there. Records of calls that
others make with the same library are left alone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

_LOGGERS = ("httpx", "httpcore", *(f"httpcore.{part}" for part in ("connection", "http11", "http2", "proxy", "socks")))
_OURS: ContextVar[bool] = ContextVar("routing_workbench_http_call", default=False)


class _NotOurs(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        del record
        return not _OURS.get()


@contextmanager
def unlogged() -> Iterator[None]:
    """Drop what the client library logs in here; nobody else's records."""
    _install()
    token = _OURS.set(True)
    try:
        yield
    finally:
        _OURS.reset(token)


@cache
def _install() -> None:
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_NotOurs())
