"""All that an index holds, so that two indexes can be held against each other; whoever wrote them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.index import catalogue
from recall_tui.index.opener import Index, memory_key, open_index
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.text import partitions
from recall_tui.index.text.passage import SPEECH, TOOLS, TRANSCRIPTS_KEY, VISIBLE_PARTITIONS, WHOLE
from recall_tui.index.text.reader import PassageReader
from recall_tui.index.text.stored_passage import StoredPassage
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from tests.conftest import NOON
from tests.processes import Machine

SMALL_COMMITS = """
from recall_tui.index.ingest import compaction as copying
from recall_tui.index.text import commit_batch as ledger
ledger.COMMIT_BYTES, ledger.COMMIT_CHARS = 100_000, 200_000
copying.COMMIT_CHARS = ledger.COMMIT_CHARS
"""
"""Statements that let a process commit a small history bit by bit."""
FIELDS = (
    *((SPEECH, name) for name in ("window", "plain", "parts", "head", "paths", "title")),
    *((TOOLS, name) for name in ("tool", "thought", "plain")),
    *((WHOLE, name) for name in ("whole", "tool", "thought", "head")),
)


def state_of(index: Index, store: Store) -> tuple[object, ...]:
    """All that is indexed, as it is stored, and what the catalogue says of it."""
    reader = index.reader()
    assert reader is not None
    passages: list[StoredPassage] = []
    stretches: list[int] = []
    for memory in (memory_key(store), TRANSCRIPTS_KEY):
        mine = reader.term("memory", memory)
        passages += [reader.stored(at) for shelf in VISIBLE_PARTITIONS for _, at in reader.top(mine, 10_000, shelf)]
        stretches.append(reader.count(mine, WHOLE))
    passages.sort(key=lambda one: one.id)
    assert len({one.id for one in passages}) == len(passages)
    opened = catalogue.open_to_read(index.catalogue_path)
    assert opened is not None
    with closing(opened):
        known = sorted((one for _, one in opened.everything()), key=lambda one: one.key)
    return passages, stretches, [_without_times(one) for one in known]


def _without_times(known: SourceRecord) -> SourceRecord:
    """What is known of a source but for when it was looked at; the size of one that is gone was never asked again."""
    return known._replace(indexed_at="", mtime_ns=0, size=0 if known.is_gone else known.size)


def scores_in(index: Index) -> list[object]:
    """What each field of each shelf holds of some words, with its score."""
    reader = index.reader()
    assert reader is not None
    found: list[object] = []
    for shelf, field_name in FIELDS:
        for word in ("alpha", "beta", "gamma", "march", "create", "ls"):
            hits = reader.top(reader.term(field_name, word), 1000, shelf)
            found.append(sorted((score, "" if shelf == WHOLE else reader.stored(at).id) for score, at in hits))
    return found


def places_at(folder: Path, state: Path) -> Environment:
    """The places of the person whose home is in `folder`, with a state of their own."""
    return Environment(home=folder / "home", cwd=folder, env={"RECALL_STATE": str(state), "HOME": str(folder / "home")})


def opened(machine: Machine) -> tuple[Index, Store]:
    """The index that processes wrote there, and its memory."""
    return open_index(machine.environment), Memory(
        make_layout(machine.root, "entity"), machine.environment, lambda: NOON
    )


def all_of_it(machine: Machine) -> tuple[object, ...]:
    """What the index holds, which must be whole."""
    index, store = opened(machine)
    assert index.coverage(store).is_whole
    return state_of(index, store), scores_in(index)


def counted_alone(machine: Machine) -> None:
    """See to it that nothing of what was half made lies about."""
    folder = opened(machine)[0].passages_path
    assert {path for path in folder.iterdir() if path.is_dir()} == set(partitions.partition_paths(folder).values())


def open_reader(index: Index) -> PassageReader:
    """A reader of an index that was written."""
    reader = index.reader()
    assert reader is not None
    return reader


def everything(index: Index, memory: str = TRANSCRIPTS_KEY) -> list[StoredPassage]:
    """The stored passages of the transcripts or of a memory, in the order of their ids."""
    reader = open_reader(index)
    query = reader.term("memory", memory)
    found = [reader.stored(at) for shelf in VISIBLE_PARTITIONS for _, at in reader.top(query, 10_000, shelf)]
    return sorted(found, key=lambda one: one.id)
