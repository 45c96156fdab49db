"""What hooks left undone, done by a process of its own: missed captures, expiring copies, the index, deferred work.

Only one such process works on a memory at a time, it is not started again at once, and it ends by itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.domain.hook import BACKGROUND_VALUE, GUARD_VARIABLE, HookDecision
from recall_tui.errors import LockedError, RecallError, reason_of
from recall_tui.features.capture.session_marker import captures_sessions
from recall_tui.features.hooks.session_end import capture_session
from recall_tui.memory import Memory
from recall_tui.storage.files import atomic
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.files.trusted_clock import trusted_time
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.state import backup_ring, live_sessions
from recall_tui.storage.state.live_sessions import LiveSession

if TYPE_CHECKING:
    from recall_tui.domain import Plan
    from recall_tui.features.hooks.background_jobs import JobOutcome
    from recall_tui.index.ingest.refresh import RefreshResult
    from recall_tui.storage.journal.batch import Batch

TIMEOUT_SECONDS = 300
"""After so long a catch-up ends, wherever it is; the next one goes on from there."""
MIN_INTERVAL_SECONDS = 5.0
"""Between two catch-ups, unless a session waits to be captured."""
MAX_TRIES = 5
"""A capture that failed so often is not tried again until the session is heard of."""
_QUIET_SECONDS = 600.0
"""A session of whose process nothing is known goes on until it was quiet for so long."""
_IDLE_SECONDS = 7_200.0
"""A session whose process runs was left alone when it was quiet for so long."""
_RECENT_SECONDS = 3 * 86_400.0
"""Transcripts that went on longer ago were looked at by earlier catch-ups."""
_RETRY_SECONDS = 60.0
"""Until a capture that failed once is tried again; twice as long after each further one."""
_MARKER_DAYS = 30
"""A mark that nobody touched for so long is of no use."""
_MARKER_SECONDS = _MARKER_DAYS * 86_400.0
_MAX_SKEW_SECONDS = 60.0
"""A time that lies ahead by more was given by a clock that was ahead, and says nothing."""
_STAMP_FILE = "catch-up"
_LOCK_FILE = "catch-up.lock"


@dataclass(frozen=True, slots=True)
class CatchUpResult:
    """What a catch-up did."""

    decisions: tuple[tuple[LiveSession, HookDecision], ...] = ()
    """Of each session that waited."""
    retained: int = 0
    pruned: int = 0
    """Retained transcripts that went, since `keep.days` is over."""
    failed: tuple[str, ...] = ()
    """What could not be retained or indexed, with the reason."""
    indexed: RefreshResult | None = None
    deferred: tuple[JobOutcome, ...] = ()
    """What became of the jobs that were due."""
    is_skipped: bool = False
    """Another process is at it."""


def is_due(memory: Memory) -> bool:
    """Whether a catch-up shall be started: none works now, and a session waits or the last one is long enough ago."""
    with suppress(OSError):
        since = memory.now().timestamp() - (memory.state / _STAMP_FILE).stat().st_mtime
        if 0 <= since < MIN_INTERVAL_SECONDS and not _ready_sessions(memory):
            return False
    try:
        with _catch_up_lock(memory):
            return True
    except LockedError:
        return False


def start_detached(memory: Memory, *command: str) -> None:
    """Start a process that catches up, or runs another command on the memory, and that nobody waits for.

    It has a session of its own and no streams, and bears the mark of our children.

    What it inherits beside them it closes itself, before it does anything.
    """
    line = [sys.executable, "-P", "-m", "recall_tui", "--root", str(memory.root), "--layout", memory.layout.name]
    line += command or ("catch-up",)
    nothing = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
    env = {**memory.environment.env, GUARD_VARIABLE: BACKGROUND_VALUE}
    try:
        os.posix_spawn(sys.executable, line, env, file_actions=nothing, setsid=True)
    except NotImplementedError:
        os.posix_spawn(sys.executable, line, env, file_actions=nothing, setpgroup=0)


def catch_up(memory: Memory, is_over: Callable[[], bool] = lambda: False) -> CatchUpResult:
    """Do all that is left, and capture sessions that are marked meanwhile; stops soon when `is_over`."""
    from recall_tui.features.capture.sessions import capture_batch

    decided: list[tuple[LiveSession, HookDecision]] = []
    tried: set[tuple[str, float]] = set()
    others: CatchUpResult | None = None
    while not is_over():
        waiting = [mark for mark in _ready_sessions(memory) if (mark.session_id, mark.touched) not in tried]
        # Whoever marked a session while the lock was held relies on this look after it is free.
        if not waiting and others is not None:
            break
        try:
            with _catch_up_lock(memory):
                atomic.write_file(memory.state / _STAMP_FILE, b"")
                atomic.keep_out_of_commits(memory.environment.state)
                Journal(memory.state, memory.now).note_day()
                backup_ring.try_backup(memory)
                with capture_batch(memory) as batch:
                    for mark in waiting:
                        tried.add((mark.session_id, mark.touched))
                        decided.append((mark, _capture_marked(memory, mark, batch)))
                        if is_over():
                            break
                others = others or _catch_up_unmarked(memory, is_over)
        except LockedError:
            break
    if others is None:
        return CatchUpResult(tuple(decided), is_skipped=not decided)
    return replace(others, decisions=(*decided, *others.decisions))


def finish_pending(memory: Memory, is_over: Callable[[], bool] = lambda: False) -> CatchUpResult:
    """Capture the ended sessions that wait, and do every queued job, while a person waits."""
    from recall_tui.features.capture.sessions import capture_batch
    from recall_tui.features.hooks import background_jobs

    try:
        with _catch_up_lock(memory):
            waiting = [mark for mark in live_sessions.list_all(memory.state) if mark.state != "live"]
            with capture_batch(memory) as batch:
                decided = tuple((mark, _capture_marked(memory, mark, batch)) for mark in waiting if not is_over())
            return CatchUpResult(decided, deferred=background_jobs.run_due_jobs(memory, is_over, is_asked=True))
    except LockedError:
        return CatchUpResult(is_skipped=True)


def _capture_marked(memory: Memory, mark: LiveSession, batch: Batch) -> HookDecision:
    if not captures_sessions(memory):
        live_sessions.delete(memory.state, mark.session_id)
        return HookDecision("skipped", "capture.auto is off")
    decision = capture_session(
        memory, mark if mark.state == "checkpoint" else mark._replace(state="ended"), batch=batch
    )
    now = live_sessions.find_session(memory.state, mark.session_id)
    if decision.did not in ("failed", "spooled") and now is not None and now.touched == mark.touched:
        if mark.state == "checkpoint":
            live_sessions.save(memory.state, mark._replace(state="live", tries=0))
        else:
            live_sessions.delete(memory.state, mark.session_id)
    return decision


def _catch_up_unmarked(memory: Memory, is_over: Callable[[], bool]) -> CatchUpResult:
    """What no mark tells of: archives that are behind their transcripts, transcripts that expire, the index."""
    from recall_tui.features.capture.retain import retain
    from recall_tui.features.capture.sessions import capture_batch
    from recall_tui.features.health import embeddings
    from recall_tui.index.ingest.refresh import refresh

    with capture_batch(memory) as batch:
        outdated = _outdated_sessions(memory) if captures_sessions(memory) else iter(())
        decided = [(mark, capture_session(memory, mark, batch=batch)) for mark in outdated]
    failed: list[str] = []
    made, gone, indexed = 0, 0, None
    try:
        kept = retain(memory, is_over)
        made, failed = kept.made, [*kept.failed]
    except (RecallError, OSError) as error:
        failed.append(f"transcripts that expire: {reason_of(error)}")
    try:
        gone = _prune_retained(memory)
    except (RecallError, OSError) as error:
        failed.append(f"retained transcripts: {reason_of(error)}")
    try:
        indexed = None if is_over() else refresh(memory.index, memory, is_cancelled=is_over)
    except (RecallError, OSError) as error:
        failed.append(f"the search index: {reason_of(error)}")
    done = _run_jobs(memory, is_over)
    # What a model writes is wanted sooner than what a search may do without.
    try:
        if not is_over():
            embeddings.embed_missing(memory, memory.index, is_cancelled=is_over)
    except (RecallError, OSError) as error:
        failed.append(f"vectors: {reason_of(error)}")
    return CatchUpResult(tuple(decided), made, gone, tuple(failed), indexed, done)


def _run_jobs(memory: Memory, is_over: Callable[[], bool]) -> tuple[JobOutcome, ...]:
    """Do what waits for a model, and make it findable."""
    from recall_tui.features.hooks import background_jobs
    from recall_tui.index.ingest.refresh import refresh

    done = background_jobs.run_due_jobs(memory, is_over)
    if any(one.did == "done" for one in done) and not is_over():
        with suppress(RecallError, OSError):
            refresh(memory.index, memory, is_cancelled=is_over)
    return done


def _prune_retained(memory: Memory) -> int:
    """How many retained transcripts went."""
    from recall_tui.features.capture import prune

    if not prune.is_enabled(memory):
        return 0
    plans: list[Plan] = []

    def verb(memory: Memory) -> Plan:
        plans.append(prune.prune(memory))
        return plans[-1]

    return len(plans[-1].edits) if memory.commit(verb, by="schedule") is not None else 0


def _outdated_sessions(memory: Memory) -> Iterator[LiveSession]:
    """Archived sessions whose transcripts went on lately and that nobody works on now."""
    from recall_tui.features.capture.archived_sessions import find_archive, known_archives
    from recall_tui.index.sources.transcripts import list_all_copies

    now = memory.now().timestamp()
    rows = memory.register.look()
    for file in list_all_copies(memory):
        quiet = now - file.modified.timestamp()
        is_lately = _QUIET_SECONDS < quiet < _RECENT_SECONDS or quiet < -_MAX_SKEW_SECONDS
        if not rows.of_session(file.session_id) or not is_lately:
            continue
        if (
            live_sessions.find_session(memory.state, file.session_id) is not None
            or find_archive(memory, file) is not None
        ):
            continue
        if known_archives(memory, file.session_id):
            yield LiveSession(file.session_id, "ended", file.agent, file.path)


def _ready_sessions(memory: Memory) -> list[LiveSession]:
    """The marked sessions that are to be captured now, the one heard of longest ago first."""
    now = memory.now().timestamp()
    found = []
    believed = trusted_time(memory.state, memory.now(), _MARKER_DAYS).timestamp()
    for mark in live_sessions.list_all(memory.state):
        quiet = now - mark.touched
        if quiet < -_MAX_SKEW_SECONDS:
            # From now on it is known how long it is quiet.
            live_sessions.note_activity(memory.state, mark.session_id)
        if believed - mark.touched > _MARKER_SECONDS:
            live_sessions.delete(memory.state, mark.session_id)
        elif mark.tries >= MAX_TRIES or (mark.tries and quiet < _RETRY_SECONDS * 2**mark.tries):
            continue
        elif mark.state != "live" or not _is_live(mark, now):
            found.append(mark)
    return found


def _is_live(mark: LiveSession, now: float) -> bool:
    """Whether the session of a mark goes on: its process runs, or it was not quiet for long."""
    quiet = now - mark.touched
    if mark.transcript is not None:
        with suppress(OSError):
            since = now - mark.transcript.stat().st_mtime
            quiet = min(quiet, since) if since >= -_MAX_SKEW_SECONDS else quiet
    if not mark.pid:
        return quiet < _QUIET_SECONDS
    return live_sessions.is_running(mark.pid) and quiet < _IDLE_SECONDS


@contextmanager
def _catch_up_lock(memory: Memory) -> Iterator[None]:
    with acquire(memory.state / _LOCK_FILE, "catch-up", 0.0):
        yield
