"""What a paste is wrapped in: taken off, said, and never at the price of its places or of what it holds."""

from __future__ import annotations

import json

import pytest
from routing_workbench.core.conversation import Diagnostic, Place, Reading, Severity, locate, read
from routing_workbench.core.conversation.model import text_of
from routing_workbench.core.conversation.unwrapping.characters import without_ansi, without_nulls
from routing_workbench.core.conversation.unwrapping.rewriting import Pieces

HI = '{"messages": [{"role": "user", "content": "hi"}]}'
MESSAGE = '{"role": "user", "content": "hi"}'


def texts(found: Reading) -> list[str]:
    """The texts of all turns of the one conversation."""
    (conversation,) = found.conversations
    return [text_of(message.content) for message in conversation.request.turns]


def first_place(text: str) -> Place:
    """The place of the first turn, as a jump from the screen finds it."""
    (conversation,) = read(text).conversations
    place = conversation.places[0]
    return locate(text, place.path) if place.path is not None else place


def warnings(found: Reading) -> list[Diagnostic]:
    """All but the notes."""
    return [d for d in found.diagnostics if d.severity is not Severity.NOTE]


# Places


@pytest.mark.parametrize(
    ("text", "selected"),
    [
        ("see:\n" + HI, MESSAGE),
        ("> " + HI.replace(" [", "\n> ["), MESSAGE),
        (HI.replace('"', "&quot;"), MESSAGE.replace('"', "&quot;")),
        (HI.replace('"', '\\"'), MESSAGE.replace('"', '\\"')),
        (HI.replace('"', '\\\\\\"'), MESSAGE.replace('"', '\\\\\\"')),
        ("'" + HI + "'", MESSAGE),
        ('"' + HI.replace('"', '""') + '"', MESSAGE.replace('"', '""')),
        ("\x1b[1m{\x1b[0m" + HI[1:], MESSAGE),
        ("curl x.example/v1 -d '" + HI + "'", MESSAGE),
        ("POST /v1 HTTP/1.1\nA: b\n\n" + HI, MESSAGE),
        ("fetch(u, {body: JSON.stringify(" + HI + ")})", MESSAGE),
        ("c.create(messages=[" + MESSAGE + "])", MESSAGE),
        ("messages:\n- role: user\n  content: hi\n", "role: user\n  content: hi"),
        ("[" + MESSAGE.replace('"', "'") + "]", MESSAGE.replace('"', "'")),
        ("[Message(role='user', content='hi'),]", "Message(role='user', content='hi')"),
        ("  1 | " + HI[:14] + "\n  2 | " + HI[14:], MESSAGE),
    ],
)
def test_a_turn_stands_where_it_is_written(text: str, selected: str) -> None:
    """Through every wrapping, to the character."""
    assert texts(read(text)) == ["hi"]
    place = first_place(text)
    assert place.start is not None
    assert text[place.start : place.end] == selected
    assert place.line == text.count("\n", 0, place.start) + 1
    assert place.column == place.start - (text.rfind("\n", 0, place.start) + 1) + 1


def test_a_remark_stands_where_it_is_written() -> None:
    """Repairs inside a wrapping too."""
    text = "Here:\n```\n[\n" + MESSAGE[:-1] + ",}\n]\n```"
    remark = next(d for d in read(text).diagnostics if d.code == "json-trailing-comma")
    assert (remark.place.line, remark.place.column) == (4, len(MESSAGE))


def test_an_error_inside_a_command_stands_where_it_is_written() -> None:
    """The body that breaks off, in the paste's own lines."""
    text = "curl x.example/v1 \\\n -d '{\"messages\": [...]}'"
    (error,) = [d for d in read(text).diagnostics if d.severity is Severity.ERROR]
    assert (error.code, error.place.line, error.place.column) == ("json-left-out", 2, 20)


# Encodings


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("read_as", ["latin-1", "utf-8"])
def test_wide_characters_read_as_bytes(encoding: str, read_as: str) -> None:
    """Zeros between the letters: read, with a warning; the places are those of the paste."""
    text = HI.encode(encoding).decode(read_as, "replace")
    found = read(text)
    assert texts(found) == ["hi"]
    assert [d.code for d in warnings(found)] == ["wrong-encoding"]
    place = first_place(text)
    assert text[place.start : place.end].replace("\0", "") == MESSAGE


def test_letters_beyond_latin_survive_where_their_bytes_do() -> None:
    """Even those of two times two bytes."""
    text = HI.replace("hi", "h\xe9 \u20ac \U0001f600!")
    assert texts(read(text.encode("utf-16").decode("latin-1"))) == ["h\xe9 \u20ac \U0001f600!"]


