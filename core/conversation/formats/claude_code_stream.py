"""Claude Code stream-json: what a headless run prints, one envelope a line, or all of them in an array."""

from __future__ import annotations

from typing import Final

from ..model import Json, Role
from ..positions import Path
from .anthropic_stream import read_stream
from .claude_code_turns import Turns, first_words, is_hidden, message_in
from .draft import Draft
from .format import Format, Match, Source
from .session_records import kind_of
from .streams import read_whole

#: What only records of session files have.
_SESSION_FILE = frozenset({"sessionId", "parentUuid", "isSidechain"})
_ENVELOPE = frozenset({"session_id", "parent_tool_use_id"})
#: Types of records that hold no part of the conversation.
_KNOWN: Final = frozenset(
    {
        "system",
        "control_request",
        "control_response",
        "control_cancel_request",
        "keep_alive",
        "rate_limit_event",
        "tool_progress",
        "tool_use_summary",
        "auth_status",
        "prompt_suggestion",
    }
)


def match_stream(source: Source) -> Match | None:
    """Score envelopes with a message, partial events, the first record of a run or its result."""
    for record in source.objects:
        kind = kind_of(record)
        if kind in ("user", "assistant") and message_in(record) is not None and "message" in record:
            if not _SESSION_FILE.isdisjoint(record) or ("uuid" in record and _ENVELOPE.isdisjoint(record)):
                return None
            own = min(_ENVELOPE & record.keys(), default=None)
            beside = f" and `{own}`" if own else ""
            return Match(0.97 if own else 0.95, f"envelopes of type `{kind}` with `message`{beside}")
        if kind == "result" and "subtype" in record and ("is_error" in record or "num_turns" in record):
            return Match(0.96, "a `result` envelope of a run")
        if kind == "stream_event" and isinstance(record.get("event"), dict):
            return Match(0.96, "records of type `stream_event`")
        if kind == "system" and record.get("subtype") == "init" and "session_id" in record:
            return Match(0.96, "a `system` record of subtype `init`")
    return None


def read_run(source: Source, draft: Draft) -> None:
    """Read each session, and each subagent (`parent_tool_use_id`) as a conversation of its own."""
    records = list(source.records())
    keys = [_key(record) for record, _ in records]
    named = next((session for session, _ in keys if session is not None), None)
    # A record without a session stands in the one around it.
    for index, (session, agent) in enumerate(keys):
        named = session if session is not None else named
        keys[index] = (named, agent)
    whole = {message["id"] for record, _ in records if (message := _said(record)) is not None}
    with_turn = dict.fromkeys(key for key, (record, _) in zip(keys, records, strict=True) if _has_turn(record))
    runs: dict[tuple[str | None, str], _Run] = {}
    outer = _Run(draft, whole)
    for key, (record, at) in zip(keys, records, strict=True):
        if key not in with_turn:
            outer.read(record, at)
            continue
        if key not in runs:
            runs[key] = outer if len(with_turn) == 1 else _Run(draft.begin("", at), whole)
        runs[key].read(record, at)
    for (session, agent), run in runs.items():
        run.finish()
        run.draft.session_id = session
        if agent:
            run.draft.title = f"subagent: {first_words(run.draft.messages)}"
        elif run.draft.messages and run.draft.messages[0].role is not Role.USER:
            text = "The stream begins with the assistant; the prompt of the run is not in it."
            run.draft.note("prompt-missing", text, None, "Put it in front as a `user` record, to route the whole.")
    if outer not in runs.values():
        outer.finish()


def _key(record: Json) -> tuple[str | None, str]:
    if not isinstance(record, dict):
        return None, ""
    session, agent = record.get("session_id"), record.get("parent_tool_use_id")
    return session if isinstance(session, str) and session else None, agent if isinstance(agent, str) else ""


def _said(record: Json) -> dict[str, Json] | None:
    """The message of an assistant's envelope, where it has an id."""
    message = message_in(record) if isinstance(record, dict) and kind_of(record) == "assistant" else None
    return message if message is not None and isinstance(message.get("id"), str) else None


def _has_turn(record: Json) -> bool:
    if not isinstance(record, dict):
        return False
    return message_in(record) is not None or record.get("type") in ("result", "stream_event")


