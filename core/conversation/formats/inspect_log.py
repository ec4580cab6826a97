"""Inspect AI logs: every sample and epoch a conversation of its own; single samples and bare messages too."""

from __future__ import annotations

from ..model import Json, Role, StopReason, Text
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .format import Format, Holds, Match
from .inspect_messages import Attachments, read_message, telling
from .listed_record import draft_of
from .openai_chat import note_form
from .source import NAMED_FUNCTION, Source
from .stop_reasons import stop_reason
from .wrapping import keep_inside

_LOG, _SAMPLES = "eval", "samples"
#: What a sample has together, and nothing else has.
_SAMPLE = frozenset({"epoch", "target", "input"})
#: So many messages are looked at for what only this framework writes.
_LOOKED_AT = 30
_STOPS = {
    "stop": StopReason.END_TURN,
    "max_tokens": StopReason.MAX_TOKENS,
    "model_length": StopReason.MAX_TOKENS,
    "tool_calls": StopReason.TOOL_USE,
    "content_filter": StopReason.CONTENT_FILTER,
    "unknown": StopReason.UNKNOWN,
}


def match_inspect(source: Source) -> Match | None:
    """Score a log with its `samples`, or samples by themselves."""
    for item in source.objects:
        if isinstance(item.get(_LOG), dict) and (isinstance(item.get(_SAMPLES), list) or "plan" in item):
            return Match(0.98, f"`{_LOG}` and `{_SAMPLES}`")
        if item.keys() >= _SAMPLE and isinstance(item.get("messages"), list):
            return Match(0.96, "`epoch`, `target` and `messages` of a sample")
    return None


def read_inspect(source: Source, draft: Draft) -> None:
    """Read each sample into a conversation; what stands beside the samples belongs to all of them."""
    many = isinstance(source.value, list)
    for value, at in source.records():
        samples = value.get(_SAMPLES) if isinstance(value, dict) else None
        if isinstance(value, dict) and isinstance(value.get(_LOG), dict):
            _read_log(value, samples, at, source, draft, many)
        elif isinstance(value, dict) and "messages" in value:
            _read_sample(value, at, draft_of(_title(value), at, source, draft))
        else:
            keep_inside(value, at, source, draft, "This record")


def _read_log(value: dict[str, Json], samples: Json, at: Path, source: Source, draft: Draft, many: bool) -> None:
    if not isinstance(samples, list) or not samples:
        draft.warn(
            "log-without-samples",
            "This log holds no samples: they were left out, or stand in files of their own.",
            "Write the log with its samples, e.g. `inspect log dump`, and paste that.",
            at,
        )
        samples = []
    several = many or len(samples) > 1
    for index, sample in enumerate(samples):
        where = (*at, _SAMPLES, index)
        if not isinstance(sample, dict):
            keep_inside(sample, where, source, draft, "This sample")
            continue
        made = draft.begin(_title(sample), where) if several else draft
        made.may_be_empty = several
        _read_sample(sample, where, made)
    draft.keep(value, (_SAMPLES,), at)


def _title(sample: dict[str, Json]) -> str:
    """A sample by its id, and by its epoch: each sample may be run several times."""
    given, epoch = sample.get("id"), sample.get("epoch")
    named = shown(given, 40) if isinstance(given, (str, int)) else "?"
    return f"sample {named}, epoch {epoch}" if isinstance(epoch, int) else f"sample {named}"


def _read_sample(sample: dict[str, Json], at: Path, draft: Draft) -> None:
    attachments = Attachments(sample.get("attachments"), at)
    messages, asked = sample.get("messages"), sample.get("input")
    read = {"messages", "attachments", "output"}
    if isinstance(messages, list) and messages:
        for index, raw in enumerate(messages):
            read_message(raw, (*at, "messages", index), attachments, draft)
        last = messages[-1]
        draft.keep(sample, (*read, "input") if _holds(messages, asked) else read, at)
    else:
        # A sample that failed before its first turn, and logs that leave the messages out.
        if isinstance(asked, str) and asked:
            draft.add(Role.USER, (Text(attachments.text(asked, (*at, "input"), draft)),), (*at, "input"))
        for index, raw in enumerate(asked) if isinstance(asked, list) else ():
            read_message(raw, (*at, "input", index), attachments, draft)
        last = None
        draft.keep(sample, {*read, "input"}, at)
    _read_output(sample.get("output"), last, (*at, "output"), attachments, draft)
    attachments.keep_rest(draft)


