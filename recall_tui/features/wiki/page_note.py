"""What of a page its sources hold: the note at its head that the published design calls grounding.

It is found by opening what the page cites; a model's word counts only for sentences that stand on the page.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from recall_tui.features.grounding.evidence import NumberedLine
from recall_tui.features.grounding.extractive_summary import to_source_line
from recall_tui.features.grounding.harness import is_still_supported, word_overlap
from recall_tui.features.grounding.verify import is_supported
from recall_tui.storage.documents.statements import Statement, page_statements
from recall_tui.storage.documents.wiki_claims import outdated_claims
from recall_tui.storage.documents.wiki_page import WikiPage
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.similarity import normalize

MAX_SENTENCES = 10
"""Sentences of each kind that are named."""
_MIN_WORD_OVERLAP = 0.5
"""Of its words that a line has which is asked whether it holds a sentence that cites nothing."""


def grounding_note(
    store: Store, page: WikiPage, sources: Sequence[NumberedLine], stale: Collection[str] = ()
) -> dict[str, object]:
    """The note for the page as it is, with what its sources say, and what is said to be stale on it."""
    said = page_statements(page.body)
    unverified = [one.text for one in said if not _is_supported(store, one, sources)]
    gone = outdated_claims(page)
    there = {normalize(one.text): one.text for one in said}
    old = [one.text for one in said if normalize(one.text) in gone]
    old += [there[normalize(words)] for words in stale if normalize(words) in there]
    found: dict[str, object] = {
        "verifiedOn": store.now().date().isoformat(),
        "grounded": not unverified and not old,
    }
    listed = {"unverified": unverified, "stale": list(dict.fromkeys(old))}
    return found | {name: rows[:MAX_SENTENCES] for name, rows in listed.items() if rows}


def _is_supported(store: Store, said: Statement, sources: Sequence[NumberedLine]) -> bool:
    """Whether what it cites holds it, or, of what cites nothing, any line of the sources."""
    if said.cited is not None:
        return is_citation_supported(store, said)
    near = (one.line.text for one in sources if word_overlap(said.text, one.line.text) >= _MIN_WORD_OVERLAP)
    return any(is_supported(said.text, line) for line in near)


def is_citation_supported(store: Store, said: Statement) -> bool:
    """Whether the lines that a statement cites hold it still."""
    line = to_source_line("", said)
    return is_still_supported(store, line._replace(text=_strip_date(line.text)))


def _strip_date(text: str) -> str:
    """A claim without the day that was put before it because it holds no longer."""
    lead, colon, rest = text.partition(": ")
    return rest if colon and lead.startswith("Until ") else text
