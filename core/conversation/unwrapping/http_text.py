"""HTTP as text: requests and responses one behind the other, as clients, proxies and `curl -i` write them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import pairwise

from ..diagnostics import Severity
from ..formats.events import has_events
from ..json_text import TooDeep, decode
from ..model import Json
from ..positions import place_at, skip_space
from ..remarks import Remark, shown
from .credentials import is_secret_name, kept_address, kept_headers
from .rewriting import Pieces

_METHODS = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"
_REQUEST = re.compile(
    rf"(?P<method>{_METHODS}) (?P<url>\S+)(?:[ \t]+HTTP/\d(?:\.\d)?|(?=[ \t]*\r?\n[\w-]+:[ \t]))[ \t]*(?:\r?\n|\Z)"
)
_RESPONSE = re.compile(r"HTTP/\d(?:\.\d)? (?P<status>\d{3})[^\n]*(?:\n|\Z)")
_START = re.compile(rf"^(?=(?:{_METHODS}) \S+[ \t]+HTTP/\d|HTTP/\d(?:\.\d)? \d{{3}}\b|###)", re.MULTILINE)
_HEADER = re.compile(r"(?P<name>[\w-]+):[ \t]*(?P<value>[^\r\n]*)(?:\r?\n|\Z)")
_BLANK = re.compile(r"[ \t]*(?:\r?\n|\Z)")
_CHUNK = re.compile(r"(?P<size>[0-9a-fA-F]{1,8})[^\n]*\n")
_BETWEEN = re.compile(r"###[^\n]*(?:\n|\Z)")


@dataclass(frozen=True, slots=True, repr=False)
class Message:
    """One request or response: its first line taken apart, its headers, and the range of its body."""

    start: int
    method: str
    url: str
    status: int
    headers: list[tuple[str, Json]]
    #: What its body is made of; None where it has none.
    body: Pieces | None
    text: str = field(repr=False)

    @property
    def is_request(self) -> bool:
        """Whether it is a request."""
        return bool(self.method)

    @property
    def about(self) -> dict[str, Json]:
        """What is kept of it beside the body."""
        first: dict[str, Json] = {"method": self.method, "url": kept_address(self.url)} if self.method else {}
        return first | ({"status": self.status} if self.status else {}) | {"headers": kept_headers(self.headers)}


def is_http(text: str, at: int) -> bool:
    """Whether an HTTP message begins here."""
    return _REQUEST.match(text, at) is not None or _RESPONSE.match(text, at) is not None


def messages(text: str, at: int, end: int) -> list[Message]:
    """The messages from an offset on."""
    starts = [at, *(found.start() for found in _START.finditer(text, at + 1, end)), end]
    found = []
    for start, until in pairwise(starts):
        rule = _BETWEEN.match(text, start, until)
        begin = skip_space(text, rule.end()) if rule else start
        if (made := _message(text, begin, until)) is not None:
            found.append(made)
    return found


def _message(text: str, start: int, end: int) -> Message | None:
    request = _REQUEST.match(text, start, end)
    first = request or _RESPONSE.match(text, start, end)
    if first is None:
        return None
    at = first.end()
    headers: list[tuple[str, Json]] = []
    while header := _HEADER.match(text, at, end):
        headers.append((header["name"], header["value"]))
        at = header.end()
    blank = _BLANK.match(text, at, end)
    at = blank.end() if blank else at
    body = _body(text, skip_space(text, at), end, headers)
    method, url = (request["method"], request["url"]) if request else ("", "")
    status = 0 if request else int(first["status"])
    return Message(start, method, url, status, headers, body, body.finish().text if body else "")


def _body(text: str, at: int, end: int, headers: list[tuple[str, Json]]) -> Pieces | None:
    end = at + len(text[at:end].rstrip())
    if at >= end:
        return None
    pieces = Pieces(text)
    chunked = any(name.lower() == "transfer-encoding" and "chunked" in str(value) for name, value in headers)
    while chunked and (size := _CHUNK.match(text, at, end)):
        # Sizes count bytes.
        length = int(size["size"], 16)
        part = text[size.end() : min(size.end() + length, end)]
        part = part.encode(errors="replace")[:length].decode(errors="ignore")
        pieces.copy(size.end(), size.end() + len(part))
        at = skip_space(text, size.end() + len(part))
    if not len(pieces):
        pieces.copy(at, end)
    return pieces


def add_body(body: Pieces, text: str, into: Pieces) -> None:
    """Add a body as JSON: itself where it is, else, like a stream of JSON lines, as a string."""
    if text.lstrip().startswith(("{", "[")) and not has_events(text, 0) and not _is_several(text):
        into.add_all(body)
        return
    start, end = body.range()
    into.put(json.dumps(text, ensure_ascii=False), start, end)


def _is_several(text: str) -> bool:
    """Whether a further document stands behind the first."""
    try:
        _, end, _ = decode(text, skip_space(text, 0), strict=False)
    except (ValueError, TooDeep):
        return False
    return text[skip_space(text, end) :].startswith(("{", "["))


def add_exchange(request: Pieces, reply: tuple[Pieces, str] | None, into: Pieces) -> None:
    """Add a request as a document; with its reply where there is one."""
    if len(into):
        start, _ = request.range()
        into.put("\n", start, start)
    if reply is None:
        into.add_all(request)
        return
    start, end = request.range()
    into.put('{"request": ', start, start)
    into.add_all(request)
    into.put(', "response": ', end, end)
    add_body(*reply, into)
    _, end = reply[0].range()
    into.put("}", end, end)


def dropped_remark(names: list[str], text: str, at: int) -> list[Remark]:
    """The note about what was dropped because it holds a credential."""
    secret = sorted({name.lower() for name in names if is_secret_name(name)})
    if not secret:
        return []
    listed = ", ".join(f"`{shown(name)}`" for name in secret[:6])
    message = f"Credentials are not kept: {listed}."
    return [Remark(Severity.NOTE, "credentials-dropped", message, place=place_at(text, at))]
