"""A conversation in the making: what a format's reader fills, message by message, with the place of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ..diagnostics import Place, Severity
from ..model import Block, Json, Message, Request, Role, StopReason, Unknown
from ..places import Places
from ..positions import Path, path_text
from ..reading import Conversation
from ..remarks import Remark, shown

_ROLES = {str(role): role for role in Role}


class Draft:
    """Collects messages in the order of the paste; system and developer messages become instructions."""

    def __init__(self) -> None:
        self.instructions: list[Message] = []
        self.messages: list[Message] = []
        #: Where each of them stands, in the same order.
        self.instructions_at: list[Path | Place] = []
        self.messages_at: list[Path | Place] = []
        self.alternatives: list[Message] = []
        self.extras: dict[str, Json] = {}
        self.remarks: list[Remark] = []
        self.session_id: str | None = None
        self.stop_reason: StopReason | None = None

    def add(self, role: Role, content: Iterable[Block], at: Path | Place) -> None:
        """Add a message that stands at a path (or, in text, at a place)."""
        message = Message(role, content if type(content) is tuple else tuple(content))
        if role is not Role.SYSTEM and role is not Role.DEVELOPER:
            self.messages.append(message)
            self.messages_at.append(at)
            return
        if self.messages:
            self.note(
                "late-instruction",
                f"This {role} message stands behind other turns; routers read it as an instruction, before them.",
                at,
            )
        self.instructions.append(message)
        self.instructions_at.append(at)

    def add_unread(self, role: Json, provider: str, raw: Json, at: Path) -> None:
        """Keep a message whose role is none of the five; it makes the request unsupported and is never renamed."""
        name = role if isinstance(role, str) and role else "(no role)"
        self.messages.append(Message(Role.USER, (Unknown(provider, raw),), name))
        self.messages_at.append(at)
        known = ", ".join(_ROLES)
        what = f"The role `{shown(role)}` is not known here" if role is not None else "This message names no role"
        self.warn(
            "unsupported-role",
            f"{what}; the turn is kept unread, and the request is unsupported.",
            f"Use one of the roles {known}, or remove the message.",
            at,
        )

    def take(self, other: Draft, *, as_alternative: bool) -> None:
        """Take over what another draft holds; its messages as candidates beside the last one where asked."""
        if as_alternative:
            self.alternatives += other.instructions + other.messages
        else:
            self.instructions += other.instructions
            self.instructions_at += other.instructions_at
            self.messages += other.messages
            self.messages_at += other.messages_at
        self.extras |= other.extras
        self.remarks += other.remarks

    def unknown(self, provider: str, raw: Json, what: str, at: Path) -> Unknown:
        """A block that no rule covers, kept whole, with a note. `what` names it."""
        self.note("unknown-block", f"{what} is kept unread; routers treat a request with it as unsupported.", at)
        return Unknown(provider, raw)

    def keep(self, raw: Mapping[str, Json], read: Collection[str], at: Path) -> None:
        """Keep the fields that are not read, each under its path, unless they hold nothing."""
        for key, value in raw.items():
            if key not in read and value not in (None, [], {}, ""):
                self.extras[path_text((*at, key))] = value

    def note(self, code: str, message: str, at: Path | Place | None = None, next_step: str = "") -> None:
        """Remark on something that changes little."""
        self._remark(Severity.NOTE, code, message, next_step, at)

    def warn(self, code: str, message: str, next_step: str, at: Path | Place | None = None) -> None:
        """Remark on something that may mislead."""
        self._remark(Severity.WARNING, code, message, next_step, at)

    def fail(self, code: str, message: str, next_step: str, at: Path | Place | None = None) -> None:
        """Remark on something that could not be read."""
        self._remark(Severity.ERROR, code, message, next_step, at)

    def _remark(self, severity: Severity, code: str, message: str, next_step: str, at: Path | Place | None) -> None:
        path, place = (None, at) if isinstance(at, Place) else (at, None)
        self.remarks.append(Remark(severity, code, message, next_step, path, place))

    def conversation(self) -> Conversation | None:
        """The conversation; None where no message was found."""
        if not self.instructions and not self.messages and not self.alternatives:
            return None
        return Conversation(
            Request(tuple(self.instructions), tuple(self.messages), self.session_id),
            Places(self.instructions_at + self.messages_at),
            tuple(self.alternatives),
            self.extras,
            stop_reason=self.stop_reason,
        )


def role_named(role: Json) -> Role | None:
    """The role of this very name; None where it is none of the five."""
    return _ROLES.get(role) if isinstance(role, str) else None
