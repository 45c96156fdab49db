"""A week or a month in the words of its days: which statements stand for it, and under which heading.

Nothing is rephrased: every line is a statement as it was written, with the document and the lines where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import SourceRef
from recall_tui.features.grounding.joined_statements import log_statements
from recall_tui.storage.documents import day_logs
from recall_tui.storage.documents.period_page import PeriodKind
from recall_tui.storage.documents.statements import Statement
from recall_tui.text.checkable_facts import checkable_facts
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.mentions import find_names
from recall_tui.text.classify.routine import has_trivia, is_bare_release, is_routine
from recall_tui.text.classify.similarity import near_duplicates
from recall_tui.text.classify.tags import action_score, decision_score
from recall_tui.text.secrets.redact import redact
from recall_tui.text.sentences import split_sentences

if TYPE_CHECKING:
    from recall_tui.features.grounding.joined_lines import ReportLine

PAGE_FRACTION = 0.3
"""Of what the days hold, in characters, that a page takes."""
MIN_PAGE_CHARS, MAX_PAGE_CHARS = 1_200, 12_000
"""Of a page, whatever its days hold."""
HEADINGS: Mapping[PeriodKind, tuple[str, str, str, str]] = {
    "weekly": ("Key Outcomes", "Decisions", "Blockers & Open Items", "Context"),
    "monthly": ("Milestones", "Trajectory", "Carried Forward", "Themes"),
}
"""Where outcomes, decisions, open items and all else stand; a month's are the published design's, in its words."""
_RESULT, _DECISION, _UNSETTLED, _OTHER = range(4)
_ORDER: Mapping[PeriodKind, tuple[int, ...]] = {
    "weekly": (_RESULT, _DECISION, _UNSETTLED, _OTHER),
    "monthly": (_OTHER, _RESULT, _DECISION, _UNSETTLED),
}
"""The order of the sections on a page, which is the published design's."""
_GROUP_WEIGHTS = (3.0, 3.5, 2.5, 0.5)
"""What a statement of each group is worth before its facts are counted."""
_OUTCOME_WORDS = re.compile(
    r"\b(?:shipped|released|deployed|merged|fixed|finished|completed?|launched|rolled out|migrated|delivered|landed"
    r"|added|removed|replaced|upgraded|measured|passed|passes|solved|resolved|published|is (?:live|done|out)|works now"
    r"|root cause|turned out|turns out|it was|cut from|down to|up to|reduced|raised)\b",
    re.IGNORECASE,
)
_MILESTONE_WORDS = re.compile(
    r"\b(?:shipped|released|launched|went live|rolled out|migrated|delivered|signed|hired|deadline)\b", re.IGNORECASE
)
LESSON_WORDS = re.compile(
    r"\b(?:(?<!it )(?<!was )(?<!were )always(?! (?:after|at|in|on)\b)|(?<!simply )never(?! (?:\w+ed|had|was|were"
    r"|did|got|came|saw|knew)\b)|lesson|learned|learnt|rule of thumb|as a rule|from now on|in future|gotcha|pitfall"
    r"|beware|root cause|turned out|turns out|the reason (?:was|is)|(?<!\bI )(?<!\bwe )(?<!\bthey )(?:do not|don't)"
    r"|must not|prefer|avoid|make sure|remember)\b",
    re.IGNORECASE,
)
"""What tells of something learned that holds on."""
_OPEN_WORDS = re.compile(
    r"\b(?:blocked|blocker|waiting (?:for|on)|open question|open item|unclear|not yet"
    r"|still (?:fails?|broken|open|missing)|fails|broken|flaky|todo|unsolved|unresolved|to be decided"
    r"|needs? (?:a|an|to)|must still)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"(?:^\W*|(?<=[.!?] ))"
    r"(?:(?P<result>milestone|(?:root )?cause|(?:the )?fix(?:ed)?|reason|solved|resolved|demo|post-?mortem|answer"
    r"|ursache|grund|lösung|antwort|cause racine)"
    r"|(?P<decision>decisions?|decided|rule|entscheidung|décision)"
    r"|(?P<lesson>lessons?(?: learn(?:ed|t))?|never again"
    r"|note to (?:self|myself|ourselves)|lehre|leçon))\b[^.:]{0,40}\s?[:–—]\s",
    re.IGNORECASE,
)
"""A line whose writer says what it is: a result, such as a cause or a fix, a decision, or a lesson."""
_OPEN_BOX = re.compile(r"\s*(?:[-*+] |\d+[.)] )?\[ \] ")
_LABEL_GROUPS = {"result": _RESULT, "decision": _DECISION, "lesson": _OTHER}
_MIN_SCORE = 0.9
"""What a line is worth at least that stands in a page; one without a fact or a name is worth less."""
_POINT_CHARS = 100
"""Characters that cost a line a point where room is scarce."""
_REPORTED_WORTH = 4.0
"""Of a line of a week about a session, in a month; one that has cause and fix, or that users notice, is worth more."""
_MODEL_WORTH, _WORDING_COST = 3.0, 4.0
"""Of such a line that tells how the project works since, and of one that tells how a message is worded: no month."""
_UNSOLVED_COST = 4.0
"""Of a line of a week that says only what was wrong, or what something would cost, in a month."""
_UNTOLD_WORTHS = (3.1, 2.0, 2.0, 2.0)
"""What a line of each group is worth that need not say itself that it lasts."""
_CHANGE_WORTH = 3.0
"""Of a line that says what is otherwise since: it outranks what only happened."""
_LABELLED_SHARE = 0.8
"""The part of a page's room that labelled lines may take before all others."""
_CHOICE = re.compile(
    r"we (?:will |shall )?(?:use|go with|take|keep|stay with|move to)\b|[^:]{2,30}: [^,]{1,30} it is\b", re.IGNORECASE
)
"""The beginning of a line that says what the team does from then on."""
_POINTS_BACK = re.compile(
    r"(?:[a-z]+ (?:it|them)|it|they|this|that|these|those|both|another|the (?:same|other|former|latter))\b"
    r"(?!\s+(?:is|was) (?:decided|agreed))",
    re.IGNORECASE,
)
"""The beginning of a line that leans on the one before."""
_MIN_TERMS = 2
"""Words of content of a line that means something."""


