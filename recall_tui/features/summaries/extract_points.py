"""The points of a session that nobody summarised: of what its digest holds, what is of use after the session.

They are the lines of the session's report, in its own words: what was chosen and changed, and causes with their fixes.
A bug without its fix has no place, since nobody can tell whether it is still there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from recall_tui.features.grounding.joined_lines import DigestLine, ReportLine
from recall_tui.features.grounding.session_report import outcome_lines, session_report
from recall_tui.features.summaries.synthesis_sources import SessionSummary
from recall_tui.storage.documents.master_file import DECISIONS, LEARNINGS, MAX_LINE_CHARS, QUESTIONS, STATUS
from recall_tui.text.classify.cause_pairs import is_cause
from recall_tui.text.classify.imperatives import is_imperative
from recall_tui.text.classify.lasting import find_flaw, gives_reason, names_in, strip_places
from recall_tui.text.classify.line_names import is_detail
from recall_tui.text.classify.report_lines import clean_line, mentions_change
from recall_tui.text.classify.sentence_labels import find_point, is_answered
from recall_tui.text.cut import one_line

_OPEN = re.compile(
    r"\b(?:not yet|still (?:open|missing|fails?|needs?|to)|pre-existing|out of scope|deferred|unresolved|untested"
    r"|undecided"
    r"|unclear|open question|remains? (?:open|to)|left (?:open|for later))\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(r"(?:always|never|do not|don't|prefer|from now on|in (?:future|general))\b", re.IGNORECASE)
_TO_SOMEBODY = re.compile(
    r"\b(?:you|your|I|me|my|we|let's|please)\b|^(?:can|could|would|will|did|do|is it|are they|why|what about)\b",
    re.IGNORECASE,
)
_OPEN_LABELS = ("next step", "open", "question", "open question", "to do", "blocker")
_NAMED_SECTIONS = {
    "blocker": QUESTIONS,
    "discovery": LEARNINGS,
    "open question": QUESTIONS,
    "pattern": DECISIONS,
    "status": STATUS,
    "failed approach": LEARNINGS,
    "warning": LEARNINGS,
}
"""Where a line stands whose speaker put such a label before it."""
_MIN_FOUND_WORDS = 4
"""Words of a discovery that says something alone; a bug without its fix has no place even so."""
_WHY = re.compile(r"\b(?:because|since|due to|but|which|so that)\b", re.IGNORECASE)
"""A failed approach with its reason is worth keeping, whoever put the label before it."""
_LABELS_IN_TEXT = frozenset(("pattern", "failed approach", "warning"))
"""Labels without which a line would say something else."""
_ARROW = " → "
_REASON_BEHIND = re.compile(r" \([^()]{8,}\)\.?$")
"""A decision with its reason behind it; it goes on in lower case where its speaker's label was taken off."""
SWITCHED = re.compile(
    r"(?:decision: )?(?:we|the team)(?:'ve|’ve| have)?(?: now)? (?:switched|migrated|moved) (?:over |back )?"
    r"from \S.* to \S",
    re.IGNORECASE,
)
"""A change that a line tells of a team, with both ends of it; it is a decision, not an edit of the code."""
_NAMED_CHOICE = re.compile(
    r"(?!(?:we|i|you|it|they|this|that|there|the)\b)(?:[\w.+#/&-]+ ){0,5}[\w.+#/&-]+"
    r"(?:,? (?:because|since|due to|so that)\b| \()",
    re.IGNORECASE,
)
"""A choice that is a name alone, with its reason, as in `Decision: Inter, because of its figures`."""
_CHOSEN_START = re.compile(r"(?:use|keep|adopt|prefer|pick|choose|stay with|go with|drop|no)\s", re.IGNORECASE)
"""Words with which a choice begins whose speaker put `Decision:` before it; a page has the label for every decision."""
MAX_REPORT_LINE_CHARS = 480
"""Characters of a line; a cause and its fix together are longer than what somebody wrote for a master."""
_SECTIONS = {"choice": DECISIONS, "change": DECISIONS, "cause": LEARNINGS, "reason": LEARNINGS}


class ExtractPoint(NamedTuple):
    """A line for the master, with the section it belongs to."""

    section: str
    text: str
    is_change: bool = False
    """It tells what was changed, which is the project's status for a while."""


