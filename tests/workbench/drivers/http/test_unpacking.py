"""Packed bodies, within a bound."""

from __future__ import annotations

import gzip
import zlib

import pytest
from routing_workbench.workbench.drivers.http.unpacking import unpacked

BODY = b"x" * 1000


@pytest.mark.parametrize(
    ("packed", "encoding"),
    [(BODY, ""), (BODY, "identity"), (gzip.compress(BODY, mtime=0), " GZip"), (gzip.compress(BODY, mtime=0), "x-gzip"),
     (zlib.compress(BODY), "deflate")],
)  # fmt: skip
def test_a_body_of_the_bound_is_unpacked_and_one_byte_more_is_not(packed: bytes, encoding: str) -> None:
    """Its beginning is, where that is enough."""
    assert unpacked(packed, encoding, 1000) == BODY
    assert unpacked(packed, encoding, 999) is None
    assert unpacked(packed, encoding, 999, whole=False) == BODY[:999]


@pytest.mark.parametrize(
    ("packed", "encoding"), [(BODY, "gzip"), (BODY, "br"), (gzip.compress(BODY, mtime=0)[:-9], "gzip"), (b"", "gzip")]
)
def test_what_is_broken_or_packed_otherwise_is_none(packed: bytes, encoding: str) -> None:
    """One that breaks off as well."""
    assert unpacked(packed, encoding, 1000) is None
