"""Dreaming: what a memory shows becomes proposals, in three phases that can each be run alone, looked at and resumed.

Nothing of it changes a document: the wiki's pages wait in review, and what was found is told in a diary. What one phase
came to is put away before the next begins, so that a dream that was cut short goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from itertools import islice
from typing import NamedTuple

from recall_tui.domain import Append, Create, Plan
from recall_tui.features.dreaming import duplicates, wisdom_patches
from recall_tui.features.dreaming import model as dream_model
from recall_tui.features.dreaming import state as dream_state
from recall_tui.features.dreaming.history import LogHistory
from recall_tui.features.dreaming.offline import signal_operations
from recall_tui.features.dreaming.proposals import MAX_NEW_PAGES, build_proposals
from recall_tui.features.dreaming.signals import WINDOW, Signal, find_signals
from recall_tui.features.dreaming.state import DreamState, Insight, PendingDiaryEntry, SignalAnalysis, WikiOperation
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki.subjects import MIN_SENTENCES, find_unproposed
from recall_tui.llm.client import ModelClient, run_concurrently
from recall_tui.llm.model import Failure, never_cancelled
from recall_tui.memory import Memory
from recall_tui.storage.documents import identity
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.files import atomic
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals, search_log
from recall_tui.storage.state.proposals import Proposal
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.cut import one_line
from recall_tui.text.dates import parse_time

MAX_SIGNALS = 20
"""Signals that one dream looks into; the others wait for the next."""
_NAMES_KEY = "names"
"""What the pages' names showed, among the analyses."""
ProgressCallback = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class DreamResult:
    """What a dream came to."""

    signals: int = 0
    """Signals that were looked into."""
    proposed: tuple[Proposal, ...] = ()
    insights: tuple[Insight, ...] = ()
    contradictions: tuple[Insight, ...] = ()
    gaps: tuple[Insight, ...] = ()
    failed: tuple[str, ...] = ()
    """Signals that a model was asked about in vain, each with why."""
    notes: tuple[str, ...] = ()
    """What was left out of answers."""
    calls: int = 0
    """Signals and pages that a model told."""


class DreamStatus(NamedTuple):
    """How dreaming stands."""

    last_run: datetime | None
    waiting: int
    """Signals that no dream looked into yet."""
    searches: int
    """Questions that were logged in the last days."""
    analysed: int = 0
    """Signals that were looked into, and what they came to is not written yet."""
    oldest_search: datetime | None = None
    """When the first of all questions in the log was asked."""
    signals: tuple[Signal, ...] = ()
    """Those that wait, the strongest first."""


def run_session(
    memory: Memory,
    most: int = MAX_SIGNALS,
    is_stopped: Callable[[], bool] = never_cancelled,
    told: ProgressCallback | None = None,
    most_pages: int = MAX_NEW_PAGES,
) -> DreamResult:
    """All three phases and the diary.

    One that was cut short is gone on with: what was analysed is not analysed again, what was proposed is told once.
    """
    with dream_state.dream_lock(memory):
        write_diary(memory)
        gather_signals(memory)
        analyze_signals(memory, most, told or (lambda done, total: None), is_stopped)
        dreamt = write_proposals(memory, most_pages)
        write_diary(memory)
    return dreamt


def gather_signals(store: Store) -> tuple[Signal, ...]:
    """Read the signals anew and put them away; what was analysed of older ones waits to be written all the same."""
    found = new_signals(store)
    dream_state.save_file(store, dream_state.CANDIDATES_FILE, [one._asdict() for one in found])
    return found


def new_signals(store: Store) -> tuple[Signal, ...]:
    """What the memory shows now, without what a model was shown already as it is; nothing is put away."""
    settled = dream_state.load_state(store).settled
    past, wiki = (LogHistory(store), page_changes.open_wiki(store)) if settled else (None, None)
    return tuple(
        one
        for one in find_signals(store)
        if past is None
        or wiki is None
        or (was := settled.get(_signal_key(one))) is None
        or dream_model.build_prompt(store, one, past, wiki).digest != was
    )


