"""Files of JSON lines, written for a test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Write a file: each part a line, JSON where it is no text."""

    def make(parts: Iterable[Any], name: str = "talks.jsonl", end: str = "\n") -> Path:
        path = tmp_path / name
        lines = [part if isinstance(part, str) else json.dumps(part, ensure_ascii=False) for part in parts]
        path.write_bytes(end.join([*lines, ""]).encode("utf-8"))
        return path

    return make


@pytest.fixture
def chats() -> list[dict[str, Any]]:
    """Three requests, each a conversation."""
    return [
        {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": f"Question {number}"}]}
        for number in range(3)
    ]
