"""Filters, phrases and words to leave out, as queries for the text index.

Queries are built from objects; a person's text never goes through a query parser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from recall_tui.index import project_scope
from recall_tui.index.text import schema
from recall_tui.search.query import Filters

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.text.reader import PassageReader

_ROLE_KINDS = frozenset(("prompt", "reply", "tool", "summary", "plan"))
_TODO_TOOLS = ("todowrite", "taskcreate", "taskupdate")
"""Tools with which an agent keeps its list of what is to be done: `kind:todo` in a transcript."""
_PHRASE_FIELDS = ("plain", "title", "paths")


def filter_query(reader: PassageReader, filters: Filters, aliases: Mapping[str, str]) -> list[tantivy.Query]:
    """A query for each filter; a passage must match them all. `aliases` say where folders were moved, old to new."""
    found = []
    if filters.kinds:
        kinds = [reader.term("kind", kind) for kind in filters.kinds]
        kinds += [reader.term("used", tool) for tool in _TODO_TOOLS if "todo" in filters.kinds]
        roles = [*(kind for kind in filters.kinds if kind in _ROLE_KINDS)]
        roles += ["compact_summary"] if "summary" in roles else []
        found.append(any_of([*kinds, *(reader.term("role", role) for role in roles)]))
    for field, value in (
        ("agent", filters.agent),
        ("used", filters.tool),
        ("origin", filters.source),
        ("topic", filters.topic),
    ):
        if value:
            found.append(reader.term(field, schema.clean_text(value)))
    if filters.project:
        found.append(_project_query(reader, schema.terms(schema.PLAIN, filters.project), aliases))
    if filters.file:
        found.append(field_phrase(reader, "paths", schema.terms(schema.PLAIN, filters.file)))
    if filters.branch:
        found.append(field_phrase(reader, "branch", schema.terms(schema.STEMMED, filters.branch)))
    if filters.session:
        found.append(_session_query(reader, schema.clean_text(filters.session)))
    if filters.since or filters.until:
        found.append(_date_query(reader, filters))
    return found


def phrase_query(reader: PassageReader, text: str) -> tantivy.Query:
    """The query for words side by side, or one word, anywhere in a passage."""
    plain, stemmed = schema.terms(schema.PLAIN, text), schema.terms(schema.STEMMED, text)
    found = [
        field_phrase(reader, field, plain if field in ("plain", "paths") else stemmed)
        for field in _PHRASE_FIELDS
        if plain
    ]
    runs = schema.unspaced_runs(schema.clean_text(text))
    if runs:
        grams = [gram for run in runs for gram in ([run[at : at + 2] for at in range(len(run) - 1)] or [run])]
        found.append(all_of([reader.term("gram", gram) for gram in grams]))
    return any_of(found)


def field_phrase(reader: PassageReader, field: str, terms: list[str]) -> tantivy.Query:
    """The query for terms side by side in a field; no terms match nothing."""
    from tantivy import Query

    if len(terms) > 1:
        return Query.phrase_query(reader.schema, field, list(terms))
    return reader.term(field, terms[0]) if terms else Query.empty_query()


def any_of(queries: list[tantivy.Query]) -> tantivy.Query:
    """What matches one of them; nothing when there are none."""
    from tantivy import Occur, Query

    return Query.boolean_query([(Occur.Should, query) for query in queries]) if queries else Query.empty_query()


def all_of(queries: list[tantivy.Query], without: list[tantivy.Query] | None = None) -> tantivy.Query:
    """What matches all of them and none of `without`."""
    from tantivy import Occur, Query

    parts = [(Occur.Must, query) for query in queries or [Query.all_query()]]
    return Query.boolean_query([*parts, *((Occur.MustNot, query) for query in without or [])])


def and_query(first: tantivy.Query | None, second: tantivy.Query) -> tantivy.Query:
    """What matches the two; the second alone when there is no first."""
    return second if first is None else all_of([first, second])


def unscored(query: tantivy.Query) -> tantivy.Query:
    """The query without a say in the order."""
    from tantivy import Query

    return Query.const_score_query(query, 0.0)


def _project_query(reader: PassageReader, terms: list[str], aliases: Mapping[str, str]) -> tantivy.Query:
    """What was said in a folder whose path holds the terms side by side, or that was moved to such a path."""
    found = [field_phrase(reader, "place", terms)]
    for key, path in project_scope.moved_project_keys(reader, aliases):
        if f" {' '.join(terms)} " in f" {' '.join(schema.terms(schema.PLAIN, path))} ":
            found.append(reader.term("project", key))
    return any_of(found)


def _session_query(reader: PassageReader, beginning: str) -> tantivy.Query:
    from tantivy import Query

    ids = [term for term, _ in reader.dictionary("session", beginning, None, 1000)]
    return Query.term_set_query(reader.schema, "session", ids) if ids else Query.empty_query()


def _date_query(reader: PassageReader, filters: Filters) -> tantivy.Query:
    from tantivy import FieldType, Query

    return Query.range_query(
        reader.schema,
        "date",
        FieldType.Integer,
        int(filters.since.timestamp()) if filters.since else None,
        int(filters.until.timestamp()) if filters.until else None,
        include_upper=filters.until is None,
    )
