"""The points of a master: each belongs to a section, and later ones settle earlier ones.

A point is never reworded here but in a chain of evolution, and what settles another is always later than it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from recall_tui.features.summaries.extract_points import MAX_REPORT_LINE_CHARS, extract_points
from recall_tui.features.summaries.synthesis_sources import SessionSummary
from recall_tui.features.summaries.synthesis_themes import part_names
from recall_tui.storage.documents.master_file import (
    DECISIONS,
    EVOLUTION,
    LEARNINGS,
    QUESTIONS,
    STATUS,
    MasterBullet,
    MasterSource,
    clean_text,
)
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.sentence_labels import is_answered
from recall_tui.text.classify.similarity import near_duplicates, normalize

UNPLACED = -1
"""The place of a point that stands in no master yet."""
_LABEL_SECTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(words, re.IGNORECASE), section)
    for words, section in (
        (
            r"fail|discover|learn|lesson|insight|finding|problem|solution|cause|gotcha|warning|context|note|fact",
            LEARNINGS,
        ),
        (r"question|open|block|issue|undecided|discussed|unclear|risk|concern|option", QUESTIONS),
        (r"decision|decided|pattern|preference|convention|choice|rule|approach|constraint|policy", DECISIONS),
        (r"status|next|action|progress|implement|state|done|to-?do|follow|milestone|result", STATUS),
        (r"evolution|change", EVOLUTION),
    )
)
_REDUNDANT_LABELS = frozenset(
    ("decision", "discovery", "learning", "status", "question", "open question", "evolution", "change")
)
"""Labels that the section says already."""
_DECISION_WORDS = re.compile(r"\b(?:decided|settled on|agreed|chose|we(?:'ll| will) use|going with)\b", re.IGNORECASE)
_UNDECIDED = re.compile(
    r"\b(?:undecided|(?:not|nothing|never|to be)(?: yet| been)? decided|no decision)\b", re.IGNORECASE
)
_ANSWER_WORDS = re.compile(
    r"\b(?:answer|resolv|solv|fixed|settled|decided|done|implement|shipped|merged|unblock|work(?:s|ed)(?: now)?"
    r"|no longer|finish|complet|chose|added|turned out)",
    re.IGNORECASE,
)
_UNCERTAIN = re.compile(
    r"\b(?:unclear|undecided|maybe|might|not (?:sure|known|decided)|still open)\b|\?\W*$", re.IGNORECASE
)
"""A question in the middle of a line is repeated there with its answer."""
_RESOLVED = re.compile(r"(?:re)?solved:|answer(?:ed)?:|closed:", re.IGNORECASE)
"""The label of a line that says that it answers a question."""
_TO_DO = re.compile(r"(?:next steps?|to-?do|action(?: items?)?|follow[- ]?ups?):", re.IGNORECASE)
_MIN_ANSWER_OVERLAP = 0.6
"""Of a question's words, those that its answer shares at least."""
_GENERIC_WORDS = frozenset(
    """
    use uses used using need needs want make made work works working switched switch moved move replaced reverted
    decided decision chose settled instead rather because since add added new old file files project code thing things
    way step steps next
    """.split()  # noqa: SIM905
)
_ARTICLES = frozenset(("a", "an", "the", "we", "our"))


@dataclass(frozen=True, slots=True)
class MasterPoint:
    """Something that a master says."""

    section: str
    text: str
    sources: tuple[MasterSource, ...]
    when: str = ""
    """When it was said, so that texts sort."""
    place: int = UNPLACED
    """Which line of ours it is in the master already."""
    theme: str = ""
    """The heading it stands below in the master, or shall stand below."""
    is_extract: bool = False
    """It is from a session that nobody summarised."""
    parts: frozenset[str] = frozenset()
    """Names of the folders and files that its session worked on."""
    is_change: bool = False
    """It tells what was changed, which is the project's status for a while."""

    @property
    def bullet(self) -> MasterBullet:
        """It as a line."""
        return MasterBullet(self.text, self.sources)


def summary_points(summary: SessionSummary) -> list[MasterPoint]:
    """The points of a summary; one without a status tells it in its context."""
    if summary.is_extract:
        return _extract_points(summary)
    found = [_make_point(summary, label, words) for label, words in summary.points]
    if not any(one.section == STATUS for one in found) and summary.context:
        found.append(MasterPoint(STATUS, clean_text(summary.context), (summary.source,), summary.when))
    return [one for one in found if one.text]


def _extract_points(summary: SessionSummary) -> list[MasterPoint]:
    parts = part_names(summary.files)
    made = ((one, clean_text(one.text, MAX_REPORT_LINE_CHARS)) for one in extract_points(summary))
    return [
        MasterPoint(
            one.section,
            text,
            (summary.source,),
            summary.when,
            is_extract=True,
            parts=parts,
            is_change=one.is_change,
        )
        for one, text in made
        if text
    ]


def line_as_point(section: str, bullet: MasterBullet, place: int, theme: str) -> MasterPoint:
    """A line of the master as a point."""
    when = max((one.day for one in bullet.sources), default="")
    return MasterPoint(section, bullet.text, bullet.sources, when, place, theme)


