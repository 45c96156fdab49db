"""The points laid out in a master: by theme, within its size, every line of a person's where it was.

A theme is the name of a part that several points of a section share; a point that stands below a heading stays there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import count

from recall_tui.features.summaries.synthesis_points import (
    UNPLACED,
    MasterPoint,
    frequent_form,
    subject_terms,
    theme_terms,
)
from recall_tui.features.summaries.synthesis_themes import allowed_terms, is_theme
from recall_tui.storage.documents.master_file import (
    DECISIONS,
    EVOLUTION,
    LEARNINGS,
    QUESTIONS,
    STATUS,
    Line,
    Master,
    MasterBullet,
    MasterSection,
    ThemeGroup,
    render_master,
)
from recall_tui.text.classify.generic_words import GENERIC_WORDS

MIN_POINTS = 4
"""Points of a section that are parted into themes."""
MIN_THEME_POINTS = 2
MAX_STATUS_LINES = 12
"""Lines of status that sessions left; older ones are history."""
MAX_DRAFTED_STATUS_LINES = 4
"""The same of sessions that nobody summarised."""
MAX_STATUS_DAYS = 7
"""Days before the newest session after which what a session came to is no status."""
_MAX_TERM_FRACTION = 0.8
"""A word that more points of a section than this share names no theme."""
_SPARED_LINES = {STATUS: 3, LEARNINGS: 8, DECISIONS: 8, EVOLUTION: 4, QUESTIONS: 4}
"""The newest lines of each section, which leave last when the master is too long."""


def arrange(master: Master, points: Sequence[MasterPoint], checks: Mapping[str, str]) -> Master:
    """The master with exactly these points as its lines of ours; `checks` says by text what speaks against a line."""
    themed = _assign_themes(master, points)
    there = {one.place: one for one in themed if one.place != UNPLACED}
    places = count()
    sections = []
    for section in master.sections:
        kept = tuple(
            replace(group, lines=_remaining_lines(group.lines, places, there, checks)) for group in section.groups
        )
        fresh = [one for one in themed if one.section == section.title and one.place == UNPLACED]
        sections.append(_build_section(replace(section, groups=kept), fresh, checks))
    return replace(master, sections=tuple(sections))


def fit_master(
    master: Master, points: Sequence[MasterPoint], checks: Mapping[str, str], most: int
) -> tuple[Master, tuple[MasterPoint, ...]]:
    """The master in at most `most` lines, and the points that had to leave for it: the oldest, of each section"
    " its newest last."""
    ranked = _order_of_leaving(points)
    left = ranked[: max(len(ranked) - most, 0)]
    gone = set(map(id, left))
    kept = [one for one in points if id(one) not in gone]
    made = arrange(master, kept, checks)
    while kept and (over := render_master(made).count("\n") - most) > 0:
        # A heading may go with its last line, so what is left is looked at again.
        some = _order_of_leaving(kept)[: max(over // 2, 1)]
        gone = set(map(id, some))
        kept = [one for one in kept if id(one) not in gone]
        left += some
        made = arrange(master, kept, checks)
    return made, tuple(left)


def with_drafted_status(points: Sequence[MasterPoint]) -> list[MasterPoint]:
    """The points, of which the newest changes of sessions that nobody summarised are the status."""
    newest = max((one.when[:10] for one in points), default="")
    fresh = [
        one
        for one in points
        if one.is_change and one.place == UNPLACED and _days_between(one.when, newest) <= MAX_STATUS_DAYS
    ]
    now = set(map(id, sorted(fresh, key=lambda one: one.when)[-MAX_DRAFTED_STATUS_LINES:]))
    return [replace(one, section=STATUS) if id(one) in now else one for one in points]


def keep_newest_status(points: Sequence[MasterPoint], is_lasting: frozenset[str]) -> list[MasterPoint]:
    """The points without all but the newest of status; those with a source in `is_lasting` are always as of now."""
    passing = [one for one in points if one.section == STATUS and not any(s.id in is_lasting for s in one.sources)]
    newest = max((one.when[:10] for one in points), default="")
    old = set(map(id, sorted(passing, key=lambda one: one.when)[:-MAX_STATUS_LINES]))
    drafted = sorted((one for one in passing if one.is_extract), key=lambda one: one.when)
    old |= set(map(id, drafted[:-MAX_DRAFTED_STATUS_LINES]))
    old |= {id(one) for one in drafted if _days_between(one.when, newest) > MAX_STATUS_DAYS}
    return [one for one in points if id(one) not in old]


def _days_between(earlier: str, later: str) -> int:
    try:
        return (date.fromisoformat(later[:10]) - date.fromisoformat(earlier[:10])).days
    except ValueError:
        return 0


def _order_of_leaving(points: Sequence[MasterPoint]) -> list[MasterPoint]:
    """The points, those that leave first first: the oldest of all, then the newest of each section, in turn."""
    rank: dict[int, int] = {}
    for section in {one.section for one in points}:
        newest = sorted((one for one in points if one.section == section), key=lambda one: one.when, reverse=True)
        spared = _SPARED_LINES.get(section, 1)
        rank |= {id(one): max(spared - place, 0) for place, one in enumerate(newest)}
    return sorted(points, key=lambda one: (_share(rank[id(one)], one.section), one.when))


def _share(rank: int, section: str) -> float:
    """How far to the newest of its section a spared line is; 0 of one that is not spared."""
    return rank / _SPARED_LINES.get(section, 1)


def _build_section(section: MasterSection, fresh: Sequence[MasterPoint], checks: Mapping[str, str]) -> MasterSection:
    """The section with fresh points below their themes, and without headings of ours below which nothing stands."""
    titles = [group.title for group in section.groups]
    groups = [
        replace(
            group,
            lines=_append_fresh(group.lines, [_build_bullet(one, checks) for one in fresh if one.theme == group.title]),
        )
        for group in section.groups
    ]
    new = [one for one in fresh if one.theme not in titles]
    for title in dict.fromkeys(one.theme for one in new):
        made = ThemeGroup(title, tuple(_build_bullet(one, checks) for one in new if one.theme == title))
        groups.insert(len(groups) if title else 0, made)
    return replace(section, groups=tuple(one for one in groups if one.lines or (one.title and not one.is_ours)))


def _remaining_lines(
    lines: Sequence[Line], places: Iterator[int], there: Mapping[int, MasterPoint], checks: Mapping[str, str]
) -> tuple[Line, ...]:
    """The lines of a person's, and those of ours that are among the points, as these have them now."""
    found: list[Line] = []
    for line in lines:
        if isinstance(line, str):
            found.append(line)
        elif point := there.get(next(places)):
            found.append(_build_bullet(point, checks))
    return tuple(found)


def _append_fresh(lines: Sequence[Line], fresh: Sequence[MasterBullet]) -> tuple[Line, ...]:
    """The lines with fresh ones below, apart from a paragraph of a person's, and no blank lines at the ends."""
    found = list(lines)
    while found and isinstance(found[0], str) and not found[0].strip():
        found.pop(0)
    while found and isinstance(found[-1], str) and not found[-1].strip():
        found.pop()
    if fresh and found and isinstance(found[-1], str) and not found[-1].lstrip().startswith(("-", "*", "+")):
        found.append("")
    return (*found, *fresh)


def _build_bullet(point: MasterPoint, checks: Mapping[str, str]) -> MasterBullet:
    return MasterBullet(point.text, point.sources, checks.get(point.text, ""))


def _assign_themes(master: Master, points: Sequence[MasterPoint]) -> list[MasterPoint]:
    """The points, each fresh one below a heading that is there and fits, or below one that several share."""
    spread = Counter(word for one in points for word in subject_terms(one.text))
    found: list[MasterPoint] = []
    for section in master.sections:
        mine = [one for one in points if one.section == section.title]
        headings = {
            group.title: subject_terms(group.title)
            for group in section.groups
            if group.title and not (group.is_ours and group.title.lower() in GENERIC_WORDS)
        }
        joining = [one if one.place != UNPLACED or one.theme else _assign_heading(one, headings) for one in mine]
        found += joining if section.title == STATUS else _group_by_term(joining, spread)
    return found


def _assign_heading(point: MasterPoint, headings: Mapping[str, frozenset[str]]) -> MasterPoint:
    about = subject_terms(point.text)
    theme = next((title for title, words in headings.items() if words and words <= about), "")
    return replace(point, theme=theme)


def _group_by_term(points: list[MasterPoint], spread: Counter[str]) -> list[MasterPoint]:
    free = [one for one in points if one.place == UNPLACED and not one.theme]
    if len(points) < MIN_POINTS:
        return points
    allowed = allowed_terms([one.text for one in free], (one.parts for one in free))
    terms = [frozenset(word for word in theme_terms(one.text, allowed) if is_theme(word, allowed)) for one in free]
    themes: dict[int, str] = {}
    while True:
        open_ = [at for at in range(len(free)) if at not in themes]
        counts = Counter(word for at in open_ for word in terms[at])
        ranked = sorted(counts, key=lambda word: (-counts[word], -spread[word], word))
        word = next((w for w in ranked if MIN_THEME_POINTS <= counts[w] <= _MAX_TERM_FRACTION * len(points)), "")
        if not word:
            break
        title = frequent_form(word, (free[at].text for at in open_)) if allowed is None else word
        themes |= {at: title for at in open_ if word in terms[at]}
    parted = {id(one): replace(one, theme=themes[at]) for at, one in enumerate(free) if at in themes}
    return [parted.get(id(one), one) for one in points]
