"""Dreaming: what a memory shows becomes proposals, in three phases that can each be run alone, looked at and resumed.

Nothing of it changes a document: the wiki's pages wait in review, and what was found is told in a diary. What one phase
came to is put away before the next begins, so that a dream that was cut short goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from recall_tui.features.dreaming import diary as dream_diary
from recall_tui.features.dreaming import duplicates as dream_merge
from recall_tui.features.dreaming import model as dream_model
from recall_tui.features.dreaming import state as dream_state
from recall_tui.features.dreaming import wisdom_patches as dream_wisdom
from recall_tui.features.dreaming.offline import Past, operations
from recall_tui.features.dreaming.proposals import proposals_of
from recall_tui.features.dreaming.signals import WINDOW, Signal, signals
from recall_tui.features.dreaming.state import Analysis, Dreaming, Insight, Untold
from recall_tui.features.wiki import page_changes as verbs
from recall_tui.llm.client import Calls, together
from recall_tui.llm.model import Failure, never
from recall_tui.memory import Memory
from recall_tui.storage.documents import identity
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.files import atomic
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals, search_log
from recall_tui.storage.state.proposals import Proposal
from recall_tui.text.classify.similarity import normal
from recall_tui.text.dates import parse_time

if TYPE_CHECKING:
    from recall_tui.domain import Plan

MOST = 20
"""Signals that one dream looks into; the others wait for the next."""
_NAMES = "names"
"""What the pages' names showed, among the analyses."""
Phase = Literal["gather", "analyze", "write"]
Told = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Dreamt:
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


class Status(NamedTuple):
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


def session(
    memory: Memory, most: int = MOST, is_stopped: Callable[[], bool] = never, told: Told | None = None
) -> Dreamt:
    """All three phases and the diary.

    One that was cut short is gone on with: what was analysed is not analysed again, what was proposed is told once.
    """
    with dream_state.alone(memory):
        tell(memory)
        gather(memory)
        analyze(memory, most, told or (lambda done, total: None), is_stopped)
        dreamt = write(memory)
        tell(memory)
    return dreamt


def gather(store: Store) -> tuple[Signal, ...]:
    """Read the signals anew and put them away; what was analysed of older ones waits to be written all the same."""
    found = shown(store)
    dream_state.put(store, dream_state.CANDIDATES, [one._asdict() for one in found])
    return found


def shown(store: Store) -> tuple[Signal, ...]:
    """What the memory shows now, without what a model was shown already as it is; nothing is put away."""
    settled = dream_state.load(store).settled
    past, wiki = (Past(store), verbs.wiki_of(store)) if settled else (None, None)
    return tuple(
        one
        for one in signals(store)
        if past is None
        or wiki is None
        or (was := settled.get(_key(one))) is None
        or dream_model.question(store, one, past, wiki).digest != was
    )


def analyze(
    store: Store,
    most: int = MOST,
    told: Told = lambda done, total: None,
    is_stopped: Callable[[], bool] = never,
) -> None:
    """Turn the strongest signals into operations, each put away as soon as it is done; those that are done stay done.

    With a model each is asked about once; where it fails the signal comes to what it does without one.
    """
    calls = Calls(store, is_stopped)
    is_offered = calls.is_offered("dream")
    work = _Work(store, Past(store), verbs.wiki_of(store), calls, is_offered)
    kept = dream_state.load(store)
    waiting = list(islice((one for one in gathered(store) if _key(one) not in kept.analyses), most))
    jobs: list[tuple[str, Callable[[], Analysis | None]]] = [(_key(one), work.signal(one)) for one in waiting]
    jobs += work.pairs(kept)
    for done, (job, made) in enumerate(
        together(lambda job: job[1](), jobs, store.config.whole("llm.concurrency"), is_stopped), 1
    ):
        if made is not None:
            _keep(store, job[0], made)
        told(done, len(jobs))
    if is_offered and not is_stopped():
        _wisdom(work)


def write(store: Store) -> Dreamt:
    """Put what was analysed into review, and have the diary tell of it; the signals that it came from are settled."""
    kept = dream_state.load(store)
    # Signals are analysed side by side: the order in which they ended says nothing.
    analyses = [kept.analyses[key] for key in sorted(kept.analyses)]
    made = [*proposals_of(store, (one for analysis in analyses for one in analysis.operations))]
    patches = [patch for analysis in analyses for patch in analysis.patches]
    if patches and (wisdom := dream_wisdom.proposal(store, patches)):
        made.append(wisdom)
    put = tuple(one for proposal in made if (one := proposals.put(store, proposal)))
    signalled = {_key(one): one for one in gathered(store)}
    looked_into = [signalled[key] for key in kept.analyses if key in signalled]
    dreamt = _dreamt(kept, len([key for key in kept.analyses if key in signalled]), put)
    rest = [one._asdict() for key, one in signalled.items() if key not in kept.analyses]
    entry = dream_diary.entry(store.now().date(), dreamt, looked_into) if kept.analyses else ""
    told = {key: one.digest for key, one in kept.analyses.items() if one.is_told and one.digest}
    untold = Untold(entry, atomic.digest_of(store.layout.dreams)) if entry else kept.untold
    dream_state.put(store, dream_state.CANDIDATES, rest)
    dream_state.save(store, Dreaming({}, {**kept.settled, **told}, untold))
    state = {
        "lastRun": store.now().isoformat(),
        "lastCandidatesExamined": dreamt.signals,
        "lastInsightsGenerated": len(dreamt.insights),
    }
    dream_state.put(store, dream_state.STATE, state)
    return dreamt


