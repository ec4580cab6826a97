"""One browser page in JupyterLab: opens notebooks, runs them, and remembers what a test must not see."""

from __future__ import annotations

import itertools
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
from lab_server import LabServer
from playwright.sync_api import ConsoleMessage, Dialog, Locator, Page, Request, WebSocket, expect
from playwright.sync_api import TimeoutError as BrowserTimeout

#: Milliseconds for one thing to appear, and for one attempt to run every cell.
PATIENCE = 30_000
_RUN = 15_000
_RUNS = 4

_LOOPBACK = {"127.0.0.1", "localhost"}
#: Schemes that reach no network.
_LOCAL_SCHEMES = {"data", "blob", "about"}
#: Every code cell has an execution count, and not the one it had before. What Lab scrolled away has no innerText.
_ALL_COUNTED = r"""before => {
  const now = [...document.querySelectorAll(".jp-Notebook .jp-CodeCell .jp-InputPrompt")].map(p => p.textContent);
  return now.length > 0 && now.every((prompt, i) => /\[\d+\]/.test(prompt) && prompt !== before[i]);
}"""
_KERNEL_READY = """() => {
  const kernel = window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
  return kernel?.connectionStatus === "connected" && kernel.status === "idle";
}"""
_COMMAND = """([name, args, patience]) => Promise.race([
  window.jupyterapp.commands.execute(name, args).then(() => null),
  new Promise((_, fail) => setTimeout(() => fail(new Error(`${name} did not end`)), patience)),
])"""
_EXECUTE = """code => new Promise((done, fail) => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const future = kernel.requestExecute({ code, store_history: false });
  let printed = "";
  future.onIOPub = ({ header, content }) => {
    if (header.msg_type === "stream") printed += content.text;
    if (header.msg_type === "error") fail(new Error(content.traceback.join("\\n")));
  };
  future.done.then(() => done(printed), fail);
})"""
_workspaces = itertools.count(1)


