"""Printed objects: what a class name or an enum member adds to the fields that are printed.

Most SDKs print every field. LangChain and the agent SDKs leave out the one that says what a message is; here it is
added from the class, as their own dump does.
"""

from __future__ import annotations

import json
import re
from typing import Final

#: Fields that are left out of a printed object of this class.
LEFT_OUT: Final[dict[str, dict[str, str]]] = {
    # LangChain
    "HumanMessage": {"type": "human"},
    "HumanMessageChunk": {"type": "human"},
    "AIMessage": {"type": "ai"},
    "AIMessageChunk": {"type": "ai"},
    "SystemMessage": {"type": "system"},
    "ToolMessage": {"type": "tool"},
    "FunctionMessage": {"type": "function"},
    "ChatMessage": {"type": "chat"},
    # The agent SDKs of Anthropic and Mistral
    "UserMessage": {"role": "user"},
    "AssistantMessage": {"role": "assistant"},
    "DeveloperMessage": {"role": "developer"},
    "TextBlock": {"type": "text"},
    "ThinkingBlock": {"type": "thinking"},
    "ToolUseBlock": {"type": "tool_use"},
    "ToolResultBlock": {"type": "tool_result"},
}
#: Where one of these stands among the printed fields, the class adds nothing.
TELLING: Final = frozenset({"role", "type"})
#: Printed with arguments that only describe what stands first (or last).
FIRST: Final = frozenset({"array", "deque", "tensor", "Timestamp", "Enum"})
LAST: Final = frozenset({"defaultdict"})
#: Functions that give what they are given, or make a value of it.
CONSTRUCTORS: Final = FIRST | LAST | {"dumps", "stringify", "dict", "list", "tuple", "set", "str", "dedent"}
#: Printed with nothing in them where they are empty, and lists then.
EMPTY_LISTS: Final = frozenset({"set", "frozenset", "deque", "array"})

#: What LangChain prints of a message without its class, and what only that of a model or a tool has.
_PRINTED_MESSAGE = re.compile(r"content=.*\badditional_kwargs=\{.*\bresponse_metadata=\{", re.DOTALL)
_OF_A_TOOL = re.compile(r"\btool_call_id=['\"]")
_OF_A_MODEL = re.compile(r"\bresponse_metadata=\{['\"]|\busage_metadata=\{|\bid=['\"]run-|\btool_calls=\[\{")

_NUMBER = r"\s*+-?\d{1,9}\s*+"
_TIME = re.compile(
    rf"(?:datetime\.)?(?P<kind>datetime|date)\((?P<parts>{_NUMBER}(?:,{_NUMBER}){{2,6}})"
    r"(?:,\s*fold=[01])?(?:,\s*tzinfo=(?P<zone>[\w.<>]+(?:\((?:[^()\n]|\([^()\n]*\)){0,200}\))?))?\s*\)"
)
_OFFSET = re.compile(r"(?P<what>days|seconds|hours|minutes)=(?P<number>-?\d{1,6})")
_SECONDS = {"days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}
_MEMBER = re.compile(r"<(?P<name>[A-Za-z_]\w*(?:\.\w+)+): *")
_OPAQUE = re.compile(r"<[A-Za-z_][^<>\n]{0,300}>")
#: A member of an enum that is written by its name alone, as in `MessageRole.USER`.
_NAMED_MEMBER = re.compile(r"[A-Za-z_]\w*Role\.[A-Za-z_]+")


def time_at(text: str, at: int, until: int) -> tuple[str, int] | None:
    """The JSON of a printed date or time, in ISO 8601, and its end."""
    found = _TIME.match(text, at, until)
    if found is None:
        return None
    year, month, day, *rest = (int(part) for part in found["parts"].split(","))
    made = f"{year:04}-{month:02}-{day:02}"
    if found["kind"] == "datetime":
        hour, minute, second, micro = (*rest, 0, 0, 0, 0)[:4]
        made += f"T{hour:02}:{minute:02}:{second:02}" + (f".{micro:06}" if micro else "") + _zone(found["zone"])
    return json.dumps(made), found.end()


def _zone(zone: str | None) -> str:
    if zone is None:
        return ""
    seconds = sum(_SECONDS[part["what"]] * int(part["number"]) for part in _OFFSET.finditer(zone))
    if not seconds:
        return "+00:00"
    minutes = abs(seconds) // 60
    return f"{'-' if seconds < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"


def message_type(text: str) -> str:
    """The type that LangChain leaves out of a message which is printed without its class; "" where it is not sure."""
    if _PRINTED_MESSAGE.match(text) is None:
        return ""
    return "tool" if _OF_A_TOOL.search(text) else "ai" if _OF_A_MODEL.search(text) else ""


def member_at(text: str, at: int, until: int) -> int | None:
    """The offset of the value in a printed member of an enum, as in `<Role.USER: 'user'>`."""
    found = _MEMBER.match(text, at, until)
    return None if found is None else found.end()


def opaque_at(text: str, at: int, until: int) -> int | None:
    """The end of an object that is printed without its content, as in `<function f at 0x7f>`."""
    found = _OPAQUE.match(text, at, until)
    return None if found is None else found.end()


def role_named(word: str) -> str | None:
    """The role that a member of an enum names, as in `ChatRole.USER`."""
    return word.rpartition(".")[2].lower() if _NAMED_MEMBER.fullmatch(word) else None
