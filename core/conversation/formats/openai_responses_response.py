"""OpenAI Responses response bodies and lists of output items: one assistant message."""

from __future__ import annotations

from ..model import Json, StopReason, ToolCall
from ..remarks import shown
from .draft import Draft
from .format import Format, Holds, Match
from .openai_responses_items import is_item, is_output, read_items
from .source import Source
from .stop_reasons import stop_reason

_INCOMPLETE = {
    "max_output_tokens": StopReason.MAX_TOKENS,
    "max_tokens": StopReason.MAX_TOKENS,
    "content_filter": StopReason.CONTENT_FILTER,
}


def match_response(source: Source) -> Match | None:
    """Score a response body, or what its `output` holds."""
    body = source.value
    if isinstance(body, dict) and isinstance(body.get("output"), list):
        if body.get("object") == "response":
            return Match(0.98, "`object` is `response`")
        output = body["output"]
        if output and all(map(is_output, output)) and any(map(is_item, output)) and "input" not in body:
            return Match(0.95, f"`output` with `{shown(next(item for item in output if is_item(item))['type'])}` items")
        return None
    items = body if isinstance(body, list) else [body]
    if items and all(map(is_output, items)) and any(map(is_item, items)):
        return Match(0.96, "items that a model wrote, and no others")
    return None


def read_response(source: Source, draft: Draft) -> None:
    """Read the items as one message; all other fields of the body are kept as extras."""
    body = source.value
    if not isinstance(body, dict) or "output" not in body:
        read_items(source.records(), draft)
        return
    at = (*source.path, "output")
    read_items(((item, (*at, index)) for index, item in enumerate(body["output"])), draft)
    draft.stop_reason = _stop_reason(body, source, draft)
    draft.keep(body, ("object", "output", "status", "incomplete_details"), source.path)


def _stop_reason(body: dict[str, Json], source: Source, draft: Draft) -> StopReason | None:
    status, error = body.get("status"), body.get("error")
    if status == "failed" or error:
        message = error.get("message") if isinstance(error, dict) else error
        said = f": {shown(message, 60)}" if isinstance(message, str) else ""
        draft.warn(
            "reply-failed",
            f"The provider reports that this reply failed{said}.",
            "Ask again; what stands here is not a whole answer.",
            (*source.path, "error" if error else "status"),
        )
        return StopReason.ERROR
    if status == "incomplete":
        details = body.get("incomplete_details")
        reason = details.get("reason") if isinstance(details, dict) else None
        at = (*source.path, "incomplete_details")
        return stop_reason(reason or "incomplete", _INCOMPLETE, draft, (*at, "reason"))
    if status is not None and status != "completed":
        draft.warn(
            "reply-cut-off",
            f"The reply was pasted while its status was `{shown(status)}`; more of it may have followed.",
            "Paste the completed reply.",
            (*source.path, "status"),
        )
        return StopReason.UNKNOWN
    calls = any(isinstance(block, ToolCall) for message in draft.messages for block in message.content)
    return StopReason.TOOL_USE if calls else StopReason.END_TURN if status else None


OPENAI_RESPONSES_RESPONSE = Format(
    "openai-responses-response",
    "OpenAI Responses response",
    "`object: response` with `output` items; or a list of output items",
    "nothing; ids, annotations and usage are kept as extras, calls that the provider ran itself unread",
    match_response,
    read_response,
    holds=Holds.REPLY,
    fields=frozenset({"output", "type"}),
    example="responses-hosted-items",
)
