"""The points of a master: each belongs to a section, and later ones settle earlier ones.

A point is never reworded here but in a chain of evolution, and what settles another is always later than it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from recall_tui.features.grounding.verify import is_supported
from recall_tui.features.summaries.synthesis_sources import SessionSummary
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
_ANSWER_WORDS = re.compile(
    r"\b(?:answer|resolv|solv|fixed|settled|decided|done|implement|shipped|merged|unblock|work(?:s|ed)(?: now)?"
    r"|no longer|finish|complet|chose|added|turned out)",
    re.IGNORECASE,
)
_TO_DO = re.compile(r"(?:next steps?|to-?do|action(?: items?)?|follow[- ]?ups?):", re.IGNORECASE)
_FAILURE_LABEL = re.compile(r"failed[ \w]*:", re.IGNORECASE)
_MIN_ANSWER_OVERLAP = 0.6
"""Of a question's words, those that its answer shares at least."""
_CLAUSE_END = r"(?=\s+(?:because|since|as|so|after|due|when|which|that|in order)\b|\s*[,;:()—]|\.(?:\s|$)|\s+-\s|$)"
_CHANGE_PATTERNS = tuple(
    re.compile(words + _CLAUSE_END, re.IGNORECASE)
    for words in (
        r"\b(?:switch|mov|migrat|chang|convert|went)\w* (?:[\w`-]+ ){0,3}?from (?P<old>.+?) (?:over )?to (?P<new>.+?)",
        r"\breplac\w+ (?P<old>.+?) (?:with|by) (?P<new>.+?)",
        r"\b(?:drop|abandon|ditch|remov)\w* (?P<old>.+?) in favou?r of (?P<new>.+?)",
        r"(?<![\w'’])(?P<new>[\w`.+/-]+(?: [\w`.+/-]+){0,3}) (?:instead of|rather than) (?P<old>.+?)",
        r"\brevert\w* (?:from (?P<old>.+?) )?(?:back )?to (?P<new>.+?)",
        r"\bswitch\w* (?:over |back )?to (?P<new>.+?)",
        r"\bsettled on (?P<new>.+?)",
    )
)
_ATTEMPT_WORDS = re.compile(
    r"\b(?:tried|trying|attempted) (?P<new>.+?)(?:(?=\s+(?:for|in|on|but|and)\b)|" + _CLAUSE_END + ")", re.IGNORECASE
)
_LEADING_WORDS = re.compile(
    r"^(?:(?:we|i|to|the|a|an|use[sd]?|using|chose|choose|decided|now|go|going|went|with|on|will|should|let's|just"
    r"|keep|store|stores|adopt|adopted) )+",
    re.IGNORECASE,
)
_GENERIC_WORDS = frozenset(
    """
    use uses used using need needs want make made work works working switched switch moved move replaced reverted
    decided decision chose settled instead rather because since add added new old file files project code thing things
    way step steps next
    """.split()  # noqa: SIM905
)
_ARTICLES = frozenset(("a", "an", "the", "we", "our"))
_MAX_NAME_CHARS = 48


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

    @property
    def bullet(self) -> MasterBullet:
        """It as a line."""
        return MasterBullet(self.text, self.sources)


def summary_points(summary: SessionSummary) -> list[MasterPoint]:
    """The points of a summary; one without a status tells it in its context."""
    found = [_make_point(summary, label, words) for label, words in summary.points]
    if not any(one.section == STATUS for one in found) and summary.context:
        found.append(MasterPoint(STATUS, clean_text(summary.context), (summary.source,), summary.when))
    return [one for one in found if one.text]


def line_as_point(section: str, bullet: MasterBullet, place: int, theme: str) -> MasterPoint:
    """A line of the master as a point."""
    when = max((one.day for one in bullet.sources), default="")
    return MasterPoint(section, bullet.text, bullet.sources, when, place, theme)


def section_for(label: str, words: str) -> str:
    """The section that a labelled point belongs to."""
    for pattern, section in _LABEL_SECTIONS:
        if label and pattern.search(label):
            return section
    if words.endswith("?"):
        return QUESTIONS
    return DECISIONS if _DECISION_WORDS.search(words) else LEARNINGS


def merge_points(points: Sequence[MasterPoint]) -> list[MasterPoint]:
    """The points with those of a section that say the same as one, which has the sources of all."""
    by_section: dict[str, list[MasterPoint]] = {}
    for point in points:
        by_section.setdefault(point.section, []).append(point)
    return [one for some in by_section.values() for one in _merge_section(some)]


def resolve_points(points: Sequence[MasterPoint]) -> list[MasterPoint]:
    """The points without those that a later one has settled; decisions that gave way stand in a chain of evolution."""
    return _drop_answered(_link_decisions(sorted(points, key=lambda one: one.when)))


@lru_cache(maxsize=8_192)
def subject_terms(text: str) -> frozenset[str]:
    """The words that tell what a line is about, without their plural."""
    return frozenset(_singular_term(word) for word in _terms_in(text) if word not in _GENERIC_WORDS)


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
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 4
    return word[:-1] if is_plural else word


