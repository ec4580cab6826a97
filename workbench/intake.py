"""What each input of a conversation does: a text, a file, a choice, an edit, a step back. On the session's thread.

A short text is read at once. A long one, and every file, is read beside the thread: the conversation before stays until
the new one is there, the last input wins, and a text that another one overtook can be gone back to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from ..core.conversation.read import read
from ..widgets.files import Notice
from ..widgets.screen import Edits, Failure
from . import edits
from .display import Display
from .edits import Edited, NotEdited
from .files.opening import Opened, open_listed, open_path, open_text
from .history import History
from .on_the_way import OnTheWay, Waiting
from .own_loop import OwnLoop
from .pasted import NO_PASTE, Pasted
from .remarks import changed_messages
from .seats import Seats

#: Characters up to which a text is read on the session's own thread.
AT_ONCE: Final = 1_000_000


class Intake:
    """The paste and its history."""

    def __init__(self, loop: OwnLoop, display: Display, seats: Seats) -> None:
        self._display = display
        self._seats = seats
        self._history = History()
        self._way = OnTheWay(loop, display, seats, self._say)
        #: Texts that were set with another one right behind them.
        self._passed: tuple[Pasted, ...] = ()
        self.now = NO_PASTE

    @property
    def text(self) -> str:
        """The text that is on the bench, or on its way there."""
        unread = self._way.unread
        return self.now.text if unread is None else unread.text

    def take(self, text: str, source_name: str, *, typed: bool = False) -> None:
        """Another text was set; `typed` where it is the one before with some keys more."""
        overtaken = self._overtake()
        before = overtaken[-1] if overtaken else self.now
        same_source = bool(text) and source_name == before.source_name
        made = Pasted(text, source_name, before.forced if same_source else None, large=before.large if typed else None)
        words = "typing" if typed else _words(made)
        self._come(made, words, "text changed", typed=typed, overtaken=overtaken)

    def pass_over(self, text: str, source_name: str) -> None:
        """A text that was set, and another one right behind it: it is not read, and can be gone back to."""
        self._passed = (*self._passed, Pasted(text, source_name))

    def open(self, path: Path) -> None:
        """A file is to be opened. What is on the bench stays until it is read."""
        overtaken = self._overtake()
        done = Waiting(self._take_opened, self._give_back, overtaken)
        self._way.start(path.name or str(path), partial(open_path, path), done)

    def choose_listed(self, index: int) -> None:
        """A conversation of the large file was chosen."""
        large = self.now.large
        if large is None or not 0 <= index < len(large.index):
            self._seats.refuse(Failure("input", f"There is no conversation {index} in a list.", "Choose one there is."))
            return
        overtaken = self._overtake()
        work = partial(open_listed, large, index, self.now.reading)
        done = Waiting(partial(self._take_listed, index), self._give_back, overtaken)
        self._way.start(f"number {index + 1:,} of {large.source.name}", work, done)

    def force(self, name: str | None) -> None:
        """The text is to be read as this format; None detects it."""
        # Of a text that is still on its way this is another way to read it, and no other text.
        overtaken = self._overtake()
        now = replace(overtaken[-1] if overtaken else self.now, forced=name)
        remark = f"read as {name}" if name else "format detected again"
        if now.text:
            self._come(now, "another format", remark, overtaken=overtaken[:-1])
        else:
            self.now = now

    def choose(self, index: int) -> None:
        """A conversation of the paste was chosen."""
        self._say(None)
        try:
            made = self.now.choosing(index)
        except IndexError as error:
            self._seats.refuse(Failure("input", str(error), "Choose one that is there."))
            return
        if self.now.is_edited:
            self._step(made, "another conversation")
        self._put(made, "another conversation chosen")

    def edit_message(self, turn: int, block: int, text: str) -> None:
        """A block of a message was given another text."""
        self._edit(turn, lambda edited: edits.with_text(edited, turn, block, text), "edit", "edited")

    def remove_message(self, turn: int) -> None:
        """A message was taken away."""
        self._edit(turn, lambda edited: edits.without(edited, turn), "removal", "removed")

    def undo(self) -> None:
        """Back to the state before the last step; what is on its way there is left first."""
        if self.cancel():
            return
        to = self._history.to_undo()
        if to is not None:
            self._go(to, self._history.undo, "undone")

    def redo(self) -> None:
        """Forward again."""
        to = self._history.to_redo()
        if to is not None and not self.cancel():
            self._go(to, self._history.redo, "done again")

    def cancel(self) -> bool:
        """Leave what is on its way; False where nothing is. A text that was not read yet can be gone forward to."""
        way = self._way.leave()
        if way is None:
            return False
        self._say(Notice(f"Opening {way.name} was cancelled. What was there before stands.", failed=False))
        if way.waiting.unread is not None:
            self._history.lost(way.waiting.unread, way.waiting.words)
            self._show_history()
        way.waiting.give_up(way.waiting.overtaken)
        return True

    def tell(self, notice: Notice | None) -> None:
        """Say this in the Conversation panel, until the next input; None takes away what is said."""
        self._say(notice)
        self._seats.show()

    # What comes of an input.

    def _come(
        self, made: Pasted, words: str, remark: str, *, typed: bool = False, overtaken: tuple[Pasted, ...] = ()
    ) -> None:
        """A text is there to be read: at once where it is short."""
        if len(made.text) > AT_ONCE:

            def take(opened: Opened, behind: tuple[Pasted, ...]) -> None:
                self._keep(behind)
                self._settle(_opened(made, opened), words, remark, typed=typed)

            work = partial(open_text, made.text, made.source_name, made.forced, self.now.reading)
            waiting = Waiting(take, self._give_back, overtaken, None if typed else made, words)
            self._way.start(made.source_name or "the paste", work, waiting)
            return
        self._keep(overtaken)
        reading = read(made.text, force=made.forced, previous=self.now.reading) if made.text else None
        self._settle(made if reading is None else made.read_as(reading), words, remark, typed=typed)

    def _take_opened(self, opened: Opened, overtaken: tuple[Pasted, ...]) -> None:
        self._keep(overtaken)
        self._settle(_opened(Pasted(source_name=opened.name), opened), f"opening {opened.name}", "another file opened")

    def _take_listed(self, index: int, opened: Opened, overtaken: tuple[Pasted, ...]) -> None:
        self._keep(overtaken)
        made = Pasted(opened.text, opened.name, large=opened.large, listed=index)
        made = made if opened.reading is None else made.read_as(opened.reading)
        if not (self.now.is_from_file and self.now.large is opened.large):
            self._step(made, "another conversation of the file")
        self._put(made, "another conversation chosen")

    def _settle(self, made: Pasted, words: str, remark: str, *, typed: bool = False) -> None:
        before = self.now
        if made.text != before.text or made.large is not before.large or before.is_edited:
            self._history.step(before, made, words, typed=typed)
        self._put(made, remark)

    def _edit(self, turn: int, change: Callable[[Edited], Edited], what: str, did: str) -> None:
        self._say(None)
        edited = self.now.edited
        if edited is None:
            self._say(Notice("There is no message to edit.", "Choose a conversation first."))
            self._seats.show()
            return
        try:
            made = change(edited)
        except NotEdited as refusal:
            self._say(Notice(str(refusal)))
            self._seats.show()
            return
        called = edits.turn_words(edited.conversation.request, turn)
        if made.conversation is edited.conversation or made.conversation == edited.conversation:
            return
        after = replace(self.now, edited=made)
        self._history.step(self.now, after, f"the {what} of {called}")
        self._put(after, f"{called} {did}", exactly=True)

    def _go(self, to: Pasted, move: Callable[[Pasted], str], did: str) -> None:
        """To a state of the history; a long text that was put aside is read again first."""

        def arrive(made: Pasted) -> None:
            self._say(None)
            words = move(self.now)
            self._put(made, f"{words} {did}", exactly=True)

        if not to.is_unread:
            arrive(to)
            return
        if len(to.text) <= AT_ONCE:
            arrive(to.read_as(read(to.text, force=to.forced, previous=self.now.reading), to.chosen))
            return
        work = partial(open_text, to.text, to.source_name, to.forced, self.now.reading)

        def take(opened: Opened, _: tuple[Pasted, ...]) -> None:
            arrive(_opened(to, opened))

        self._way.start(to.source_name or "the paste", work, Waiting(take, self._give_back))

    # A text that another input overtook before it was read.

    def _overtake(self) -> tuple[Pasted, ...]:
        """Leave what is on its way for something newer; gives the texts that would be lost with it, in order."""
        passed, self._passed = self._passed, ()
        way = self._way.leave()
        self._say(None)
        unread = () if way is None or way.waiting.unread is None else (way.waiting.unread,)
        return (*(() if way is None else way.waiting.overtaken), *unread, *passed)

    def _keep(self, overtaken: tuple[Pasted, ...]) -> None:
        """The newer input is there: what it overtook lies behind it, to be gone back to."""
        for one in overtaken:
            self._step(one, _words(one))
            self.now = one

    def _give_back(self, overtaken: tuple[Pasted, ...]) -> None:
        """The newer input came to nothing: what it overtook is on its way again."""
        if overtaken:
            *others, last = overtaken
            self._come(last, _words(last), "text changed", overtaken=tuple(others))
        else:
            self._seats.show()

    def _step(self, made: Pasted, words: str) -> None:
        self._history.step(self.now, made, words)

    # The screen.

    def _put(self, made: Pasted, remark: str, *, exactly: bool = False) -> None:
        """This state is on the bench from now on. The remark says what changed, unless messages that differ do."""
        before, self.now = self.now.conversation, made
        self._display.screen = replace(
            self._display.screen,
            source_name=made.source_name,
            reading=made.shown,
            chosen=made.chosen,
            listing=None if made.large is None else replace(made.large.listing, chosen=made.listed),
        )
        self._show_history()
        now = made.conversation
        if now is not None:
            self._seats.begin(self._display.screen.controls)
            changed = "" if exactly or before is None else changed_messages(before.request, now.request)
            self._seats.changed(changed or remark, rederive=True)
        elif made.text or made.large is not None:
            found = made.listed is None if made.reading is None else bool(made.reading.conversations)
            self._seats.unroute("choose a conversation" if found else "the text can't be read")
        else:
            self._seats.clear()

    def _say(self, notice: Notice | None) -> None:
        self._display.screen = replace(self._display.screen, notice=notice)
        self._show_history()

    def _show_history(self) -> None:
        history, edited = self._history, self.now.edited
        is_edited = edited is not None and self.now.is_edited
        made = Edits(
            history.undo_steps,
            history.redo_steps,
            history.words,
            edited.turns if edited is not None and is_edited else (),
            edited.count if edited is not None and is_edited else 0,
        )
        if made != self._display.screen.edits:
            self._display.screen = replace(self._display.screen, edits=made)


def _words(made: Pasted) -> str:
    """What the step to this text is called."""
    if not made.text:
        return "the removal of the text"
    return f"the choice of {made.source_name}" if made.source_name else "the paste"


def _opened(made: Pasted, opened: Opened) -> Pasted:
    """The state with what was opened in it."""
    if opened.large is not None:
        return replace(made, text="", large=opened.large, listed=None, reading=None, chosen=None, edited=None)
    made = replace(made, text=opened.text)
    return made if opened.reading is None else made.read_as(opened.reading, made.chosen)
