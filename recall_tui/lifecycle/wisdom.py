"""Months become wisdom: what was learned, or said again and again, in the words it was said in.

An entry is drawn from the pages of weeks and months and cites the day it is from; what a person wrote stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from recall_tui.domain import Create, Plan, Replace
from recall_tui.lifecycle.period_extract import LESSON, Line
from recall_tui.storage import dated_pages, wisdom_file
from recall_tui.storage.atomic import digest, read_text
from recall_tui.storage.statements import statements
from recall_tui.storage.store import Store
from recall_tui.storage.wisdom_file import Entry, Wisdom
from recall_tui.text.keywords import terms
from recall_tui.text.redact import redact
from recall_tui.text.similarity import near_duplicates
from recall_tui.text.tags import decision_score

LEAST_SCORE = 2.0
_ID_WORDS = 4


class _Candidate(NamedTuple):
    line: Line
    score: float


def plan_wisdom(store: Store, pages: Mapping[str, str] | None = None) -> Plan:
    """The plan that brings WISDOM.md up to date from the weeks and months as they are, or as `pages` has them.

    `pages` holds texts by path relative to the root. Without anything to read the file stays as it is.
    """
    held = read_text(store.layout.wisdom)
    now = wisdom_file.parse(held)
    texts = {**_pages(store), **(pages or {})}
    entries = _entries(now, texts, store.config.whole("wisdom.max_entries"))
    if tuple(entries) == now.entries:
        return Plan("Nothing new for WISDOM.md")
    text = wisdom_file.render(replace(now, entries=tuple(entries)), store.now().date())
    edit = Replace(store.layout.wisdom, digest(held), text) if held else Create(store.layout.wisdom, text)
    added = len({entry.id for entry in entries} - {entry.id for entry in now.entries})
    noun = "entry" if len(entries) == 1 else "entries"
    return Plan(f"Distilled {len(entries)} {noun} into WISDOM.md, {added} of them new", (edit,))


def _pages(store: Store) -> dict[str, str]:
    months = dated_pages.monthlies(store.layout).values()
    weeks = dated_pages.weeklies(store.layout).values()
    return {store.relative(path): read_text(path) for path in (*weeks, *months)}


def _entries(now: Wisdom, texts: Mapping[str, str], most: int) -> list[Entry]:
    """The entries there shall be: those that cite nothing, then the weightiest, each thing once."""
    kept = [entry for entry in now.entries if not entry.source]
    known = {(entry.claim, entry.source): entry for entry in now.entries if entry.source}
    found: list[Entry] = []
    ids = [entry.id for entry in kept]
    for one in _candidates(texts, [entry.claim for entry in kept]):
        if len(kept) + len(found) >= most:
            break
        same = known.get((one.line.text, one.line.citation))
        id = same.id if same and same.id not in ids else wisdom_file.unique_id(_words(one.line.text), ids)
        ids.append(id)
        found.append(Entry(id, one.line.text, one.line.citation))
    return [*kept, *found]


def _candidates(texts: Mapping[str, str], known: Iterable[str]) -> list[_Candidate]:
    """What may be an entry, the weightiest first; what is said again weighs more, and counts as it was said last."""
    lines: dict[tuple[str, str], Line] = {}
    for text in texts.values():
        for one in statements(text):
            if one.cited is not None and redact(one.text) == one.text:
                path, first, last = one.cited
                line = Line(one.text, path, (first, last))
                lines[(line.text, line.citation)] = line
    ordered = sorted(lines.values(), key=lambda line: (line.path, line.lines))
    there = list(known)
    pairs = near_duplicates([*there, *(line.text for line in ordered)])
    first_of = {later: earlier for earlier, later in pairs}
    groups: dict[int, list[int]] = {}
    for place in range(len(there) + len(ordered)):
        groups.setdefault(first_of.get(place, place), []).append(place)
    found = []
    for first, places in groups.items():
        if first < len(there):
            continue
        said = [ordered[place - len(there)] for place in places]
        score = _worth(said[-1].text) + 0.8 * (len({line.path for line in said}) - 1)
        if score >= LEAST_SCORE:
            found.append(_Candidate(said[-1], score))
    return sorted(found, key=lambda one: (-one.score, one.line.path, one.line.lines))


def _worth(text: str) -> float:
    lesson = 2.0 if LESSON.search(text) else 0.0
    return lesson + 0.5 * decision_score(text)


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(terms(text)))[:_ID_WORDS]
