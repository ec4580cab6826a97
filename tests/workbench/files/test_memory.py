"""Listing 100 MB of sessions: memory stays below three times the largest conversation and 50 MB."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

MEGABYTE = 1_000_000

MEASURE = """
import json, resource, sys, time
from pathlib import Path
from routing_workbench.workbench.files.headway import Headway
from routing_workbench.workbench.files.opening import open_path

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

before = peak()
opened = open_path(Path(sys.argv[1]), Headway())
index = opened.large.index
print(json.dumps({
    "grown": peak() - before,
    "conversations": len(index),
    "largest": max(sum(length for _, length in index.spans(at)) for at in (0, 1, len(index) - 1)),
    "title": index.title(1),
}))
"""


def sessions(path: Path, size: int) -> int:
    """Write sessions of 50 records each; gives how many."""
    text = "The tide turned, and the ledger was empty. " * 40
    count = 0
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < size:
            for turn in range(50):
                role = "user" if turn % 2 == 0 else "assistant"
                record = {
                    "parentUuid": None,
                    "isSidechain": False,
                    "sessionId": f"session-{count}",
                    "version": "1.0.30",
                    "type": role,
                    "message": {"role": role, "content": f"Session {count}, turn {turn}. {text}"},
                    "uuid": f"{count}-{turn}",
                    "timestamp": "2025-07-01T10:00:00.000Z",
                }
                file.write(json.dumps(record) + "\n")
            count += 1
    return count


def images(path: Path, size: int) -> int:
    """Write requests of 12 MB each, of an image each; gives how many."""
    text = "iVBORw0KGgo" * (12 * MEGABYTE // 11)
    count = 0
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < size:
            part = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{text}"}}
            content = [{"type": "text", "text": f"Session {count}, turn 0."}, part]
            file.write(json.dumps({"messages": [{"role": "user", "content": content}]}) + "\n")
            count += 1
    return count


@pytest.mark.parametrize("write", [sessions, images])
def test_listing_a_large_file_takes_little_memory(tmp_path, write):
    """In a process of its own, since memory once used is not given back."""
    path = tmp_path / "large.jsonl"
    count = write(path, 100 * MEGABYTE)
    made = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=False, timeout=120
    )
    assert made.returncode == 0, made.stderr
    found = json.loads(made.stdout)
    assert found["conversations"] == count
    assert found["grown"] < 3 * found["largest"] + 50 * MEGABYTE
