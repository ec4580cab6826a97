"""The error table: which tool results failed, and by which rule (SPEC 2, "Tool record")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..conversation.model import ToolResult, text_of
from .characters import WHITE_SPACE
from .strict_json import strict_json
from .text import split_lines

#: The rule name of a result that the format itself flags.
FLAGGED = "is_error"
#: The rule name of a result that is a JSON object with an `error` key.
ERROR_KEY = "error key"


@dataclass(frozen=True, slots=True)
class ErrorRule:
    """One line of the error table: a text with one of `needles` fails if `confirm` (where given) agrees.

    `screen` is a literal that every matching text holds, so that a whole session is screened in one scan.
    """

    name: str
    screen: str
    needles: tuple[str, ...]
    confirm: Callable[[str], bool] | None = None

    def matches(self, lowered: str) -> bool:
        """Whether a lower-cased text fails by this rule."""
        if not any(needle in lowered for needle in self.needles):
            return False
        return self.confirm is None or self.confirm(lowered)


_EXIT = re.compile(r"exit(?:ed with)? (?:code|status)[ \t\n\f\r:='\"`]*[0-9]*[1-9]")
_COMPILER_CODE = re.compile(r"error\[e[0-9]+\]:")
_COMPILER_LINES = ("compilation failed", "error: compilation failed", "error: could not compile")
_EXCEPTIONS = ("typeerror:", "referenceerror:", "rangeerror:", "runtimeerror:", "keyerror:", "attributeerror:")
_PATCH_LINES = ("error: patch failed:", "patch failed:", "invalid context")


def _lines(lowered: str) -> Iterable[str]:
    return (line.lstrip(WHITE_SPACE) for line in split_lines(lowered))


def _compiler(lowered: str) -> bool:
    return any(
        line in _COMPILER_LINES or line.startswith("error: could not compile ") or _COMPILER_CODE.match(line)
        for line in _lines(lowered)
    )


def _exception(lowered: str) -> bool:
    if "\n  at " not in lowered and "\n    at " not in lowered:
        return False
    return any(line.startswith(_EXCEPTIONS) for line in _lines(lowered))


def _go_panic(lowered: str) -> bool:
    if "\ngoroutine " not in lowered and "[signal sig" not in lowered:
        return False
    return any(line.startswith("panic: runtime error:") for line in _lines(lowered))


def _patch(lowered: str) -> bool:
    return ": patch does not apply" in lowered or any(line.startswith(_PATCH_LINES) for line in _lines(lowered))


def _exit_status(lowered: str) -> bool:
    return _EXIT.search(lowered) is not None


def _rule(name: str, screen: str, *needles: str, confirm: Callable[[str], bool] | None = None) -> ErrorRule:
    return ErrorRule(name, screen, needles or (screen,), confirm)


#: The table, in the order of SPEC 2.
ERROR_TABLE = (
    _rule("out of memory", "memory", "out of memory", "cannot allocate memory"),
    _rule("out of memory", "error", "memoryerror"),
    _rule("connection refused", "refused", "connection refused", "connectionrefusederror", "econnrefused"),
    _rule("traceback", "traceback (most recent call last)"),
    _rule("missing module", "error", "modulenotfounderror:", "importerror:"),
    _rule("missing module", "no module named "),
    _rule("command not found", "not found", "command not found", "not found\n"),
    _rule("command not found", "/usr/bin/env: "),
    _rule("assertion", "error", "assertionerror"),
    _rule("value error", "error", "valueerror:"),
    _rule("syntax error", "error", "syntaxerror:"),
    _rule("timeout", "timed out"),
    _rule("timeout", "timeout", "timeouterror", "timeout expired"),
    _rule("timeout", "deadline exceeded"),
    _rule("missing file", "error", "filenotfounderror:"),
    _rule("missing file", "no such file or directory"),
    _rule("missing file", "file does not exist"),
    _rule("non-zero return", "returned non-zero"),
    _rule("exit status", "exit", "exit code", "exit status", "exited with", confirm=_exit_status),
    _rule("compiler", "error", "error: could not compile", "error[e", confirm=_compiler),
    _rule("compiler", "compilation failed", confirm=_compiler),
    _rule("runtime exception", "error", *_EXCEPTIONS, confirm=_exception),
    _rule("go panic", "error", "panic: runtime error:", confirm=_go_panic),
    _rule("patch", "patch", "patch failed:", ": patch does not apply", confirm=_patch),
    _rule("patch", "invalid context", confirm=_patch),
)

_SCREENS = tuple(dict.fromkeys(rule.screen for rule in ERROR_TABLE))


def failing_rules(results: list[ToolResult]) -> list[str]:
    """For each result the name of the rule by which it failed, or an empty string where it is clean (SPEC 2)."""
    texts = [text_of(result.content) for result in results]
    lowered = [text.lower() for text in texts]
    # One scan over all texts for each literal: most literals occur nowhere, and their rules need no further look.
    everything = "\n\n".join(lowered)
    found = {screen for screen in _SCREENS if everything.rfind(screen) >= 0}
    rules = [rule for rule in ERROR_TABLE if rule.screen in found]
    names = []
    for result, text, low in zip(results, texts, lowered, strict=True):
        if result.is_error:
            names.append(FLAGGED)
        elif _has_error_key(text):
            names.append(ERROR_KEY)
        else:
            names.append(next((rule.name for rule in rules if rule.matches(low)), ""))
    return names


def _has_error_key(text: str) -> bool:
    """Whether the text is a JSON object with an `error` key, whatever its value."""
    # The key may be written with escapes, so only a text with neither is passed over.
    if not text.lstrip(" \t\n\r").startswith("{") or ('"error"' not in text and "\\u" not in text):
        return False
    try:
        value = strict_json(text)
    except ValueError:
        return False
    return "error" in value
