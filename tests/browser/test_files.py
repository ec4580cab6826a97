"""Files and long texts in a real browser: by path, by drop, listed where they are large, left by Cancel, taken back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench_page import Bench
from playwright.sync_api import expect

MEGABYTE = 1_000_000
FIRST = "User: how high is the tide?"


@pytest.fixture
def pasted(bench: Bench) -> Bench:
    """The bench with a short conversation."""
    bench.paste(FIRST)
    expect(bench.panel("verdict").locator(".word")).to_be_visible()
    bench.settle()
    return bench


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """A pipe that is open to be written to, and never ends by itself."""
    path = tmp_path / "slow-pipe"
    os.mkfifo(path)
    to = os.open(path, os.O_RDWR)
    yield path, to
    os.close(to)


def talks(count: int, chars: int) -> str:
    """Requests, one a line."""
    return "".join(
        json.dumps({"messages": [{"role": "user", "content": f"Question {number}? " + "word " * (chars // 5)}]}) + "\n"
        for number in range(count)
    )


def by_path(bench: Bench, path: Path) -> None:
    """Open a file by its path, as a user does."""
    field = bench.root.get_by_label("Path on the kernel's machine")
    if not field.is_visible():
        bench.setting("conversation:path").click()
    field.fill(str(path))
    field.press("Enter")


def test_a_file_is_opened_by_its_path(pasted: Bench, tmp_path: Path) -> None:
    """And what cannot be opened is said, with the next step, while what was there stays."""
    path = tmp_path / "talk.txt"
    path.write_text("User: is this a <b>file</b>?", encoding="utf-8")
    by_path(pasted, tmp_path / "none.txt")
    notice = pasted.root.locator("[data-k=notice]")
    expect(notice).to_contain_text(f"There is no file {tmp_path}/none.txt on the kernel's machine. Check the path.")
    expect(pasted.editor).to_have_value(FIRST)
    by_path(pasted, path)
    expect(pasted.editor).to_have_value("User: is this a <b>file</b>?")
    expect(notice).to_have_count(0)
    expect(pasted.root.locator(".rw-conversation .ph")).to_contain_text("talk.txt")


def test_progress_shows_and_cancel_ends_it(pasted: Bench, pipe: tuple[Path, int]) -> None:
    """In the panel and in the bar; the conversation before it stands."""
    path, to = pipe
    by_path(pasted, path)
    expect(pasted.status).to_contain_text("Reading slow-pipe, 0.0 MB so far")
    for _ in range(40):
        os.write(to, b"x" * 50_000)
    opening = pasted.root.locator("[data-k=opening]")
    expect(opening).to_contain_text("Reading slow-pipe, 2.0 MB so far")
    expect(pasted.root.locator("[data-k=primary]")).to_have_text("Cancel")
    pasted.root.locator("[data-k=primary]").click()
    expect(opening).to_have_count(0)
    expect(pasted.root.locator("[data-k=notice]")).to_contain_text("Opening slow-pipe was cancelled.")
    expect(pasted.editor).to_have_value(FIRST)
    expect(pasted.root.locator("[data-k=primary]")).to_have_text("Run again")


def test_a_large_file_is_listed_filtered_and_one_is_loaded(pasted: Bench, tmp_path: Path) -> None:
    """100 kB each, 250 of them; a broken line is said."""
    path = tmp_path / "talks.jsonl"
    path.write_text(talks(125, 100_000) + '{"messages": [\n' + talks(125, 100_000), encoding="utf-8")
    by_path(pasted, path)
    listing = pasted.root.locator("[data-k=listing]")
    expect(listing).to_contain_text("251 conversations in talks.jsonl, 25.0 MB")
    expect(listing).to_contain_text("1 line is no JSON object: 126.")
    expect(listing.locator("li")).to_have_count(200)
    pasted.setting("conversations:more").click()
    expect(listing.locator("li")).to_have_count(251)
    listing.get_by_label("Filter by title").fill("question 77?")
    expect(listing.locator("li")).to_have_count(2)
    listing.locator("li button").first.click()
    expect(listing).to_contain_text("Number 78 is loaded.")
    expect(pasted.root.locator(".counts")).to_contain_text("100,013 chars")
    pasted.setting("undo").click()
    expect(listing).to_have_count(0)
    expect(pasted.editor).to_have_value(FIRST)


def test_twelve_megabytes_are_pasted(pasted: Bench) -> None:
    """Over what is read as one types: the number is said, and Apply sends it in pieces the connection bears."""
    text = json.dumps({"messages": [{"role": "user", "content": "a" * 12 * MEGABYTE}]})
    pasted.paste(text)
    foot = pasted.root.locator(".rw-paste-foot")
    expect(foot).to_contain_text(f"{len(text):,} chars, over the 1,000,000 that are read as you type.")
    foot.get_by_role("button", name="Apply").click()
    expect(pasted.root.locator(".counts")).to_contain_text("12,000,000 chars")
    assert pasted.lab.execute("print(len(bench._session.text))") == f"{len(text)}\n"
    pasted.setting("undo").click()
    expect(pasted.editor).to_have_value(FIRST)
    expect(pasted.root.locator(".counts")).to_contain_text("21 chars")


def test_a_dropped_file_of_twenty_megabytes_is_listed(pasted: Bench) -> None:
    """It has no path, and is a list all the same."""
    pasted.drop("dropped.jsonl", talks(3, 20).encode())
    expect(pasted.root.locator(".choose li")).to_have_count(3)
    pasted.page.evaluate(
        """([area, line]) => {
          const data = new DataTransfer();
          data.items.add(new File([line.repeat(200)], "many.jsonl"));
          area.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        [pasted.editor.element_handle(), talks(1, 100_000)],
    )
    listing = pasted.root.locator("[data-k=listing]")
    expect(listing).to_contain_text("200 conversations in many.jsonl, 20.0 MB")
    expect(pasted.editor).to_have_value("")


