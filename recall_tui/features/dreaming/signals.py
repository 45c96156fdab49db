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

from recall_tui.features.dreaming.history import LogHistory
from recall_tui.features.wiki.revisions import is_state
from recall_tui.storage.documents import period_files, wisdom_file
from recall_tui.storage.documents.changing_facts import CHANGE_PATTERN
from recall_tui.storage.documents.shared_wikis import read_wiki
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import make_slug
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import search_log
from recall_tui.storage.state.search_log import SearchLogEntry
from recall_tui.text.classify.keywords import topic_terms
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
CLUSTER_DAYS = 3
MAX_SUBJECT_WEIGHT = 20.0
"""What the sentences of a subject say from which nothing more adds to its score."""
MIN_PERIOD_QUESTIONS, MAX_PERIOD_QUESTIONS = 2, 6
GAP_DAYS, MAX_GAP_DAYS = 7, 28
MAX_PERIOD_DOCUMENTS = 31
BUSY_DAY_RATIO = 3.0
"""A day with so many times the words of the median day is a cluster."""
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
    revised: Mapping[str, int]
    """How many facts have another value in that document than before, of all time."""
    wiki: Wiki
    searches: tuple[SearchLogEntry, ...]
    wisdom: tuple[wisdom_file.WisdomEntry, ...]
    wisdom_path: str
    now: datetime
    past: LogHistory


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
        _asked_periods,
    ):
        found += read(seen)
    return tuple(sorted(found, key=lambda one: (-one.score, one.kind, one.subject)))


def _read_inputs(store: Store) -> _SignalInputs:
    logs = period_files.list_day_logs(store.layout)
    newest = max(logs, default=store.now().date())
    past = LogHistory(store)
    inside = {day: paths for day, paths in logs.items() if newest - WINDOW <= day <= newest}
    return _SignalInputs(
        {day: "\n".join(past.days[day].values()) for day in sorted(inside)},
        {day: store.relative(paths[0]) for day, paths in inside.items()},
        sorted(logs),
        _revised_documents(past),
        read_wiki(store, store.layout.wiki),
        search_log.read_searches(store, store.now() - WINDOW),
        wisdom_file.parse_wisdom(read_text(store.layout.wisdom)).entries,
        store.relative(store.layout.wisdom),
        store.now(),
        past,
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
    """People, companies and things about which enough is said for a page, and that have none."""
    known = {page.name.casefold() for page in seen.wiki.own} | set(seen.wiki.pages)
    for one in seen.past.subjects:
        if one.name.casefold() in known or make_slug(one.name) in known:
            continue
        days = len({line.day for line in one.lines})
        what = f"{len(one.lines)} sentences of {days} day{'' if days == 1 else 's'} are about it, without a page"
        documents = (line.path for line in one.lines)
        yield _make_signal("entity_cluster", one.name, min(1.0, one.weight / MAX_SUBJECT_WEIGHT), documents, what)


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
            what = f"no question of the last {WINDOW.days} days is about it"
            yield _make_signal("wisdom_drift", entry.id, 0.5, (seen.wisdom_path,), what)


def _revised_documents(past: LogHistory) -> Mapping[str, int]:
    facts = [fact.now.path for fact in past.facts if is_state(fact.now.said.text)]
    return Counter((*facts, *(one.after.path for one in past.revisions)))


def _changed_days(seen: _SignalInputs) -> Iterator[Signal]:
    """Documents in which something has another value than before, and days of late on which much was decided anew."""
    said = {seen.paths[day]: (day, text) for day, text in seen.days.items()}
    days = {path: day for day, texts in seen.past.texts.items() for path in texts}
    newest = max(days.values(), default=seen.now.date())
    for path in dict.fromkeys((*said, *seen.revised)):
        day, text = said.get(path, (days.get(path, newest), ""))
        revised = seen.revised.get(path, 0)
        if count := max(len(_CHANGE_WORDS.findall(text)), len(CHANGE_PATTERN.findall(text))) + revised:
            recency = max(0.5, 1 - 0.5 * (newest - day).days / WINDOW.days)
            score = min(1.0, count / 3) * recency
            what = f"{count} time{'' if count == 1 else 's'} something was decided or changed"
            what += f", {revised} with another value than before" if revised else ""
            yield _make_signal("supersession_signal", path, score, (path,), what)


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
            what = f"{size:,} words; the median day has {middle:,.0f}"
            yield _make_signal("temporal_cluster", seen.paths[day], score, (seen.paths[day],), what)


def _asked_periods(seen: _SignalInputs) -> Iterator[Signal]:
    """Periods that several questions ask about."""
    from recall_tui.search.time.interpret import closed_range, interpret_time

    asked: defaultdict[tuple[date, date], list[str]] = defaultdict(list)
    for row in seen.searches:
        if (meant := interpret_time(row.query, row.at)) is not None:
            asked[closed_range(meant)].append(row.query)
    for (first, last), queries in asked.items():
        if len(queries) < MIN_PERIOD_QUESTIONS:
            continue
        subject = str(first) if first == last else f"{first} to {last}"
        documents = [path for day, texts in seen.past.texts.items() if first <= day <= last for path in texts]
        what = f"asked about {len(queries)} times, {len(documents)} documents are of it"
        score = min(1.0, len(queries) / MAX_PERIOD_QUESTIONS)
        yield _make_signal("temporal_cluster", subject, score, documents[:MAX_PERIOD_DOCUMENTS], what)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
