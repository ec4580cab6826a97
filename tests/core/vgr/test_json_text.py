"""JSON printing (SPEC 3) and strict JSON reading (SPEC 2)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.vgr.json_text import json_text
from routing_workbench.core.vgr.strict_json import strict_json

_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.text())
_VALUES = st.recursive(
    st.one_of(_SCALARS, st.floats(allow_nan=False, allow_infinity=False)),
    lambda parts: st.one_of(st.lists(parts, max_size=4), st.dictionaries(st.text(), parts, max_size=4)),
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-7, "1e-7"),
        (1.5e-9, "1.5e-9"),
        (1e16, "1e+16"),
        (1e21, "1e+21"),
        (1e-5, "0.00001"),
        (-1.25e-5, "-0.0000125"),
        (1e-10, "1e-10"),
        (0.0001, "0.0001"),
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (5e-324, "5e-324"),
        (2**64 - 1, "18446744073709551615"),
        (2**64, "1.8446744073709552e+19"),
        (10**20, "1e+20"),
        (-(2**63) - 1, "-9.223372036854775808e+18".replace("9.223372036854775808", "9.223372036854776")),
        ({"b": 1, "a": [True, None, "\u00e9\u2028"]}, '{"b":1,"a":[true,null,"\u00e9\u2028"]}'),
        ({"k": 'q"\\\n\x1f\x7f'}, '{"k":"q\\"\\\\\\n\\u001f\x7f"}'),
        ([], "[]"),
        ({}, "{}"),
        ("raw", '"raw"'),
    ],
)
def test_values_print_as_the_specification_says(value: Any, text: str) -> None:
    """Compact, source key order, unescaped, numbers in their shortest form."""
    assert json_text(value) == text


@given(_VALUES)
def test_printing_reads_back(value: Any) -> None:
    """What is printed is the JSON of the same value."""
    assert json.loads(json_text(value)) == value


@given(st.recursive(_SCALARS, lambda parts: st.one_of(st.lists(parts), st.dictionaries(st.text(), parts))))
def test_without_floats_the_standard_printer_agrees(value: Any) -> None:
    """Floats are the only difference of form."""
    assert json_text(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_depth_is_no_limit_of_printing() -> None:
    """Arguments may be nested deeper than the interpreter's stack."""
    value: Any = 1.5
    for _ in range(5000):
        value = [value]
    assert json_text(value) == "[" * 5000 + "1.5" + "]" * 5000


@pytest.mark.parametrize(
    "text",
    ['{"error":NaN}', '{"error":Infinity}', '{"error":1e999}', '{"error":"\\ud800"}', '{"\\udfff":1,"error":1}',
     '{"error":' + "[" * 127 + "]" * 127 + "}", "9" * 400, "{'error': 1}", '{"error":1,}', "\ufeff{}", "[" * 100_000]
)  # fmt: skip
def test_what_is_no_strict_json_is_refused(text: str) -> None:
    """Python's reader takes most of these."""
    with pytest.raises(ValueError):  # noqa: PT011 - which of them it is tells nothing
        strict_json(text)


@pytest.mark.parametrize("shadowed", ['"\\ud800"', '"\\ud83d\\ud83d\\ude42"', "[" * 127 + "]" * 127])
def test_a_repeated_key_hides_nothing_from_strict_json(shadowed: str) -> None:
    """A reader of the whole text meets the earlier value too, although the later one replaces it."""
    with pytest.raises(ValueError):  # noqa: PT011 - which of them it is tells nothing
        strict_json(f'{{"a":{shadowed},"error":1,"a":2}}')


@pytest.mark.parametrize(
    "text",
    ['{"error":1e308}', '{"a":"\\ud83d\\ude42"}', "[" * 127 + "]" * 127, '{"error":' + "[" * 126 + "]" * 126 + "}",
     '["\\\\ud800"]', '["' + "[" * 200 + '", "\\"' + "{" * 200 + '"]', "[" + ",".join(["[]"] * 200) + "]"],
)  # fmt: skip
def test_the_limits_of_strict_json_are_inside(text: str) -> None:
    """The largest doubles, surrogate pairs and a nesting of 127 are JSON."""
    assert strict_json(text) == json.loads(text)
