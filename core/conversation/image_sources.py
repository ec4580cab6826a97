"""Where an image is, in the words of each provider: one form becomes another; nothing is fetched or decoded."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from .model import Json
from .sharing import same_json

_DATA = re.compile(r"data:([^;,]{1,100});base64,")


class _Image(NamedTuple):
    """An address, or a media type and base64 data."""

    address: str = ""
    kind: str = ""
    data: str = ""


def _of_address(address: Json) -> _Image | None:
    if not isinstance(address, str) or not address:
        return None
    found = _DATA.match(address)
    return _Image(kind=found[1], data=address[found.end() :]) if found else _Image(address)


def _address_of(image: _Image) -> str:
    return image.address or f"data:{image.kind};base64,{image.data}"


def _of_anthropic(source: Json) -> _Image | None:
    if not isinstance(source, dict):
        return None
    if source.get("type") == "url":
        return _of_address(source.get("url"))
    return _of_data(source, "media_type") if source.get("type") == "base64" else None


def _to_anthropic(image: _Image) -> Json:
    if image.address:
        return {"type": "url", "url": image.address}
    return {"type": "base64", "media_type": image.kind, "data": image.data}


def _of_data(source: dict[str, Json], name: str) -> _Image | None:
    kind, data = source.get(name), source.get("data")
    return _Image(kind=kind, data=data) if isinstance(kind, str) and isinstance(data, str) else None


def _to_inline(image: _Image) -> Json:
    return None if image.address else {"mimeType": image.kind, "data": image.data}


#: How a source of each form is taken apart, and put together again.
_FORMS: dict[str, tuple[Callable[[Json], _Image | None], Callable[[_Image], Json]]] = {
    "openai": (
        lambda source: _of_address(source.get("url")) if isinstance(source, dict) else None,
        lambda image: {"url": _address_of(image)},
    ),
    "anthropic": (_of_anthropic, _to_anthropic),
    "inline": (lambda source: _of_data(source, "mimeType") if isinstance(source, dict) else None, _to_inline),
    "address": (_of_address, _address_of),
}


def form_of(source: Json) -> str | None:
    """The form that says all there is in a source; None where none does."""
    return next((form for form in _FORMS if same_json(image_source(source, form, form), source)), None)


def image_source(source: Json, form: str, to: str) -> Json:
    """The source of an image in another form; None where it is not in the form named, or the other cannot say it."""
    if form not in _FORMS or to not in _FORMS:
        return None
    image = _FORMS[form][0](source)
    return None if image is None else _FORMS[to][1](image)
