"""The part of a body that the readout reads: it reads the same from the part as from the whole."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.vgr.readout import read_readout
from routing_workbench.workbench.drivers.cassette.readout_part import readout_part
from routing_workbench.workbench.drivers.cassette.redaction import Redactor

_PATH: tuple[str | int, ...] = ("choices", 0, "logprobs", "content", 0, "top_logprobs")


def part(body: Any) -> Any:
    """The part, redacted."""
    return readout_part(body, Redactor())


def test_nothing_but_the_first_tokens_alternatives_is_kept() -> None:
    """No text, no later token, no id, no model."""
    body = {
        "id": "x",
        "model": "m",
        "choices": [
            {
                "message": {"content": "yes indeed"},
                "logprobs": {
                    "content": [
                        {
                            "token": "yes",
                            "logprob": -0.1,
                            "bytes": [121],
                            "top_logprobs": [{"token": "yes", "logprob": -0.1, "bytes": [121]}],
                        },
                        {"token": " indeed", "logprob": -0.2, "top_logprobs": []},
                    ]
                },
            },
            {"message": {"content": "no"}},
        ],
    }
    assert part(body) == {
        "choices": [{"logprobs": {"content": [{"top_logprobs": [{"token": "yes", "logprob": -0.1}]}]}}]
    }


_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "yes", "No.", "x"])
_ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "token": st.sampled_from(["yes", " No", "true.", "The", ""]) | _SCALARS,
        "logprob": st.floats(-20, 1) | _SCALARS | st.just(10**400),
        "extra": _SCALARS,
    },
)


@st.composite
def bodies(draw: st.DrawFn) -> Any:
    """A body that has the path, or leaves it somewhere for something else."""
    value: Any = draw(st.lists(_ENTRIES | _SCALARS, max_size=4))
    if draw(st.booleans()):
        value = draw(_SCALARS | st.just({}) | st.just([]))
    for step in reversed(_PATH[draw(st.integers(0, 5)) * draw(st.booleans()) :]):
        if isinstance(step, str):
            value = {step: value, "other": draw(_SCALARS)}
        elif draw(st.integers(0, 5)):
            value = [value, *draw(st.lists(_SCALARS, max_size=1))]
        else:
            value = {str(step): value}
    return value


@given(bodies())
def test_the_readout_reads_the_same_from_the_part(body: Any) -> None:
    """Score, alternatives, and where and why there is none."""
    read = read_readout(part(body))
    assert repr(read) == repr(read_readout(body))
    assert [a.token for a in read.alternatives] == [a.token for a in read_readout(body).alternatives]


@given(bodies())
def test_the_part_of_a_part_is_the_part(body: Any) -> None:
    """So that a file can be checked to hold no more."""
    assert part(part(body)) == part(body)


@pytest.mark.parametrize("logprob", [True, "-0.1", None, float("nan"), float("-inf"), 10**400])
def test_an_entry_without_a_number_voids_the_list_in_the_part_as_well(logprob: Any) -> None:
    """It is written as null."""
    body: Any = [{"token": "no", "logprob": -1.5}, {"token": "yes", "logprob": logprob}]
    for step in reversed(_PATH):
        body = {step: body} if isinstance(step, str) else [body]
    entries: Any = part(body)
    for step in _PATH:
        entries = entries[step]
    assert entries == [{"token": "no", "logprob": -1.5}, {"token": "yes", "logprob": None}]
    assert read_readout(part(body)).where == "choices[0].logprobs.content[0].top_logprobs[1]"
