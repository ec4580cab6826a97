"""The judges' rubrics and reply schemas, and the loader that reads them from the package.

Each set has a version that is recorded with every decision: its name and 12 hexadecimal digits of its content, so any
changed word changes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

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
    if name not in VGR_PROMPTS:
        raise KeyError(f"no prompt {name!r}; there are {', '.join(VGR_PROMPTS)}")
    return _text("vgr", f"{name}.md")


@cache
def vgr_prompt_set() -> str:
    """The version of the VGR rubrics."""
    return _version("vgr", ((name, vgr_prompt(name)) for name in VGR_PROMPTS))


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
    return _text("cutoffs", "letters.md")


@cache
def cutoffs_prompt_set() -> str:
    """The version of the route question's own instructions and of the rubric that asks it in letters."""
    return _version("cutoffs", (("route", route_instructions()), ("letters", letters_instructions())))


def _text(folder: str, name: str) -> str:
    return files(__name__).joinpath(folder, name).read_text(encoding="utf-8").strip("\n")


def _version(name: str, parts: Iterable[tuple[str, str]]) -> str:
    digest = sha256()
    for part, text in parts:
        digest.update(f"{part}\0{text}\0".encode())
    return f"{name}-{digest.hexdigest()[:12]}"
