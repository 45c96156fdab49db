"""Transcripts that their agent is about to delete: retained as compressed copies, named by what they hold, redacted.

A copy that is there already is never made again, and a transcript that was forgotten is not even read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recall_tui.domain import Conversation, Create, Plan
from recall_tui.errors import RecallError
from recall_tui.features.capture.expiry import expiry
from recall_tui.memory import Memory
from recall_tui.storage.archives import retained as kept
from recall_tui.storage.files import staging as spool
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.registry import read


@dataclass(frozen=True, slots=True)
class Retained:
    """What became of the transcripts that expire soon."""

    made: int = 0
    """Copies made."""
    failed: tuple[str, ...] = ()
    """Those that could not be retained, with the reason."""


def retain(memory: Memory, is_over: Callable[[], bool] = lambda: False) -> Retained:
    """Retain every transcript of the memory that expires soon and has no copy as it is now; stops when `is_over`."""
    made, failed = 0, list[str]()
    for one in expiry(memory).soon:
        if is_over():
            break
        if one.copy is not None:
            continue
        try:
            plan = _planned(memory, one.file)
            if plan is not None:
                made += _made(memory, plan)
        except (RecallError, OSError) as error:
            failed.append(f"{one.file.path}: {error}")
    return Retained(made, tuple(failed))


def _planned(memory: Memory, file: TranscriptFile) -> Plan | None:
    """The change that retains a transcript; None for one that holds nothing, or that a copy holds as it is."""
    conversation = read(file.path)
    if not isinstance(conversation, Conversation):
        return None
    path = kept.path_of(memory.places.kept, conversation.head)
    if path.exists():
        return None
    body = kept.spooled(conversation.head, memory.spool)
    return Plan(f"Kept the transcript of {file.session_id} before it is deleted", (Create(path, "", body),))


def _made(memory: Memory, plan: Plan) -> bool:
    try:
        return memory.commit(lambda _: plan, by="schedule") is not None
    finally:
        spool.discard(plan)
