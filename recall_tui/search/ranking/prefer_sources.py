"""Evidence before what was made from it: a page stands below a document that it cites and that answers as well.

Whatever the settings have pages weigh, none outranks the fact it was made from; only a search that asks for its pages
to be lifted lets them stand where their weight puts them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from recall_tui.domain.documents import SourceRef
from recall_tui.search.ranking.explain import find_reasons
from recall_tui.search.ranking.period_routing import find_count_key
from recall_tui.storage.markdown.source_refs import document_text, find_citations

if TYPE_CHECKING:
    from recall_tui.search.bound_query import BoundQuery
    from recall_tui.search.ranking.candidates import RankedPassage

_MASTER_KIND = "master"
"""Of pages, the one that is made from summaries, which are pages themselves."""


def place_evidence_first(question: BoundQuery, found: Sequence[RankedPassage]) -> list[RankedPassage]:
    """The finds, best first, with every page below the evidence among them that it cites and that answers as well."""
    ordered = list(found)
    is_lifted = (question.options.wiki_boost or 0.0) > 1.0
    evidence = {one.candidate.key: one for one in found if not one.is_derived}
    summaries = {one.candidate.key: one for one in found if one.passage.kind == "summary"}
    for page in [one for one in found if one.is_derived and not one.candidate.is_named]:
        if is_lifted and page.passage.kind == "wiki":
            continue
        sources = evidence | summaries if page.passage.kind == _MASTER_KIND else evidence
        above = _evidence_above(question, page, sources)
        at = ordered.index(page)
        last = max((place for place, one in enumerate(ordered) if one.candidate.key in above), default=-1)
        if last > at:
            score = min(page.score, ordered[last].score)
            ordered.insert(last, ordered.pop(at)._replace(score=score))
    return ordered


def _evidence_above(question: BoundQuery, page: RankedPassage, evidence: Mapping[int, RankedPassage]) -> set[int]:
    """What of the evidence stands above the page, by what it is counted with."""
    above: set[int] = set()
    words: set[str] | None = None
    for one in cited_sources(question, page):
        key = find_count_key(question, one.document)
        said = evidence.get(key) if key is not None else None
        if key is None or said is None or key in above:
            continue
        words = set(find_reasons(page.passage, question.weighed).words) if words is None else words
        held = set(find_reasons(said.passage, question.weighed).words)
        if words <= held or (held & words and _is_cited_passage(said, one)):
            above.add(key)
    return above


def cited_sources(question: BoundQuery, page: RankedPassage) -> frozenset[SourceRef]:
    """What a page cites, in its lines and at its head; read once for each state of the index."""
    memo, key = question.reader.memo, (f"citations {question.memory}", page.passage.document)
    if key not in memo:
        memo[key] = json.dumps(list(_read_citations(question, page)))
    return frozenset(SourceRef(*place) for place in json.loads(memo[key]))


def _read_citations(question: BoundQuery, page: RankedPassage) -> frozenset[SourceRef]:
    store, document = question.store, page.passage.document
    text = document_text(store, document)
    found = find_citations(store, text)
    if page.passage.kind == "wiki":
        from recall_tui.storage.documents import wiki_page

        read = wiki_page.parse_wiki_page(text, "")
        sources = read.sources if isinstance(read, wiki_page.WikiPage) else ()
        for source in sources:
            if source.ref.lines and (names := find_citations(store, source.ref.document)):
                found |= {source.ref._replace(document=one.document) for one in names}
    if page.passage.kind == _MASTER_KIND:
        from recall_tui.storage.archives.summary_file import file_name
        from recall_tui.storage.documents.master_file import find_record

        record = find_record(text)
        folder = PurePosixPath(document).parent / "conversations"
        found |= {SourceRef(f"{folder}/{file_name(session)}") for session in (record.summaries if record else ())}
    return found


def _is_cited_passage(said: RankedPassage, place: SourceRef) -> bool:
    """Whether the passage is what is cited, and not another of the same document."""
    if place.lines is None or place.document != said.passage.document:
        return False
    first, last = said.passage.lines
    return place.first <= last and first <= place.last
