"""The headers of a request: the key from its environment variable, and what the operator adds."""

from __future__ import annotations

import os

from pydantic import SecretStr

from ....core.vgr.evidence import Rung
from ..protocol import MissingKey
from .targets import Client, WireFormat, is_header_value

#: The version of Anthropic's API that this driver speaks.
ANTHROPIC_VERSION = "2023-06-01"


def key_of(client: Client, rung: Rung) -> SecretStr | None:
    """The key, read now; None where the client needs none.

    Raises MissingKey, with the variable's name, where it holds nothing or what no header can carry.
    """
    if client.api_key_env is None:
        return None
    key = os.environ.get(client.api_key_env, "")
    if not key:
        raise MissingKey(client.api_key_env, rung)
    if not is_header_value(key):
        raise MissingKey(client.api_key_env, rung, unusable=True)
    return SecretStr(key)


def secrets_of(client: Client) -> list[SecretStr]:
    """What a reply must not be kept with, should it quote one: the key, and the extra headers' values."""
    found = [value for _, value in client.extra_headers]
    # Behind a scheme, as in `Bearer ...`, stands what is secret.
    found += [value.rpartition(" ")[2] for value in found if " " in value]
    key = None if client.api_key_env is None else os.environ.get(client.api_key_env)
    return [SecretStr(value) for value in ([key] if key else []) + found]


def headers_for(client: Client, rung: Rung) -> list[tuple[str, str]]:
    """The headers of a request to this client. They hold the key: for httpx alone. Raises MissingKey."""
    headers = [
        ("accept", "application/json"),
        ("content-type", "application/json"),
        ("user-agent", "routing-workbench"),
    ]
    key = key_of(client, rung)
    if client.format is WireFormat.ANTHROPIC_MESSAGES:
        headers.append(("anthropic-version", ANTHROPIC_VERSION))
    if key is not None:
        secret = key.get_secret_value()
        bearer = client.format is not WireFormat.ANTHROPIC_MESSAGES
        headers.append(("authorization", f"Bearer {secret}") if bearer else ("x-api-key", secret))
    replaced = {name.lower() for name, _ in client.extra_headers}
    return [pair for pair in headers if pair[0] not in replaced] + list(client.extra_headers)
