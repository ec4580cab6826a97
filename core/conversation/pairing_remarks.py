"""What pairing has to say about a conversation, each remark at its message."""

from __future__ import annotations

from collections.abc import Iterator

from .diagnostics import Place, Severity
from .pairing import BlockAt, pair_results
from .positions import path_from_text
from .reading import Conversation
from .remarks import Remark, shown


def pairing_remarks(conversation: Conversation) -> Iterator[Remark]:
    """Orphan and duplicate results, unanswered calls, ids that stand twice or are missing."""
    turns = conversation.request.turns
    found = pair_results(turns)
    places = conversation.places

    def warn(code: str, message: str, next_step: str, at: BlockAt) -> Remark:
        return _remark(Severity.WARNING, code, message, next_step, places[at.turn])

    for result in found.orphans:
        name = f"for `{shown(result.id)}`" if result.id else "without an id"
        message = f"This tool result {name} answers no earlier call."
        yield warn("orphan-result", message, "Paste the call with it, if it was cut away.", result)
    for result in found.duplicates:
        message = (
            f"The call `{shown(result.id)}` has its result already; this is one more."
            if result.id
            else ("This tool result names no call, and none is open.")
        )
        yield warn("duplicate-result", message, "Remove the result that does not belong here.", result)
    for call in found.unanswered:
        name = f" `{shown(call.id)}`" if call.id else ""
        yield warn("unanswered-call", f"The tool call{name} has no result.", "Paste its result, if there is one.", call)
    seen: set[str] = set()
    for call in found.repeated_ids:
        if call.id not in seen:
            seen.add(call.id)
            message = f"The id `{shown(call.id)}` stands for more than one call; results are joined in order."
            yield warn("repeated-call-id", message, "Give each call its own id.", call)
    for pair in found.pairs:
        if pair.by_order:
            message = "This tool result names no call; joined to the first call that was open."
            yield warn("result-without-id", message, "Add the id of its call.", pair.result)


def _remark(severity: Severity, code: str, message: str, next_step: str, place: Place) -> Remark:
    if place.line is not None or place.path is None:
        return Remark(severity, code, message, next_step, place=place)
    return Remark(severity, code, message, next_step, path_from_text(place.path))
