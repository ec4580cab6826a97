"""Why an attempt is not committed: the deciding fact of each branch, in one sentence (SPEC 4.5)."""

from __future__ import annotations

from collections.abc import Callable

from ..vgr.branch import Branch
from ..vgr.capabilities import Capabilities
from ..vgr.resolution import Unresolved
from ..vgr.rules import TOOL_VETO
from .clause import Clause, Comparison, Holds
from .phrases import bar_of, fitting, measured, pick, said, scored, sentence
from .trace import Trace
from .wording import MINUS, listed


def withheld(trace: Trace, capabilities: Capabilities) -> str:
    """The fact that keeps the attempt from being committed, at most 80 characters."""
    decisive = trace.decisive
    if decisive.label == TOOL_VETO.label:
        return _vetoed(decisive, capabilities)
    if trace.branch is Branch.AGENTIC_VERIFIED and decisive is trace.rule.clauses[0]:
        return _bad_record(decisive, capabilities)
    return _EVIDENCE[trace.branch](decisive)


def failed_results(count: str, capabilities: Capabilities) -> str:
    """`7 of 16 tool results failed`; without the total where it is not known or smaller."""
    failures = int(count.replace(",", ""))
    results = capabilities.tool_results
    if results is not None and results >= failures:
        return f"{count} of {results:,} tool results failed"
    return f"{count} tool result{'' if failures == 1 else 's'} failed"


def _vetoed(veto: Clause, capabilities: Capabilities) -> str:
    count = pick(veto.comparisons(), "tool_errors").value
    if count == Unresolved.INDETERMINATE:
        return "The count of failed tool results is indeterminate, which is a veto."
    if count.startswith(MINUS):
        return f"The count of failed tool results is {count}, which is a veto."
    return fitting(f"{failed_results(count, capabilities)}, which is a veto.", "Failed tool results are a veto.")


def _bad_record(record: Clause, capabilities: Capabilities) -> str:
    count = pick(record.comparisons(), "tool_errors").value
    if count == Unresolved.INDETERMINATE:
        return "The count of failed tool results is indeterminate, so no score counts."
    if count == Unresolved.NO_INFORMATION:
        untrusted = capabilities.tool_errors is not None
        who = "Only an untrusted source" if untrusted else "Nobody"
        return f"{who} counted the failed tool results, so no score counts."
    if count.startswith(MINUS):
        return f"The count of failed tool results is {count}, which no rule accepts."
    return fitting(
        f"{failed_results(count, capabilities)} and the run did not recover.",
        "Tool results failed and the run did not recover.",
    )


def _checks(clause: Clause) -> str:
    verdict = pick(clause.comparisons(), "tests_pass").holds
    return {
        Holds.UNKNOWN: "The checker gave no usable answer.",
        Holds.NOT_ASKED: "The checker was not asked.",
    }.get(verdict, "The checker said no.")


def _coding(clause: Clause) -> str:
    alone, local, band, dial = ([*arm.comparisons()] for arm in clause.clauses)
    readout, judge = alone
    for cleared in (readout, dial[0]):
        if cleared.holds is Holds.YES:
            return _but(measured(cleared), said(judge))
    floor, below, _, confirm = band
    if floor.holds is Holds.YES and below.holds is Holds.YES and scored(readout):
        stopper = confirm if judge.value == Holds.YES else judge
        return _but(measured(floor), said(stopper))
    if scored(readout):
        return sentence(measured(dial[0] if dial[0].margin_text else readout))
    strict, deliberation = local[:2]
    if strict.value == Holds.YES:
        return _but(said(strict), measured(deliberation))
    if deliberation.holds is Holds.YES:
        return _but(measured(deliberation), said(strict))
    return sentence(measured(readout))


def _but(fact: str, stopper: str) -> str:
    return fitting(sentence(f"{fact}, but {stopper}"), sentence(stopper))


def _answer(clause: Clause) -> str:
    comparisons = [*clause.comparisons()]
    agreement = pick(comparisons, "agreement")
    if agreement.value == Holds.YES:
        return "The witness agrees, but no structured answer is declared."
    verifiers = [pick(comparisons, name) for name in ("answer_verifier", "evidence_verifier")]
    asked = [said(v) for v in verifiers if v.holds is not Holds.NOT_ASKED]
    if agreement.holds is not Holds.NOT_ASKED:
        asked.append("the witness disagrees" if agreement.value == Holds.NO else "the witness gave no usable answer")
    dial = next(c for c in comparisons if c.source == "readout" and c.bar_name == "answer_dial")
    if not scored(dial) and asked:
        return fitting(sentence(listed(asked)), "No verifier said yes.")
    told = measured(dial)
    return fitting(sentence(listed([told, *(asked or ["no verifier was asked"])])), sentence(told))


def _chat(clause: Clause) -> str:
    deliberation, readout, judge, confirm = clause.comparisons()
    if judge.value == Holds.YES:
        return _but(said(judge), said(confirm))
    if scored(readout) or scored(deliberation) or judge.holds is Holds.NOT_ASKED:
        return _two_scores(readout, deliberation)
    return sentence(said(judge))


def _prior(clause: Clause) -> str:
    return sentence(measured(pick(clause.comparisons(), "prior_local")))


def _scores(clause: Clause) -> str:
    readout, deliberation = clause.comparisons()
    return _two_scores(readout, deliberation)


def _two_scores(readout: Comparison, deliberation: Comparison) -> str:
    given = [score for score in (readout, deliberation) if scored(score)]
    if not given:
        unknown = Holds.UNKNOWN in (readout.holds, deliberation.holds)
        return "No usable score came back." if unknown else "No score was asked."
    if len(given) == 2 and all(score.margin_text for score in given):
        told = listed([f"{score.source} {score.value} misses {bar_of(score)}" for score in given])
        return fitting(sentence(told), "Readout and deliberation both miss their bars.")
    both = listed([measured(readout), measured(deliberation)])
    return fitting(sentence(both), sentence(measured(given[0])))


def _unknown(clause: Clause) -> str:
    return "No branch can verify this turn."


_EVIDENCE: dict[Branch, Callable[[Clause], str]] = {
    Branch.CHECKS: _checks,
    Branch.CODING_NO_CHECKS: _coding,
    Branch.ANSWER: _answer,
    Branch.CHAT: _chat,
    Branch.AGENTIC_RECOGNIZED: _prior,
    Branch.AGENTIC_VERIFIED: _scores,
    Branch.DEFAULT_VERIFIED: _scores,
    Branch.UNKNOWN: _unknown,
}
