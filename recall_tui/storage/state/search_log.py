"""The search log: a line per query and its results, one file per month in the memory's state folder.

Nothing is logged unless dreaming is on. A line is appended in one write; appending reads no file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Set
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from recall_tui.domain import SearchResult
from recall_tui.storage.files import atomic
from recall_tui.storage.files.trusted_clock import is_ahead
from recall_tui.storage.memory_context import Store
from recall_tui.text.dates import parse_time
from recall_tui.text.secrets.redact import redact

SEARCHES_FOLDER = "searches"
PUBLISHED_FOLDER = ".dreams"
"""Log folder of the published design, in the memory's root."""
MAX_RESULTS = 10
_MAX_QUERY_CHARS = 500
_MAX_LINE_CHARS = 20_000


class SearchLogEntry(NamedTuple):
    at: datetime
    query: str
    results: tuple[str, ...]
    """The documents found, best first."""
    best: float
    """The share of the query that the best result matches, weighted by rarity, from 0 to 1; 0 without results."""


def log_search(store: Store, answer: SearchResult) -> bool:
    """Log a settled query if dreaming is on; return whether it was logged."""
    if not store.config.get("dream.enabled") or not answer.query.strip():
        return False
    hits = answer.hits[:MAX_RESULTS]
    row = {
        "ts": store.now().isoformat(),
        "query": redact(answer.query[:_MAX_QUERY_CHARS]),
        "results": [hit.document for hit in hits],
        "scores": [round(hit.score, 3) for hit in hits],
        "best": round(_match_ratio(answer), 3),
        "topK": MAX_RESULTS,
        "returned": len(hits),
    }
    folder = store.state / SEARCHES_FOLDER
    atomic.make_folder(folder)
    path = folder / f"search-log-{store.now():%Y-%m}.jsonl"
    line = json.dumps(row).encode() + b"\n"
    if len(line) > _MAX_LINE_CHARS:
        return False
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC, atomic.PRIVATE_FILE)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)
    return True


def read_searches(store: Store, since: datetime) -> tuple[SearchLogEntry, ...]:
    """Read the queries since then, oldest first, including those logged by the published design.

    Skips invalid lines and lines dated by a clock that ran ahead.
    """
    folders = (store.state / SEARCHES_FOLDER, store.root / PUBLISHED_FOLDER)
    paths = [path for folder in folders if folder.is_dir() for path in folder.glob("search-log*.jsonl")]
    now = store.now()
    found = [row for path in sorted(paths) for row in _rows(path) if row.at >= since and not is_ahead(row.at, now)]
    return tuple(sorted(found, key=lambda row: row.at))


def forget_documents(store: Store, documents: Callable[[], Set[str]]) -> None:
    """Delete the queries that had one of the documents as a result; call under the memory's lock.

    `documents` is called only when there are logs.
    """
    if not (logs := sorted((store.state / SEARCHES_FOLDER).glob("*.jsonl"))):
        return
    gone = documents()
    for path in logs:
        lines = (atomic.read_bytes(path) or b"").splitlines(keepends=True)
        kept = [line for line in lines if gone.isdisjoint(_results(line))]
        if len(kept) < len(lines):
            atomic.write_file(path, b"".join(kept))


def _results(line: bytes) -> Iterator[str]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return
    results = told.get("results") if isinstance(told, dict) else None
    yield from (one for one in results if isinstance(one, str)) if isinstance(results, list) else ()


def _rows(path: Path) -> Iterator[SearchLogEntry]:
    try:
        lines = (atomic.read_bytes(path) or b"").splitlines()
    except OSError:
        return
    for line in lines:
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(told, dict) and (row := _row(told)) is not None:
            yield row


def _row(told: dict[str, object]) -> SearchLogEntry | None:
    at = parse_time(str(told.get("ts") or ""))
    query, results, scores = told.get("query"), told.get("results"), told.get("scores")
    if at is None or not isinstance(query, str) or not isinstance(results, list):
        return None
    best = told.get("best")
    if not isinstance(best, int | float):
        best = (
            max((one for one in scores if isinstance(one, int | float)), default=0) if isinstance(scores, list) else 0
        )
    return SearchLogEntry(at, query, tuple(map(str, results)), min(1.0, max(0.0, float(best))))


def _match_ratio(answer: SearchResult) -> float:
    """Return the share of the query that its best hit matches."""
    shares = answer.hits[0].why.get("shares") if answer.hits else None
    return float(bool(answer.hits)) if shares is None else sum(shares.values())
