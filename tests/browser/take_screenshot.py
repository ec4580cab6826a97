"""Takes the README's picture of the bench in a real JupyterLab: light theme, 1600 px wide, its upper part.

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

#: Pixels of the bench in the picture: down to where scores and timeline end.
WIDTH, HEIGHT = 1600, 1240
#: What Lab's frame takes beside the bench, at most, and above it.
_FRAME, _ABOVE = 160, 200
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
        lab.resize(WIDTH + _FRAME, HEIGHT + _ABOVE)
        lab.run_all()
        bench = Bench(lab)
        width = bench.root.evaluate("root => root.getBoundingClientRect().width")
        lab.resize(round(2 * WIDTH + _FRAME - width), HEIGHT + _ABOVE)
        bench.setting("example").first.select_option(_EXAMPLE)
        expect(bench.word).to_have_text("LOCAL")
        bench.expect_mark(0, 0.96, "square")
        bench.root.evaluate("root => root.scrollIntoView()")
        box = bench.root.bounding_box()
        assert box is not None
        lab.page.screenshot(path=picture, clip={"x": box["x"], "y": box["y"] + 1, "width": WIDTH, "height": HEIGHT})
        chromium.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]))
