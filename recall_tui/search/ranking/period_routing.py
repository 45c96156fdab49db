"""Parents route, children answer: the pages of weeks and months that answer a question lead to the days they tell of.

A page lends a part of its worth to what it was made from, and takes no place for that itself. Where a memory has no
such page nothing is looked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import PERIOD_KINDS
from recall_tui.index.sources.markdown import source_key
from recall_tui.index.text import schema
from recall_tui.index.text.passage import SPEECH, TOOLS, WHOLE
from recall_tui.search import filters as constraint
from recall_tui.search.ranking import fusion, lexical
from recall_tui.search.ranking.fusion import Route
from recall_tui.storage.markdown import frontmatter
from recall_tui.storage.markdown.source_refs import document_text, resolve_document

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors
    from recall_tui.index.text.reader import PassageAddress, ScoredAddresses
    from recall_tui.search.bound_query import BoundQuery
    from recall_tui.storage.memory_context import Store

CHILD_WEIGHT = 0.8
"""What a child has of its parent's share at most."""
MAX_DAYS = 12
"""Days whose sessions are looked up, those with the largest share first."""
MAX_PAGES = 60
"""Pages that are opened for one question."""


class _Child(NamedTuple):
    document: str
    share: float
    through: str


def find_routes(
    question: BoundQuery,
    found: Mapping[str, ScoredAddresses],
    candidates: Iterable[fusion.SearchCandidate],
    weights: fusion.FusionWeights,
    aggregate: Aggregate | None = None,
) -> dict[int, Route]:
    """Where the best pages of periods lead to, by what that is counted with.

    `found` and `candidates` are what the question finds beside: a page is worth its share of the best of all. With
    `aggregate` a page counts for the vectors of what it leads to as well.
    """
    pages = _best_pages(question, found, candidates)
    if aggregate is not None:
        pages = _rank_with_vectors(question, pages, weights, aggregate)
    children = _find_children(question, pages)
    led: dict[int, Route] = {}
    for child in (*children, *_sessions(question, children)):
        key = find_count_key(question, child.document)
        if key is not None and child.share > led.get(key, (0.0, ""))[0]:
            led[key] = (child.share, child.through)
    return led


def find_count_key(question: BoundQuery, document: str) -> int | None:
    """What the passages of a document of the memory are counted with: those of a session with that.

    None for an archive or a summary that is not indexed.
    """
    layout = question.store.layout
    of_sessions = {layout.summaries, *(place.folder for place in layout.archives)}
    if (layout.root / document).parent not in of_sessions:
        return schema.count_number(source_key(question.memory, document))
    reader = question.reader
    own = constraint.and_query(reader.term("memory", question.memory), reader.term("document", document))
    found = reader.top(own, 1) or reader.top(own, 1, TOOLS)
    return reader.counted_with([found[0][1]])[0] if found else None


def _best_pages(
    question: BoundQuery, found: Mapping[str, ScoredAddresses], candidates: Iterable[fusion.SearchCandidate]
) -> list[tuple[float, str]]:
    """The best pages of periods, each with its share and its document.

    One that is no candidate, for it stands too far down, has its share of the best passage and the best stretch.
    """
    reader = question.reader
    most = question.store.config.get("search.parents")
    most = most if isinstance(most, int) else 10
    own = constraint.and_query(question.within, reader.term("memory", question.memory))
    scores = {one.key: one.score for one in candidates}
    beside: dict[int, float] = {}
    names: dict[int, PassageAddress] = {}
    counted: set[tuple[str, int]] = set()
    for shelf, field in ((SPEECH, "kind"), (WHOLE, "role")):
        kinds = constraint.any_of([reader.term(field, kind) for kind in PERIOD_KINDS])
        bound = constraint.unscored(constraint.and_query(own, kinds))
        words = lexical.build_query(reader, question.weighed, question.stems, shelf)
        hits = reader.top(constraint.and_query(bound, words), most * 3, shelf)
        best = max((score for score, _ in (*found[shelf][:1], *hits)), default=0.0) or 1.0
        for (score, address), key in zip(hits, reader.counted_with([at for _, at in hits]), strict=True):
            if (shelf, key) not in counted:
                beside[key] = beside.get(key, 0.0) + score / best / 2
            counted.add((shelf, key))
            names.setdefault(key, address)
    worth = {key: min(scores.get(key, share), 1.0) for key, share in beside.items()}
    first = sorted(worth, key=lambda key: (-worth[key], key))[:most]
    return [(worth[key], reader.document(names[key])) for key in first]


