"""Which lines of a master still have a source, now that summaries were edited, renamed or are gone.

A line is judged by its sources alone; its words are never read for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from recall_tui.features.summaries.project_points import CODE_SOURCE, GIT_SOURCE
from recall_tui.features.summaries.synthesis_points import MasterPoint, line_as_point, summary_points
from recall_tui.features.summaries.synthesis_sources import ProjectDocument, Summaries
from recall_tui.features.summaries.synthesis_state import SourceChanges
from recall_tui.storage.documents.master_file import Master, MasterBullet, MasterRecord, MasterSource, clean_id
from recall_tui.storage.files import atomic


@dataclass(frozen=True, slots=True)
class SourceState:
    """What there is, and what of it the master knows."""

    text: str
    record: MasterRecord
    found: Summaries
    docs: tuple[ProjectDocument, ...]
    news: SourceChanges
    docs_news: SourceChanges

    @property
    def was(self) -> str:
        """The digest of the master's text; empty when there is none."""
        return atomic.content_digest(self.text) if self.text else ""


def related_summaries(base: Master, seen: SourceState) -> frozenset[str]:
    """The summaries to read again with those that were edited or are gone: they share a line that none of them says.

    Such a line has the other's words, or tells how both go together. Those that share one with these follow.
    """
    if not (seen.news.edited or seen.news.gone):
        return frozenset()
    names = {one.source.id: one.name for one in seen.found.found}
    said = {one.source.id: {point.text for point in summary_points(one)} for one in seen.found.found}
    again: frozenset[str] = frozenset()
    while True:
        sources = SourceFilter(seen, full=False, again=again)
        found = again
        for line in base.bullets():
            left = [one.id for one in sources.still(line.sources) if one.id in names]
            if any(map(sources.is_over, line.sources)) and not any(line.text in said[id] for id in left):
                found |= {names[id] for id in left}
        if found == again:
            return again
        again = found


def sourced_points(base: Master, sources: SourceFilter) -> Iterator[MasterPoint]:
    """The lines of ours that still have a source, as points."""
    place = 0
    for section in base.sections:
        for group in section.groups:
            for line in group.lines:
                if not isinstance(line, MasterBullet):
                    continue
                kept = sources.still(line.sources)
                if kept:
                    yield replace(line_as_point(section.title, line, place, group.title), sources=kept)
                place += 1


class SourceFilter:
    """Tells which sources of a line are still so.

    With `full` every summary is read again, else those that were edited and those of `again`.
    """

    def __init__(self, seen: SourceState, *, full: bool, again: frozenset[str]) -> None:
        self._by_name = {one.name: one.source for one in seen.found.found}
        self._renamed = dict(seen.news.renamed)
        self._again = frozenset(self._by_name) if full else again | frozenset(seen.news.edited)
        self._docs = {clean_id(name) for name in (*seen.record.docs, *(one.name for one in seen.docs))}
        self._inherited = {clean_id(name) for name in seen.record.inherited}
        self._ids = {clean_id(name): name for name in (*seen.record.summaries, *seen.found.there)}
        self._there = seen.found.there
        self._full = full

    def still(self, sources: Iterable[MasterSource]) -> tuple[MasterSource, ...]:
        """Those of which the line is from still, under the names they have now."""
        found = (self._now(one) for one in sources)
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def is_over(self, source: MasterSource) -> bool:
        """Whether a summary said it that says something else now, or is gone."""
        return self._name(source) is not None and self._now(source) is None

    def _name(self, source: MasterSource) -> str | None:
        if source.id in (GIT_SOURCE, CODE_SOURCE) or source.id in self._docs:
            return None
        return self._ids.get(source.id) or next((self._ids[id] for id in self._ids if id.startswith(source.id)), None)

    def _now(self, source: MasterSource) -> MasterSource | None:
        if source.id in (GIT_SOURCE, CODE_SOURCE) or source.id in self._docs:
            return None
        name = self._name(source)
        if name is None:
            is_inherited = any(id.startswith(source.id) for id in self._inherited)
            return source if is_inherited or not self._full else None
        name = self._renamed.get(name, name)
        if name in self._again:
            return None
        if name not in self._by_name:
            # Of one that is there and cannot be read now, nothing is known to be over.
            return source if name in self._there else None
        return self._by_name[name]
