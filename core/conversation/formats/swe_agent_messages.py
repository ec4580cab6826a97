"""Messages of SWE-agent and mini-SWE-agent: OpenAI Chat with results under `tool_call_ids`, or Responses items."""

from __future__ import annotations

from ..model import Block, Json, Role, ToolResult
from ..positions import Path, path_text
from .anthropic_blocks import block_of
from .draft import Draft
from .openai_blocks import assistant_blocks, result_blocks
from .openai_chat import read_message as read_openai
from .openai_responses_items import is_item, read_items

_RESULT = frozenset({"role", "content", "tool_call_ids"})
#: Thoughts of a model, as its gateway gave them beside the text.
_THOUGHTS = "thinking_blocks"


def read_message(raw: Json, at: Path, draft: Draft) -> None:
    """Read one message of a run into the draft."""
    role = raw.get("role") if isinstance(raw, dict) else None
    if role == "exit":
        draft.extras[path_text(at)] = raw
        draft.note("end-of-run", "This record says how the run ended; it is no turn and is kept aside.", at)
    elif role == "tool" and isinstance(raw.get("tool_call_ids"), list):
        _read_result(raw, at, draft)
    elif role == "assistant" and isinstance(raw.get(_THOUGHTS), list):
        thoughts = [block_of(block, (*at, _THOUGHTS, index), draft) for index, block in enumerate(raw[_THOUGHTS])]
        rest = {key: value for key, value in raw.items() if key != _THOUGHTS}
        blocks: list[Block] = [*thoughts, *assistant_blocks(rest, at, draft)]
        draft.add(Role.ASSISTANT, blocks, at)
    elif role is None and isinstance(raw, dict) and isinstance(raw.get("output"), list) and "object" in raw:
        read_items(((item, (*at, "output", index)) for index, item in enumerate(raw["output"])), draft)
        draft.keep(raw, ("object", "output"), at)
    elif role is None and is_item(raw):
        read_items([(raw, at)], draft)
    else:
        read_openai(raw, at, draft)
        if isinstance(raw, dict) and raw.get("is_demo") is True:
            draft.note("demonstration", "This turn shows the agent how to work; it is no part of the task.", at)


def _read_result(raw: dict[str, Json], at: Path, draft: Draft) -> None:
    """A result for each call that it names; what was put out stands with the first of them."""
    calls = [call if isinstance(call, str) else "" for call in raw["tool_call_ids"]] or [""]
    content = result_blocks(raw.get("content"), (*at, "content"), draft)
    if len(calls) > 1:
        draft.note("one-result-for-several", "This output answers several calls; it stands with the first of them.", at)
    results = [ToolResult(call, content if index == 0 else ()) for index, call in enumerate(calls)]
    draft.add(Role.TOOL, results, at)
    draft.keep(raw, _RESULT, at)
