"""Reading the escalation judge's reply (SPEC 5): the cases, the contract's edges, and junk that is no verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import (
    Block,
    Media,
    Output,
    Reasoning,
    Refusal,
    Response,
    Role,
    StopReason,
    Text,
    ToolCall,
)
from routing_workbench.core.escalation.verdict import Absent, EscalationVerdict, VerdictReading, read_verdict

TESTS = Path(__file__).resolve().parents[2]
ESCALATE, DECLINE, UNAVAILABLE = EscalationVerdict
YES, NO = '{"escalate": true, "reason": "loop"}', '{"escalate": false, "reason": "fine"}'


def reply(*content: str | Block, role: Role = Role.ASSISTANT, stop: StopReason | None = None) -> Response:
    """A reply of one output."""
    return Response((Output(role, tuple(Text(one) if isinstance(one, str) else one for one in content), stop),))


def judge_cases() -> list[Any]:
    """The cases that are replies of an escalation judge."""
    found = []
    for path in sorted((TESTS / "cases").glob("*/case.json")):
        case = json.loads(path.read_text("utf-8"))
        if case["format"] == "escalation-judge-reply":
            text = (path.parent / case["input"]).read_bytes().decode("utf-8")
            found.append(pytest.param(text, case, id=case["id"]))
    return found


@pytest.mark.parametrize(("text", "case"), judge_cases())
def test_judge_case(text: str, case: dict[str, Any]) -> None:
    """The verdict is the contract's, and what a tolerant reader sees is told beside it."""
    reading, expected = read_verdict(reply(text)), case["expected"]["verdict"]
    if expected is not None:
        assert reading.verdict is (ESCALATE if expected["escalate"] else DECLINE)
        assert (reading.absent, reading.tolerant) == (None, None)
        return
    assert reading.verdict is UNAVAILABLE
    assert reading.absent is Absent.NOT_JSON
    assert reading.tolerant is case["advisory"]["tolerant_verdict"]["escalate"]


@pytest.mark.parametrize(
    "text",
    [
        YES,
        f" \n\u3000{YES}\u2028\n",
        f"```json\n{YES}\n```",
        f"```\n{YES}\n```",
        f"\n```json\r\n{YES}\r\n```\n",
        f"```json{YES}```",
        '{"reason":"loop","escalate":true}',
        '{"escalate": true, "reason": "loop", "confidence": [{"a": 1, "a": 2}]}',
        '{"escal\\u0061te": true, "reason": "l\\u006fop"}',
    ],
)
def test_one_object_is_read_bare_or_in_a_fence(text: str) -> None:
    """White space around it, the order of its keys and further keys do not matter."""
    assert read_verdict(reply(text)) == VerdictReading(ESCALATE, "loop")


def test_a_verdict_may_decline_and_need_not_say_why() -> None:
    """The reason is optional on reading; null is none."""
    assert read_verdict(reply(NO)) == VerdictReading(DECLINE, "fine")
    assert read_verdict(reply('{"escalate": false}')) == VerdictReading(DECLINE)
    assert read_verdict(reply('{"escalate": true, "reason": null}')) == VerdictReading(ESCALATE)


