"""Redaction of JSON that leaves for a file: every string and key of it, counted (SPEC 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite

from pydantic import SecretStr

from ....core.conversation.json_text import without_surrogates
from ....core.conversation.model import Json
from ....core.vgr.text import REDACTED, redact, redact_pieces

#: A shorter secret is not looked for: it would cut ordinary words, and nobody's key is so short.
SHORTEST_SECRET = 8


class Redactor:
    """Redacts values and counts the secrets it replaced. `secrets` are known ones, replaced wherever they stand."""

    def __init__(self, secrets: Iterable[SecretStr] = ()) -> None:
        self.count = 0
        self._secrets = tuple(secrets)

    def text(self, text: str) -> str:
        """The text without secrets; U+FFFD stands for half a surrogate pair, which no UTF-8 file can hold."""
        text = without_surrogates(text)
        for secret in self._secrets:
            known = secret.get_secret_value()
            if len(known) >= SHORTEST_SECRET and known in text:
                self.count += text.count(known)
                text = text.replace(known, REDACTED)
        redacted = redact(text)
        if redacted != text:
            self.count += sum(bool(piece.kind) for piece in redact_pieces(text))
        return redacted

    def value(self, value: Json) -> Json:
        """The value with every string and key redacted, in its order; null for a number that JSON does not have."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return self._members(value)
        if isinstance(value, (list, tuple)):
            return [self.value(item) for item in value]
        if isinstance(value, float) and not isfinite(value):
            return None
        return value

    def _members(self, members: Mapping[str, Json]) -> dict[str, Json]:
        made: dict[str, Json] = {}
        for key, item in members.items():
            name = plain = self.text(key)
            # Two keys may be redacted to the same text; neither value is lost.
            number = 2
            while name in made:
                name = f"{plain} {number}"
                number += 1
            made[name] = self.value(item)
        return made
