"""One bench on a page: the words by which tests paste, set and read it."""

from __future__ import annotations

from dataclasses import dataclass

from lab_page import PATIENCE, LabPage
from playwright.sync_api import Locator, expect

CELL = """from routing_workbench import Workbench
bench = Workbench()
bench"""

#: Puts a bench back to where it began; a new one would load plotly again.
_RESET = """from dataclasses import fields, replace
from routing_workbench.widgets import panels
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.algorithms.cutoffs import NO_CUTOFFS
from routing_workbench.workbench.algorithms.escalation import NO_ESCALATION
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.driving import Drivers
from routing_workbench.workbench.history import History
def _anew(desk=bench._session._desk):
    desk._drivers, desk._named, desk._escalation._chosen = Drivers(), "", None
    shown = {"cutoffs": NO_CUTOFFS, "escalation": NO_ESCALATION, "controls_baseline": None}
    desk._display.screen = replace(desk.screen, **shown)
    desk._show_panel()
bench._view = panels.START
bench._errors.clear()
bench._session.set_driver(MockDriver())
bench._session._post(_anew)
bench._session.choose_algorithm(Algorithm.VGR)
bench._session.set_controls(**{of.name: getattr(Controls(), of.name) for of in fields(Controls)})
bench._session.cancel()
bench._session.set_text("")
def _forget(intake=bench._session._desk.intake):
    intake._history = History()
    intake.tell(None)
bench._session._post(_forget)"""

_LIVE = """from routing_workbench.core.vgr.evidence import Origin, OriginKind
from routing_workbench.workbench.drivers.mock import MockDriver
class Live(MockDriver):
    origin = Origin(OriginKind.LIVE, "{label}")
bench._session.set_driver(Live())"""

#: Pixels of the chart beside its axis, and of one lane (widgets/figures.py draws by them, a person sees them).
MARGIN = 6
LANE = 50

_ALL_DRAWN = """([chart, lane, value, shape]) => {
  const svg = chart.querySelector(".main-svg");
  if (!svg) return false;
  const home = svg.getBoundingClientRect();
  const marks = [...chart.querySelectorAll(".scatterlayer path.point")].map((node) => {
    const box = node.getBoundingClientRect();
    const x = box.x + box.width / 2 - home.x, y = box.y + box.height / 2 - home.y;
    return { lane: Math.floor(y / LANE), x, round: node.getAttribute("d").includes("A") };
  }).filter((mark) => mark.lane === lane);
  if (value === null) return marks.length === 0;
  const wanted = MARGIN + value * (Math.round(home.width) - 2 * MARGIN);
  return marks.length === 1 && Math.abs(marks[0].x - wanted) < 0.05 && marks[0].round === (shape === "circle");
}""".replace("LANE", str(LANE)).replace("MARGIN", str(MARGIN))

_READ_CHART = """(chart) => {
  const home = chart.querySelector(".main-svg").getBoundingClientRect();
  const boxed = (node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return { x: x - home.x, y: y - home.y, width, height, stroke: parseFloat(node.style.strokeWidth),
      round: (node.getAttribute("d") ?? "").includes("A"), text: node.textContent };
  };
  const all = (selector) => [...chart.querySelectorAll(selector)].map(boxed);
  return { width: home.width, marks: all(".scatterlayer path.point"), shapes: all(".shapelayer path"),
    labels: all(".annotation-text") };
}"""


#: The algorithms whose panes are visible, each once.
_PANES = """root => [...new Set([...root.querySelectorAll(".rw-pane")].filter((pane) => pane.checkVisibility())
  .flatMap((pane) => [...pane.classList].filter((name) => name.startsWith("rw-of-")))
  .map((name) => name.slice("rw-of-".length)))]"""

#: Beside the driver's own panel and badge, and what is computed here.
_ORIGINS = """root => [...root.querySelectorAll(".o:not(.badge, .computed)")]
  .filter((node) => node.checkVisibility() && !node.closest("[data-k=driver]"))
  .map((node) => [node.textContent, node.title])"""

_COPIED = """async () => {
  for (const end = performance.now() + 20000; performance.now() < end; await new Promise(requestAnimationFrame)) {
    const text = await navigator.clipboard.readText();
    if (text !== "before") return text;
  }
}"""