def tell(memory: Memory) -> None:
    """Write what is untold into DREAMS.md, once."""
    if dream_state.load(memory).untold is not None:
        memory.commit(diary, by="schedule")
        dream_state.save(memory, replace(dream_state.load(memory), untold=None))


def diary(store: Store) -> Plan:
    """The plan that tells of the last dream in DREAMS.md; nothing when it is told."""
    return dream_diary.plan(store, dream_state.load(store).untold)


def gathered(store: Store) -> tuple[Signal, ...]:
    """The signals that wait, the strongest first."""
    rows = dream_state.get(store, dream_state.CANDIDATES)
    found = []
    for row in rows if isinstance(rows, list) else []:
        try:
            found.append(Signal(**{**row, "documents": tuple(row["documents"])}))
        except (TypeError, KeyError):
            continue
    return tuple(found)


def status(store: Store) -> Status:
    """When the last dream was, and what waits."""
    state = dream_state.get(store, dream_state.STATE)
    last = parse_time(str(state.get("lastRun") or "")) if isinstance(state, dict) else None
    kept = dream_state.load(store)
    rows = search_log.read(store, datetime.min.replace(tzinfo=store.now().tzinfo))
    recent = sum(row.at >= store.now() - WINDOW for row in rows)
    waiting = sum(_key(one) not in kept.analyses for one in gathered(store))
    return Status(last, waiting, recent, len(kept.analyses), rows[0].at if rows else None)


class _Work(NamedTuple):
    """What signals are looked into with."""

    store: Store
    past: Past
    wiki: Wiki
    calls: Calls
    is_offered: bool

    def signal(self, signal: Signal) -> Callable[[], Analysis | None]:
        """The work on a signal; None comes of it when it was stopped."""

        def do() -> Analysis | None:
            offline = Analysis(tuple(operations(self.store, signal, self.past, self.wiki)))
            if not self.is_offered:
                return offline
            asked = dream_model.question(self.store, signal, self.past, self.wiki)
            if not asked.lines:
                return offline
            who = identity.read(self.store)
            return self._or(dream_model.analysis(self.store, self.calls, asked, self.wiki, who), offline)

        return do

    def pairs(self, kept: Dreaming) -> Iterator[tuple[str, Callable[[], Analysis | None]]]:
        """The work on pages that may be one: by their names, and of the rest a few that a model is asked about."""
        alike = tuple(dream_merge.alike_by_name(self.wiki))
        if alike:
            yield _NAMES, lambda: Analysis(alike)
        pairs = dream_merge.alike_by_sources(self.wiki) if self.is_offered else ()
        new = [one for one in pairs if one.key not in kept.analyses and kept.settled.get(one.key) != one.digest]
        for pair in new[: dream_merge.MOST_VERDICTS]:
            yield pair.key, partial(self.pair, pair)

    def pair(self, pair: dream_merge.Pair) -> Analysis | None:
        """The work on two pages that may be one."""
        return self._or(dream_merge.verdict(self.store, self.calls, pair), Analysis())

    def _or(self, said: Analysis | Failure, offline: Analysis) -> Analysis | None:
        """What the model said, else what there is without it; None when it was stopped."""
        if not isinstance(said, Failure):
            return said
        return None if said.reason == "cancelled" else replace(offline, failed=said.reason)


def _wisdom(work: _Work) -> None:
    """Ask what the session means for WISDOM.md, when it was not asked yet."""
    kept = dream_state.load(work.store)
    if dream_wisdom.KEY in kept.analyses:
        return
    who = identity.read(work.store)
    said = dream_wisdom.analysis(work.store, work.calls, kept.analyses.values(), work.wiki, who)
    if isinstance(said, Failure):
        said = None if said.reason == "cancelled" else Analysis(failed=said.reason)
    if said is not None:
        _keep(work.store, dream_wisdom.KEY, said)


def _keep(store: Store, key: str, made: Analysis) -> None:
    kept = dream_state.load(store)
    dream_state.save(store, replace(kept, analyses={**kept.analyses, key: made}))


def _dreamt(kept: Dreaming, examined: int, put: tuple[Proposal, ...]) -> Dreamt:
    analyses = kept.analyses
    return Dreamt(
        examined,
        put,
        _once(one for row in analyses.values() for one in row.insights),
        _once(one for row in analyses.values() for one in row.contradictions),
        _once(one for row in analyses.values() for one in row.gaps),
        tuple(f"{key}: {row.failed}" for key, row in analyses.items() if row.failed),
        tuple(f"{key}: {note}" for key, row in analyses.items() for note in row.notes),
        sum(row.is_told for row in analyses.values()),
    )


def _once(found: Iterable[Insight]) -> tuple[Insight, ...]:
    """What several signals came to, each thing once."""
    first: dict[str, Insight] = {}
    for one in found:
        first.setdefault(normal(one.text), one)
    return tuple(first.values())


def _key(signal: Signal) -> str:
    return f"{signal.kind} {signal.subject}"
