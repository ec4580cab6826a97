"""The judged views: what a verifier reads of a conversation and its attempt (SPEC 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..conversation.model import Message, Request, Role
from .activity import RUNNERS, TRACEBACK
from .characters import WHITE_SPACE, is_alphanumeric, is_blank
from .facts import events_of, keep_texts, texts_of, turn_text, unseen_texts
from .text import clip_mid, redact, searches_for, split_lines

#: Characters a turn of an assistant or tool may keep in the session view.
TURN_BUDGET = 1200
#: Characters the attempt may keep in the session and agentic views.
ATTEMPT_BUDGET = 2200
#: Characters the tool trajectory may keep in the agentic view.
TRAJECTORY_BUDGET = 12_000
#: Lines and characters the coding view takes from the attempt.
FILES_LINES, FILES_BUDGET = 12, 500
TEST_LINES, TEST_BUDGET = 25, 1800
TRACEBACK_LINES, TRACEBACK_BUDGET = 20, 800
FINAL_CHARS = 2500
#: Headings of the agentic view.
TASK_HEADING, TRAJECTORY_HEADING, ATTEMPT_HEADING = "USER TASK AND UPDATES:", "TOOL TRAJECTORY:", "CURRENT ATTEMPT:"
#: Headings of the coding view: of the conversation, then of the attempt.
LATEST_HEADING, RULES_HEADING = "LATEST REQUEST:", "SYSTEM INSTRUCTIONS (in full):"
EARLIER_HEADING = "EARLIER REQUIREMENTS (each earlier user turn, in full):"
FILES_HEADING, TEST_HEADING, TRACEBACK_HEADING = "FILES MODIFIED:", "FINAL TEST RUN:", "LAST TRACEBACK:"
FINAL_HEADING = "FINAL OUTPUT (end of attempt):"
#: What a line of the attempt begins with that names a modified file.
DIFF = "diff --git "

_PREFIX = {role: f"\n[{role}] " for role in Role}
# The prefixes that nearly every session does with.
_NUMBERED = tuple(f"\n[user {number}] " for number in range(1, 257))
# Members are bound once: looking one up on its class costs more than the comparison it is for.
_USER, _ASSISTANT, _TOOL = Role.USER, Role.ASSISTANT, Role.TOOL
_SYSTEM, _DEVELOPER = Role.SYSTEM, Role.DEVELOPER


def attempt_text(attempt: str) -> str:
    """The attempt as the session and agentic views show it: redacted, then clipped."""
    return clip_mid(redact(attempt), ATTEMPT_BUDGET, 1 / 3)


def session_view(request: Request, attempt: str) -> str:
    """One line a turn, the latest user turn last, then the attempt (SPEC 3)."""
    turns = request.turns
    texts = unseen_texts(turns)
    # Most sessions hold no secret and nothing to clip: their view is assembled first and then scanned as a whole.
    if texts and max(map(len, texts)) <= TURN_BUDGET and len(attempt) <= ATTEMPT_BUDGET:
        view = _session(turns, texts, attempt)
        if not searches_for(view):
            keep_texts(turns, texts)
            return view
    return _session(turns, texts_of(turns), redact(attempt))


def _session(turns: Sequence[Message], texts: Sequence[str], attempt: str) -> str:
    """The session view of these redacted texts, empty ones left out."""
    shown, said, latest = list(turns), list(texts), ""
    for at in range(len(shown) - 1, -1, -1):
        if shown[at].role is _USER and said[at]:
            del shown[at]
            latest = said.pop(at)
            break
    if "" in said:
        shown = [turn for turn, text in zip(shown, said, strict=True) if text]
        said = [text for text in said if text]
    if max(map(len, said), default=0) > TURN_BUDGET:
        said = [_clipped_turn(turn.role, text) for turn, text in zip(shown, said, strict=True)]
    prefixes = [_PREFIX[turn.role] for turn in shown]
    if latest:
        prefixes.append("\n[user (latest)] ")
        said.append(latest)
    prefixes.append("\n[assistant attempt] ")
    said.append(clip_mid(attempt, ATTEMPT_BUDGET, 1 / 3))
    prefixes[0] = prefixes[0].removeprefix("\n")
    return "".join(_interleaved("", prefixes, said))


def _interleaved(start: str, prefixes: list[str], texts: list[str]) -> list[str]:
    """The start, then each text behind its prefix, to be joined at once: lines of their own would copy every text."""
    pieces = [start] * (2 * len(texts) + 1)
    pieces[1::2] = prefixes
    pieces[2::2] = texts
    return pieces


def _clipped_turn(role: Role, text: str) -> str:
    """The text of a turn as its line shows it: only assistants and tools are clipped."""
    return clip_mid(text, TURN_BUDGET, 1 / 2) if role is _ASSISTANT or role is _TOOL else text


def agentic_view(request: Request, attempt: str) -> str:
    """User turns whole, the tool trajectory as events, then the attempt; no instructions (SPEC 3)."""
    users = [text for text in texts_of([turn for turn in request.turns if turn.role is _USER]) if text]
    lines = [f"[user update {number}] {text}" if number else f"[user task] {text}" for number, text in enumerate(users)]
    sections = [f"{TASK_HEADING}\n" + "\n".join(lines)]
    events = events_of(messages_after_task(request))
    if events:
        sections.append(f"{TRAJECTORY_HEADING}\n{clipped_trajectory(events)}")
    sections.append(f"{ATTEMPT_HEADING}\n{attempt_text(attempt)}")
    return "\n\n".join(sections)


def messages_after_task(request: Request) -> tuple[Message, ...]:
    """The messages after the first user message with text; none where there is no such message (SPEC 3)."""
    messages = request.messages
    for index, message in enumerate(messages):
        if message.role is _USER and not is_blank(turn_text(message)):
            return messages[index + 1 :]
    return ()


def clipped_trajectory(events: list[str]) -> str:
    """`clip_mid` of the events joined by newlines; what will be clipped away is measured, not built."""
    length = sum(map(len, events)) + len(events) - 1
    if length <= TRAJECTORY_BUDGET:
        return "\n".join(events)
    head = TRAJECTORY_BUDGET // 3
    tail = TRAJECTORY_BUDGET - head
    # `size` counts a newline after every event, the joined ones hold one less.
    first, size = 0, 0
    while size <= head:
        size += len(events[first]) + 1
        first += 1
    last, size = len(events), 0
    while size <= tail:
        last -= 1
        size += len(events[last]) + 1
    start, end = "\n".join(events[:first])[:head], "\n".join(events[last:])
    return f"{start}\n...[{length - TRAJECTORY_BUDGET} chars omitted]...\n{end[len(end) - tail :]}"


def coding_view(request: Request, attempt: str) -> str:
    """The request, the rules, the earlier requests, and what the attempt shows of files, tests and errors (SPEC 3)."""
    turns = request.turns
    asking = [turn for turn in turns if turn.role is _USER]
    read = asking + [turn for turn in turns if turn.role is _SYSTEM or turn.role is _DEVELOPER]
    texts = unseen_texts(read)
    # As with the session view; a final output that is whole shows whatever another section clips.
    if texts and len(attempt) <= FINAL_CHARS:
        view = _coding(texts, len(asking), attempt)
        if not searches_for(view):
            keep_texts(read, texts)
            return view
    return _coding(texts_of(read), len(asking), redact(attempt))


def _coding(texts: list[str], asked: int, attempt: str) -> str:
    """The coding view of redacted texts, empty ones left out: the first `asked` are the user's, the others rules."""
    users, rules = texts[:asked], texts[asked:]
    if "" in texts:
        users, rules = [text for text in users if text], [text for text in rules if text]
    pieces = [f"{LATEST_HEADING}\n", users[-1] if users else ""]
    if rules:
        pieces += (f"\n\n{RULES_HEADING}\n", "\n".join(rules))
    if len(users) > 1:
        made = _NUMBERED[: len(users) - 1]
        prefixes = [*made, *(f"\n[user {number}] " for number in range(len(made) + 1, len(users)))]
        pieces += _interleaved(f"\n\n{EARLIER_HEADING}", prefixes, users[:-1])
    for heading, body in attempt_sections(attempt):
        pieces += (f"\n\n{heading}\n", body)
    return "".join(pieces)


