"""The steps of LangChain's AgentExecutor: what the agent did, each action with what came of it, as turns."""

from __future__ import annotations

from typing import Final

from ..model import Json, Role, ToolCall, ToolResult
from ..positions import Path
from .arguments import arguments
from .call_ids import CallIds
from .draft import Draft
from .langchain import read_message
from .openai_blocks import result_blocks

STEPS: Final = "intermediate_steps"


def read_steps(steps: Json, at: Path, draft: Draft) -> bool:
    """Read pairs of an action and its observation; whether these were some, and if not, nothing is added."""
    if not isinstance(steps, list) or not steps or not all(map(_is_step, steps)):
        return False
    ids = CallIds(draft)
    said: Json = None
    for index, (raw, observed) in enumerate(steps):
        where = (*at, index, 0)
        action = _fields(raw)
        log = action.get("message_log")
        if isinstance(log, list) and log:
            # Calls that were made together repeat the message they came from.
            if log != said:
                for number, message in enumerate(log):
                    read_message(message, (*where, "message_log", number), draft)
                _learn(draft, ids, where)
            said = log
        else:
            said = None
            ids.turn()
            name = action["tool"]
            call = ids.call(action.get("tool_call_id"), name, where)
            read = arguments(_taken(action.get("tool_input")), name, draft, (*where, "tool_input"))
            draft.add(Role.ASSISTANT, (ToolCall(call, name, read),), where)
        draft.keep(action, ("tool", "tool_input", "message_log", "tool_call_id", "type", "log"), where)
        answered = ids.result(action.get("tool_call_id"), action["tool"], where)
        blocks = result_blocks(_fields(observed) if isinstance(observed, dict) else observed, (*at, index, 1), draft)
        draft.add(Role.TOOL, (ToolResult(answered, blocks),), (*at, index, 1))
    return True


def _is_step(raw: Json) -> bool:
    if not isinstance(raw, list) or len(raw) != 2 or not isinstance(raw[0], dict):
        return False
    return isinstance(_fields(raw[0]).get("tool"), str)


def _fields(raw: dict[str, Json]) -> dict[str, Json]:
    """The fields of an object, without the constructor that may stand around them."""
    fields = raw.get("kwargs")
    return fields if raw.get("type") == "constructor" and isinstance(fields, dict) else raw


def _taken(raw: Json) -> Json:
    """What a tool was given; a tool of one text takes it bare."""
    return {"input": raw} if isinstance(raw, str) else raw


def _learn(draft: Draft, ids: CallIds, at: Path) -> None:
    """Have the ids of the calls known that the last message made."""
    ids.turn()
    for block in draft.messages[-1].content if draft.messages else ():
        if isinstance(block, ToolCall):
            ids.call(block.id, block.name, at)
