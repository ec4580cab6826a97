"""The judged views: what a verifier reads of a conversation and its attempt (SPEC 3)."""

from __future__ import annotations

from ..conversation.model import Message, Request, Role
from .activity import RUNNERS, TRACEBACK
from .characters import WHITE_SPACE, is_alphanumeric
from .facts import Facts, events_of, settled
from .text import clip_mid, redact, split_lines

#: Characters the attempt may keep in the session and agentic views.
ATTEMPT_BUDGET = 2200
#: Characters the tool trajectory may keep in the agentic view.
TRAJECTORY_BUDGET = 12_000
#: Lines and characters the coding view takes from the attempt.
FILES_LINES, FILES_BUDGET = 12, 500
TEST_LINES, TEST_BUDGET = 25, 1800
TRACEBACK_LINES, TRACEBACK_BUDGET = 20, 800
FINAL_CHARS = 2500

_INSTRUCTIONS = (Role.SYSTEM, Role.DEVELOPER)

Turn = tuple[Message, Facts]


def _kept(request: Request) -> list[Turn]:
    """The turns that are not blank, with their facts."""
    turns = request.turns
    return [pair for pair in zip(turns, settled(turns), strict=True) if not pair[1].blank]


def attempt_text(attempt: str) -> str:
    """The attempt as the session and agentic views show it: redacted, then clipped."""
    return clip_mid(redact(attempt), ATTEMPT_BUDGET, 1 / 3)


def session_view(request: Request, attempt: str) -> str:
    """One line a turn, the latest user turn last, then the attempt (SPEC 3)."""
    kept = _kept(request)
    latest = next((facts for turn, facts in reversed(kept) if turn.role is Role.USER), None)
    lines = [facts.line for _, facts in kept if facts is not latest]
    if latest is not None:
        lines.append(f"[user (latest)] {latest.redacted}")
    lines.append(f"[assistant attempt] {attempt_text(attempt)}")
    return "\n".join(lines)


def agentic_view(request: Request, attempt: str) -> str:
    """User turns whole, the tool trajectory as events, then the attempt; no instructions (SPEC 3)."""
    users = [facts.redacted for turn, facts in _kept(request) if turn.role is Role.USER]
    lines = [f"[user update {number}] {text}" if number else f"[user task] {text}" for number, text in enumerate(users)]
    sections = ["USER TASK AND UPDATES:\n" + "\n".join(lines)]
    events = events_of(messages_after_task(request))
    if events:
        sections.append(f"TOOL TRAJECTORY:\n{clipped_trajectory(events)}")
    sections.append(f"CURRENT ATTEMPT:\n{attempt_text(attempt)}")
    return "\n\n".join(sections)


def messages_after_task(request: Request) -> tuple[Message, ...]:
    """The messages after the first user message with text; none where there is no such message (SPEC 3)."""
    messages = request.messages
    for index, facts in enumerate(settled(messages)):
        if messages[index].role is Role.USER and not facts.blank:
            return messages[index + 1 :]
    return ()


def clipped_trajectory(events: list[str]) -> str:
    """`clip_mid` of the events joined by newlines; what will be clipped away is measured, not built."""
    length = sum(map(len, events)) + len(events) - 1
    if length <= TRAJECTORY_BUDGET:
        return "\n".join(events)
    head = TRAJECTORY_BUDGET // 3
    tail = TRAJECTORY_BUDGET - head
    first, size = 0, 0
    while size < head:
        size += len(events[first]) + 1
        first += 1
    last, size = len(events), 0
    while size < tail:
        last -= 1
        size += len(events[last]) + 1
    start, end = "\n".join(events[:first])[:head], "\n".join(events[last:])
    return f"{start}\n...[{length - TRAJECTORY_BUDGET} chars omitted]...\n{end[len(end) - tail :]}"


def coding_view(request: Request, attempt: str) -> str:
    """The request, the rules, the earlier requests, and what the attempt shows of files, tests and errors (SPEC 3)."""
    users, rules = [], []
    for turn, facts in _kept(request):
        if turn.role is Role.USER:
            users.append(facts.redacted)
        elif turn.role in _INSTRUCTIONS:
            rules.append(facts.redacted)
    sections = ["LATEST REQUEST:\n" + (users[-1] if users else "")]
    if rules:
        sections.append("SYSTEM INSTRUCTIONS (in full):\n" + "\n".join(rules))
    if len(users) > 1:
        earlier = "\n".join(f"[user {number}] {text}" for number, text in enumerate(users[:-1], 1))
        sections.append(f"EARLIER REQUIREMENTS (each earlier user turn, in full):\n{earlier}")
    sections.extend(f"{heading}\n{body}" for heading, body in attempt_sections(redact(attempt)))
    return "\n\n".join(sections)


def attempt_sections(attempt: str) -> list[tuple[str, str]]:
    """Heading and body of what the coding view takes from a redacted attempt, in order (SPEC 3)."""
    lines = split_lines(attempt)
    files = [line.removeprefix("diff --git ") for line in lines if line.startswith("diff --git ")][:FILES_LINES]
    test = next((at for at in range(len(lines) - 1, -1, -1) if invokes_runner(lines[at])), None)
    error = next((at for at in range(len(lines) - 1, -1, -1) if lines[at].startswith(TRACEBACK)), None)
    sections = []
    if files:
        sections.append(("FILES MODIFIED:", clip_mid("\n".join(files), FILES_BUDGET, 1 / 2)))
    if test is not None:
        sections.append(("FINAL TEST RUN:", clip_mid("\n".join(lines[test : test + TEST_LINES]), TEST_BUDGET, 1 / 3)))
    if error is not None:
        body = "\n".join(lines[error : error + TRACEBACK_LINES])
        sections.append(("LAST TRACEBACK:", clip_mid(body, TRACEBACK_BUDGET, 1 / 2)))
    sections.append(("FINAL OUTPUT (end of attempt):", attempt[max(0, len(attempt) - FINAL_CHARS) :]))
    return sections


def invokes_runner(line: str) -> bool:
    """Whether a line runs a test runner, after white space, any `$` signs and white space again (SPEC 3)."""
    command = line.lstrip(WHITE_SPACE).lstrip("$").lstrip(WHITE_SPACE)
    for runner in RUNNERS:
        if command.startswith(runner):
            after = command[len(runner) : len(runner) + 1]
            if after != "_" and not (after and is_alphanumeric(after)):
                return True
    return False
