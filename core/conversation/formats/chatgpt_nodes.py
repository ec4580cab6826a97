"""One node of a ChatGPT export: who speaks to whom, and what kind of content it holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ..json_text import decode_embedded
from ..model import Block, Json, Media, Reasoning, Role, StopReason, Text, ToolCall, ToolResult
from ..positions import Path
from ..remarks import shown
from .draft import Draft, role_named
from .stop_reasons import stop_reason

PROVIDER = "chatgpt"

#: Recipients that are no tool.
_NO_TOOL = frozenset({"all", "assistant", "user"})
_MESSAGE = frozenset({"author", "content", "recipient"})
#: Kinds of content that hold settings of the user or of the model, and their fields.
_SETTINGS = {
    "user_editable_context": ("user_profile", "user_instructions"),
    "model_editable_context": ("model_set_context",),
}
#: Kinds that hold one text, and the field it stands in.
_TEXTS = {
    "code": ("text",),
    "execution_output": ("text",),
    "system_error": ("text",),
    "tether_browsing_display": ("result", "summary"),
    "tether_quote": ("text",),
    "sonic_webpage": ("text",),
    "citable_code_output": ("output_str",),
}
_POINTERS: dict[str, Literal["image", "audio", "video"]] = {
    "image_asset_pointer": "image",
    "audio_asset_pointer": "audio",
    "video_container_asset_pointer": "video",
    "real_time_user_audio_video_asset_pointer": "video",
}
_STOPS = {
    "stop": StopReason.END_TURN,
    "max_tokens": StopReason.MAX_TOKENS,
    "interrupted": StopReason.UNKNOWN,
    "unknown": StopReason.UNKNOWN,
}


class Calls:
    """The calls of a branch, to find the one that a result answers: results name their tool only."""

    def __init__(self) -> None:
        self._made: list[tuple[str, str]] = []

    def add(self, tool: str, call: str) -> None:
        """Note a call by its tool and its id, which is the name of its node."""
        self._made.append((tool.partition(".")[0], call))

    def of(self, tool: Json) -> str:
        """The last call of a tool; empty where there was none."""
        named = tool.partition(".")[0] if isinstance(tool, str) else None
        return next((call for made, call in reversed(self._made) if made == named), "")


def read_node(raw: dict[str, Json], name: str, at: Path, calls: Calls, draft: Draft) -> None:
    """Read the message of a node into the draft."""
    author, content = raw.get("author"), raw.get("content")
    word = author.get("role") if isinstance(author, dict) else None
    role = role_named(word)
    if role is None or not isinstance(author, dict) or not isinstance(content, dict):
        draft.add_unread(word, PROVIDER, raw, at)
        return
    kind = content.get("content_type")
    draft.keep(raw, _MESSAGE, at)
    draft.keep(author, ("role",) if role is not Role.TOOL else ("role", "name"), (*at, "author"))
    if isinstance(kind, str) and kind in _SETTINGS:
        _read_settings(content, kind, at, draft)
    elif role is Role.USER and _is_hidden(raw):
        draft.keep({"content": content}, (), at)
        draft.note("hidden-turn", "This turn under the user's name is hidden in the application; kept aside.", at)
    elif kind == "reasoning_recap":
        draft.keep(content, ("content_type",), (*at, "content"))
    elif role is Role.TOOL:
        blocks = tuple(_blocks(content, (*at, "content"), draft, in_result=True))
        draft.add(role, (ToolResult(calls.of(author.get("name")), blocks, _failed(raw, kind)),), at)
    elif role is Role.ASSISTANT and _tool(raw):
        draft.add(role, _call(content, _tool(raw), name, (*at, "content"), draft), at)
        calls.add(_tool(raw), name)
    else:
        blocks = tuple(_blocks(content, (*at, "content"), draft))
        if blocks or role in (Role.USER, Role.ASSISTANT):
            draft.add(role, blocks, at)
    if role is Role.ASSISTANT:
        _note_stop(raw, at, draft)


def _is_hidden(raw: dict[str, Json]) -> bool:
    metadata = raw.get("metadata")
    return isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation") is True


def _tool(raw: dict[str, Json]) -> str:
    """The tool that a turn is addressed to; empty where it is said to all."""
    recipient = raw.get("recipient")
    return recipient if isinstance(recipient, str) and recipient not in _NO_TOOL else ""


def _read_settings(content: dict[str, Json], kind: str, at: Path, draft: Draft) -> None:
    """Settings reach the model as instructions, whosever name they stand under."""
    texts = [content[key] for key in _SETTINGS[kind] if isinstance(content.get(key), str) and content[key].strip()]
    if texts:
        draft.add(Role.SYSTEM, [Text(text) for text in texts], at)
        draft.note("settings-turn", "Settings of the application stand here; read as an instruction.", at)
    draft.keep(content, ("content_type", *_SETTINGS[kind]), (*at, "content"))


def _failed(raw: dict[str, Json], kind: Json) -> bool | None:
    """Whether the application says that a call failed."""
    if kind == "system_error":
        return True
    metadata = raw.get("metadata")
    outcome = metadata.get("aggregate_result") if isinstance(metadata, dict) else None
    status = outcome.get("status") if isinstance(outcome, dict) else None
    if not isinstance(status, str):
        return None
    return True if status.startswith("failed") else False if status == "success" else None


def _call(content: dict[str, Json], tool: str, name: str, at: Path, draft: Draft) -> list[Block]:
    """A turn addressed to a tool: JSON is its arguments, anything else its one input."""
    blocks = list(_blocks(content, at, draft))
    texts = [block.text for block in blocks if isinstance(block, Text)]
    body = "\n".join(texts)
    found = decode_embedded(body)
    if found is not None and isinstance(found[0], dict):
        read: Json = found[0]
    else:
        draft.note("custom-tool", f"The input of `{shown(tool)}` is free text; read as one argument, `input`.", at)
        read = {"input": body}
    return [*(block for block in blocks if not isinstance(block, Text)), ToolCall(name, tool, read)]


def _blocks(content: dict[str, Json], at: Path, draft: Draft, *, in_result: bool = False) -> Iterable[Block]:
    kind = content.get("content_type")
    if kind in ("text", "multimodal_text") and isinstance(content.get("parts"), list):
        draft.keep(content, ("content_type", "parts"), at)
        read = (_part(part, (*at, "parts", index), draft) for index, part in enumerate(content["parts"]))
        return [block for block in read if block is not None]
    if kind == "thoughts" and isinstance(content.get("thoughts"), list):
        draft.keep(content, ("content_type", "thoughts"), at)
        return [Reasoning("\n\n".join(_thoughts(content["thoughts"])))]
    fields = _TEXTS.get(kind, ("text",) if in_result else ()) if isinstance(kind, str) else ()
    texts = [f for f in fields if isinstance(content.get(f), str)]
    if texts:
        field = next((f for f in texts if content[f]), texts[0])
        draft.keep(content, ("content_type", field), at)
        return [Text(content[field])] if content[field] else []
    shot = content.get("screenshot")
    if kind == "computer_output" and isinstance(shot, dict):
        draft.keep(content, ("content_type", "screenshot"), at)
        return [Media("image", shot)]
    return [draft.unknown(PROVIDER, content, f"Content of type `{shown(kind)}`", at)]


def _thoughts(thoughts: list[Json]) -> Iterable[str]:
    for thought in thoughts:
        if isinstance(thought, dict):
            parts = (thought.get("summary"), thought.get("content"))
            yield "\n".join(part for part in parts if isinstance(part, str) and part)
        elif isinstance(thought, str):
            yield thought


def _part(part: Json, at: Path, draft: Draft) -> Block | None:
    if isinstance(part, str):
        return Text(part) if part else None
    kind = part.get("content_type") if isinstance(part, dict) else None
    if isinstance(kind, str) and kind in _POINTERS:
        return Media(_POINTERS[kind], part)
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        draft.keep(part, ("content_type", "text"), at)
        return Text(part["text"])
    if isinstance(part, dict) and "asset_pointer" in part:
        return Media("image", part)
    return draft.unknown(PROVIDER, part, f"A part of type `{shown(kind)}`" if kind else "A part without a type", at)


def _note_stop(raw: dict[str, Json], at: Path, draft: Draft) -> None:
    """Why the model stopped; what counts is the last turn's."""
    metadata = raw.get("metadata")
    details = metadata.get("finish_details") if isinstance(metadata, dict) else None
    kind = details.get("type") if isinstance(details, dict) else None
    where = (*at, "metadata", "finish_details", "type")
    draft.stop_reason = stop_reason(kind, _STOPS, draft, where)
