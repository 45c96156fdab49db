"""Background jobs: a small file each in the memory's state folder, for a process of their own.

A job is one file from being saved until it is done or dropped; saving it again makes no second one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from recall_tui.storage.files import atomic

JOBS_FOLDER = "jobs"
_DIGEST_DIGITS = 16


class Job(NamedTuple):
    """A pending task for a session."""

    kind: str
    """Kind of task, such as `lessons`."""
    session_id: str
    transcript: Path | None = None
    put_at: float = 0.0
    """Time of queueing, in seconds since 1970."""
    tries: int = 0
    not_before: float = 0.0
    """Earliest time of the next attempt, in seconds since 1970."""


def save(state: Path, job: Job) -> None:
    """Write the job, replacing an older one of its kind for the session."""
    told = job._asdict() | {"transcript": None if job.transcript is None else str(job.transcript)}
    atomic.write_json(_path(state, job), told)


def delete(state: Path, job: Job) -> None:
    with suppress(FileNotFoundError):
        atomic.delete_file(_path(state, job))


def list_all(state: Path) -> tuple[Job, ...]:
    """Return every job, oldest first; skip unreadable files."""
    return tuple(sorted(_read(state), key=lambda job: (job.put_at, job.kind, job.session_id)))


def _path(state: Path, job: Job) -> Path:
    return state / JOBS_FOLDER / f"{job.kind}-{atomic.content_digest(job.session_id)[:_DIGEST_DIGITS]}.json"


def _read(state: Path) -> Iterator[Job]:
    for path in (state / JOBS_FOLDER).glob("*.json"):
        try:
            told = atomic.read_json(path)
            named = told["transcript"]
            transcript = Path(named) if isinstance(named, str) else None
            job = Job(str(told["kind"]), str(told["session_id"]), transcript)
            yield job._replace(
                put_at=float(told["put_at"]), tries=int(told["tries"]), not_before=float(told["not_before"])
            )
        except (ValueError, LookupError, TypeError, OverflowError):
            continue