_DROP = """([area, names, start, zeros]) => {
  const data = new DataTransfer();
  for (const name of names) data.items.add(new File([new Uint8Array(start), new Uint8Array(zeros)], name));
  for (const kind of ["dragover", "drop"])
    area.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@dataclass(frozen=True)
class Lane:
    """What is drawn in one lane of the chart, positions on the axis from 0 to 1, read from pixels on screen."""

    #: Position and shape, `square` or `circle`; None where the lane has no mark.
    mark: tuple[float, str] | None
    #: Position and stroke width of each bar, from left to right.
    bars: list[tuple[float, float]]
    #: Where the tinted side begins and ends; None where there is none.
    zone: tuple[float, float] | None


class Bench:
    """The bench that a code cell shows."""

    def __init__(self, lab: LabPage, cell: int = 0) -> None:
        self.lab = lab
        self.page = lab.page
        self.root = lab.output(cell).locator(".rw:not(.rw-static)")
        self.editor = self.root.get_by_label("Conversation text")
        # Each algorithm's pane has a verdict card; the others are hidden.
        self.verdict = self.root.locator("[data-k=verdict]:visible")
        self.word = self.verdict.locator(".word")
        self.reason = self.verdict.locator(".reason")
        self.status = self.root.locator(".bar .status")
        self.chart = self.root.locator(".rw-chart")

    def panel(self, name: str) -> Locator:
        """The panel on screen of this key: messages, why, timeline, judge, driver ..."""
        return self.root.locator(f"section[data-k={name}]:visible")

    def tab(self, algorithm: str) -> Locator:
        """The tab of an algorithm: vgr, cutoffs or escalation."""
        return self.root.locator(f"[role=tab][data-k={algorithm}]")

    def bring(self, algorithm: str) -> None:
        """Put an algorithm on screen by its tab, and wait until all of it is painted."""
        self.tab(algorithm).click()
        expect(self.tab(algorithm)).to_have_attribute("aria-selected", "true")
        self.settle()

    def shows(self, algorithm: str) -> None:
        """Check that this algorithm's panes are on screen, and no other's."""
        assert self.root.evaluate(_PANES) == [algorithm]

    def copied(self, act: str) -> str:
        """What lands on the clipboard by the button of this act."""
        self.page.evaluate("() => navigator.clipboard.writeText('before')")
        self.setting(act).click()
        text: str = self.page.evaluate(_COPIED)
        return text

    def take(self, act: str, text: str) -> None:
        """Enter a text into a field that has a button of its own, and press that."""
        button = self.setting(act)
        button.locator("xpath=ancestor::*[@data-form]").locator("[data-keep]").fill(text)
        button.click()

    def choice(self, key: str) -> Locator:
        """The button that chooses this driver: mock, live or `cassette:<name>`."""
        return self.panel("driver").locator(f"[data-act=driver][value='{key}']")

    def origins(self) -> list[tuple[str, str]]:
        """Kind and label of each origin that stands beside a value of the evidence on screen, each once."""
        found: list[list[str]] = self.root.evaluate(_ORIGINS)
        return sorted({(kind, label) for kind, label in found})

    def go_live(self, label: str = "judge-8b @ 127.0.0.1") -> None:
        """Have a driver answer that counts as live, so that nothing runs by itself; it is the mock in disguise."""
        self.lab.execute(_LIVE.format(label=label))

    def message(self, turn: int) -> Locator:
        """The row of a message, by its index in `Request.turns`, where it is near enough to be in the page."""
        return self.row("messages", f"m{turn}")

    def row(self, panel: str, key: str) -> Locator:
        """A row of a panel by its key."""
        return self.panel(panel).locator(f"[data-k='{key}']")

    def setting(self, act: str) -> Locator:
        """The control on screen that reports this act, such as `rung:readout:answer`."""
        return self.root.locator(f"[data-act='{act}']:visible")

    def reset(self) -> None:
        """Empty the bench and put everything back to where it began."""
        self.page.evaluate("() => document.activeElement.blur()")  # a field that is left reports what is in it
        self.settle()
        self.lab.execute(_RESET)
        self.wait_until_empty()

    def wait_until_empty(self) -> None:
        """Wait until the bench stands and holds nothing."""
        expect(self.reason).to_have_text("Paste a conversation to see its route.")
        expect(self.editor).to_have_value("")

    def settle(self) -> None:
        """Wait until every input so far is taken, run and painted."""
        self.lab.execute("assert bench._session.wait(30) and bench._painter.settle(30)")

    def paste(self, text: str) -> None:
        """Replace the editor's text through the clipboard, as a user does."""
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.editor.focus()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.press("ControlOrMeta+V")

    def drop(self, name: str, content: bytes, zeros: int = 0) -> None:
        """Drop a file on the editor; `zeros` zero bytes follow its content."""
        self.drop_on(self.editor, [name], content, zeros)

    def drop_on(self, target: Locator, names: list[str], content: bytes, zeros: int = 0) -> None:
        """Drop files of the same content on a part of the bench."""
        self.page.evaluate(_DROP, [target.element_handle(), names, list(content), zeros])

    def slide(self, act: str, hundredths: int) -> None:
        """Move a slider by its keys to so many hundredths."""
        slider = self.slider(act)
        slider.press("Home")
        for _ in range(hundredths):
            slider.press("ArrowRight")

    def slider(self, act: str) -> Locator:
        """The slider of a number's two inputs."""
        return self.root.locator(f"input[type=range][data-act='{act}']:visible")

    def expect_mark(self, lane: int, value: float | None, shape: str = "") -> None:
        """Wait until the lane's mark stands at this value of the axis, to a twentieth of a pixel, in this shape."""
        chart = self.chart.element_handle()
        self.page.wait_for_function(_ALL_DRAWN, arg=[chart, lane, value, shape], timeout=PATIENCE)

    def drawn(self, lane: int) -> Lane:
        """What stands in a lane, counted from 0."""
        chart = self.chart.evaluate(_READ_CHART)
        width = round(chart["width"]) - 2 * MARGIN  # plotly draws in whole pixels
        top = lane * LANE

        def at(pixel: float) -> float:
            return round((pixel - MARGIN) / width, 4)

        inside = [one for one in chart["shapes"] if top <= one["y"] < top + LANE]
        bars = sorted((at(one["x"]), one["stroke"]) for one in inside if one["width"] == 0)
        zones = [one for one in inside if one["width"] and one["height"]]
        marks = [one for one in chart["marks"] if top <= one["y"] < top + LANE]
        assert len(marks) <= 1, f"lane {lane} has {len(marks)} marks"
        mark = None
        for one in marks:
            mark = at(one["x"] + one["width"] / 2), "circle" if one["round"] else "square"
        return Lane(
            mark=mark,
            bars=bars,
            zone=(at(zones[0]["x"]), at(zones[0]["x"] + zones[0]["width"])) if zones else None,
        )

    def labels(self) -> list[str]:
        """The words drawn in the chart."""
        return [label["text"] for label in self.chart.evaluate(_READ_CHART)["labels"]]