def attempt_sections(attempt: str) -> list[tuple[str, str]]:
    """Heading and body of what the coding view takes from a redacted attempt, in order (SPEC 3)."""
    # The screens spare reading every line of an attempt that holds nothing of the kind; from the right they are faster.
    diff = attempt.rfind(DIFF) >= 0
    runner = attempt.rfind("test") >= 0 or attempt.rfind("npm run") >= 0 or attempt.rfind("cargo build") >= 0
    error = attempt.rfind(TRACEBACK) >= 0
    sections = []
    lines = split_lines(attempt) if diff or runner or error else []
    files = [line.removeprefix(DIFF) for line in lines if line.startswith(DIFF)]
    if files:
        sections.append((FILES_HEADING, clip_mid("\n".join(files[:FILES_LINES]), FILES_BUDGET, 1 / 2)))
    if runner and (run := passage(lines, invokes_runner, TEST_LINES)):
        sections.append((TEST_HEADING, clip_mid("\n".join(lines[run.start : run.stop]), TEST_BUDGET, 1 / 3)))
    if error and (run := passage(lines, starts_traceback, TRACEBACK_LINES)):
        sections.append((TRACEBACK_HEADING, clip_mid("\n".join(lines[run.start : run.stop]), TRACEBACK_BUDGET, 1 / 2)))
    sections.append((FINAL_HEADING, attempt[max(0, len(attempt) - FINAL_CHARS) :]))
    return sections


def passage(lines: list[str], starts: Callable[[str], bool], count: int) -> range:
    """Where up to `count` lines from the last line that starts a passage stand; empty where none does."""
    for at in range(len(lines) - 1, -1, -1):
        if starts(lines[at]):
            return range(at, min(at + count, len(lines)))
    return range(0)


def starts_traceback(line: str) -> bool:
    """Whether a line begins with the header of a traceback."""
    return line.startswith(TRACEBACK)


def invokes_runner(line: str) -> bool:
    """Whether a line runs a test runner, after white space, any `$` signs and white space again (SPEC 3)."""
    command = line.lstrip(WHITE_SPACE).lstrip("$").lstrip(WHITE_SPACE)
    if not command.startswith(RUNNERS):
        return False
    for runner in RUNNERS:
        if command.startswith(runner):
            after = command[len(runner) : len(runner) + 1]
            if after != "_" and not (after and is_alphanumeric(after)):
                return True
    return False
