"""The contents and parts of Gemini: of requests, responses and streams, in camel case or snake case.

The parts of a model's turn are continuous text: neighbouring ones are read as one. A function response whose object
has an `error` reports a failed call; the API names that key for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ..json_text import compact
from ..model import Block, Json, Media, Reasoning, Role, Text, ToolCall, ToolResult
from ..positions import Path
from ..remarks import shown
from .arguments import arguments
from .call_ids import CallIds
from .continuous import continuous
from .draft import ROLES, Draft

PROVIDER = "gemini"

#: What a part may hold: the field in its two spellings.
KINDS = {
    "text": "text",
    "functionCall": "call",
    "function_call": "call",
    "functionResponse": "result",
    "function_response": "result",
    "inlineData": "media",
    "inline_data": "media",
    "fileData": "media",
    "file_data": "media",
    "executableCode": "unread",
    "executable_code": "unread",
    "codeExecutionResult": "unread",
    "code_execution_result": "unread",
    "toolCall": "unread",
    "tool_call": "unread",
    "toolResponse": "unread",
    "tool_response": "unread",
}
_ROLES = {"model": Role.ASSISTANT, "function": Role.TOOL, **ROLES}
_MEDIA: dict[str, Literal["image", "audio", "video"]] = {"image": "image", "audio": "audio", "video": "video"}
# Members are bound once: looking one up on its class costs more than the comparison it is for.
_USER, _ASSISTANT = Role.USER, Role.ASSISTANT
_EMPTY: tuple[Json, ...] = (None, False, "", [], {})


def is_part(value: Json) -> bool:
    """Whether a value is a part: named by what it holds, without the `type` of other dialects."""
    return isinstance(value, dict) and "type" not in value and any(key in KINDS for key in value)


def has_parts(value: Json) -> bool:
    """Whether a value is a content: an object with `parts` of this kind."""
    parts = value.get("parts") if isinstance(value, dict) else None
    if isinstance(parts, list) and any(map(is_part, parts[:5])):
        return True
    # SDKs take bare texts for parts.
    first = parts[0] if isinstance(parts, list) and parts else parts
    return is_part(first) or (isinstance(first, str) and value.get("role") in ("user", "model"))


def read_contents(contents: Json, at: Path, draft: Draft, ids: CallIds) -> None:
    """Read a list of contents, or one; bare texts and parts that stand together are one turn of the user."""
    if not isinstance(contents, list):
        contents, places = [contents], [at]
    else:
        places = [(*at, index) for index in range(len(contents))]
    bare: list[tuple[Json, Path]] = []
    for raw, place in zip(contents, places, strict=True):
        if isinstance(raw, str) or (
            isinstance(raw, dict) and "parts" not in raw and "role" not in raw and is_part(raw)
        ):
            bare.append((raw, place))
            continue
        if bare:
            _add_bare(bare, draft, ids)
            bare = []
        _read_content(raw, place, draft, ids)
    _add_bare(bare, draft, ids)


def _add_bare(bare: list[tuple[Json, Path]], draft: Draft, ids: CallIds) -> None:
    if bare:
        draft.add(_USER, _blocks(bare, draft, ids), bare[0][1])


def _read_content(raw: Json, at: Path, draft: Draft, ids: CallIds) -> None:
    role = raw.get("role") if isinstance(raw, dict) else None
    # Without a role the API reads a turn of the user.
    known = _ROLES.get(role or "user") if isinstance(role, str) or role is None else None
    if known is None or not isinstance(raw, dict):
        draft.add_unread(role, PROVIDER, raw, at)
        return
    if known is _ASSISTANT:
        ids.turn()
    draft.add(known, parts_of(raw.get("parts"), (*at, "parts"), draft, ids, joined=known is _ASSISTANT), at)
    if len(raw) > 2 or "parts" not in raw or "role" not in raw:
        draft.keep(raw, ("role", "parts"), at)


def parts_of(parts: Json, at: Path, draft: Draft, ids: CallIds, *, joined: bool = False) -> list[Block]:
    """The blocks of a list of parts, or of one; with `joined`, neighbouring texts are one block."""
    if parts is None:
        return []
    if type(parts) is list and len(parts) == 1 and (clean := _clean(parts[0], (*at, 0), draft, ids)) is not None:
        return [clean]
    placed = [(part, (*at, index)) for index, part in enumerate(parts)] if isinstance(parts, list) else [(parts, at)]
    blocks = _blocks(placed, draft, ids)
    return continuous(blocks) if joined else blocks


def _blocks(parts: Iterable[tuple[Json, Path]], draft: Draft, ids: CallIds) -> list[Block]:
    blocks: list[Block] = []
    for part, at in parts:
        clean = _clean(part, at, draft, ids)
        if clean is None:
            blocks += _part(part, at, draft, ids)
        else:
            blocks.append(clean)
    return blocks


def _clean(raw: Json, at: Path, draft: Draft, ids: CallIds) -> Block | None:
    """A part that is as the API writes it, with nothing to remark and nothing to keep; None for all else."""
    if type(raw) is not dict or len(raw) != 1:
        return None
    ((key, value),) = raw.items()
    if key == "text":
        return Text(value) if type(value) is str and value else None
    if type(value) is not dict or len(value) != 2 or type(name := value.get("name")) is not str or not name:
        return None
    if key == "functionCall" and type(args := value.get("args")) is dict:
        return ToolCall(ids.call(None, name, at), name, args)
    if key == "functionResponse" and type(response := value.get("response")) is dict and "error" not in response:
        call = ids.result(None, name, at)
        return ToolResult(call, (Text(compact(response)),)) if ids.names(call, name) else None
    return None


def _part(raw: Json, at: Path, draft: Draft, ids: CallIds) -> list[Block]:
    if isinstance(raw, str):
        return [Text(raw)] if raw else []
    if not isinstance(raw, dict):
        return [draft.unknown(PROVIDER, raw, "A part that is no object", at)]
    held = [key for key in raw if key in KINDS and raw[key] is not None]
    thought = raw.get("thought")
    names = [key for key, value in raw.items() if value not in _EMPTY]
    # A signature may stand alone, at the end of a stream.
    if not held and not all(name.lower().startswith("thought") for name in names):
        return [draft.unknown(PROVIDER, raw, f"A part with `{shown(names[0])}`", at)]
    draft.keep(raw, (*held, "thought"), at)
    blocks: list[Block] = [Reasoning(thought)] if isinstance(thought, str) else []
    for key in held:
        blocks += _held(KINDS[key], raw[key], thought is True, (*at, key), draft, ids)
    return blocks


def _held(kind: str, value: Json, thought: bool, at: Path, draft: Draft, ids: CallIds) -> list[Block]:
    if kind == "text" and isinstance(value, str):
        return [Reasoning(value)] if thought else [Text(value)] if value else []
    if kind != "unread" and isinstance(value, dict):
        if kind == "call":
            return [_call(value, at, draft, ids)]
        if kind == "result":
            return [_result(value, at, draft, ids)]
        if kind == "media":
            mime = value.get("mimeType", value.get("mime_type"))
            return [Media(_MEDIA.get(mime.split("/")[0], "file") if isinstance(mime, str) else "file", value)]
    return [draft.unknown(PROVIDER, {str(at[-1]): value}, f"A part with `{at[-1]}`", at)]


def _call(raw: dict[str, Json], at: Path, draft: Draft, ids: CallIds) -> ToolCall:
    name, given = raw.get("name"), raw.get("id")
    # AI Studio has the second of the two names.
    field = "args" if "args" in raw else "parameters"
    args = raw.get(field)
    if not isinstance(name, str) or not name:
        draft.warn("call-without-name", "This function call names no function.", "Add the name of the function.", at)
        name = "" if name is None else compact(name)
    draft.keep(raw, ("name", field, "id") if isinstance(given, str) else ("name", field), at)
    read = {} if args is None else arguments(args, name, draft, (*at, field))
    return ToolCall(ids.call(given, name, at), name, read)


def _result(raw: dict[str, Json], at: Path, draft: Draft, ids: CallIds) -> ToolResult:
    name, given, response = raw.get("name"), raw.get("id"), raw.get("response")
    call = ids.result(given, name if isinstance(name, str) else "", at)
    read = ["response", "parts"]
    # An id or a name that says more than the id of the call is kept beside it.
    read += ["name"] if isinstance(name, str) and ids.names(call, name) else []
    draft.keep(raw, [*read, "id"] if given == call else read, at)
    blocks: list[Block] = []
    if response is not None:
        blocks.append(Text(response if isinstance(response, str) else compact(response)))
    blocks += parts_of(raw.get("parts"), (*at, "parts"), draft, ids)
    failed = isinstance(response, dict) and response.get("error") not in _EMPTY
    return ToolResult(call, tuple(blocks), True if failed else None)
