"""What a memory of many sessions costs, in the small: counted are the calls that are made, never the time they take."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType

import pytest

from recall_tui.domain import ArchiveEntry, SessionDigest
from recall_tui.environment import Environment
from recall_tui.features.capture.expiry import expiry_report
from recall_tui.features.hooks.catch_up import catch_up
from recall_tui.storage.archives import index_file
from recall_tui.storage.archives.file import render_head
from recall_tui.transcripts.read_extent import read_extent
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript
from tests.qa.trust import row_load
from tests.qa.trust.load_site import Measured
from tests.qa.trust.row_load import growth, is_flat, most

FEW, MANY = 16, 160
MOST = 12.0
"""How often as many calls ten times the sessions may take: n log n, and what each process does once."""
TALK = [("user", "Why is the token refreshed twice?"), ("assistant", "Two workers race; a lock fixes it.")]
QUIET_SECONDS = 3_600


def calls(work: Callable[[], object]) -> int:
    """How many functions are called in it, Python's own and the interpreter's."""
    counted = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def memory(folder: Path, sessions: int) -> Workbench:
    """A memory that says of every session how far it was read; each has a transcript that was quiet for an hour."""
    environment = Environment(folder / "home", folder, {"RECALL_STATE": str(folder / "state")})
    bench = bench_at(environment, root=folder / "agent")
    entries = []
    for number in range(1, sessions + 1):
        path = transcript(environment, number, TALK)
        at = NOON.timestamp() - QUIET_SECONDS
        os.utime(path, (at, at))
        archive = bench.layout.archives[0].folder / f"conversation-{number:03d}.md"
        entry = ArchiveEntry(number, archive, session_id_of(number), NOON, 2, source="session", topics=("tokens",))
        entry = replace(entry, covers=(read_extent(path),))
        archive.write_text(render_head(entry, SessionDigest("A lock fixes it.")), encoding="utf-8")
        entries.append(entry)
    bench.layout.rows.write_text(index_file.rebuild_text("", entries), encoding="utf-8")
    return bench


@pytest.fixture
def both(tmp_path: Path) -> tuple[Workbench, Workbench]:
    """A memory of few sessions and one of ten times as many."""
    return memory(tmp_path / "few", FEW), memory(tmp_path / "many", MANY)


def behind(bench: Workbench) -> None:
    assert catch_up(bench.store).decisions == ()


CHECKS: dict[str, Callable[[Workbench], object]] = {
    "archive --all-unarchived": lambda bench: list(bench.unarchived()),
    "catch-up": behind,
    "transcripts that expire": lambda bench: expiry_report(bench.store),
    "status": lambda bench: bench.health(with_index=False),
    "doctor": lambda bench: bench.check(),
    "sync": lambda bench: bench.sync(),
    "sync, nothing new": lambda bench: bench.sync(),
    "index": lambda bench: bench.sync(anew=True),
}


@pytest.mark.long
def test_a_look_at_all_sessions_takes_ten_times_as_much_for_ten_times_as_many(
    both: tuple[Workbench, Workbench],
) -> None:
    few, many = both
    assert list(many.unarchived()) == []
    took = {name: (calls(lambda: check(few)), calls(lambda: check(many))) for name, check in CHECKS.items()}  # noqa: B023
    assert {name: round(b / a, 1) for name, (a, b) in took.items() if b > a * MOST} == {}


def test_an_archive_costs_the_same_however_many_there_are(both: tuple[Workbench, Workbench]) -> None:
    took = []
    for bench in both:
        for number in range(10, 10 + len(bench.rows)):
            (bench.journal.folder / f"{number:06d}.json").write_text("{}", encoding="utf-8")
        first, second = (transcript(bench.store.environment, number, TALK) for number in (1_001, 1_002))
        assert bench.capture(first).status == "archived"
        took.append(calls(lambda: bench.capture(second)))  # noqa: B023
        assert len(bench.rows) == len(bench.archive.entries())
    assert took[1] <= took[0] * 1.02


def test_the_row_allows_n_log_n_and_no_more() -> None:
    assert 11.8 < most(3_500_000) / row_load.TOLERANCE < 11.9
    assert growth(Measured(2.0, 2.0), Measured(24.0, 30.0)) == 12.0


def test_memory_is_flat_when_it_grows_by_a_third_or_by_the_facts_of_each_session() -> None:
    few = Measured(1.0, 1.0, own_mb=240.0)
    assert is_flat(few, replace(few, own_mb=310.0), 18_000)
    assert not is_flat(few, replace(few, own_mb=330.0), 18_000)
    small = replace(few, own_mb=20.0)
    assert is_flat(small, replace(few, own_mb=91.0), 18_000)
    assert not is_flat(small, replace(few, own_mb=93.0), 18_000)
