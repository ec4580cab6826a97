"""The judges' rubrics and reply schemas, and the loader that reads them from the package.

Each set has a version that is recorded with every decision: its name and 12 hexadecimal digits of its content, so any
changed word changes it.

A rubric whose reply is read from its first token has a closing: what is asked, once more, behind the material. Small
models go on with the material otherwise, and whatever the material says to the judge, the last word is ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

#: The line between a rubric and its closing.
_CLOSES: Final = "\n\n---\n"

#: The rubrics of verification-gated routing, one file each in `prompts/vgr/` (SPEC 7).
VGR_PROMPTS: tuple[str, ...] = (
    "answer_verifier",
    "cloud_judge",
    "deliberation",
    "evidence_confirm",
    "evidence_strict",
    "evidence_verifier",
    "readout",
    "turn_check",
    "typing",
    "witness",
)


@cache
def vgr_prompt(name: str) -> str:
    """The rubric of this name, without the final newline; raises KeyError for a name that is none of `VGR_PROMPTS`."""
    return _vgr(name)[0]


@cache
def vgr_closing(name: str) -> str:
    """What is asked behind this rubric's material; empty where it has none. Raises KeyError for an unknown name."""
    return _vgr(name)[1]


@cache
def vgr_prompt_set() -> str:
    """The version of the VGR rubrics."""
    return _version("vgr", ((name, vgr_prompt(name) + _CLOSES + vgr_closing(name)) for name in VGR_PROMPTS))


@cache
def escalation_prompt() -> str:
    """The escalation judge's rubric (SPEC 6.2), without the final newline."""
    return _text("escalation", "judge.md")


def escalation_schema() -> dict[str, Any]:
    """The schema of the escalation judge's reply: `name` and `schema`, as a `json_schema` response format has them."""
    schema: dict[str, Any] = json.loads(_text("escalation", "verdict.json"))
    return schema


@cache
def escalation_prompt_set() -> str:
    """The version of the escalation judge's rubric and schema."""
    return _version("escalation", (("judge", escalation_prompt()), ("verdict", json.dumps(escalation_schema()))))


@cache
def route_instructions() -> str:
    """The instructions of the route question where the configuration gives none (SPEC 6.1); they name labels only."""
    return _text("cutoffs", "route.md")


@cache
def letters_instructions() -> str:
    """The rubric of a choice asked of a chat model, one letter a label; the question and its context follow it."""
    return _text("cutoffs", "letters.md").partition(_CLOSES)[0]


def letters_closing(options: Mapping[str, str]) -> str:
    """What is asked behind that question: its options again, by their letters."""
    # On one line each, whatever a label holds.
    lines = [f"{letter}. {' '.join(label.split())}" for letter, label in options.items()]
    return _letters_closing().replace("{options}", "\n".join(lines))


@cache
def cutoffs_prompt_set() -> str:
    """The version of the route question's own instructions and of the rubric that asks it in letters."""
    letters = letters_instructions() + _CLOSES + _letters_closing()
    return _version("cutoffs", (("route", route_instructions()), ("letters", letters)))


def _vgr(name: str) -> tuple[str, str]:
    if name not in VGR_PROMPTS:
        raise KeyError(f"no prompt {name!r}; there are {', '.join(VGR_PROMPTS)}")
    rubric, _, closing = _text("vgr", f"{name}.md").partition(_CLOSES)
    return rubric, closing


def _letters_closing() -> str:
    return _text("cutoffs", "letters.md").partition(_CLOSES)[2]


def _text(folder: str, name: str) -> str:
    return files(__name__).joinpath(folder, name).read_text(encoding="utf-8").strip("\n")


def _version(name: str, parts: Iterable[tuple[str, str]]) -> str:
    digest = sha256()
    for part, text in parts:
        digest.update(f"{part}\0{text}\0".encode())
    return f"{name}-{digest.hexdigest()[:12]}"