def analyze_signals(
    store: Store,
    most: int = MAX_SIGNALS,
    told: ProgressCallback = lambda done, total: None,
    is_stopped: Callable[[], bool] = never_cancelled,
) -> None:
    """Turn the strongest signals into operations, each put away as soon as it is done; those that are done stay done.

    With a model each is asked about once; where it fails the signal comes to what it does without one.
    """
    calls = ModelClient(store, is_stopped)
    is_offered = calls.is_offered("dream")
    work = _DreamContext(store, LogHistory(store), page_changes.open_wiki(store), calls, is_offered)
    kept = dream_state.load_state(store)
    waiting = list(islice((one for one in load_signals(store) if _signal_key(one) not in kept.analyses), most))
    jobs: list[tuple[str, Callable[[], SignalAnalysis | None]]] = [
        (_signal_key(one), work.signal(one)) for one in waiting
    ]
    jobs += work.pairs(kept)
    for done, (job, made) in enumerate(
        run_concurrently(lambda job: job[1](), jobs, store.config.whole("llm.concurrency"), is_stopped), 1
    ):
        if made is not None:
            _save_analysis(store, job[0], made)
        told(done, len(jobs))
    if is_offered and not is_stopped():
        _analyze_wisdom(work)


def write_proposals(store: Store, most: int = MAX_NEW_PAGES) -> DreamResult:
    """Put what was analysed into review, and have the diary tell of it; the signals that it came from are settled."""
    kept = dream_state.load_state(store)
    # Signals are analysed side by side: the order in which they ended says nothing.
    analyses = [kept.analyses[key] for key in sorted(kept.analyses)]
    operations = [one for analysis in analyses for one in analysis.operations]
    made = [*build_proposals(store, operations, most)]
    patches = [patch for analysis in analyses for patch in analysis.patches]
    if patches and (wisdom := wisdom_patches.build_proposal(store, patches)):
        made.append(wisdom)
    put = tuple(one for proposal in made if (one := proposals.save(store, proposal)))
    signalled = {_signal_key(one): one for one in load_signals(store)}
    looked_into = [signalled[key] for key in kept.analyses if key in signalled]
    dreamt = _dream_result(kept, len([key for key in kept.analyses if key in signalled]), put)
    dreamt = replace(dreamt, notes=(*dreamt.notes, *_omission_notes(store, operations, made)))
    rest = [one._asdict() for key, one in signalled.items() if key not in kept.analyses]
    entry = render_entry(store.now().date(), dreamt, looked_into) if kept.analyses else ""
    told = {key: one.digest for key, one in kept.analyses.items() if one.is_told and one.digest}
    untold = PendingDiaryEntry(entry, atomic.file_digest(store.layout.dreams)) if entry else kept.untold
    dream_state.save_file(store, dream_state.CANDIDATES_FILE, rest)
    dream_state.save_state(store, DreamState({}, {**kept.settled, **told}, untold))
    state = {
        "lastRun": store.now().isoformat(),
        "lastCandidatesExamined": dreamt.signals,
        "lastInsightsGenerated": len(dreamt.insights),
    }
    dream_state.save_file(store, dream_state.STATE_FILE, state)
    return dreamt


def write_diary(memory: Memory) -> None:
    """Write what is untold into DREAMS.md, once."""
    if dream_state.load_state(memory).untold is not None:
        memory.commit(plan_diary, by="schedule")
        dream_state.save_state(memory, replace(dream_state.load_state(memory), untold=None))


def plan_diary(store: Store) -> Plan:
    """The plan that tells of the last dream in DREAMS.md; nothing when it is told."""
    return plan_entry(store, dream_state.load_state(store).untold)


