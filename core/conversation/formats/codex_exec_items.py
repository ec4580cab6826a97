"""The items of `codex exec --json` as messages, and what the first versions printed as such items."""

from __future__ import annotations

from typing import Final

from ..json_text import compact
from ..model import Block, Json, Media, Reasoning, Role, Text, ToolCall, ToolResult
from ..positions import Path, path_text
from ..remarks import shown
from .arguments import arguments
from .draft import Draft
from .session_records import kind_of

PROVIDER: Final = "openai"

#: Stands where one turn ends and the next begins: what the agent wrote is no longer one message.
BETWEEN_TURNS: Final[dict[str, Json]] = {}
#: Calls among the items: the fields with what the tool is given.
_GIVEN: Final = {
    "command_execution": ("command", "cwd"),
    "file_change": ("changes",),
    "mcp_tool_call": ("arguments",),
    "collab_tool_call": ("prompt", "sender_thread_id", "receiver_thread_ids"),
}
_OUTPUT: Final = frozenset({"aggregated_output", "result", "error"})
_BAD: Final = frozenset({"failed", "declined"})
_OVER: Final = _BAD | {"completed"}
_MEDIA: Final = frozenset({"image", "audio"})
#: Calls of the first versions, begun and ended by a message each: the type of item that they are today.
_OLD_CALLS: Final = {
    "exec_command": "command_execution",
    "mcp_tool_call": "mcp_tool_call",
    "patch_apply": "file_change",
}


def item_of(message: dict[str, Json]) -> dict[str, Json] | None:
    """A message of the first versions as the item that it is today; None where it is no part of the conversation."""
    kind = str(message.get("type"))
    base, _, step = kind.rpartition("_")
    if kind in ("agent_message", "user_message"):
        return {**_without(message, "message"), "text": message.get("message")}
    if kind in ("agent_reasoning", "agent_reasoning_raw_content"):
        return {**message, "type": "reasoning"}
    if base not in _OLD_CALLS or step not in ("begin", "end"):
        return None
    state = _begun(message) if step == "begin" else _ended(base, message)
    return {**state, "type": _OLD_CALLS[base], "id": message.get("call_id")}


def failed_call(message: dict[str, Json]) -> str | None:
    """The id of the call that ended, as a message of this kind says, with a failure; None for all other messages."""
    item = item_of(message) if str(message.get("type")).endswith("_end") else None
    is_bad = item is not None and (str(item.get("status")) in _BAD or str(message.get("status")) in _BAD)
    given = message.get("call_id")
    return given if is_bad and isinstance(given, str) else None


def _without(message: dict[str, Json], *names: str) -> dict[str, Json]:
    return {key: value for key, value in message.items() if key not in names}


def _begun(message: dict[str, Json]) -> dict[str, Json]:
    invocation = message.get("invocation")
    if not isinstance(invocation, dict):
        return _without(message, "call_id")
    return {**_without(message, "call_id", "invocation"), **invocation}


def _ended(base: str, message: dict[str, Json]) -> dict[str, Json]:
    if base == "mcp_tool_call":
        result = message.get("result")
        good, bad = (result.get("Ok"), result.get("Err")) if isinstance(result, dict) else (result, None)
        failed = bad is not None or (isinstance(good, dict) and good.get("is_error") is True)
        rest = _without(message, "call_id", "invocation", "result")
        return {**rest, "result": good, "error": bad, "status": "failed" if failed else "completed"}
    output = message.get("aggregated_output")
    if not isinstance(output, str) or not output:
        output = "".join(part for name in ("stdout", "stderr") if isinstance(part := message.get(name), str))
    failed = message.get("success") is False or _is_bad(message.get("exit_code"))
    rest = _without(message, "call_id", "stdout", "stderr", "success")
    return {**rest, "aggregated_output": output, "status": "failed" if failed else "completed"}


def _is_bad(code: Json) -> bool:
    """Whether an exit code is one of a failure."""
    return isinstance(code, int) and not isinstance(code, bool) and code != 0


