"""ShareGPT data sets: turns of `from` and `value`, one conversation a record, or a bare list of turns."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Json, Role, Text, ToolResult
from ..positions import Path
from .call_ids import CallIds
from .draft import Draft
from .format import Format, Match
from .listed_record import draft_of
from .openai_blocks import content_blocks, result_blocks
from .openai_chat import read_message
from .several import name_of
from .sharegpt_turns import PROVIDER, TurnMedia, answered, called, is_call, said
from .source import LOOKED_AT, Source
from .wrapping import keep_inside

#: Fields that hold the turns of a record.
_LISTS = ("conversations", "conversation", "items", "dialog", "dialogue")
_WHO, _WHAT = ("from", "role", "speaker"), ("value", "content", "text")
_SPEAKERS = {
    "system": Role.SYSTEM,
    **dict.fromkeys(("human", "user", "prompter", "question"), Role.USER),
    **dict.fromkeys(
        ("gpt", "chatgpt", "assistant", "bot", "ai", "model", "bing", "bard", "claude", "chatbot", "answer"),
        Role.ASSISTANT,
    ),
}
_CALLS = frozenset({"function_call", "function-call", "tool_call", "tool_calls"})
_RESULTS = frozenset(
    {"observation", "tool", "function", "function_response", "function-response", "tool_response", "ipython"}
)
_WORDS = _SPEAKERS.keys() | _CALLS | _RESULTS
#: The fields of most turns.
_PLAIN = frozenset({"from", "value"})
_PREFERRED, _OTHER = "chosen", "rejected"


def match_sharegpt(source: Source) -> Match | None:
    """Score records whose list holds `from` and `value`, or a bare list of such turns."""
    if _are_turns(source.value) and any(_is_known(turn) for turn in source.objects):
        return Match(0.96, "a list of turns with `from` and `value`")
    empty = False
    for record in source.objects:
        name = _list_in(record)
        if name and _are_turns(record[name]):
            return Match(0.96, f"`{name}` with `from` and `value`")
        if name in _LISTS[:2] and _are_chat(record[name]):
            return Match(0.95, f"`{name}` with `role` and `content`")
        empty = empty or name == _LISTS[0]
    return Match(0.5, "`conversations`, though empty") if empty else None


def _list_in(record: Json) -> str:
    """The field with the turns; empty where there is none."""
    held = (name for name in _LISTS if isinstance(record, dict) and isinstance(record.get(name), list))
    return next((name for name in held if not record[name] or _are_turns(record[name]) or _are_chat(record[name])), "")


def _are_turns(value: Json) -> bool:
    """Whether a list has turns that only this format has; one of them is enough."""
    if not isinstance(value, list):
        return False
    first = [turn for turn in value[:LOOKED_AT] if isinstance(turn, dict)]
    return any(isinstance(t.get("from", t.get("role")), str) and "value" in t for t in first) or any(
        isinstance(t.get("from"), str) and t["from"].lower() in _WORDS and any(key in t for key in _WHAT) for t in first
    )


def _is_known(turn: dict[str, Json]) -> bool:
    """Whether it is known who speaks; letters and events have `from` and `value` too."""
    who = turn.get("from", turn.get("role"))
    return isinstance(who, str) and who.strip().lower() in _WORDS


def _are_chat(value: list[Json]) -> bool:
    return any(isinstance(t, dict) and isinstance(t.get("role"), str) and "content" in t for t in value[:LOOKED_AT])


def read_sharegpt(source: Source, draft: Draft) -> None:
    """Read each record into a conversation of its own; one without turns stays in the list."""
    if _are_turns(source.value):
        media, ids = TurnMedia({}), CallIds(draft)
        for turn, at in source.records():
            _read_turn(turn, at, media, ids, draft)
        return
    for record, at in source.records():
        name = _list_in(record)
        if not name:
            keep_inside(record, at, source, draft, "This record")
            continue
        _read_record(record, name, at, draft_of(name_of(record), at, source, draft))


def _read_record(record: dict[str, Json], name: str, at: Path, draft: Draft) -> None:
    read = {name}
    system = record.get("system", record.get("system_prompt"))
    if isinstance(system, str) and system:
        field = "system" if "system" in record else "system_prompt"
        draft.add(Role.SYSTEM, (Text(system),), (*at, field))
        read.add(field)
    media, ids = TurnMedia(record), CallIds(draft)
    for index, turn in enumerate(record[name]):
        _read_turn(turn, (*at, name, index), media, ids, draft)
    for turn, where in _turns_under(record, _PREFERRED, at):
        _read_turn(turn, where, media, ids, draft)
    other = Draft()
    for turn, where in _turns_under(record, _OTHER, at):
        _read_turn(turn, where, media, CallIds(other), other)
    draft.take(other, as_alternative=True)
    draft.keep(record, read | media.read_fields(at, draft) | {_PREFERRED, _OTHER}, at)


def _turns_under(record: dict[str, Json], name: str, at: Path) -> Iterator[tuple[Json, Path]]:
    """The answers that a preference keeps beside the turns: one, a list of them, or its bare text."""
    value = record.get(name)
    if isinstance(value, list):
        yield from ((turn, (*at, name, index)) for index, turn in enumerate(value))
    elif value:
        yield {"from": "gpt", "value": value} if isinstance(value, str) else value, (*at, name)


def _read_turn(turn: Json, at: Path, media: TurnMedia, ids: CallIds, draft: Draft) -> None:
    if type(turn) is dict and turn.keys() == _PLAIN and type(turn["from"]) is str:
        who, what = "from", "value"
    else:
        who = next((key for key in _WHO if isinstance(turn, dict) and isinstance(turn.get(key), str)), "")
        what = next((key for key in _WHAT if who and key in turn), "")
    if not who or not (what or (who == "role" and "tool_calls" in turn)):
        draft.add_unread(turn[who] if who else None, PROVIDER, turn, at)
        return
    if who == "role" and what != "value":
        read_message(turn, at, draft)
        return
    value, word, where = turn[what], turn[who].strip().lower(), (*at, what)
    text, known, read = value if isinstance(value, str) else "", _SPEAKERS.get(word), {who, what}
    if word not in _WORDS:
        draft.add_unread(turn[who], PROVIDER, turn, at)
        return
    if word in _CALLS or (word == "function" and is_call(text)):
        draft.add(Role.ASSISTANT, called(text, where, ids, draft), at)
    elif known is None:
        given, tool = turn.get("tool_call_id"), turn.get("name")
        tool = tool if isinstance(tool, str) else ""
        if isinstance(given, str) or not text:
            content = result_blocks(value, where, draft)
            draft.add(Role.TOOL, (ToolResult(ids.result(given, tool, where), content),), at)
            read |= {"tool_call_id"} if isinstance(given, str) else set()
        else:
            draft.add(Role.TOOL, answered(text, tool, where, ids, draft), at)
        ids.turn()
    elif text and known is Role.ASSISTANT:
        draft.add(known, said(text, where, ids, draft), at)
    else:
        draft.add(known, [*content_blocks(value, where, draft), *media.shown_in(text)], at)
    if len(turn) > 2:
        draft.keep(turn, read, at)


SHAREGPT = Format(
    "sharegpt",
    "ShareGPT conversations",
    "`conversations` (or a bare list) of `from` and `value`",
    "nothing; tools, weights and ids are kept as extras",
    match_sharegpt,
    read_sharegpt,
    fields=frozenset({*_LISTS, "from", "value"}),
    example="sharegpt-many-assistant-first",
    priority=2,
)