def load_signals(store: Store) -> tuple[Signal, ...]:
    """The signals that wait, the strongest first."""
    rows = dream_state.load_file(store, dream_state.CANDIDATES_FILE)
    found = []
    for row in rows if isinstance(rows, list) else []:
        try:
            found.append(Signal(**{**row, "documents": tuple(row["documents"])}))
        except (TypeError, KeyError):
            continue
    return tuple(found)


def dream_status(store: Store) -> DreamStatus:
    """When the last dream was, and what waits."""
    state = dream_state.load_file(store, dream_state.STATE_FILE)
    last = parse_time(str(state.get("lastRun") or "")) if isinstance(state, dict) else None
    kept = dream_state.load_state(store)
    rows = search_log.read_searches(store, datetime.min.replace(tzinfo=store.now().tzinfo))
    recent = sum(row.at >= store.now() - WINDOW for row in rows)
    waiting = tuple(one for one in load_signals(store) if _signal_key(one) not in kept.analyses)
    return DreamStatus(last, len(waiting), recent, len(kept.analyses), rows[0].at if rows else None, waiting)


def _omission_notes(store: Store, operations: Sequence[WikiOperation], made: Sequence[Proposal]) -> Iterator[str]:
    """Why pages are not proposed that a reader might look for."""
    if not operations:
        names = find_unproposed(LogHistory(store).said)
        if names:
            yield (
                f"{len(names)} names have no page, since fewer than {MIN_SENTENCES} sentences say something about each:"
                f" {', '.join(names[:5])}"
            )
    wiki = page_changes.open_wiki(store)
    proposed = {change.path for one in made for change in one.changes}
    waiting = {
        one.name
        for one in operations
        if one.action == "page" and not wiki.holds(one.slug) and store.relative(wiki.path(one.slug)) not in proposed
    }
    if waiting:
        yield f"{len(waiting)} more pages wait for the next dream, or say too little: {', '.join(sorted(waiting)[:5])}"


class _DreamContext(NamedTuple):
    """What signals are looked into with."""

    store: Store
    past: LogHistory
    wiki: Wiki
    calls: ModelClient
    is_offered: bool

    def signal(self, signal: Signal) -> Callable[[], SignalAnalysis | None]:
        """The work on a signal; None comes of it when it was stopped."""

        def do() -> SignalAnalysis | None:
            offline = SignalAnalysis(tuple(signal_operations(self.store, signal, self.past, self.wiki)))
            if not self.is_offered:
                return offline
            asked = dream_model.build_prompt(self.store, signal, self.past, self.wiki)
            if not asked.lines:
                return offline
            who = identity.read_identity(self.store)
            return self._or(dream_model.analyze_signal(self.store, self.calls, asked, self.wiki, who), offline)

        return do

    def pairs(self, kept: DreamState) -> Iterator[tuple[str, Callable[[], SignalAnalysis | None]]]:
        """The work on pages that may be one: by their names, and of the rest a few that a model is asked about."""
        alike = tuple(duplicates.similar_names(self.wiki))
        if alike:
            yield _NAMES_KEY, lambda: SignalAnalysis(alike)
        pairs = duplicates.similar_sources(self.wiki) if self.is_offered else ()
        new = [one for one in pairs if one.key not in kept.analyses and kept.settled.get(one.key) != one.digest]
        for pair in new[: duplicates.MAX_VERDICTS]:
            yield pair.key, partial(self.pair, pair)

    def pair(self, pair: duplicates.PagePair) -> SignalAnalysis | None:
        """The work on two pages that may be one."""
        return self._or(duplicates.ask_verdict(self.store, self.calls, pair), SignalAnalysis())

    def _or(self, said: SignalAnalysis | Failure, offline: SignalAnalysis) -> SignalAnalysis | None:
        """What the model said, else what there is without it; None when it was stopped."""
        if not isinstance(said, Failure):
            return said
        return None if said.reason == "cancelled" else replace(offline, failed=said.reason)