@pytest.mark.parametrize(
    ("text", "absent", "tolerant"),
    [
        ("", Absent.NO_TEXT, None),
        (" \n\u3000", Absent.NO_TEXT, None),
        ("true", Absent.NOT_JSON, None),
        (f"[{YES}]", Absent.NOT_JSON, True),
        (f"{NO}\n{NO}", Absent.NOT_JSON, False),
        (f"{YES}\n{NO}", Absent.NOT_JSON, None),
        (f"\ufeff{YES}", Absent.NOT_JSON, True),
        (f"```JSON\n{YES}\n```", Absent.NOT_JSON, True),
        (f"```jsonc\n{YES}\n```", Absent.NOT_JSON, True),
        (f"``` json\n{YES}\n```", Absent.NOT_JSON, True),
        (f"```json\n{YES}", Absent.NOT_JSON, True),
        (f"````json\n{YES}\n````", Absent.NOT_JSON, True),
        (f"~~~json\n{YES}\n~~~", Absent.NOT_JSON, True),
        (f"```json\n```json\n{YES}\n```\n```", Absent.NOT_JSON, True),
        ("```", Absent.NOT_JSON, None),
        ("``````", Absent.NOT_JSON, None),
        ("{'escalate': False}", Absent.NOT_JSON, False),
        ('{"escalate": true, "reason": NaN}', Absent.NOT_JSON, True),
        ('{"escalate": true, "reason": "\\ud800"}', Absent.NOT_JSON, True),
        ('{"escalate": true,}', Absent.NOT_JSON, True),
        ("[" * 200_000, Absent.NOT_JSON, None),
        ('{"escalate": true, "more": ' + "[" * 127 + "]" * 127 + "}", Absent.NOT_JSON, True),
        ("{}", Absent.NO_ESCALATE, None),
        ('{"Escalate": true}', Absent.NO_ESCALATE, True),
        ('{"verdict": {"escalate": true}}', Absent.NO_ESCALATE, True),
        ('{"escalate": "true"}', Absent.NOT_BOOLEAN, True),
        ('{"escalate": 1}', Absent.NOT_BOOLEAN, None),
        ('{"escalate": null}', Absent.NOT_BOOLEAN, None),
        ('{"escalate": false, "escalate": true}', Absent.REPEATED, None),
        ('{"escalate": true, "escalate": true}', Absent.REPEATED, True),
        ('{"escalate": true, "reason": "a", "reason": "b"}', Absent.REPEATED, True),
        ('{"escalate": true, "reason": 7}', Absent.REASON_NOT_TEXT, True),
        (f"<think>{NO}</think>{YES}", Absent.NOT_JSON, True),
        (f"{NO}</think>\n{YES}", Absent.NOT_JSON, True),
        (f"<think>{YES}", Absent.NOT_JSON, None),
        (f"{YES}<think>{NO}", Absent.NOT_JSON, True),
    ],
)
def test_anything_else_is_unavailable_and_says_why(text: str, absent: Absent, tolerant: bool | None) -> None:
    """The reason in words; the tolerant reading decides nothing, and both answers are none."""
    assert read_verdict(reply(text)) == VerdictReading(UNAVAILABLE, "", absent, tolerant)


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        (YES, None),
        ('{"escalate": true}', Absent.NO_REASON),
        ('{"escalate": true, "reason": null}', Absent.NO_REASON),
        ('{"escalate": true, "reason": "loop", "confidence": 1}', Absent.FURTHER_KEY),
    ],
)
def test_without_a_schema_mode_the_whole_schema_is_checked(text: str, absent: Absent | None) -> None:
    """In json_object mode nobody else does."""
    reading = read_verdict(reply(text), require_reason=True)
    assert reading.absent is absent
    assert reading.verdict is (ESCALATE if absent is None else UNAVAILABLE)


@pytest.mark.parametrize(
    ("stop", "absent"),
    [
        (None, None),
        (StopReason.END_TURN, None),
        (StopReason.MAX_TOKENS, Absent.CUT),
        (StopReason.TOOL_USE, Absent.STOPPED),
        (StopReason.CONTENT_FILTER, Absent.STOPPED),
        (StopReason.ERROR, Absent.STOPPED),
        (StopReason.UNKNOWN, Absent.STOPPED),
    ],
)
def test_a_reply_that_did_not_end_by_itself_is_no_verdict(stop: StopReason | None, absent: Absent | None) -> None:
    """Even where its JSON is whole (SPEC 5)."""
    reading = read_verdict(reply(YES, stop=stop))
    assert reading.absent is absent
    assert reading.tolerant is (None if absent is None else True)


def test_only_text_of_the_first_output_is_read() -> None:
    """Neither reasoning, refusals, calls nor another output; text blocks are joined by newlines, whatever its role."""
    beside = (Reasoning(NO), Refusal("no"), Media("image", None), ToolCall("i", "verdict", {"escalate": False}))
    assert read_verdict(reply(*beside, '{"escalate":', "true}")).verdict is ESCALATE
    assert read_verdict(reply(*beside)).absent is Absent.NO_TEXT
    assert read_verdict(Response((*reply("").outputs, *reply(YES).outputs))).absent is Absent.NO_TEXT
    assert read_verdict(reply(YES, role=Role.TOOL)).verdict is ESCALATE
    assert read_verdict(Response(())).absent is Absent.NO_TEXT


def test_the_judge_s_words_stay_out_of_the_repr() -> None:
    """They quote the conversation."""
    assert "loop" not in repr(read_verdict(reply(YES)))


_JUNK = st.lists(
    st.sampled_from(
        ["{", "}", '"escalate"', "'escalate'", ":", "true", "false", "True", "null", "1", ",", '"reason"', '"x"', "```",
         "json", "\n", " ", "<think>", "</think>", "\\", "\ud800", "\ufeff", "[", "]"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@given(st.one_of(st.text(), _JUNK), st.booleans(), st.sampled_from([None, *StopReason]))
def test_junk_never_raises_and_is_never_a_verdict_without_its_boolean(
    text: str, require_reason: bool, stop: StopReason | None
) -> None:
    """A verdict is the boolean of one JSON object; without one there is a reason why not."""
    reading = read_verdict(reply(text, stop=stop), require_reason=require_reason)
    assert (reading.verdict is UNAVAILABLE) is (reading.absent is not None)
    if reading.verdict is not UNAVAILABLE:
        body = text.strip().removeprefix("```").removeprefix("json").removesuffix("```")
        assert json.loads(body)["escalate"] is (reading.verdict is ESCALATE)
