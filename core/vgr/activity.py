"""What an attempt gives away about itself: traces of code work and of tool work (SPEC 2)."""

from __future__ import annotations

import re

from .characters import WHITE_SPACE, at_boundary

#: The test runners and builds whose invocation counts as code work.
RUNNERS = ("pytest", "unittest", "npm test", "npm run", "cargo test", "cargo build", "go test", "make test")

_RUNNER = "|".join(RUNNERS)
_CODE_LINE = re.compile(rf"\n(?:\$ |diff --git|@@ |(?P<runner>(?:[$>] )?(?:{_RUNNER})))")
_TOOL_LINE = re.compile(r"\n\[(?:(?P<tool>tool)|[^\]\n]* calls tools?:)")
_TOOL_LINE_CALLS = re.compile(r"\n\[[^\]\n]* calls tools?:")
_TOOL_KEY = re.compile(rf'"tool_calls?"[{WHITE_SPACE}]*:')
TRACEBACK = "Traceback (most recent call last)"


def code_activity(attempt: str) -> bool:
    """Whether the attempt shows code work: a fence, a prompt, a diff, a traceback, a count or a runner (SPEC 2)."""
    # Single characters are found at memory speed, so they come first.
    if "`" in attempt and "```" in attempt:
        return True
    line = _CODE_LINE.search(lines := "\n" + attempt)
    while line is not None:
        if line.group("runner") is None or at_boundary(lines, line.end()):
            return True
        line = _CODE_LINE.search(lines, line.end())
    # Whether they are there at all is asked from the right, since that search skips further.
    return (
        (attempt.rfind(TRACEBACK) >= 0 and _shows_traceback(attempt))
        or (attempt.rfind(" passed") >= 0 and _counts(attempt, " passed"))
        or (attempt.rfind(" failed") >= 0 and _counts(attempt, " failed"))
    )


def tool_activity(attempt: str) -> bool:
    """Whether the attempt shows tool work: a `[tool` line, a `[... calls tool:` line or a `tool_calls` key (SPEC 2)."""
    if "[" in attempt:
        lines = "\n" + attempt
        for line in _TOOL_LINE.finditer(lines):
            if line.group("tool") is None or at_boundary(attempt, line.end() - 1):
                return True
            if _TOOL_LINE_CALLS.match(lines, line.start()):
                return True
    return '"tool_call' in attempt and _TOOL_KEY.search(attempt) is not None


def _shows_traceback(attempt: str) -> bool:
    at = attempt.find(TRACEBACK)
    while at >= 0:
        if at_boundary(attempt, at):
            return True
        at = attempt.find(TRACEBACK, at + 1)
    return False


def _counts(attempt: str, outcome: str) -> bool:
    """Whether an integer stands right before the outcome, both as whole words."""
    at = attempt.find(outcome)
    while at >= 0:
        start = at
        while start > 0 and attempt[start - 1].isdecimal():
            start -= 1
        if start < at and at_boundary(attempt, start) and at_boundary(attempt, at + len(outcome)):
            return True
        at = attempt.find(outcome, at + 1)
    return False