def _analyze_wisdom(work: _DreamContext) -> None:
    """Ask what the session means for WISDOM.md, when it was not asked yet."""
    kept = dream_state.load_state(work.store)
    if wisdom_patches.WISDOM_KEY in kept.analyses:
        return
    who = identity.read_identity(work.store)
    said = wisdom_patches.analyze_wisdom(work.store, work.calls, kept.analyses.values(), work.wiki, who)
    if isinstance(said, Failure):
        said = None if said.reason == "cancelled" else SignalAnalysis(failed=said.reason)
    if said is not None:
        _save_analysis(work.store, wisdom_patches.WISDOM_KEY, said)


def _save_analysis(store: Store, key: str, made: SignalAnalysis) -> None:
    kept = dream_state.load_state(store)
    dream_state.save_state(store, replace(kept, analyses={**kept.analyses, key: made}))


def _dream_result(kept: DreamState, examined: int, put: tuple[Proposal, ...]) -> DreamResult:
    analyses = kept.analyses
    return DreamResult(
        examined,
        put,
        _unique_insights(one for row in analyses.values() for one in row.insights),
        _unique_insights(one for row in analyses.values() for one in row.contradictions),
        _unique_insights(one for row in analyses.values() for one in row.gaps),
        tuple(f"{key}: {row.failed}" for key, row in analyses.items() if row.failed),
        tuple(f"{key}: {note}" for key, row in analyses.items() for note in row.notes),
        sum(row.is_told for row in analyses.values()),
    )


def _unique_insights(found: Iterable[Insight]) -> tuple[Insight, ...]:
    """What several signals came to, each thing once."""
    first: dict[str, Insight] = {}
    for one in found:
        first.setdefault(normalize(one.text), one)
    return tuple(first.values())


def _signal_key(signal: Signal) -> str:
    return f"{signal.kind} {signal.subject}"


_GAP_SIGNALS = ("null_query", "temporal_gap")
_REVIEW_SIGNALS = ("stale_memory", "wisdom_drift", "high_frequency")


def render_entry(day: date, dreamt: DreamResult, looked_into: Sequence[Signal]) -> str:
    """What a dream came to, as the diary tells it."""
    counts = f"Candidates examined: {dreamt.signals}\n\nLLM calls: {dreamt.calls}\n"
    parts = [f"## {day}\n\n{counts}"]
    gaps = [f"{one.subject}: {one.description}" for one in looked_into if one.kind in _GAP_SIGNALS]
    others = [f"{one.subject}: {one.description}" for one in looked_into if one.kind in _REVIEW_SIGNALS]
    for title, rows in (
        ("Insights Generated", map(_insight_row, dreamt.insights)),
        ("Contradictions", map(_insight_row, dreamt.contradictions)),
        ("Gaps Identified", [*gaps, *map(_insight_row, dreamt.gaps)]),
        ("Wiki Updates", [f"{one.title}: {one.why}" for one in dreamt.proposed]),
        ("Worth a look", others),
        ("Without a model", dreamt.failed),
        ("Left out", dreamt.notes),
    ):
        listed = "".join(f"- {one_line(row)}\n" for row in rows)
        if listed:
            parts.append(f"\n### {title}\n\n{listed}")
    return "".join((*parts, "\n---\n"))


def plan_entry(store: Store, untold: PendingDiaryEntry | None) -> Plan:
    """The plan that adds what is untold; none when the diary has it already."""
    path = store.layout.dreams
    held = read_text(path)
    if untold is None or (untold.entry in held and atomic.file_digest(path) != untold.was):
        return Plan("the diary is up to date")
    edit = Append(path, f"\n{untold.entry}") if held else Create(path, f"# Dream Diary\n\n{untold.entry}")
    return Plan("Dreamt", (edit,))


def _insight_row(one: Insight) -> str:
    return f"{one.text} ({', '.join(one.evidence)})" if one.evidence else one.text