class SourceLine(NamedTuple):
    """A statement in the page of a period."""

    text: str
    path: str
    """The document it is from, relative to the memory's root."""
    lines: tuple[int, int]
    also: tuple[SourceRef, ...] = ()
    """Where else it is from."""

    @property
    def places(self) -> tuple[SourceRef, ...]:
        """All that it is from."""
        return SourceRef(self.path, *self.lines), *self.also

    @property
    def citation(self) -> str:
        """Document and lines, such as `memory/2026-03-06.md:4-6`; several with `; ` between them."""
        return "; ".join(map(str, self.places))


def to_source_line(path: str, said: Statement) -> SourceLine:
    """The statement with where it is from: what it cites itself, else where it stands."""
    if said.cited is not None:
        return SourceLine(said.text, said.cited.document, (said.cited.first, said.cited.last), said.also)
    return SourceLine(said.text, path, said.lines)


class ScoredLine(NamedTuple):
    """A line of a document with what it is worth in a page."""

    child: str
    """The document, which is not always the one that it cites."""
    line: SourceLine
    group: int
    """Under which of HEADINGS it belongs."""
    score: float
    place: int
    """Its place among all that is said."""

    @property
    def is_standing(self) -> bool:
        """It holds on: a decision with something that can be checked, or what was learned."""
        return bool(LESSON_WORDS.search(self.line.text)) or (
            self.group == _DECISION and bool(checkable_facts(self.line.text))
        )

    @property
    def size(self) -> int:
        """Characters that it takes in a page."""
        return len(self.line.text) + len(self.line.citation) + 6


