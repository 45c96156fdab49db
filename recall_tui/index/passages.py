"""The text index: every passage under its source's key, in Tantivy.

One process writes, under the writer's lock; readers see the last commit whole and never wait.
"""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.errors import BrokenFileError
from recall_tui.index import schema
from recall_tui.index.catalogue import set_aside
from recall_tui.storage.atomic import PRIVATE_FILE, encode, make_folder

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.passage import Passage

FORMAT_FILE = "recall-format"
"""Holds the number of the schema and the index's generation; without it the folder is not trusted."""
MB = 1_000_000
_HEAP_BYTES = {False: 30 * MB, True: 120 * MB}


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage as the index gives it back."""

    id: str
    key: str
    """The source's key in the catalogue."""
    document: str
    kind: str
    roles: tuple[str, ...]
    lines: tuple[int, int]
    body: str
    """The lines of the file, as they were."""
    labels: str
    """One letter for each line of the body; see `passage.said`."""
    title: str
    heading: str
    head: str
    """Date, headings and topics, as they were indexed."""
    parts: str
    """The pieces of identifiers in it."""
    paths: str
    """The files it speaks of, one a line."""
    session_id: str
    project: str
    date: datetime | None


@contextmanager
def guarded(folder: Path) -> Iterator[None]:
    """Turn what Tantivy throws at a damaged index into BrokenFileError, and have the next refresh make it anew."""
    try:
        yield
    except (ValueError, OSError) as error:
        condemn(folder)
        raise _broken(folder, error) from error
    except BaseException as error:
        # A panic in Rust arrives as an exception that is no Exception and that cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        condemn(folder)
        raise _broken(folder, error) from None


def _broken(folder: Path, error: BaseException) -> BrokenFileError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return BrokenFileError(f"the search index in {folder} is damaged: {reason}", hint="run: recall-tui sync")


def condemn(folder: Path) -> None:
    """Mark the index as one that may not be trusted."""
    (folder / FORMAT_FILE).unlink(missing_ok=True)


def generation(folder: Path) -> str:
    """Which index this is; empty when there is none of our format."""
    try:
        number, _, name = (folder / FORMAT_FILE).read_text(encoding="ascii").strip().partition(" ")
    except (OSError, ValueError):
        return ""
    return name if number == str(schema.FORMAT) else ""


def create(folder: Path, note: Callable[[str], None]) -> str:
    """Make an empty index and say its generation; one that is there is removed, or set aside if it is damaged."""
    import tantivy

    if folder.exists():
        if (folder / FORMAT_FILE).exists():
            shutil.rmtree(folder)
        else:
            note(f"{folder} was set aside as {set_aside(folder).name}; the index is made anew")
    make_folder(folder)
    name = uuid.uuid4().hex
    with guarded(folder):
        tantivy.Index(schema.build(), path=str(folder), reuse=False)
        (folder / FORMAT_FILE).write_text(f"{schema.FORMAT} {name}\n", encoding="ascii")
        _make_private(folder)
    return name


def _make_private(folder: Path) -> None:
    for path in folder.iterdir():
        try:
            if path.stat().st_mode & 0o777 != PRIVATE_FILE:
                path.chmod(PRIVATE_FILE)
        except FileNotFoundError:
            continue


def _opened(folder: Path) -> tantivy.Index:
    import tantivy

    index = tantivy.Index.open(str(folder))
    for name, analyzer in schema.analyzers().items():
        index.register_tokenizer(name, analyzer)
    # The default policy starts a thread that watches the folder; we look when we are asked.
    index.config_reader("manual")
    return index


class PassageReader:
    """Looks passages up in the last commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with guarded(folder):
            self._index = _opened(folder)
        self.schema = self._index.schema
        self._searcher: tantivy.Searcher | None = None

    def reload(self) -> None:
        """See what was committed since."""
        with guarded(self.folder):
            self._index.reload()
            self._searcher = None

    @property
    def searcher(self) -> tantivy.Searcher:
        """One view of the index, the same until `reload`."""
        if self._searcher is None:
            with guarded(self.folder):
                self._searcher = self._index.searcher()
        return self._searcher

    def top(self, query: tantivy.Query, limit: int) -> list[tuple[float, tantivy.DocAddress]]:
        """The best passages for the query with Tantivy's score, best first."""
        with guarded(self.folder):
            return list(self.searcher.search(query, limit, count=False).hits)

    def newest(self, query: tantivy.Query, limit: int) -> list[tantivy.DocAddress]:
        """The passages that the query matches, newest first; those without a date come last."""
        with guarded(self.folder):
            return [at for _, at in self.searcher.search(query, limit, count=False, order_by_field="date").hits]

    def count(self, query: tantivy.Query) -> int:
        """How many passages the query matches; deleted ones are not counted."""
        with guarded(self.folder):
            return int(self.searcher.search(query, 1, count=True).count or 0)  # type: ignore[attr-defined]

    def count_of_memory(self, memory: str) -> int:
        """How many passages of the memory are stored."""
        return self.count(self.term("memory", memory))

    def term(self, field: str, value: str) -> tantivy.Query:
        """The query for one term of a field."""
        import tantivy

        return tantivy.Query.term_query(self.schema, field, value)

    def dictionary(self, field: str, prefix: str, within: tantivy.Query | None, limit: int) -> list[tuple[str, int]]:
        """Terms of the field that begin with `prefix`, with the passages of `within` that hold them, most first."""
        with guarded(self.folder):
            return [pair for pair in self.searcher.terms_with_prefix(field, prefix, within, limit) if pair[1]]

    def stored(self, address: tantivy.DocAddress) -> StoredPassage:
        """The passage at the address."""
        with guarded(self.folder):
            return _from_document(self.searcher.doc(address).to_dict())

    def by_id(self, memory: str, identifier: str) -> StoredPassage | None:
        """The memory's passage of this id."""
        import tantivy

        must = tantivy.Occur.Must
        query = tantivy.Query.boolean_query([(must, self.term("memory", memory)), (must, self.term("id", identifier))])
        found = self.top(query, 1)
        return self.stored(found[0][1]) if found else None


