"""One recorded call of a model, as traces and logs keep it: what went in, and what came out behind it.

What goes in is a body, a list of messages, a state or a bare text; what comes out is a reply, or the whole state once
more with the reply at its end: then the state is the conversation, and nothing in it is doubled.
"""

from __future__ import annotations

import re
from typing import Final

from ..model import Json, Message, Role, Text, text_of
from ..positions import Path
from .agent_steps import STEPS, read_steps
from .draft import Draft
from .exchange import request_in
from .framework_messages import as_chat
from .openai_blocks import content_blocks
from .openai_chat import read_message
from .reply import read_reply, reply_in
from .source import Source
from .speakers import speakers
from .transcript import match_transcript, read_transcript
from .wrapping import keep_inside, read_as

#: Under these names chains keep the turns before the question, and the question.
_EARLIER: Final = ("chat_history", "history", "messages")
_QUESTION: Final = (
    *("input", "inputs", "question", "query", "prompt", "user_input", "text", "messages", "message", "new_message"),
)
#: Under these names wrappers and chains keep what came out.
_ANSWER: Final = (
    *("output", "outputs", "answer", "response", "result", "message", "completion", "generation", "text", "content"),
)
#: Blocks that stand alone where the content of a reply is logged without its message.
_BLOCKS: Final = frozenset({"text", "thinking", "tool_use", "output_text"})
#: So many pairs of instructions are compared at most; no conversation has more that repeats some.
_COMPARED: Final = 10_000
#: What `str()` makes of an object of an SDK; no text of a model.
_PRINTED: Final = re.compile(r"\s*[A-Z]\w*(?:Response|Completion|Message)\(\w+=")
#: From this score on a text is a transcript, whatever it starts with.
_TRANSCRIPT: Final = 0.9
_NOTHING: Final[tuple[Json, ...]] = (None, "", {}, [], "{}", "[]", "null")


def is_nothing(value: Json) -> bool:
    """Whether a field was logged without anything in it."""
    return value in _NOTHING


def read_generation(
    asked: Json, asked_at: Path, answered: Json, answered_at: Path, source: Source, draft: Draft
) -> bool:
    """Read both halves into one draft; whether a turn was found. What cannot be read is kept, and said."""
    if not is_nothing(asked) and not read_asked(asked, asked_at, source, draft):
        keep_inside(asked, asked_at, source, draft, "The input")
    read_answered(answered, answered_at, source, draft)
    return not draft.has_no_turn or bool(draft.begun)


def read_asked(value: Json, at: Path, source: Source, draft: Draft) -> bool:
    """Read what went in, whether there was something to read; if not, the draft is as it was."""
    if read_request_in(value, at, source, draft):
        return True
    inner = source.inside(value, at)
    body = inner.value
    if isinstance(body, dict):
        return _read_fields(body, at, source, draft)
    if isinstance(body, list):
        return len(body) == 1 and isinstance(body[0], str) and read_asked(body[0], (*at, 0), source, draft)
    if not isinstance(value, str) or inner.why_broken() is not None:
        return False
    read_prompt(value, at, source, draft)
    return True


def read_request_in(value: Json, at: Path, source: Source, draft: Draft) -> bool:
    """Read a request, and keep the address and the like that it may be wrapped in; whether there was one."""
    half = request_in(as_chat(value), at, source)
    if half is None:
        return False
    read_as(half.reads, half.inner, draft)
    if len(half.inner.path) > len(at):
        wrapping = source.inside(value, at).value
        if isinstance(wrapping, dict):
            draft.keep(wrapping, ("body",), at)
    return True


def read_prompt(text: str, at: Path, source: Source, draft: Draft) -> None:
    """Read a text: the turns that a library wrote into one, else a bare text as what the user asked."""
    inner = source.inside(text, at)
    if not inner.is_json and _is_flattened(inner):
        made = Draft()
        read_transcript(inner, made)
        made.stand_at(at)
        draft.take(made)
        draft.note("flattened-input", "The input is a text that names its speakers; read as their turns.", at)
        return
    draft.note("text-input", "The input is a bare text without roles; read as what the user asked.", at)
    draft.add(Role.USER, (Text(text),), at)


def _is_flattened(inner: Source) -> bool:
    """Whether a text is what libraries make of messages: `System: s`, `Human: hi`, from its start on."""
    found = speakers(inner.text, inner.start, inner.end)
    first = found.heads[0] if found.heads else None
    if first is None or Role.USER not in found.roles:
        return False
    if first.is_sure and first.style == "colon" and not inner.text[inner.start : first.start].strip():
        return True
    match = match_transcript(inner)
    return match is not None and match.score >= _TRANSCRIPT


