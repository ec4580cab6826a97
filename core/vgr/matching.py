"""Typed agreement: two terse answers, or a witness's answer against a message (SPEC 5.1).

Everything uncertain is UNKNOWN or NO; only an answer that is plainly the message's own is YES.
"""

from __future__ import annotations

import re

from .characters import WHITE_SPACE, at_boundary, is_alphanumeric, is_blank, trim
from .quantity import delimited_quantities, parse_quantity, spell_amounts
from .signals import Verdict
from .verdicts import last_line


def _any_case(words: str) -> str:
    """A pattern for ASCII words in any case: white space for a blank, and `s` is also the long s (SPEC 5.2).

    `re.IGNORECASE` would let `i` match the dotless and the dotted i too.
    """
    letters = [rf"[{WHITE_SPACE}]++" if c == " " else f"[{c}{c.upper()}{'ſ' if c == 's' else ''}]" for c in words]
    return "".join(letters)


def _any_of(*words: str) -> str:
    return "|".join(_any_case(word) for word in words)


_APOSTROPHES = dict.fromkeys(map(ord, "'\u2018\u2019\u02bc\uff07"))
# Letters and numbers: Python's \w is categories L and N and the underscore.
_TOKEN = re.compile(r"[^\W_]+(?:\.[0-9]+)?")

_STOP_WORDS = frozenset(
    "the a an and or of to in on is are it yes no none n/a na ok okay done true false if else for while return report "
    "retry answer final result block task not".split()
)
_NEGATIONS = frozenset(
    "not no never isnt wasnt without excluding except rather instead neither nor wrong incorrect".split()
)
_CONJUNCTIONS = frozenset(("and", "or"))

# "final answer" and "revised answer" end where their "answer" ends, and only the end counts.
_MARKER = re.compile(
    rf"(?:{_any_of('answer', 'conclusion', 'result', 'correction', 'actually')})"
    rf"[{WHITE_SPACE}]*+(?:{_any_case('is')}|[:=-])[{WHITE_SPACE}]*+"
)
_CORRECTION = re.compile(
    rf"(?P<words>{_any_of('actually', 'correction', 'i meant')}"
    rf"|(?P<revised>{_any_case('revised')})(?:{_any_case(' answer')})?+)"
    rf"|(?:\A|[,;])[{WHITE_SPACE}]*+(?:{_any_of('instead', 'rather')})[:,]"
)
_AFTER_CORRECTION = re.compile(rf"[,:{WHITE_SPACE}]*+")


def answer_tokens(text: str) -> list[str]:
    """The tokens of a text: amounts spelled out, apostrophes dropped, lower-cased (SPEC 5.1)."""
    plain = spell_amounts(text).translate(_APOSTROPHES)
    # Each character on its own: str.lower() is context-free but for the capital sigma at the end of a word.
    return _TOKEN.findall(plain.replace("Σ", "σ").lower())


def match_answers(a: str, b: str) -> bool:
    """Whether two terse answers agree. A quantity never agrees with prose (SPEC 5.1)."""
    first, second = parse_quantity(a), parse_quantity(b)
    if first is not None or second is not None:
        return first == second
    tokens = answer_tokens(a)
    return bool(tokens) and tokens == answer_tokens(b)


def match_answer_verdict(answer: str, message: str) -> Verdict:
    """Whether a message gives the witness's answer as its own (SPEC 5.1)."""
    if is_blank(message) or _is_uninformative(answer):
        return Verdict.NO
    part = _last_correction(_answer_span(message))
    tokens = answer_tokens(part)
    lowered = part.lower()
    if "instead of" in lowered or "rather than" in lowered or not _NEGATIONS.isdisjoint(tokens):
        return Verdict.UNKNOWN
    quantity = parse_quantity(answer)
    if quantity is None:
        return _match_text(answer_tokens(answer), part, tokens)
    found = list(delimited_quantities(part))
    if len(found) > 1:
        return Verdict.UNKNOWN
    return Verdict.YES if found and parse_quantity(found[0]) == quantity else Verdict.NO


def _match_text(wanted: list[str], part: str, tokens: list[str]) -> Verdict:
    if wanted == tokens:
        return Verdict.YES
    if len(wanted) < 2 and len(wanted[0]) < 5:
        return Verdict.NO
    # No token holds a newline, so a run of tokens is a substring of the joined ones.
    run, joined = "\n".join(["", *wanted, ""]), "\n".join(["", *tokens, ""])
    first = joined.find(run)
    if first < 0:
        return Verdict.NO
    is_list = "," in part or ";" in part or not _CONJUNCTIONS.isdisjoint(tokens)
    return Verdict.UNKNOWN if is_list or joined.find(run, first + 1) >= 0 else Verdict.YES


def _is_uninformative(answer: str) -> bool:
    """Whether agreeing with this answer would say nothing: too short, mostly punctuation, or stop words only."""
    if parse_quantity(answer) is not None:
        return False
    if len(answer) < 3 or sum(map(is_alphanumeric, answer)) * 5 < len(answer) * 3:
        return True
    return not any(len(token) >= 3 and token not in _STOP_WORDS for token in answer_tokens(answer))


def _answer_span(message: str) -> str:
    """From the end of the last answer marker to the message's end; without one, the last line that is not blank."""
    span_start, at = -1, 0
    while found := _MARKER.search(message, at):
        at = found.start() + 1
        # Only the start needs a boundary: SPEC asks for none after "is", so "the answer isn't 36" reads "n't 36".
        if at_boundary(message, found.start()):
            span_start = at = found.end()
    return last_line(message) if span_start < 0 else trim(message[span_start:])


def _last_correction(span: str) -> str:
    """The last part of a span that is not blank, cut at words that take back what stands before them."""
    parts: list[str] = []
    done = at = 0
    while found := _CORRECTION.search(span, at):
        at = found.start() + 1
        end = found.end() if found["words"] is None else _words_end(span, found)
        if end:
            parts.append(span[done : found.start()])
            done = at = end
    parts.append(span[done:])
    return next((part for part in reversed(parts) if not is_blank(part)), "")


def _words_end(span: str, found: re.Match[str]) -> int:
    """The end of correction words that stand as whole words, with what follows them; 0 where they do not."""
    if not at_boundary(span, found.start()):
        return 0
    # "revised answers" still holds the word "revised".
    for end in (found.end("words"), found.end("revised")):
        if end > 0 and at_boundary(span, end):
            return _AFTER_CORRECTION.match(span, end).end()  # type: ignore[union-attr]
    return 0
