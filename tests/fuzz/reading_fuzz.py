"""`make fuzz`: feed what coverage-guided mutation makes of all test pastes to the reader, for a bounded time.

A paste that breaks a promise of reading ends the run and is kept in the folder that is named; it then becomes a paste
of `tests/core/conversation/found.toml`, with what is right to be said of it.
"""

from __future__ import annotations

import json
import random
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import atheris  # type: ignore[import-not-found]  # installed by `make fuzz` alone

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))
with atheris.instrument_imports(include=["routing_workbench.core.conversation"]):
    from readings import LOSSLESS, exported, placed, steady, well, words_lost
    from routing_workbench.core.conversation import read
    from routing_workbench.core.conversation.formats import FORMATS

#: A paste longer than this tells nothing that a shorter one does not.
LONGEST = 6_000
#: Of so many lengths, one is read again, and what was read is exported and read back.
THOROUGH = 4
NAMES = [None, None, None, *(one.name for one in FORMATS)]
#: Values that are where another is due.
ODD: list[Any] = [None, True, 0, -1, 1.5, "", "x", [], {}, [[]], [{}], {"type": "text"}, "{}", "[", "\ud800", "\x00"]


def check(data: bytes) -> None:
    """Read one paste: the last byte says what it is read as, the rest is its text."""
    if not data:
        return
    text, force = data[:-1].decode("utf-8", "surrogateescape"), NAMES[data[-1] % len(NAMES)]
    found = read(text, force=force)
    well(found)
    placed(text, found)
    if found.format is not None and found.format.name in LOSSLESS:
        lost = words_lost(text, found)
        assert not lost, lost
    if len(data) % THOROUGH == 0:
        steady(text, found, force)
        exported(found)


def mutated(data: bytes, longest: int, seed: int) -> bytes:
    """Half of the time a change of one value in the JSON, or of one record; else of the bytes."""
    draw = random.Random(seed)
    body, how = data[:-1], data[-1:] or b"\0"
    if draw.random() < 0.5:
        return bytes(atheris.Mutate(data, longest))
    if draw.random() < 0.2:
        how = bytes([draw.randrange(256)])
    try:
        value = json.loads(body)
        made = json.dumps(_changed(value, draw), ensure_ascii=draw.random() < 0.5).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        lines = body.split(b"\n")
        at = draw.randrange(len(lines))
        try:
            lines[at] = json.dumps(_changed(json.loads(lines[at]), draw)).encode()
        except (ValueError, RecursionError):
            lines[at : at + 1] = draw.choice([[], [lines[at]] * 2, [draw.choice(lines)]])
        made = b"\n".join(lines)
    return made[: longest - 1] + how


def _changed(value: Any, draw: random.Random) -> Any:
    """The value with one thing in it changed: replaced, taken away, doubled, moved or renamed."""
    places = list(_places(value))
    if not places:
        return draw.choice(ODD)
    holder, key = draw.choice(places)
    way = draw.randrange(6)
    if way == 0:
        holder[key] = draw.choice(ODD)
    elif way == 1:
        del holder[key]
    elif way == 2:
        other, at = draw.choice(places)
        holder[key] = json.loads(json.dumps(other[at]))
    elif way == 3:
        holder[key] = json.dumps(holder[key])
    elif isinstance(holder, list):
        holder.insert(draw.randrange(len(holder) + 1), holder[key])
    else:
        holder[str(draw.choice(places)[1])] = holder.pop(key)
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every holder and key (or index) in a value."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        for key in list(one) if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ():
            yield one, key
            waiting.append(one[key])


def seeds(folder: Path) -> None:
    """Write every paste of the tests that is short enough to a folder, to be mutated."""
    pastes = [path.read_bytes() for path in (TESTS / "cases").glob("*/input.*")]
    for path in (TESTS / "core" / "conversation").glob("*.toml"):
        pastes += [one["text"].encode() for one in tomllib.loads(path.read_text("utf-8"))["paste"]]
    for number, paste in enumerate(pastes):
        if len(paste) < LONGEST:
            (folder / f"paste-{number}").write_bytes(paste + b"\0")


if __name__ == "__main__":
    work = Path(sys.argv[1])
    found, corpus = work / "found", work / "corpus"
    for one in (found, corpus):
        one.mkdir(parents=True, exist_ok=True)
    seeds(corpus)
    print(f"What breaks reading is kept in {found}.", flush=True)
    options = [f"-artifact_prefix={found}/", f"-max_len={LONGEST}", "-timeout=20", "-rss_limit_mb=2048"]
    atheris.Setup([sys.argv[0], str(corpus), *options, *sys.argv[2:]], check, custom_mutator=mutated)
    atheris.Fuzz()
