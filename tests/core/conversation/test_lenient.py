"""JSON that is not quite JSON: what is read back, what is said, and where it stops (DESIGN)."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pprint import pformat
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from routing_workbench.core.conversation.document import parse_document
from routing_workbench.core.conversation.json_text import TooDeep
from routing_workbench.core.conversation.unwrapping.lenient import Repaired, repair
from routing_workbench.core.conversation.unwrapping.repairs import repair_remarks

odd_texts = st.sampled_from(
    ["it's", 'say "x"', "a\\b", "// no", "/* x */", "# y", ",]", "None", "...", "\u201cq\u201d", "'''", "\0", "\u2028"]
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | odd_texts
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=15,
)


def made(text: str) -> tuple[Any, Repaired]:
    """The value of a whole text, and how it was read."""
    found = repair(text, 0, len(text))
    assert found.end == len(text)
    return json.loads(found.pieces.finish().text), found


def codes(text: str) -> dict[str, int]:
    """What was repaired, and how often."""
    return {code: count for code, (_, count) in made(text)[1].repairs.items()}


# Properties


@settings(max_examples=200, deadline=None)
@given(values)
def test_what_python_prints_reads_back(value: Any) -> None:
    """Any JSON value, by `repr` and by `pprint`, which breaks long strings."""
    assert made(repr([value]))[0] == [value]
    assert made(pformat([value], width=20))[0] == [value]


def sprinkled(value: Any, chance: random.Random) -> str:
    """A value as people write it: comments, trailing commas, single quotes, bare keys, odd spaces."""

    def space() -> str:
        return chance.choice(["", " ", "\n", "\t", "\r\n", "/* c, ] */", "// it's ']\n", "# {\n", "\u00a0", "\u200b"])

    def string(text: str) -> str:
        if chance.random() < 0.5:
            return json.dumps(text, ensure_ascii=chance.random() < 0.5)
        return "'" + json.dumps(text)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"

    def key(name: str) -> str:
        python = {"None", "True", "False", "nan", "inf"}
        is_bare = name.isascii() and name.isidentifier() and name not in python and chance.random() < 0.5
        return name if is_bare else string(name)

    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else [(None, item) for item in value]
        members = [
            space() + ("" if name is None else key(name) + space() + ":" + space()) + sprinkled(item, chance) + space()
            for name, item in items
        ]
        last = "," + space() if members and chance.random() < 0.5 else ""
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        return opening + space() + ",".join(members) + last + closing
    return string(value) if isinstance(value, str) else json.dumps(value)


@settings(max_examples=300, deadline=None)
@given(values, st.integers())
def test_what_people_write_reads_back(value: Any, seed: int) -> None:
    """Whatever is sprinkled into the JSON."""
    assert made(sprinkled([value], random.Random(seed)))[0] == [value]


@settings(max_examples=200, deadline=None)
@given(values)
def test_strict_json_is_never_changed(value: Any) -> None:
    """It does not get here, and if it did, nothing would be said."""
    text = json.dumps([value])
    document = parse_document(text)
    assert (document.value, document.layers, document.remarks) == ([value], (), ())
    found, how = made(text)
    assert (found, how.repairs) == ([value], {})


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from(list("{}[](),:'\"`\\ \n#/*=<>-.0aN\u201c\u201du+")), max_size=40))
def test_junk_is_read_or_refused(text: str) -> None:
    """Nothing else is raised, and what is made is JSON."""
    try:
        found = repair(text, 0, len(text))
    except (json.JSONDecodeError, TooDeep):
        return
    for line in found.pieces.finish().text.split("\n"):
        json.loads(line)


# Single forms


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[True, False, None, undefined]", [True, False, None, None]),
        ("[.5, 5., 0x1F, +1, 1_000, -0.0]", [0.5, 5.0, 31, 1, 1000, -0.0]),
        ("(1,)", [1]),
        ("(1)", 1),
        ("[(), (1, 2)]", [[], [1, 2]]),
        ("[{1, 2}, {}, set()]", [[1, 2], {}, []]),
        ("{1: 'a', None: 'b', True: 'c'}", {"1": "a", "null": "b", "true": "c"}),
        ("{undefined: 1, NaN: 2, role: 3}", {"undefined": 1, "NaN": 2, "role": 3}),
        ("['a' 'b', ('c'\n'd'), \"e\" + 'f']", ["ab", "cd", "ef"]),
        (r"['\x41\101\u0042\U0001f600\N{BULLET}\'\a', '\ud83d\ude00']", ["AAB\U0001f600\u2022'\a", "\U0001f600"]),
        (r"[b'caf\xc3\xa9', r'\d', u'x']", ["caf\xe9", "\\d", "x"]),
        ("['''a\" b\nc''']", ['a" b\nc']),
        (r'["\'", "\d"]', ["'", "\\d"]),
        ("['a\\\nb']", ["ab"]),
        ("[datetime.datetime(2031, 2, 3, 4, 5, 6, 7), datetime.date(2031, 2, 3)]",
         ["2031-02-03T04:05:06.000007", "2031-02-03"]),
        ("[datetime.datetime(2031, 2, 3, 4, 5, tzinfo=datetime.timezone(datetime.timedelta(seconds=3600)))]",
         ["2031-02-03T04:05:00+01:00"]),
        ("[datetime.datetime(2031, 2, 3, 4, 5, tzinfo=TzInfo(UTC))]", ["2031-02-03T04:05:00+00:00"]),
        ("[<Role.USER: 'user'>, <Level.LOW: 1>, MessageRole.TOOL]", ["user", 1, "tool"]),
        ("[Decimal('1.5'), UUID('a-b'), OrderedDict({'a': 1})]", ["1.5", "a-b", {"a": 1}]),
        ("defaultdict(<class 'list'>, {'a': [1]})", {"a": [1]}),
        ("Usage(a=1, b=None)", {"a": 1, "b": None}),
        ("Pair(1, b=2)", {"argument 1": 1, "b": 2}),
        ("HumanMessage(content='a')", {"content": "a", "type": "human"}),
        ("ChatMessage(content='a', role='user')", {"content": "a", "role": "user"}),
        ("openai.Outer[Inner, str](a=Inner())", {"a": {}}),
    ],
)  # fmt: skip
def test_a_form_is_read(text: str, value: Any) -> None:
    """As the language that writes it means it."""
    found, how = made(text)
    assert found == value
    assert how.repairs


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("[1,]// a", {"json-trailing-comma": 1, "json-comment": 1}),
        ("{'a': 1\n'b': None}", {"json-single-quotes": 2, "json-missing-comma": 1, "json-python-literal": 1}),
        ('{"a": "b" "c"\n}', None),
        ("{a: `b`}", {"json-bare-key": 1, "json-single-quotes": 1}),
        ("[\u201ca\u201d]", {"json-curly-quotes": 1}),
        ('["a\tb"]', {"raw-control-character": 1}),
        ("[f'{a}']", {"json-single-quotes": 1, "json-f-string": 1}),
        (r"[b'\xff']", {"json-single-quotes": 1, "json-python-literal": 1, "json-bytes": 1}),
        ("[<function f at 0x7f>]", {"printed-without-content": 1}),
    ],
)
def test_each_kind_of_repair_is_counted(text: str, counted: dict[str, int] | None) -> None:
    """None where the text can mean two things."""
    if counted is None:
        with pytest.raises(json.JSONDecodeError):
            repair(text, 0, len(text))
    else:
        assert codes(text) == counted


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("[1 2]", 3),
        ("[1,,2]", 3),
        ("[,1]", 1),
        ('["a" "b"]', 5),
        ('["a"\n"b"]', 5),
        ("['a''b']", 4),
        ("{'a' 'b'}", 5),
        ("{a}", 1),
        ("{a: b}", 4),
        ("[a]", 1),
        ("[007]", 1),
        ("{(1, 2): 3}", 7),
        ("['a' 1]", 5),
        ("['a' + b]", 7),
        ("['\\x4']", 2),
        ("['a", 1),
        ("[1, /* a", 4),
        ("[...]", 1),
        ("{'a': 1, ...}", 9),
        ("[1, # ... 40 more\n2]", 6),
        ("[1", 2),
        ("F(a=1, a=2)", 7),
        ("c.create(a=f(x))", 11),
    ],
)
def test_what_can_mean_two_things_is_an_error_at_its_place(text: str, at: int) -> None:
    """Nothing is guessed."""
    with pytest.raises(json.JSONDecodeError) as caught:
        repair(text, 0, len(text))
    assert caught.value.pos == at


def test_reading_ends_where_prose_follows() -> None:
    """Behind the last document."""
    assert repair("{'a': 1}\n['b'] and [so on]", 0, 27).end == 14


def test_nesting_is_bounded() -> None:
    """Ten thousand levels of anything end at the bound of JSON."""
    for opening in ("[", "{'a':", "(", "F(a=", "[{"):
        with pytest.raises(TooDeep):
            repair(opening * 10_000, 0, len(opening) * 10_000)


def test_a_remark_says_how_many_and_where_the_first_is() -> None:
    """One for each kind, in the order of the text, with what to do."""
    text = "[1, // a\n'b', // c\n]"
    found = repair(text, 0, len(text))
    remarks = list(repair_remarks([found], text))
    assert [(remark.code, remark.place and (remark.place.line, remark.place.column)) for remark in remarks] == [
        ("json-comment", (1, 5)),
        ("json-single-quotes", (2, 1)),
        ("json-trailing-comma", (2, 4)),
    ]
    assert "2 times" in remarks[0].message
    assert all(remark.next_step for remark in remarks)


def test_places_lead_back_to_what_was_written() -> None:
    """The range of each value in the new text is that of its source."""
    text = "{ // c\n  role: 'us' 'er',\n  \u201ca\u201d: (None, [1,]),\n}"
    document = parse_document(text)
    assert document.value == {"role": "user", "a": [None, [1]]}
    places = document.places([("role",), ("a",), ("a", 0), ("a", 1), ()])
    assert [text[place.start : place.end] for place in places.values()] == [
        "'us' 'er'", "(None, [1,])", "None", "[1,]", text,
    ]  # fmt: skip
    assert [(place.line, place.column) for place in places.values()] == [(2, 9), (3, 8), (3, 9), (3, 15), (1, 1)]


# Cost


def seconds(work: Callable[[], object]) -> float:
    """The processor time of the quickest of three runs."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


MESSAGE = "{'role': 'user', 'content': 'it\\'s \"hi\"', 'name': None, 'n': 12}, "


@pytest.mark.parametrize(
    "text",
    [
        lambda n: "[" + MESSAGE * n + "]",
        lambda n: "[ //\n" + MESSAGE.replace("None", "null") * n + "]",
        lambda n: "[" + "'" * (n * 20),
        lambda n: "[" + "'a' " * (n * 10) + "]",
        lambda n: "{\u201c" + "\u201d " * (n * 20),
        lambda n: "[/*" + "*" * (n * 40),
        lambda n: "['" + "\\" * (n * 40),
    ],
    ids=["python", "comments", "quotes", "joined strings", "curly quotes", "an open comment", "backslashes"],
)
def test_cost_grows_with_the_length(text: Callable[[int], str]) -> None:
    """Four times the text costs at most eight times as much; small times are noise."""

    def attempt(length: int) -> Callable[[], object]:
        whole = text(length)
        return lambda: parse_document(whole)

    assert seconds(attempt(4_000)) <= max(8 * seconds(attempt(1_000)), 0.05)
