"""LiteLLM logs: standard logging payloads and rows of the spend log; each row is a conversation."""

from __future__ import annotations

import re
from typing import Final

from ..diagnostics import Place
from ..json_text import decode_embedded
from ..model import Json, text_of
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .format import Format, Match
from .generation import is_nothing, read_answered, read_prompt, read_request_in
from .source import Source
from .wrapping import keep_inside

_REQUEST: Final = "proxy_server_request"
_STANDARD: Final = "standard_logging_object"
#: Fields that only these logs have; any two of them tell, or one with messages.
_TELLING: Final = (
    "call_type",
    "spend",
    "response_cost",
    _REQUEST,
    "model_map_information",
    "litellm_call_id",
    "litellm_params",
    "custom_llm_provider",
    "request_id",
    "api_base",
    "model_group",
    "completionStartTime",
)
_ALONE: Final = (_REQUEST, _STANDARD, "model_map_information", "litellm_call_id")
#: Where the reply stands, of rows and of what callbacks are given.
_REPLIES: Final = ("response", "complete_streaming_response", "async_complete_streaming_response", "original_response")
_HALVES: Final = ("messages", "response", _REQUEST)
#: Kinds of calls that hold no conversation.
_OTHERS: Final = ("embedding", "image", "transcription", "speech", "moderation", "rerank")
#: What stands where the log was told to keep no text, and what stands for a text that it cut.
_REDACTED: Final = "redacted-by-litellm"
_CUT: Final = re.compile(r"\(?litellm_truncated\b|\.\.\. \(truncated \d+ chars\)")


def match_litellm(source: Source) -> Match | None:
    """Score rows by their accounting."""
    for item in source.objects:
        rows = item.get("data")
        row = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else item
        if alone := next((name for name in _ALONE if name in row), None):
            return Match(0.97, f"`{alone}`")
        found = [name for name in _TELLING if name in row]
        if len(found) > 1 and any(name in row for name in _HALVES):
            return Match(0.97, f"`{found[0]}` and `{found[1]}` with {_held(row)}")
        if "call_type" in found and "messages" in row:
            return Match(0.96, "`call_type` with `messages`")
    return None


def _held(row: dict[str, Json]) -> str:
    return " and ".join(f"`{name}`" for name in _HALVES if name in row)


def read_litellm(source: Source, draft: Draft) -> None:
    """Read every row by itself."""
    rows: list[tuple[Json, Path]] = []
    for value, at in source.records():
        if isinstance(value, dict) and isinstance(value.get("data"), list):
            rows += [(row, (*at, "data", index)) for index, row in enumerate(value["data"])]
            draft.keep(value, ("data",), at)
        else:
            rows.append((value, at))
    for row, at in rows:
        if not isinstance(row, dict):
            keep_inside(row, at, source, draft, "This row")
            continue
        _read_row(row, at, source, draft if len(rows) == 1 else draft.begin(_title(row), at))


def _read_row(row: dict[str, Json], at: Path, source: Source, draft: Draft) -> None:
    payload = row.get(_STANDARD)
    if isinstance(payload, dict):
        repeated = [name for name in _HALVES if row.get(name) == payload.get(name)]
        draft.keep(row, (_STANDARD, *repeated), at)
        row, at = payload, (*at, _STANDARD)
    kind = row.get("call_type")
    if isinstance(kind, str) and any(name in kind for name in _OTHERS):
        message = f"This row is a call of `{shown(kind)}`, which is no conversation; it is kept."
        draft.warn("not-a-chat", message, "Paste a row of a chat call.", at)
        draft.keep(row, (), at)
        return
    _read_request(row, at, source, draft)
    read = {"messages", _REQUEST, _read_response(row, at, source, draft)}
    if row.get("status") == "failure" or not is_nothing(row.get("error_str")):
        step = "Send the request again; no reply of a model stands here."
        draft.warn("call-failed", "The log reports that this call failed.", step, (*at, "status"))
    session = row.get("session_id")
    if isinstance(session, str) and session:
        draft.session_id = session
        read.add("session_id")
    draft.keep(row, read, at)
    turns = zip(draft.instructions + draft.messages, draft.instructions_at + draft.messages_at, strict=True)
    for turn, where in turns:
        text = text_of(turn.content)
        if text == _REDACTED:
            _say_redacted(draft, where)
        elif "truncated" in text and _CUT.search(text):
            draft.warn(
                "log-truncated",
                "The log cut a text of this message; what is read is not all that was said.",
                "Paste the conversation itself, or log it in full length.",
                where,
            )


def _read_request(row: dict[str, Json], at: Path, source: Source, draft: Draft) -> None:
    """Read what the model was sent; the client's own request, where that holds the same turns and instructions too."""
    sent = _read_half(row.get("messages"), (*at, "messages"), source, draft)
    asked = _read_half(row.get(_REQUEST), (*at, _REQUEST), source, draft)
    if sent is None or asked is None:
        made = sent or asked
        if made is not None:
            draft.take(made)
            draft.session_id = made.session_id
        elif is_nothing(row.get("messages")) and is_nothing(row.get(_REQUEST)):
            draft.warn(
                "no-messages-stored",
                "This row stores no messages; the log was told to keep none.",
                "Turn on `store_prompts_in_spend_logs`, or paste the request itself.",
                at,
            )
        return
    if sent.messages == asked.messages:
        if not asked.instructions:
            sent, asked = asked, sent
        draft.take(asked)
        draft.extras |= sent.extras
    else:
        note = "The row holds the request twice, and the two differ; read is what the model was sent."
        draft.note("two-requests", note, (*at, _REQUEST))
        draft.take(sent)
        draft.keep(row, [name for name in row if name != _REQUEST], at)
    draft.session_id = asked.session_id


def _read_half(value: Json, at: Path, source: Source, draft: Draft) -> Draft | None:
    """A request in a field of the row; None where nothing was stored, or nothing could be read."""
    if is_nothing(value):
        return None
    made = Draft()
    if value == _REDACTED or (isinstance(value, list) and value == [_REDACTED]):
        _say_redacted(draft, at)
        return None
    if read_request_in(value, at, source, made):
        return made
    if isinstance(value, str) and decode_embedded(value) is None and source.inside(value, at).why_broken() is None:
        read_prompt(value, at, source, made)
        return made
    keep_inside(value, at, source, draft, "The request" if at[-1] == _REQUEST else "`messages`")
    return None


def _say_redacted(draft: Draft, at: Path | Place) -> None:
    draft.warn("redacted", "The log redacted what stands here.", "Log it, or paste the request itself.", at)


def _read_response(row: dict[str, Json], at: Path, source: Source, draft: Draft) -> str:
    """Read the reply, and give the name of its field."""
    name = next((name for name in _REPLIES if not is_nothing(row.get(name))), _REPLIES[0])
    value, where = row.get(name), (*at, name)
    if not draft.has_no_turn or draft.begun or not is_nothing(value):
        read_answered(value, where, source, draft)
    return name


def _title(row: dict[str, Json]) -> str:
    named = (row.get(name) for name in ("request_id", "id", "litellm_call_id"))
    return next((shown(name, 60) for name in named if isinstance(name, str) and name), "")


LITELLM_LOG = Format(
    "litellm-log",
    "LiteLLM log",
    "`proxy_server_request`, or `call_type`, `spend`, `response_cost` with `messages` and `response`",
    "nothing; the accounting is kept as extras",
    match_litellm,
    read_litellm,
    fields=frozenset((*_TELLING, _STANDARD, "data")),
    example="litellm-spend-log-row",
)
