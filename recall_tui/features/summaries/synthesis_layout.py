"""The points laid out in a master: by theme, within its size, every line of a person's where it was.

A theme is a word that several points of a section share; a point that stands below a heading stays there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from recall_tui.features.summaries.synthesis_points import FRESH, Point, named, subject
from recall_tui.storage.documents.master_file import (
    DECISIONS,
    EVOLUTION,
    LEARNINGS,
    QUESTIONS,
    STATUS,
    Bullet,
    Group,
    Line,
    Master,
    Section,
    render,
)

LEAST_POINTS = 4
"""Points of a section that are parted into themes."""
LEAST_OF_THEME = 2
MOST_STATUS = 12
"""Lines of status that sessions left; older ones are history."""
_WIDEST = 0.8
"""A word that more points of a section than this share names no theme."""
_WEIGHT = {STATUS: 0, LEARNINGS: 1, EVOLUTION: 2, DECISIONS: 3, QUESTIONS: 4}
"""What leaves last when the master is too long."""


def laid_out(master: Master, points: Sequence[Point], checks: Mapping[str, str]) -> Master:
    """The master with exactly these points as its lines of ours; `checks` says by text what speaks against a line."""
    themed = _themed(master, points)
    there = {one.place: one for one in themed if one.place != FRESH}
    places = count()
    sections = []
    for section in master.sections:
        kept = tuple(replace(group, lines=_kept(group.lines, places, there, checks)) for group in section.groups)
        fresh = [one for one in themed if one.section == section.title and one.place == FRESH]
        sections.append(_section(replace(section, groups=kept), fresh, checks))
    return replace(master, sections=tuple(sections))


def within(
    master: Master, points: Sequence[Point], checks: Mapping[str, str], most: int
) -> tuple[Master, tuple[Point, ...]]:
    """The master in at most `most` lines, and the points that had to leave for it: the least weighty, oldest first."""
    ranked = sorted(points, key=_importance)
    left = ranked[: max(len(ranked) - most, 0)]
    gone = set(map(id, left))
    kept = [one for one in points if id(one) not in gone]
    made = laid_out(master, kept, checks)
    while kept and (over := render(made).count("\n") - most) > 0:
        # A heading may go with its last line, so what is left is looked at again.
        for point in sorted(kept, key=_importance)[: max(over // 2, 1)]:
            kept.remove(point)
            left.append(point)
        made = laid_out(master, kept, checks)
    return made, tuple(left)


def newest_status(points: Sequence[Point], is_lasting: frozenset[str]) -> list[Point]:
    """The points without all but the newest of status; those with a source in `is_lasting` are always as of now."""
    passing = [one for one in points if one.section == STATUS and not any(s.id in is_lasting for s in one.sources)]
    old = set(map(id, sorted(passing, key=lambda one: one.when)[:-MOST_STATUS]))
    return [one for one in points if id(one) not in old]


def _importance(point: Point) -> tuple[int, str]:
    return _WEIGHT.get(point.section, 1) + min(len(point.sources) - 1, 3), point.when


def _section(section: Section, fresh: Sequence[Point], checks: Mapping[str, str]) -> Section:
    """The section with fresh points below their themes, and without headings of ours below which nothing stands."""
    titles = [group.title for group in section.groups]
    groups = [
        replace(group, lines=_joined(group.lines, [_bullet(one, checks) for one in fresh if one.theme == group.title]))
        for group in section.groups
    ]
    new = [one for one in fresh if one.theme not in titles]
    for title in dict.fromkeys(one.theme for one in new):
        made = Group(title, tuple(_bullet(one, checks) for one in new if one.theme == title))
        groups.insert(len(groups) if title else 0, made)
    return replace(section, groups=tuple(one for one in groups if one.lines or (one.title and not one.is_ours)))


def _kept(
    lines: Sequence[Line], places: Iterator[int], there: Mapping[int, Point], checks: Mapping[str, str]
) -> tuple[Line, ...]:
    """The lines of a person's, and those of ours that are among the points, as these have them now."""
    found: list[Line] = []
    for line in lines:
        if isinstance(line, str):
            found.append(line)
        elif point := there.get(next(places)):
            found.append(_bullet(point, checks))
    return tuple(found)


def _joined(lines: Sequence[Line], fresh: Sequence[Bullet]) -> tuple[Line, ...]:
    """The lines with fresh ones below, apart from a paragraph of a person's, and no blank lines at the ends."""
    found = list(lines)
    while found and isinstance(found[0], str) and not found[0].strip():
        found.pop(0)
    while found and isinstance(found[-1], str) and not found[-1].strip():
        found.pop()
    if fresh and found and isinstance(found[-1], str) and not found[-1].lstrip().startswith(("-", "*", "+")):
        found.append("")
    return (*found, *fresh)


def _bullet(point: Point, checks: Mapping[str, str]) -> Bullet:
    return Bullet(point.text, point.sources, checks.get(point.text, ""))


def _themed(master: Master, points: Sequence[Point]) -> list[Point]:
    """The points, each fresh one below a heading that is there and fits, or below one that several share."""
    spread = Counter(word for one in points for word in subject(one.text))
    found: list[Point] = []
    for section in master.sections:
        mine = [one for one in points if one.section == section.title]
        headings = {group.title: subject(group.title) for group in section.groups if group.title}
        joining = [one if one.place != FRESH or one.theme else _joining(one, headings) for one in mine]
        found += _parted(joining, spread)
    return found


def _joining(point: Point, headings: Mapping[str, frozenset[str]]) -> Point:
    about = subject(point.text)
    theme = next((title for title, words in headings.items() if words and words <= about), "")
    return replace(point, theme=theme)


def _parted(points: list[Point], spread: Counter[str]) -> list[Point]:
    free = [one for one in points if one.place == FRESH and not one.theme]
    if len(points) < LEAST_POINTS:
        return points
    themes: dict[int, str] = {}
    while True:
        open_ = [at for at, one in enumerate(free) if at not in themes]
        counts = Counter(word for at in open_ for word in subject(free[at].text))
        ranked = sorted(counts, key=lambda word: (-counts[word], -spread[word], word))
        word = next((w for w in ranked if LEAST_OF_THEME <= counts[w] <= _WIDEST * len(points)), "")
        if not word:
            break
        title = named(word, (free[at].text for at in open_))
        themes |= {at: title for at in open_ if word in subject(free[at].text)}
    parted = {id(one): replace(one, theme=themes[at]) for at, one in enumerate(free) if at in themes}
    return [parted.get(id(one), one) for one in points]
