"""The session and the project of a page's passages: from the page, else from the memory that holds it.

A summary names its own in our comment. A page that names no project, in a memory within one, is that project's. What
a comment says is redacted like all that is indexed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.index.project_scope import own_folder
from recall_tui.index.sources.markdown import MarkdownSource, project_key
from recall_tui.storage.trust import includes_every_project

if TYPE_CHECKING:
    from recall_tui.index.text.passage import DocumentHead, Passage
    from recall_tui.storage.memory_context import Store


def complete_heads(store: Store, source: MarkdownSource, text: str, passages: Iterable[Passage]) -> list[Passage]:
    """Return the passages of the page, whose whole text is given, with what is known of its session and project."""
    found = [*passages]
    if source.kind == "summary":
        found = _of_session(source.path, text, found)
    if not found:
        return found
    heads = {head: _of_project(store, source, head) for head in dict.fromkeys(one.head for one in found)}
    return [one._replace(head=heads[one.head]) for one in found]


def _of_session(path: Path, text: str, passages: list[Passage]) -> list[Passage]:
    """The passages of a summary with what our comment in it says of its session."""
    from recall_tui.storage.archives.summary_file import parse_entry
    from recall_tui.text.secrets.redact import redact
    from recall_tui.text.session_line import label_archive

    if not passages or (entry := parse_entry(text, path)) is None:
        return passages
    first = passages[0].head
    head = first._replace(
        date=first.date or entry.ended_at or entry.date,
        project=redact(entry.project) or first.project or redact(entry.cwd),
        agent=redact(entry.agent) or first.agent or label_archive(entry).agent,
        branch=redact(entry.branch) or first.branch,
        origin=redact(entry.source) or first.origin,
        topics=first.topics or tuple(map(redact, entry.topics)),
        folder=redact(entry.cwd) or first.folder,
    )
    return [
        one._replace(head=head, session_id=one.session_id or entry.session_id, date=one.date or head.date)
        for one in passages
    ]


def _of_project(store: Store, source: MarkdownSource, head: DocumentHead) -> DocumentHead:
    """The head with its project and what that is filed under."""
    # The summary of a colleague names the project, and not where it lies here.
    named = head.folder or head.project * (source.kind != "summary")
    if named:
        return head._replace(project_key=project_key(named))
    own = str(own_folder(store))
    if source.path.is_relative_to(store.root) and not includes_every_project(store):
        return head._replace(project=head.project or own, project_key=project_key(own))
    return head._replace(project_key=project_key(own)) if source.kind == "conversation" else head
