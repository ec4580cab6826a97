"""A body as it was before it was packed for the way, within a bound: a small one may unpack to any size."""

from __future__ import annotations

import zlib

#: What is asked for, and what else is understood.
ACCEPTED = "gzip"
_PACKED = frozenset({"gzip", "x-gzip", "deflate"})
#: zlib's word for a gzip or zlib header, whichever is there.
_EITHER_HEADER = 47


def unpacked(body: bytes, encoding: str, most: int, *, whole: bool = True) -> bytes | None:
    """The body, of at most so many bytes; None where it is larger, packed otherwise, or broken.

    `whole=False` takes the beginning of one that is larger or breaks off.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        made, ended = body, True
    elif encoding in _PACKED:
        inflating = zlib.decompressobj(_EITHER_HEADER)
        try:
            made = inflating.decompress(body, most + 1)
        except zlib.error:
            return None
        ended = inflating.eof
    else:
        return None
    if not whole:
        return made[:most]
    return made if ended and len(made) <= most else None
