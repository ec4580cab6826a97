"""What was pasted, as one value: the text, how it is read, which conversation of it is on the bench, and its edits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from ..core.conversation.reading import Conversation, Reading
from . import edits
from .edits import Edited
from .files.opening import Large

#: Characters up to which a text that is kept to be gone back to keeps its reading.
_KEPT_READ: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Pasted:
    """One state of the paste. Nothing of it is ever changed, so it can be gone back to."""

    text: str = field(default="", repr=False)
    source_name: str = field(default="", repr=False)
    #: The format it is to be read as; None detects it.
    forced: str | None = None
    #: As it was read; None where there is no text, or where it was not read yet.
    reading: Reading | None = field(default=None, repr=False)
    #: Index of the conversation on the bench; None while a choice is due.
    chosen: int | None = None
    edited: Edited | None = None
    #: The large file that it is a conversation of, and which one; None once another text is typed over it.
    large: Large | None = None
    listed: int | None = None

    @property
    def conversation(self) -> Conversation | None:
        """The conversation on the bench, as it was edited."""
        return None if self.edited is None else self.edited.conversation

    @property
    def shown(self) -> Reading | None:
        """The reading with the conversation on the bench as it was edited."""
        if self.reading is None or self.chosen is None or self.edited is None:
            return self.reading
        return edits.shown(self.reading, self.chosen, self.edited)

    @property
    def is_edited(self) -> bool:
        """Whether a message was edited or removed by hand."""
        return self.edited is not None and self.edited.conversation is not self.edited.original

    @property
    def is_unread(self) -> bool:
        """Whether its text is still to be read."""
        return bool(self.text) and self.reading is None

    @property
    def is_from_file(self) -> bool:
        """Whether its text stands in a file that is listed, so that it is not lost with this."""
        return self.large is not None and (self.listed is not None or not self.text) and not self.is_edited

    def choosing(self, index: int) -> Pasted:
        """With this conversation of the paste on the bench. Raises IndexError for none."""
        conversations = () if self.reading is None else self.reading.conversations
        if not 0 <= index < len(conversations):
            raise IndexError(f"There is no conversation {index}; the paste holds {len(conversations)}, counted from 0.")
        return replace(self, chosen=index, edited=edits.unedited(conversations[index]))

    def read_as(self, reading: Reading, wanted: int | None = None) -> Pasted:
        """With its text read. The only conversation is put on the bench, or the wanted one where it is there."""
        made = replace(self, reading=reading, chosen=None, edited=None)
        count = len(reading.conversations)
        if wanted is not None and wanted < count:
            return made.choosing(wanted)
        return made.choosing(0) if count == 1 else made

    def put_aside_for(self, other: Pasted) -> Pasted:
        """As it is kept to be gone back to: a long text without its reading, which is several times as large."""
        if self.is_edited or self.reading is other.reading or len(self.text) <= _KEPT_READ:
            return self
        return replace(self, reading=None, edited=None)


#: There is no text.
NO_PASTE = Pasted()
