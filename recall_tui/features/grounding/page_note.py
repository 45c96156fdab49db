"""What of a page its sources hold: the note at its head that the published design calls grounding.

It is found by opening what the page cites; a model's word counts only for sentences that stand on the page.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from recall_tui.features.grounding.evidence import Numbered, is_held, is_there
from recall_tui.features.grounding.source_line import line_of
from recall_tui.storage.documents.statements import Statement, statements
from recall_tui.storage.documents.wiki_page import WikiPage
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.similarity import normal

MOST = 10
"""Sentences of each kind that are named."""
_SHARE = 0.75
"""Of its words that a line has which holds a sentence that cites nothing."""


def grounding(
    store: Store, page: WikiPage, sources: Sequence[Numbered], stale: Collection[str] = ()
) -> dict[str, object]:
    """The note for the page as it is, with what its sources say, and what is said to be stale on it."""
    said = statements(page.body)
    unverified = [one.text for one in said if not _is_held(store, one, sources)]
    gone = {normal(one.fact) for one in page.supersedes if one.fact}
    there = {normal(one.text): one.text for one in said}
    old = [one.text for one in said if normal(one.text) in gone]
    old += [there[normal(words)] for words in stale if normal(words) in there]
    found: dict[str, object] = {
        "verifiedOn": store.now().date().isoformat(),
        "grounded": not unverified and not old,
    }
    listed = {"unverified": unverified, "stale": list(dict.fromkeys(old))}
    return found | {name: rows[:MOST] for name, rows in listed.items() if rows}


def _is_held(store: Store, said: Statement, sources: Sequence[Numbered]) -> bool:
    """Whether what it cites holds it, or, of what cites nothing, any line of the sources."""
    if said.cited is not None:
        line = line_of("", said)
        return is_there(store, line._replace(text=_undated(line.text)))
    return any(is_held(said.text, one.line.text, _SHARE) for one in sources)


def _undated(text: str) -> str:
    """A claim without the day that was put before it because it holds no longer."""
    lead, colon, rest = text.partition(": ")
    return rest if colon and lead.startswith("Until ") else text