def test_a_transcript_of_wide_characters() -> None:
    """Text formats read the cleaned text; turns stand in the paste."""
    text = "User: hi\nAssistant: yo".encode("utf-16-le").decode()
    found = read(text)
    assert texts(found) == ["hi", "yo"]
    assert found.conversations[0].places[1].start == 2 * len("User: hi\n")


def test_a_text_with_few_zeros_is_left_alone() -> None:
    """They are content."""
    assert without_nulls("abc\0def") is None


def test_a_text_without_colours_is_left_alone() -> None:
    """Nothing to take off."""
    assert without_ansi(HI) is None


def test_colours_inside_a_valid_document_are_content() -> None:
    """Nothing is taken out of a string that can be read as it stands."""
    text = HI.replace("hi", "\x1b[31mred\x1b[0m")
    assert texts(read(text)) == ["\x1b[31mred\x1b[0m"]


# What is kept


def test_the_text_around_is_kept() -> None:
    """In the extras, without what looks like a credential."""
    (conversation,) = read('key = "sk-FAKE-0000-abcdefghij"\nHere it is:\n' + HI).conversations
    assert conversation.extras == {"text around": ['key = "(removed)"\nHere it is:']}


@pytest.mark.parametrize(
    "text",
    [
        f"curl https://u:SECRET@x.example/?k=SECRET -H 'Authorization: Bearer SECRET' -b SECRET -u a:SECRET -d '{HI}'",
        f"POST /v1?key=SECRET HTTP/1.1\nAuthorization: SECRET\nCookie: SECRET\nX-Api-Key: SECRET\n\n{HI}",
        f'fetch("https://x.example/?key=SECRET", {{"headers": {{"x-token": "SECRET"}}, "body": {json.dumps(HI)}}})',
        'c.create(api_key="SECRET", extra_headers={"a": "SECRET"}, messages=[{"role": "user", "content": "hi"}])',
        'api_key = "SECRET"\nmessages = [{"role": "user", "content": "hi"}]',
        f'requests.post("https://x.example", headers={{"Authorization": "SECRET"}}, json={HI})',
    ],
)
def test_credentials_are_dropped_and_that_is_said(text: str) -> None:
    """Neither in what is kept nor in what is said."""
    found = read(text)
    assert texts(found) == ["hi"]
    (conversation,) = found.conversations
    assert "SECRET" not in json.dumps(dict(conversation.extras))
    assert "SECRET" not in "".join(d.message + d.next_step for d in found.diagnostics)
    assert {"credentials-dropped", "credential-removed"} & {d.code for d in found.diagnostics}


def test_address_and_harmless_headers_of_a_command_are_kept() -> None:
    """What says where it went."""
    text = f"curl -X PUT 'https://x.example/v1?k=1' -H 'Content-Type: application/json' -d '{HI}'"
    (conversation,) = read(text).conversations
    about = {"method": "PUT", "url": "https://x.example/v1", "headers": {"Content-Type": "application/json"}}
    assert conversation.extras == {"curl": [about]}


# What stays as it is


@pytest.mark.parametrize(
    "text", ["see: " + HI, HI.replace('"', '\\"'), "curl x.example/v1 -d '" + HI + "'", "# c\n" + HI]
)
def test_a_wrapped_paste_can_be_routed_as_it_stands(text: str) -> None:
    """Forced to be a prompt, it is the whole text."""
    assert texts(read(text, force="plain-prompt")) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Fix this: " + HI + " and tell me why it failed",
        "Why does this fail?\n\n" + HI + "\n\nI think the role is wrong.",
        "User: what is " + HI + "\nAssistant: a request",
    ],
)
def test_json_inside_a_prompt_is_a_part_of_it(text: str) -> None:
    """Where the text may be what is asked, nothing is taken out of it."""
    (conversation,) = read(text).conversations
    assert HI in text_of(conversation.request.messages[0].content)


def test_a_reply_in_a_log_is_not_unwrapped() -> None:
    """What a model said stays what it said, whatever it looks like."""
    said = "Here is the call:\n```json\n" + HI + "\n```"
    row = {"request": json.loads(HI), "response": said}
    assert texts(read(json.dumps(row))) == ["hi", said]


# Rewriting


def test_a_rewriting_leads_back() -> None:
    """From each offset, and from each range, whatever was put for it."""
    pieces = Pieces("abc'def'ghi")
    pieces.copy(0, 3)
    pieces.put('"longer than it was"', 3, 8)
    pieces.put("", 8, 9)
    pieces.copy(9, 11)
    made = pieces.finish()
    assert made.text == 'abc"longer than it was"hi'
    assert [made.back(offset) for offset in (0, 2, 3, 23, 24)] == [0, 2, 3, 9, 10]
    assert made.span(0, 3) == (0, 3)
    assert made.span(3, 23) == (3, 8)
    assert made.span(2, 24) == (2, 10)
    assert made.span(25, 25) == (11, 11)
