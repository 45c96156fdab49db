"""What a memory shows that nobody asked for: signals, each with a score, from its days, its wiki and its searches.

Reading them changes nothing, and the same memory at the same time shows the same.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import Literal, NamedTuple

from recall_tui.storage.documents import period_files, wisdom_file
from recall_tui.storage.documents.changing_facts import CHANGE_PATTERN, find_changing_facts
from recall_tui.storage.documents.shared_wikis import read_wiki
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import make_slug
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import search_log
from recall_tui.storage.state.search_log import SearchLogEntry
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.mentions import BARE_NUMBER, find_names
from recall_tui.text.classify.similarity import normalize

SignalKind = Literal[
    "high_frequency",
    "null_query",
    "entity_cluster",
    "stale_memory",
    "wisdom_drift",
    "supersession_signal",
    "temporal_gap",
    "temporal_cluster",
]
WEIGHTS: Mapping[SignalKind, float] = {
    "high_frequency": 0.25,
    "null_query": 0.20,
    "entity_cluster": 0.15,
    "stale_memory": 0.15,
    "wisdom_drift": 0.25,
    "supersession_signal": 0.15,
    "temporal_gap": 0.20,
    "temporal_cluster": 0.10,
}
"""Of the published design; a gap in time weighs as one in knowledge."""
WINDOW = timedelta(days=30)
"""Before the newest day log, for what days show; before now, for what was searched."""
MIN_HIT_OVERLAP = 0.5
"""A question of which the best hit holds less, by rarity, was not answered."""
STALE_DAYS, MAX_STALE_DAYS = 90, 180
CLUSTER_DAYS, MAX_CLUSTER_DAYS = 3, 9
GAP_DAYS, MAX_GAP_DAYS = 7, 28
BUSY_DAY_RATIO = 3.0
"""A day that says so many times what a day in the middle says is a cluster."""
MIN_DRIFT_QUERIES = 10
_CHANGE_WORDS = re.compile(
    r"\b(?:decided (?:to|on|against)|switched (?:to|from)|chose .{1,60}? over|changed (?:my|our|their|his|her) mind"
    r"|reversed|corrected|no longer|replaced .{1,60}? with|(?:up|down)graded from|deprecated|retired"
    r"|instead of|moved from)\b",
    re.IGNORECASE,
)


class Signal(NamedTuple):
    """One thing that is worth a look."""

    kind: SignalKind
    subject: str
    """What it is about: a document, a question, a name, an entry."""
    score: float
    """From 0 to 1, times the weight of its kind."""
    documents: tuple[str, ...]
    """Relative to the memory's root."""
    description: str
    """For a person."""


class _SignalInputs(NamedTuple):
    """What signals are read from."""

    days: Mapping[date, str]
    """The text of each day in the window, oldest first."""
    paths: Mapping[date, str]
    every_day: Sequence[date]
    revised: Mapping[date, int]
    """How many facts have another value on that day than before."""
    wiki: Wiki
    searches: tuple[SearchLogEntry, ...]
    wisdom: tuple[wisdom_file.WisdomEntry, ...]
    wisdom_path: str
    now: datetime


def find_signals(store: Store) -> tuple[Signal, ...]:
    """All signals, the strongest first."""
    seen = _read_inputs(store)
    found: list[Signal] = []
    for read in (
        _frequent_documents,
        _unanswered_questions,
        _missing_entities,
        _stale_pages,
        _unused_wisdom,
        _changed_days,
        _day_gaps,
        _busy_days,
    ):
        found += read(seen)
    return tuple(sorted(found, key=lambda one: (-one.score, one.kind, one.subject)))


def _read_inputs(store: Store) -> _SignalInputs:
    logs = period_files.list_day_logs(store.layout)
    newest = max(logs, default=store.now().date())
    texts = {day: {store.relative(path): read_text(path) for path in paths} for day, paths in logs.items()}
    inside = {day: paths for day, paths in logs.items() if newest - WINDOW <= day <= newest}
    return _SignalInputs(
        {day: "\n".join(texts[day].values()) for day in sorted(inside)},
        {day: store.relative(paths[0]) for day, paths in inside.items()},
        sorted(logs),
        Counter(fact.now.day for fact in find_changing_facts(texts)),
        read_wiki(store, store.layout.wiki),
        search_log.read_searches(store, store.now() - WINDOW),
        wisdom_file.parse_wisdom(read_text(store.layout.wisdom)).entries,
        store.relative(store.layout.wisdom),
        store.now(),
    )


def _make_signal(kind: SignalKind, subject: str, score: float, documents: Iterable[str], description: str) -> Signal:
    return Signal(kind, subject, round(score * WEIGHTS[kind], 4), tuple(dict.fromkeys(documents)), description)


def _frequent_documents(seen: _SignalInputs) -> Iterator[Signal]:
    """Documents that are found again and again, by different questions."""
    hits: Counter[str] = Counter()
    questions: defaultdict[str, set[str]] = defaultdict(set)
    for row in seen.searches:
        for document in dict.fromkeys(row.results):
            hits[document] += 1
            questions[document].add(normalize(row.query))
    if not hits:
        return
    most, widest = max(hits.values()), max(map(len, questions.values()))
    for document, count in hits.items():
        score = 0.5 * count / most + 0.5 * len(questions[document]) / widest
        if count > 1 and score > 0.2:
            yield _make_signal(
                "high_frequency",
                document,
                score,
                (document,),
                f"found {count} times by {len(questions[document])} questions",
            )


