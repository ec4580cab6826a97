"""A scripted score survives the real parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.vgr.readout import Side, p_yes, read_readout
from routing_workbench.workbench.drivers.readout_body import readout_body


@pytest.mark.parametrize("hundredths", range(101))
def test_a_score_of_two_decimals_is_met_exactly(hundredths: int) -> None:
    """Bars are inclusive, so a score scripted at its bar must stand at its bar."""
    score = hundredths / 100
    assert p_yes(readout_body(score, "7:readout")) == score


@given(st.floats(0, 1), st.text(max_size=8))
def test_any_score_is_read_back(score: float, seed: str) -> None:
    """Whatever the score and the seed, the parser reads the score."""
    read = p_yes(readout_body(score, seed))
    assert read is not None
    assert abs(read - score) < 1e-15


def test_the_alternatives_look_like_a_models() -> None:
    """Eight alternatives, several spellings of yes and of no, and tokens that are neither."""
    readout = read_readout(readout_body(0.34, "7:readout"))
    sides = [alternative.side for alternative in readout.alternatives]
    assert len(sides) == 8
    assert (sides.count(Side.YES), sides.count(Side.NO), sides.count(Side.IGNORED)) == (3, 3, 2)
    assert 0.8 < readout.coverage < 1


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
def test_a_number_that_is_no_probability_is_refused(score: float) -> None:
    """No body is made up for a score outside [0, 1]."""
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        readout_body(score, "7")
