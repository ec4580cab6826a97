"""What stands in the text of a ShareGPT turn: calls as JSON or in tags, results in tags, marks of images."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from ..model import Block, Json, Media, Text
from ..positions import Path
from .call_ids import CallIds
from .draft import Draft
from .rendered_calls import calls_in, objects_in
from .rendered_calls import is_call as has_call
from .rendered_turns import results_in
from .rendered_turns import said as tagged

PROVIDER = "sharegpt"

_Kind: TypeAlias = Literal["image", "audio", "video"]
#: Marks in a text, and the fields of a record that hold what they stand for.
_MEDIA: dict[str, tuple[_Kind, tuple[str, ...]]] = {
    "<image>": ("image", ("images", "image")),
    "<video>": ("video", ("videos", "video")),
    "<audio>": ("audio", ("audios", "audio")),
}
_MARK = re.compile("|".join(_MEDIA))
_TAGS, _RESULT = ("<tool_call>", "<function=", "<think>"), "<tool_response>"
_SPACE = " \t\r\n"


class TurnMedia:
    """The images, videos and sounds of a record: each mark in a text stands for the next of its kind."""

    def __init__(self, record: dict[str, Json]) -> None:
        #: By mark: the field, and what of it no mark has stood for yet, last first.
        self._left: dict[str, tuple[str, list[Json]]] = {}
        for mark, (_, names) in _MEDIA.items():
            name = next((name for name in names if record.get(name)), None)
            if name is not None:
                items = record[name] if isinstance(record[name], list) else [record[name]]
                self._left[mark] = (name, items[::-1])

    def shown_in(self, text: str) -> Iterator[Media]:
        """What the marks in a text stand for, in their order."""
        for found in _MARK.finditer(text) if self._left else ():
            _, left = self._left.get(found.group(), ("", []))
            if left:
                yield Media(_MEDIA[found.group()][0], left.pop())

    def read_fields(self, at: Path, draft: Draft) -> set[str]:
        """The fields that are shown as a whole; warns of one that is not."""
        for name, left in self._left.values():
            if left:
                draft.warn(
                    "media-without-mark",
                    f"`{name}` holds more than the marks in the turns stand for; it is kept aside.",
                    "Check which turn it belongs to.",
                    (*at, name),
                )
        return {name for name, left in self._left.values() if not left}


def is_call(text: str) -> bool:
    """Whether a text is a call rather than a result: JSON with a name and arguments."""
    values = objects_in(text.strip(_SPACE)) if text.lstrip(_SPACE).startswith(("{", "[")) else None
    return bool(values) and all(map(has_call, values or ()))


def said(text: str, at: Path, ids: CallIds, draft: Draft) -> list[Block]:
    """What an assistant said; thoughts and calls may stand in tags in it, as a template writes them."""
    if "<" in text and any(tag in text for tag in _TAGS):
        ids.turn()
        blocks = tagged(text, at, draft, ids)
        if not all(isinstance(block, Text) for block in blocks):
            return blocks
    return [Text(text)] if text else []


def called(text: str, at: Path, ids: CallIds, draft: Draft) -> list[Block]:
    """The calls of a turn that holds nothing else: JSON, bare or in tags."""
    body = text.strip(_SPACE)
    return tagged(body, at, draft, ids) if body.startswith(_TAGS) else [*calls_in(body, at, draft, ids)]


def answered(text: str, tool: str, at: Path, ids: CallIds, draft: Draft) -> list[Block]:
    """The results of a turn: one for each tag where it has tags, else all of it."""
    body = text.strip(_SPACE)
    return results_in(body if body.startswith(_RESULT) else text, tool, at, draft, ids)
