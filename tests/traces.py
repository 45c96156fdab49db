"""Looks for words in everything that was written to a disk, packed or not."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import zstandard

from recall_tui.index.text import partitions
from recall_tui.index.text.batching import BATCH_PASSAGES
from recall_tui.index.text.commit_batch import recorded_batches
from recall_tui.index.text.passage import PARTITIONS
from recall_tui.storage.memory_context import Store
from recall_tui.workbench import Workbench


def traces(bench: Workbench, *words: str) -> list[str]:
    """The files of the memory and of the person's state that hold one of the words, and passages that do."""
    found = [str(path) for folder in _folders(bench.store) for path in _holding(folder, words)]
    return found + in_index(bench, *words)


def in_index(bench: Workbench, *words: str) -> list[str]:
    """What the text index holds of the words: passages, those among them that can no longer be found, and terms."""
    reader = bench.index.reader()
    if reader is None:
        return []
    found = []
    for shelf, place in partitions.partition_paths(bench.index.passages_path).items():
        found += [f"{shelf}: {one}" for one in words if reader._searcher(shelf).doc_freq("plain", one.lower())]
        if deleted := partitions.count_passages(place)[1]:
            found.append(f"{shelf}: {deleted} deleted passages")
    if len([path for path in bench.index.passages_path.iterdir() if path.is_dir()]) > len(PARTITIONS):
        found.append("shelves that were replaced")
    with bench.index.facts() as facts:
        sources = facts.everything() if facts else []
    for _, known in sources:
        batches = (reader.of_batch(f"{known.key}:{name}", BATCH_PASSAGES) for name in recorded_batches(known))
        passages = (f"{one.title}\n{one.body}" for batch in batches for one in batch)
        found += [known.path for text in passages if any(word in text for word in words)]
    return found


def _folders(store: Store) -> Iterator[Path]:
    yield store.environment.state
    # A memory may be the folder of the agent, or lie in it.
    yield from {store.layout.base, store.layout.window.parent}
    yield from (place.folder for place in store.layout.archives)


def _holding(folder: Path, words: tuple[str, ...]) -> Iterator[Path]:
    wanted = [word.encode() for word in words]
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if not path.is_file() or path.suffix == ".jsonl":
            continue
        data = path.read_bytes()
        if path.suffix == ".zst":
            data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
        elif path.suffix == ".gz":
            data = gzip.decompress(data)
        if any(word in data for word in wanted):
            yield path
