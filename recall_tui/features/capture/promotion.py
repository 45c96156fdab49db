"""Archive the text that a person or an older version left in the window."""

from __future__ import annotations

from recall_tui.domain import Create, Edit, Plan, Replace
from recall_tui.features.capture import archive
from recall_tui.features.capture.archive_draft import ArchiveFacts, ArchivePlan
from recall_tui.features.capture.archived_sessions import known_archives
from recall_tui.features.capture.blocked_paths import extend_file
from recall_tui.storage.archives import index_file
from recall_tui.storage.documents import window_file
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.memory_context import Store


def promote(store: Store, context: str = "") -> ArchivePlan:
    """Plan an archive of the window's own text and an empty window; no edits when it is blank or archived."""
    text = read_text(store.layout.window)
    if not text.strip():
        return Plan("nothing to promote: EPHEMERAL.md is empty", facts={"status": "unchanged"})
    held, whole = window_file.read_last_session(text), text
    if held is not None and known_archives(store, held.session_id):
        edit = Replace(store.layout.window, content_digest(text), "")
        title = f"Emptied EPHEMERAL.md: the session is archived already, as {held.archive}"
        return Plan(title, (edit,), facts={"status": "unchanged"})
    window = window_file.parse_window(text)
    if (
        window.is_entries
        and not window.free_text
        and all(known_archives(store, one.session_id) for one in window.entries)
    ):
        return Plan("nothing to promote: every session in EPHEMERAL.md is archived", facts={"status": "unchanged"})
    text = held.text if held else text
    if not store.layout.archives:
        return Plan(f"layout {store.layout.name} has no archive files to promote to", facts={"status": "skipped"})
    rows_text = store.register.look(is_exact=True).text
    number = archive.next_number(store)
    entry = archive.build_promoted_entry(store, number, store.register.new_path(number), text, context)
    edits: list[Edit] = [
        Create(entry.path, archive.render_promoted(entry, text)),
        *extend_file(store.layout.rows, index_file.add_row(rows_text, entry)),
        Replace(store.layout.window, content_digest(whole), ""),
    ]
    facts = ArchiveFacts(status="archived", number=number, path=str(entry.path))
    return Plan(f"Promoted EPHEMERAL.md → {entry.name}", tuple(edits), facts=facts)