def score_lines(
    children: Mapping[str, str],
    logs: Mapping[str, str] | None = None,
    removals: Callable[[str], Sequence[str]] = lambda archive: (),
) -> list[ScoredLine]:
    """All that the documents (texts by path, oldest first) say, each thing once and without secrets.

    A line that cites what it is from keeps that citation. What was open and is closed later on is left out, and so is
    what a later entry of the `logs` that are cited overtakes; without them, of the documents themselves. `removals`
    gives what else an archived session says is gone.
    """
    from recall_tui.features.grounding.joined_lines import join_answered
    from recall_tui.features.grounding.superseded import Overtaken

    found: list[ScoredLine] = []
    for path, text in children.items():
        lines = [*_score_document(path, _safe_statements(text), _open_boxes(text)), *_session_lines(path, text)]
        found += sorted(lines, key=lambda one: one.line.lines if one.line.path == path else (one.place, 0))
    overtaken = Overtaken(children if logs is None else logs, removals)
    told = join_answered(_drop_duplicates(found))
    return _drop_closed([one for one in told if overtaken.holds(one.line.text, one.line.path, one.line.lines[0])])


def page_budget(children: Mapping[str, str], share: float = PAGE_FRACTION) -> float:
    """Characters that a page of these documents may take."""
    return min(max(sum(map(len, children.values())) * share, MIN_PAGE_CHARS), MAX_PAGE_CHARS)


def extract_lines(found: Sequence[ScoredLine], shares: Mapping[str, float], room: float) -> list[ScoredLine]:
    """The lines of a page without a model, in the order in which they were said.

    What its writer called a cause, a fix, a lesson or a decision comes first; of the rest each document has its share.
    """
    telling = [one for one in found if one.score >= _MIN_SCORE]
    if telling and sum(one.size for one in telling) <= room:
        return telling
    chosen = _select_best([one for one in found if _LABELLED.search(one.line.text)], room * _LABELLED_SHARE)
    whole, room = room, max(0.0, room - sum(one.size for one in chosen))
    rest = [one for one in found if one not in chosen]
    for path, share in shares.items():
        chosen += _select_best([one for one in rest if one.child == path], room * share)
    left = whole - sum(one.size for one in chosen)
    for one in sorted((one for one in telling if one not in chosen), key=_by_worth):  # Documents that need less.
        if one.size <= left:
            chosen.append(one)
            left -= one.size
    chosen = chosen or sorted(found, key=lambda one: -one.score)[:1]
    return sorted(chosen, key=lambda one: one.place)


def select_fitting(chosen: Sequence[ScoredLine], room: float) -> list[ScoredLine]:
    """The lines without those of least worth, until they fit; the worthiest stays in any case.

    Room that is left is not filled with lines that say little.
    """
    kept: list[ScoredLine] = []
    for one in sorted(chosen, key=_by_worth):
        if not kept or (one.size <= room and one.score >= _UNTOLD_WORTHS[one.group]):
            kept.append(one)
            room -= one.size
    return sorted(kept, key=lambda one: one.place)


def _by_worth(one: ScoredLine) -> tuple[float, int]:
    """The order in which lines get room: the worthiest first, a long one later."""
    return one.size / _POINT_CHARS - one.score, one.place


def group_lines(chosen: Iterable[ScoredLine]) -> tuple[tuple[SourceLine, ...], ...]:
    """The lines in the order of HEADINGS."""
    groups: tuple[list[SourceLine], ...] = ([], [], [], [])
    for one in chosen:
        groups[one.group].append(one.line)
    return tuple(map(tuple, groups))


def render_body(span: PeriodKind, title: str, groups: Sequence[Sequence[SourceLine]]) -> str:
    """The page's text below its head."""
    from recall_tui.features.grounding.topics import group_by_topic

    parts = [f"\n# {title}\n"]
    for heading, lines in ((HEADINGS[span][at], groups[at]) for at in _ORDER[span]):
        if not lines:
            continue
        parts.append(f"\n## {heading}\n")
        for topic, some in group_by_topic([line.text for line in lines]):
            parts.append(f"\n### {topic}\n\n" if topic else "\n")
            parts += [f"- {lines[at].text} ({lines[at].citation})\n" for at in some]
    return "".join(parts)


