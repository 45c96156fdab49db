"""The ring of daily backups: what it holds is exactly what was there, it costs what changed, and it never grows."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
import zstandard

from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError, LockedError, NotFoundError
from recall_tui.memory import Memory, bound
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.journal.scrub import ScrubRules
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import backup_ring
from recall_tui.storage.state.backup_record import Backup
from recall_tui.storage.state.backup_ring import (
    MAX_FILE_BYTES,
    BackupRing,
    repair,
    retained_days,
    scrub_backups,
    take_backup,
)
from recall_tui.storage.trust import confirm
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.processes import CHECKOUT, killing
from tests.qa.trust.lived import Calendar

ODD = {
    "crlf.md": b"# Notes\r\n\r\n- one\r\n",
    "no-end.md": b"no final newline",
    "latin.md": b"caf\xe9 \xff\xfe\x00\n",
    "empty.md": b"",
    "naïve – ü.md": "日本語\n".encode(),
}


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
def store(environment: Environment, calendar: Calendar) -> Store:
    """A memory in layout entity with a few odd files."""
    layout = make_layout(environment.cwd, "entity")
    layout.base.mkdir()
    for name, data in ODD.items():
        (layout.base / name).write_bytes(data)
    layout.memory_file.write_text("# Memory\n")
    return Memory(layout, environment, calendar)


def held_by(store: Store, day: date) -> dict[str, bytes]:
    ring = BackupRing(store.state)
    return {one.path: ring.content(one) for one in ring.read(day).files}


def stored(store: Store) -> set[str]:
    return {path.name for path in BackupRing(store.state).contents.iterdir()}


def test_a_backup_holds_every_file_to_the_byte_and_is_private(store: Store) -> None:
    made = take_backup(store)
    assert made is not None and made.day == NOON.date() and made.layout == "entity"
    want = {f"memory/{name}": data for name, data in ODD.items()} | {"memory/MEMORY.md": b"# Memory\n"}
    assert held_by(store, made.day) == want
    ring = BackupRing(store.state)
    assert ring.damaged(made) == ()
    for path in (ring.folder, *ring.folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_it_is_taken_once_a_day(store: Store, calendar: Calendar) -> None:
    assert take_backup(store) is not None
    store.layout.memory_file.write_text("# Changed the same day\n")
    assert take_backup(store) is None
    assert held_by(store, NOON.date())["memory/MEMORY.md"] == b"# Memory\n"
    day = calendar.next_day()
    assert take_backup(store) is not None
    assert held_by(store, day)["memory/MEMORY.md"] == b"# Changed the same day\n"
    assert BackupRing(store.state).days() == (day, NOON.date())


def test_an_empty_memory_is_not_backed_up(environment: Environment, calendar: Calendar) -> None:
    store = Memory(make_layout(environment.cwd, "entity"), environment, calendar)
    assert take_backup(store) is None
    assert BackupRing(store.state).days() == ()


def test_what_did_not_change_is_neither_read_nor_stored_again(store: Store, calendar: Calendar) -> None:
    calendar.at = datetime.now(calendar.at.tzinfo) + timedelta(minutes=1)
    take_backup(store)
    first = stored(store)
    calendar.next_day()
    (store.layout.base / "new.md").write_text("new\n")
    opened: list[str] = []
    is_over = False

    def hear(event: str, given: tuple[object, ...]) -> None:
        if not is_over and event == "open" and str(given[0]).endswith(".md"):
            opened.append(Path(str(given[0])).name)

    sys.addaudithook(hear)
    take_backup(store)
    is_over = True
    assert opened == ["new.md"]
    assert len(stored(store) - first) == 1


def test_a_backup_is_of_the_moment_before_anything_was_read(store: Store, calendar: Calendar) -> None:
    def ticking() -> datetime:
        calendar.at += timedelta(hours=13)
        return calendar.at

    first = calendar.at + timedelta(hours=13)
    backup = take_backup(Memory(store.layout, store.environment, ticking))
    assert backup is not None and (backup.day, backup.at) == (first.date(), first)


def test_a_large_file_is_left_out_and_said_to_be(store: Store) -> None:
    (store.layout.base / "large.md").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    (store.layout.base / "just.md").write_bytes(b"x" * MAX_FILE_BYTES)
    made = take_backup(store)
    assert made is not None
    assert [(one.path, one.reason) for one in made.left_out] == [("memory/large.md", "it is larger than 1 MB")]
    assert "memory/just.md" in {one.path for one in made.files}


@pytest.mark.long
def test_seven_days_and_four_weeks_stay(store: Store, calendar: Calendar) -> None:
    for number in range(60):
        store.layout.memory_file.write_text(f"# Day {number}\n")
        take_backup(store)
        calendar.next_day()
    days = BackupRing(store.state).days()
    assert len(days) == 11
    assert [(days[0] - day).days for day in days[:7]] == list(range(7))
    assert len({day.isocalendar()[:2] for day in days[7:]}) == 4
    # What the ring holds is what its days hold, and nothing of the days that went.
    assert len(stored(store)) == len(ODD) + 11


def test_days_without_a_change_push_none_out() -> None:
    days = [NOON.date() - timedelta(days=number * 30) for number in range(9)]
    assert retained_days(days, 3) == set(days[:7])
    assert retained_days(days, 0) == set(days[:4])
    assert retained_days([], 7) == set()


def test_a_clock_that_was_set_back_takes_one_still(store: Store, calendar: Calendar) -> None:
    for _ in range(20):
        take_backup(store)
        calendar.next_day()
    day = calendar.next_day(-200)
    assert take_backup(store) is not None
    assert day in BackupRing(store.state).days()
    assert len(BackupRing(store.state).days()) <= 12


def test_a_clock_that_was_ahead_makes_no_backup_the_newest(store: Store, calendar: Calendar) -> None:
    def taken(text: str, days: int = 1) -> date:
        store.layout.memory_file.write_text(text)
        assert take_backup(store) is not None
        day = calendar.at.date()
        calendar.next_day(days)
        return day

    first = taken("# One\n", 5)
    ahead = taken("# Ahead\n", -4)
    following = [taken(f"# {number}\n") for number in range(4)]
    ring = BackupRing(store.state)
    assert ring.days() == (*following[::-1], ahead, first)
    # On the day that the clock was ahead to, what was taken then is none of that day.
    assert calendar.at.date() == ahead
    assert not ring.has(ahead)
    assert taken("# That day\n") == ahead
    assert ring.days() == (ahead, *following[::-1], first)
    assert held_by(store, ahead)["memory/MEMORY.md"] == b"# That day\n"
    assert take_backup(store) is not None


def test_the_backups_of_earlier_versions_are_older_than_those_whose_order_is_known(
    store: Store, calendar: Calendar
) -> None:
    for _ in range(3):
        take_backup(store)
        calendar.next_day()
    ring = BackupRing(store.state)
    before = ring.days()
    (ring.folder / "order").unlink()
    assert ring.days() == before
    day = calendar.next_day(-100)
    take_backup(store)
    assert ring.days() == (day, *before)


def test_none_are_kept_when_none_are_wanted(store: Store, calendar: Calendar) -> None:
    take_backup(store)
    calendar.next_day()
    store.layout.config.write_text("[backups]\ndays = 0\n")
    assert confirm(store)
    assert take_backup(store) is None
    assert not BackupRing(store.state).folder.exists()


@pytest.mark.parametrize("harm", ["cut", "changed", "gone", "empty"])
def test_what_is_damaged_is_never_given_back(harm: str, store: Store) -> None:
    made = take_backup(store)
    assert made is not None
    ring = BackupRing(store.state)
    one = next(one for one in made.files if one.path == "memory/crlf.md")
    path = ring.contents / f"{one.digest}.zst"
    data = path.read_bytes()
    if harm == "gone":
        path.unlink()
    else:
        other = zstandard.ZstdCompressor().compress(b"other words")
        path.write_bytes({"cut": data[:-2], "changed": other, "empty": b""}[harm])
    with pytest.raises(BrokenFileError, match="crlf"):
        ring.content(one)
    assert ring.damaged(made) == ("memory/crlf.md",)
    assert repair(store) == ()
    assert ring.damaged(ring.read(made.day)) == ()


def test_what_is_lost_on_both_sides_is_said_and_no_longer_promised(store: Store) -> None:
    made = take_backup(store)
    assert made is not None
    ring = BackupRing(store.state)
    one = next(one for one in made.files if one.path == "memory/crlf.md")
    (ring.contents / f"{one.digest}.zst").unlink()
    (store.root / one.path).unlink()
    assert repair(store) == ("memory/crlf.md",)
    assert len(ring.read(made.day).files) == len(made.files) - 1


@pytest.mark.parametrize("keep", [0, 1, 64, 70, -1])
def test_a_record_that_was_cut_is_known_for_it_and_costs_no_other_day(
    keep: int, store: Store, calendar: Calendar
) -> None:
    take_backup(store)
    day = calendar.next_day()
    take_backup(store)
    ring = BackupRing(store.state)
    path = ring.path_of(day)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(BrokenFileError):
        ring.read(day)
    assert [one.day for one in ring.whole()] == [NOON.date()]
    repair(store)
    assert ring.damaged(ring.read(day)) == ring.damaged(ring.read(NOON.date())) == ()


def test_a_day_without_a_backup_is_said(store: Store) -> None:
    with pytest.raises(NotFoundError):
        BackupRing(store.state).read(NOON.date())


def test_a_record_is_read_as_it_was_written(store: Store) -> None:
    made = take_backup(store)
    assert made is not None
    assert Backup.of(Path("x"), made.to_bytes()) == made == BackupRing(store.state).read(made.day)


def test_words_go_from_every_day(store: Store, calendar: Calendar) -> None:
    for number in range(3):
        store.layout.memory_file.write_text(f"# Memory\n\n- {number}\n- hush\n")
        (store.layout.base / "secret.md").write_text(f"hush {number}\n")
        take_backup(store)
        calendar.next_day()

    def without(path: Path, text: str) -> str | None:
        return None if path.name == "secret.md" else text.replace("- hush\n", "")

    how = ScrubRules(without, lambda title, _: title)
    assert scrub_backups(store, how) == 3
    assert scrub_backups(store, how) == 0
    for day in BackupRing(store.state).days():
        assert not any(b"hush" in data for data in held_by(store, day).values())
        assert "memory/secret.md" not in held_by(store, day)
    assert not any("hush" in text for _, _, text in backup_ring.all_contents(store))
    unpacked = [zstandard.decompress(path.read_bytes()) for path in BackupRing(store.state).contents.iterdir()]
    assert not any(b"hush" in data for data in unpacked)


def test_two_at_once_are_one(store: Store) -> None:
    with acquire(store.state / "daily.lock", "another"), pytest.raises(LockedError):
        take_backup(store)
    assert take_backup(store) is not None


def test_the_first_change_of_a_day_comes_after_the_backup(environment: Environment, calendar: Calendar) -> None:
    from recall_tui.features.curation.remember import remember

    bench = Workbench.at(
        LocatedMemory(make_layout(environment.cwd, "entity"), "made for a test"), environment, calendar
    )
    bench.initialise()
    bench.apply(remember, "The staging database is called heron")
    day = calendar.next_day()
    before = bench.layout.memory_file.read_bytes()
    bench.store.commit(bound(remember, "Deploys run on Fridays"), by="hook")
    assert BackupRing(bench.store.state).days() == (NOON.date(),)
    bench.apply(remember, "The cache is called otter")
    assert held_by(bench.store, day)["memory/MEMORY.md"] != before
    after = bench.layout.memory_file.read_bytes()
    assert held_by(bench.store, day)["memory/MEMORY.md"] in after


KILL = """
{killing}
from datetime import datetime, timedelta
from pathlib import Path
from recall_tui.environment import Environment
from recall_tui.storage.state.backup_ring import take_backup
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
environment = Environment(Path({home!r}), Path({cwd!r}), {env!r})
take_backup(Memory(make_layout(Path({cwd!r}), "entity"), environment, lambda: datetime.fromisoformat({now!r})))
"""


@pytest.mark.long
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("target", ["os.open", "Path.replace", "os.fsync", "Path.unlink", "os.scandir"])
def test_killed_at_any_step_it_leaves_what_was_there_and_goes_on(
    target: str, when: str, environment: Environment, store: Store, calendar: Calendar
) -> None:
    for _ in range(11):
        take_backup(store)
        calendar.next_day()
    store.layout.memory_file.write_text("# New words\n")
    (store.layout.base / "more.md").write_text("more\n")
    ring = BackupRing(store.state)
    before = {day: held_by(store, day) for day in ring.days()}
    for call in (1, 2, 3):
        script = KILL.format(
            killing=killing("import os\nfrom pathlib import Path", target, call, when),
            home=str(environment.home),
            cwd=str(environment.cwd),
            env=dict(environment.env),
            now=calendar.at.isoformat(),
        )
        subprocess.run([sys.executable, "-c", script], cwd=CHECKOUT, env={**os.environ, "PYTHONPATH": str(CHECKOUT)})
        assert all(held_by(store, day) == before[day] for day in ring.days() if day in before)
        assert all(ring.damaged(backup) == () for backup in ring.whole())
    take_backup(store)
    assert held_by(store, calendar.at.date())["memory/MEMORY.md"] == b"# New words\n"
    calendar.next_day()
    take_backup(store)
    assert len(ring.days()) <= 11
    assert stored(store) == {f"{one.digest}.zst" for backup in ring.whole() for one in backup.files}


def test_a_record_that_never_ends_is_none(tmp_path: Path) -> None:
    body = zstandard.ZstdCompressor().compress(b"[" * 100_000)
    with pytest.raises(BrokenFileError, match="no record of a backup"):
        Backup.of(tmp_path / "day.backup", f"{content_digest(body)}\n".encode() + body)
