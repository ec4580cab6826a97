"""Formats that are recognized but not read yet: a paste in one of them is named, never misread.

An entry leaves this table when its format gets a module of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ..model import Json
from .events import has_events
from .source import Source

_Test: TypeAlias = Callable[[Source], bool]


@dataclass(frozen=True, slots=True)
class Sign:
    """A format by name, and how it shows."""

    title: str
    test: _Test
    next_step: str = "Convert it to OpenAI Chat or Anthropic Messages JSON."
    code: str = "format-not-read"

    @property
    def message(self) -> str:
        """What a diagnostic says."""
        return f"This looks like {self.title}" + ("; it is not read yet." if self.code == "format-not-read" else ".")


#: Fields of ordinary requests and messages, by which no format of the table shows.
_ORDINARY = frozenset(
    "role content messages model system tools tool_choice temperature max_tokens max_completion_tokens top_p stream "
    "stop seed user n logprobs top_logprobs response_format tool_calls tool_call_id name metadata".split()
)

_ORDINARY_BLOCKS = frozenset({"text", "tool_use", "tool_result", "image_url", "image"})


def recognize(source: Source) -> Sign | None:
    """The first format of the table that the source shows the structure of."""
    if _is_ordinary(source):
        return None
    return next((sign for sign in (_JSON if source.is_json else _TEXT) if sign.test(source)), None)


def _is_ordinary(source: Source) -> bool:
    found = source.messages
    return (
        found is not None
        and bool(found.roles)
        and source.fields <= _ORDINARY >= found.fields
        and found.block_types <= _ORDINARY_BLOCKS
    )


def named_only() -> list[str]:
    """What the table names."""
    return [sign.title for sign in (*_JSON, *_TEXT) if sign.code == "format-not-read"]


def _fields(*names: str) -> _Test:
    """Some object has all these fields."""
    wanted = frozenset(names)
    return lambda source: wanted <= source.fields and any(wanted <= item.keys() for item in source.objects)


def _is_error(source: Source) -> bool:
    """An error body, alone or in a list of its own; one logged with its messages is a conversation."""
    value = source.value
    alone = isinstance(value, dict) or (isinstance(value, list) and len(value) == 1)
    messages = source.messages is not None and bool(source.messages.roles)
    return alone and not messages and any(map(_reports_error, source.objects))


def _is_failed_stream(source: Source) -> bool:
    """A stream of nothing but an error; a reply that breaks off with one is a reply."""
    return has_events(source.text, source.start) and any(map(_reports_error, source.objects))


def _reports_error(item: dict[str, Json]) -> bool:
    return bool(item.get("error")) or "error" in (item.get("type"), item.get("object"))


def _starts(pattern: str) -> _Test:
    compiled = re.compile(pattern)
    return lambda source: compiled.match(source.text, source.start) is not None


def _error(test: _Test) -> Sign:
    title = "the error body of an API, which holds no conversation"
    return Sign(title, test, "Paste the request that failed instead.", "provider-error-body")


_JSON: tuple[Sign, ...] = (
    _error(_is_error),
    Sign(
        "a Switchyard routing log, which holds token counts and no messages",
        _fields("tier", "prompt_tokens"),
        "Paste the conversation of a request instead.",
        "no-conversation-text",
    ),
)

_TEXT: tuple[Sign, ...] = (
    _error(_is_failed_stream),
    Sign("a stream of server-sent events", lambda source: has_events(source.text, source.start)),
    Sign(
        "a part of a JSON document",
        _starts(r'"[\w-]+"\s*:\s*[\[{"]'),
        "Paste the whole document, with its outer brackets.",
        "json-fragment",
    ),
)
