"""A page of the wiki as it waits in review: what comes to be said of it meanwhile is added to that.

What waits is only built on while it can be accepted: of a page that changed since nothing is taken over.
"""

from __future__ import annotations

from pathlib import Path

from recall_tui.storage.documents.wiki_page import WikiPage, parse_wiki_page
from recall_tui.storage.files import atomic
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import Proposal


def find_pending_page(store: Store, kind: str, slug: str, path: Path) -> tuple[WikiPage, Proposal] | None:
    """The page as the newest open proposal of the kind would have it, with that proposal; None when none fits."""
    one = next((one for one in proposals.list_open(store) if (one.kind, one.subject) == (kind, slug)), None)
    change = next((change for change in one.left if change.path == store.relative(path)), None) if one else None
    if one is None or change is None or change.text is None or change.was != atomic.file_digest(path):
        return None
    page = parse_wiki_page(change.text, slug)
    return (page, one) if isinstance(page, WikiPage) else None
