"""The synthesis: what is new in the summaries, taken into the master by theme, and shown before it is written.

Reading and asking come first and change nothing; the plan made of it is refused when the master changed meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from recall_tui.domain import Create, Edit, Plan, Replace
from recall_tui.errors import ConflictError
from recall_tui.features.summaries import project_state, synthesis_sources
from recall_tui.features.summaries.project_state import Project
from recall_tui.features.summaries.synthesis_layout import newest_status, within
from recall_tui.features.summaries.synthesis_points import Point, held, merged, points_of, settled, subject
from recall_tui.features.summaries.synthesis_sources import Broken, Doc, Summaries, Summary
from recall_tui.features.summaries.synthesis_state import News, due, inherited, known, news, remember, remember_proposed
from recall_tui.llm.model import never
from recall_tui.storage.documents import master_file
from recall_tui.storage.documents.master_file import STATUS, Bullet, Master, Record, Source, clean, clean_id
from recall_tui.storage.files import atomic
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import Change, Proposal
from recall_tui.text.cut import one_line

GIT, CODE = "git", "code"
"""The sources of what is said of a project as it is now; such lines are made anew each time."""
DOCUMENTS = "Documents"
"""The heading below which documents stand."""
_MOST_DOCS = 20
_MOST_COMMITS = 5
_MOST_HEADINGS = 12
_MADE_AT = re.compile(r'"at": "[^"]*"')
_NO_NEWS = News()
_NOT_OURS = ("user", "claude-project")
"""Layouts whose folder belongs to an agent, and is no project."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A master that was made and not written."""

    master: Master
    text: str
    was: str
    """`digest` of the master's text that it was made from; empty when there was none."""
    title: str
    news: News = _NO_NEWS
    docs: News = _NO_NEWS
    read: tuple[Summary, ...] = ()
    """The summaries that were read for it."""
    broken: tuple[Broken, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know."""
    is_same: bool = False
    """There is nothing to write."""
    facts: dict[str, object] = field(default_factory=dict)


def draft(store: Store, *, full: bool = False, alone: bool = False, is_cancelled: Callable[[], bool] = never) -> Draft:
    """Read what there is and make the new master, with a model when there is one; nothing is written.

    Only what is new is read into the master that there is; with `full` all of it is, as if there was none. `alone` asks
    no model, as when the first summary is to make the first master.
    """
    text = atomic.read_text(store.layout.master)
    found = synthesis_sources.summaries(store)
    now = {one.name: one.hash for one in found.found}
    project = _project(store)
    docs, broken_docs = _docs(project)
    record = inherited(store, known(store, text, now) or Record(), now, found.there)
    seen = _Seen(text, record, found, docs, news(record.summaries, now, found.there), _news_of_docs(record, docs))
    broken = (*found.broken, *broken_docs)
    if not full and not seen.news and not seen.docs_news:
        return replace(_nothing(store, seen), broken=broken)
    how = _How(full, alone, is_cancelled)
    return replace(_made(store, seen, project, how), broken=broken)


def first_master(store: Store, read: Summaries) -> str:
    """The text of a master that is made of the first summary, which is about to be written; no model is asked."""
    now = {one.name: one.hash for one in read.found}
    project = _project(store)
    docs, _ = _docs(project)
    text = atomic.read_text(store.layout.master)
    seen = _Seen(text, Record(), read, docs, news({}, now, read.there), _news_of_docs(Record(), docs))
    return _made(store, seen, project, _How(full=False, alone=True, is_cancelled=never)).text


def plan(store: Store, made: Draft) -> Plan:
    """The change that writes the master; ConflictError when it is another than the one it was made from."""
    path = store.layout.master
    if atomic.digest_of(path) != made.was:
        raise ConflictError(f"{store.relative(path)} changed meanwhile", hint="synthesise again")
    edits: tuple[Edit, ...] = ()
    if not made.is_same:
        edits = (Replace(path, made.was, made.text) if made.was else Create(path, made.text),)
    return Plan(made.title, edits, made.notes, made.facts)


def written(store: Store, made: Draft) -> None:
    """Note in the state folder what the master, which was written now, was made of."""
    remember(store, made.master)


def propose(store: Store, made: Draft) -> Proposal | None:
    """Put the new master into review; None when there is nothing to change, or the same was decided on before."""
    if made.is_same:
        return None
    path = store.relative(store.layout.master)
    remember_proposed(store, {one.name: one.hash for one in made.read})
    why = "; ".join([made.title, *made.notes[:3]])
    evidence = tuple(_named(store, one) for one in made.read)
    change = Change(path, made.text, made.was)
    known = next((one for one in proposals.every(store) if one.subject == path and _is_same(one.changes, change)), None)
    if known is not None and known.fate != "accepted":
        return known if known.fate == "open" else None
    return proposals.put(store, Proposal("master", path, made.title, why, (change,), evidence))


def _is_same(held: Sequence[Change], change: Change) -> bool:
    """Whether a proposal would change the same, whenever it was made."""
    texts = [_MADE_AT.sub("", one.text or "") for one in (*held, change)]
    return len(texts) == 2 and texts[0] == texts[1] and held[0].was == change.was


def propose_when_due(store: Store, is_cancelled: Callable[[], bool] = never) -> Proposal | None:
    """Put a synthesis into review when `synthesize.after` summaries wait for one; nothing of the memory is written."""
    if not due(store):
        return None
    made = draft(store, is_cancelled=is_cancelled)
    return None if is_cancelled() else propose(store, made)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What there is, and what of it the master knows."""

    text: str
    record: Record
    found: Summaries
    docs: tuple[Doc, ...]
    news: News
    docs_news: News

    @property
    def was(self) -> str:
        return atomic.digest(self.text) if self.text else ""


class _How(NamedTuple):
    """How it is to be made."""

    full: bool
    alone: bool
    is_cancelled: Callable[[], bool]


def _made(store: Store, seen: _Seen, project: Project, how: _How) -> Draft:
    base = _base(seen)
    fresh = seen.found.found if how.full else tuple(one for one in seen.found.found if one.name in seen.news.fresh)
    points = list(_held(base, seen, full=how.full))
    notes: list[str] = []
    points = _taken_in(store, points, fresh, notes, how, _as_it_is(seen.docs, project))
    points = _without_own(base, [*points, *_of_docs(seen.docs), *_of_project(store, project)])
    points = newest_status(points, frozenset((GIT, CODE, *(one.source.id for one in seen.docs))))
    checks = {one.text: said for one in points if (said := master_file.clean(project.against(one.text)))}
    whole = replace(base, record=_record(store, seen))
    made, left = within(whole, points, checks, store.config.whole("master.max_lines"))
    notes += _notes(checks, len(left), seen)
    text = master_file.render(made)
    is_same = bool(seen.text) and _undated(made, seen.record) == seen.text
    name = store.relative(store.layout.master)
    title = f"{name} says all of this already" if is_same else _title(name, seen, fresh, full=how.full)
    facts = _facts(store, seen, fresh, made, len(left), checks)
    return Draft(made, text, seen.was, title, seen.news, seen.docs_news, fresh, (), tuple(notes), is_same, facts)


def _taken_in(
    store: Store,
    points: Sequence[Point],
    fresh: Sequence[Summary],
    notes: list[str],
    how: _How,
    project: str,
) -> list[Point]:
    """The points with those of fresh summaries: as a model sees them when there is one, else as they were written."""
    now = list(points)
    rest = fresh
    if fresh and not how.alone:
        from recall_tui.features.summaries.synthesis_model import synthesised

        said = synthesised(store, now, fresh, project, how.is_cancelled)
        if said is not None:
            now, rest = list(said.points), said.rest
            notes += said.notes
    now += [point for one in rest for point in points_of(one)]
    return settled(merged(now))


def _base(seen: _Seen) -> Master:
    """The master that there is; of one into which nothing was synthesised yet, only what stands above its sections."""
    made = master_file.parse(seen.text, seen.record if seen.record.lines else None)
    return Master(made.lead) if master_file.is_placeholder(seen.text) else made


def _held(base: Master, seen: _Seen, *, full: bool) -> Iterator[Point]:
    """The lines of ours that still have a source, as points."""
    place = 0
    sources = _Sources(seen, full=full)
    for section in base.sections:
        for group in section.groups:
            for line in group.lines:
                if not isinstance(line, Bullet):
                    continue
                kept = sources.still(line.sources)
                if kept:
                    yield replace(held(section.title, line, place, group.title), sources=kept)
                place += 1


class _Sources:
    """Tells which sources of a line are still so."""

    def __init__(self, seen: _Seen, *, full: bool) -> None:
        self._by_name = {one.name: one.source for one in seen.found.found}
        self._renamed = dict(seen.news.renamed)
        self._again = frozenset(self._by_name if full else seen.news.edited)
        self._docs = {clean_id(name) for name in (*seen.record.docs, *(one.name for one in seen.docs))}
        self._inherited = {clean_id(name) for name in seen.record.inherited}
        self._ids = {clean_id(name): name for name in (*seen.record.summaries, *seen.found.there)}
        self._there = seen.found.there
        self._full = full

    def still(self, sources: Iterable[Source]) -> tuple[Source, ...]:
        """Those of which the line is from still, under the names they have now."""
        found = (self._now(one) for one in sources)
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def _now(self, source: Source) -> Source | None:
        if source.id in (GIT, CODE) or source.id in self._docs:
            return None
        name = self._ids.get(source.id) or next((self._ids[id] for id in self._ids if id.startswith(source.id)), None)
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


def _as_it_is(docs: Sequence[Doc], project: Project) -> str:
    """The project and its documents as a model is told of them."""
    lines = [project.code.words] if project.code.is_code else []
    if project.git is not None:
        lines += [project.git.words, *(f"commit {commit}" for commit in project.git.commits)]
    for one in docs:
        lines.append(f"document {one.name}: {one.title}: {one.line}")
        lines += [f"  has: {'; '.join(one.headings[:_MOST_HEADINGS])}"] if one.headings else []
    return "\n".join(lines)


def _of_docs(docs: Sequence[Doc]) -> Iterator[Point]:
    for one in docs[:_MOST_DOCS]:
        words = f"{one.title}: {one.line}" if one.line else one.title
        yield Point(STATUS, clean(words, 200), (one.source,), theme=DOCUMENTS)


def _of_project(store: Store, project: Project) -> Iterator[Point]:
    day = store.now().date().isoformat()
    if project.code.is_code and project.code.words.strip("."):
        yield Point(STATUS, clean(project.code.words), (Source(CODE, day),), day)
    if project.git is not None:
        yield Point(STATUS, clean(project.git.words), (Source(GIT, day),), day)
        subjects = [one_line(commit.partition(" ")[2]) for commit in project.git.commits[:_MOST_COMMITS]]
        if subjects:
            yield Point(STATUS, clean(f"Last commits: {'; '.join(subjects)}"), (Source(GIT, day),), day)


def _without_own(base: Master, points: Sequence[Point]) -> list[Point]:
    """The points without those that a person's line says already: nearly so, or as they put it in place of ours."""
    from recall_tui.text.classify.similarity import near_duplicates, normal

    lines = [line for line in base.lines() if isinstance(line, str) and line.strip()]
    if not lines:
        return list(points)
    own = [_said(line) for line in lines]
    texts = [*own, *(one.text for one in points)]
    twins = {later - len(own) for earlier, later in near_duplicates(texts) if earlier < len(own) <= later}
    said = {normal(line) for line in own}
    edited = [bullet for line in lines if (bullet := master_file.bullet_in(line))]
    return [
        one
        for at, one in enumerate(points)
        if at not in twins and normal(one.text) not in said and not any(_is_of(one, bullet) for bullet in edited)
    ]


def _is_of(point: Point, edited: Bullet) -> bool:
    """Whether a person's line was this point before they edited it: of the same source, and about the same."""
    ids = {one.id for one in edited.sources}
    mine, theirs = subject(point.text), subject(edited.text)
    return any(one.id in ids for one in point.sources) and 2 * len(mine & theirs) > min(len(mine), len(theirs))


def _said(line: str) -> str:
    """What a person's line says, as a line of ours would have it."""
    return clean(line, len(line))


def _project(store: Store) -> Project:
    if store.layout.name in _NOT_OURS:
        return Project(store.root)
    return project_state.look_at(store.root)


def _docs(project: Project) -> tuple[tuple[Doc, ...], tuple[Broken, ...]]:
    return synthesis_sources.docs(project.folder, is_code=project.code.is_code or project.git is not None)


def _news_of_docs(record: Record, docs: Sequence[Doc]) -> News:
    return news(record.docs, {one.name: one.hash for one in docs})


def _record(store: Store, seen: _Seen) -> Record:
    """What the new master is made of; what cannot be read now counts as it did before."""
    unread = {name: hash for name, hash in seen.record.summaries.items() if name in seen.found.there}
    summaries = unread | {one.name: one.hash for one in seen.found.found}
    docs = {one.name: one.hash for one in seen.docs}
    return Record(store.now().isoformat(timespec="seconds"), summaries, docs, seen.record.inherited)


def _undated(made: Master, before: Record) -> str:
    """The new master as it would be had it been made when the one before was."""
    record = made.record or Record()
    return master_file.render(replace(made, record=replace(record, at=before.at)))


def _nothing(store: Store, seen: _Seen) -> Draft:
    day = (seen.record.at or master_file.last_synthesized(seen.text))[:10]
    since = f" since {day}" if day else ""
    title = f"nothing new{since}" if seen.found.found or seen.docs else "there is no summary yet"
    facts: dict[str, object] = {"new": [], "edited": [], "gone": [], "read": 0}
    master = master_file.parse(seen.text, seen.record)
    return Draft(master, seen.text, seen.was, title, is_same=True, facts=facts)


def _title(name: str, seen: _Seen, fresh: Sequence[Summary], *, full: bool) -> str:
    if full:
        return f"Synthesised {_count(len(fresh), 'summary', 'summaries')} anew into {name}"
    parts = [
        _count(len(some), *words)
        for some, words in (
            (seen.news.new, ("new summary", "new summaries")),
            (seen.news.edited, ("edited summary", "edited summaries")),
            (seen.news.renamed, ("renamed summary", "renamed summaries")),
            (seen.docs_news.fresh, ("document", "documents")),
            ((*seen.news.gone, *seen.docs_news.gone), ("removed source", "removed sources")),
        )
        if some
    ]
    return f"Synthesised {', '.join(parts)} into {name}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _notes(checks: dict[str, str], left: int, seen: _Seen) -> Iterator[str]:
    if checks:
        yield f"{_count(len(checks), 'line does', 'lines do')} not fit the project as it is now: see `(check: …)`"
    if left:
        yield f"{_count(left, 'line is', 'lines are')} left to the summaries alone, by master.max_lines"
    if seen.record.inherited:
        yield "the master came from elsewhere; its lines are kept"


def _facts(
    store: Store, seen: _Seen, fresh: Sequence[Summary], made: Master, left: int, checks: dict[str, str]
) -> dict[str, object]:
    return {
        "master": store.relative(store.layout.master),
        "new": list(seen.news.new),
        "edited": list(seen.news.edited),
        "renamed": [list(pair) for pair in seen.news.renamed],
        "gone": list(seen.news.gone),
        "docs": list(seen.docs_news.fresh),
        "read": len(fresh),
        "lines": sum(1 for _ in made.bullets()),
        "left_out": left,
        "checks": dict(checks),
    }


def _named(store: Store, one: Summary) -> str:
    """Where a summary stands, and of which session it is when its name does not tell."""
    folder = store.layout.summaries
    place = store.relative(folder / f"{one.name}.md") if folder else one.name
    return f"{place}, session {one.session_id}" if one.session_id and one.session_id not in place else place
