"""What the screen shows, as one value: the shell fills it, the panels render it, and nothing else passes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from sys import float_info

from ..core.conversation.model import Request, Response
from ..core.conversation.reading import Reading
from ..core.explain.judged import JudgedView
from ..core.explain.ladder import Ladder
from ..core.explain.reason import Reason
from ..core.explain.results import ResultMark
from ..core.explain.trace import Trace
from ..core.vgr.capabilities import Capabilities, TaskType, ToolErrorSource
from ..core.vgr.decision import Mode
from ..core.vgr.evidence import Asked, Origin, Rung, TurnOutcome
from ..core.vgr.policy import Policy
from .algorithm import Algorithm, CutoffsScreen, EscalationScreen
from .files import Listing, Notice, Opening


class RunState(StrEnum):
    """Where the bench stands (UI states)."""

    EMPTY = "empty"
    IDLE = "idle"
    RUNNING = "running"
    DONE = "done"
    STALE = "stale"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Failure:
    """What failed: the stage, an error class and status, and the next step. Never a body or conversation text."""

    stage: str
    what: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Derived:
    """What the conversation gives before any evidence (or with the task type that typing gave)."""

    request: Request
    #: The attempt that is judged: pasted or produced; None while the local tier has not been asked.
    attempt: Response | None
    attempt_origin: Origin | None
    capabilities: Capabilities
    #: Number of the derivation rule that matched (SPEC 4.1) and what it read, one sentence.
    rule: int
    rule_words: str
    task_type: TaskType | None
    #: "computed", "forced" or the typing rung's origin.
    task_type_origin: str
    ladder: Ladder
    judged: JudgedView | None
    results: tuple[ResultMark, ...]


@dataclass(frozen=True, slots=True)
class RungControl:
    """One row of the driver panel. `options` is empty where the answer is free text or a number."""

    rung: Rung
    answer: str = field(repr=False)
    options: tuple[str, ...]
    #: `number` for a score in [0, 1], `choice` or `text`.
    kind: str
    delay_ms: int
    fault: str
    #: Why it cannot be edited, empty where it can.
    disabled: str = ""


@dataclass(frozen=True, slots=True)
class DriverChoice:
    """A driver that can be chosen; choosing one sends nothing."""

    key: str
    #: "mock, seed 7", "cassette: tidewatch on smollm2-135m", "live: smollm2-135m @ 127.0.0.1:8093".
    words: str
    #: Why it cannot be chosen, and what to do; empty where it can.
    disabled: str = ""


@dataclass(frozen=True, slots=True)
class DriverPanel:
    """The driver panel: its origin, the other choices, and what this driver lets one edit."""

    origin: Origin
    scenario: str
    scenarios: tuple[tuple[str, str], ...]
    #: The rungs of the algorithm on screen; empty for a driver that is no mock.
    rungs: tuple[RungControl, ...]
    faults: tuple[str, ...]
    #: What the mock answers to the route question: a probability for each label that is asked about, in their order.
    probabilities: tuple[tuple[str, float], ...] = field(default=(), repr=False)
    choices: tuple[DriverChoice, ...] = ()
    chosen: str = "mock"
    #: Who answers what, for a driver that is no mock: (category, "model @ host").
    models: tuple[tuple[str, str], ...] = ()
    #: What the cassette does not hold, in a sentence; empty where nothing was missing.
    missing: str = ""
    #: The pace of a replay: `none`, `original`, or a factor of the recorded time as text; empty for other drivers.
    pace: str = ""
    #: The file that calls are recorded to; empty where nothing is recorded.
    recording: str = field(default="", repr=False)
    #: The checker that is configured, in sentences, one of which says that it is no sandbox; empty without one.
    checker: str = field(default="", repr=False)
    #: The configuration file and route in use; what was wrong with the last one that was named.
    configuration: str = field(default="", repr=False)
    #: The routes to choose from, where the file has several, and the one in use.
    routes: tuple[str, ...] = ()
    route: str = ""
    #: What is wrong elsewhere in the configuration's file: severity, and a line with file and place.
    remarks: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    problem: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Controls:
    """The operator's settings of a turn (SPEC 4.1, 4.6, 7), checked as they are made.

    Times are in seconds, `prior_local` is a probability in [0, 1]. Words are taken for the enums they name; raises
    ValueError for any other word, and for a number out of its range. Bars and dials are the `Policy`'s.
    """

    #: None lets the router type the task.
    forced_type: TaskType | None = None
    typing_enabled: bool = True
    checker_configured: bool = False
    checker_validated: bool = False
    #: Who vouches for the tool record; None gives no count at all.
    provenance: ToolErrorSource | None = ToolErrorSource.HOST
    mode: Mode = Mode.EVALUATE
    approval: str = field(default="", repr=False)
    structured_answer: bool = False
    prior_local: float | None = None
    #: Take a final assistant message as the attempt; else the local tier is asked.
    pasted_attempt: bool = True
    #: Ask what production would skip, for display only.
    diagnose: bool = False
    #: Decision deadline in seconds.
    deadline: float = 30.0
    kill_switch: bool = False
    #: Whether images may go to the local tier.
    local_supports_images: bool = False
    #: Whether turn verification latches the session; else only the turn at its bar is escalated.
    latch_escalation: bool = True
    #: Whether an escalation carries the rejected attempt to the cloud tier, as unverified reference.
    speculation_carry: bool = False
    #: Ask the cloud tier for its reply where it serves; else the workbench stops at the decision.
    ask_cloud: bool = False
    #: Endpoint failures in a row that open a breaker, and the seconds it stays open.
    breaker_threshold: int = 5
    breaker_cooldown: float = 30.0

    def __post_init__(self) -> None:
        # A word that merely looks like its enum would pass every comparison by identity, and so every check.
        self._take("forced_type", TaskType, optional=True)
        self._take("provenance", ToolErrorSource, optional=True)
        self._take("mode", Mode, optional=False)
        if self.prior_local is not None and not _between(self.prior_local, 1.0):
            raise ValueError("prior_local is no probability; give a number in [0, 1], or None")
        if not _between(self.deadline, float_info.max):
            raise ValueError("deadline is no time; give a finite number of seconds, 0 or more")
        if not _between(self.breaker_cooldown, float_info.max):
            raise ValueError("breaker_cooldown is no time; give a finite number of seconds, 0 or more")
        if type(self.breaker_threshold) is not int or self.breaker_threshold < 1:
            raise ValueError("breaker_threshold is no count; give a whole number, 1 or more")

    def _take(self, name: str, kind: type[StrEnum], *, optional: bool) -> None:
        value = getattr(self, name)
        if value is None and optional:
            return
        if value not in list(kind):
            words = ", ".join([repr(member.value) for member in kind] + ["None"] * optional)
            raise ValueError(f"{name} is {value!r}; it is one of {words}")
        object.__setattr__(self, name, kind(value))


def _between(value: object, most: float) -> bool:
    """Whether this is a number in [0, most]; NaN is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= most