def _unanswered_questions(seen: _SignalInputs) -> Iterator[Signal]:
    """Questions that were asked twice and more, and never answered well."""
    asked: defaultdict[str, list[SearchLogEntry]] = defaultdict(list)
    for row in seen.searches:
        asked[normalize(row.query)].append(row)
    for rows in asked.values():
        mean = sum(row.best for row in rows) / len(rows)
        if len(rows) >= 2 and mean < MIN_HIT_OVERLAP:
            score = min(1.0, len(rows) / 5) * (1 - mean)
            found = (document for row in rows for document in row.results[:2])
            description = f"asked {len(rows)} times, and the best hit held {mean:.0%} of it"
            yield _make_signal("null_query", rows[-1].query, score, found, description)


def _missing_entities(seen: _SignalInputs) -> Iterator[Signal]:
    """People, companies and things that are spoken of on several days and have no page."""
    days: defaultdict[str, list[date]] = defaultdict(list)
    for day, text in seen.days.items():
        for name in find_names(text):
            days[name].append(day)
    known = {page.name.casefold() for page in seen.wiki.own} | set(seen.wiki.pages)
    for name, when in days.items():
        if (
            len(when) < CLUSTER_DAYS
            or BARE_NUMBER.fullmatch(name)
            or name.casefold() in known
            or make_slug(name) in known
        ):
            continue
        score = min(1.0, len(when) / MAX_CLUSTER_DAYS)
        documents = (seen.paths[day] for day in when)
        yield _make_signal("entity_cluster", name, score, documents, f"spoken of on {len(when)} days, without a page")


def _stale_pages(seen: _SignalInputs) -> Iterator[Signal]:
    """Pages of projects and references that nobody touched for long."""
    for slug, page in seen.wiki.pages.items():
        if page.redirect_to or page.category not in ("project", "reference") or not page.updated:
            continue
        age = (seen.now.date() - date.fromisoformat(page.updated)).days if _is_day(page.updated) else 0
        if age > STALE_DAYS:
            sources = (source.ref.document for source in page.sources)
            yield _make_signal("stale_memory", slug, min(1.0, age / MAX_STALE_DAYS), sources, f"updated {age} days ago")


def _unused_wisdom(seen: _SignalInputs) -> Iterator[Signal]:
    """Entries of WISDOM.md that no question of late comes near."""
    if len(seen.searches) <= MIN_DRIFT_QUERIES:
        return
    asked = [frozenset(topic_terms(row.query)) for row in seen.searches]
    for entry in seen.wisdom:
        words = frozenset(topic_terms(entry.claim))
        if words and not any(len(words & one) >= 2 for one in asked):
            what = f"no question of the last {WINDOW.days} days comes near it"
            yield _make_signal("wisdom_drift", entry.id, 0.5, (seen.wisdom_path,), what)


def _changed_days(seen: _SignalInputs) -> Iterator[Signal]:
    """Days on which something was decided anew, or has another value than on an earlier day."""
    if not seen.days:
        return
    newest = max(seen.days)
    for day, text in seen.days.items():
        revised = seen.revised[day]
        if count := max(len(_CHANGE_WORDS.findall(text)), len(CHANGE_PATTERN.findall(text))) + revised:
            recency = 1 - 0.5 * (newest - day).days / WINDOW.days
            score = min(1.0, count / 3) * recency
            what = f"{count} time{'' if count == 1 else 's'} something was decided or changed"
            what += f", {revised} with another value than before" if revised else ""
            yield _make_signal("supersession_signal", seen.paths[day], score, (seen.paths[day],), what)


def _day_gaps(seen: _SignalInputs) -> Iterator[Signal]:
    """Stretches of days without a log, between days that have one."""
    for before, after in pairwise(seen.every_day):
        missing = (after - before).days - 1
        if missing >= GAP_DAYS and after >= seen.every_day[-1] - WINDOW:
            subject = f"{before + timedelta(days=1)} to {after - timedelta(days=1)}"
            ends = (seen.paths[day] for day in (before, after) if day in seen.paths)
            what = f"{missing} days without a log"
            yield _make_signal("temporal_gap", subject, min(1.0, missing / MAX_GAP_DAYS), ends, what)


def _busy_days(seen: _SignalInputs) -> Iterator[Signal]:
    """Days that say far more than the others."""
    sizes = {day: len(text.split()) for day, text in seen.days.items()}
    if len(sizes) < CLUSTER_DAYS:
        return
    middle = median(sizes.values())
    for day, size in sizes.items():
        if middle and size >= BUSY_DAY_RATIO * middle:
            score = min(1.0, size / middle / (2 * BUSY_DAY_RATIO))
            what = f"{size} words, where a day in the middle has {middle:.0f}"
            yield _make_signal("temporal_cluster", seen.paths[day], score, (seen.paths[day],), what)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
