"""A session as it was indexed, given back when its transcript is gone.

It is what the transcript said, without secrets; what tools were told and answered is cut where the index cut it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from recall_tui.domain import Message, MessageKind, ToolCall
from recall_tui.domain.documents import SIDE_FILE_KINDS
from recall_tui.index.source_record import batches_in_order
from recall_tui.index.text.batching import BATCH_PASSAGES
from recall_tui.index.text.commit_batch import recorded_batches
from recall_tui.index.text.passage import OFF_CHAIN, SIDECHAIN, TRANSCRIPTS_KEY

if TYPE_CHECKING:
    from recall_tui.index.opener import Index
    from recall_tui.index.text.passage import Passage

_KINDS: frozenset[str] = frozenset(get_args(MessageKind))
_ERROR_KEY = "error"


def retained_messages(index: Index, session_id: str) -> Iterator[Message]:
    """The messages of a session that was read from a transcript, in their order; none when it is not indexed."""
    reader = index.reader()
    with index.facts() as facts:
        known = facts.known(TRANSCRIPTS_KEY).values() if facts else ()
    record = next(
        (one for one in known if one.session == session_id and one.passages and one.kind not in SIDE_FILE_KINDS), None
    )
    if reader is None or record is None:
        return
    for name in batches_in_order(recorded_batches(record)):
        for one in reader.of_batch(f"{record.key}:{name}", BATCH_PASSAGES):
            yield from _messages(one.passage)


def _messages(passage: Passage) -> Iterator[Message]:
    kind = passage.roles[0] if passage.roles else ""
    if kind not in _KINDS:
        return
    name = passage.tools[0] if passage.tools else ""
    target = passage.files[0] if passage.files else passage.body.split("\n", 1)[0]
    yield Message(
        kind,  # type: ignore[arg-type]
        passage.body,
        passage.date,
        tool=ToolCall("", name, target) if name else None,
        is_error=_ERROR_KEY in passage.roles,
        is_sidechain=SIDECHAIN in passage.roles,
        is_off_chain=OFF_CHAIN in passage.roles,
        line=passage.lines[0],
    )
