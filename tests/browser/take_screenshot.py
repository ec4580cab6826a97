"""Takes the README's picture of the bench in a real JupyterLab: light theme, 1600 px wide, down to the scores.

Run by `make screenshot`; the argument is the file to write.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import nbformat
from bench_page import Bench
from chromium import ARGUMENTS, find_chromium, install_chromium
from lab_page import LabPage
from lab_server import LabServer
from playwright.sync_api import expect, sync_playwright

#: Pixels of the bench in the picture, and of a page that shows it whole beside what is Lab's own.
WIDTH = 1600
_FRAME, _PAGE_HEIGHT = 160, 1600
#: Pixels left below the last panel in the picture.
_MARGIN = 8
_CELL = """from routing_workbench import Workbench
bench = Workbench()
bench"""
_EXAMPLE = "agent-ledgerlite-last-line.json"


def take(picture: Path) -> None:
    """Write the picture. Raises RuntimeError without a browser, and an error of playwright's where the bench fails."""
    browser = find_chromium() or install_chromium()
    if browser is None:
        raise RuntimeError("No Chromium found and none could be installed. Install one, or name it: CHROMIUM=/path")
    with tempfile.TemporaryDirectory() as folder, LabServer(Path(folder)) as server, sync_playwright() as playwright:
        notebook = Path(folder) / "bench.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(_CELL)]), notebook)
        chromium = playwright.chromium.launch(executable_path=browser, args=list(ARGUMENTS))
        lab = LabPage(chromium.new_page(), server)
        lab.open_notebook(notebook)
        lab.resize(WIDTH + _FRAME, _PAGE_HEIGHT)
        lab.run_all()
        bench = Bench(lab)
        width = bench.root.evaluate("root => root.getBoundingClientRect().width")
        lab.resize(round(2 * WIDTH + _FRAME - width), _PAGE_HEIGHT)
        bench.setting("example").first.select_option(_EXAMPLE)
        expect(bench.word).to_have_text("LOCAL")
        bench.expect_mark(0, 0.96, "square")
        bench.root.evaluate("root => root.scrollIntoView()")
        box, scores = bench.root.bounding_box(), bench.root.locator(".pair:visible").first.bounding_box()
        assert box is not None
        assert scores is not None
        top = box["y"] + 1  # below the shadow of Lab's toolbar
        height = scores["y"] + scores["height"] + _MARGIN - top
        lab.page.screenshot(path=picture, clip={"x": box["x"], "y": top, "width": WIDTH, "height": height})
        chromium.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]))
