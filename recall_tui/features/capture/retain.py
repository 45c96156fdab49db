"""Transcripts that their agent is about to delete: retained as compressed copies, named by what they hold, redacted.

A copy that already exists is never made again, and a transcript that was forgotten is not even read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recall_tui.domain import Conversation, Create, Plan
from recall_tui.errors import RecallError
from recall_tui.features.capture.expiry import expiry_report
from recall_tui.features.capture.session_reader import copied_lines
from recall_tui.memory import Memory
from recall_tui.storage.archives import retained
from recall_tui.storage.files import staging
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.registry import read_transcript


@dataclass(frozen=True, slots=True)
class RetainResult:
    """What became of the transcripts that expire soon."""

    made: int = 0
    """Copies made."""
    failed: tuple[str, ...] = ()
    """Those that could not be retained, with the reason."""


def retain(memory: Memory, is_over: Callable[[], bool] = lambda: False) -> RetainResult:
    """Retain every transcript of the memory that expires soon and has no copy as it is now; stops when `is_over`."""
    made, failed = 0, list[str]()
    for one in expiry_report(memory).soon:
        if is_over():
            break
        if one.copy is not None:
            continue
        try:
            plan = _plan_copy(memory, one.file)
            if plan is not None:
                made += _retain_copy(memory, plan)
        except (RecallError, OSError) as error:
            failed.append(f"{one.file.path}: {error}")
    return RetainResult(made, tuple(failed))


def _plan_copy(memory: Memory, file: TranscriptFile) -> Plan | None:
    """The change that retains a transcript; None for one that holds nothing, or that a copy holds as it is."""
    conversation = read_transcript(file.path)
    if not isinstance(conversation, Conversation):
        return None
    path = retained.retained_path(memory.environment.kept, conversation.head)
    if path.exists():
        return None
    body = retained.stage_copy(conversation.head, memory.spool, copied_lines)
    return Plan(f"Kept the transcript of {file.session_id} before it is deleted", (Create(path, "", body),))


def _retain_copy(memory: Memory, plan: Plan) -> bool:
    try:
        return memory.commit(lambda _: plan, by="schedule") is not None
    finally:
        staging.discard(plan)