class _Run:
    """One conversation in the making."""

    def __init__(self, draft: Draft, whole: set[str]) -> None:
        self.draft = draft
        self._turns = Turns(draft)
        #: Ids of the messages that stand in envelopes; partial events of these are copies.
        self._whole = whole
        self._partial: list[dict[str, Json]] = []
        self._partial_at: Path = ()
        self._copies = 0
        #: Whether the last message is what a result envelope says.
        self._is_result = False

    def read(self, record: Json, at: Path) -> None:
        kind, message = kind_of(record), message_in(record)
        if kind == "stream_event" and isinstance(record.get("event"), dict):
            self._event(record["event"], at)
        elif kind == "result":
            self._result(record, at)
        elif message is None:
            if kind in _KNOWN:
                self._turns.kept.aside(record.get("subtype") or kind, record, at)
            else:
                self._turns.kept.unread(record, at)
        elif is_hidden(record, message):
            self._turns.kept.aside(kind, record, at, "meta-records")
        elif record.get("error") and kind == "assistant":
            what = "A call of the API failed here; what was written about it is no answer of the model"
            self._turns.kept.failed(record, at, what, record["error"])
        else:
            if record.get("isReplay") is True and self._repeats(message):
                self._turns.kept.keep(record, at)
                self.draft.note("record-repeated", "This message is replayed; it is read once.", at)
                return
            if self._partial and _id_of(self._partial) not in self._whole:
                self._end_partial()
            self._turns.add(record, message, at)
            self._is_result = False

    def _repeats(self, message: dict[str, Json]) -> bool:
        made = Draft()
        Turns(made).add({"type": "user"}, message, ())
        return bool(self.draft.messages) and made.messages == self.draft.messages[-1:]

    def _event(self, event: dict[str, Json], at: Path) -> None:
        if event.get("type") == "message_start":
            self._end_partial()
        if not self._partial:
            self._partial_at = at
        self._partial.append(event)
        if event.get("type") == "message_stop":
            self._end_partial()

    def _end_partial(self) -> None:
        """Read a message of partial events, unless it stands in envelopes too; of a cut one the events hold more."""
        events, self._partial = self._partial, []
        if not events:
            return
        given = _id_of(events)
        is_copy = given in self._whole or (given is None and bool(self._whole))
        is_whole = events[-1].get("type") == "message_stop"
        if is_copy and (is_whole or given is None):
            self._copies += len(events)
            return
        made = Draft()
        read_whole(read_stream, events, self._partial_at, made)
        if is_copy:
            if not self._turns.replace(str(given), made.messages):
                self._copies += len(events)
                return
            made.messages, made.messages_at = [], []
        self._turns.close()
        self.draft.take(made)

    def _result(self, record: dict[str, Json], at: Path) -> None:
        """The end of a run; its text repeats the last answer, and is the only one where a run prints nothing else."""
        self._end_partial()
        self._turns.kept.keep(record, at)
        text, failed = record.get("result"), record.get("is_error") is True
        subtype = record.get("subtype")
        if failed or (isinstance(subtype, str) and subtype.startswith("error")):
            self._turns.kept.failed(record, at, "The run ended with an error", subtype)
            return
        last = self._turns.last_text
        if not isinstance(text, str) or not text or (last is not None and text.strip() in last):
            return
        if last is None or self._is_result:
            if not self.draft.messages:
                note = "Only the result of a run stands here: its last answer, without the turns before it."
                self.draft.note("result-only", note, at, "For all of them, run it with `--output-format stream-json`.")
            self._turns.say(text, at)
            self._is_result = True
        else:
            self.draft.note("result-differs", "The result is another text than the last answer; it is kept aside.", at)

    def finish(self) -> None:
        self._end_partial()
        self._turns.finish()
        if self._copies:
            text = f"{self._copies:,} partial events repeat messages that stand whole beside them; they are not read."
            self.draft.note("partial-events", text)


def _id_of(events: list[dict[str, Json]]) -> str | None:
    """The id of the message that partial events belong to; None where its beginning is missing."""
    message = events[0].get("message")
    given = message.get("id") if isinstance(message, dict) else None
    return given if isinstance(given, str) else None


CLAUDE_CODE_STREAM_JSON: Final = Format(
    "claude-code-stream-json",
    "Claude Code stream-json",
    "envelopes of type `user`, `assistant` and `result` with a `session_id`",
    "partial events of messages that stand whole beside them; the envelopes are kept as extras",
    match_stream,
    read_run,
    fields=frozenset({"message", "event", "subtype"}),
    example="claude-code-stream-json",
    priority=2,
)
