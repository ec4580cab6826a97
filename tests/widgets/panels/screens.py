"""Screens to render: one invented agentic conversation, in every state of the bench."""

from __future__ import annotations

from dataclasses import replace

from routing_workbench.core.conversation.diagnostics import Diagnostic, Place, Severity
from routing_workbench.core.conversation.model import (
    Message,
    Output,
    Reasoning,
    Request,
    Response,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from routing_workbench.core.conversation.reading import Conversation, FormatMatch, Reading
from routing_workbench.core.explain.endings import ending_reason
from routing_workbench.core.explain.judged import Budget, JudgedView, Row, RowKind, Span
from routing_workbench.core.explain.ladder import ladder
from routing_workbench.core.explain.reason import reason
from routing_workbench.core.explain.trace import trace
from routing_workbench.core.vgr.capabilities import TaskType, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.decision import Mode, Readiness, decide
from routing_workbench.core.vgr.derive import derive
from routing_workbench.core.vgr.evidence import Asked, Ending, Miss, Origin, OriginKind, Rung, TurnOutcome
from routing_workbench.core.vgr.serving import serve
from routing_workbench.core.vgr.signals import Signals, Verdict
from routing_workbench.widgets.screen import (
    Controls,
    Derived,
    DriverPanel,
    Failure,
    ResultMark,
    RungControl,
    RunState,
    Screen,
)

MOCK = Origin(OriginKind.MOCK, "seed 7")
ATTEMPT = Response((Output(Role.ASSISTANT, (Text("The gap test passes now. One unrelated test fails. Shall I?"),)),))
FAULTS = ("none", "timeout", "transport", "HTTP 503", "context overflow", "invalid response")


def request(rounds: int = 16) -> Request:
    """A task, then rounds of a call and its result; every second result failed, and so did the last."""
    messages = [Message(Role.USER, (Text("tests/test_forecast.py::test_dst_gap fails.\nFind out why and fix it."),))]
    for turn in range(rounds):
        said = (Text(f"Step {turn + 1}: I look at the forecast code."),) if turn % 2 else ()
        thought = (Reasoning("fold is about ambiguous times"),) if turn == 6 else ()
        call = ToolCall(f"c{turn}", "Bash", {"command": "pytest tests/test_forecast.py -q"})
        result = "AssertionError: assert 1 == 2\n1 failed, 22 passed in 1.31s" if turn % 2 else "The file was updated."
        messages += [
            Message(Role.ASSISTANT, (*thought, *said, call)),
            Message(Role.TOOL, (ToolResult(f"c{turn}", (Text(result),)),)),
        ]
    system = Message(Role.SYSTEM, (Text("You are a coding agent in the repository tidewatch. Work in small steps."),))
    return Request((system,), tuple(messages))


def marks(of: Request) -> tuple[ResultMark, ...]:
    """Each result of `request`, as the tool record counts it."""
    return tuple(
        ResultMark(turn, 0, failed := "AssertionError" in block.content[0].text, "error table: assertionerror" * failed)
        for turn, message in enumerate(of.turns)
        for block in message.content
        if isinstance(block, ToolResult)
    )


def derived(attempt: Response | None = ATTEMPT, rounds: int = 16, *, chat: bool = False) -> Derived:
    """What the conversation gives; a chat one has no tools."""
    of = Request((), (Message(Role.USER, (Text("Why is the sky blue?"),)),)) if chat else request(rounds)
    found = marks(of)
    text = attempt.outputs[0].content[0].text if attempt else None
    kind = TaskType.CHAT if chat else TaskType.AGENTIC
    made = derive(
        of,
        text,
        task_type=kind,
        tool_errors=None if chat else ToolErrors(ToolErrorSource.HOST, sum(mark.failed for mark in found)),
        tool_results=None if chat else len(found),
        tool_tail_clean=None if chat else not found[-1].failed,
    )
    return Derived(
        request=of,
        attempt=attempt,
        attempt_origin=MOCK,
        capabilities=made.capabilities,
        rule=made.rule,
        rule_words=made.words,
        task_type=kind,
        task_type_origin="mock",
        ladder=ladder(made.capabilities),
        judged=judged(of) if attempt else None,
        results=found,
    )


def judged(of: Request) -> JudgedView:
    """A view with a row of every kind."""
    last = len(of.turns)
    plain = [Row(RowKind.KEPT, (Span(f"[tool call] Bash(step {turn})"),), turn) for turn in range(2, min(last, 14))]
    rows = (
        Row(RowKind.DROPPED, (Span("[system] You are a coding agent"),), 0, "dropped: instruction, 109 chars"),
        Row(RowKind.HEADING, (Span("USER TASK AND UPDATES:"),), None),
        Row(RowKind.KEPT, (Span("[user task] Ask "), Span("[REDACTED]", "e-mail, 27 chars"), Span(".")), 1),
        Row(RowKind.HEADING, (Span("TOOL TRAJECTORY:"),), None),
        *plain,
        Row(RowKind.CLIPPED, (Span("...[257 chars omitted]..."),), min(14, last), "clipped: 257 of 1,657 chars"),
        Row(RowKind.HEADING, (Span("CURRENT ATTEMPT:"),), None),
        Row(RowKind.KEPT, (Span("The gap test passes now."),), last),
    )
    text = "\n".join("".join(span.text for span in row.spans) for row in rows[1:])
    return JudgedView("agentic", text, rows, (Budget("trajectory", 6744, 12000), Budget("attempt", 164, 2200)), 1, 1, 1)


def reading(of: Request) -> Reading:
    """The conversation as read from an Anthropic request that ends with the attempt."""
    whole = Request(of.instructions, (*of.messages, Message(Role.ASSISTANT, ATTEMPT.outputs[0].content)))
    match = FormatMatch("anthropic", "Anthropic Messages request", 0.98, "`tool_use` blocks")
    other = FormatMatch("openai-chat", "OpenAI chat request", 0.41, "a `messages` array")
    remarks = (
        Diagnostic(Severity.NOTE, "kept", "`cache_control` kept, not read.", "", Place(8, 4, "system[0]", 90, 103)),
        Diagnostic(
            Severity.WARNING,
            "reminder",
            "A system reminder in a user message is read as user text.",
            "Check what the judge reads.",
            Place(19, 16, "messages[0].content[0]", 300, 340),
        ),
    )
    places = (Place(path="system[0]"), *(Place(path=f"messages[{at}]") for at in range(len(whole.messages))))
    found = Conversation(whole, places[-len(whole.turns) :], extras={"model": "m", "max_tokens": 9})
    return Reading((found,), match, (match, other), remarks)


def driver(fault: str = "timeout") -> DriverPanel:
    """A mock with one fault."""
    verdicts = ("yes", "no", "unknown")
    return DriverPanel(
        MOCK,
        "hedging judge",
        (("everything affirms", "Every verifier says yes."), ("hedging judge", "Verifiers answer yes, but.")),
        (
            RungControl(Rung.ATTEMPT, "replays message 34", (), "text", 812, "none"),
            RungControl(Rung.TYPING, "agentic", tuple(kind.value for kind in TaskType), "choice", 41, "none"),
            RungControl(Rung.READOUT, "0.34", (), "number", 63, "none"),
            RungControl(Rung.DELIBERATION, "yes", verdicts, "choice", 400, fault),
            RungControl(Rung.CHECKER, "yes", verdicts, "choice", 0, "none", disabled="not configured"),
        ),
        FAULTS,
    )


ASKED = (
    Asked(Rung.ATTEMPT, 0.0, 0.812, MOCK, answer="164 chars"),
    Asked(Rung.TYPING, 0.812, 0.041, MOCK, TaskType.AGENTIC, "agentic"),
)
EXTRA = (
    Asked(Rung.READOUT, 0.853, 0.063, MOCK, 0.34, "p = 0.34", extra=True, note="yes 0.2907, Yes 0.0222, no 0.5516"),
    Asked(Rung.DELIBERATION, 0.916, 0.4, MOCK, miss=Miss.TIMED_OUT, extra=True),
)
_BASE = Screen(RunState.EMPTY, driver=driver(), examples=(("tidewatch", "Tidewatch, agent loop"),))


def empty() -> Screen:
    """Nothing pasted."""
    return _BASE


def idle() -> Screen:
    """Read, not run."""
    of = derived()
    return replace(
        _BASE,
        state=RunState.IDLE,
        source_name="agent-tidewatch-dst-loop.json",
        reading=reading(of.request),
        chosen=0,
        derived=of,
        will_ask=(Rung.ATTEMPT, Rung.TYPING),
    )


def running(asked: tuple[Asked, ...] = ASKED) -> Screen:
    """The first run, at its third question."""
    will = (Rung.ATTEMPT, Rung.TYPING, Rung.READOUT, Rung.DELIBERATION)
    return replace(idle(), state=RunState.RUNNING, asked=asked, asking=Rung.READOUT, will_ask=will)


def decided(
    of: Derived,
    signals: Signals,
    asked: tuple[Asked, ...],
    *,
    extra: Signals | None = None,
    mode: Mode = Mode.EVALUATE,
    **more: object,
) -> Screen:
    """A screen with the decision on these signals."""
    readiness = Readiness()
    decision = decide(of.capabilities, signals, readiness)
    outcome = TurnOutcome(
        asked=asked,
        served=serve(decision, mode),
        decision=decision,
        signals=signals,
        signals_with_extra=extra or signals,
        **more,
    )
    missed = [row.rung.value for row in asked if row.miss is not None]
    made = trace(of.capabilities, signals, readiness, mode)
    return replace(
        idle(),
        state=RunState.DONE,
        derived=of,
        reading=reading(of.request),
        outcome=outcome,
        trace=made,
        reason=reason(made, of.capabilities),
        trace_with_extra=trace(of.capabilities, extra or signals, readiness, mode, unanswered=missed),
        controls=Controls(mode=mode),
    )


def done() -> Screen:
    """CLOUD by agentic_verified, with extras asked for diagnosis."""
    return decided(
        derived(),
        Signals(),
        ASKED + EXTRA,
        extra=Signals(readout=0.34),
        stopped="`agentic_verified` asks nothing unless errors = 0 or the run recovered",
        not_asked=((Rung.CLOUD_JUDGE, "not a rung of agentic_verified"),),
    )


def local() -> Screen:
    """LOCAL by the dial of chat."""
    asked = (ASKED[0], Asked(Rung.READOUT, 0.812, 0.063, MOCK, 0.93, "p = 0.93"))
    return decided(derived(chat=True), Signals(readout=0.93), asked, stopped="committed after readout")


def held_back() -> Screen:
    """Predicted LOCAL by the checker, held back: no validated checker is deployed."""
    of = derived()
    made = derive(of.request, "All done.", checker_configured=True)
    of = replace(of, capabilities=made.capabilities, rule=made.rule, ladder=ladder(made.capabilities))
    asked = (ASKED[0], Asked(Rung.CHECKER, 0.812, 0.1, MOCK, Verdict.YES, "yes"))
    return decided(of, Signals(tests_pass=Verdict.YES), asked, mode=Mode.ACTIVE)


def ended() -> Screen:
    """Ended before the rules: the local tier gave no attempt in time."""
    asked = (Asked(Rung.ATTEMPT, 0.0, 30.0, MOCK, miss=Miss.TIMED_OUT),)
    done_ = done()
    outcome = TurnOutcome(asked=asked, served=done_.outcome.served, ending=Ending.LOCAL_TIMED_OUT)
    of = derived(None)
    why = ending_reason(Ending.LOCAL_TIMED_OUT, outcome.served)
    return replace(done_, derived=of, outcome=outcome, trace=None, trace_with_extra=None, reason=why)


def stale() -> Screen:
    """Edited after a run."""
    return replace(done(), state=RunState.STALE, remark="message 33 edited")


def rerunning() -> Screen:
    """A further run, with the last verdict still on screen."""
    return replace(done(), state=RunState.RUNNING, asked=ASKED[:1], asking=Rung.TYPING)


def cancelled() -> Screen:
    """Cancelled during deliberation."""
    readout = Asked(Rung.READOUT, 0.853, 0.063, MOCK, 0.34, "p = 0.34")
    remark = "asking deliberation, at 1.2 s"
    return replace(idle(), state=RunState.CANCELLED, asked=(*ASKED, readout), remark=remark)


def failed() -> Screen:
    """The local tier refused."""
    what = Failure("attempt", "Local tier failed: HTTP 401.", "Check the key of the local tier, then run again.")
    asked = (Asked(Rung.ATTEMPT, 0.0, 0.012, MOCK, miss=Miss.CALL_FAILED, error="HTTP 401"),)
    return replace(idle(), state=RunState.FAILED, failure=what, asked=asked)


def several() -> Screen:
    """Three conversations in the paste, none chosen."""
    one = reading(request(1))
    found = tuple(replace(one.conversations[0], title=f"session {name}") for name in "abc")
    return replace(_BASE, state=RunState.IDLE, reading=replace(one, conversations=found))


def unreadable() -> Screen:
    """A paste with an error and no conversation."""
    error = Diagnostic(
        Severity.ERROR,
        "json-string",
        "The string is not closed.",
        "Close it or open the file instead.",
        Place(41, 7, None, 900, 901),
    )
    return replace(_BASE, state=RunState.IDLE, reading=Reading((), None, (), (error,)))


#: Every screen by name.
STATES = {
    made.__name__: made
    for made in (
        empty,
        idle,
        running,
        done,
        local,
        held_back,
        ended,
        stale,
        rerunning,
        cancelled,
        failed,
        several,
        unreadable,
    )
}
