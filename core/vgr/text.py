"""Text primitives of verification-gated routing: lines, redaction and clipping (SPEC 1, 2).

Redaction is four searches in a fixed order. Each looks for a rare literal first and reads its surroundings only
there, so that text without secrets costs a few memory-speed scans.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from .characters import WHITE_SPACE, at_boundary, is_blank, is_word, trim

__all__ = [
    "REDACTED",
    "Piece",
    "Search",
    "clip_mid",
    "clipped_length",
    "is_blank",
    "kept_ends",
    "redact",
    "redact_pieces",
    "searches_for",
    "split_lines",
    "trim",
]

REDACTED = "[REDACTED]"

_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,}")
# Without its first letter, so that the pattern starts with a literal, which is searched for quickly.
_K_TOKEN = re.compile(r"k-[A-Za-z0-9_-]{16}")
_AKIA_KEY = re.compile(r"AKIA[A-Z0-9]{16}")
_BEARER_WORD = re.compile(r"bearer", re.IGNORECASE | re.ASCII)
_BEARER_TOKEN = re.compile(rf"[{WHITE_SPACE}]+[A-Za-z0-9._-]{{16,}}")

Spans = Iterator[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Search:
    """One of the four searches of redaction: what it looks for, and the spans it finds, leftmost first."""

    kind: str
    find: Callable[[str], Spans]


def split_lines(text: str) -> list[str]:
    r"""The lines of a text: they end at `\n` or `\r\n`, and a final newline starts no further line (SPEC 1)."""
    lines = text.split("\n")
    last = lines.pop()
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    if last:
        lines.append(last)
    return lines


def clip_mid(text: str, budget: int, head_fraction: float) -> str:
    """The text, or its first and last `budget` characters around a marker that counts the rest (SPEC 2)."""
    if len(text) <= budget:
        return text
    head, tail = kept_ends(budget, head_fraction)
    return f"{text[:head]}\n...[{len(text) - budget} chars omitted]...\n{text[len(text) - tail :]}"


def kept_ends(budget: int, head_fraction: float) -> tuple[int, int]:
    """How many characters `clip_mid` keeps at the start and at the end of a text that is over its budget."""
    head = max(1, int(budget * head_fraction))
    return head, max(0, budget - head)


def clipped_length(length: int, budget: int) -> int:
    """The length of `clip_mid` of a text of this length, without building it (budgets of two or more)."""
    if length <= budget:
        return length
    return budget + len(str(length - budget)) + 24


def searches_for(text: str) -> tuple[Search, ...]:
    """The searches that could find a secret in this text, in their order: quick tests that err only towards yes.

    Texts may be tested all at once, joined; what is not in the whole is in no part.
    """
    found = []
    if _holds(text, ("sk", "rk", "pk"), "-", _K_TOKEN):
        found.append(_API_KEY)
    if _holds(text, ("A",), "K", _AKIA_KEY):
        found.append(_ACCESS_KEY)
    if _holds_bearer(text):
        found.append(_BEARER)
    if "@" in text:
        found.append(_ADDRESS)
    return tuple(found)


def _holds(text: str, befores: tuple[str, ...], rare: str, pattern: re.Pattern[str]) -> bool:
    """Whether one of `befores`, then `rare`, then the rest of the pattern stands in the text.

    The rare character is looked for at memory speed; where it turns out not to be rare, the pattern is searched for.
    """
    find, last = text.find, befores[0][-1]
    left = len(text) // 512 + 8
    at = find(rare, 1)
    while at > 0:
        if text[at - 1] == last and text.endswith(befores, 0, at) and pattern.match(text, at - 1):
            return True
        left -= 1
        if not left:
            return pattern.search(text, at) is not None
        at = find(rare, at + 1)
    return False


def _holds_bearer(text: str) -> bool:
    # Searching from the right skips further. Lower-casing is slow outside ASCII, where UTF-8 keeps the letters apart.
    if text.isascii():
        return text.lower().rfind("bearer") >= 0
    return text.encode("utf-8", "surrogatepass").lower().rfind(b"bearer") >= 0


def redact(text: str, searches: tuple[Search, ...] | None = None) -> str:
    """The text with keys, bearer tokens and e-mail addresses replaced by `[REDACTED]` (SPEC 2).

    `searches` narrows the work to what `searches_for` found in a text that holds this one.
    """
    for search in searches_for(text) if searches is None else searches:
        spans = list(search.find(text))
        if spans:
            text = "".join(_replaced(text, spans))
    return text


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a text; `kind` names the secret it is, or is empty where it stays."""

    text: str = field(repr=False)
    kind: str