def _read_fields(body: dict[str, Json], at: Path, source: Source, draft: Draft) -> bool:
    """Read the earlier turns and the question that stand in fields of an input; all else in it is kept."""
    read = set()
    for name in _EARLIER:
        if not is_nothing(body.get(name)) and read_request_in(body[name], (*at, name), source, draft):
            read.add(name)
            break
    for name in _QUESTION:
        if name not in read and not is_nothing(body.get(name)) and read_asked(body[name], (*at, name), source, draft):
            read.add(name)
            break
    called = body.get("args")
    if (
        not read
        and isinstance(called, list)
        and len(called) == 1
        and read_asked(called[0], (*at, "args"), source, draft)
    ):
        read.add("args")
    if read:
        draft.keep(body, read, at)
    return bool(read)


def read_answered(value: Json, at: Path, source: Source, draft: Draft) -> None:
    """Read what came out behind what is in the draft; one that is missing or cannot be read is said."""
    if isinstance(value, str) and _PRINTED.match(value) and reply_in(value, at, source).kind == "text":
        keep_inside(value, at, source, draft, "What came out, a printed object,")
        return
    made = Draft()
    if is_nothing(value) or not _read_answer(value, at, source, made):
        read_reply(reply_in(None if is_nothing(value) else value, at, source), draft)
    elif draft.begun:
        step = "Look at it beside the conversations."
        draft.warn("reply-of-several", "What came out belongs to several inputs; it stands by itself.", step, at)
        draft.begin("", at).take(made)
    else:
        join(made, at, draft)


def _read_answer(given: Json, at: Path, source: Source, made: Draft) -> bool:
    value = as_chat(given)
    reply = reply_in(value, at, source)
    body = source.inside(value, at).value
    if reply.is_readable:
        read_reply(reply, made)
        if reply.path == (*at, "body") and isinstance(body, dict):
            made.keep(body, ("body",), at)
        return True
    if read_request_in(value, at, source, made):
        return True
    if isinstance(body, list) and any(isinstance(block, dict) and _names(block) in _BLOCKS for block in body):
        made.add(Role.ASSISTANT, content_blocks(body, at, made), at)
        return True
    if not isinstance(body, dict) or body.get("error"):
        return False
    if "role" not in body and (isinstance(body.get("content"), str) or isinstance(body.get("tool_calls"), list)):
        read_message({"role": "assistant", **body}, at, made)
        return True
    read = {STEPS} if read_steps(body.get(STEPS), (*at, STEPS), made) else set()
    for name in _ANSWER:
        if not is_nothing(body.get(name)) and _read_answer(body[name], (*at, name), source, made):
            read.add(name)
            break
    made.keep(body, read, at)
    return bool(read)


def _names(block: dict[str, Json]) -> str:
    kind = block.get("type")
    return kind if isinstance(kind, str) else ""


def join(made: Draft, at: Path, draft: Draft) -> None:
    """Put what came out behind what went in, each turn once; it may be the whole state, with its input in it."""
    draft.stop_reason = made.stop_reason
    known, size = draft.instructions, len(draft.instructions)
    if made.instructions[:size] == known:
        del made.instructions[:size], made.instructions_at[:size]
    elif size * len(made.instructions) <= _COMPARED:
        fresh = [index for index, one in enumerate(made.instructions) if one not in known]
        made.instructions_at = [made.instructions_at[index] for index in fresh]
        made.instructions = [made.instructions[index] for index in fresh]
    before, after = draft.messages, made.messages
    if _holds(after, before):
        draft.note("state-repeated", "The output repeats the input and goes on; each turn is read once.", at)
        draft.messages, draft.messages_at = [], []
    elif before and after and before[-1] == after[0] and text_of(after[0].content):
        draft.note("reply-repeated", "The reply repeats the last message of the request; it is read once.", at)
        del made.messages[0], made.messages_at[0]
    draft.take(made)


def _holds(state: list[Message], turns: list[Message]) -> bool:
    """Whether a state holds these turns: in front, or behind what a thread kept from before."""
    size = len(turns)
    if not turns or size > len(state):
        return False
    if state[:size] == turns:
        return True
    last = next((at for at in range(len(state) - 1, -1, -1) if state[at] == turns[-1]), -1)
    return last + 1 >= size and state[last + 1 - size : last + 1] == turns
