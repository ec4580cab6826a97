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
_HEADERS = (
    "headers extra_headers default_headers http_headers request_headers response_headers requestHeaders responseHeaders"
)
_SECRETS = (
    "api_key apiKey api-key apikey x-api-key authorization Authorization auth_token access_token bearer_token"
    " client_secret cookie Cookie cookies password"
)
_ADDRESSES = "url uri api_base base_url"
#: Fields of a logged request that hold credentials, or may.
SECRET_FIELDS: Final = frozenset(f"{_HEADERS} {_SECRETS} {_ADDRESSES}".split())
_HEADER_FIELDS: Final = frozenset(_HEADERS.split())
_ADDRESS_FIELDS: Final = frozenset(_ADDRESSES.split())
_ARGUMENT = re.compile(r"api_?key|authoriz|headers?$|^token$|auth_token|secret|password|cookies?$", re.IGNORECASE)
#: Credentials by what they look like, or by what stands before them.
_SECRET = re.compile(
    r"""\b(?:sk|pk|rk|xai|gsk|hf|ghp|gho|glpat|AKIA|AIza|ya29|eyJ)[-_.]?[A-Za-z0-9][\w.-]{12,}
      | (?:authorization["']?\s*+[:=]\s*+["']?)?\b(?:Bearer|Basic)\s++[\w.+/=~$\{\}-]++
      | (?:set-)?cookie:[^\n'"]*+
      | (?<=[?&])(?:key|sig|signature|code|auth|access_token)=[^\s&#"'`)]++
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


def field_without_secrets(name: str, value: Json) -> Json:
    """The value of a field that is kept, without credentials; the very value where it holds none.

    Looked at are the fields of `SECRET_FIELDS`, and those of an object that is kept whole.
    """
    if name in _ADDRESS_FIELDS:
        return _SECRET.sub(REMOVED, value) if isinstance(value, str) and "=" in value and holds_secret(value) else value
    if name in _HEADER_FIELDS:
        if isinstance(value, dict):
            return value if len(kept := kept_headers(value.items())) == len(value) else kept
        if isinstance(value, str) or (isinstance(value, list) and not headers_of(value)):
            return REMOVED if holds_secret(value) else value
        return value if len(left := kept_headers(pairs := headers_of(value))) == len(pairs) else left
    if name in SECRET_FIELDS:
        return REMOVED if value and isinstance(value, (str, dict, list)) else value
    if isinstance(value, dict) and not SECRET_FIELDS.isdisjoint(value):
        made = {key: field_without_secrets(key, one) if key in SECRET_FIELDS else one for key, one in value.items()}
        return made if any(made[key] is not value[key] for key in made) else value
    return value


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