def section_for(label: str, words: str) -> str:
    """The section that a labelled point belongs to."""
    if is_answered(words):
        return DECISIONS
    for pattern, section in _LABEL_SECTIONS:
        if label and pattern.search(label):
            return section
    if words.endswith("?") or _UNDECIDED.search(words):
        return QUESTIONS
    return DECISIONS if _DECISION_WORDS.search(words) else LEARNINGS


def merge_points(points: Sequence[MasterPoint]) -> list[MasterPoint]:
    """The points with those of a section that say the same as one, which has the sources of all."""
    by_section: dict[str, list[MasterPoint]] = {}
    for point in points:
        by_section.setdefault(point.section, []).append(point)
    return [one for some in by_section.values() for one in _merge_section(some)]


@lru_cache(maxsize=8_192)
def subject_terms(text: str) -> frozenset[str]:
    """The words that tell what a line is about, without their plural."""
    return frozenset(_singular_term(word) for word in _terms_in(text) if word not in _GENERIC_WORDS)


_OWN_LABEL = re.compile(r"[A-Z][\w ]{2,24}: ")


_IDENTIFIER_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def theme_terms(text: str, parts: frozenset[str] | None = None) -> frozenset[str]:
    """The words of a line that may name its theme: those of its subject without its label, and parts that it names."""
    found = subject_terms(_OWN_LABEL.sub("", text, count=1) if _OWN_LABEL.match(text) else text)
    if parts is None:
        return found
    inside = (word.lower() for word in _IDENTIFIER_PART.findall(text))
    return found | {word for part in inside for word in (part, _singular_term(part)) if word in parts}


def frequent_form(word: str, texts: Iterable[str]) -> str:
    """A word of `subject` as the texts have it most often."""
    said = Counter(
        one for text in texts if word in subject_terms(text) for one in _terms_in(text) if _singular_term(one) == word
    )
    return max(said, key=lambda one: (said[one], one), default=word)


@lru_cache(maxsize=8_192)
def _terms_in(text: str) -> tuple[str, ...]:
    return tuple(topic_terms(text))


def _singular_term(word: str) -> str:
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 4 and word[-len(ending) - 1] not in "eiou":
            return word.removesuffix(ending)
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 4
    return word[:-1] if is_plural else word


def _make_point(summary: SessionSummary, label: str, words: str) -> MasterPoint:
    section = section_for(label, words)
    is_said = not label or label.lower() in _REDUNDANT_LABELS
    text = clean_text(words if is_said else f"{label}: {words}")
    return MasterPoint(section, text, (summary.source,), summary.when)


def _merge_section(points: Sequence[MasterPoint]) -> list[MasterPoint]:
    ordered = sorted(points, key=lambda one: (one.place == UNPLACED, one.when))
    texts = [one.text for one in ordered]
    twins = {later: earlier for earlier, later in near_duplicates(texts)}
    firsts: dict[str, int] = {}
    for place, text in enumerate(texts):
        bare = " ".join(word for word in normalize(text).split() if word not in _ARTICLES)
        first = firsts.setdefault(bare, place)
        if first != place:
            twins.setdefault(place, first)
    kept: dict[int, MasterPoint] = {}
    for place, point in enumerate(ordered):
        first = place
        while first in twins:
            first = twins[first]
        one = kept.get(first)
        if one is None:
            kept[first] = point
        else:
            kept[first] = replace(
                one, sources=merge_sources(one.sources, point.sources), when=max(one.when, point.when)
            )
    return list(kept.values())


def merge_sources(*sources: Iterable[MasterSource]) -> tuple[MasterSource, ...]:
    """Sources together, each once."""
    return tuple(dict.fromkeys(one for some in sources for one in some))


def drop_answered(points: list[MasterPoint]) -> list[MasterPoint]:
    """The points without questions that a later one answers, and without next steps that were taken."""
    by_word: dict[str, list[int]] = {}
    for at, one in enumerate(points):
        if _may_answer(one):
            for word in subject_terms(one.text):
                by_word.setdefault(word, []).append(at)
    return [one for one in points if not (_is_open_question(one) and _is_answered(one, points, by_word))]


def _is_answered(point: MasterPoint, points: Sequence[MasterPoint], by_word: Mapping[str, Sequence[int]]) -> bool:
    asked = subject_terms(point.text)
    shared = Counter(at for word in asked for at in by_word.get(word, ()))
    least = max(min(2, len(asked)), _MIN_ANSWER_OVERLAP * len(asked))
    return any(count >= least and _is_answer_to(points[at], point) for at, count in shared.items())


def _is_open_question(point: MasterPoint) -> bool:
    return point.section == QUESTIONS or (point.section == STATUS and _TO_DO.match(point.text) is not None)


def _may_answer(point: MasterPoint) -> bool:
    if point.section == QUESTIONS or _TO_DO.match(point.text) or _UNCERTAIN.search(point.text):
        return False
    return point.section in (DECISIONS, LEARNINGS) or _ANSWER_WORDS.search(point.text) is not None


def _is_answer_to(later: MasterPoint, point: MasterPoint) -> bool:
    """Whether a point on the same subject is later, and settles it: any statement does, for a question that asks."""
    is_named = _RESOLVED.match(later.text) is not None
    if later.when < point.when or (later.when == point.when and not is_named) or later.sources == point.sources:
        return False
    is_asked = point.section == QUESTIONS and point.text.endswith("?")
    return is_asked or _ANSWER_WORDS.search(later.text) is not None
