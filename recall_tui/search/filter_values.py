"""The values that filters have in what a memory may see, to choose from.

They come from the index and nowhere else, and are remembered until `forget`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from recall_tui.index import project_scope
from recall_tui.index.opener import memory_key
from recall_tui.index.sources.markdown import project_key
from recall_tui.index.text import schema
from recall_tui.index.text.reader import PassageReader, StoredPassage
from recall_tui.search import filters as constraint
from recall_tui.text.folder_name import path_name

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.opener import Index
    from recall_tui.storage.memory_context import Store

MAX_VALUES = 200
"""Values of one filter that are known at a time."""
SAMPLE_PASSAGES = 150
"""Newest passages in which files, branches and sessions are looked up."""
MAX_TERMS = 8
"""Words that the beginning of a file's or branch's last word may become."""
MAX_CACHED_VALUES = 500
_FIELDS = {"agent": "agent", "tool": "used", "source": "origin", "topic": "topic"}
"""Filters with few values, which are whole terms of a field."""
_WORD_FIELDS = {"branch": ("branch", schema.STEMMED), "file": ("paths", schema.PLAIN)}
"""Filters whose values are several terms of a field."""


class FilterValues:
    """What can stand behind a filter's name; asked from any thread."""

    def __init__(self, index: Index, store: Store) -> None:
        self._index = index
        self._store = store
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def forget(self) -> None:
        """Look everything up again, because the index changed."""
        self._known = {}

    def values(self, name: str, beginning: str) -> tuple[str, ...]:
        """The values of the filter that begin with `beginning`, the likeliest first; none when nothing is indexed."""
        known = self._known
        key = (name, "" if name in _FIELDS or name == "project" else beginning)
        if key not in known:
            if len(known) >= MAX_CACHED_VALUES:
                known.clear()
            known[key] = tuple(self._looked_up(*key))
        folded = beginning.casefold()
        return tuple(value for value in known[key] if value.casefold().startswith(folded))

    def _looked_up(self, name: str, beginning: str) -> Iterator[str]:
        if name == "project":
            yield from self._projects()
            return
        reader = self._index.reader()
        if reader is None:
            return
        within = reader.within(
            memory_key(self._store), project_scope.own_project_keys(self._index, reader, self._store)
        )
        if name in _FIELDS:
            yield from (value for value, _ in reader.dictionary(_FIELDS[name], "", within, MAX_VALUES))
        elif name == "session":
            yield from _matching_sessions(reader, within, beginning)
        elif name in _WORD_FIELDS:
            yield from _matching_phrases(reader, within, name, beginning)

    def _projects(self) -> Iterator[str]:
        """The names of the folders, each once."""
        reader = self._index.reader()
        seen = project_scope.own_project_keys(self._index, reader, self._store) if reader else None
        folders = self._index.projects(self._store)
        if seen is not None:
            folders = [folder for folder in folders if project_key(folder) in seen]
        yield from dict.fromkeys(filter(None, map(path_name, folders)))


def _matching_sessions(reader: PassageReader, within: tantivy.Query, beginning: str) -> Iterator[str]:
    """Ids that begin so; the newest when it is not said how."""
    if beginning:
        found = reader.dictionary("session", schema.clean_text(beginning), within, MAX_TERMS)
        yield from (session for session, _ in found)
    else:
        newest = (one.session_id for one in _newest_passages(reader, within))
        yield from dict.fromkeys(filter(None, newest))


def _matching_phrases(reader: PassageReader, within: tantivy.Query, name: str, beginning: str) -> Iterator[str]:
    """Branches or files that begin so, the newest first; files by name, then folders on the way to one."""
    field, analyzer = _WORD_FIELDS[name]
    must = [within]
    *whole, last = schema.terms(schema.PLAIN, beginning) or [""]
    must += [reader.term(field, term) for term in schema.terms(analyzer, " ".join(whole))]
    if last:
        # A whole word may be longer than what it is filed under.
        begun = {last, *schema.terms(analyzer, last)}
        ends = [term for each in begun for term, _ in reader.dictionary(field, each, within, MAX_TERMS)]
        must.append(constraint.any_of([reader.term(field, term) for term in ends]))
    found: dict[str, None] = {}
    for passage in _newest_passages(reader, constraint.all_of(must)):
        if name == "branch":
            found[passage.passage.head.branch] = None
        else:
            found.update(dict.fromkeys(_short_tail(path, beginning) for path in passage.passage.files))
    yield from sorted(filter(None, found), key=lambda one: one.endswith("/"))


def _newest_passages(reader: PassageReader, query: tantivy.Query) -> Iterator[StoredPassage]:
    return map(reader.stored, reader.newest(query, SAMPLE_PASSAGES))


def _short_tail(path: str, beginning: str) -> str:
    """The shortest end of the path that begins so, up to the folder that comes next; empty when none does."""
    folded = beginning.casefold()
    place = len(path)
    while place >= 0:
        place = path.rfind("/", 0, place)
        tail = path[place + 1 :]
        if tail and tail.casefold().startswith(folded):
            name, slash, _ = tail[len(beginning) :].partition("/")
            return tail[: len(beginning)] + name + slash
    return ""
