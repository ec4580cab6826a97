"""Events of the OpenHands SDK, which name their `kind`: messages, actions with a call, observations, errors."""

from __future__ import annotations

from ..model import Block, Json, Reasoning, Role, Text, ToolCall, ToolResult
from ..positions import Path, path_text
from .anthropic_blocks import block_of
from .arguments import arguments
from .draft import Draft
from .openai_blocks import content_blocks, result_blocks
from .openai_chat import read_message

_SYSTEM, _MESSAGE, _ACTION, _RESULT = "SystemPromptEvent", "MessageEvent", "ActionEvent", "ObservationEvent"
_FAILURES = {"AgentErrorEvent": "error", "UserRejectObservation": "rejection_reason"}
_HEAD = frozenset({"id", "kind", "source"})
#: Where an image part keeps its addresses.
_IMAGES = "image_urls"


def is_sdk_event(value: Json) -> bool:
    """Whether a value is an event of the SDK."""
    kind = value.get("kind") if isinstance(value, dict) else None
    return isinstance(kind, str) and "source" in value and kind.endswith(("Event", "Observation", "Condensation"))


def read_sdk_event(event: dict[str, Json], at: Path, draft: Draft) -> None:
    """Read one event into the draft; records of the harness are kept aside."""
    kind = event["kind"]
    told = event.get("llm_message")
    if kind == _SYSTEM:
        prompt = event.get("system_prompt")
        draft.add(
            Role.SYSTEM, _parts([prompt] if isinstance(prompt, dict) else prompt, (*at, "system_prompt"), draft), at
        )
        draft.keep(event, _HEAD | {"system_prompt"}, at)
    elif kind == _MESSAGE and isinstance(told, dict):
        content = _plain_parts(told.get("content"))
        read_message({**told, "content": content}, (*at, "llm_message"), draft)
        draft.keep(event, _HEAD | {"llm_message"}, at)
    elif kind == _ACTION and isinstance(event.get("tool_name"), str):
        _read_action(event, at, draft)
    elif kind == _RESULT and isinstance(event.get("observation"), dict):
        seen = event["observation"]
        name = next((n for n in ("content", "output", "result") if n in seen), "content")
        blocks = result_blocks(_plain_parts(seen.get(name)), (*at, "observation", name), draft)
        failed = seen.get("is_error", seen.get("error"))
        _answer(event, blocks, failed if isinstance(failed, bool) else None, at, draft)
        draft.keep(seen, ("kind", name, "is_error"), (*at, "observation"))
        draft.keep(event, _HEAD | {"observation", "tool_call_id"}, at)
    elif kind in _FAILURES:
        name = _FAILURES[kind]
        _answer(event, result_blocks(event.get(name), (*at, name), draft), True, at, draft)
        draft.keep(event, _HEAD | {name, "tool_call_id"}, at)
    else:
        draft.extras[path_text(at)] = event
        draft.note("harness-events", "This event is a record of the harness; kept aside, not read.", at)


def _read_action(event: dict[str, Json], at: Path, draft: Draft) -> None:
    thoughts = event.get("thinking_blocks")
    blocks: list[Block] = [
        block_of(block, (*at, "thinking_blocks", index), draft)
        for index, block in enumerate(thoughts if isinstance(thoughts, list) else ())
    ]
    hidden = event.get("reasoning_content")
    if isinstance(hidden, str) and hidden and not blocks:
        blocks.append(Reasoning(hidden))
    said = event.get("thought")
    blocks += _parts(said, (*at, "thought"), draft)
    made, name, given = event.get("tool_call"), event["tool_name"], event.get("tool_call_id")
    body = made.get("function") if isinstance(made, dict) and isinstance(made.get("function"), dict) else made
    read = {"thinking_blocks", "reasoning_content", "thought", "tool_name", "tool_call_id", *_HEAD}
    if isinstance(body, dict) and "arguments" in body:
        taken = arguments(body["arguments"], name, draft, (*at, "tool_call"))
        read.add("tool_call")
        if isinstance(made, dict):
            draft.keep(made, ("id", "type", "name", "arguments", "function", "origin"), (*at, "tool_call"))
    else:
        action = event.get("action")
        taken = {k: v for k, v in action.items() if k != "kind"} if isinstance(action, dict) else action
        taken = arguments(taken, name, draft, (*at, "action"))
        read.add("action")
    draft.add(Role.ASSISTANT, [*blocks, ToolCall(given if isinstance(given, str) else "", name, taken)], at)
    draft.keep(event, read, at)


def _answer(event: dict[str, Json], content: tuple[Block, ...], failed: bool | None, at: Path, draft: Draft) -> None:
    call = event.get("tool_call_id")
    draft.add(Role.TOOL, (ToolResult(call if isinstance(call, str) else "", content, failed),), at)


def _parts(value: Json, at: Path, draft: Draft) -> list[Block]:
    if isinstance(value, str):
        return [Text(value)] if value else []
    return content_blocks(_plain_parts(value), at, draft)


def _plain_parts(value: Json) -> Json:
    """Parts as OpenAI Chat has them: an image part of the SDK may hold several addresses."""
    if not isinstance(value, list):
        return value
    parts: list[Json] = []
    for part in value:
        if isinstance(part, dict) and part.get("type") == "image" and isinstance(part.get(_IMAGES), list):
            parts += [{"type": "image_url", "image_url": {"url": url}} for url in part[_IMAGES]]
        elif isinstance(part, dict) and part.get("type") == "text":
            parts.append({key: held for key, held in part.items() if key != "cache_prompt"})
        else:
            parts.append(part)
    return parts
