"""A paste, taken apart: its JSON values and where they stand, or text; and what was said on the way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .diagnostics import Place
from .json_remarks import REPEATED
from .model import Json
from .positions import Lines, Path, path_text, spans
from .remarks import Remark

if TYPE_CHECKING:
    from .unwrapping.rewriting import Rewriting

#: What stands before and behind a paste and means nothing: white space, byte order marks, zero-width spaces.
AROUND = re.compile(r"[\s\ufeff\ufffe\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069]*")


@dataclass(slots=True, repr=False)
class Document:
    """A paste, taken apart. `roots` is empty where it holds no JSON that could be read.

    It never changes; it is not frozen, since that costs most of a short paste's taking apart.
    """

    #: The paste, half surrogates replaced; offsets are those of the paste.
    text: str
    #: Where the paste's own content begins and ends.
    start: int
    end: int
    #: The JSON value; with `several`, the list of the values.
    value: Json = None
    roots: tuple[int, ...] = ()
    several: bool = False
    #: Means to be JSON but is broken: `remarks` holds the error.
    broken: bool = False
    #: Where prose follows behind the JSON value: the offset of the prose.
    prose_behind: int | None = None
    #: Lines of a paste with one document a line that are no JSON, by line number.
    unread_lines: Mapping[str, str] | None = None
    remarks: tuple[Remark, ...] = ()
    #: How the JSON that was read came out of the paste, from the paste inwards; the offsets in `roots` are those of the
    #: last text. None of them where the paste is JSON as it stands.
    layers: tuple[Rewriting, ...] = ()
    #: How many of the layers lie between the paste and `text`.
    text_layers: int = 0
    #: What stands around the conversation and is no part of it, by a name.
    kept: Mapping[str, Json] | None = None
    #: Whether it was found by marks that allow no other reading, so that it counts even where no format fits.
    is_certain: bool = True

    @property
    def is_empty(self) -> bool:
        """Whether the paste holds nothing but white space and marks."""
        return self.start >= self.end

    def places(self, paths: Iterable[Path]) -> dict[Path, Place]:
        """The place of each path; of the nearest value above it where a path leads nowhere."""
        wanted = list(paths)
        if not self.roots or not wanted:
            return {path: Place(path=path_text(path)) for path in wanted}
        repeats = any(remark.code == REPEATED for remark in self.remarks)
        # What ends with a bracket ends with the document: only blanks may stand behind it.
        is_plain = not (self.layers or self.several) and self.prose_behind is None and self.text[self.end - 1] in "}]"
        end = self.end if is_plain else None
        found = spans(self.json_text, self.roots, self.several, wanted, repeats=repeats, end=end)
        places = {}
        lines = Lines(self.paste, len(wanted))
        for path in wanted:
            there = path
            while there and there not in found:
                there = there[:-1]
            start, end = found.get(there, (self.roots[0], None))
            for layer in reversed(self.layers):
                start, end = (layer.back(start), None) if end is None else layer.span(start, end)
            places[path] = lines.place(start, end, path_text(path))
        return places

    @property
    def json_text(self) -> str:
        """The strict JSON that was read."""
        return self.layers[-1].text if self.layers else self.text

    @property
    def paste(self) -> str:
        """The paste as it was given."""
        return self.layers[0].source if self.text_layers else self.text

    def in_paste(self, place: Place) -> Place:
        """A place in `text` as one in the paste."""
        for layer in reversed(self.layers[: self.text_layers]):
            place = layer.place(place)
        return place

    def inside(self, layer: Rewriting, remarks: Iterable[Remark] = (), *, text_too: bool = False) -> Document:
        """This document, found in a text that a rewriting made, as one of the text it was made from.

        Text formats read the outer text; with `text_too` the inner one. `remarks` are on the outer text.
        """
        said = (*remarks, *map(layer.remark, self.remarks))
        if text_too:
            return replace(self, layers=(layer, *self.layers), text_layers=self.text_layers + 1, remarks=said)
        start, end = content_range(layer.source)
        return replace(self, text=layer.source, start=start, end=end, layers=(layer, *self.layers), remarks=said)


def content_range(text: str) -> tuple[int, int]:
    """Where the content of a text begins and ends: what stands around it means nothing."""
    if text[:1] in ("{", "[") and text[-1:] in ("}", "]"):
        return 0, len(text)
    found = AROUND.match(text)
    start = found.end() if found else 0
    return start, max(start, len(text.rstrip(" \t\r\n\f\v\u00a0\ufeff\u200b\u200c\u200d\u200e\u200f\u2060")))
