"""What was pasted: the text, how it is read, and which conversation of it is on the bench."""

from __future__ import annotations

from ..core.conversation.read import read
from ..core.conversation.reading import Conversation, Reading


class Pasted:
    """Changed on the session's thread alone."""

    def __init__(self) -> None:
        self.text = ""
        self.source_name = ""
        self.reading: Reading | None = None
        self.conversation: Conversation | None = None
        self.chosen: int | None = None
        self._forced: str | None = None

    def take(self, text: str, source_name: str) -> None:
        """Another text. A format that was forced stays while a source is edited."""
        if not text or source_name != self.source_name:
            self._forced = None
        self.text, self.source_name = text, source_name
        if not text:
            self.reading = self.conversation = self.chosen = None

    def force(self, name: str | None) -> None:
        """Read every text of this source as this format; None detects it."""
        self._forced = name

    def read(self) -> Reading:
        """Read the text; unchanged messages stay the objects they were. No conversation is chosen then."""
        self.reading, self.chosen = read(self.text, force=self._forced, previous=self.reading), None
        return self.reading

    def choose(self, index: int) -> Conversation | None:
        """Put a conversation of the paste on the bench, and give the one before. Raises IndexError for none."""
        conversations = () if self.reading is None else self.reading.conversations
        if not 0 <= index < len(conversations):
            raise IndexError(f"There is no conversation {index}; the paste holds {len(conversations)}, counted from 0.")
        before, self.conversation, self.chosen = self.conversation, conversations[index], index
        return before