def _safe_statements(text: str) -> Iterator[Statement]:
    """Yield what the text says in lines that hold no secret, without the entries of sessions."""
    lines = text.split("\n")
    clean = set(redact(text).split("\n"))
    section = ""
    sections = [section := row[3:].strip() if row.startswith("## ") else section for row in lines]
    for one in log_statements(text):
        parent = sections[one.lines[0] - 1]
        if parent in HEADINGS["weekly"]:  # Below a topic of a section.
            one = one._replace(heading=parent)
        said = lines[one.lines[0] - 1 : one.lines[1]]
        if clean.issuperset(said) and redact(one.text) == one.text:
            yield one


def _session_lines(path: str, text: str) -> Iterator[ScoredLine]:
    """Yield what a log's entries of sessions give a report."""
    from recall_tui.features.grounding.session_report import entry_report

    for entry in day_logs.session_entries(text):
        for one in entry_report(entry):
            if has_trivia(one.text):
                continue
            score = one.worth + 0.4 * min(4, len(checkable_facts(one.text))) + 2.0 * one.is_learned
            yield ScoredLine(path, report_source(path, one), _report_group(one), score, min(one.lines))


def report_source(path: str, one: ReportLine) -> SourceLine:
    """Return a line of a session's report with where it is from."""
    first, *more = sorted(set(one.lines))
    return SourceLine(one.text, path, (first, first), tuple(SourceRef(path, at, at) for at in more))


def _report_group(one: ReportLine) -> int:
    if one.kind == "choice":
        return _DECISION
    if one.is_learned or one.kind == "reason":
        return _OTHER
    return _DECISION if decision_score(one.text) > 0 else _RESULT


def _open_boxes(text: str) -> frozenset[int]:
    """The lines, from 1, that begin with an empty box."""
    return frozenset(at for at, row in enumerate(text.split("\n"), 1) if _OPEN_BOX.match(row))


def _score_document(path: str, said: Iterable[Statement], open_boxes: frozenset[int]) -> list[ScoredLine]:
    from recall_tui.text.classify.imperatives import is_imperative
    from recall_tui.text.classify.incomplete_lines import is_incomplete
    from recall_tui.text.classify.lasting import (
        PART,
        SPOKEN,
        changes_model,
        find_log_flaw,
        lasting_part,
        mentions_update,
    )
    from recall_tui.text.classify.line_names import is_wording, names_for_users
    from recall_tui.text.classify.passing_lines import estimates_cost, is_of_its_day, is_undecided
    from recall_tui.text.classify.remedies import answers_asker, is_handed_on, is_unsolved, states_solution
    from recall_tui.text.classify.report_lines import report_kind

    found = []
    for place, one in enumerate(said):
        line = to_source_line(path, one if one.cited else one._replace(text=lasting_part(one.text)))
        label = _LABELLED.search(line.text)
        is_short = len(set(topic_terms(line.text))) < _MIN_TERMS and not checkable_facts(line.text)
        is_nothing_alone = is_short or _POINTS_BACK.match(line.text) or (not one.cited and is_incomplete(line.text))
        is_passing = is_of_its_day(line.text) or is_handed_on(line.text)
        is_over = not one.cited and (is_undecided(line.text) or (is_passing and not LESSON_WORDS.search(line.text)))
        if has_trivia(line.text) or ((is_bare_release(line.text) or is_nothing_alone or is_over) and not label):
            continue
        decides, asks = decision_score(line.text) or bool(_CHOICE.match(line.text)), action_score(line.text)
        is_open = asks > 1 or bool(_OPEN_WORDS.search(line.text)) or line.text.endswith("?")
        is_open = one.lines[0] in open_boxes or (is_open and not _settles_itself(line.text))
        has_outcome = bool(_OUTCOME_WORDS.search(line.text))
        is_decided = decides > 1 or (decides > 0 and not is_open)
        group = _DECISION if is_decided else _UNSETTLED if is_open else _RESULT if has_outcome else _OTHER
        if one.cited is not None and one.heading in HEADINGS["weekly"]:
            group = HEADINGS["weekly"].index(one.heading)
        if label and label.lastgroup:
            group = _LABEL_GROUPS[label.lastgroup]
        score = _GROUP_WEIGHTS[group] + 0.25 * decides
        score += 0.4 * min(4, len(checkable_facts(line.text))) + 0.3 * min(3, len(find_names(line.text)))
        score += 1.5 * bool(_MILESTONE_WORDS.search(line.text))
        is_whole = label or (one.cited and line.also) or _settles_itself(line.text)
        flaw = "" if is_whole else find_log_flaw(line.text)
        is_remark = flaw == PART or (flaw == SPOKEN and not is_imperative(line.text))
        score += 4.5 * bool(LESSON_WORDS.search(line.text) and not is_remark) + 3.0 * bool(label)
        is_solved = not one.cited and (states_solution(line.text) or answers_asker(line.text))
        score += _CHANGE_WORTH * bool((mentions_update(line.text) or is_solved) and not flaw)
        score -= 3.0 * bool(is_routine(line.text) and not mentions_update(line.text))
        if one.cited is not None and not label and (line.also or report_kind(line.text)):
            score = _REPORTED_WORTH + 2.0 * len(line.also) + 1.0 * bool(names_for_users(line.text))
            score += _MODEL_WORTH * changes_model(line.text)
        if one.cited is not None and not (label or line.also or group == _UNSETTLED or report_kind(line.text)):
            score -= _UNSOLVED_COST * (is_unsolved(line.text) or estimates_cost(line.text))
        score -= _WORDING_COST * (one.cited is not None and is_wording(line.text))
        if one.cited is None and flaw and score < _UNTOLD_WORTHS[group]:
            continue
        found.append(ScoredLine(path, line, group, score, place))
    return found


