"""What an agent made of a session when it compacted it: kept as the summary of the session's checkpoint.

Only the head of the archive changes, and only while it is a checkpoint; a final archive has a summary of its own.
"""

from __future__ import annotations

import re

from recall_tui.domain import Plan, Replace, SessionDigest
from recall_tui.features.capture.archived_sessions import known_archives
from recall_tui.storage.archives import parts
from recall_tui.storage.archives.file import head_digest, merge_head, parse_tags, read_entry, read_summary, render_head
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.git_exclusion import require_exclusion
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.secrets.redact import redact

MAX_SUMMARY_CHARS = 4_000
"""Characters of a summary that are kept."""
_MARKUP = re.compile(r"^\s{0,3}#{1,6}\s+|^\s*\d{1,2}\.\s+|\*\*|</?(?:summary|analysis)>", re.MULTILINE)


def plan_compaction_summary(store: Store, session_id: str, summary: str) -> Plan:
    """Put the compaction's summary at the head of the session's newest archive, if that is a checkpoint."""
    words = shorten(redact(one_line(_MARKUP.sub("", summary))), MAX_SUMMARY_CHARS)
    if not words:
        return Plan("the compaction left no summary")
    known = known_archives(store, session_id)
    if not known or known[-1].source != "checkpoint":
        return Plan("the session has no checkpoint")
    require_exclusion(store)
    entry = known[-1]
    text = read_text(entry.path)
    if read_summary(text) == words:
        return Plan("its checkpoint has this summary already")
    was = parts.of(text)
    whole = read_entry(entry.path) or entry
    if parts.has_own_head(whole, was.words) is False:
        return Plan("its checkpoint has an edited summary")
    new = render_head(whole, SessionDigest(words, whole.topics, parse_tags(text), head_digest(text).points))
    edit = Replace(entry.path, content_digest(text), merge_head(new, was.before) + was.body + was.tags)
    return Plan(f"Kept the summary of a compaction → {entry.name}", (edit,))
