"""Credentials in captures, commands and code: what is never kept of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from ..model import Json

#: What stands in place of a credential.
REMOVED: Final = "(removed)"
_NAME = re.compile(r"auth|cookie|key|token|secret|password|passwd|credential|signature|session", re.IGNORECASE)
_ARGUMENT = re.compile(r"api_?key|authoriz|headers?$|^token$|auth_token|secret|password|cookies?$", re.IGNORECASE)
#: Credentials by what they look like, or by what stands before them.
_SECRET = re.compile(
    r"""\b(?:sk|pk|rk|xai|gsk|hf|ghp|gho|glpat|AKIA|AIza|ya29|eyJ)[-_.]?[A-Za-z0-9][\w.-]{12,}
      | \b(?:Bearer|Basic)\s++[\w.+/=~-]++
      | (?:api[_-]?key|token|secret|password|authorization|cookie)["']?\s*+[:=]\s*+
        (?:"[^"\n]*+"|'[^'\n]*+'|[^\s"',;)}]++)""",
    re.IGNORECASE | re.VERBOSE,
)


def is_secret_argument(name: str) -> bool:
    """Whether an argument of a call in code holds a credential; `max_tokens` does not."""
    return _ARGUMENT.search(name) is not None


def is_secret_name(name: str) -> bool:
    """Whether a header or a field of this name may hold a credential."""
    return _NAME.search(name) is not None


def kept_headers(headers: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    """The headers that may be kept; those that may hold a credential are left out, whatever they hold."""
    return {name: value for name, value in headers if not is_secret_name(name) and not holds_secret(value)}


def headers_of(raw: Json) -> list[tuple[str, Json]]:
    """Headers as captures write them: an object, or a list of objects with `name` and `value`."""
    if isinstance(raw, Mapping):
        return [(str(name), value) for name, value in raw.items()]
    items = raw if isinstance(raw, list) else []
    return [(str(one["name"]), one.get("value")) for one in items if isinstance(one, dict) and "name" in one]


def holds_secret(value: Json) -> bool:
    """Whether a text looks like a credential."""
    values = value if isinstance(value, list) else [value]
    return any(isinstance(one, str) and _SECRET.search(one) is not None for one in values)


def without_secrets(text: str) -> str:
    """The text with what looks like a credential removed."""
    return _SECRET.sub(REMOVED, text)


def kept_address(address: str) -> str:
    """An address without user, query and fragment, where credentials are."""
    try:
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path, "", ""))
    except ValueError:
        return REMOVED
