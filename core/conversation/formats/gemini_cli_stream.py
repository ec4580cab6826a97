"""Gemini CLI stream-json: what a headless run prints, one event a line; answers come in pieces."""

from __future__ import annotations

from typing import Final

from ..json_text import compact
from ..model import Block, Json, Role, Text, ToolCall, ToolResult
from ..positions import Path
from .arguments import arguments
from .call_ids import CallIds
from .draft import Draft, role_named
from .format import Format, Match, Source
from .gemini_parts import PROVIDER
from .session_records import Kept, kind_of

_EVENTS: Final = {
    "tool_use": frozenset({"tool_name", "tool_id", "parameters"}),
    "tool_result": frozenset({"tool_id", "status", "output", "error"}),
    "message": frozenset({"role", "content", "delta"}),
}
#: Two fields of an event that only such a stream has together.
_TELLING: Final = {"tool_use": ("tool_name", "tool_id"), "tool_result": ("tool_id", "status")}
#: Fields that are read where they hold a text.
_TEXTS: Final = ("tool_name", "tool_id", "status")
_FAILED: Final = {"error": True, "success": False}


def match_events(source: Source) -> Match | None:
    """Score events of tools; a stream without any by its first event and its messages."""
    for record in source.objects:
        kind = kind_of(record)
        if kind in _TELLING and all(name in record for name in _TELLING[kind]):
            return Match(0.96, f"events of type `{kind}` with `tool_id`")
    inits = (one for one in source.objects if kind_of(one) == "init")
    if "message" in source.types and any("session_id" in one for one in inits):
        return Match(0.96, "an event `init`, then events of type `message`")
    pieces = (one for one in source.objects if kind_of(one) == "message" and one.get("delta") is True)
    if any(isinstance(one.get("content"), str) and "timestamp" in one for one in pieces):
        return Match(0.95, "events of type `message` with `delta`")
    return None


def read_events(source: Source, draft: Draft) -> None:
    """Read each run: an `init` begins the next one."""
    runs: list[list[tuple[Json, Path]]] = []
    for record, at in source.records():
        if not runs or (kind_of(record) == "init" and any(kind_of(one) in _EVENTS for one, _ in runs[-1])):
            runs.append([])
        runs[-1].append((record, at))
    full = [any(kind_of(record) in _EVENTS for record, _ in run) for run in runs]
    for run, has_turn in zip(runs, full, strict=True):
        _Run(draft.begin("", run[0][1]) if has_turn and sum(full) > 1 else draft).read(run)


class _Run:
    """The events of one run."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._kept = Kept(draft)
        self._ids = CallIds(draft)
        #: What the assistant says in pieces, until something else is said; pieces of one text are not yet joined.
        self._blocks: list[Block | list[str]] = []
        self._at: Path = ()

    def read(self, records: list[tuple[Json, Path]]) -> None:
        """Read them in order."""
        for record, at in records:
            kind = kind_of(record)
            if kind in _EVENTS:
                self._turn(record, kind, at)
            elif kind == "result" and record.get("status") == "error":
                self._kept.failed(record, at, "The run ended with an error", _message(record.get("error")))
            elif kind == "error":
                self._kept.failed(record, at, "The run reports an error", record.get("message"))
            elif kind in ("init", "result"):
                named = record.get("session_id")
                self._draft.session_id = named if isinstance(named, str) else self._draft.session_id
                self._kept.aside(kind, record, at)
            else:
                self._kept.unread(record, at)
        self._close()
        if self._draft.messages and self._draft.messages[0].role is not Role.USER:
            text = "The events begin with the assistant; the prompt of the run is not among them."
            self._draft.note("prompt-missing", text, None, "Put it in front, to route the whole conversation.")
        self._kept.remark()

    def _turn(self, record: dict[str, Json], kind: str, at: Path) -> None:
        draft, read = self._draft, _EVENTS[kind]
        if kind == "message":
            self._message(record, at)
        else:
            read -= {name for name in _TEXTS if not isinstance(record.get(name), str)}
        if kind == "tool_use":
            name = record.get("tool_name")
            name = name if isinstance(name, str) else ""
            if not self._blocks:
                self._ids.turn()
            taken = arguments(record.get("parameters"), name, draft, (*at, "parameters"))
            self._say(ToolCall(self._ids.call(record.get("tool_id"), name, at), name, taken), at)
        elif kind == "tool_result":
            self._close()
            given, error = self._ids.result(record.get("tool_id"), "", at), record.get("error")
            failed = _FAILED.get(str(record.get("status")))
            read -= {"status"} if failed is None else frozenset()
            draft.add(Role.TOOL, (ToolResult(given, tuple(_output(record)), True if error else failed),), at)
            if isinstance(error, dict):
                draft.keep(error, ("message",), (*at, "error"))
        if rest := {name: value for name, value in record.items() if name not in read and name != "type"}:
            self._kept.keep(rest, at)

    def _message(self, record: dict[str, Json], at: Path) -> None:
        role, content = role_named(record.get("role")), record.get("content")
        if role is None or not isinstance(content, str):
            self._close()
            self._draft.add_unread(record.get("role"), PROVIDER, record, at)
        elif role is not Role.ASSISTANT:
            self._close()
            self._draft.add(role, (Text(content),), at)
        elif record.get("delta") is True and self._blocks and isinstance(self._blocks[-1], list):
            self._blocks[-1].append(content)
        else:
            self._say([content], at)

    def _say(self, block: Block | list[str], at: Path) -> None:
        self._at = self._at if self._blocks else at
        self._blocks.append(block)

    def _close(self) -> None:
        """End what the assistant says."""
        if self._blocks:
            blocks = [Text("".join(one)) if isinstance(one, list) else one for one in self._blocks]
            self._draft.add(Role.ASSISTANT, blocks, self._at)
        self._blocks = []


def _message(error: Json) -> Json:
    return error.get("message") if isinstance(error, dict) else error


def _output(record: dict[str, Json]) -> list[Text]:
    """What a tool gave back, and what is said of its failure where that is something else."""
    said = [value for value in (record.get("output"), _message(record.get("error"))) if value not in (None, "")]
    texts = [value if isinstance(value, str) else compact(value) for value in said]
    return [Text(text) for text in dict.fromkeys(texts)]


GEMINI_CLI_STREAM_JSON: Final = Format(
    "gemini-cli-stream-json",
    "Gemini CLI stream-json",
    "events of type `init`, `message`, `tool_use` with `tool_id`, and `tool_result`",
    "which piece of an answer came when; the other events are kept as extras",
    match_events,
    read_events,
    fields=frozenset({"tool_id", "delta", "session_id"}),
    priority=3,
)
