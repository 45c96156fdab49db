"""Several transcripts of one session made into one: a session that moved, a kept copy and the live file.

Every record is there once, by its uuid and its words: records that share a uuid and say other things are all there, and
of records without a uuid as many as the transcript that has most of them holds. Only digests are held.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from recall_tui.domain import Conversation, ConversationHead, Message
from recall_tui.text.cut import one_line
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts.conversation_head import HeadBuilder
from recall_tui.transcripts.read_report import HASH_DIGITS, MAX_FAULTS

_MIN_TIME = datetime.min.replace(tzinfo=UTC)


def merge(conversations: Sequence[Conversation]) -> Conversation:
    """One conversation of several with the same session id, their messages in the order of time.

    Within one transcript the order of its lines is kept. Raises ValueError for no conversations or several sessions.
    """
    if len({conversation.head.session_id for conversation in conversations}) != 1:
        raise ValueError("conversations to merge must be of one session")
    if len(conversations) == 1:
        return conversations[0]
    longest_first = sorted(conversations, key=_length, reverse=True)
    messages = partial(_in_order, tuple(longest_first))
    return Conversation(_head(longest_first, messages), messages)


def _length(conversation: Conversation) -> tuple[int, datetime, str]:
    # Of equally long ones the same comes first, whichever was read first: they may differ in what was left behind.
    head = conversation.head
    return head.message_count, head.ended_at or _MIN_TIME, head.content_hash


def _in_order(conversations: Sequence[Conversation]) -> Iterator[Message]:
    """The main conversation first, then what was said with sub-agents, as in a single transcript."""
    # A copy that was kept is masked: what it has in common with the live file is found in masked words alone.
    clean = redact if any(one.head.source.suffix == ".zst" for one in conversations) else str
    taken: dict[int, int] = {}
    counts: list[dict[int, int]] = [{} for _ in conversations]
    for is_sidechain in (False, True):
        streams = [_stream(place, one, is_sidechain) for place, one in enumerate(conversations)]
        for _, place, message in heapq.merge(*streams, key=lambda item: (item[0], item[1])):
            key = message_identity(message, clean)
            count = counts[place][key] = counts[place].get(key, 0) + 1
            if count > taken.get(key, 0):
                taken[key] = count
                yield message


def message_identity(message: Message, clean: Callable[[str], str] = str) -> int:
    """A number that the same message of the same record has in every copy."""
    at = message.at.isoformat() if message.at and not message.uuid else ""
    told = f"{message.uuid}\0{at}\0{message.kind}\0{one_line(clean(message.text))}"
    return int.from_bytes(hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _stream(place: int, one: Conversation, is_sidechain: bool) -> Iterator[tuple[datetime, int, Message]]:
    """Messages with times that never fall, so that merging keeps the order of the lines."""
    latest = _MIN_TIME
    for message in one.messages():
        if message.is_sidechain == is_sidechain:
            latest = max(latest, message.at or latest)
            yield latest, place, message


def _head(conversations: Sequence[Conversation], messages: Callable[[], Iterator[Message]]) -> ConversationHead:
    heads = [conversation.head for conversation in conversations]
    by_start = sorted(heads, key=lambda head: head.started_at or datetime.max.replace(tzinfo=UTC))
    by_end = sorted(heads, key=lambda head: head.ended_at or _MIN_TIME, reverse=True)
    tally = HeadBuilder()
    for message in messages():
        tally.hear(message)
    hashes = sorted(head.content_hash for head in heads)
    return replace(
        heads[0],
        started_at=by_start[0].started_at,
        ended_at=by_end[0].ended_at,
        title=_first(head.title for head in by_end),
        cwd=_first(head.cwd for head in by_start),
        branch=_first(head.branch for head in by_end),
        model=_first(head.model for head in by_end),
        version=_first(head.version for head in by_end),
        prompts=tally.prompts,
        replies=tally.replies,
        tokens=max(head.tokens for head in heads),
        pull_requests=tuple(dict.fromkeys(link for head in by_start for link in head.pull_requests)),
        side_files=tuple(dict.fromkeys(file for head in heads for file in head.side_files)),
        first_uuid=_first(head.first_uuid for head in by_start),
        last_uuid=_first(head.last_uuid for head in by_end),
        content_hash=hashlib.sha256("\n".join(hashes).encode()).hexdigest()[:HASH_DIGITS],
        fault_count=sum(head.fault_count for head in heads),
        faults=tuple(fault for head in heads for fault in head.faults)[:MAX_FAULTS],
    )


def _first(values: Iterator[str]) -> str:
    return next((value for value in values if value), "")
