"""What a model is asked for while nobody waits: put aside when it is wanted, done later by the process that catches up.

Each job is done once: it is begun again when its process was killed, a few times when a model fails, and what it writes
is never there twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from recall_tui.errors import reason_of
from recall_tui.storage.files.trusted_clock import trusted_time
from recall_tui.storage.state import job_queue
from recall_tui.storage.state.job_queue import Job

if TYPE_CHECKING:
    from pathlib import Path

    from recall_tui.memory import Memory

MAX_JOBS = 3
"""That one catch-up does; the next one goes on."""
MAX_TRIES = 4
"""Times that a job is begun; the last time it does without a model what can be done without one."""
_RETRY_SECONDS = 600.0
"""Until a job that failed is begun again; twice as long after each further time."""
_DROP_DAYS = 7
"""What waited for so long is of no use any more."""
_DROP_SECONDS = _DROP_DAYS * 86_400.0
_SYNTHESIS = "synthesis"

IsCancelled = Callable[[], bool]


class JobOutcome(NamedTuple):
    """What became of one job."""

    job: Job
    did: Literal["done", "failed", "dropped", "stopped"]
    why: str = ""


class JobKind(NamedTuple):
    """A kind of job."""

    is_wanted: Callable[[Memory], bool]
    """Whether a session of this memory that ends brings such a job about."""
    do: Callable[[Memory, Job, IsCancelled], str]
    """Does it; what stood in the way, or nothing. What cannot go better later is no failure."""
    is_repeatable: bool = False
    """It knows what it wrote, so that it may be put aside of a session again that had been captured before its end."""


def queue_jobs(memory: Memory, session_id: str, transcript: Path, *, is_unchanged: bool = False) -> None:
    """Put aside what is to be done about a session that ended and was captured, now or before."""
    now = memory.now().timestamp()
    for kind, work in KINDS.items():
        if work.is_wanted(memory) and (work.is_repeatable or not is_unchanged):
            job_queue.save(memory.state, Job(kind, session_id, transcript, now))


def run_due_jobs(memory: Memory, is_over: IsCancelled, *, is_asked: bool = False) -> tuple[JobOutcome, ...]:
    """Do what is due, a few jobs at most; only one process at a time may.

    With `is_asked`, where a person waits for it, all of them are done, those too that failed a moment ago.
    """
    if _is_synthesis_due(memory):
        job_queue.save(memory.state, Job(_SYNTHESIS, "", None, memory.now().timestamp()))
    found: list[JobOutcome] = []
    begun = 0
    believed = trusted_time(memory.state, memory.now(), _DROP_DAYS).timestamp()
    for job in job_queue.list_all(memory.state):
        now = memory.now().timestamp()
        work = KINDS.get(job.kind)
        if work is None or believed - job.put_at > _DROP_SECONDS:
            job_queue.delete(memory.state, job)
            found.append(JobOutcome(job, "dropped", "it waited too long" if work else "unknown kind of job"))
        elif (is_asked or (begun < MAX_JOBS and _is_due(job, now))) and not is_over():
            begun += 1
            found.append(_run_job(memory, job, work, is_over))
    return tuple(found)


def _is_due(job: Job, now: float) -> bool:
    """Whether the job may be begun; one that waits for longer than any wait was put back by a clock that was ahead."""
    return not now < job.not_before <= now + _RETRY_SECONDS * 2**MAX_TRIES


def _run_job(memory: Memory, job: Job, work: JobKind, is_over: IsCancelled) -> JobOutcome:
    """Do one job; that it was begun is written down first, so that one that kills its process is not begun for ever."""
    wait = _RETRY_SECONDS * 2**job.tries
    begun = job._replace(tries=job.tries + 1, not_before=memory.now().timestamp() + wait)
    job_queue.save(memory.state, begun)
    try:
        why = work.do(memory, begun, is_over)
    except Exception as error:
        # One job, whatever is wrong with it, keeps no other from being done.
        why = reason_of(error)
    if not why:
        job_queue.delete(memory.state, job)
        return JobOutcome(job, "done")
    if is_over():
        job_queue.save(memory.state, job)
        return JobOutcome(job, "stopped", why)
    if begun.tries >= MAX_TRIES:
        job_queue.delete(memory.state, job)
        return JobOutcome(job, "dropped", why)
    return JobOutcome(job, "failed", why)


def _write_lessons(memory: Memory, job: Job, is_over: IsCancelled) -> str:
    """The session's lessons, the last time in its own words."""
    from recall_tui.domain import SkippedResult
    from recall_tui.features.capture import lessons

    if job.transcript is None or not job.transcript.is_file():
        return ""
    is_last = job.tries >= MAX_TRIES
    found = lessons.extract_lessons(memory, job.transcript, with_model=not is_last, is_cancelled=is_over)
    if isinstance(found, SkippedResult):
        return ""
    if found.trouble:
        return found.trouble
    memory.commit(lambda memory: lessons.plan_lessons(memory, found), by="schedule")
    return ""


def _needs_lessons(memory: Memory) -> bool:
    """Only session recall writes lessons by itself; elsewhere a person asks for them."""
    return memory.layout.design.writes_lessons


def _resummarize(memory: Memory, job: Job, is_over: IsCancelled) -> str:
    """The session's archive, told by the model for summaries."""
    from recall_tui.features.summaries.resummarize import apply_resummary
    from recall_tui.llm.client import ModelClient
    from recall_tui.llm.model import Failure

    told = apply_resummary(memory, job.session_id, ModelClient(memory, is_over), by="schedule")
    return told.reason if isinstance(told, Failure) else ""


def _needs_resummarize(memory: Memory) -> bool:
    """Whether a model tells summaries, and there is a page that can hold one."""
    config = memory.config
    if memory.layout.design.retains_transcripts or not (config.text("llm.provider") or config.text("llm.summary")):
        return False
    from recall_tui.llm.client import ModelClient

    return ModelClient(memory).is_offered("summary")


def _synthesize(memory: Memory, job: Job, is_over: IsCancelled) -> str:
    """A new master in review, when enough summaries wait for one."""
    from recall_tui.features.summaries.synthesize import propose_when_due

    propose_when_due(memory, is_over)
    return ""


def _is_synthesis_due(memory: Memory) -> bool:
    """Whether enough summaries wait, whoever wrote them, and none is put aside for them yet."""
    from recall_tui.features.summaries.synthesis_state import count_due_summaries

    return bool(count_due_summaries(memory)) and not any(
        job.kind == _SYNTHESIS for job in job_queue.list_all(memory.state)
    )


def _is_never_needed(_: Memory) -> bool:
    return False


KINDS: Mapping[str, JobKind] = {
    "lessons": JobKind(_needs_lessons, _write_lessons, is_repeatable=True),
    "retell": JobKind(_needs_resummarize, _resummarize),
    _SYNTHESIS: JobKind(_is_never_needed, _synthesize),
}
"""What can be put aside."""
