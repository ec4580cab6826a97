"""Where a live model is: the endpoint, its wire format and key, and the model asked there.

    local = Client("box", WireFormat.OPENAI_CHAT, "http://127.0.0.1:8080/v1")
    Target("judge-8b", local, {"chat_template_kwargs": {"enable_thinking": False}})

Nothing secret stands here but `extra_headers`, which no repr and no error shows; a key is named by its environment
variable and read when it is needed. What is refused raises ConfigurationError with the next step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import SplitResult, urlsplit

from ....core.conversation.model import Json
from ....core.vgr.serving import ConfigurationError

#: How often a call may be repeated after a failure that may pass.
MAX_RETRIES = 2


class WireFormat(StrEnum):
    """How an endpoint is talked to (SPEC 8)."""

    OPENAI_CHAT = "openai_chat"
    ANTHROPIC_MESSAGES = "anthropic_messages"
    OPENAI_RESPONSES = "openai_responses"
    #: Decision questions only.
    SYSTEM_ONE = "system_one"


#: What a format appends to the base URL; the decision endpoint is the base URL as given.
_PATHS: Mapping[WireFormat, str] = {
    WireFormat.OPENAI_CHAT: "/chat/completions",
    WireFormat.ANTHROPIC_MESSAGES: "/v1/messages",
    WireFormat.OPENAI_RESPONSES: "/responses",
    WireFormat.SYSTEM_ONE: "",
}
#: What `extra_body` may not replace: the model, what is judged and by which rubric, and how the reply is delivered.
_OURS: Mapping[WireFormat, frozenset[str]] = {
    WireFormat.OPENAI_CHAT: frozenset({"model", "messages", "stream"}),
    WireFormat.ANTHROPIC_MESSAGES: frozenset({"model", "messages", "system", "stream"}),
    WireFormat.OPENAI_RESPONSES: frozenset({"model", "input", "instructions", "stream", "background"}),
    WireFormat.SYSTEM_ONE: frozenset({"model", "state", "questions"}),
}
#: Headers that frame the request; httpx sets them.
_FRAMING = frozenset({"connection", "content-length", "content-type", "transfer-encoding"})

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: How keys begin that would pass for the name of a variable.
_KEY_PREFIXES = ("AIza", "fw_", "gsk_", "hf_", "pplx_", "r8_", "sk_")


@dataclass(frozen=True, slots=True)
class Client:
    """An endpoint: its wire format, address and credentials.

    `base_url` may end in a slash or in the path of the format. `api_key_env` names the variable that holds the key,
    which itself stands nowhere. `max_retries` is 0 to 2. Raises ConfigurationError for what can't be used.
    """

    name: str
    format: WireFormat
    base_url: str
    #: The environment variable that holds the key; None sends none.
    api_key_env: str | None = None
    #: Sent with each request, after the key's own header, which they may replace.
    extra_headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    max_retries: int = MAX_RETRIES

    def __post_init__(self) -> None:
        object.__setattr__(self, "format", _format_named(self.format, self.name))
        _check_address(self.base_url, self.name)
        _check_variable(self.api_key_env, self.name)
        for header in self.extra_headers:
            _check_header(header, self.name)
        if type(self.max_retries) is not int or not 0 <= self.max_retries <= MAX_RETRIES:
            raise ConfigurationError(
                f"max_retries of client {self.name!r} is refused; give a whole number from 0 to {MAX_RETRIES}."
            )

    @property
    def url(self) -> str:
        """The address that requests are posted to."""
        base, path = self.base_url.rstrip("/"), _PATHS[self.format]
        if not path:
            return self.base_url
        if base.endswith(path):
            return base
        version, _, last = path.rpartition("/")
        if version and base.endswith(version):
            return f"{base}/{last}"
        return base + path

    @property
    def host(self) -> str:
        """The host, with its port where one is given."""
        return urlsplit(self.base_url).netloc.lower()


@dataclass(frozen=True, slots=True)
class Target:
    """A model at an endpoint.

    `extra_body` is merged into each request last, key by key at the top level; it may set and replace everything
    (temperature, seed, tools, top_logprobs, what turns a template's reasoning off) but the model, the messages and
    the delivery, which are refused here. Raises ConfigurationError.
    """

    model: str
    client: Client
    extra_body: Mapping[str, Json] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.model or not self.model.isprintable():
            raise ConfigurationError(
                f"A target of client {self.client.name!r} names no model; give the name the endpoint knows it by."
            )
        if taken := sorted(_OURS[self.client.format] & self.extra_body.keys()):
            raise ConfigurationError(
                f"extra_body of {self.model!r} sets {', '.join(taken)}, which the workbench sets; remove it there."
            )
        if not _is_json(dict(self.extra_body)):
            raise ConfigurationError(
                f"extra_body of {self.model!r} holds a value that is no JSON; use texts, numbers, lists and tables."
            )

    @property
    def label(self) -> str:
        """Where its answers come from, e.g. `judge-8b @ 127.0.0.1:8080`."""
        return f"{self.model} @ {self.client.host}"


def _format_named(name: str, client: str) -> WireFormat:
    try:
        return WireFormat(name)
    except ValueError:
        known = ", ".join(WireFormat)
    raise ConfigurationError(f"The format of client {client!r} is not known; use one of {known}.")


def _check_address(url: str, client: str) -> None:
    parts = _split(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError(
            f"base_url of client {client!r} is no http address; give it as https://host/v1, without spaces."
        )
    if "@" in parts.netloc:
        raise ConfigurationError(
            f"base_url of client {client!r} holds a user or password; remove it, and name the key in api_key_env."
        )
    if "?" in url or "#" in url:
        raise ConfigurationError(
            f"base_url of client {client!r} holds a query or fragment, which may be secret and is never sent; remove "
            "it, and put what the endpoint needs into extra_headers."
        )


def _split(url: str) -> SplitResult | None:
    """The parts of an address; None where it is none, or its port is no port."""
    if not url.isascii() or any(c.isspace() or not c.isprintable() for c in url):
        return None
    try:
        parts = urlsplit(url)
        return parts if parts.port != 0 else None
    except ValueError:
        return None


def _check_variable(name: str | None, client: str) -> None:
    """Refuse what is no name of a variable; a key pasted in its place is not repeated."""
    if name is None:
        return
    long = len(name) >= 20 and any(c.islower() for c in name) and any(c.isdigit() for c in name)
    if not _VARIABLE.fullmatch(name) or name.startswith(_KEY_PREFIXES) or long:
        raise ConfigurationError(
            f"api_key_env of client {client!r} is no name of an environment variable; put the key into a variable "
            "such as JUDGE_API_KEY, and give that name. If a key stood there, replace it: it may have been saved."
        )


def _check_header(header: tuple[str, str], client: str) -> None:
    name, value = header
    if not _HEADER_NAME.fullmatch(name):
        raise ConfigurationError(f"A name in extra_headers of client {client!r} can't be a header; check its spelling.")
    if name.lower() in _FRAMING:
        raise ConfigurationError(f"extra_headers of client {client!r} sets {name}, which httpx sets; remove it there.")
    if not is_header_value(value):
        raise ConfigurationError(
            f"The value of {name} in extra_headers of client {client!r} can't be sent: use printable ASCII, one line."
        )


def is_header_value(value: str) -> bool:
    """Whether a text can stand in a header: printable ASCII and tabs, no white space around it."""
    return value == value.strip() and all(c == "\t" or " " <= c <= "~" for c in value)


def _is_json(value: Json) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True
