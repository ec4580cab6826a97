"""The panels: pure functions from a `Screen` (and a `View`) to HTML, with the interactions they report.

A control reports `{act, k, value}`: `act` is its `data-act`, `k` its `data-k`, `value` what a list, input or button
holds (a checkbox: `true` or `false`). Acts of looking change a `View` (`looked`); all others are the shell's.

| act | k | value | means |
|---|---|---|---|
| `dismiss` | | | close the bench's own error (made by `layout`) |
| `algorithm` | algorithm | `vgr`, `cutoffs`, `escalation` | show this algorithm; it sends nothing |
| `run`, `cancel` | | | start a run of the algorithm on screen; end the one that is on |
| `paste`, `open` | | | go to the editor; open a file |
| `example` | | name | read this example; empty is the list's own title |
| `force-format` | | format name | read the paste as this format; empty detects it |
| `open-path` | | path | open this file of the kernel's machine |
| `choose-conversation` | index | index | put this conversation of the paste on screen |
| `choose-listed` | index | index | load this conversation of a large file |
| `edit-message` | turn:block | text | give this block another text, a call its arguments |
| `remove-message` | turn | | take this message away |
| `undo`, `redo` | | | take back the last edit, paste, file or example; do it again |
| `close-notice` | | | take away what the Conversation panel says of the last file or copy |
| `copy-openai-chat`, `copy-anthropic`, `copy-normalized` | | | copy the conversation, as edited, in that format |
| `jump-diagnostic` | index | | select the place of this remark in the paste (index into `Reading.diagnostics`) |
| `controls:task_type` | | `router`, `off`, a task type | let the router type, type nothing, or force a type |
| `controls:provenance` | | `host`, `untrusted`, `none` | who attests the tool-error count; `none` gives no count |
| `controls:mode` | mode | mode | serving mode |
| `controls:approval` | | text | approval text of mode active |
| `controls:prior_local` | | number or empty | prior in [0, 1]; empty is not declared |
| `controls:deadline` | | number | decision deadline in seconds |
| `controls:pasted_attempt` | | `true`, `false` | is the final message the attempt, or is the local tier asked |
| `controls:breaker_threshold` | | whole number | endpoint failures in a row that open a breaker |
| `controls:breaker_cooldown` | | number | seconds a breaker stays open |
| `controls:checker_configured`, `controls:checker_validated`, `controls:structured_answer`, `controls:kill_switch`, \
`controls:diagnose`, `controls:local_supports_images`, `controls:latch_escalation`, `controls:speculation_carry`, \
`controls:ask_cloud` | | `true`, `false` | as named in `Controls` |
| `driver` | choice | choice key | ask another driver from now on; sends nothing |
| `pace` | | `none`, `original`, a factor | pace of a replay |
| `record` | | path | record this driver's calls to a new cassette file |
| `stop-recording` | | | record no more |
| `configuration` | | path | read a routes.toml on the kernel's machine |
| `route` | | name | use this route of it |
| `scenario` | | name | load this scenario into the mock |
| `rung:<rung>:answer`, `:delay`, `:fault` | | text, ms, fault | edit a rung of the mock |
| `probability` | label | number | the mock's probability of this label |
| `clear-faults` | | | set every fault to none |
| `copy-record`, `copy-why`, `copy-view` | | | copy the record, the trace as text, the judged view |
| `cutoffs:cutoff` | rule index | number | that rule's cutoff |
| `cutoffs:fallback` | | label | the fallback |
| `cutoffs:fail_open` | value | `true`, `false` | whether the fallback takes the turn where the judge fails |
| `cutoffs:window` | | whole number or empty | recent turn window; empty is none |
| `cutoffs:add-rule` | label | label | a rule for this label, the last one |
| `cutoffs:remove-rule`, `cutoffs:raise-rule` | rule index | | take it away; one place earlier |
| `cutoffs:config` | | JSON text | take this configuration (SPEC 6.1) |
| `cutoffs:reset` | | | back to the baseline |
| `cutoffs:try` | flip index | flip index | apply that smallest flip: a cutoff, or a probability of the mock |
| `copy-cutoffs` | | | copy the configuration as JSON |
| `escalation:confirmations`, `escalation:recent_turn_window`, `escalation:window_message_chars` | | whole number | \
as named in `EscalationConfig` |
| `escalation:handoff_note` | | text or empty | what the capable tier is told; empty is nothing |
| `escalation:session`, `escalation:redact` | | `true`, `false` | keep the streak between turns; redact the transcript |
| `escalation:reset` | | | back to the baseline |
| `turn` | | number | look at this assistant turn, from 1 |
| `turn:previous`, `turn:next` | | | look at the turn beside it |
| `copy-transcript` | | | copy the transcript of the turn on screen |
| `go-message` | turn | | bring this message into view (done by `layout`) |
| `problems:more`, `conversations:more` | | | looking: list further rows |
| `conversations:search` | | text | looking: list the conversations whose title holds it |
| `conversation:path` | | | looking: the field for a path, there or not |
| `judge:view` | | `source`, `read` | looking |
| `probabilities:view`, `cutoffs:view`, `escalation:view` | | `chart`, `table` | looking |

The list of messages is a widget of its own (`widgets.reader`), which looks by itself.

A button with `data-take` reports what stands in the field of its `data-form`; a field with `data-keep` is the user's
own and is never rewritten. A span with `data-clock` holds the seconds since the run began; the browser counts on.
"""

from __future__ import annotations

from .bar import bar
from .controls import controls
from .conversation import conversation_details, conversation_head
from .cutoffs_asked import cutoffs_question, cutoffs_usable
from .cutoffs_flips import cutoffs_flips
from .cutoffs_rules import cutoffs_rules
from .cutoffs_settings import cutoffs_settings
from .cutoffs_verdict import cutoffs_verdict
from .driver import driver
from .escalation import (
    escalation_details,
    escalation_settings,
    escalation_verdict,
    streak_panel,
    transcript_panel,
)
from .judge_view import judge_view
from .lanes import Bar, Lane, lanes
from .later import flips, policy, turns
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
from .view import START, View, looked
from .why import why

__all__ = [
    "START",
    "Bar",
    "Lane",
    "View",
    "bar",
    "charted",
    "controls",
    "conversation_details",
    "conversation_head",
    "cutoffs_flips",
    "cutoffs_question",
    "cutoffs_rules",
    "cutoffs_settings",
    "cutoffs_usable",
    "cutoffs_verdict",
    "driver",
    "escalation_details",
    "escalation_settings",
    "escalation_verdict",
    "flips",
    "judge_view",
    "lane_drawing",
    "lane_names",
    "lane_values",
    "lanes",
    "looked",
    "policy",
    "probabilities_below",
    "probabilities_head",
    "probability_table",
    "streak_panel",
    "timeline",
    "transcript_panel",
    "turns",
    "verdict",
    "verdicts",
    "why",
]
