"""A long first build reads the newest sessions first, and what it read can be found long before its end."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.index import build_progress
from recall_tui.index.build_progress import BuildProgress
from recall_tui.index.ingest import refresh as refreshing
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.opener import Index, open_index
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.text import commit_batch
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.index.text.reader import PassageReader
from recall_tui.memory import Memory
from recall_tui.storage.memory_context import Store
from tests.index.contents import state_of
from tests.makers import transcript

SESSIONS = 6
NEWEST = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that commits after each session, and takes each history for a long one."""
    monkeypatch.setattr(commit_batch, "FIRST_COMMIT_SECONDS", -1.0)
    monkeypatch.setattr(commit_batch, "COMMIT_BYTES", 1)
    monkeypatch.setattr(refreshing, "LONG_RUN_BYTES", 1)


@pytest.fixture
def sessions(environment: Environment) -> list[str]:
    """The ids of sessions of as many weeks, newest first; the words of each bear its number."""
    found = []
    for number in range(SESSIONS):
        path = transcript(environment, number, [("user", f"Why is subject{number} slow?"), ("assistant", "It waits.")])
        at = (NEWEST - timedelta(weeks=number)).timestamp()
        os.utime(path, (at, at))
        found.append(path.stem)
    return found


class StopAfter:
    """Says that the work is to stop when so many sessions can be found, and keeps what could be found by then."""

    def __init__(self, index: Index, sessions: int) -> None:
        self.index, self.sessions = index, sessions
        self.found: list[list[str]] = []

    def progress(self, done: int, to_do: int) -> None:
        """Look as another process would, each time something was read."""
        self.found.append(self._look())

    def __call__(self) -> bool:
        return len(self._look()) >= self.sessions

    def _look(self) -> list[str]:
        return _found_subjects(Index(self.index.folder).reader())


def _found_subjects(reader: PassageReader | None) -> list[str]:
    """The numbers of the sessions whose words are found."""
    if reader is None:
        return []
    return [str(number) for number in range(SESSIONS) if reader.count(reader.term("window", f"subject{number}"))]


@pytest.mark.usefixtures("eager")
def test_the_newest_sessions_are_found_first_and_while_the_others_are_read(
    store: Store, index: Index, sessions: list[str]
) -> None:
    watch = StopAfter(index, 1_000)
    refresh(index, store, watch.progress, is_cancelled=watch)
    assert len(sessions) == SESSIONS
    seen = [found for found in watch.found if found]
    assert seen[0] == ["0"], "the newest alone"
    assert all(found == [str(number) for number in range(len(found))] for found in seen)
    assert _found_subjects(index.reader()) == [str(number) for number in range(SESSIONS)]


@pytest.mark.usefixtures("eager", "sessions")
def test_pages_of_the_memory_are_found_before_a_long_history_is_read(store: Store, index: Index) -> None:
    (store.root / "memory" / "MEMORY.md").write_text("# Memory\n\nStaging deploys on Fridays.\n")
    watch = StopAfter(index, 1)
    done = refresh(index, store, is_cancelled=watch)
    reader = index.reader()
    assert done.is_cancelled and reader is not None
    assert reader.count(reader.term("window", "friday")) == 1
    assert refresh(index, store).added == SESSIONS - 1
    assert index.coverage(store).is_whole


@pytest.mark.usefixtures("eager", "sessions")
def test_a_build_that_was_stopped_says_how_far_it_is_and_the_next_goes_on(
    store: Store, index: Index, tmp_path_factory: pytest.TempPathFactory
) -> None:
    refresh(index, store, is_cancelled=StopAfter(index, 3))
    progress = index.build_progress()
    assert progress is not None and 0 < progress.done < progress.total
    reached = progress.reached
    assert reached == int((NEWEST - timedelta(weeks=2)).timestamp())
    refresh(index, store, is_cancelled=StopAfter(index, 4))
    further = index.build_progress()
    assert further is not None and further.done > progress.done and further.total == progress.total
    assert further.reached < reached
    refresh(index, store)
    assert index.build_progress() is None
    undisturbed = Memory(store.layout, store.environment, store.now)
    other = Index(tmp_path_factory.mktemp("other") / "index")
    refresh(other, undisturbed)
    assert state_of(index, store) == state_of(other, undisturbed)


def test_a_short_build_is_one_commit(store: Store, index: Index, sessions: list[str]) -> None:
    seen: list[object] = []
    refresh(index, store, lambda done, to_do: seen.append(index.reader() and _found_subjects(index.reader())))
    assert len(seen) >= len(sessions) and not any(seen)
    assert index.build_progress() is None


class _Writer:
    """Counts the commits."""

    handed = commits = 0

    def commit(self) -> None:
        self.commits += 1


class _Catalogue:
    """Takes everything."""

    def __getattr__(self, _: str) -> Any:
        return _Context()


class _Context:
    def __call__(self, *_: object) -> _Context:
        return self

    def __getattr__(self, _: str) -> _Context:
        return self

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


@pytest.mark.parametrize(("seconds", "commits"), [(1, 0), (2, 1), (4, 2), (60, 5), (6000, 12)])
def test_however_long_a_build_takes_it_commits_seldom(
    monkeypatch: pytest.MonkeyPatch, seconds: int, commits: int
) -> None:
    now = [100.0]
    monkeypatch.setattr(commit_batch.time, "monotonic", lambda: now[0])
    writer: Any = _Writer()
    ledger = commit_batch.PendingCommit(writer, _Catalogue(), None, lambda: False)  # type: ignore[arg-type]
    record = SourceRecord("key", "path", "transcript", 1, 1, "")
    for _ in range(seconds * 4):
        now[0] += 0.25
        ledger.put(TRANSCRIPTS_KEY, record)
    assert writer.commits == commits


@pytest.mark.parametrize(
    ("done", "ago", "label"),
    [
        (12, timedelta(weeks=3, days=2), "12 % · newest 3 weeks searchable"),
        (12, timedelta(days=800), "12 % · newest 2 years searchable"),
        (99, timedelta(days=70), "99 % · newest 2 months searchable"),
        (0, timedelta(days=13), "0 % · newest 13 days searchable"),
        (0, timedelta(days=1), "0 % · newest 24 hours searchable"),
        (0, timedelta(minutes=70), "0 % · newest hour searchable"),
        (0, timedelta(days=-3), "0 % · newest hour searchable"),
        (5, None, "5 %"),
    ],
)
def test_how_far_it_is_is_said_in_words(done: int, ago: timedelta | None, label: str) -> None:
    reached = 0 if ago is None else int((NEWEST - ago).timestamp())
    assert BuildProgress(done, 100, reached).label(NEWEST) == label


@pytest.mark.parametrize("value", ["", "1 2", "a b c", "1 2 3 4"])
def test_a_note_that_makes_no_sense_is_none(store: Store, index: Index, value: str) -> None:
    refresh(index, store)
    from recall_tui.index import catalogue

    with catalogue.open_to_write(index.catalogue_path, lambda _: None) as facts:
        build_progress.note(facts, BuildProgress(1, 2, 3))
        facts.connection.execute("UPDATE facts SET value = ? WHERE name = 'building'", (value,))
    assert open_index(store.environment).build_progress() is None
