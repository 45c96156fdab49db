"""What a model is asked for while nobody waits: put aside when it is wanted, done later by the process that catches up.

Each job is done once: it is begun again when its process was killed, a few times when a model fails, and what it writes
is never there twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from recall_tui.errors import reason_of
from recall_tui.storage.files.steady_clock import trusted
from recall_tui.storage.state import job_queue as jobs
from recall_tui.storage.state.job_queue import Job

if TYPE_CHECKING:
    from pathlib import Path

    from recall_tui.memory import Memory

MOST_JOBS = 3
"""That one catch-up does; the next one goes on."""
MOST_TRIES = 4
"""Times that a job is begun; the last time it does without a model what can be done without one."""
_WAIT_SECONDS = 600.0
"""Until a job that failed is begun again; twice as long after each further time."""
_DROP_DAYS = 7
"""What waited for so long is of no use any more."""
_DROP_SECONDS = _DROP_DAYS * 86_400.0
_SYNTHESIS = "synthesis"

Stop = Callable[[], bool]


class Outcome(NamedTuple):
    """What became of one job."""

    job: Job
    did: Literal["done", "failed", "dropped", "stopped"]
    why: str = ""


class Work(NamedTuple):
    """A kind of job."""

    is_wanted: Callable[[Memory], bool]
    """Whether a session of this memory that ends brings such a job about."""
    do: Callable[[Memory, Job, Stop], str]
    """Does it; what stood in the way, or nothing. What cannot go better later is no failure."""


def after_end(memory: Memory, session_id: str, transcript: Path) -> None:
    """Put aside what is to be done about a session that ended and was captured."""
    now = memory.now().timestamp()
    for kind, work in KINDS.items():
        if work.is_wanted(memory):
            jobs.put(memory.state, Job(kind, session_id, transcript, now))


def run(memory: Memory, is_over: Stop) -> tuple[Outcome, ...]:
    """Do what is due, a few jobs at most; only one process at a time may."""
    if _is_synthesis_due(memory):
        jobs.put(memory.state, Job(_SYNTHESIS, "", None, memory.now().timestamp()))
    found: list[Outcome] = []
    begun = 0
    believed = trusted(memory.state, memory.now(), _DROP_DAYS).timestamp()
    for job in jobs.all_of(memory.state):
        now = memory.now().timestamp()
        work = KINDS.get(job.kind)
        if work is None or believed - job.put_at > _DROP_SECONDS:
            jobs.remove(memory.state, job)
            found.append(Outcome(job, "dropped", "it waited too long" if work else "nobody knows how it is done"))
        elif begun < MOST_JOBS and _is_due(job, now) and not is_over():
            begun += 1
            found.append(_done(memory, job, work, is_over))
    return tuple(found)


def _is_due(job: Job, now: float) -> bool:
    """Whether the job may be begun; one that waits for longer than any wait was put back by a clock that was ahead."""
    return not now < job.not_before <= now + _WAIT_SECONDS * 2**MOST_TRIES


def _done(memory: Memory, job: Job, work: Work, is_over: Stop) -> Outcome:
    """Do one job; that it was begun is written down first, so that one that kills its process is not begun for ever."""
    wait = _WAIT_SECONDS * 2**job.tries
    begun = job._replace(tries=job.tries + 1, not_before=memory.now().timestamp() + wait)
    jobs.put(memory.state, begun)
    try:
        why = work.do(memory, begun, is_over)
    except Exception as error:
        # One job, whatever is wrong with it, keeps no other from being done.
        why = reason_of(error)
    if not why:
        jobs.remove(memory.state, job)
        return Outcome(job, "done")
    if is_over():
        jobs.put(memory.state, job)
        return Outcome(job, "stopped", why)
    if begun.tries >= MOST_TRIES:
        jobs.remove(memory.state, job)
        return Outcome(job, "dropped", why)
    return Outcome(job, "failed", why)


def _lessons(memory: Memory, job: Job, is_over: Stop) -> str:
    """The session's lessons, the last time in its own words."""
    from recall_tui.domain import Skipped
    from recall_tui.features.capture import lessons

    if job.transcript is None or not job.transcript.is_file():
        return ""
    is_last = job.tries >= MOST_TRIES
    found = lessons.learned(memory, job.transcript, with_model=not is_last, is_cancelled=is_over)
    if isinstance(found, Skipped):
        return ""
    if found.trouble:
        return found.trouble
    memory.commit(lambda memory: lessons.write(memory, found), by="schedule")
    return ""


def _keeps_lessons(memory: Memory) -> bool:
    """Only session recall writes lessons by itself; elsewhere a person asks for them."""
    return memory.layout.name == "claude-project"


def _retell(memory: Memory, job: Job, is_over: Stop) -> str:
    """The session's archive, told by the model for summaries."""
    from recall_tui.features.summaries.resummarize import retold_by
    from recall_tui.llm.client import Calls
    from recall_tui.llm.model import Failure

    told = retold_by(memory, job.session_id, Calls(memory, is_over), by="schedule")
    return told.reason if isinstance(told, Failure) else ""


def _has_teller(memory: Memory) -> bool:
    """Whether a model tells summaries, and there is a page that can hold one."""
    config = memory.config
    if memory.layout.name == "claude-project" or not (config.text("llm.provider") or config.text("llm.summary")):
        return False
    from recall_tui.llm.client import Calls

    return Calls(memory).is_offered("summary")


def _synthesis(memory: Memory, job: Job, is_over: Stop) -> str:
    """A new master in review, when enough summaries wait for one."""
    from recall_tui.features.summaries.synthesize import propose_when_due

    propose_when_due(memory, is_over)
    return ""


def _is_synthesis_due(memory: Memory) -> bool:
    """Whether enough summaries wait, whoever wrote them, and none is put aside for them yet."""
    from recall_tui.features.summaries.synthesis_state import due

    return bool(due(memory)) and not any(job.kind == _SYNTHESIS for job in jobs.all_of(memory.state))


def _by_no_session(_: Memory) -> bool:
    return False


KINDS: Mapping[str, Work] = {
    "lessons": Work(_keeps_lessons, _lessons),
    "retell": Work(_has_teller, _retell),
    _SYNTHESIS: Work(_by_no_session, _synthesis),
}
"""What can be put aside."""
