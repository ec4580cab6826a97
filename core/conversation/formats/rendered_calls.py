"""Tool calls as models write them in text: JSON, the tags of Qwen Coder, the key and value tags of GLM."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

from ..diagnostics import Place
from ..json_text import TooDeep, decode
from ..model import Json, ToolCall
from ..positions import Path
from .arguments import arguments
from .call_ids import CallIds
from .draft import Draft
from .message_list import first_of

_ARGUMENTS = ("arguments", "parameters", "args", "input")
_IDS = ("id", "call_id", "tool_call_id")
#: What is read of a call.
_KNOWN = frozenset({"name", "function", "type", *_ARGUMENTS, *_IDS})
#: No list of calls in Python is longer.
_PYTHON = 50_000
_BETWEEN = re.compile(r"[\s;,]*")
#: A call whose JSON breaks off behind the name.
_CUT = re.compile(r"\{\s*\"name\"\s*:\s*\"([^\"\\]{1,100})\"")
_FUNCTION = re.compile(r"<function=([^>\n]{1,200})>(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([^>\n]{1,200})>\n?(.*?)\n?(?:</parameter>|(?=<parameter=)|\Z)", re.DOTALL)
_KEY_VALUE = re.compile(r"<arg_key>([^<]*+)</arg_key>\s*+<arg_value>(.*?)(?:</arg_value>|\Z)", re.DOTALL)


def calls_in(text: str, at: Path | Place, draft: Draft, ids: CallIds) -> list[ToolCall]:
    """The calls of a text that is known to hold some; one that cannot be read stays whole, as malformed."""
    body = text.strip(" \t\r\n")
    named: list[tuple[str, Json, Json]] = []
    if body.startswith("<function="):
        named = _functions(body)
    elif "<arg_key>" in body:
        name, _, pairs = body.partition("<arg_key>")
        named = _key_values(name.strip(), "<arg_key>" + pairs)
    else:
        values = objects_in(body)
        named = [read for value in values or () if (read := named_call(value)) is not None]
        if values is None or len(named) != len(values):
            named = []
        elif rest := [left for value in values if (left := _beside(value))]:
            draft.extras.setdefault("beside the calls", []).extend(rest)
    if not named:
        cut = _CUT.match(body)
        named = [(cut[1] if cut else "", body, None)]
    return [call_of(name, taken, given, at, draft, ids) for name, taken, given in named]


def _functions(body: str) -> list[tuple[str, Json, Json]]:
    """Calls in tags of their own; none where something stands outside of them."""
    if _FUNCTION.sub("", body).strip():
        return []
    return [(found[1].strip(), _parameters(found[2]), None) for found in _FUNCTION.finditer(body)]


def _key_values(name: str, pairs: str) -> list[tuple[str, Json, Json]]:
    """The call of GLM: a name, then keys and values; none where something stands between these."""
    if "\n" in name or _KEY_VALUE.sub("", pairs).strip():
        return []
    return [(name, {key: _value(value) for key, value in _KEY_VALUE.findall(pairs)}, None)]


def _beside(value: dict[str, Any]) -> dict[str, Any]:
    """What stands in a call beside what was read."""
    inner = value.get("function")
    body = inner if isinstance(inner, dict) else {}
    if value.keys() <= _KNOWN and body.keys() <= _KNOWN:
        return {}
    return {key: item for key, item in (*value.items(), *body.items()) if key not in _KNOWN}


def call_of(name: str, taken: Json, given: Json, at: Path | Place, draft: Draft, ids: CallIds) -> ToolCall:
    """One call by its name and what it was given."""
    if not name:
        draft.warn("call-without-name", "This tool call names no tool that can be read.", "Add its name.", at)
    return ToolCall(ids.call(given, name, at), name, arguments(taken, name, draft, at))


def objects_in(text: str) -> list[dict[str, Any]] | None:
    """The JSON objects that the text is made of: one, a list, or one behind the other; None where it is none."""
    found: list[Json] = []
    at = 0
    try:
        while at < len(text):
            value, at = _decoded_at(text, at)
            found += value if isinstance(value, list) else [value]
            gap = _BETWEEN.match(text, at)
            at = gap.end() if gap else at
    except (ValueError, TooDeep):
        return None
    return found if found and all(isinstance(item, dict) for item in found) else None


def _decoded_at(text: str, at: int) -> tuple[Json, int]:
    try:
        value, end, _ = decode(text, at)
    except json.JSONDecodeError:
        # Models write line breaks in strings as they are.
        value, end, _ = decode(text, at, strict=False)
    return value, end


def named_call(value: dict[str, Any]) -> tuple[str, Json, Json] | None:
    """Name, arguments and id of a call as JSON; None where it names no tool."""
    inner = value.get("function")
    body = inner if isinstance(inner, dict) else value
    name = body.get("name") or (inner if isinstance(inner, str) else None)
    if not isinstance(name, str) or not name:
        return None
    given = first_of(_IDS, value)
    taken = first_of(_ARGUMENTS, body)
    if given and not isinstance(value[given], str):
        given = next((key for key in _IDS if isinstance(value.get(key), str)), "")
    return name, body[taken] if taken else {}, value[given] if given else None


def python_calls(text: str) -> list[tuple[str, dict[str, Json]]]:
    """Calls as Llama writes them in Python: `[name(key="value"), other()]`; none where the text is anything else."""
    if len(text) > _PYTHON or not (text.startswith("[") and text.endswith(")]")):
        return []
    try:
        items = ast.parse(text, mode="eval").body
        calls = items.elts if isinstance(items, ast.List) else []
        return [_python_call(call) for call in calls]
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return []


def _python_call(call: ast.expr) -> tuple[str, dict[str, Json]]:
    if not isinstance(call, ast.Call) or call.args or not isinstance(call.func, (ast.Name, ast.Attribute)):
        raise ValueError
    taken: dict[str, Json] = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise ValueError
        taken[keyword.arg] = ast.literal_eval(keyword.value)
    json.dumps(taken)
    return ast.unparse(call.func), taken


def is_call(value: dict[str, Any]) -> bool:
    """Whether an object names a tool and what it is given."""
    inner = value.get("function")
    body = inner if isinstance(inner, dict) else value
    return named_call(value) is not None and not body.keys().isdisjoint(_ARGUMENTS)


def _parameters(body: str) -> Json:
    """Parameters in tags; what is not all in tags is JSON, or no arguments."""
    found = {name.strip(): value for name, value in _PARAMETER.findall(body)}
    return found if found and not _PARAMETER.sub("", body).strip() else body.strip(" \t\r\n") or {}


def _value(text: str) -> Json:
    """A value of GLM: JSON where it is some, else a text."""
    inner = list(_decoded(text.strip()))
    return inner[0] if inner else text


def _decoded(text: str) -> Iterator[Json]:
    try:
        value, end, _ = decode(text)
    except (ValueError, TooDeep):
        return
    if end == len(text):
        yield value