def _holds(messages: list[Json], asked: Json) -> bool:
    """Whether the messages hold the input of the sample."""
    if isinstance(asked, str):
        return any(isinstance(m, dict) and m.get("role") == "user" and m.get("content") == asked for m in messages)
    return isinstance(asked, list) and all(any(_same(one, m) for m in messages[: len(asked) + 4]) for one in asked)


def _same(one: Json, other: Json) -> bool:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return False
    return all(one.get(key) == other.get(key) for key in ("role", "content", "tool_calls"))


def _read_output(output: Json, last: Json, at: Path, attachments: Attachments, draft: Draft) -> None:
    """The output repeats the last message; where it does not, its message is kept beside the others."""
    choices = output.get("choices") if isinstance(output, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
    if choice is None:
        draft.keep({"output": output}, (), at[:-1])
        return
    message, where = choice.get("message"), (*at, "choices", 0, "message")
    rest = {key: value for key, value in output.items() if key != "choices"}
    if last is None and isinstance(message, dict) and draft.messages:
        read_message(message, where, attachments, draft)
    elif not (isinstance(message, dict) and isinstance(last, dict) and _same(message, last)):
        rest = output
    if isinstance(last, dict) and last.get("role") != "assistant":
        draft.keep({"output": output}, (), at[:-1])
        return
    draft.stop_reason = stop_reason(choice.get("stop_reason"), _STOPS, draft, (*where[:-1], "stop_reason"))
    draft.keep(rest, (), at)
    if rest is not output:
        draft.keep(choice, ("message", "stop_reason"), where[:-1])
    for index, other in enumerate(choices[1:] if isinstance(choices, list) and rest is not output else (), start=1):
        if isinstance(other, dict) and isinstance(other.get("message"), dict):
            beside = Draft()
            read_message(other["message"], (*at, "choices", index, "message"), attachments, beside)
            draft.take(beside, as_alternative=True)


#: Of a message: where it comes from, and the function whose result it is.
_BESIDE = frozenset({"source", "function"})


def match_messages(source: Source) -> Match | None:
    """Score messages that were copied out of a log, by their calls, results and sources."""
    found = source.messages
    if found is None or not found.is_chat:
        return None
    if _BESIDE.isdisjoint(found.front_fields):
        # Else only a call can tell.
        call = found.first_call
        if call is None or not isinstance(call.get("function"), str):
            return None
    told = next((why for item in found.items[:_LOOKED_AT] if (why := telling(item))), "")
    return Match(0.9, told) if told else None


def read_messages(source: Source, draft: Draft) -> None:
    """Read the messages; what they refer to stands beside them, or is missing."""
    found, body = source.messages, source.value
    if found is None:
        return
    note_form(found, draft)
    attachments = Attachments(body.get("attachments") if isinstance(body, dict) else None, source.path)
    for raw, at in found.with_paths():
        read_message(raw, at, attachments, draft)
    if isinstance(body, dict) and "messages" in body:
        draft.keep(body, ("messages", "attachments"), source.path)
    attachments.keep_rest(draft)


INSPECT_MESSAGES = Format(
    "inspect-messages",
    "Inspect AI messages",
    "`messages` (or a bare list) with a `function` name in calls and results, or a `source`",
    "nothing; ids and sources are kept as extras",
    match_messages,
    read_messages,
    holds=Holds.REQUEST,
    fields=frozenset({"messages", "content"}),
    tells=_BESIDE | {NAMED_FUNCTION},
)
INSPECT_EVAL_LOG = Format(
    "inspect-eval-log",
    "Inspect AI evaluation log",
    "`eval` with `samples`, each with `messages`; or samples with `epoch` and `target`",
    "nothing; scores, events and usage are kept as extras",
    match_inspect,
    read_inspect,
    fields=frozenset({_LOG, _SAMPLES, "epoch"}),
    example="inspect-eval-log-tool-errors",
)
