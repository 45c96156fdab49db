"""The points laid out in a master: by theme, within its size, every line of a person's where it was.

A theme is a word that several points of a section share; a point that stands below a heading stays there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from recall_tui.features.summaries.synthesis_points import UNPLACED, MasterPoint, frequent_form, subject_terms
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

MIN_POINTS = 4
"""Points of a section that are parted into themes."""
MIN_THEME_POINTS = 2
MAX_STATUS_LINES = 12
"""Lines of status that sessions left; older ones are history."""
_MAX_TERM_FRACTION = 0.8
"""A word that more points of a section than this share names no theme."""
_SECTION_WEIGHTS = {STATUS: 0, LEARNINGS: 1, EVOLUTION: 2, DECISIONS: 3, QUESTIONS: 4}
"""What leaves last when the master is too long."""


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
    """The master in at most `most` lines, and the points that had to leave for it: the least weighty, oldest first."""
    ranked = sorted(points, key=_rank_key)
    left = ranked[: max(len(ranked) - most, 0)]
    gone = set(map(id, left))
    kept = [one for one in points if id(one) not in gone]
    made = arrange(master, kept, checks)
    while kept and (over := render_master(made).count("\n") - most) > 0:
        # A heading may go with its last line, so what is left is looked at again.
        for point in sorted(kept, key=_rank_key)[: max(over // 2, 1)]:
            kept.remove(point)
            left.append(point)
        made = arrange(master, kept, checks)
    return made, tuple(left)


def keep_newest_status(points: Sequence[MasterPoint], is_lasting: frozenset[str]) -> list[MasterPoint]:
    """The points without all but the newest of status; those with a source in `is_lasting` are always as of now."""
    passing = [one for one in points if one.section == STATUS and not any(s.id in is_lasting for s in one.sources)]
    old = set(map(id, sorted(passing, key=lambda one: one.when)[:-MAX_STATUS_LINES]))
    return [one for one in points if id(one) not in old]


def _rank_key(point: MasterPoint) -> tuple[int, str]:
    return _SECTION_WEIGHTS.get(point.section, 1) + min(len(point.sources) - 1, 3), point.when


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
        headings = {group.title: subject_terms(group.title) for group in section.groups if group.title}
        joining = [one if one.place != UNPLACED or one.theme else _assign_heading(one, headings) for one in mine]
        found += _group_by_term(joining, spread)
    return found


def _assign_heading(point: MasterPoint, headings: Mapping[str, frozenset[str]]) -> MasterPoint:
    about = subject_terms(point.text)
    theme = next((title for title, words in headings.items() if words and words <= about), "")
    return replace(point, theme=theme)


def _group_by_term(points: list[MasterPoint], spread: Counter[str]) -> list[MasterPoint]:
    free = [one for one in points if one.place == UNPLACED and not one.theme]
    if len(points) < MIN_POINTS:
        return points
    themes: dict[int, str] = {}
    while True:
        open_ = [at for at, one in enumerate(free) if at not in themes]
        counts = Counter(word for at in open_ for word in subject_terms(free[at].text))
        ranked = sorted(counts, key=lambda word: (-counts[word], -spread[word], word))
        word = next((w for w in ranked if MIN_THEME_POINTS <= counts[w] <= _MAX_TERM_FRACTION * len(points)), "")
        if not word:
            break
        title = frequent_form(word, (free[at].text for at in open_))
        themes |= {at: title for at in open_ if word in subject_terms(free[at].text)}
    parted = {id(one): replace(one, theme=themes[at]) for at, one in enumerate(free) if at in themes}
    return [parted.get(id(one), one) for one in points]
