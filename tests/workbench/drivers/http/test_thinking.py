"""Thinking in a reply's text: set apart, also where one of its tags is missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import Reasoning, Text
from routing_workbench.workbench.drivers.http.thinking import is_thinking_tag, split_thinking

T, R = Text, Reasoning


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("yes", (T("yes"),)),
        ("", (T(""),)),
        ("<think>hm</think>\n\nyes", (R("hm"), T("yes"))),
        ("<think>\n\n</think>\n\nYes", (R(""), T("Yes"))),
        ("  \n<THINK>hm</THINK>yes", (R("hm"), T("yes"))),
        ("<thinking>a</thinking><think>b</think>yes", (R("a"), R("b"), T("yes"))),
        ("<think>the verdict is\nyes", (R("the verdict is\nyes"),)),
        ("[THINK]a[/THINK]no", (R("a"), T("no"))),
        ("hm, yes\n</think>\nno", (R("hm, yes"), T("no"))),
        ("<think>a <think> b</think>no", (R("a <think> b"), T("no"))),
        ("<think></think>", (R(""),)),
        ("<thinker>yes", (T("<thinker>yes"),)),
    ],
)
@pytest.mark.parametrize("anywhere", [True, False])
def test_thinking_where_models_put_it(text: str, parts: tuple[object, ...], anywhere: bool) -> None:
    """For verdicts and for answers alike."""
    assert split_thinking(text, anywhere=anywhere) == parts


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("So <think>\nyes", (T("So"), R("yes"))),
        ("no <think>a</think>\nyes", (T("no"), R("a"), T("yes"))),
        ("a </think> b </think> yes", (R("a"), R("b"), T("yes"))),
        ("Wrap it:\n```\n<think>\nx\n</think>\n```", (T("Wrap it:\n```"), R("x"), T("```"))),
    ],
)
def test_an_answer_may_speak_of_tags_and_a_verdict_may_not(text: str, judged: tuple[object, ...]) -> None:
    """A verdict fails closed; an answer stays whole."""
    assert split_thinking(text, anywhere=True) == judged
    assert split_thinking(text, anywhere=False) == (T(text),)


@given(st.lists(st.sampled_from(["<think>", "</think>", "yes", "\n", " ", "[THINK]"])).map("".join))
def test_no_tag_stays_in_the_text_of_a_verdict(text: str) -> None:
    """And all words are kept, as one or the other."""
    parts = split_thinking(text, anywhere=True)
    assert not any(isinstance(part, T) and ("think>" in part.text or "[THINK]" in part.text) for part in parts)
    assert sum(part.text.count("yes") for part in parts) == text.count("yes")


@pytest.mark.parametrize(("token", "opens"), [("<think>", True), (" <think>\n", True), ("think", False), ("A", False)])
def test_a_token_that_opens_thinking(token: str, opens: bool) -> None:
    """As the first of a reply."""
    assert is_thinking_tag(token) is opens