def redact_pieces(text: str) -> tuple[Piece, ...]:
    """The text cut at its secrets; the pieces joined give the text back, the named ones are what `redact` replaces."""
    pieces = [Piece(text, "")]
    for search in searches_for(text):
        cut: list[Piece] = []
        for piece in pieces:
            # A secret never spans a replaced one, and a bracket is no word character, so pieces stand on their own.
            cut.extend([piece] if piece.kind else _cut(piece.text, search))
        pieces = cut
    return tuple(pieces)


def _replaced(text: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    done = 0
    for start, end in spans:
        yield text[done:start]
        yield REDACTED
        done = end
    yield text[done:]


def _cut(text: str, search: Search) -> Iterator[Piece]:
    done = 0
    for start, end in search.find(text):
        if start > done:
            yield Piece(text[done:start], "")
        yield Piece(text[start:end], search.kind)
        done = end
    if done < len(text):
        yield Piece(text[done:], "")


def _api_keys(text: str) -> Spans:
    """`sk-`, `rk-` or `pk-` and 16 or more letters, digits, `_`, `-`, bounded by word boundaries."""
    done = 0
    at = text.find("k-", 1)
    while at > 0:
        start, end = at - 1, 0
        if start >= done and text[start] in "srp" and (start == 0 or not is_word(text[start - 1])):
            run = _TOKEN.match(text, at + 2)
            # The longest end at a word boundary; a run may have to give back trailing dashes.
            if run is not None:
                end = next((e for e in range(run.end(), at + 17, -1) if at_boundary(text, e)), 0)
        if end:
            yield start, end
            done = end
        at = text.find("k-", end or at + 2)


def _access_keys(text: str) -> Spans:
    """`AKIA` and 16 uppercase letters or digits, bounded by word boundaries."""
    if "AKIA" not in text:
        return
    at = 0
    while found := _AKIA_KEY.search(text, at):
        if at_boundary(text, found.start()) and at_boundary(text, found.end()):
            yield found.span()
            at = found.end()
        else:
            at = found.start() + 1


def _bearer_tokens(text: str) -> Spans:
    """The word `bearer` in any case, white space, then 16 or more letters, digits, `.`, `_`, `-`."""
    done = 0
    for at in _bearers(text):
        if at < done or (at > 0 and is_word(text[at - 1])):
            continue
        token = _BEARER_TOKEN.match(text, at + 6)
        if token is not None:
            done = token.end()
            yield at, done


def _bearers(text: str) -> Iterator[int]:
    if not text.isascii():
        yield from (found.start() for found in _BEARER_WORD.finditer(text))
        return
    lowered = text.lower()
    at = lowered.find("bearer")
    while at >= 0:
        yield at
        at = lowered.find("bearer", at + 6)


def _addresses(text: str) -> Spans:
    """An e-mail address: word characters, `.`, `+`, `-`; `@`; words or `-`; a dot; words or dots."""
    if "@" not in text:
        return
    done = 0
    at = text.find("@")
    while at >= 0:
        end = 0
        dot = _run_end(text, at + 1, "-")
        if dot > at + 1 and text.startswith(".", dot):
            end = _run_end(text, dot + 1, ".")
            # A boundary must follow: the address ends with its last word character.
            while end > dot + 1 and text[end - 1] == ".":
                end -= 1
            if end <= dot + 1 or text[end - 1] == ".":
                end = 0
        start = _address_start(text, at, done) if end else at
        if start < at:
            yield start, end
            done = end
        at = text.find("@", max(end, at + 1) if start < at else at + 1)


_ASCII_WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
_RUNS = {extra: re.compile(rf"[A-Za-z0-9_{re.escape(extra)}]*") for extra in "-."}


def _run_end(text: str, start: int, extra: str) -> int:
    """Where the run of word characters and `extra` from `start` ends."""
    end = start
    while True:
        end = _RUNS[extra].match(text, end).end()  # type: ignore[union-attr]
        if end >= len(text) or text[end] < "\x80" or not is_word(text[end]):
            return end
        end += 1


def _address_start(text: str, at: int, done: int) -> int:
    """Where the address before this `@` starts: the first word boundary of its run, or `at` where it has none."""
    start = at
    while start > done:
        # Windows keep the copies small; almost every run ends in the first one.
        low = max(done, start - 128)
        left = low + len(text[low:start].rstrip(_ASCII_WORD + ".+-"))
        if left > low and text[left - 1] >= "\x80" and is_word(text[left - 1]):
            left -= 1
        elif left > low:
            start = left
            break
        start = left
    while start < at and not at_boundary(text, start):
        start += 1
    return start


_API_KEY = Search("API key", _api_keys)
_ACCESS_KEY = Search("access key", _access_keys)
_BEARER = Search("bearer", _bearer_tokens)
_ADDRESS = Search("e-mail", _addresses)
