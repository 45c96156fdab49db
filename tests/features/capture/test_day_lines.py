"""A session that ends gets one line in the log of its day, with its archive and in the same change."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest

from recall_tui.environment import Environment
from recall_tui.features.consolidation.timeline import load_timeline
from recall_tui.features.documents.listing import all_documents
from recall_tui.storage.documents import day_logs
from recall_tui.storage.layout import detect_layout
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, records, session_id_of, transcript, tree, write_transcript

TALK = [
    ("user", "Fix the token refresh race in the auth module"),
    ("assistant", "We decided to use a lock around the refresh."),
]
MORE = [("user", "Now release 1.2.3"), ("assistant", "Released version 1.2.3 to staging.")]
WITH_LINES = ["entity", "user", "hierarchical"]


def lines_of(bench: Workbench, day: date = NOON.date()) -> list[str]:
    """The lines of a day."""
    path = day_logs.log_path(bench.layout, day)
    return [row for row in path.read_text().splitlines() if row.startswith("- ")] if path.exists() else []


@pytest.mark.parametrize("layout", WITH_LINES)
def test_a_captured_session_has_one_line_however_often_it_is_captured(environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    path = transcript(environment, 1, TALK)
    done = bench.capture(path)
    name = "archive-log-001" if layout == "user" else "conversation-001"
    assert lines_of(bench) == [
        "- 12:01 Fix the token refresh race in the auth module — We decided to use a lock around the refresh."
        f" ({name}, 000a11ce)"
    ]
    assert day_logs.log_path(bench.layout, NOON.date()).stat().st_mode & 0o777 == 0o600
    before = tree(bench.store.root)
    assert done.status == "archived" and bench.capture(path).status == "unchanged"
    assert tree(bench.store.root) == before
    assert [one for one in bench.check() if not one.is_note] == []
    assert detect_layout(bench.store.root) == (layout, detect_layout(bench.store.root)[1])  # type: ignore[index]


@pytest.mark.parametrize("layout", ["project", "claude-project"])
def test_layouts_without_such_logs_get_none(environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    bench.capture(transcript(environment, 1, TALK))
    assert not bench.layout.days.exists()


def test_undo_takes_archive_and_line_back_together(environment: Environment) -> None:
    bench = bench_at(environment)
    before = tree(bench.store.root)
    bench.capture(transcript(environment, 1, TALK))
    bench.undo()
    assert tree(bench.store.root).keys() - before.keys() <= {"memory/.recall-echo.toml"}


def test_a_checkpoint_has_no_line_until_its_session_ends(environment: Environment) -> None:
    for layout in WITH_LINES:
        bench = bench_at(environment, layout, environment.home / layout if layout != "user" else None)
        path = transcript(environment, 1, TALK)
        bench.capture(path, source="checkpoint")
        assert lines_of(bench) == []
        bench.capture(path)
        assert len(lines_of(bench)) == 1, layout
        bench.capture(path)
        assert len(lines_of(bench)) == 1, layout


def test_a_session_that_went_on_keeps_its_line_and_gets_one_on_the_day_it_ends_anew(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    first = lines_of(bench)
    same_day = records(session_id_of(1), [*TALK, *MORE])
    write_transcript(path, same_day)
    assert bench.capture(path).status == "updated" and lines_of(bench) == first
    later = records(session_id_of(1), MORE, start=NOON + timedelta(days=1), seed="later")
    later[0]["parentUuid"] = same_day[-1]["uuid"]
    write_transcript(path, [*same_day, *later])
    assert bench.capture(path).status == "updated" and lines_of(bench) == first
    assert len(lines_of(bench, date(2026, 3, 7))) == 1


def test_a_session_over_midnight_belongs_to_the_day_of_its_end_where_the_person_is(environment: Environment) -> None:
    bench = bench_at(environment)
    there = timezone(timedelta(hours=13))
    store = bench.store._replace(now=lambda: NOON.astimezone(there))
    bench = Workbench(store, "")
    start = datetime(2026, 3, 6, 10, 59, tzinfo=NOON.tzinfo)
    bench.capture(transcript(environment, 1, TALK, start=start))
    assert lines_of(bench, date(2026, 3, 7))[0].startswith("- 00:00 ") and lines_of(bench) == []
    assert [day.date for day in load_timeline(bench.store, bench.archive).days.values()] == [date(2026, 3, 7)]


def test_the_setting_switches_it_off(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.config.write_text("[capture]\ndays = false\n")
    bench.capture(transcript(environment, 1, TALK))
    assert not bench.layout.days.exists()


def test_the_line_is_found_and_listed_and_holds_no_secret(environment: Environment) -> None:
    bench = bench_at(environment)
    secret = "sk-ant-api03-" + "Ab1" * 30
    bench.capture(
        transcript(environment, 1, [("user", f"Use the key {secret} for xylophones"), ("assistant", "Done so.")])
    )
    (line,) = lines_of(bench)
    assert secret not in line and "xylophones" in line
    assert "daily" in {hit.kind for hit in bench.search("xylophones", passages=True).hits}
    assert bench.document("memory/days/2026-03-06.md").kind == "daily"
    names = [one.path.rpartition("/")[2] for one in all_documents(bench.store) if one.kind == "daily"]
    assert names == ["2026-03-06.md"]


def test_lessons_that_session_recall_wrote_into_the_project_are_read_too(environment: Environment) -> None:
    for layout in ("entity", "hierarchical", "claude-project"):
        bench = bench_at(environment, layout, environment.home / ".claude" / "projects" / layout)
        folder = bench.layout.base / "sessions"
        folder.mkdir(exist_ok=True)
        (folder / "2026-02-03.md").write_text(f"\n## Session 12345678 (10:00)\n\n- {layout}ish marimbas\n")
        (folder / "week-2026-02-02.md").write_text("# Week\n\nmarimba roll-up\n")
        bench.sync()
        kinds = {hit.kind for hit in bench.search(f"{layout}ish marimbas roll-up", passages=True).hits}
        assert kinds >= {"daily", "weekly"}, layout
        assert "daily" in {one.kind for one in all_documents(bench.store)}
        assert date(2026, 2, 3) in load_timeline(bench.store, bench.archive).days


LONG_TALK = [
    ("user", "Fix the token refresh race in the auth module"),
    ("assistant", "The root cause was that two workers refreshed at once, because the lease had no owner."),
    ("user", "So what do we do?"),
    ("assistant", "We decided to use a lock around the refresh, because the lease may be lost."),
    ("user", "Do it"),
    ("assistant", "The refresh now takes the lock of `auth.db` first, so that one worker renews a token."),
]


@pytest.mark.parametrize("layout", WITH_LINES)
def test_an_entry_has_below_it_what_was_decided_and_learned(environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    bench.capture(transcript(environment, 1, LONG_TALK))
    text = day_logs.log_path(bench.layout, NOON.date()).read_text()
    (one,) = day_logs.session_entries(text)
    said = {point.label: point.text for point in one.points}
    assert "two workers refreshed at once" in said["Lesson"]
    assert "a lock around the refresh" in said["Decision"] + one.outcome
    before = tree(bench.store.root)
    bench.capture(transcript(environment, 1, LONG_TALK))
    assert tree(bench.store.root) == before
    bench.eraser.forget(session_id_of(1))
    left = day_logs.log_path(bench.layout, NOON.date())
    assert not left.exists() or "refresh" not in left.read_text()
