"""What a ranked search answers, as plain values for programs: the keys stay, whatever they are printed with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recall_tui.domain import Hit, SearchResult


def result_as_json(answer: SearchResult) -> dict[str, object]:
    """The answer in the keys that are promised."""
    return {
        "query": answer.query,
        "rung": answer.rung,
        "took_ms": answer.took_ms,
        "total": answer.total,
        "searched": answer.searched,
        "hits": [hit_as_json(hit) for hit in answer.hits],
    }


def hit_as_json(hit: Hit) -> dict[str, object]:
    """One hit in the keys that are promised, and its text when that was asked for."""
    chunks = [{"lines": lines, "text": text} for lines, text in hit.chunks]
    return {
        "id": hit.id,
        "document": hit.document,
        "kind": hit.kind,
        "result_type": hit.result_type,
        "session_id": hit.session_id,
        "project": hit.project,
        "title": hit.title,
        "date": hit.date,
        "lines": hit.lines,
        "heading": hit.heading,
        "score": hit.score,
        "matches": hit.matches,
        "snippet": hit.snippet,
        "why": hit.why,
        **({"chunks": chunks} if chunks else {}),
    }
