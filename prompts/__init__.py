"""The judges' rubrics and reply schemas, and the loader that reads them from the package."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

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
    return files(__name__).joinpath("vgr", f"{name}.md").read_text(encoding="utf-8").strip("\n")


@cache
def vgr_prompt_set() -> str:
    """The version of the whole set: `vgr-` and 12 hexadecimal digits of its content. Any changed word changes it."""
    digest = sha256()
    for name in VGR_PROMPTS:
        digest.update(f"{name}\0{vgr_prompt(name)}\0".encode())
    return f"vgr-{digest.hexdigest()[:12]}"
