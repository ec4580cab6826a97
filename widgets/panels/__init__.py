"""The panels: pure functions from a `Screen` (and a `View`) to HTML, with the interactions they report.

A control reports `{act, k, value}`: `act` is its `data-act`, `k` its `data-k`, `value` what a list, input or button
holds (a checkbox: `true` or `false`). Acts of looking change a `View` (`looked`); all others are the shell's.

| act | k | value | means |
|---|---|---|---|
| `dismiss` | | | close the bench's own error (made by `layout`) |
| `run`, `cancel` | | | start a run; end the one that is on |
| `paste`, `open` | | | go to the editor; open a file |
| `example` | | name | read this example; empty is the list's own title |
| `force-format` | | format name | read the paste as this format; empty detects it |
| `choose-conversation` | index | index | put this conversation of the paste on screen |
| `jump-diagnostic` | index | | select the place of this remark in the paste (index into `Reading.diagnostics`) |
| `controls:task_type` | | `router`, `off`, a task type | let the router type, type nothing, or force a type |
| `controls:provenance` | | `host`, `untrusted`, `none` | who attests the tool-error count; `none` gives no count |
| `controls:mode` | mode | mode | serving mode |
| `controls:approval` | | text | approval text of mode active |
| `controls:prior_local` | | number or empty | prior in [0, 1]; empty is not declared |
| `controls:deadline` | | number | decision deadline in seconds |
| `controls:pasted_attempt` | | `true`, `false` | is the final message the attempt, or is the local tier asked |
| `controls:checker_configured`, `controls:checker_validated`, `controls:structured_answer`, `controls:kill_switch`, \
`controls:diagnose` | | `true`, `false` | as named in `Controls` |
| `scenario` | | name | load this scenario into the mock |
| `rung:<rung>:answer`, `:delay`, `:fault` | | text, ms, fault | edit a rung of the mock |
| `clear-faults` | | | set every fault to none |
| `copy-record`, `copy-why`, `copy-view` | | | copy the record, the trace as text, the judged view |
| `messages:filter` | filter | `all`, `failed`, `calls` | looking |
| `messages:search` | | text | looking |
| `messages:open` | turn | | looking: unfold or fold a long text |
| `messages:more`, `problems:more`, `conversations:more` | | | looking: list further rows |
| `judge:view` | | `source`, `read` | looking |
| `probabilities:view` | | `chart`, `table` | looking |

A span with `data-clock` holds the seconds since the run began; the browser counts on from there.
"""

from __future__ import annotations

from .bar import bar
from .controls import controls
from .conversation import conversation_details, conversation_head
from .driver import driver
from .judge_view import judge_view
from .lanes import Bar, Lane, lanes
from .later import flips, policy, turns
from .messages import messages
from .probabilities import (
    charted,
    lane_drawing,
    lane_names,
    lane_values,
    probabilities_below,
    probabilities_head,
    probability_table,
    verdicts,
)
from .timeline import timeline
from .verdict import verdict
from .view import START, MessageFilter, View, looked
from .why import why

__all__ = [
    "START",
    "Bar",
    "Lane",
    "MessageFilter",
    "View",
    "bar",
    "charted",
    "controls",
    "conversation_details",
    "conversation_head",
    "driver",
    "flips",
    "judge_view",
    "lane_drawing",
    "lane_names",
    "lane_values",
    "lanes",
    "looked",
    "messages",
    "policy",
    "probabilities_below",
    "probabilities_head",
    "probability_table",
    "timeline",
    "turns",
    "verdict",
    "verdicts",
    "why",
]
