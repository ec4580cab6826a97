"""The tables of a `routes.toml` as pydantic models: their keys, types, bounds and defaults, and nothing else.

Each field says what its value must be, and what holds where it is absent; diagnostics and `Route.defaults` quote that.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...core.vgr.decision import Mode
from ...widgets.screen import Controls
from ..drivers.http.targets import MAX_RETRIES, WireFormat

#: What holds where a route sets nothing.
_CONTROLS = Controls()
#: Seconds in a day: the longest a turn or a cooldown may be told to take.
_DAY = 86_400


def _setting(must: str, default: Any = ..., *, absent: str = "", **bounds: Any) -> Any:
    """A key: what its value must be, its default, and the default in words where they are not the value's own."""
    return Field(default, description=must, json_schema_extra={"absent": absent}, **bounds)


class Table(BaseModel):
    """A table of the file. It refuses unknown keys, converts nothing, and repeats no value in its errors."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
        protected_namespaces=(),
    )

    def __repr__(self) -> str:
        """The kind alone: values may be secret."""
        return f"{type(self).__name__}(...)"

    __str__ = __repr__


class ClientTable(Table):
    """`[llm_clients.<name>]`: an endpoint."""

    format: Annotated[WireFormat, Field(strict=False)] = _setting(f"one of {', '.join(WireFormat)}")
    base_url: str = _setting("the endpoint's address, as in https://host/v1")
    api_key_env: str | None = _setting("the name of an environment variable", None, absent="none: no key is sent")
    extra_headers: dict[str, str] = _setting("a table of texts", {}, absent="none")
    max_retries: int = _setting("a whole number from 0 to 10", MAX_RETRIES, ge=0, le=10)


class TargetTable(Table):
    """`[targets.<name>]`: a model at an endpoint."""

    id: str = _setting("the model's name at its endpoint", min_length=1)
    llm_client: str = _setting("the name of a table under [llm_clients]")
    extra_body: dict[str, Any] = _setting("a table", {}, absent="none")


class CheckerTable(Table):
    """`[routes.<name>.checker]`: the operator's own check."""

    tests_dir: str = _setting("the path of the folder that holds the tests", min_length=1)
    command: list[str] = _setting("a list of texts, the program first")
    materialize_command: list[str] | None = _setting("a list of texts, the program first", None, absent="none")
    sandbox_attestation: str = _setting("a text that says what confines the command", "", absent="none")
    validated: bool = _setting("true or false", False)


class VgrTable(Table):
    """`[routes.<name>]` of type vgr."""

    type: Literal["vgr"]
    id: str | None = _setting("the name that clients send", None)
    local_target: str = _setting("the name of a table under [targets]")
    cloud_target: str = _setting("the name of a table under [targets]")
    judge_target: str | None = _setting(
        "the name of a table under [targets]", None, absent="local_target judges itself"
    )
    cloud_judge_target: str | None = _setting(
        "the name of a table under [targets]", None, absent="none: no cloud judge is asked"
    )
    mode: Annotated[Mode, Field(strict=False)] = _setting(
        f"one of {', '.join(Mode)}", _CONTROLS.mode, absent=f"{_CONTROLS.mode}, the workbench's default"
    )
    active_approval: str | None = _setting("the approval text", None)
    deadline_seconds: float = _setting(f"a number above 0, at most {_DAY}", _CONTROLS.deadline, gt=0, le=_DAY)
    task_typing: bool = _setting("true or false", _CONTROLS.typing_enabled)
    latch_escalation: bool = _setting("true or false", _CONTROLS.latch_escalation)
    speculation_carry: bool = _setting("true or false", _CONTROLS.speculation_carry)
    structured_answer: bool = _setting("true or false", _CONTROLS.structured_answer)
    breaker_threshold: int = _setting(
        "a whole number from 1 to 1000000", _CONTROLS.breaker_threshold, ge=1, le=1_000_000
    )
    breaker_cooldown_seconds: float = _setting(f"a number from 0 to {_DAY}", _CONTROLS.breaker_cooldown, ge=0, le=_DAY)
    local_supports_images: bool = _setting("true or false", _CONTROLS.local_supports_images)
    checker: CheckerTable | None = _setting("a table", None, absent="none: no check is run")


class RuleTable(Table):
    """One rule of ordered cutoffs."""

    candidate: str = _setting("the label of a candidate")
    cutoff: float = _setting("a number from 0 to 1", ge=0, le=1)


class CutoffPolicyTable(Table):
    """`policy` of a decision table; its keys may stand beside it too."""

    rules: list[RuleTable] | None = _setting("a list of tables with candidate and cutoff", None)
    fallback: str | None = _setting("the label of a candidate", None)


class DecisionTable(CutoffPolicyTable):
    """`decision` of an llm_classifier route: ordered cutoffs (SPEC 6.1)."""

    candidates: dict[str, str] = _setting("a table of labels, each with a target's name or a model id")
    policy: CutoffPolicyTable | None = _setting("a table", None)
    instructions: str | None = _setting("a text", None, absent="the workbench's own question")
    evidence: Any = _setting("any value", None, absent="none")
    fail_open: bool = _setting("true or false", False)
    recent_turn_window: int | None = _setting(
        "a whole number of at least 1", None, absent="the opening and the last user message", ge=1
    )


class ClassifierTable(Table):
    """`[routes.<name>]` of type llm_classifier. Targets have two names: by tier, and as in Switchyard's guides."""

    type: Literal["llm_classifier"]
    id: str | None = _setting("the name that clients send", None)
    mode: str | None = _setting("escalation, or absent beside a decision table", None)
    judge_target: str | None = _setting("the name of a table under [targets]", None)
    classifier_target: str | None = _setting("the name of a table under [targets]", None)
    efficient_target: str | None = _setting("the name of a table under [targets]", None)
    weak_target: str | None = _setting("the name of a table under [targets]", None)
    capable_target: str | None = _setting("the name of a table under [targets]", None)
    strong_target: str | None = _setting("the name of a table under [targets]", None)
    escalation: dict[str, Any] | None = _setting("a table", None)
    decision: DecisionTable | None = _setting("a table", None)