class LabPage:
    """A page of `server`. `page` is playwright's own, for what this class has no word for."""

    def __init__(self, page: Page, server: LabServer) -> None:
        self.page = page
        self._server = server
        #: Where the notebook lies that was opened last.
        self.path = server.root
        #: Address of each request and websocket, in order.
        self.requests: list[str] = []
        #: Each websocket, in order, whose frames a test may listen to.
        self.websockets: list[WebSocket] = []
        #: Text of each console error and uncaught exception.
        self.errors: list[str] = []
        #: How errors begin that are due to a kernel that was made to forget, and looked for no more after a check.
        self._mixed_up: tuple[str, ...] = ()
        #: Message of each alert, confirm or prompt; each is dismissed.
        self.dialogs: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("request", self._on_request)
        page.on("websocket", self._on_websocket)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self._on_dialog)

    def open_notebook(self, source: Path) -> None:
        """Open a copy of the notebook with its outputs stripped, in a workspace of its own, its kernel ready."""
        notebook = nbformat.read(source, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        # Without a kernel named in it, Lab opens with a question.
        notebook.metadata.setdefault("kernelspec", {"name": "python3", "display_name": "Python 3"})
        number = next(_workspaces)
        name = f"{source.stem}-{number}.ipynb"
        self.path = self._server.root / name
        nbformat.write(notebook, self.path)
        self.page.goto(f"{self._server.url}/lab/workspaces/test-{number}/tree/{name}?token={self._server.token}")
        self.wait_until_drawn()

    def reload(self) -> None:
        """Load the page again, as a user does; the kernel lives on."""
        self.page.reload()
        self.wait_until_drawn()

    def wait_until_drawn(self) -> None:
        """Wait until the notebook is drawn and its kernel connected and idle; running before that opens a question."""
        expect(self.page.locator(".jp-Notebook .jp-Cell").first).to_be_visible(timeout=PATIENCE)
        self.page.wait_for_function(_KERNEL_READY, timeout=PATIENCE)

    def run_all(self) -> None:
        """Run all cells and wait until each has a new count; a run that Lab swallowed is asked for again.

        Lab swallows runs while a kernel starts. A cell that raises leaves the later ones without a count, which fails.
        """
        before = self._prompts()
        for _ in range(_RUNS):
            self.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
            try:
                self.page.wait_for_function(_ALL_COUNTED, arg=before, timeout=_RUN)
            except BrowserTimeout:
                if self._prompts() == before:
                    continue
                self.page.wait_for_function(_ALL_COUNTED, arg=before, timeout=PATIENCE)
            return
        raise AssertionError(f"no cell ran in {_RUNS} tries; prompts: {self._prompts()}")

    @property
    def code_cells(self) -> Locator:
        """The notebook's code cells."""
        return self.page.locator(".jp-Notebook .jp-CodeCell")

    def output(self, cell: int) -> Locator:
        """The output area of a code cell, counted from 0."""
        return self.code_cells.nth(cell).locator(".jp-Cell-outputArea")

    def save(self) -> None:
        """Save the notebook, widget state as Lab saves it."""
        self.command("docmanager:save")

    def saved(self) -> nbformat.NotebookNode:
        """The notebook as Lab saves it, the state of all widgets included, which a user may switch on."""
        toggle = "@jupyter-widgets/jupyterlab-manager:saveWidgetState"
        self.command(toggle)
        self.save()
        self.command(toggle)
        return nbformat.read(self.path, as_version=4)

    def forget_kernel(self) -> None:
        """End the notebook's kernel and load the page again: with what is saved, and a kernel that knows nothing.

        Lab asks that kernel for its widgets. It says on stderr that it has none, from two threads at once; ipykernel
        at times mixes up the parts of that message, and Lab reports it. That is no fault of the bench.
        """
        self._mixed_up = ("Kernel message validation error: Unexpected token 's', \"stream.stderr\"",)
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        self.reload()

    def theme(self, kind: str) -> None:
        """Switch Lab's theme to `light` or `dark` and wait until it stands."""
        name = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}[kind]
        self.command("apputils:change-theme", {"theme": name})
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", str(kind == "light").lower())
        # Lab takes its splash away a little later, and fails where another switch has put it there again by then.
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)

    def resize(self, width: int, height: int = 900) -> None:
        """Set the viewport, in CSS pixels; the left sidebar folds so that the notebook has the width."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")

    def command(self, name: str, args: dict[str, str] | None = None) -> None:
        """Execute one of Lab's commands and wait until it is done; one that never is, fails."""
        self.page.evaluate(_COMMAND, [name, args or {}, PATIENCE])

    def execute(self, code: str) -> str:
        """Run code in the notebook's kernel beside its cells and return what it printed; an exception there fails."""
        printed: str = self.page.evaluate(_EXECUTE, code)
        return printed

    def check(self) -> None:
        """Nothing left loopback, no dialog opened and no error reached the console since the last check."""
        errors = [error for error in self.errors if not error.startswith(self._mixed_up)]
        self._mixed_up = ()
        seen = [self.strangers(), list(self.dialogs), errors]
        for one in (self.requests, self.dialogs, self.errors):
            one.clear()
        assert seen == [[], [], []], f"requests that left loopback, dialogs, errors: {seen}"

    def strangers(self) -> list[str]:
        """The requests that would have left loopback."""
        return [address for address in self.requests if not _stays_home(address)]

    def _prompts(self) -> list[str]:
        return self.code_cells.locator(".jp-InputPrompt").all_text_contents()

    def _on_request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _on_websocket(self, websocket: WebSocket) -> None:
        self.requests.append(websocket.url)
        self.websockets.append(websocket)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _on_dialog(self, dialog: Dialog) -> None:
        if dialog.type == "beforeunload":  # Lab asks whether to leave what is not saved
            dialog.accept()
            return
        self.dialogs.append(dialog.message)
        dialog.dismiss()


def _stays_home(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme in _LOCAL_SCHEMES or parts.hostname in _LOOPBACK
