"""What happened when: sessions by the person's own days, weeks and months, in every layout."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.consolidation.timeline import MemoryTimeline, load_timeline, recent_summary
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.text.dates import zone_of
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript, write_transcript

TALK = [("user", "Why do tokens expire?"), ("assistant", "Because a stolen one must not last.")]
HERE = datetime(2026, 3, 6, 12, tzinfo=timezone(timedelta(hours=1)))


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine in Berlin."""
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def seen(bench: Workbench, *, with_index: bool = True) -> MemoryTimeline:
    """The timeline of a memory."""
    return load_timeline(bench.store, bench.archive, bench.index if with_index else None)


def archived(bench: Workbench, number: int, **values: str) -> Path:
    """An archive with values in its head."""
    lines = "".join(f'{key}: "{value}"\n' for key, value in {"session_id": f"s{number}", **values}.items())
    path = bench.layout.archives[0].folder / f"{bench.layout.archives[0].prefix}-{number:03d}.md"
    path.write_text(f"---\nlog: {number}\nmessage_count: {number}\n{lines}---\n\n# C\n", encoding="utf-8")
    return path


def page(folder: Path, name: str) -> Path:
    """A page of that name."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"# {name}\n", encoding="utf-8")
    return path


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_captured_session_is_on_its_day_once_in_every_layout(environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    cwd = str(bench.store.root)
    path = transcript(environment, 1, TALK, start=NOON - timedelta(days=2), cwd=cwd)
    bench.capture(path)
    bench.sync()
    found = seen(bench)
    assert [day.date for day in found.days.values()] == [date(2026, 3, 4)]
    (session,) = found.days[date(2026, 3, 4)].sessions
    assert (session.session_id, session.messages) == (session_id_of(1), 2)
    assert session.ended_at == NOON - timedelta(days=2) + timedelta(minutes=1)
    assert bench.document(session.reference).text.count("Why do tokens expire?") >= 1
    assert not found.undated and not found.troubles


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_pages_are_found_where_each_layout_keeps_them(environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    layout = bench.layout
    log = page(layout.days, "2026-03-05.md")
    weekly, monthly = page(layout.weekly, "2026-W10.md"), page(layout.monthly, "2026-03.md")
    found = seen(bench)
    (month,) = found.months
    assert month.page == monthly and month.weeks[0].page == weekly
    assert found.days[date(2026, 3, 5)].logs == (log,)
    assert found.days[date(2026, 3, 5)].count == 0 and found.days[date(2026, 3, 5)].weight == 1


def test_what_is_not_archived_is_told_of_by_the_index_and_only_of_its_own_project(environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    mine = transcript(environment, 1, TALK, start=NOON - timedelta(days=1), cwd=str(bench.store.root))
    transcript(environment, 2, TALK, start=NOON - timedelta(days=1), cwd="/somewhere/else")
    bench.sync()
    (session,) = seen(bench).days[date(2026, 3, 5)].sessions
    assert (session.reference, session.number, session.messages) == (str(mine), 0, 2)
    assert seen(bench, with_index=False).count == 0
    bench.capture(mine)
    bench.sync()
    (session,) = seen(bench).days[date(2026, 3, 5)].sessions
    assert session.number == 1, "the archive tells of it now"


def test_a_session_without_a_title_is_called_by_its_first_prompt(environment: Environment) -> None:
    bench = bench_at(environment)
    transcript(environment, 1, [("user", "Why do\ntokens expire?"), ("assistant", "So."), ("user", "And then?")])
    bench.sync()
    assert [one.title for one in seen(bench).days[date(2026, 3, 6)].sessions] == ["Why do tokens expire?"]


def test_a_transcript_without_times_is_on_the_day_it_was_written(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    write_transcript(path, [{key: value for key, value in row.items() if key != "timestamp"} for row in rows])
    written = datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp()
    os.utime(path, (written, written))
    bench.sync()
    (session,) = seen(bench).days[date(2026, 3, 2)].sessions
    assert session.started_at is None and session.duration == "unknown"


def test_a_transcript_that_vanished_is_told_of_still(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    bench.sync()
    path.unlink()
    bench.sync()
    (session,) = seen(bench).days[date(2026, 3, 6)].sessions
    assert session.is_gone and session.messages == 2


def test_days_are_those_of_the_person(environment: Environment) -> None:
    bench = bench_at(environment)
    archived(bench, 1, ended_at="2026-03-05T23:30:00Z")
    there = bench.store._replace(now=lambda: HERE)
    assert list(load_timeline(there, bench.archive).days) == [date(2026, 3, 6)]
    assert list(seen(bench).days) == [date(2026, 3, 5)]


@pytest.mark.usefixtures("berlin")
def test_in_summer_days_end_by_the_clock_of_summer(environment: Environment) -> None:
    bench = bench_at(environment)
    archived(bench, 1, ended_at="2025-07-01T22:30:00Z")
    archived(bench, 2, ended_at="2025-12-01T22:30:00Z")
    winter = bench.store._replace(now=lambda: HERE)
    assert list(load_timeline(winter, bench.archive).days) == [date(2025, 12, 1), date(2025, 7, 2)]


@pytest.mark.usefixtures("berlin")
def test_a_clock_of_another_place_keeps_its_own_offset() -> None:
    elsewhere = timezone(timedelta(hours=-7))
    assert zone_of(HERE) is None
    assert zone_of(HERE.astimezone(elsewhere)) == elsewhere
    assert zone_of(NOON) is UTC


def test_a_week_of_two_years_is_in_both_its_months_with_their_own_days(environment: Environment) -> None:
    bench = bench_at(environment)
    for number, day in enumerate(("2025-12-29", "2025-12-31", "2026-01-01", "2026-01-04", "2026-01-05"), 1):
        archived(bench, number, ended_at=f"{day}T10:00:00Z")
    weekly = page(bench.layout.weekly, "2026-W01.md")
    january, december = seen(bench).months
    assert [(week.year, week.number, len(week.days)) for week in january.weeks] == [(2026, 2, 1), (2026, 1, 2)]
    (last,) = december.weeks
    assert (last.year, last.number, last.first, last.last) == (2026, 1, date(2025, 12, 29), date(2025, 12, 31))
    assert last.page == january.weeks[1].page == weekly
    assert (december.count, december.messages, january.count, january.messages) == (2, 3, 3, 12)


def test_a_page_of_a_week_without_days_is_in_the_month_of_its_thursday(environment: Environment) -> None:
    bench = bench_at(environment)
    page(bench.layout.weekly, "2026-W01.md")
    page(bench.layout.days, "week-2025-11-24.md")
    january, november = seen(bench).months
    assert (january.first, january.weeks[0].days, january.weeks[0].first) == (date(2026, 1, 1), (), date(2026, 1, 1))
    assert (november.first, november.weeks[0].number) == (date(2025, 11, 1), 48)


def test_names_that_are_no_dates_are_no_pages(environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    for name in ("2026-02-30.md", "9999-12-31.md", "2026-03-05.txt", "notes-2026-03-05.md", "2026-W60.md"):
        page(bench.layout.days, name)
        page(bench.layout.weekly, name)
    page(bench.layout.monthly, "2026-13.md")
    (bench.layout.days / "2026-03-06.md").mkdir()
    assert seen(bench).months == ()


def test_several_logs_of_a_day_are_all_its_own(environment: Environment) -> None:
    bench = bench_at(environment)
    names = ["2026-03-05-evening.md", "2026-03-05.md"]
    logs = [page(bench.layout.days, name) for name in names]
    assert sorted(seen(bench).days[date(2026, 3, 5)].logs) == logs


def test_what_has_no_date_is_among_the_undated_and_a_bad_date_is_none(environment: Environment) -> None:
    bench = bench_at(environment)
    archived(bench, 1)
    archived(bench, 2, date="0001-01-01T00:00:00Z")
    archived(bench, 3, date="sometime")
    archived(bench, 4, date="2026-03-04T10:00:00Z")
    found = seen(bench)
    assert [one.number for one in found.undated] == [1, 2, 3]
    assert found.count == 4 and list(found.days) == [date(2026, 3, 4)]


def test_what_its_head_does_not_tell_its_row_or_its_transcript_does(environment: Environment) -> None:
    bench = bench_at(environment)
    archived(bench, 1)
    archived(bench, 2, session_id=session_id_of(2))
    bench.layout.rows.write_text("| 001 | 2026-03-04 | s1 | auth | 7 | 25m |\n", encoding="utf-8")
    transcript(environment, 2, TALK, start=NOON - timedelta(days=1))
    bench.sync()
    found = seen(bench)
    assert {day: [one.number for one in known.sessions] for day, known in found.days.items()} == {
        date(2026, 3, 5): [2],
        date(2026, 3, 4): [1],
    }
    assert not found.undated


def test_a_row_whose_archive_cannot_be_read_tells_its_day(environment: Environment) -> None:
    bench = bench_at(environment)
    path = archived(bench, 1, ended_at="2026-03-04T10:00:00Z")
    row = "| {0:03d} | {1} | s{0} | auth, jwt | 7 | 25m |\n"
    bench.layout.rows.write_text(row.format(1, "2026-03-04") + row.format(2, "2026-03-05"), encoding="utf-8")
    (session,) = seen(bench).days[date(2026, 3, 5)].sessions
    assert (session.title, session.ended_at, session.messages) == ("auth, jwt", None, 7)
    path.unlink()
    assert seen(bench).days[date(2026, 3, 4)].messages == 7


def test_a_part_that_cannot_be_read_keeps_no_other(environment: Environment) -> None:
    bench = bench_at(environment)
    archived(bench, 1, ended_at="2026-03-04T10:00:00Z")
    bench.layout.rows.unlink()
    bench.layout.rows.mkdir()
    found = seen(bench)
    assert found.count == 1 and len(found.troubles) == 1
    assert found.troubles[0].startswith("ARCHIVE.md: ")


def test_stretches_of_a_session_are_one_session_of_a_day(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    for number in (1, 2):
        archived(bench, number, ended_at=f"2026-03-05T1{number}:00:00Z", session_id="same")
    archived(bench, 3, ended_at="2026-03-05T09:00:00Z", session_id="other")
    day = seen(bench).days[date(2026, 3, 5)]
    assert (day.count, day.messages) == (2, 6)
    assert [one.number for one in day.sessions] == [2, 1, 3], "newest first"


def test_a_glance_tells_the_days_of_the_rows_without_opening_an_archive(environment: Environment) -> None:
    bench = bench_at(environment)
    rows = "".join(f"| {n:03d} | 2026-03-0{n} | s{n} | auth | {n} | 25m |\n" for n in (1, 2, 3))
    bench.layout.rows.write_text(rows, encoding="utf-8")
    for place in bench.layout.archives:
        if place.folder.is_dir():
            place.folder.rmdir()
    found = recent_summary(bench.store)
    assert list(found.days) == [date(2026, 3, day) for day in (3, 2, 1)]


def test_the_nearest_day_is_inside_or_else_beside(environment: Environment) -> None:
    bench = bench_at(environment)
    for number, day in enumerate(("2026-03-01", "2026-03-04", "2026-03-05"), 1):
        archived(bench, number, ended_at=f"{day}T10:00:00Z")
    found = seen(bench)
    assert found.nearest(date(2026, 3, 1), date(2026, 3, 4)) == date(2026, 3, 4)
    assert found.nearest(date(2026, 3, 2), date(2026, 3, 2)) == date(2026, 3, 1)
    assert found.nearest(date(2026, 3, 9), date(2026, 3, 9)) == date(2026, 3, 5)
    assert MemoryTimeline((), (), ()).nearest(date(2026, 3, 9), date(2026, 3, 9)) is None