def _rank_with_vectors(
    question: BoundQuery, pages: list[tuple[float, str]], weights: fusion.FusionWeights, aggregate: Aggregate
) -> list[tuple[float, str]]:
    """The best pages by their words and by the vectors of what they lead to."""
    from recall_tui.errors import ModelError
    from recall_tui.storage.documents import period_files

    store, by_words = question.store, {document: share for share, document in pages}
    known = [*period_files.list_weeklies(store.layout).items(), *period_files.list_monthlies(store.layout).items()]
    newest = [store.relative(path) for _, path in sorted(known, reverse=True)]
    documents = list(dict.fromkeys((*by_words, *newest)))[:MAX_PAGES]
    periods = [
        {
            schema.count_number(source_key(question.memory, child)): share
            for child, share in _pointers(question, document)
        }
        for document in documents
    ]
    try:
        cosines = aggregate(question.query.rest, periods)
    except ModelError:
        return pages
    most = max((cosine for cosine in cosines if cosine > 0), default=0.0)
    if not most:
        return pages
    best = [
        (weights.score(by_words.get(document, 0.0), max(cosine, 0.0) / most), document)
        for document, cosine in zip(documents, cosines, strict=True)
    ]
    setting = store.config.get("search.parents")
    return sorted(best, key=lambda one: (-one[0], one[1]))[: setting if isinstance(setting, int) else 10]


def _find_children(question: BoundQuery, pages: Iterable[tuple[float, str]]) -> list[_Child]:
    """The documents that the pages lead to, through the weeks of a month to its days; those of most worth first."""
    best: dict[str, _Child] = {}
    open_pages = list(pages)
    seen: dict[str, float] = {}
    while open_pages and len(seen) < MAX_PAGES:
        share, document = open_pages.pop(0)
        if share <= seen.get(document, 0.0):
            continue
        seen[document] = share
        for child, of_it in _pointers(question, document):
            worth = share * CHILD_WEIGHT * of_it
            if _is_period(question.store, child):
                open_pages.append((worth, child))
            elif child not in best or worth > best[child].share:
                best[child] = _Child(child, worth, period_name(document))
    return sorted(best.values(), key=lambda one: (-one.share, one.document))


def _pointers(question: BoundQuery, document: str) -> list[tuple[str, float]]:
    """What a page was made from, each with its share beside the largest; read once for each state of the index."""
    memo, key = question.reader.memo, (f"pointers {question.memory}", document)
    if key not in memo:
        memo[key] = json.dumps(list(_read(question.store, document)))
    return [(str(child), float(share)) for child, share in json.loads(memo[key])]


def _read(store: Store, document: str) -> Iterator[tuple[str, float]]:
    values, _ = frontmatter.split_frontmatter(document_text(store, document))
    pointers, salience = values.get("pointers"), values.get("salience")
    given = salience if isinstance(salience, dict) else {}
    shares = {str(path): float(one) for path, one in given.items() if isinstance(one, int | float) and one > 0}
    most = max(shares.values(), default=1.0)
    for pointer in map(str, pointers) if isinstance(pointers, list) else ():
        if child := resolve_document(store, pointer):
            yield child, (shares.get(pointer, 0.0) / most if shares else 1.0)


def _sessions(question: BoundQuery, children: Iterable[_Child]) -> Iterator[_Child]:
    """The sessions of the days of most worth, as their logs name the archives."""
    memo = question.reader.memo
    for _, day in zip(range(MAX_DAYS), children, strict=False):
        key = (f"sessions {question.memory}", day.document)
        if key not in memo:
            memo[key] = json.dumps(list(_archives(question.store, day.document)))
        yield from (_Child(str(archive), day.share * CHILD_WEIGHT, day.through) for archive in json.loads(memo[key]))


def _archives(store: Store, day: str) -> Iterator[str]:
    from recall_tui.storage.documents import day_logs

    for archive in {line.archive: None for line in day_logs.parse_log(document_text(store, day)).lines}:
        for place in store.layout.archives:
            if (path := place.folder / f"{archive}.md").is_file():
                yield store.relative(path)


def _is_period(store: Store, document: str) -> bool:
    return (store.root / document).parent in (store.layout.weekly, store.layout.monthly)


def period_name(document: str) -> str:
    """What a page is called in a reason, such as `weekly/2026-W10`."""
    return "/".join(document.removesuffix(".md").split("/")[-2:])


Aggregate = Callable[[str, Sequence[Mapping[int, float]]], Sequence[float]]
"""(question, of each period what its documents are counted with and their shares) → the cosine of each period."""
RowsOf = Callable[[int], "Vectors"]
"""The rows of the passages that are counted with a number; no rows when there are none."""


def period_cosines(question: Vectors, periods: Sequence[Mapping[int, float]], rows_of: RowsOf) -> list[float]:
    """The cosine of the question, one row of unit length, and each period; 0 for one without a vector."""
    return [float(question @ row) if len(row := aggregate_vectors(period, rows_of)) else 0.0 for period in periods]


def aggregate_vectors(period: Mapping[int, float], rows_of: RowsOf) -> Vectors:
    """The vector of a period, given the share of each of its documents; empty when none of them has one."""
    import numpy as np

    rows = {key: _mean_unit(rows_of(key)) for key in period}
    weighed = [share * rows[key] for key, share in period.items() if len(rows[key]) and share > 0]
    return _mean_unit(np.stack(weighed)) if weighed else np.zeros(0, dtype=np.float32)


def _mean_unit(rows: Vectors) -> Vectors:
    """The mean direction of the rows; empty when there are none, or they cancel each other out."""
    import numpy as np

    if not len(rows):
        return np.zeros(0, dtype=np.float32)
    whole = rows.sum(axis=0)
    length = float(np.linalg.norm(whole))
    return (whole / length).astype(np.float32) if length else np.zeros(0, dtype=np.float32)
