"""curl commands, and what they printed: the bodies they send, each with the reply that stands below it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..diagnostics import Severity
from ..formats.events import has_events
from ..json_text import TooDeep, decode
from ..model import Json
from ..positions import place_at, skip_space
from ..remarks import Remark
from .credentials import kept_address, kept_headers, without_secrets
from .http_text import add_exchange, dropped_remark, is_http, messages
from .rewriting import Pieces
from .shell import Command, Unclosed, Word, command_at

#: A command at the start of a line; comments and prompts may stand before it.
CURL = re.compile(
    r"^[ \t]*(?:[\w.~:/@\\-]{0,60}[$%#>][ \t]+)?(?:[A-Z_]+=\S+[ \t]+)*"
    r"(?=curl(?:\.exe)?\s+(?:\\\s+)?(?:-[\w-]|[\"'^]*(?:https?:|localhost\b|[$<{]|[\w-]+\.[\w.-]+[:/])))",
    re.MULTILINE,
)
_COMMENT = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*")
_DATA = ("-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json")
_VALUED = (
    "-X", "--request", "-H", "--header", "-u", "--user", "-A", "--user-agent", "-o", "--output", "-m", "--max-time",
    "-x", "--proxy", "-b", "--cookie", "-c", "--cookie-jar", "-e", "--referer", "-F", "--form", "-w", "--write-out",
    "--connect-timeout", "--retry", "--cacert", "--cert", "--key", "--oauth2-bearer", "--url", "--data-urlencode",
    "--resolve", "-K", "--config", "-E", "-T", "--upload-file",
)  # fmt: skip
_SECRET_OPTIONS = frozenset({"-u", "--user", "-b", "--cookie", "--oauth2-bearer", "--key", "--cert", "-E"})
#: What `curl -v` and its progress meter print.
_NOISE = re.compile(
    r"(?:[*<>{}] [^\n]*|[*<>][ \t]*|  % Total[^\n]*|  +Dload[^\n]*|[\s\d:.kMG-]*[\d-]+:[\d-]+[^\n]*)\r?(?:\n|\Z)"
)
#: A label and code fences between a command and what it printed.
_LABEL = re.compile(r"(?:[ \t]*(?:```|~~~)[^\n]*\n|[^\n{\[]{0,100}:[ \t]*\r?\n|[ \t]*\r?\n)+")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)


@dataclass(slots=True)
class _Call:
    """What a command sends, and what its options say."""

    body: Word | None = field(default=None, repr=False)
    #: Further bodies, or one that is no JSON here.
    others: list[Word] = field(default_factory=list, repr=False)
    headers: list[tuple[str, Json]] = field(default_factory=list, repr=False)
    secrets: list[str] = field(default_factory=list)
    url: str = field(default="", repr=False)
    method: str = "POST"


@dataclass(frozen=True, slots=True, repr=False)
class Sent:
    """The documents that commands send, the remarks, and what else they hold. An error stands among the remarks."""

    pieces: Pieces
    remarks: list[Remark]
    kept: dict[str, Json]
    is_broken: bool = False


def curl_at(text: str, at: int, end: int) -> int | None:
    """Where the first command begins, if the text begins with one; comments may stand before it."""
    comment = _COMMENT.match(text, at, end)
    found = CURL.match(text, comment.end() if comment else at, end)
    return None if found is None else found.end()


def sent_by(text: str, at: int, end: int) -> Sent:
    """What the commands from this offset on send and get back."""
    pieces = Pieces(text)
    remarks: list[Remark] = []
    about: list[Json] = []
    around: list[str] = []
    more: list[str] = []
    secrets: list[str] = []
    begin: int | None = at
    while begin is not None:
        try:
            command = command_at(text, begin, end)
        except Unclosed as error:
            message = "The command breaks off: this quote is not closed."
            step = "Paste the whole command; if it is whole, look for a missing quote."
            place = place_at(text, error.offset, error.offset + 1)
            return Sent(
                pieces, [*remarks, Remark(Severity.ERROR, "curl-cut-off", message, step, place=place)], {}, True
            )
        call = _call(command)
        following = CURL.search(text, command.end, end)
        until = following.start() if following else end
        reply = _reply(text, command.end, until, around)
        if call.body is not None:
            add_exchange(call.body.pieces, reply, pieces)
        if call.url:
            if "?" in call.url:
                secrets.append("the query of the address (its key)")
            about.append({"method": call.method, "url": kept_address(call.url), "headers": kept_headers(call.headers)})
        secrets += [*call.secrets, *(name for name, _ in call.headers)]
        if call.body is not None and call.others:
            remarks.append(_not_read(text, call.others[0]))
            more += [without_secrets(other.text) for other in call.others]
        if call.body is None and (command.heredoc is not None or call.others):
            remarks.append(_elsewhere(text, call.others[0] if call.others else command.words[0]))
        begin = following.end() if following else None
    remarks += dropped_remark(secrets, text, at)
    where = place_at(text, at, at + 4)
    if not len(pieces):
        if not any(one.severity is Severity.ERROR for one in remarks):
            message = "This curl command sends no body."
            step = "Paste a command that sends a request, with `-d` or `--json`."
            remarks.append(Remark(Severity.ERROR, "curl-without-body", message, step, place=where))
        return Sent(pieces, remarks, {}, True)
    remarks.append(Remark(Severity.NOTE, "curl-command", "The body of a curl command was read.", place=where))
    if not all(said.startswith("#") for said in around):
        message = "Text stands around the command; it is kept aside."
        step = "To route the whole text as it stands, choose `Plain prompt`."
        remarks.append(Remark(Severity.WARNING, "text-around-json", message, step, place=where))
    kept: dict[str, Json] = {"curl": about, "text around": list(around), "further bodies": list(more)}
    return Sent(pieces, remarks, {name: what for name, what in kept.items() if what})


def _call(command: Command) -> _Call:
    call = _Call()
    words = iter(command.words[1:])
    for word in words:
        name, value = _option(word, words)
        if name in _DATA and value is not None:
            body = command.heredoc if value.text == "@-" or "$(cat" in value.text else value
            if body is not None and call.body is None and body.text.lstrip().startswith(("{", "[")):
                call.body = body
            else:
                call.others.append(value)
        elif name in ("-H", "--header") and value is not None:
            header, _, rest = value.text.partition(":")
            call.headers.append((header.strip(), rest.strip()))
        elif name in ("-X", "--request") and value is not None:
            call.method = value.text
        elif name in _SECRET_OPTIONS:
            call.secrets.append("authorization" if name in ("-u", "--user", "--oauth2-bearer") else "cookie")
        elif (name == "--url" or not name) and value is not None and not call.url:
            call.url = value.text
    if call.body is None and command.heredoc is not None and command.heredoc.text.lstrip().startswith(("{", "[")):
        call.body = command.heredoc
    return call


def _option(word: Word, words: object) -> tuple[str, Word | None]:
    """The name of an option and its value; "" and the word where it is none."""
    text = word.text
    if not text.startswith("-") or text == "-":
        return "", word
    if text.startswith("--"):
        return text, next(words, None) if text in _DATA or text in _VALUED else None  # type: ignore[call-overload]
    if text[:2] in _DATA or text[:2] in _VALUED:
        if len(text) == 2:
            return text, next(words, None)  # type: ignore[call-overload]
        return text[:2], _behind(word, 2)
    # Letters together, the last of which may take a value, as in `-sSd`.
    last = f"-{text[-1]}"
    if text[1:].isalpha() and (last in _DATA or last in _VALUED):
        return last, next(words, None)  # type: ignore[call-overload]
    return text, None


def _behind(word: Word, count: int) -> Word:
    """A word without its first characters, which are an option."""
    pieces = word.pieces.behind(count)
    return Word(word.text[count:], pieces, word.start + count, word.end)


def _reply(text: str, at: int, end: int, around: list[str]) -> tuple[Pieces, str] | None:
    """What a command printed, where that is a reply; other text goes to `around`."""
    line = text.find("\n", at, end)
    rest = text[at : end if line < 0 else line]
    # What is done with the output is no text.
    _keep("" if rest.lstrip()[:1] in ("|", ">", "&", ";") else rest, around)
    at = end if line < 0 else line + 1
    while (noise := _NOISE.match(text, at, end)) and noise.end() > at:
        at = noise.end()
    if label := _LABEL.match(text, at, end):
        _keep(label[0], around)
        at = label.end()
    until = at + len(text[at:end].rstrip(" \t\r\n`~"))
    if is_http(text, at):
        replies = [one for one in messages(text, at, until) if not one.is_request and one.body is not None]
        return next(((one.body, one.text) for one in reversed(replies) if one.body is not None), None)
    if at < until and text[at] in "{[":
        until = _end_of_json(text, at, until)
    elif at >= until or not has_events(text, at):
        _keep(text[at:until], around)
        return None
    _keep(text[until:end], around)
    pieces = Pieces(text)
    pieces.copy(at, until)
    return pieces, text[at:until]


def _end_of_json(text: str, at: int, end: int) -> int:
    """The end of the document here; of one that is broken, or of several, the end of the text."""
    try:
        _, until, _ = decode(text, at, strict=False)
    except (ValueError, TooDeep):
        return end
    return end if text[skip_space(text, until) : end].startswith(("{", "[")) else until


def _keep(text: str, around: list[str]) -> None:
    lines = "".join(line for line in _FENCE.sub("", text).splitlines(keepends=True) if not _NOISE.fullmatch(line))
    if said := without_secrets(lines.strip(" \t\r\n;|&)`'\"")):
        around.append(said)


def _not_read(text: str, word: Word) -> Remark:
    message = "This command sends a further body, which curl joins to the first; it is kept aside, not read."
    step = "Paste the command with one body."
    return Remark(Severity.WARNING, "curl-further-body", message, step, place=place_at(text, word.start, word.end))


def _elsewhere(text: str, word: Word) -> Remark:
    message = "The body of this command does not stand here: it is in a file, or is no JSON."
    step = "Paste the file's content, or the command with its body."
    return Remark(Severity.ERROR, "curl-without-body", message, step, place=place_at(text, word.start, word.end))
