"""Long numbers are cut where they are read, and exact in their title."""

from __future__ import annotations

import pytest
from routing_workbench.widgets.panels.readable import readable, shortened


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("below 0.3333333333333333", "below 0.3333\N{HORIZONTAL ELLIPSIS}"),
        ("0.30000000000000004 > 0.30", "0.3000\N{HORIZONTAL ELLIPSIS} > 0.30"),
        ("0.00000123456", "0.0000012\N{HORIZONTAL ELLIPSIS}"),
        ("0.33333333 beside 0.33333444", "0.333333\N{HORIZONTAL ELLIPSIS} beside 0.333334\N{HORIZONTAL ELLIPSIS}"),
        ("0.1234", "0.1234"),
        ("0.000012", "0.000012"),
        ("1e-07 and 7,289 chars in 1.316 s", "1e-07 and 7,289 chars in 1.316 s"),
        ("model v1.1234567 and 1.0.0.1234567", "model v1.1234567 and 1.0.0.1234567"),
        ("1.2345678e-05", "1.2345678e-05"),
    ],
)
def test_a_long_number_is_cut_to_a_true_beginning_of_it(text, shown):
    """Four decimals, more where the number is small; names with digits are left alone."""
    assert shortened(text) == shown


def test_the_exact_number_is_the_title():
    """Every other part stands as it was."""
    html = "".join(map(str, readable("mid cutoff 0.35 \N{RIGHTWARDS ARROW} below 0.3333333333333333.")))
    assert html == (
        "mid cutoff 0.35 \N{RIGHTWARDS ARROW} below "
        '<span title="0.3333333333333333">0.3333\N{HORIZONTAL ELLIPSIS}</span>.'
    )


def test_nothing_else_changes():
    """One piece, the text itself."""
    assert readable("p(mid) 0.33") == ["p(mid) 0.33"]
