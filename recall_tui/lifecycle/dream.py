"""Dreaming: what a memory shows becomes proposals, in three phases that can each be run alone, looked at and resumed.

Nothing of it changes a document: the wiki's pages wait in review, and what was found is told in a diary.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from recall_tui.domain import Append, Create, Plan
from recall_tui.lifecycle import wiki as verbs
from recall_tui.lifecycle.dream_signals import WINDOW, Signal, signals
from recall_tui.lifecycle.trajectory import with_trajectories
from recall_tui.storage import atomic, dated_pages, proposals, search_log
from recall_tui.storage.atomic import read_text
from recall_tui.storage.dated_facts import Fact, facts
from recall_tui.storage.proposals import Change, Proposal
from recall_tui.storage.statements import statements
from recall_tui.storage.store import Store
from recall_tui.storage.wiki_page import Category, Source, Superseded, render, slug_of
from recall_tui.text.dates import parse_time

FOLDER = "dreams"
MOST = 20
"""Signals that one dream looks into; the others wait for the next."""
_STATE = "dream-state.json"
_GATHERED = "candidates.json"
_ANALYZED = "operations.json"
_MOST_STATEMENTS = 6
"""Of a page that is begun."""
Phase = Literal["gather", "analyze", "write"]


class Operation(NamedTuple):
    """One thing to do with the wiki."""

    slug: str
    category: Category
    name: str
    why: str
    lines: tuple[tuple[str, str, int, int], ...]
    """What the page says: each statement with its document, first and last line."""
    superseded: tuple[Superseded, ...] = ()


@dataclass(frozen=True, slots=True)
class Dreamt:
    """What a dream came to."""

    signals: tuple[Signal, ...] = ()
    operations: tuple[Operation, ...] = ()
    proposed: tuple[Proposal, ...] = ()


class Status(NamedTuple):
    """How dreaming stands."""

    last_run: datetime | None
    waiting: int
    """Signals that no dream looked into yet."""
    searches: int
    """Questions that were logged in the last days."""


def gather(store: Store) -> tuple[Signal, ...]:
    """Read the signals anew and put them away; what was analysed of older ones is forgotten."""
    found = signals(store)
    _put(store, _GATHERED, [one._asdict() for one in found])
    _drop(store, _ANALYZED)
    return found


def analyze(store: Store, most: int = MOST, told: Callable[[int, int], None] = lambda done, total: None) -> None:
    """Turn the strongest signals into operations, one after the other; those that are done are not done again."""
    waiting = gathered(store)[:most]
    done = _done(store)
    known = _dated_facts(store)
    for number, signal in enumerate(waiting, 1):
        key = f"{signal.kind} {signal.subject}"
        if key not in done:
            done[key] = [_told(operation) for operation in _operations(store, signal, known)]
            _put(store, _ANALYZED, done)
        told(number, len(waiting))


def write(store: Store) -> tuple[Proposal, ...]:
    """Put what was analysed into review; the signals that it came from are settled."""
    made: list[Proposal] = []
    done = _done(store)
    for operation in _unique(operation for rows in done.values() for operation in map(_read, rows)):
        if (proposal := _proposal(store, operation)) and (put := proposals.put(store, proposal)):
            made.append(put)
    rest = [one._asdict() for one in gathered(store) if f"{one.kind} {one.subject}" not in done]
    _put(store, _GATHERED, rest)
    _drop(store, _ANALYZED)
    _put(store, _STATE, {"lastRun": store.now().isoformat(), "lastCandidatesExamined": len(done)})
    return tuple(made)


def gathered(store: Store) -> tuple[Signal, ...]:
    """The signals that wait, the strongest first."""
    rows = _get(store, _GATHERED)
    found = []
    for row in rows if isinstance(rows, list) else []:
        try:
            found.append(Signal(**{**row, "documents": tuple(row["documents"])}))
        except (TypeError, KeyError):
            continue
    return tuple(found)


def status(store: Store) -> Status:
    """When the last dream was, and what waits."""
    state = _get(store, _STATE)
    last = parse_time(str(state.get("lastRun") or "")) if isinstance(state, dict) else None
    return Status(last, len(gathered(store)), len(search_log.read(store, store.now() - WINDOW)))


def diary(store: Store, dreamt: Dreamt) -> Plan:
    """The plan that tells of the dream in DREAMS.md."""
    path = store.layout.dreams
    text = _entry(store.now().date(), dreamt)
    held = read_text(path)
    edit = Append(path, f"\n{text}") if held else Create(path, f"# Dream Diary\n\n{text}")
    return Plan(f"Dreamt: {len(dreamt.signals)} signals, {len(dreamt.proposed)} proposals", (edit,))


def _entry(day: date, dreamt: Dreamt) -> str:
    parts = [f"## {day}\n\nCandidates examined: {len(dreamt.signals)}\n\nLLM calls: 0\n"]
    gaps = [one for one in dreamt.signals if one.kind in ("null_query", "temporal_gap")]
    others = [one for one in dreamt.signals if one.kind in ("stale_memory", "wisdom_drift", "high_frequency")]
    for title, rows in (
        ("Wiki Updates", [f"{one.title}: {one.why}" for one in dreamt.proposed]),
        ("Gaps Identified", [f"{one.subject}: {one.description}" for one in gaps]),
        ("Worth a look", [f"{one.subject}: {one.description}" for one in others]),
    ):
        if rows:
            parts.append(f"\n### {title}\n\n" + "".join(f"- {row}\n" for row in rows))
    return "".join((*parts, "\n---\n"))


def _operations(store: Store, signal: Signal, known: tuple[Fact, ...]) -> Iterator[Operation]:
    match signal.kind:
        case "entity_cluster":
            if operation := _of_name(store, signal):
                yield operation
        case "supersession_signal":
            for fact in known:
                if fact.now.path in signal.documents and (operation := _of_fact(fact)):
                    yield operation
        case _:
            return


def _of_name(store: Store, signal: Signal) -> Operation | None:
    """A page for a name, of what was said with it."""
    slug = slug_of(signal.subject)
    if not slug:
        return None
    lines: list[tuple[str, str, int, int]] = []
    for path in signal.documents:
        for one in statements(read_text(store.root / path)):
            if signal.subject in one.text:
                lines.append((one.text, path, *one.lines))
    if not lines:
        return None
    category: Category = "entity" if " " in signal.subject or signal.subject.istitle() else "concept"
    return Operation(slug, category, signal.subject, signal.description, tuple(lines[-_MOST_STATEMENTS:]))


def _of_fact(fact: Fact) -> Operation | None:
    """A page for a fact that changed its value: what holds, and what held before."""
    slug = slug_of(" ".join(fact.subject[:5]))
    if not slug:
        return None
    now = fact.now
    gone = tuple(
        Superseded(after.citation, before.said.text, after.day.isoformat(), after.said.text)
        for before, after in zip(fact.claims, fact.claims[1:], strict=False)
    )
    why = f"said with {len(fact.claims)} values in turn; the one of {now.day} holds"
    line = (now.said.text, now.path, *now.said.lines)
    return Operation(slug, "concept", " ".join(fact.subject[:5]), why, (line,), gone)


def _proposal(store: Store, operation: Operation) -> Proposal | None:
    """The operation as a proposal: a page that is begun, or added to; None when the page says it already."""
    wiki = verbs.wiki_of(store)
    there = wiki.pages.get(operation.slug)
    page = verbs.page_with(
        store,
        there and wiki.page(operation.slug),
        verbs.Stub(operation.slug, operation.category, _source(operation.lines[0]), operation.name),
        [
            (f"{text} ({_citation(path, first, last)})", Source(path, first, last - first + 1))
            for text, path, first, last in operation.lines
        ],
        operation.superseded,
    )
    if page is None:
        return None
    pages = with_trajectories(wiki, {page.slug: page}, store.now().date().isoformat())
    changes = tuple(_change(store, wiki.path(slug), render(one)) for slug, one in pages.items())
    title = f"{'Add to' if there else 'Begin'} the page {page.name or page.slug}"
    kind = "supersession" if operation.superseded else "wiki"
    evidence = tuple(_citation(path, first, last) for _, path, first, last in operation.lines)
    return Proposal(kind, page.slug, title, operation.why, changes, evidence, is_safe=True)


def _change(store: Store, path: Path, text: str) -> Change:
    held = read_text(path)
    return Change(store.relative(path), text, atomic.digest(held) if held else "")


def _source(line: tuple[str, str, int, int]) -> Source:
    _, path, first, last = line
    return Source(path, first, last - first + 1)


def _citation(path: str, first: int, last: int) -> str:
    return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"


def _unique(operations: Iterator[Operation]) -> list[Operation]:
    """One operation for each page: what several say of it together."""
    found: dict[str, Operation] = {}
    for one in operations:
        if (other := found.get(one.slug)) is None:
            found[one.slug] = one
        else:
            lines = tuple(dict.fromkeys((*other.lines, *one.lines)))
            found[one.slug] = other._replace(
                lines=lines, superseded=tuple(dict.fromkeys((*other.superseded, *one.superseded)))
            )
    return list(found.values())


def _dated_facts(store: Store) -> tuple[Fact, ...]:
    days = dated_pages.day_logs(store.layout)
    return facts({day: {store.relative(path): read_text(path) for path in paths} for day, paths in days.items()})


def _told(operation: Operation) -> dict[str, Any]:
    return operation._asdict() | {"superseded": [one._asdict() for one in operation.superseded]}


def _read(row: Mapping[str, Any]) -> Operation:
    lines = tuple((str(text), str(path), int(first), int(last)) for text, path, first, last in row["lines"])
    return Operation(**{**row, "lines": lines, "superseded": tuple(Superseded(**one) for one in row["superseded"])})


def _done(store: Store) -> dict[str, Any]:
    found = _get(store, _ANALYZED)
    return found if isinstance(found, dict) else {}


def _path(store: Store, name: str) -> Path:
    return store.state / FOLDER / name


def _get(store: Store, name: str) -> Any:
    try:
        return json.loads(atomic.read_bytes(_path(store, name)) or b"null")
    except (ValueError, RecursionError):
        return None


def _put(store: Store, name: str, value: object) -> None:
    path = _path(store, name)
    atomic.make_folder(path.parent)
    atomic.write(path, json.dumps(value, default=str).encode())


def _drop(store: Store, name: str) -> None:
    if (path := _path(store, name)).exists():
        atomic.delete(path)
