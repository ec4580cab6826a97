"""The text of a file: its encoding by its byte order mark, and what a file is that holds no text."""

from __future__ import annotations

import codecs
from typing import Final

#: Encodings by byte order mark; UTF-32 comes first, since its mark begins with that of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: What people open by mistake, by its first bytes: what it is, and what to do with it.
_KINDS: Final = (
    (b"PK\x03\x04", "a ZIP archive", "Unpack it, and open the file in it."),
    (b"\x1f\x8b", "a gzip archive", "Unpack it, and open the file in it."),
    (b"(\xb5/\xfd", "a Zstandard archive", "Unpack it, and open the file in it."),
    (b"BZh", "a bzip2 archive", "Unpack it, and open the file in it."),
    (b"\xfd7zXZ\x00", "an XZ archive", "Unpack it, and open the file in it."),
    (b"PAR1", "a Parquet file", "Export its rows as JSON lines."),
    (b"SQLite format 3\x00", "an SQLite database", "Export the conversation from it as JSON."),
    (b"%PDF-", "a PDF document", "Open the text that it was made from."),
)


class NotText(ValueError):
    """The bytes are no text in a known encoding. The message says where and what to do, and quotes nothing."""


def encoding_of(head: bytes) -> str:
    """The encoding that these first bytes of a file name; UTF-8 where they name none."""
    return next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")


def decode(content: bytes) -> str:
    """The text of a file: UTF-8, or what its byte order mark says. Raises NotText; replaces no byte."""
    encoding = encoding_of(content)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        for start, kind, next_step in _KINDS:
            if content.startswith(start):
                raise NotText(f"This is {kind}, not a text file. {next_step}") from None
        name = encoding.removesuffix("-sig").upper()
        raise NotText(f"Byte {error.start + 1:,} is not {name}: this is not a text file. Save it as UTF-8.") from None
