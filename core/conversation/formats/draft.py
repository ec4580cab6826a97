"""A conversation in the making: what a format's reader fills, message by message, with the place of each.

A reader of one conversation fills the draft it is given. A reader of several calls `begin` for each and fills what
that gives; what it keeps or remarks on the draft it was given belongs to the paste as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ..diagnostics import Place, Severity
from ..extras import Extras, Kept, with_kept
from ..model import Block, Json, Message, Request, Role, StopReason, Unknown, quick_message
from ..places import Places
from ..positions import Path, field_name, path_text
from ..reading import Conversation
from ..remarks import Remark, shown
from ..unwrapping.credentials import SECRET_FIELDS, field_without_secrets

#: Each role by its name.
ROLES = {str(role): role for role in Role}
# Members are bound once: looking one up on its class costs more than the comparison it is for.
_SYSTEM, _DEVELOPER = Role.SYSTEM, Role.DEVELOPER
#: Values that hold something though they are false: 0, 0.0 and `false` itself.
_NEVER_NOTHING = frozenset({bool, int, float})


class Draft:
    """Collects messages in the order of the paste; system and developer messages become instructions."""

    def __init__(self, title: str = "", at: Path | Place | None = None) -> None:
        #: A short name to choose by where a paste holds several; empty for the first words of its user.
        self.title = title
        #: Where the conversation stands, where one of several was begun.
        self.at = at
        #: Whether it is one of a list even where no message was added: a record of a data set is.
        self.may_be_empty = False
        #: Further conversations of the paste, in its order.
        self.begun: list[Draft] = []
        self.instructions: list[Message] = []
        self.messages: list[Message] = []
        #: Where each of them stands, in the same order.
        self.instructions_at: list[Path | Place] = []
        self.messages_at: list[Path | Place] = []
        self.alternatives: list[Message] = []
        self._extras: dict[str, Json] = {}
        #: What is kept and has no text of its path yet, behind the extras.
        self._kept: list[Kept] = []
        self.remarks: list[Remark] = []
        self._removed_secrets = False
        #: Messages that go on with the one before them: whether an instruction, and its index (see `extension`).
        self.joins: list[tuple[bool, int]] = []
        self.session_id: str | None = None
        self.stop_reason: StopReason | None = None

    def add(self, role: Role, content: Iterable[Block], at: Path | Place) -> None:
        """Add a message that stands at a path (or, in text, at a place)."""
        made = quick_message(role, content if type(content) is tuple else tuple(content))
        if role is not _SYSTEM and role is not _DEVELOPER:
            self.messages.append(made)
            self.messages_at.append(at)
            return
        if self.messages:
            self.note(
                "late-instruction",
                f"This {role} message stands behind other turns; routers read it as an instruction, before them.",
                at,
            )
        self.instructions.append(made)
        self.instructions_at.append(at)

    def add_unread(self, role: Json, provider: str, raw: Json, at: Path | Place) -> None:
        """Keep a message whose role is none of the five; it makes the request unsupported and is never renamed."""
        name = role if isinstance(role, str) and role else "(no role)"
        self.messages.append(Message(Role.USER, (Unknown(provider, raw),), name))
        self.messages_at.append(at)
        known = ", ".join(ROLES)
        what = f"The role `{shown(role)}` is not known here" if role is not None else "This message names no role"
        self.warn(
            "unsupported-role",
            f"{what}; the turn is kept unread, and the request is unsupported.",
            f"Use one of the roles {known}, or remove the message.",
            at,
        )

    def begin(self, title: str = "", at: Path | Place | None = None) -> Draft:
        """Begin a further conversation of the paste, to be filled by itself; it is never merged with another."""
        made = Draft(title, at)
        self.begun.append(made)
        return made

    def take(self, other: Draft, *, as_alternative: bool = False) -> None:
        """Take over what another draft holds; its messages as candidates beside the last one where asked.

        Where there is none to stand beside, they are the messages.
        """
        if as_alternative and not self.has_no_turn:
            self.alternatives += other.instructions + other.messages
        else:
            if as_alternative and other.messages:
                said = "Only the candidate beside the answer could be read here; it is read in its place."
                self.warn("only-alternative", said, "Check that it is what you mean.", other.messages_at[0])
            self.instructions += other.instructions
            self.instructions_at += other.instructions_at
            self.messages += other.messages
            self.messages_at += other.messages_at
        self.alternatives += other.alternatives
        self.begun += other.begun
        if other._extras:
            self.extras |= other.extras
        else:
            self._kept += other._kept
        self.remarks += other.remarks

    def stand_at(self, at: Path | Place) -> None:
        """Put all there is at one place: for what was put together from many, whose own paths lead nowhere."""
        path, place = placed(at)
        self.instructions_at = [at] * len(self.instructions)
        self.messages_at = [at] * len(self.messages)
        self.remarks = [Remark(r.severity, r.code, r.message, r.next_step, path, place) for r in self.remarks]

    @property
    def has_no_turn(self) -> bool:
        """Whether no message was added to this one."""
        return not (self.instructions or self.messages or self.alternatives)

    def all(self) -> list[Draft]:
        """This draft and all that were begun, in the order of the paste."""
        return [self, *(inner for made in self.begun for inner in made.all())]

    def unknown(self, provider: str, raw: Json, what: str, at: Path | Place) -> Unknown:
        """A block that no rule covers, kept whole, with a note. `what` names it."""
        self.note("unknown-block", f"{what} is kept unread; routers treat a request with it as unsupported.", at)
        return Unknown(provider, raw)

    def keep(self, raw: Mapping[str, Json], read: Collection[str], at: Path) -> None:
        """Keep the fields that are not read, each under its path, unless they hold nothing."""
        for key, value in raw.items():
            if key not in read and (value or type(value) in _NEVER_NOTHING):
                if key in SECRET_FIELDS or type(value) is dict:
                    value = self._without_secrets(key, value, at)  # noqa: PLW2901
                self._kept.append((at, key, value))

    def _without_secrets(self, key: str, value: Json, at: Path) -> Json:
        """A value that is kept, without the credentials of a logged request; said once."""
        made = field_without_secrets(key, value)
        if made is not value and not self._removed_secrets:
            self._removed_secrets = True
            self.note("credential-removed", "Keys, cookies and the like were removed from what is kept.", (*at, key))
        return made

    @property
    def extras(self) -> dict[str, Json]:
        """All that is kept but not read, by the text of its path."""
        if self._kept:
            with_kept(self._extras, self._kept)
            self._kept.clear()
        return self._extras

    @extras.setter
    def extras(self, extras: dict[str, Json]) -> None:
        self._extras = extras
        self._kept.clear()

    @property
    def has_kept(self) -> bool:
        """Whether anything is kept but not read."""
        return bool(self._kept or self._extras)

    def kept_names(self) -> dict[str, None]:
        """What people call the fields that are kept, each once, in order."""
        names = dict.fromkeys(map(field_name, self._extras))
        for at, step, _ in self._kept:
            names[step if isinstance(step, str) else field_name(path_text((*at, step)))] = None
        return names

    def kept_values(self) -> list[Json]:
        """The values that are kept."""
        return [*self._extras.values(), *[value for _, _, value in self._kept]]

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
        self.remarks.append(Remark(severity, code, message, next_step, *placed(at)))

    def conversation(self) -> Conversation | None:
        """The conversation; None where no message was found, though one is due."""
        if self.has_no_turn and not self.may_be_empty:
            return None
        return Conversation(
            Request(tuple(self.instructions), tuple(self.messages), self.session_id),
            Places(self.instructions_at + self.messages_at),
            tuple(self.alternatives),
            Extras(self._extras, self._kept) if self._kept else self._extras,
            self.title,
            self.stop_reason,
        )


def placed(at: Path | Place | None) -> tuple[Path | None, Place | None]:
    """Where something stands, as a remark keeps it: a path that is looked up later, or a place that is known."""
    return (None, at) if isinstance(at, Place) else (at, None)


def role_named(role: Json) -> Role | None:
    """The role of this very name; None where it is none of the five."""
    return ROLES.get(role) if isinstance(role, str) else None