def extract_points(summary: SessionSummary) -> Iterator[ExtractPoint]:
    """Yield the lines of a drafted summary that are worth a place in the master."""
    for label, words in summary.points:
        text = strip_places(one_line(words))
        kind = label.lower()
        if (section := _NAMED_SECTIONS.get(kind)) and text and _is_kept(label, text):
            if is_detail(text):
                continue
            section = DECISIONS if section == QUESTIONS and is_answered(text) else section
            yield ExtractPoint(section, f"{label}: {text}" if kind in _LABELS_IN_TEXT else text)
        elif kind in _OPEN_LABELS or text.endswith("?"):
            if _is_open_item(text) and not is_answered(text):
                yield ExtractPoint(QUESTIONS, text)
        elif kind == "preference" and _PREFERENCE.match(text) and names_in(text):
            yield ExtractPoint(DECISIONS, f"Preference: {text}")
    for one in _report(summary):
        is_rule = one.kind == "reason" and not one.is_learned
        yield ExtractPoint(
            DECISIONS if is_rule else _SECTIONS[one.kind], one.text, one.kind == "change" and mentions_change(one.text)
        )


def _is_kept(label: str, text: str) -> bool:
    if label.lower() == "discovery":
        # A draft gives this label to every lesson; one that its speaker labelled goes on in lower case.
        return text[:1].islower() and len(text.split()) >= _MIN_FOUND_WORDS and not is_cause(clean_line(text))
    return _is_named_by_speaker(label, text) or (label.lower() == "failed approach" and _WHY.search(text) is not None)


def _is_named_by_speaker(label: str, text: str) -> bool:
    """Whether the speaker wrote the label, which is taken off the text then, and it was not told from its wording."""
    found = find_point(text.replace("’", "'"))
    return found is None or found[0] != label or text[:1].islower()


def omission_note(summaries: Iterable[SessionSummary]) -> str:
    """Say how many lines of sessions that nobody summarised have no place in the master; empty for none."""
    drafted = [one for one in summaries if one.is_extract]
    said = sum(len(one.points) for one in drafted)
    left = said - sum(min(len(one.points), len(list(extract_points(one)))) for one in drafted)
    if left <= 0:
        return ""
    of = "1 session" if len(drafted) == 1 else f"{len(drafted)} sessions"
    return (
        f"{left} of {said} lines of {of} are not in the master: they are steps, edits, talk, bugs without their fix,"
        " or mean nothing alone"
    )


def _report(summary: SessionSummary) -> list[ReportLine]:
    """The lines of the session's report, as far as a line of the master can hold them."""
    title = summary.title or summary.context.partition(_ARROW)[0]
    outcome = summary.context.partition(_ARROW)[2] or summary.context
    said = [DigestLine("Outcome", one, 0) for one in outcome_lines(outcome)]
    for at, (label, words) in enumerate(summary.points, 1):
        kind = label.lower()
        if kind not in _OPEN_LABELS and kind != "preference":
            text = one_line(words)
            is_chosen = _CHOSEN_START.match(text) or (_REASON_BEHIND.search(text) and is_imperative(text))
            # A decision that is what came of the session was named one, too.
            is_chosen = is_chosen or gives_reason(text) or outcome.startswith(text.rstrip("."))
            is_labelled = text[0].islower() or (_NAMED_CHOICE.match(text) and _is_named_by_speaker(label, text))
            if kind == "decision" and ((is_chosen and is_labelled) or SWITCHED.match(text)):
                text = f"Decision: {text}"
            said.append(DigestLine("Decision" if kind == "decision" else "Lesson", text, at))
    return [
        one for one in session_report(DigestLine("Outcome", title, 0), said) if len(one.text) <= MAX_REPORT_LINE_CHARS
    ]


def _is_open_item(text: str) -> bool:
    """Whether something about the project is asked or left, and not of somebody to do it now."""
    if _TO_SOMEBODY.search(text) or not names_in(text) or text.endswith("…") or len(text) > MAX_LINE_CHARS:
        return False
    return text.endswith("?") or bool(_OPEN.search(text) and not find_flaw(text))
