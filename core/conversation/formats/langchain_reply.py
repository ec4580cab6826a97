"""LangChain's replies: the generations of a model call, and one assistant message by itself."""

from __future__ import annotations

from ..model import Json, Role, Text, text_of
from ..positions import Path
from .draft import Draft
from .format import Format, Holds, Match
from .langchain import opened, read_message
from .source import Source

_GENERATION = frozenset({"message", "text", "type"})


def match_reply(source: Source) -> Match | None:
    """Score a result with `generations`, or one message of an assistant."""
    body = source.value
    if not isinstance(body, dict):
        return None
    if generations_in(body.get("generations")):
        return Match(0.96, "`generations` of a model call")
    one = opened(body, ())
    telling = one is not None and (one.at != () or body.get("type") in ("ai", "AIMessageChunk"))
    if one is None or one.kind not in ("ai", "assistant"):
        return None
    if telling or "additional_kwargs" in body or "invalid_tool_calls" in body:
        return Match(0.9, "one message of `AIMessage`")
    return None


def read_reply_body(source: Source, draft: Draft) -> None:
    """Read the generations of each prompt, or the one message."""
    body, at = source.value, source.path
    groups = generations_in(body.get("generations"))
    if not groups:
        read_message(body, at, draft)
        return
    for index, group in enumerate(groups):
        nested = isinstance(body["generations"][0], list)
        where = (*at, "generations", index) if nested else (*at, "generations")
        read_generations(group, where, draft if len(groups) == 1 else draft.begin("", where))
    draft.keep(body, ("generations", "type"), at)


def generations_in(raw: Json) -> list[list[Json]]:
    """The generations by prompt; empty where these are none."""
    if not isinstance(raw, list) or not raw:
        return []
    groups = raw if all(isinstance(group, list) for group in raw) else [raw]
    return groups if all(_is_generation(one) for group in groups for one in group) and any(groups) else []


def _is_generation(raw: Json) -> bool:
    return isinstance(raw, dict) and ("message" in raw or isinstance(raw.get("text"), str))


def read_generations(group: list[Json], at: Path, draft: Draft) -> None:
    """Read the generations of one prompt: the first is the message, the others stand beside it."""
    for index, raw in enumerate(group):
        where = (*at, index)
        made = Draft()
        if isinstance(raw.get("message"), dict):
            read_message(raw["message"], (*where, "message"), made)
        else:
            text = raw.get("text")
            made.add(Role.ASSISTANT, (Text(text),) if isinstance(text, str) else (), where)
        said = any(text_of(message.content) == raw.get("text") for message in made.messages)
        draft.keep(raw, _GENERATION if said else _GENERATION - {"text"}, where)
        draft.take(made, as_alternative=index > 0)
        if index == 0:
            draft.stop_reason = made.stop_reason
    if len(group) > 1:
        draft.warn(
            "several-choices",
            f"The call gave {len(group)} generations; the first is the message.",
            "The others are kept as alternatives; to look at one, paste it alone.",
            at,
        )


LANGCHAIN_REPLY = Format(
    "langchain-reply",
    "LangChain model result",
    "`generations` with a `message` or `text`; or one message of an assistant",
    "nothing; usage and generation details are kept as extras",
    match_reply,
    read_reply_body,
    holds=Holds.REPLY,
    fields=frozenset({"generations", "type", "kwargs", "role"}),
)
