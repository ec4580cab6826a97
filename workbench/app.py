"""The bench: binds a session to the widgets. The only module of the shell that imports them.

Every handler is wrapped: an exception in a widget's callback is invisible to the user, so it lands in the error panel.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from IPython.display import display

from ..core.cutoffs.config import CutoffsConfig
from ..core.escalation.config import EscalationConfig
from ..core.vgr.policy import POLICY_1_0_0, Policy
from ..widgets import panels
from ..widgets.act import Act
from ..widgets.algorithm import Algorithm
from ..widgets.layout import Layout
from ..widgets.saved_page import SavedPage
from ..widgets.screen import Controls, RunState, Screen
from ..widgets.static import static_html, static_text, why_text
from .acts import NotUsable, apply
from .algorithms.protocol import AnyResult
from .arguments import algorithm_of, check_names, check_values
from .configured import configured
from .copying import Copied, copied, exported
from .drivers.protocol import Driver
from .driving import Drivers
from .files.opening import check_path
from .painter import Painter
from .session import Session

#: Seconds that showing a bench waits for the input it was given.
FIRST_RESULT: Final = 2.0
#: What stands in place of the widgets where there are none.
_NO_WIDGETS: Final = "Routing Workbench: run this cell in Jupyter to work with it. Its last result is below."
#: Errors of the bench shown at once; the oldest go first.
_ERRORS: Final = 3


class Workbench:
    """A bench for one conversation: the last line of a cell shows it; `close()` ends it.

    `text` is a pasted conversation in any format that is read. Without a driver it asks the mock, which sends nothing.
    `algorithm` is the one on screen first. `controls` and `policy` are VGR's, `cutoffs` and `escalation` what the other
    two are set to. Raises TypeError for an argument that is none or of another kind, ValueError for an algorithm that
    is none.
    """

    def __init__(
        self,
        text: str | None = None,
        *,
        driver: Driver | None = None,
        controls: Controls | None = None,
        policy: Policy = POLICY_1_0_0,
        algorithm: Algorithm | str | None = None,
        cutoffs: CutoffsConfig | None = None,
        escalation: EscalationConfig | None = None,
        **unknown: object,
    ) -> None:
        check_names(Workbench, unknown)
        pasted = "" if text is None else text
        check_values(
            "Workbench", pasted, driver, controls=controls, policy=policy, cutoffs=cutoffs, escalation=escalation
        )
        self._open(
            text,
            Drivers(driver),
            controls=controls,
            policy=policy,
            algorithm=None if algorithm is None else algorithm_of(algorithm),
            cutoffs=cutoffs,
            escalation=escalation,
        )

    @classmethod
    def from_config(
        cls,
        path: str | Path,
        route: str | None = None,
        *,
        text: str | None = None,
        policy: Policy = POLICY_1_0_0,
        **unknown: object,
    ) -> Workbench:
        """A bench set as this route of a routes.toml is, or as its only usable one, with its models as the driver.

        Nothing is sent before Run. Raises ConfigurationProblem: what is wrong, at which line, and what to do; and
        TypeError for an argument that is none or of another kind.
        """
        check_names(Workbench.from_config, unknown)
        check_values("Workbench.from_config", "" if text is None else text, policy=policy)
        bench = cls.__new__(cls)
        bench._open(text, Drivers(configured=configured(path, route)), policy=policy)
        return bench

    def _open(self, text: str | None, drivers: Drivers, **settings: Any) -> None:
        self._bench = f"rw-{secrets.token_hex(4)}"
        self._view = panels.START
        self._errors: list[tuple[str, str]] = []
        self._lock = threading.RLock()
        self._closed = False
        #: The text that the editor has, and how many of its inputs are on their way to the session.
        self._seen = ""
        self._typed = 0
        self._layout = Layout(self._guarded(self._on_act), self._guarded(self._on_text), self._repaint)
        self._saved = SavedPage(f"{self._bench}-saved", self._page)
        self._painter: Painter[None] = Painter(lambda _: self._paint(), f"{self._bench}-paint")
        try:
            self._session = Session(on_screen=self._on_screen, drivers=drivers, **settings)
            if text is not None:
                self._session.set_text(text)
        except BaseException:
            self._painter.close()
            self._saved.close()
            self._layout.close()
            raise
        self._painter.offer(None)

    @property
    def screen(self) -> Screen:
        """What is on screen, as one value."""
        return replace(self._session.screen, bench=self._bench)

    @property
    def result(self) -> AnyResult | None:
        """The last result of the algorithm on screen, the same value that `analyze` gives; None before one."""
        return self._session.result

    def to_json(self) -> str:
        """The record of that result as JSON: versions, lengths, scores, verdicts, timings and origins, no content.

        Raises RuntimeError before a run.
        """
        result = self.result
        if result is None:
            raise RuntimeError("There is no result yet. Run the bench first.")
        return result.to_json()

    def open(self, path: str | Path) -> None:
        """Read a conversation from a file of the kernel's machine; returns at once, the bench says how far it is.

        A large file of JSON lines is listed by its conversations. Raises OSError, with what to do, for a path that
        leads to no file that can be read; what goes wrong later is said on the bench.
        """
        check_path(Path(path))
        self._session.open_path(Path(path))

    def edit_message(self, turn: int, block: int, text: str) -> None:
        """Give a block of a message another text, and route again: a result its text, a call its arguments as JSON.

        `turn` counts the instructions too, and like `block` from 0. The pasted text stays as it is.
        """
        self._session.edit_message(turn, block, text)

    def remove_message(self, turn: int) -> None:
        """Take a message away, and route again; `turn` counts the instructions too, from 0."""
        self._session.remove_message(turn)

    def undo(self) -> None:
        """Back to before the last edit, paste, opened file or example."""
        self._session.undo()

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._session.redo()

    def export(self, format: str) -> str:  # noqa: A002 - the word a caller expects
        """The conversation on the bench, as it was edited, in this format: `openai-chat`, `anthropic`, `normalized`.

        Raises ValueError for a name that is none, RuntimeError where no conversation is on the bench.
        """
        return exported(self._session.screen, format).text

    def run(self) -> None:
        """Start a run, as the button does; returns at once."""
        self._session.run()

    def cancel(self) -> None:
        """End the run that is on; what was gathered is kept."""
        self._session.cancel()

    def close(self) -> None:
        """End the session and take the widgets off the page; the last result stays. Does nothing the second time."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._session.close()
        self._painter.close()
        self._saved.close()
        self._layout.close()

    def __repr__(self) -> str:
        return f"<Workbench {self._bench}, {'closed' if self._closed else self._session.screen.state.value}>"

    def _ipython_display_(self) -> None:
        """Show the widgets, and after them the page that stands in their place where no kernel runs."""
        self._session.wait(FIRST_RESULT)
        if not self._closed:
            display({**self._layout.root._repr_mimebundle_(), "text/plain": _NO_WIDGETS}, raw=True)  # type: ignore[no-untyped-call]
        self._saved.show()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The widgets, and beside them what a page without a kernel shows instead: the result as it stands now.

        A saved page keeps what it was given when the cell ran, so a first result that is due is waited for.
        """
        del include, exclude
        self._session.wait(FIRST_RESULT)
        if self._closed:
            return self._page()
        return {**self._layout.root._repr_mimebundle_(), **self._page()}

    def _page(self) -> dict[str, str]:
        """The result as it stands, for readers without a kernel. Its element ids are not those of the widgets."""
        screen = replace(self._session.screen, bench=f"{self._bench}-saved")
        return {"text/plain": static_text(screen), "text/html": static_html(screen)}

    def _on_screen(self, _: Screen) -> None:
        self._repaint()

    def _repaint(self) -> None:
        self._painter.offer(None)

    def _paint(self) -> None:
        """Show what is current. Runs on the painter's thread alone."""
        try:
            screen = self.screen
            with self._lock:
                view = self._view
            self._show_source()
            for panel, error in self._layout.paint(screen, view):
                self._report(f"Panel {panel.replace('_', ' ')}", error)
            with self._lock:
                errors = list(self._errors)
            self._layout.show_errors(errors)
            if screen.state is not RunState.RUNNING:
                self._saved.renew()
        except Exception as error:  # noqa: BLE001 - an exception on this thread would end all painting, unseen
            self._report("Painting", error)

    def _show_source(self) -> None:
        """Put a text from elsewhere (an example, a file, an undo) into the editor, never over what is typed."""
        with self._lock:
            text = self._session.text
            if self._typed or text == self._seen:
                return
            self._seen = text
        self._layout.paste.set_text(text)

    def _on_text(self, text: str, name: str, typed: bool) -> None:
        with self._lock:
            self._typed += 1
        try:
            self._session.set_text(text, name, typed=typed)
        finally:
            with self._lock:
                # The editor has it already.
                self._typed, self._seen = self._typed - 1, text
        self._repaint()

    def _on_act(self, act: Act) -> None:
        looked = panels.looked(self._view, act.act, act.k, act.value)
        if looked is not None:
            with self._lock:
                self._view = looked
        elif act.act == "dismiss":
            with self._lock:
                self._errors.clear()
        elif act.act == "jump-diagnostic":
            self._select(int(act.k))
        elif act.act.startswith("copy-"):
            self._copy(act.act)
        elif act.act not in ("paste", "open"):  # done in the browser, where the click is
            apply(act, self._session)
        self._repaint()

    def _select(self, index: int) -> None:
        reading = self._session.screen.reading
        if reading is None or not 0 <= index < len(reading.diagnostics):
            return
        place = reading.diagnostics[index].place
        if place.start is not None:
            self._layout.paste.select(place.start, place.start if place.end is None else place.end)

    def _copy(self, act: str) -> None:
        screen = self._session.screen
        found = Copied(why_text(screen)) if act == "copy-why" else copied(act, screen, self.result)
        if found.text:
            # The bar is on screen whatever else is.
            self._layout.surfaces["bar"].copy_text(found.text)
        if found.notice is not None:
            self._session.tell(found.notice)

    def _guarded(self, handler: Callable[..., None]) -> Callable[..., None]:
        def guarded(*arguments: Any) -> None:
            try:
                if not self._closed:
                    handler(*arguments)
            except Exception as error:  # noqa: BLE001 - Jupyter shows nobody what a callback raises
                self._report("Handling the last input", error)
                self._repaint()

        return guarded

    def _report(self, what: str, error: Exception) -> None:
        """Keep an error for the screen: its kind only, since its text may quote the conversation."""
        said = (f"{what} failed: {type(error).__name__}.", "Undo the last input, or make a new bench.")
        if isinstance(error, NotUsable):
            said = (str(error), "")
        with self._lock:
            if said not in self._errors:
                self._errors = [*self._errors, said][-_ERRORS:]
