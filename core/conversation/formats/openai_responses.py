"""OpenAI Responses requests and bare lists of their items."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ..model import Json, Role, Text
from ..positions import Path
from .draft import Draft
from .format import Format, Holds, Match
from .message_list import MessageList, message_list
from .openai_chat import session_of
from .openai_responses_items import PARTS, is_item, read_items
from .source import LOOKED_AT, Source

#: What only messages of OpenAI Chat have.
_CHAT = frozenset({"tool_calls", "tool_call_id", "function_call"})
_BESIDE = ("model", "instructions", "previous_response_id", "max_output_tokens")


def match_request(source: Source) -> Match | None:
    """Score a request body with `input`, a list of items, or messages with parts that only this API has."""
    body = source.value
    if isinstance(body, dict) and "input" in body:
        given = body["input"]
        beside = next((name for name in _BESIDE if name in body), None)
        if isinstance(given, str):
            return None if beside is None else Match(0.9, f"`input` is a text, with `{beside}`")
        items = given if isinstance(given, list) else [given]
        if told := _told(items):
            return Match(0.96, f"`input` with {told}")
        messages = message_list(items, ())
        if beside is None or messages is None or not messages.roles or not _speaks(messages):
            return None
        return Match(0.9, f"`input` with messages, and `{beside}`")
    if isinstance(body, list) and (told := _told(body)):
        return Match(0.95, f"a list with {told}")
    messages = source.messages
    if messages is None or messages.block_types.isdisjoint(PARTS) or not _speaks(messages):
        return None
    return Match(0.92, f"messages with `{min(messages.block_types & PARTS)}` parts")


def _told(items: list[Json]) -> str:
    """What tells that these are items; empty where nothing does."""
    found = next((item for item in islice(items, LOOKED_AT) if is_item(item)), None)
    return "" if found is None else f"`{found['type']}` items"


def _speaks(messages: MessageList) -> bool:
    """Whether messages could be items: none is of OpenAI Chat alone."""
    return messages.fields.isdisjoint(_CHAT) and messages.roles.isdisjoint({"tool", "function"})


def read_request(source: Source, draft: Draft) -> None:
    """Read `instructions` and the items; all other fields of the body are kept as extras."""
    body = source.value
    if not isinstance(body, dict) or ("input" not in body and "messages" not in body):
        read_items(source.records(), draft)
        return
    at = source.path
    instructions = body.get("instructions")
    if isinstance(instructions, str) and instructions:
        draft.add(Role.SYSTEM, (Text(instructions),), (*at, "instructions"))
    elif isinstance(instructions, list):
        read_items(_with_paths(instructions, (*at, "instructions")), draft)
    name = "input" if "input" in body else "messages"
    given = body[name]
    if isinstance(given, str):
        draft.add(Role.USER, (Text(given),) if given else (), (*at, name))
    elif isinstance(given, list):
        read_items(_with_paths(given, (*at, name)), draft)
    else:
        read_items([(given, (*at, name))], draft)
    if body.get("previous_response_id") or body.get("conversation"):
        draft.warn(
            "earlier-turns-elsewhere",
            "The request goes on from a conversation that the provider keeps; its earlier turns are not in the paste.",
            "Paste the earlier turns with it, to route the whole conversation.",
            (*at, "previous_response_id" if body.get("previous_response_id") else "conversation"),
        )
    draft.session_id = session_of(body)
    read = {name, "session_id"} if draft.session_id is not None else {name}
    draft.keep(body, read | {"instructions"} if isinstance(instructions, (str, list)) else read, at)


def _with_paths(items: list[Json], at: Path) -> Iterator[tuple[Json, Path]]:
    return ((item, (*at, index)) for index, item in enumerate(items))


OPENAI_RESPONSES_REQUEST = Format(
    "openai-responses-request",
    "OpenAI Responses request",
    "`input` as a text or with items: `function_call`, `reasoning`, `input_text` parts; or a bare list of items",
    "nothing; ids, statuses and tool declarations are kept as extras, calls that the provider ran itself unread",
    match_request,
    read_request,
    holds=Holds.REQUEST,
    fields=frozenset({"input", "type", "messages", "role"}),
    tells=PARTS | {"input", "type"},
    example="responses-codex-lite",
)
