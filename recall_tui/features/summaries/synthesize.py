"""The synthesis: what is new in the summaries, taken into the master by theme, and shown before it is written.

Reading and asking come first and change nothing; the plan made of it is refused when the master changed meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from recall_tui.domain import Create, Edit, Plan, Replace
from recall_tui.errors import ConflictError
from recall_tui.features.summaries import project_state, synthesis_sources
from recall_tui.features.summaries.extract_points import omission_note
from recall_tui.features.summaries.lapsed_lines import lapsed_lines
from recall_tui.features.summaries.line_sources import SourceFilter, SourceState, related_summaries, sourced_points
from recall_tui.features.summaries.project_points import CODE_SOURCE, GIT_SOURCE, is_other_project, project_points
from recall_tui.features.summaries.project_state import ProjectState
from recall_tui.features.summaries.synthesis_evolution import resolve_points
from recall_tui.features.summaries.synthesis_layout import fit_master, keep_newest_status, with_drafted_status
from recall_tui.features.summaries.synthesis_points import (
    MasterPoint,
    merge_points,
    subject_terms,
    summary_points,
)
from recall_tui.features.summaries.synthesis_sources import ProjectDocument, SessionSummary, Summaries, UnreadableSource
from recall_tui.features.summaries.synthesis_state import (
    SourceChanges,
    adopt_record,
    compare_sources,
    count_due_summaries,
    find_record,
    save_proposed,
    save_record,
)
from recall_tui.llm.model import never_cancelled
from recall_tui.storage.documents import master_file
from recall_tui.storage.documents.conflicts import expect_settled
from recall_tui.storage.documents.master_file import (
    STATUS,
    Master,
    MasterBullet,
    MasterRecord,
    clean_text,
)
from recall_tui.storage.files import atomic
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal

DOCUMENTS_HEADING = "Documents"
"""The heading below which documents stand."""
_MAX_DOCUMENTS = 20
_MAX_DEPENDENCIES = 400
"""Names of dependencies that a master remembers."""
_MAX_HEADINGS = 12
_TIMESTAMP_FIELD = re.compile(r'"at": "[^"]*"')
_NO_CHANGES = SourceChanges()


@dataclass(frozen=True, slots=True)
class SynthesisDraft:
    """A master that was made and not written."""

    master: Master
    text: str
    was: str
    """`digest` of the master's text that it was made from; empty when there was none."""
    title: str
    news: SourceChanges = _NO_CHANGES
    docs: SourceChanges = _NO_CHANGES
    read: tuple[SessionSummary, ...] = ()
    """The summaries that were read for it."""
    broken: tuple[UnreadableSource, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know."""
    is_same: bool = False
    """There is nothing to write."""
    facts: dict[str, object] = field(default_factory=dict)


def draft_master(
    store: Store, *, full: bool = False, alone: bool = False, is_cancelled: Callable[[], bool] = never_cancelled
) -> SynthesisDraft:
    """Read what there is and make the new master, with a model when there is one; nothing is written.

    Only what is new is read into the master that there is; with `full` all of it is, as if there was none. `alone` asks
    no model, as when the first summary is to make the first master.
    """
    text = atomic.read_text(store.layout.master)
    expect_settled(store, store.layout.master, text)
    found = synthesis_sources.load_summaries(store)
    now = {one.name: one.hash for one in found.found}
    project = _read_project(store)
    docs, broken_docs = _load_documents(project)
    record = adopt_record(store, find_record(store, text, now) or MasterRecord(), now, found.there)
    seen = SourceState(
        text, record, found, docs, compare_sources(record.summaries, now, found.there), _document_changes(record, docs)
    )
    broken = (*found.broken, *broken_docs)
    how = _SynthesisOptions(full, alone, is_cancelled)
    made = _build_draft(store, seen, project, how)
    if not full and not seen.news and not seen.docs_news:
        is_ours = master_file.find_record(text) is not None
        if not is_ours or not is_other_project(master_file.parse_master(text, seen.record), made.master):
            made = _empty_draft(store, seen)
    return replace(made, broken=broken)


def render_first_master(store: Store, read: Summaries) -> str:
    """The text of a master that is made of the first summary, which is about to be written; no model is asked."""
    now = {one.name: one.hash for one in read.found}
    project = _read_project(store)
    docs, _ = _load_documents(project)
    text = atomic.read_text(store.layout.master)
    seen = SourceState(
        text, MasterRecord(), read, docs, compare_sources({}, now, read.there), _document_changes(MasterRecord(), docs)
    )
    return _build_draft(
        store, seen, project, _SynthesisOptions(full=False, alone=True, is_cancelled=never_cancelled)
    ).text


def plan_master(store: Store, made: SynthesisDraft) -> Plan:
    """The change that writes the master; ConflictError when it is another than the one it was made from."""
    path = store.layout.master
    if atomic.file_digest(path) != made.was:
        raise ConflictError(f"{store.relative(path)} changed meanwhile", hint="synthesise again")
    edits: tuple[Edit, ...] = ()
    if not made.is_same:
        edits = (Replace(path, made.was, made.text) if made.was else Create(path, made.text),)
    return Plan(made.title, edits, made.notes, made.facts)


def record_written(store: Store, made: SynthesisDraft) -> None:
    """Note in the state folder what the master, which was written now, was made of."""
    save_record(store, made.master)


def propose_master(store: Store, made: SynthesisDraft) -> Proposal | None:
    """Put the new master into review; None when there is nothing to change, or the same was decided on before."""
    if made.is_same:
        return None
    path = store.relative(store.layout.master)
    save_proposed(store, {one.name: one.hash for one in made.read})
    why = "; ".join([made.title, *made.notes[:3]])
    evidence = tuple(_summary_label(store, one) for one in made.read)
    change = DocumentChange(path, made.text, made.was)
    known = next(
        (one for one in proposals.list_all(store) if one.subject == path and _is_same_proposal(one.changes, change)),
        None,
    )
    if known is not None and known.fate != "accepted":
        return known if known.fate == "open" else None
    return proposals.save(store, Proposal("master", path, made.title, why, (change,), evidence))


def _is_same_proposal(held: Sequence[DocumentChange], change: DocumentChange) -> bool:
    """Whether a proposal would change the same, whenever it was made."""
    texts = [_TIMESTAMP_FIELD.sub("", one.text or "") for one in (*held, change)]
    return len(texts) == 2 and texts[0] == texts[1] and held[0].was == change.was


def propose_when_due(store: Store, is_cancelled: Callable[[], bool] = never_cancelled) -> Proposal | None:
    """Put a synthesis into review when `synthesize.after` summaries wait for one; nothing of the memory is written."""
    if not count_due_summaries(store):
        return None
    made = draft_master(store, is_cancelled=is_cancelled)
    return None if is_cancelled() else propose_master(store, made)


class _SynthesisOptions(NamedTuple):
    """How it is to be made."""

    full: bool
    alone: bool
    is_cancelled: Callable[[], bool]


def _build_draft(store: Store, seen: SourceState, project: ProjectState, how: _SynthesisOptions) -> SynthesisDraft:
    base = _base_master(seen)
    again = frozenset() if how.full else related_summaries(base, seen)
    read = again | frozenset(seen.news.fresh)
    fresh = seen.found.found if how.full else tuple(one for one in seen.found.found if one.name in read)
    points = list(sourced_points(base, SourceFilter(seen, full=how.full, again=again)))
    notes: list[str] = []
    points = _add_summaries(store, points, fresh, notes, how, _describe_project(seen.docs, project), seen.found.found)
    points = _drop_person_points(base, [*points, *_document_points(seen.docs), *project_points(store, project)])
    points = keep_newest_status(points, frozenset((GIT_SOURCE, CODE_SOURCE, *(one.source.id for one in seen.docs))))
    record = _build_record(store, seen, project)
    project = replace(project, known_dependencies=frozenset(record.dependencies))
    checks = {one.text: said for one in points if (said := master_file.clean_text(project.against(one.text)))}
    whole = replace(base, record=record)
    made, left = fit_master(whole, points, checks, store.config.whole("master.max_lines"))
    notes += filter(None, (*_draft_notes(checks, len(left), seen), omission_note(fresh)))
    text = master_file.render_master(made)
    is_same = bool(seen.text) and _render_undated(made, seen.record) == seen.text
    name = store.relative(store.layout.master)
    title = f"{name} says all of this already" if is_same else _draft_title(name, seen, fresh, full=how.full)
    facts = _draft_details(store, seen, fresh, made, len(left), checks)
    return SynthesisDraft(
        made, text, seen.was, title, seen.news, seen.docs_news, fresh, (), tuple(notes), is_same, facts
    )


def _add_summaries(
    store: Store,
    points: Sequence[MasterPoint],
    fresh: Sequence[SessionSummary],
    notes: list[str],
    how: _SynthesisOptions,
    project: str,
    known: Sequence[SessionSummary],
) -> list[MasterPoint]:
    """The points with those of fresh summaries: as a model sees them when there is one, else as they were written.

    Of what was drafted, now or before, nothing is among them that by the `known` holds no more.
    """
    gone = lapsed_lines(store, known)
    now = [point for point in points if not any((source.id, point.text) in gone for source in point.sources)]
    rest = fresh
    if fresh and not how.alone:
        from recall_tui.features.summaries.synthesis_model import synthesize_points

        said = synthesize_points(store, now, fresh, project, how.is_cancelled)
        if said is not None:
            now, rest = list(said.points), said.rest
            notes += said.notes
    now += [
        point
        for one in rest
        for point in summary_points(one)
        if not (point.is_extract and (one.source.id, point.text) in gone)
    ]
    return with_drafted_status(resolve_points(merge_points(now)))


def _base_master(seen: SourceState) -> Master:
    """The master that there is; of one into which nothing was synthesised yet, only what stands above its sections."""
    made = master_file.parse_master(seen.text, seen.record if seen.record.lines else None)
    return Master(made.lead) if master_file.is_placeholder(seen.text) else made


def _describe_project(docs: Sequence[ProjectDocument], project: ProjectState) -> str:
    """The project and its documents as a model is told of them."""
    lines = [project.code.words] if project.code.is_code else []
    if project.git is not None:
        lines += [project.git.words, *(f"commit {commit}" for commit in project.git.commits)]
    for one in docs:
        lines.append(f"document {one.name}: {one.title}: {one.line}")
        lines += [f"  has: {'; '.join(one.headings[:_MAX_HEADINGS])}"] if one.headings else []
    return "\n".join(lines)


def _document_points(docs: Sequence[ProjectDocument]) -> Iterator[MasterPoint]:
    for one in docs[:_MAX_DOCUMENTS]:
        words = f"{one.title}: {one.line}" if one.line else one.title
        yield MasterPoint(STATUS, clean_text(words, 200), (one.source,), theme=DOCUMENTS_HEADING)


def _drop_person_points(base: Master, points: Sequence[MasterPoint]) -> list[MasterPoint]:
    """The points without those that a person's line says already: nearly so, or as they put it in place of ours."""
    from recall_tui.text.classify.similarity import near_duplicates, normalize

    if not (lines := [line for line in base.lines() if isinstance(line, str) and line.strip()]):
        return list(points)
    own = [_clean_line(line) for line in lines]
    texts = [*own, *(one.text for one in points)]
    twins = {later - len(own) for earlier, later in near_duplicates(texts) if earlier < len(own) <= later}
    said = {normalize(line) for line in own}
    edited = [bullet for line in lines if (bullet := master_file.parse_bullet(line))]
    return [
        one
        for at, one in enumerate(points)
        if at not in twins
        and normalize(one.text) not in said
        and not any(_is_edited_point(one, bullet) for bullet in edited)
    ]


def _is_edited_point(point: MasterPoint, edited: MasterBullet) -> bool:
    """Whether a person's line was this point before they edited it: of the same source, and about the same."""
    ids = {one.id for one in edited.sources}
    mine, theirs = subject_terms(point.text), subject_terms(edited.text)
    return any(one.id in ids for one in point.sources) and 2 * len(mine & theirs) > min(len(mine), len(theirs))


def _clean_line(line: str) -> str:
    """What a person's line says, as a line of ours would have it."""
    return clean_text(line, len(line))


def _read_project(store: Store) -> ProjectState:
    if store.layout.design.is_of_agent:
        return ProjectState(store.root)
    return project_state.read_project(store.root)


def _load_documents(project: ProjectState) -> tuple[tuple[ProjectDocument, ...], tuple[UnreadableSource, ...]]:
    return synthesis_sources.load_documents(project.folder, is_code=project.code.is_code or project.git is not None)


def _document_changes(record: MasterRecord, docs: Sequence[ProjectDocument]) -> SourceChanges:
    return compare_sources(record.docs, {one.name: one.hash for one in docs})


def _build_record(store: Store, seen: SourceState, project: ProjectState) -> MasterRecord:
    """What the new master is made of; what cannot be read now counts as it did before."""
    unread = {name: hash for name, hash in seen.record.summaries.items() if name in seen.found.there}
    summaries = unread | {one.name: one.hash for one in seen.found.found}
    docs = {one.name: one.hash for one in seen.docs}
    needs = tuple(sorted(project.code.dependencies | set(seen.record.dependencies)))[:_MAX_DEPENDENCIES]
    at = store.now().isoformat(timespec="seconds")
    return MasterRecord(at, summaries, docs, seen.record.inherited, dependencies=needs)


def _render_undated(made: Master, before: MasterRecord) -> str:
    """The new master as it would be had it been made when the one before was."""
    record = made.record or MasterRecord()
    return master_file.render_master(replace(made, record=replace(record, at=before.at)))


def _empty_draft(store: Store, seen: SourceState) -> SynthesisDraft:
    day = (seen.record.at or master_file.find_synthesis_day(seen.text))[:10]
    since = f" since {day}" if day else ""
    title = f"nothing new{since}" if seen.found.found or seen.docs else "there is no summary yet"
    facts: dict[str, object] = {"new": [], "edited": [], "gone": [], "read": 0}
    master = master_file.parse_master(seen.text, seen.record)
    return SynthesisDraft(master, seen.text, seen.was, title, is_same=True, facts=facts)


def _draft_title(name: str, seen: SourceState, fresh: Sequence[SessionSummary], *, full: bool) -> str:
    if full:
        return f"Synthesised {_label_count(len(fresh), 'summary', 'summaries')} from scratch into {name}"
    parts = [
        _label_count(len(some), *words)
        for some, words in (
            (seen.news.new, ("new summary", "new summaries")),
            (seen.news.edited, ("edited summary", "edited summaries")),
            (seen.news.renamed, ("renamed summary", "renamed summaries")),
            (seen.docs_news.fresh, ("document", "documents")),
            ((*seen.news.gone, *seen.docs_news.gone), ("removed source", "removed sources")),
        )
        if some
    ]
    return f"Synthesised {', '.join(parts) or 'the project as it is now'} into {name}"


def _label_count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _draft_notes(checks: dict[str, str], left: int, seen: SourceState) -> Iterator[str]:
    if checks:
        yield f"{_label_count(len(checks), 'line does', 'lines do')} not fit the project as it is now: see `(check: …)`"
    if left:
        yield f"{_label_count(left, 'line is', 'lines are')} left to the summaries alone, by master.max_lines"
    if seen.record.inherited:
        yield "the master came from elsewhere; its lines are kept"


def _draft_details(
    store: Store, seen: SourceState, fresh: Sequence[SessionSummary], made: Master, left: int, checks: dict[str, str]
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


def _summary_label(store: Store, one: SessionSummary) -> str:
    """Where a summary stands, and of which session it is when its name does not tell."""
    folder = store.layout.summaries
    place = store.relative(folder / f"{one.name}.md") if folder else one.name
    return f"{place}, session {one.session_id}" if one.session_id and one.session_id not in place else place