def test_what_is_dropped_beside_the_editor_is_read(pasted: Bench) -> None:
    """Anywhere on the panel; two files are one too many."""
    head = pasted.root.locator(".rw-conversation .ph").first
    pasted.drop_on(head, ["beside.txt"], b"User: beside?")
    expect(pasted.editor).to_have_value("User: beside?")
    pasted.drop_on(head, ["one.txt", "two.txt"], b"User: two?")
    expect(pasted.root.locator(".rw-paste-foot")).to_contain_text(
        "2 files were dropped. One is read at a time: drop one."
    )
    expect(pasted.editor).to_have_value("User: beside?")


def test_an_example_takes_no_paste_away(pasted: Bench) -> None:
    """One step back; and one forward."""
    pasted.root.get_by_label("Examples").select_option(index=1)
    expect(pasted.editor).not_to_have_value(FIRST)
    expect(pasted.root.locator("[data-k=history]")).to_contain_text("takes back the choice of")
    pasted.setting("undo").click()
    expect(pasted.editor).to_have_value(FIRST)
    pasted.setting("redo").click()
    expect(pasted.editor).not_to_have_value(FIRST)


def test_an_edit_moves_the_route_and_can_be_taken_back(pasted: Bench) -> None:
    """The pasted text stays as it was; the panel counts the edits."""
    pasted.lab.execute("bench.edit_message(0, 0, 'how high is the hill?')")
    history = pasted.root.locator("[data-k=history]")
    expect(history).to_contain_text("1 edit")
    expect(pasted.editor).to_have_value(FIRST)
    expect(pasted.panel("messages")).to_contain_text("how high is the hill?")
    pasted.setting("undo").click()
    expect(history).to_contain_text("Not edited")
    expect(pasted.panel("messages")).to_contain_text("how high is the tide?")


def test_a_conversation_is_copied_in_another_format(pasted: Bench) -> None:
    """And it is said how much was."""
    text = pasted.copied("copy-openai-chat")
    assert json.loads(text)["messages"] == [{"role": "user", "content": "how high is the tide?"}]
    expect(pasted.root.locator("[data-k=notice]")).to_contain_text(f"Copied {len(text):,} chars.")
