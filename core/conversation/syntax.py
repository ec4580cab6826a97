"""What is wrong with text that means to be JSON and is not: the likely cause, in words, and the next step."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_CURLY = "\u201c\u201d\u201e\u201f\u2018\u2019\u00ab\u00bb\u300c\u300e\u301d\uff02"
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
#: An opening bracket and what only JSON, or something that means to be it, goes on with.
_MEANT = re.compile(
    rf"""
    \{{\s*(?:["'{_CURLY}] | &quot; | //|/\* | \}} | \Z | [A-Za-z_$][\w$]*\s*:\s*["'\[{{{_CURLY}])
    | \[\s*(?:["'{_CURLY}] | //|/\* | \] \s* \Z | \Z | \[\s*[\[{{"]
              | \{{\s*(?:["'{_CURLY}]|&quot;|//|/\*|\Z|[A-Za-z_$][\w$]*\s*:))
    | [\[{{](?:\s|\\n|\{{)*\\+"
    """,
    re.VERBOSE,
)
#: A bracket and what some dialect of JSON, a literal of Python or a printed object goes on with.
_REPAIRABLE = re.compile(
    rf"""
    [\[{{]\s*(?: ["'`{_CURLY}\[{{(] | [bBrRuU]{{1,2}}["'] | //|/\*|\# | <\w | [A-Za-z_$][\w$]*+\s*: | -?\d++\s*:
      | [A-Za-z_][\w.]*+(?:\[[^\]\n]{{1,120}}\])?\( | (?:None|True|False)\s*[,:]
      | [\u00a0\u2000-\u200f\u2028-\u202f\u2060\u3000\ufeff] )
    """,
    re.VERBOSE,
)
#: What stands where `console.log` prints no deeper.
_UNPRINTED = re.compile(r"(?:Object|Array|Function|Circular|Getter)\b[^\]\n]*\]")
#: What is due where a JSON error stands, by the start of the parser's message.
_DUE = {
    "Expecting value": "a value",
    "Expecting property name": "a key in double quotes",
    "Expecting ':'": "a colon behind the key",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text is no JSON: a stable code, one sentence, and the next step. It stands at `offset`."""

    code: str
    message: str
    next_step: str
    offset: int


def means_json(text: str, at: int) -> bool:
    """Whether the text from an offset on means to be JSON, rather than prose that starts with a bracket."""
    return _MEANT.match(text, at) is not None


def may_be_repaired(text: str, at: int) -> bool:
    """Whether a bracket may open JSON that is not quite JSON; cheap, and true of little prose."""
    return _REPAIRABLE.match(text, at) is not None


def explain(text: str, error: json.JSONDecodeError, end: int) -> Fault:
    """The likely cause of a JSON error; `end` is where the JSON should have ended."""
    at = error.pos
    here = text[at : at + 1]
    rest = text[at:end].lstrip(", \t\r\n")
    if at >= len(text[:end].rstrip()) or error.msg.startswith("Unterminated string"):
        return Fault(
            "json-cut-off",
            "The JSON breaks off: "
            + ("the string here is not closed." if error.msg.startswith("Unterminated") else "it ends too early."),
            "Paste the whole document; if it is whole, look for a missing quote or bracket.",
            at,
        )
    if here == "\\" and error.msg.startswith("Expecting"):
        return Fault(
            "json-escaped",
            'The quotes are escaped (\\"): this JSON was copied out of a string.',
            "Put the whole text in double quotes, or copy it from where it is not escaped.",
            at,
        )
    if text.startswith("&quot;", at):
        return Fault(
            "json-html",
            "The quotes are HTML (&quot;); JSON needs the quote itself.",
            "Copy the text as the page shows it.",
            at,
        )
    if rest.startswith(("...", "\u2026")) or (text[at - 1 : at] == "[" and _UNPRINTED.match(text, at)):
        return Fault(
            "json-left-out",
            "Dots stand here for something that was left out.",
            "Paste the whole document, or remove the dots.",
            at,
        )
    if here and here in _CURLY:
        return Fault(
            "json-curly-quotes",
            'This is a curly quote; JSON needs the straight quote ".',
            "Copy from the source again, or replace the curly quotes by straight ones.",
            at,
        )
    if rest.startswith(("//", "/*", "#")):
        return Fault("json-comment", "This is a comment; JSON has none.", "Remove the comments.", at)
    if rest[:1] in ("]", "}") and (here == "," or text[:at].rstrip().endswith(",")):
        return Fault(
            "json-trailing-comma", "A comma stands before a closing bracket.", "Remove the comma at the end.", at
        )
    word = _WORD.match(text, at)
    if word and word.group() in ("None", "True", "False"):
        return Fault(
            "json-python-literal",
            "This is a Python literal, not JSON: JSON has double quotes, null, true and false.",
            "Print it with json.dumps(...) and paste that.",
            at,
        )
    if error.msg.startswith("Invalid \\"):
        return Fault("json-escape", "JSON does not know this backslash escape.", "Write \\\\ for a backslash.", at)
    if word and error.msg.startswith("Expecting property name"):
        return Fault("json-bare-key", "This key has no quotes.", 'Put keys in double quotes, as in "role".', at)
    if error.msg.startswith("Expecting ','"):
        return Fault(
            "json-syntax",
            "A comma or a closing bracket is missing here, or a quote inside a string before it lacks its backslash.",
            "Correct this place, or copy from the source again.",
            at,
        )
    if any(quote in text[max(0, at - 200) : at] for quote in _CURLY):
        return Fault(
            "json-curly-quotes",
            "This cannot be read: curly quotes stand before it, and which of them ends a string is not clear.",
            "Copy from the source again, or replace the curly quotes around strings by straight ones.",
            at,
        )
    due = next((words for start, words in _DUE.items() if error.msg.startswith(start)), "something else")
    return Fault("json-syntax", f"JSON needs {due} here.", "Correct this place, or copy from the source again.", at)