@dataclass(frozen=True, slots=True)
class Edits:
    """What was edited of the conversation on screen, over the text as it was pasted, and what can be taken back."""

    #: Steps that can be undone, and that can be redone.
    undo: int
    redo: int
    #: What the next undo takes back, in a few words: "the edit of message 33", "the paste of trace.json".
    words: str = field(default="", repr=False)
    #: Turns that differ from what was pasted, by their index in `request.turns` as it stands now.
    turns: tuple[int, ...] = ()
    #: Messages edited and messages removed, all of them counted.
    count: int = 0


@dataclass(frozen=True, slots=True)
class Screen:
    """Everything on screen. State, failure, remark and what was asked are those of the algorithm on screen."""

    state: RunState
    algorithm: Algorithm = Algorithm.VGR
    cutoffs: CutoffsScreen | None = None
    escalation: EscalationScreen | None = None
    source_name: str = field(default="", repr=False)
    reading: Reading | None = None
    #: Index into `reading.conversations`; None while a choice is due.
    chosen: int | None = None
    derived: Derived | None = None
    outcome: TurnOutcome | None = None
    trace: Trace | None = None
    #: The sentence of the outcome, made with the run it belongs to, so that it stands while a new one runs.
    reason: Reason | None = None
    #: The same rule over `outcome.signals_with_extra`, for the rows marked extra; display only, never the decision.
    trace_with_extra: Trace | None = None
    #: Rows asked so far, while running or cancelled.
    asked: tuple[Asked, ...] = ()
    #: The rung being asked, while running.
    asking: Rung | None = None
    #: What Run will ask, in order, while idle.
    will_ask: tuple[Rung, ...] = ()
    policy: Policy = Policy()
    controls: Controls = Controls()
    #: What a route set of the controls, to compare them with; what differs is a what-if. None where none set any.
    controls_baseline: Controls | None = None
    driver: DriverPanel | None = None
    failure: Failure | None = None
    #: What made the result stale or where it was cancelled: "message 33 edited", "asking readout, at 1.2 s".
    remark: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    edits: Edits = Edits(0, 0)
    #: A file or a long text that is on its way; the conversation on screen is the one before it.
    opening: Opening | None = None
    #: Why the last file could not be opened, or what was copied.
    notice: Notice | None = None
    #: A large file whose conversations are listed.
    listing: Listing | None = None
    #: Prefix of element ids, unique for each bench of a page.
    bench: str = "rw"
