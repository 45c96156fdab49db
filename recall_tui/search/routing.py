"""Parents route, children answer: the pages of weeks and months that answer a question lead to the days they tell of.

A page lends a part of its worth to what it was made from, and takes no place for that itself. Where a memory has no
such page nothing is looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.index import schema
from recall_tui.index.passage import SPEECH, TOOLS, WHOLE
from recall_tui.index.sources import source_key
from recall_tui.search import constraint, fuse, lexical
from recall_tui.search.fuse import PARENTS, Route
from recall_tui.storage.cited import document_of, text_of

if TYPE_CHECKING:
    from recall_tui.index.passages import Address, Hits, PassageReader
    from recall_tui.search.question import Question
    from recall_tui.storage.store import Store

STEP = 0.8
"""What a child has of its parent's share at most."""
MOST_DAYS = 12
"""Days whose sessions are looked up, those with the largest share first."""
MOST_PAGES = 60
"""Pages that are opened for one question."""


class _Child(NamedTuple):
    document: str
    share: float
    through: str


def routes(question: Question, found: Mapping[str, Hits], near: fuse.Found, weights: fuse.Weights) -> dict[int, Route]:
    """Where the best pages of periods lead to, by what that is counted with.

    `found` and `near` are what the question finds beside: a page is worth its share of the best of all.
    """
    pages = _pages(question, found, near, weights)
    children = _children(question.store, pages)
    led: dict[int, Route] = {}
    for child in (*children, *_sessions(question.store, children)):
        key = counted_with(question, child.document)
        if key is not None and child.share > led.get(key, (0.0, ""))[0]:
            led[key] = (child.share, child.through)
    return led


def counted_with(question: Question, document: str) -> int | None:
    """What the passages of a document of the memory are counted with; None for an archive that is not indexed."""
    store = question.store
    path = store.root / document
    if not any(path.parent == place.folder for place in store.layout.archives):
        return schema.number_of(source_key(question.memory, document))
    reader = question.reader
    own = constraint.both(reader.term("memory", question.memory), reader.term("document", document))
    found = reader.top(own, 1) or reader.top(own, 1, TOOLS)
    return reader.counted_with([found[0][1]])[0] if found else None


def _pages(
    question: Question, found: Mapping[str, Hits], near: fuse.Found, weights: fuse.Weights
) -> list[tuple[float, str]]:
    """The best pages of periods, each with its share and its document."""
    reader = question.reader
    most = question.store.config.get("search.parents")
    most = most if isinstance(most, int) else 10
    own = constraint.both(question.within, reader.term("memory", question.memory))
    lists: dict[str, Hits] = {}
    for shelf, field in ((SPEECH, "kind"), (WHOLE, "role")):
        kinds = constraint.any_of([reader.term(field, kind) for kind in PARENTS])
        bound = constraint.unscored(constraint.both(own, kinds))
        words = lexical.question(reader, question.weighed, question.stems, shelf)
        lists[shelf] = reader.top(constraint.both(bound, words), most * 3, shelf)
    keys = dict(zip(_keys(reader, lists), (address for hits in lists.values() for _, address in hits), strict=True))
    speech, whole = ({address: score for score, address in [*found[s], *lists[s]]} for s in (SPEECH, WHOLE))
    candidates = fuse.fused(_listed(speech), found[TOOLS], _listed(whole), reader.counted_with, near, weights)
    best = [one for one in candidates if one.key in keys][:most]
    return [(min(one.score, 1.0), reader.document(keys[one.key])) for one in best]


def _keys(reader: PassageReader, lists: Mapping[str, Hits]) -> list[int]:
    return reader.counted_with([address for hits in lists.values() for _, address in hits])


def _listed(scores: Mapping[Address, float]) -> list[tuple[float, Address]]:
    return [(score, address) for address, score in scores.items()]


def _children(store: Store, pages: Iterable[tuple[float, str]]) -> list[_Child]:
    """The documents that the pages lead to, through the weeks of a month to its days; those of most worth first."""
    best: dict[str, _Child] = {}
    open_pages = list(pages)
    seen: dict[str, float] = {}
    while open_pages and len(seen) < MOST_PAGES:
        share, document = open_pages.pop(0)
        if share <= seen.get(document, 0.0):
            continue
        seen[document] = share
        for child, of_it in _pointers(store, document):
            worth = share * STEP * of_it
            if _is_period(store, child):
                open_pages.append((worth, child))
            elif child not in best or worth > best[child].share:
                best[child] = _Child(child, worth, name_of(document))
    return sorted(best.values(), key=lambda one: (-one.share, one.document))


def _pointers(store: Store, document: str) -> Iterator[tuple[str, float]]:
    """What a page was made from, each with its share beside the largest of them."""
    from recall_tui.storage import frontmatter

    values, _ = frontmatter.split(text_of(store, document))
    pointers, salience = values.get("pointers"), values.get("salience")
    given = salience if isinstance(salience, dict) else {}
    shares = {str(path): float(one) for path, one in given.items() if isinstance(one, int | float) and one > 0}
    most = max(shares.values(), default=1.0)
    for pointer in map(str, pointers) if isinstance(pointers, list) else ():
        if child := document_of(store, pointer):
            yield child, (shares.get(pointer, 0.0) / most if shares else 1.0)


def _sessions(store: Store, children: Iterable[_Child]) -> Iterator[_Child]:
    """The sessions of the days of most worth, as their logs name the archives."""
    from recall_tui.storage import day_logs

    for _, day in zip(range(MOST_DAYS), children, strict=False):
        for archive in {line.archive for line in day_logs.parse(text_of(store, day.document)).lines}:
            for place in store.layout.archives:
                path = place.folder / f"{archive}.md"
                if path.is_file():
                    yield _Child(store.relative(path), day.share * STEP, day.through)


def _is_period(store: Store, document: str) -> bool:
    return (store.root / document).parent in (store.layout.weekly, store.layout.monthly)


def name_of(document: str) -> str:
    """What a page is called in a reason, such as `weekly/2026-W10`."""
    return "/".join(document.removesuffix(".md").split("/")[-2:])
