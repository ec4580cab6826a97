"""Records of data sets for training: a prompt with its completion, two answers to choose from, an instruction."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from ..model import Json, Role, Text
from ..positions import Path
from .completions import is_bare, read_text
from .draft import Draft
from .format import Format, Holds, Match
from .generation import join
from .listed_record import draft_of
from .reply import Reply, read_reply, reply_in
from .several import name_of
from .source import Source
from .wrapping import keep_inside, read_inside

#: Where the answer stands, by the field that holds the question; where there is none, answers hold all turns.
_ANSWERS: Final = {
    "prompt": ("completion", "chosen"),
    "instruction": ("output", "response", "chosen"),
    "question": ("chosen",),
    "": ("chosen",),
}
_OTHER: Final = "rejected"
_BESIDE: Final = ("input", "context")
#: What a request, a reply or a log has and a record of a data set has not.
_FOREIGN: Final = frozenset({"messages", "model", "choices", "history", "conversations", "conversation", "body"})
#: Above the list of conversations, since a data set is one.
_SCORE: Final = 0.92
#: `history` is one of them but where it holds the rounds before an instruction.
_ROUNDS: Final = "history"


def match_records(source: Source) -> Match | None:
    """Score records by the two fields that stand together."""
    for record in source.objects:
        asked, answer = _names(record)
        if not answer:
            return None
        both = f"`{asked}` and `{answer}`" if asked else f"`{answer}` and `{_OTHER}`"
        return Match(_SCORE, both)
    return None


def _names(record: Json) -> tuple[str, str]:
    """The fields of the question and of the answer; both empty where the record is none of a data set."""
    if not isinstance(record, dict):
        return "", ""
    asked = next((name for name in _ANSWERS if name and _is_turns(record.get(name))), "")
    foreign = _FOREIGN - {_ROUNDS} if asked == "instruction" else _FOREIGN
    answer = next((name for name in _ANSWERS[asked] if record.get(name) == "" or _is_turns(record.get(name))), "")
    return (asked, answer) if foreign.isdisjoint(record) and (asked or _OTHER in record) else ("", "")


def _is_turns(value: Json) -> bool:
    """Whether a field holds a text, a message or a list of them."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) and "role" in item for item in value[:5])
    return (isinstance(value, str) and bool(value)) or (isinstance(value, dict) and "role" in value)


def read_records(source: Source, draft: Draft) -> None:
    """Read each record into a conversation of its own."""
    for value, at in source.records():
        asked, answer = _names(value)
        if answer:
            _read_record(value, asked, answer, at, source, draft_of(name_of(value), at, source, draft))
        else:
            keep_inside(value, at, source, draft, "This record")


def _read_record(value: dict[str, Json], asked: str, answer: str, at: Path, source: Source, draft: Draft) -> None:
    read = {asked, answer, _OTHER}
    if isinstance(system := value.get("system"), str) and system:
        draft.add(Role.SYSTEM, (Text(system),), (*at, "system"))
        read.add("system")
    rounds = value.get(_ROUNDS)
    if isinstance(rounds, list) and all(_is_round(one) for one in rounds):
        read.add(_ROUNDS)
        for index, one in enumerate(rounds):
            for part, role in ((0, Role.USER), (1, Role.ASSISTANT)):
                draft.add(role, (Text(one[part]),), (*at, _ROUNDS, index, part))
    if asked == "instruction":
        read |= _read_instruction(value, at, draft)
    elif asked:
        _read_turns(value[asked], (*at, asked), source, draft)
    _read_answer(value[answer], (*at, answer), bool(asked), source, draft)
    if value.get(_OTHER):
        other = _other_answer(value[_OTHER], (*at, _OTHER), bool(asked), source, draft)
        draft.take(other, as_alternative=True)
    draft.keep(value, read, at)


def _other_answer(value: Json, at: Path, is_asked: bool, source: Source, draft: Draft) -> Draft:
    """The answer that was not preferred, without the turns that it has in common with the one that was."""
    made = Draft()
    _read_answer(value, at, is_asked, source, made)
    pairs = zip(made.messages, draft.messages, strict=False)
    del made.messages[: sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))]
    made.instructions = [one for one in made.instructions if one not in draft.instructions]
    return made


def _is_round(value: Json) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(text, str) for text in value)


def _read_instruction(value: dict[str, Json], at: Path, draft: Draft) -> set[str]:
    """What is asked, and what it is asked about: one turn."""
    held = [name for name in _BESIDE if isinstance(value.get(name), str) and value[name]]
    texts = [value["instruction"], *(value[name] for name in held)]
    draft.add(Role.USER, [Text(text) for text in texts], (*at, "instruction"))
    return set(held)


def _read_turns(value: Json, at: Path, source: Source, draft: Draft) -> None:
    """The turns of a question: messages, or a text, which may be a rendered template."""
    if isinstance(value, str) and is_bare(value):
        draft.add(Role.USER, (Text(value),), at)
    elif isinstance(value, str):
        read_text(value, at, source, draft)
    elif read_inside(value, at, source, draft, Holds.REQUEST) is None:
        keep_inside(value, at, source, draft, "What was asked")


def _read_answer(value: Json, at: Path, is_asked: bool, source: Source, draft: Draft) -> None:
    """An answer; or all turns with it at their end, each of which is read once."""
    bare = is_asked and isinstance(value, str) and is_bare(value)
    reply = Reply("text", value, at) if bare else reply_in(value, at, source)
    if reply.kind == "none" or (reply.is_readable and (is_asked or not isinstance(value, str))):
        read_reply(reply, draft)
        return
    made = Draft()
    _read_turns(value, at, source, made)
    join(made, at, draft)


TRAINING_RECORDS = Format(
    "training-records",
    "Training records",
    "records of `prompt` and `completion`, `chosen` and `rejected`, `instruction` and `output`",
    "nothing; the answer that was not preferred is an alternative, scores are kept as extras",
    match_records,
    read_records,
    fields=frozenset({"completion", "chosen", "instruction"}),
    priority=3,
)