def _drop_duplicates(found: list[ScoredLine]) -> list[ScoredLine]:
    """Each thing once: of what is said again the last time counts, and it weighs more for being said so often."""
    found = [one._replace(place=place) for place, one in enumerate(found)]
    first_of: dict[int, int] = {}
    for earlier, later in near_duplicates([one.line.text for one in found]):
        first_of[later] = first_of.get(earlier, earlier)
    last: dict[int, int] = {}
    counts: dict[int, int] = {}
    for place in range(len(found)):
        key = first_of.get(place, place)
        last[key] = place
        counts[key] = counts.get(key, 0) + 1
    return [found[place]._replace(score=found[place].score + 0.5 * (counts[key] - 1)) for key, place in last.items()]


def _drop_closed(found: list[ScoredLine]) -> list[ScoredLine]:
    """The same without open items that a later outcome or decision closes; what was wrong stands with its remedy."""
    from recall_tui.features.grounding.joined_lines import join_remedied
    from recall_tui.features.grounding.superseded import Claim, find_closed
    from recall_tui.text.classify.remedies import is_passing_incident

    closed = find_closed(
        [Claim(one.line.text, one.group == _UNSETTLED, one.group in (_RESULT, _DECISION)) for one in found]
    )
    open_ = [one for place, one in enumerate(found) if place not in closed]
    return [one for one in join_remedied(open_) if not is_passing_incident(one.line.text)]


def _settles_itself(text: str) -> bool:
    """Whether a later sentence of an item says what became of what was open."""
    later = split_sentences(text)[1:]
    return any(_OUTCOME_WORDS.search(one) or decision_score(one) > 0 or one.startswith(("->", "→")) for one in later)


def _select_best(found: list[ScoredLine], room: float) -> list[ScoredLine]:
    """The weightiest that fit, the first of them in any case."""
    chosen: list[ScoredLine] = []
    for one in sorted(found, key=_by_worth):
        if one.score >= _MIN_SCORE and (one.size <= room or not chosen):
            chosen.append(one)
            room -= one.size
    return chosen
