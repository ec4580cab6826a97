"""Trajectories of SWE-agent (`history`, `trajectory`) and of mini-SWE-agent (`messages`, `trajectory_format`)."""

from __future__ import annotations

from ..model import Json, Role, Text
from ..positions import Path
from .draft import Draft
from .format import Format, Match
from .listed_record import draft_of
from .source import LOOKED_AT, Source
from .swe_agent_messages import read_message
from .wrapping import keep_inside

_HISTORY, _STEPS, _MESSAGES, _VERSION = "history", "trajectory", "messages", "trajectory_format"
#: What a step of a trajectory has together; events of OpenHands have one of the first two.
_STEP = frozenset({"action", "observation"})
#: Fields of a message that only this history has.
_TELLING = frozenset({"tool_call_ids", "message_type", "is_demo"})
#: Who speaks in trajectories that are published as data sets.
_SPEAKERS = {"ai": "assistant", "agent": "assistant"}


def match_swe_agent(source: Source) -> Match | None:
    """Score trajectories by their fields, or a bare history by those of its messages."""
    for item in source.objects:
        if item.get(_VERSION) and isinstance(item.get(_MESSAGES), list):
            return Match(0.97, f"`{_MESSAGES}` and `{_VERSION}`")
        if _is_run(item):
            return Match(0.96, f"`{_MESSAGES}` and the `info` of a run")
        if _are_messages(item.get(_HISTORY)) and (_are_steps(item.get(_STEPS)) or isinstance(item.get("info"), dict)):
            return Match(0.97, f"`{_HISTORY}` with `{_STEPS}` or `info`")
        if _are_steps(item.get(_STEPS)) or _are_texts(item.get(_STEPS)):
            return Match(0.96, f"`{_STEPS}` of a run")
    if isinstance(source.value, list) and _are_steps(source.value) and "response" in source.fields:
        return Match(0.95, "steps with `response`, `action` and `observation`")
    if _are_messages(source.value) and not _TELLING.isdisjoint(source.fields):
        return Match(0.95, f"messages with `{min(_TELLING & source.fields)}`")
    return None


def _is_run(item: dict[str, Json]) -> bool:
    """A run whose file does not say its version."""
    info = item.get("info")
    return (
        isinstance(info, dict)
        and isinstance(item.get(_MESSAGES), list)
        and not info.keys().isdisjoint(("exit_status", "submission", "model_stats", "mini_version"))
    )


def _first(value: Json) -> list[dict[str, Json]]:
    return [item for item in value[:LOOKED_AT] if isinstance(item, dict)] if isinstance(value, list) else []


def _are_messages(value: Json) -> bool:
    return any(isinstance(item.get("role"), str) for item in _first(value))


def _are_steps(value: Json) -> bool:
    return any(item.keys() >= _STEP and not {"args", "extras"} & item.keys() for item in _first(value))


def _are_texts(value: Json) -> bool:
    return any(isinstance(item.get("role"), str) and item.keys() & {"text", "system_prompt"} for item in _first(value))


def read_swe_agent(source: Source, draft: Draft) -> None:
    """Read each run by itself; the history is the conversation, the steps are kept beside it."""
    if _are_messages(source.value):
        _read_messages(source.value, source.path, draft)
        return
    if isinstance(source.value, list) and _are_steps(source.value):
        _read_steps(source.value, source.path, draft)
        return
    for value, at in source.records():
        if not isinstance(value, dict) or not any(
            isinstance(value.get(n), list) for n in (_HISTORY, _STEPS, _MESSAGES)
        ):
            keep_inside(value, at, source, draft, "This run")
            continue
        _read_run(value, at, draft_of(value.get("instance_id"), at, source, draft))


def _read_run(value: dict[str, Json], at: Path, draft: Draft) -> None:
    for name in (_HISTORY, _MESSAGES, _STEPS):
        held = value.get(name)
        if not isinstance(held, list):
            continue
        if name == _STEPS and _are_steps(held):
            _read_steps(held, (*at, name), draft)
        elif _are_messages(held):
            _read_messages(held, (*at, name), draft)
        else:
            continue
        draft.keep(value, (name, _VERSION) if name == _MESSAGES else (name,), at)
        return
    draft.keep(value, (), at)


def _read_messages(messages: list[Json], at: Path, draft: Draft) -> None:
    """Read the messages, and say where what tools put out stands under the user's name."""
    answered = called = told = False
    for index, raw in enumerate(messages):
        where = (*at, index)
        role = raw.get("role") if isinstance(raw, dict) else None
        called = called or (isinstance(raw, dict) and bool(raw.get("tool_calls")))
        if role == "user" and answered and not called and not told:
            told = True
            _say_output(where, draft)
        answered = answered or (role in ("assistant", "ai") and not (isinstance(raw, dict) and raw.get("is_demo")))
        read_message(_from_text(raw, role, where, draft) if isinstance(role, str) else raw, where, draft)


def _from_text(raw: dict[str, Json], role: str, at: Path, draft: Draft) -> dict[str, Json]:
    """A turn as OpenAI Chat has it; published data sets keep its text under other names."""
    name = next((key for key in ("content", "text", "system_prompt") if isinstance(raw.get(key), str)), "content")
    if name == "content":
        return raw
    draft.keep(raw, ("role", name), at)
    return {"role": _SPEAKERS.get(role, role), "content": raw.get(name)}


def _say_output(at: Path, draft: Draft) -> None:
    draft.note(
        "output-as-user",
        "In this run the output of commands comes back under the user's name, from here on; it is read as that.",
        at,
    )


def _read_steps(steps: list[Json], at: Path, draft: Draft) -> None:
    """Runs that keep no history: what was asked first, then each answer and what its command put out."""
    for index, step in enumerate(steps):
        where = (*at, index)
        if not isinstance(step, dict):
            draft.add_unread(None, "swe-agent", step, where)
            continue
        asked = next((name for name in ("query", "messages") if _are_messages(step.get(name))), "")
        if index == 0 and asked:
            for number, raw in enumerate(step[asked]):
                read_message(raw, (*where, asked, number), draft)
        told = next((n for n in ("response", "thought", "action") if isinstance(step.get(n), str) and step[n]), "")
        if told:
            draft.add(Role.ASSISTANT, (Text(step[told]),), (*where, told))
        seen = step.get("observation")
        if isinstance(seen, str) and seen:
            if index == 0:
                _say_output((*where, "observation"), draft)
            draft.add(Role.USER, (Text(seen),), (*where, "observation"))
        draft.keep(step, {told, "observation", asked if index == 0 else told}, where)


SWE_AGENT_TRAJ = Format(
    "swe-agent-traj",
    "SWE-agent or mini-SWE-agent trajectory",
    "`history` with `trajectory` or `info`; `messages` with `trajectory_format`",
    "nothing; steps, costs and settings are kept as extras",
    match_swe_agent,
    read_swe_agent,
    fields=frozenset({_HISTORY, _STEPS, _VERSION, "info", "observation", *_TELLING}),
    example="mini-swe-agent-traj",
)
