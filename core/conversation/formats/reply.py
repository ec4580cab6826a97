"""The reply half of a pair: a response body, one assistant message, a bare text - or nothing that can be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..json_text import decode_embedded
from ..model import Json, Role, Text, text_of
from ..positions import Path, path_text
from .anthropic_response import ANTHROPIC_MESSAGES_RESPONSE
from .draft import Draft
from .format import Format, Source
from .openai_chat import read_message
from .openai_response import OPENAI_CHAT_RESPONSE

_RESPONSES = (OPENAI_CHAT_RESPONSE, ANTHROPIC_MESSAGES_RESPONSE)
#: How a text starts that is a stream rather than what the model said.
_STREAM = ("data:", "event:", ":", "id:")


@dataclass(frozen=True, slots=True, repr=False)
class Reply:
    """What stands where a reply is due."""

    #: `none`: nothing stands there; `error`: an error body of an API; `unread`: something else.
    kind: Literal["body", "message", "text", "none", "error", "unread"]
    value: Json
    path: Path

    @property
    def is_readable(self) -> bool:
        """Whether it gives a message."""
        return self.kind in ("body", "message", "text")


def reply_in(value: Json, path: Path) -> Reply:
    """The reply in a value; under `body` where it stands with its status and headers."""
    if value is None or value == {} or value == "":
        return Reply("none", value, path)
    inner = decode_embedded(value) if isinstance(value, str) else None
    body = value if inner is None else inner[0]
    if isinstance(body, list) and len(body) == 1:
        return reply_in(body[0], (*path, 0))
    if isinstance(body, dict):
        source = Source(body, path)
        if _format_of(source) is not None:
            return Reply("body", body, path)
        if source.messages is not None and source.messages.is_chat and body.get("role") == "assistant":
            # A message of OpenAI Responses looks the same, but for the type of its blocks.
            return Reply("unread" if "output_text" in source.messages.block_types else "message", body, path)
        if "body" in body and path[-1] != "body":
            return reply_in(body["body"], (*path, "body"))
        return Reply("error" if body.get("error") else "unread", body, path)
    if isinstance(value, str) and not value.lstrip().startswith(_STREAM):
        return Reply("text", value, path)
    return Reply("unread", body, path)


def read_reply(reply: Reply, draft: Draft) -> None:
    """Read the reply as the last message, unless the request holds it already."""
    if not reply.is_readable:
        _say_why_unread(reply, draft)
        return
    made = Draft()
    if reply.kind == "text":
        made.add(Role.ASSISTANT, (Text(reply.value),), reply.path)
    elif reply.kind == "message":
        read_message(reply.value, reply.path, made)
    elif (named := _format_of(source := Source(reply.value, reply.path))) is not None:
        named.read(source, made)
    last = draft.messages[-1] if draft.messages else None
    if last is not None and made.messages and last == made.messages[0] and text_of(last.content):
        draft.note("reply-repeated", "The reply repeats the last message of the request; it is read once.", reply.path)
        made.messages.clear()
        made.messages_at.clear()
    draft.take(made, as_alternative=False)
    draft.alternatives += made.alternatives
    draft.stop_reason = made.stop_reason


def _format_of(source: Source) -> Format | None:
    return next((f for f in _RESPONSES if f.match(source) is not None), None)


def _say_why_unread(reply: Reply, draft: Draft) -> None:
    step = "To judge a reply, paste one; without it the local tier is asked."
    if reply.kind == "none":
        draft.note("no-reply", "No reply stands with this request.", reply.path)
        return
    draft.extras[path_text(reply.path)] = reply.value
    if reply.kind == "error":
        draft.warn("reply-is-error", "The reply is an error of the API; only the request is read.", step, reply.path)
    else:
        message = "The reply is in a format that is not read yet; only the request is read."
        draft.warn("reply-unread", message, step, reply.path)
