"""Bytes of a recorded body as text: plain, or compressed with gzip or zlib, within a bound."""

from __future__ import annotations

import zlib
from typing import Final

#: Characters that a compressed body may become; a body that grows beyond is not read.
MOST: Final = 64_000_000


def inflated(content: bytes, most: int = MOST) -> str | None:
    """The text; None where the bytes are none, or more than `most`."""
    if content[:2] == b"\x1f\x8b" or content[:1] == b"\x78":
        inflater = zlib.decompressobj(wbits=47)  # gzip or zlib, by their marks
        try:
            content = inflater.decompress(content, most)
        except zlib.error:
            return None
        if inflater.unconsumed_tail or not inflater.eof:
            return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