class Gathered:
    """Turns items into messages; what the agent wrote one behind the other is one message, its results follow."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._blocks: list[Block] = []
        self._results: list[tuple[ToolResult, Path]] = []
        self._at: Path = ()

    def add(self, item: dict[str, Json], at: Path) -> None:
        """Add the next item."""
        if item is BETWEEN_TURNS:
            self.close()
            return
        kind, text, draft = kind_of(item), item.get("text"), self._draft
        if kind == "user_message":
            self.close()
            draft.add(Role.USER, (Text(text),) if isinstance(text, str) else (), at)
        elif kind in ("agent_message", "assistant_message") and isinstance(text, str):
            self._say(Text(text), at)
        elif kind == "reasoning":
            self._say(Reasoning(text if isinstance(text, str) else ""), at)
        elif kind in _GIVEN:
            self._call(item, kind, at)
            return
        elif kind in ("todo_list", "error"):
            draft.extras[path_text(at)] = item
            if kind == "error":
                said = item.get("message")
                why = f": {shown(said, 60)}" if isinstance(said, str) else ""
                text = f"The agent reports an error{why}. It is kept aside."
                draft.warn("item-error", text, "Check what followed from it.", at)
            else:
                draft.note("plan-item", "This item is the agent's list of what is to do; it is kept aside.", at)
            return
        else:
            what = f"An item of type `{shown(kind)}`" if kind else "An item without a type"
            self._say(draft.unknown(PROVIDER, item, what, at), at)
            return
        draft.keep(item, ("type", "id", "text") if isinstance(text, str) else ("type", "id"), at)

    def _say(self, block: Block, at: Path) -> None:
        if self._results:
            self.close()
        self._at = self._at if self._blocks else at
        self._blocks.append(block)

    def _call(self, item: dict[str, Json], kind: str, at: Path) -> None:
        draft, given, code = self._draft, item.get("id"), item.get("exit_code")
        call, status = given if isinstance(given, str) else "", str(item.get("status"))
        name, read = kind, {"type", "id", "status", *_GIVEN[kind]}
        if kind.endswith("_tool_call") and isinstance(tool := item.get("tool"), str) and tool:
            server = item.get("server")
            name = f"{server}.{tool}" if isinstance(server, str) and server else tool
            read |= {"tool", "server"} if isinstance(server, str) else {"tool"}
        if kind == "mcp_tool_call":
            taken = arguments(item.get("arguments"), name, draft, (*at, "arguments"))
        else:
            taken = {key: item[key] for key in _GIVEN[kind] if item.get(key) is not None}
        self._say(ToolCall(call, name, taken), at)
        if status in _OVER or item.get("result") is not None or code is not None:
            read |= _OUTPUT
            failed = status in _BAD or _is_bad(code) or bool(item.get("error"))
            self._results.append((ToolResult(call, tuple(_output(item, at, draft)), failed), at))
        draft.keep(item, read, at)

    def close(self) -> None:
        """End the message of the agent, and the results behind it."""
        if self._blocks:
            self._draft.add(Role.ASSISTANT, self._blocks, self._at)
        for result, at in self._results:
            self._draft.add(Role.TOOL, (result,), at)
        self._blocks, self._results, self._at = [], [], ()


def _output(item: dict[str, Json], at: Path, draft: Draft) -> list[Block]:
    """What a call gave back."""
    output, result, error = item.get("aggregated_output"), item.get("result"), item.get("error")
    blocks: list[Block] = []
    if output not in (None, ""):
        blocks.append(Text(output if isinstance(output, str) else compact(output)))
    content = result.get("content") if isinstance(result, dict) else result
    for index, part in enumerate(content if isinstance(content, list) else [] if content is None else [content]):
        kind = kind_of(part)
        if isinstance(part, str):
            blocks.append(Text(part))
        elif kind == "text" and isinstance(part.get("text"), str):
            blocks.append(Text(part["text"]))
            draft.keep(part, ("type", "text"), (*at, "result", "content", index))
        elif kind in _MEDIA:
            blocks.append(Media("image" if kind == "image" else "audio", part))
        else:
            what = f"A part of type `{shown(kind)}`" if kind else "A part of a result"
            blocks.append(draft.unknown(PROVIDER, part, what, (*at, "result", "content", index)))
    if isinstance(result, dict):
        draft.keep(result, ("content",), (*at, "result"))
    message = error.get("message") if isinstance(error, dict) else error
    if message:
        blocks.append(Text(message if isinstance(message, str) else compact(message)))
    if isinstance(error, dict):
        draft.keep(error, ("message",), (*at, "error"))
    return blocks
