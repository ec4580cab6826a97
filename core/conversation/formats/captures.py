"""Exchanges of HTTP that a tool captured: each that asks a model is a conversation, the others are counted."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import NamedTuple

from ..model import Json
from ..positions import Path, path_text
from ..unwrapping.credentials import kept_address
from ..unwrapping.inflate import inflated
from .draft import Draft
from .exchange import read_exchange
from .reply import read_reply, reply_in
from .source import Source
from .wrapping import keep_inside


class Body(NamedTuple):
    """A body, and where it stands. `is_binary` where it is no text that could be read."""

    value: Json
    at: Path
    is_binary: bool = False


class Exchange(NamedTuple):
    """A request with its reply: what both hold, and what is kept of the rest."""

    at: Path
    request: Body
    reply: Body
    method: str
    address: str
    status: Json
    kept: dict[str, Json]


def read_exchanges(exchanges: Iterable[Exchange], source: Source, draft: Draft) -> None:
    """Read each exchange into a conversation of its own; credentials are kept of none."""
    others: list[Json] = []
    for one in exchanges:
        made = Draft("", one.at)
        if _is_read(one, source, made):
            about = {"method": one.method, "url": kept_address(one.address), "status": one.status} | one.kept
            made.keep({name: value for name, value in about.items() if value}, (), one.at)
            draft.begun.append(made)
        elif isinstance(one.request.value, str) and source.inside(one.request.value, one.request.at).why_broken():
            keep_inside(one.request.value, one.request.at, source, draft, "The body of this request")
        else:
            others.append(f"{one.method} {kept_address(one.address)} {one.status}".strip())
    if others:
        draft.extras["other requests"] = others
        many = "1 request asks" if len(others) == 1 else f"{len(others):,} requests ask"
        draft.note("other-requests", f"{many} no model, or in no format that is read; their addresses are kept.")
    if draft.begun:
        message = "Headers, cookies and queries of the capture are not kept: they hold credentials."
        draft.note("credentials-dropped", message, source.path)
    else:
        message = "No request in this capture holds a conversation that can be read."
        draft.fail("no-conversation", message, "Capture a request to a model, with its body.", source.path)


def _is_read(one: Exchange, source: Source, made: Draft) -> bool:
    """Read an exchange, or a reply alone; whether there was one."""
    request, reply = one.request, one.reply
    if reply.is_binary:
        made.extras[path_text(reply.at)] = reply.value
        message = "The reply is binary, and not text even where it is decompressed; only the request is read."
        made.warn("body-unreadable", message, "Capture it again without compression.", reply.at)
    if request.value not in (None, "") and not request.is_binary:
        answer = None if reply.is_binary else reply.value
        return read_exchange(request.value, request.at, answer, reply.at, source, made)
    if reply.value in (None, "") or reply.is_binary:
        return False
    found = reply_in(reply.value, reply.at, source)
    if found.kind == "body":
        read_reply(found, made)
    return not made.has_no_turn


def decoded(text: str, at: Path) -> Body:
    """A body that is kept as base64, as the text it holds."""
    try:
        content = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return Body(text, at, is_binary=True)
    made = inflated(content)
    return Body(text, at, is_binary=True) if made is None else Body(made, at)