def _from_document(fields: dict[str, list[Any]]) -> StoredPassage:
    facts = json.loads(fields["facts"][0])
    date = facts.get("date")
    return StoredPassage(
        id=fields["id"][0],
        key=fields["key"][0],
        document=fields["document"][0],
        kind=fields["kind"][0],
        roles=tuple(fields.get("role", ())),
        lines=(fields["line_from"][0], fields["line_to"][0]),
        body=bytes(fields["body"][0]).decode("utf-8", "surrogateescape"),
        labels=facts["labels"],
        title=facts["title"],
        heading=facts["heading"],
        head=facts["head"],
        parts=facts["parts"],
        paths=facts["paths"],
        session_id=(fields.get("session") or [""])[0],
        project=facts["project"],
        date=datetime.fromisoformat(date) if date else None,
    )


class PassageWriter:
    """Changes the index; readers see nothing of it before `commit`. Only one may be open, under the writer's lock."""

    def __init__(self, folder: Path, *, is_large: bool = False) -> None:
        self._folder = folder
        self._is_large = is_large
        self._opened: tantivy.IndexWriter | None = None

    @property
    def _writer(self) -> tantivy.IndexWriter:
        """Opened at the first change: most refreshes have none."""
        if self._opened is None:
            self._opened = _opened(self._folder).writer(_HEAP_BYTES[self._is_large], 2 if self._is_large else 1)
        return self._opened

    def add(self, memory: str, key: str, document: str, kind: str, passages: Iterable[Passage]) -> int:
        """Put the passages in the place of all that the source had; the number of characters in them."""
        self.remove(key)
        chars = 0
        for number, passage in enumerate(passages):
            made = _to_document(memory, key, document, kind, passage, f"{key}.{number}")
            with guarded(self._folder):
                self._writer.add_document(made)
            chars += len(passage.prose)
        return chars

    def remove(self, key: str) -> None:
        """Take out every passage of the source."""
        with guarded(self._folder):
            self._writer.delete_documents_by_term("key", key)

    def remove_memory(self, memory: str) -> None:
        """Take out every passage of the memory."""
        with guarded(self._folder):
            self._writer.delete_documents_by_term("memory", memory)

    def commit(self) -> None:
        """Let readers see what was changed."""
        if self._opened is not None:
            with guarded(self._folder):
                self._opened.commit()
                _make_private(self._folder)

    def close(self) -> None:
        """Wait for the merging of small files to end; the writer is of no use after."""
        if self._opened is not None:
            with guarded(self._folder):
                self._opened.wait_merging_threads()
                _make_private(self._folder)


def _to_document(
    memory: str, key: str, document: str, kind: str, passage: Passage, identifier: str
) -> tantivy.Document:
    import tantivy

    head = passage.head
    prose, tool = schema.readable(passage.prose), schema.readable(passage.tool)
    parts = schema.identifier_parts(f"{prose} {tool}")
    made = tantivy.Document()
    for name, value in (
        ("text", prose),
        ("plain", prose),
        ("prompt", schema.readable(passage.prompt)),
        ("head", schema.readable(passage.words_of_head())),
        ("title", schema.readable(head.title)),
        ("parts", parts),
        ("tool", tool),
        ("paths", schema.readable("\n".join(passage.files))),
        ("place", schema.readable(head.project)),
        ("branch", schema.readable(head.branch)),
        ("session", schema.readable(passage.session_id)),
        ("agent", schema.readable(head.agent).lower()),
        ("origin", schema.readable(head.origin).lower()),
    ):
        if value:
            made.add_text(name, value)
    for name, value in (("id", identifier), ("key", key), ("memory", memory), ("document", document), ("kind", kind)):
        made.add_text(name, value)
    for name, values in (("role", passage.roles), ("used", passage.tools), ("topic", head.topics)):
        for value in values:
            made.add_text(name, schema.readable(value).lower())
    for run in schema.unspaced_runs(f"{prose}\n{schema.readable(head.title)}"):
        made.add_text("gram", run)
    if passage.date is not None:
        made.add_integer("date", int(passage.date.timestamp()))
    made.add_integer("line_from", passage.lines[0])
    made.add_integer("line_to", passage.lines[1])
    made.add_bytes("body", encode(passage.body))
    made.add_bytes("facts", _facts(passage, parts))
    return made


def _facts(passage: Passage, parts: str) -> bytes:
    head = passage.head
    facts = {
        "labels": passage.labels,
        "title": head.title,
        "heading": passage.heading,
        "head": passage.words_of_head(),
        "parts": parts,
        "paths": "\n".join(passage.files),
        "project": head.project,
        "date": passage.date.isoformat() if passage.date else "",
    }
    return json.dumps(facts).encode("ascii")
