"""The reply half of a pair: whatever format fits, one assistant message, a bare text - or nothing that can be read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ..model import Json, Role, Text, text_of
from ..positions import Path, path_text
from .draft import Draft
from .format import Format, Holds
from .openai_chat import read_message
from .source import Source
from .wrapping import format_of, read_as

#: The marks that end a turn in the templates of models.
_END = re.compile(
    r"\s*(?:<\|(?:im_end|eot_id|eom_id|end_of_text|endoftext|end|return|eot)\|>|</s>|<end_of_turn>|<eos>)\s*\Z"
)
#: How a text starts that is a stream rather than what the model said.
_STREAM = ("data:", "event:", ":", "id:")


@dataclass(frozen=True, slots=True, repr=False)
class Reply:
    """What stands where a reply is due."""

    #: `none`: nothing stands there; `error`: an error body of an API; `unread`: something else.
    kind: Literal["body", "message", "text", "none", "error", "unread"]
    value: Json
    path: Path
    #: The part as a source of its own, and of a body the format to read it as.
    inner: Source | None = None
    reads: Format | None = None

    @property
    def is_readable(self) -> bool:
        """Whether it gives a message."""
        return self.kind in ("body", "message", "text")


def reply_in(value: Json, at: Path, source: Source) -> Reply:
    """The reply in a part of the source; under `body` where it stands with its status and headers."""
    if value is None or value == {} or value == "":
        return Reply("none", value, at)
    inner = source.inside(value, at)
    reads = format_of(inner, Holds.REPLY)
    if reads is not None:
        return Reply("body", value, at, inner, reads)
    body = inner.value if inner.is_json else value
    if isinstance(body, list) and len(body) == 1:
        return reply_in(body[0], (*at, 0), source)
    if isinstance(body, dict):
        if inner.messages is not None and inner.messages.is_chat and body.get("role") == "assistant":
            return Reply("message", body, at)
        if "body" in body and at[-1] != "body":
            return reply_in(body["body"], (*at, "body"), source)
        return Reply("error" if body.get("error") else "unread", body, at)
    if isinstance(value, str) and not value.lstrip().startswith(_STREAM) and inner.why_broken() is None:
        return Reply("text", value, at, inner)
    return Reply("unread", body, at)


def read_reply(reply: Reply, draft: Draft) -> None:
    """Read the reply as the last message, unless the request holds it already."""
    if not reply.is_readable:
        _say_why_unread(reply, draft)
        return
    made = Draft()
    if reply.reads is not None and reply.inner is not None:
        read_as(reply.reads, reply.inner, made)
    elif reply.kind == "message":
        read_message(reply.value, reply.path, made)
    else:
        _read_text(reply, made)
    last = draft.messages[-1] if draft.messages else None
    if last is not None and made.messages and last == made.messages[0] and text_of(last.content):
        draft.note("reply-repeated", "The reply repeats the last message of the request; it is read once.", reply.path)
        made.messages.clear()
        made.messages_at.clear()
    draft.take(made)
    draft.stop_reason = made.stop_reason


def _read_text(reply: Reply, made: Draft) -> None:
    """A text: what the model said, or how a template renders it, where all of it is the assistant's."""
    rendered = Draft()
    reads = format_of(reply.inner, Holds.REQUEST) if reply.inner is not None and not reply.inner.is_json else None
    if reads is not None and reply.inner is not None:
        read_as(reads, reply.inner, rendered)
        is_said = all(message.role is Role.ASSISTANT for message in rendered.messages)
        if rendered.messages and is_said and not rendered.instructions:
            made.take(rendered)
            return
    # A completion ends with the mark at which its server stopped.
    made.add(Role.ASSISTANT, (Text(_END.sub("", reply.value)),), reply.path)


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
