"""What is no strict JSON, rewritten to it, with a way back to the paste: dialects, wrappings, printed objects, YAML.

Each module makes a text out of a text and keeps where each part came from (`rewriting`), so that the quick JSON reader
and its positions work on the result unchanged. Nothing here is asked while a paste is strict JSON.
"""

from __future__ import annotations

from typing import Final

#: What is undone, for the page of formats.
READ_THROUGH: Final = (
    "JSON with comments, trailing commas, commas missing between lines, single or curly quotes, bare keys, `undefined`",
    "Python literals: `None`, `True`, tuples, sets, joined strings, bytes; nothing is evaluated",
    "printed objects of SDKs, LangChain, dataclasses and enums: their fields, and the type that the class tells",
    "code fences, labels, assignments and log prefixes before JSON; the text around it is kept aside",
    "calls of an SDK in code, `fetch` and `requests.post`: their arguments, without credentials",
    "curl commands and HTTP messages, with the reply behind them: bodies, addresses and headers without credentials",
    "YAML: messages, requests and cassettes; words like `yes` are text",
    "JSON in a string, with escaped quotes, in HTML, or in a cell of CSV",
    "quoted lines, numbered listings, colour codes of a terminal, UTF-16 that was read as another encoding",
    "one document a line, or several behind each other; a broken line is kept aside",
)
