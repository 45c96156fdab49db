"""Whose words a summary is: noted beside it, so that told words outlive the next capture and nobody is asked twice.

What a model or an agent told of a session is replaced only by what another one tells, or because a person wants it so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from recall_tui.features.capture.model_summary import with_digest

if TYPE_CHECKING:
    from recall_tui.domain import ArchiveEntry, SessionDigest
    from recall_tui.features.capture.archive_draft import ArchiveDraft
    from recall_tui.storage.memory_context import Store

AGENT_AUTHOR = "agent"
"""Who told a summary that was handed in."""
_AUTHOR_KEY, _HASH_KEY = "summary_by", "summary_of"
"""The keys in an archive's frontmatter, and in a summary's comment."""


def author_of(entry: ArchiveEntry) -> str:
    """Who told the summary of the archive; empty when it is in the conversation's own words."""
    return str(entry.extra.get(_AUTHOR_KEY) or "")


def summarized_hash_of(entry: ArchiveEntry) -> str:
    """The content hash that the conversation had when its summary was told; empty when it was not."""
    return str(entry.extra.get(_HASH_KEY) or "") if author_of(entry) else ""


def provenance_of(draft: ArchiveDraft) -> dict[str, object]:
    """What is noted of who told the draft; nothing for the conversation's own words."""
    said = draft.digest
    return {_AUTHOR_KEY: said.told_by, _HASH_KEY: said.told_of or draft.head.content_hash} if said.told_by else {}


def with_provenance(entry: ArchiveEntry, before: Mapping[str, object]) -> ArchiveEntry:
    """The entry of a draft with what else stood in the head before."""
    others = {key: value for key, value in before.items() if key not in (_AUTHOR_KEY, _HASH_KEY)}
    return replace(entry, extra={**others, **entry.extra})


def shareable_draft(store: Store, draft: ArchiveDraft) -> ArchiveDraft:
    """Return the draft without the names of this machine's folders in its words; a team shares the pages."""
    digest, tags = draft.digest, draft.digest.tags
    shared = replace(
        digest,
        summary=shareable_text(store, digest.summary),
        title=shareable_text(store, digest.title),
        points=tuple((label, shareable_text(store, text)) for label, text in digest.points),
        tags=replace(
            tags,
            decisions=tuple(shareable_text(store, text) for text in tags.decisions),
            actions=tuple(shareable_text(store, text) for text in tags.actions),
            files=tuple(shareable_text(store, file) for file in tags.files),
        ),
    )
    return replace(draft, digest=shared, title=shareable_text(store, draft.title))


def shareable_text(store: Store, text: str) -> str:
    """Return the text with paths inside the project relative to it, and others of the home folder from `~` on."""
    for folder, inside, itself in ((store.root, "", "."), (store.environment.home, "~/", "~")):
        if folder.name:
            path = re.escape(str(folder))
            text = re.sub(rf"{path}(?![\w.-])", itself, re.sub(rf"{path}/(?=\S)", inside, text))
    return text


def keeps_summary(draft: ArchiveDraft, old: ArchiveEntry) -> bool:
    """Whether the words that stand there are to stay: they were told, and the draft's were not."""
    return bool(author_of(old)) and not draft.digest.told_by


def with_existing_summary(draft: ArchiveDraft, old: ArchiveEntry, words: SessionDigest) -> ArchiveDraft:
    """The draft with the told words of the archive that it brings up to date."""
    return with_digest(
        draft,
        replace(words, topics=old.topics, title=old.title, told_by=author_of(old), told_of=summarized_hash_of(old)),
    )