def find_change(text: str) -> tuple[str, str] | None:
    """What gave way to what, by the words of a line; the first is empty when the line does not name it."""
    for pattern in _CHANGE_PATTERNS:
        if found := pattern.search(text):
            parts = found.groupdict()
            old, new = _clean_name(parts.get("old") or ""), _clean_name(parts.get("new") or "")
            if new and not any(map(_is_fragment, (old, new))):
                return old, new
    return None


def _is_fragment(name: str) -> bool:
    """Whether it begins or ends in the middle of something, so that it is no name."""
    return name.count("`") % 2 == 1 or name.partition(" ")[0].lower() in ("and", "or", "but")


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


def _link_decisions(points: list[MasterPoint]) -> list[MasterPoint]:
    """The points in order of time; each fresh decision that changes an earlier one lengthens a chain, or begins one."""
    now = list(points)
    for later in [one for one in points if one.section in (DECISIONS, EVOLUTION) and one.place == UNPLACED]:
        change = find_change(later.text)
        if change is None or later not in now or "→" in later.text:
            continue
        old, new = change
        if not is_supported(f"It was decided: {new}", later.text):
            continue
        before = [one for one in now if one is not later and one.when <= later.when and one.sources != later.sources]
        chain = _find_chain(before, old or later.text)
        earlier = _find_decision(before, old, later.text)
        if chain is not None:
            text = f"{chain.text.replace('settled on ', 'tried ')} → settled on {new}"
            sources = merge_sources(chain.sources, earlier.sources if earlier else (), later.sources)
            now[now.index(chain)] = replace(chain, text=clean_text(text), sources=sources, when=later.when)
        elif earlier is not None or old:
            tried = _failed_attempts(before, later, earlier)
            first = old or _clean_name(earlier.text if earlier else "")
            text = " → ".join([first, *(f"tried {name}" for name, _ in tried), f"settled on {new}"])
            given = [earlier.sources if earlier else (), *(one.sources for _, one in tried), later.sources]
            now.append(MasterPoint(EVOLUTION, clean_text(text), merge_sources(*given), later.when))
        if earlier is not None:
            now.remove(earlier)
        if later.section == EVOLUTION and (chain is not None or earlier is not None or old):
            now.remove(later)
    return now


def _find_chain(points: Collection[MasterPoint], old: str) -> MasterPoint | None:
    """The chain that ended with what gives way now."""
    wanted = subject_terms(old)
    for one in reversed([one for one in points if one.section == EVOLUTION and "→" in one.text]):
        last = subject_terms(one.text.rpartition("→")[2].replace("settled on", ""))
        if last and wanted and (last <= wanted or wanted <= last):
            return one
    return None


def _find_decision(points: Collection[MasterPoint], old: str, text: str) -> MasterPoint | None:
    """The latest decision for what gives way, or, when that is not named, on the same subject."""
    wanted = subject_terms(old)
    for one in reversed([one for one in points if one.section == DECISIONS]):
        about = subject_terms(one.text)
        if wanted and wanted <= about:
            return one
        shared = about & subject_terms(text)
        if not old and len(shared) >= 2 and 2 * len(shared) >= min(len(about), len(subject_terms(text))):
            return one
    return None


def _failed_attempts(
    points: Collection[MasterPoint], later: MasterPoint, earlier: MasterPoint | None
) -> list[tuple[str, MasterPoint]]:
    """What was tried on the subject in between and failed."""
    about = subject_terms(later.text) | (subject_terms(earlier.text) if earlier else frozenset())
    since = earlier.when if earlier else ""
    found: list[tuple[str, MasterPoint]] = []
    for one in points:
        said = _ATTEMPT_WORDS.search(one.text)
        if one.section != LEARNINGS or one.when < since or not (said or _FAILURE_LABEL.match(one.text)):
            continue
        name = _clean_name(said["new"] if said else _FAILURE_LABEL.sub("", one.text).strip())
        if name and subject_terms(one.text) & about:
            found.append((name, one))
    return found[:2]


def _clean_name(words: str) -> str:
    """A thing's name out of the words for it."""
    words = _LEADING_WORDS.sub("", words.strip(" .`*")).strip(" .`*")
    return (
        words
        if len(words) <= _MAX_NAME_CHARS
        else words[:_MAX_NAME_CHARS].rpartition(" ")[0] or words[:_MAX_NAME_CHARS]
    )


def _drop_answered(points: list[MasterPoint]) -> list[MasterPoint]:
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
    if point.section == QUESTIONS or _TO_DO.match(point.text):
        return False
    return point.section == DECISIONS or _ANSWER_WORDS.search(point.text) is not None


def _is_answer_to(later: MasterPoint, point: MasterPoint) -> bool:
    """Whether a point on the same subject is later, and settles it: a decision does, for a question that asks one."""
    if later.when <= point.when or later.sources == point.sources:
        return False
    is_asked = point.section == QUESTIONS and point.text.endswith("?")
    return is_asked or _ANSWER_WORDS.search(later.text) is not None
