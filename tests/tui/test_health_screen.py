"""Health, key by key: what is wrong is said with a word and a sign, and a key mends what can be mended."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import get_args

import pytest
from textual.widgets import Static

from recall_tui.environment import Environment
from recall_tui.features.capture.retain import retain
from recall_tui.index.sources.transcripts import find_transcript
from recall_tui.llm.model import Usage
from recall_tui.llm.usage_ledger import CallRequest, UsageLedger, UsageLimits
from recall_tui.storage.trust import confirm
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.health.messages import IndexVerified
from recall_tui.tui.screens.health.screen import HealthScreen
from recall_tui.tui.screens.health.view_model import PartName
from recall_tui.tui.screens.home.archive_progress import archive_all
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.text_modal import PlanModal, TextModal
from recall_tui.tui.widgets.top_bar import TopBar
from recall_tui.workbench import Workbench
from tests.makers import transcript
from tests.tui.health_screens import border_of, opened, rows_of, screen_of
from tests.tui.hostile import hostile_memory
from tests.tui.piloting import AppMaker, footer_of, pressed, settled, toasts

WIDE = (120, 36)
TALK = [("user", "Why do tokens expire?"), ("assistant", "Because a stolen one must not last.")]


def aged(environment: Environment, number: int, days: float, turns=TALK) -> Path:
    """A transcript that was last written to so many days before the sample's day."""
    start = demo.DEMO_NOW - timedelta(days=days)
    path = transcript(environment, number, turns, start=start)
    os.utime(path, (start.timestamp(), start.timestamp()))
    return path


@pytest.fixture
def bench(sample: Workbench) -> Workbench:
    """The sample memory, its files as private as they should be, and three sessions that expire."""
    for path in (sample.layout.memory_file, sample.layout.window, sample.layout.rows):
        path.chmod(0o600)
    for number, days in ((1, 31), (2, 26), (3, 24), (4, 1)):
        aged(sample.store.environment, number, days)
    return sample


def without_a_row(bench: Workbench) -> str:
    """Take the third archive's row out of the index of archives; its text before."""
    text = bench.layout.rows.read_text(encoding="utf-8")
    lines = (line for line in text.splitlines(True) if "| 003 |" not in line)
    bench.layout.rows.write_text("".join(lines), encoding="utf-8")
    return text


@pytest.mark.long
async def test_a_healthy_memory_says_so_in_every_panel(app_on: AppMaker, bench: Workbench) -> None:
    for number in (1, 2, 3, 4):
        bench.capture(find_transcript(bench.store, f"000a11ce-0000-0000-0000-00000000000{number}"))
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert border_of(app, "state") == "● healthy"
        assert not any("▲" in row for row in rows_of(app, "state"))
        assert rows_of(app, "index")[0].startswith(" ● whole")
        assert all("● archived" in row for row in rows_of(app, "capture")[:3])
        assert "● no problem found" in border_of(app, "doctor") and rows_of(app, "doctor") == []
        assert "Archive all" not in footer_of(app) and "Stop" not in footer_of(app)


@pytest.mark.long
async def test_what_is_wrong_is_told_with_its_reason(app_on: AppMaker, bench: Workbench) -> None:
    without_a_row(bench)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        state = rows_of(app, "state")
        assert border_of(app, "state") == "▲ degraded"
        assert any("▲ also" in row and "13 rows for 14 archives" in row for row in state)
        assert rows_of(app, "doctor") == [" ▲ rows         ARCHIVE.md has no row for 003 (f fixes it)"]
        assert border_of(app, "doctor") == "▲ 1 found · f fixes 1"


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_a_memory_that_was_just_made_is_new_and_not_degraded(
    app_on: AppMaker, bare: Workbench, size: tuple[int, int]
) -> None:
    app = app_on(bare)
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        assert border_of(app, "state") == "○ new"
        assert rows_of(app, "state")[0].startswith(" ○ kept") and "the memory is empty" in rows_of(app, "state")[0]
        line = app.screen.query_one(TopBar).render().plain
        assert "○ new" in line and "degraded" not in line


@pytest.mark.long
async def test_sessions_that_expire_are_named_the_nearest_first(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        rows = rows_of(app, "capture")[:3]
        assert all("▲ not archived" in row for row in rows)
        assert ["expired 1d ago" in rows[0], "expires in 4d" in rows[1], "expires in 6d" in rows[2]] == [True] * 3
        assert border_of(app, "capture") == "newest archive 2h ago · 3 expire within 7 days · ▲ 3 not archived"


@pytest.mark.long
async def test_a_archives_the_session_under_the_cursor_and_u_takes_it_back(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        screen_of(app).list_of("capture").focus()
        await pilot.press("down", "a")
        await settled(pilot)
        rows = rows_of(app, "capture")
        assert "● archived" in rows[1] and "conversation-015" in rows[1] and "▲ not archived" in rows[0]
        assert toasts(app)[-1] == "Sessions: 1 archived   u undo"
        assert border_of(app, "capture").startswith("last capture just now")
        await pilot.press("u")
        await settled(pilot)
        assert "▲ not archived" in rows_of(app, "capture")[1]
        assert border_of(app, "capture").startswith("newest archive 2h ago")


@pytest.mark.long
async def test_capital_a_archives_them_all_with_a_count(app_on: AppMaker, bench: Workbench) -> None:
    broken = aged(bench.store.environment, 5, 25, turns=[])
    written = broken.stat().st_mtime
    broken.write_text("nothing that can be read\n", encoding="utf-8")
    os.utime(broken, (written, written))
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("A")
        await settled(pilot)
        assert toasts(app)[-1] == "Sessions: 4 archived, 1 skipped   u undo"
        assert bench.archive.count() == 18
        rows = rows_of(app, "capture")
        assert sum("● archived" in row for row in rows) == 3
        assert "○ skipped" in rows[2] and "not a transcript" in rows[2]
        assert "Archive all" not in footer_of(app)


def test_archiving_stops_between_two_sessions_and_keeps_what_is_done(bench: Workbench) -> None:
    paths = [find_transcript(bench.store, f"000a11ce-0000-0000-0000-00000000000{number}") for number in (1, 2, 3)]
    stop, told = Event(), []

    def progress(done: int) -> None:
        told.append(done)
        if done == 1:
            stop.set()

    done = archive_all(bench, paths, progress, stop.is_set)
    assert told == [0, 1] and done.left == 1 and bench.archive.count() == 16
    assert done.words == "Sessions: 2 archived; stopped, 1 left   u undo"


def test_a_session_that_cannot_be_archived_does_not_keep_the_others(bench: Workbench) -> None:
    good = find_transcript(bench.store, "000a11ce-0000-0000-0000-000000000001")
    done = archive_all(bench, [good.with_name("gone.jsonl"), good], lambda _: None, lambda: False)
    assert done.counts["archived"] == 1 and sum(done.counts.values()) == 2


@pytest.mark.long
async def test_escape_stops_the_work_that_goes_on(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        screen, is_begun = screen_of(app), Event()

        def work(tell, is_stopped):

            tell("counting 1 of 2")
            is_begun.set()
            while not is_stopped():
                is_begun.wait(0.01)
            return IndexVerified(None)

        # Work of this test: what the keys begin is over before another key can be pressed.
        screen._begin("index", work)
        while not is_begun.is_set() or "counting" not in border_of(app, "index"):
            await pilot.pause(0.01)
        assert border_of(app, "index") == "counting 1 of 2 · esc stops"
        assert "Stop" in footer_of(app)
        await pilot.press("A")
        assert "Another task is running" in toasts(app)[-1] and bench.archive.count() == 14
        await pilot.press("escape")
        await settled(pilot)
        assert toasts(app)[-1] == "Stopped; the index is not verified" and "esc stops" not in border_of(app, "index")


@pytest.mark.long
async def test_p_proves_the_index(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("p")
        await settled(pilot)
        assert "index verified: 30 of 30 sources compared" in border_of(app, "doctor")
        await pilot.press("r")
        await settled(pilot)
        assert "proven" not in border_of(app, "doctor"), "it was proven of the files as they were"


@pytest.mark.long
async def test_f_shows_the_plan_and_enter_does_it_and_u_takes_it_back(app_on: AppMaker, bench: Workbench) -> None:
    before = without_a_row(bench)
    broken = bench.layout.rows.read_text(encoding="utf-8")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("f")
        await settled(pilot)
        assert isinstance(app.screen, PlanModal)
        shown = str(app.screen.query_one(Static).content)
        assert "+| 003 |" in shown and "b/memory/ARCHIVE.md" in shown
        assert bench.layout.rows.read_text(encoding="utf-8") == broken, "nothing is done before it was seen"
        await pilot.press("enter")
        await settled(pilot)
        assert bench.layout.rows.read_text(encoding="utf-8").count("| 003 |") == before.count("| 003 |")
        assert toasts(app)[-1].startswith("Repaired 1 file") and rows_of(app, "doctor") == []
        await pilot.press("u")
        await settled(pilot)
        assert bench.layout.rows.read_text(encoding="utf-8") == broken
        assert len(rows_of(app, "doctor")) == 1


@pytest.mark.long
async def test_a_plan_that_is_left_changes_nothing(app_on: AppMaker, bench: Workbench) -> None:
    without_a_row(bench)
    broken = bench.layout.rows.read_text(encoding="utf-8")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("f")
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, HealthScreen) and bench.layout.rows.read_text(encoding="utf-8") == broken


@pytest.mark.long
async def test_a_plan_that_no_longer_fits_the_files_is_not_done(app_on: AppMaker, bench: Workbench) -> None:
    without_a_row(bench)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("f")
        await settled(pilot)
        text = bench.layout.rows.read_text(encoding="utf-8").replace("| 004 |", "| 044 |")
        bench.layout.rows.write_text(text, encoding="utf-8")
        await pilot.press("enter")
        await settled(pilot)
        assert "the files changed since this was shown" in toasts(app)[-1]
        assert bench.layout.rows.read_text(encoding="utf-8") == text


@pytest.mark.long
async def test_f_says_when_there_is_nothing_to_mend(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("f")
        await settled(pilot)
        assert isinstance(app.screen, HealthScreen) and "Nothing can be fixed" in toasts(app)[-1]


@pytest.mark.long
async def test_r_brings_the_index_up_to_date_and_looks_again(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        (bench.layout.base / "late.md").write_text("# Late\n\nwords\n", encoding="utf-8")
        aged(bench.store.environment, 6, 27)
        await pilot.press("r")
        await settled(pilot)
        assert "all of 32 sources" in rows_of(app, "index")[0]
        assert sum("expire" in row for row in rows_of(app, "capture")) == 4


@pytest.mark.long
async def test_a_source_that_cannot_be_read_is_named_with_the_reason(app_on: AppMaker, bench: Workbench) -> None:
    (bench.layout.base / "folder.md").mkdir()
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        rows = rows_of(app, "index")
        assert rows[0].startswith(" ▲ in part") and rows[-1] == " ▲ failed       memory/folder.md: Is a directory"


@pytest.mark.long
async def test_enter_shows_a_row_whole(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        capture = screen_of(app).list_of("capture")
        capture.action_open()
        capture.action_open()
        await settled(pilot)
        assert isinstance(app.screen, TextModal)
        assert len(app.screen_stack) == 2, "one screen, however fast the keys come"
        shown = str(app.screen.query_one(Static).content)
        assert "not archived" in shown and "000a11ce-0000-0000-0000-000000000001" in shown
        await pilot.press("escape")
        assert isinstance(app.screen, HealthScreen)


@pytest.mark.long
async def test_a_part_that_cannot_be_looked_at_spares_the_others(app_on: AppMaker, bench: Workbench) -> None:
    bench.layout.rows.unlink()
    bench.layout.rows.mkdir()
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert any("ARCHIVE.md cannot be read" in row for row in rows_of(app, "doctor"))
        assert "■ down" in rows_of(app, "state")[0]
        assert any("passages" in row for row in rows_of(app, "index"))


@pytest.mark.long
async def test_an_empty_machine_says_what_will_be_listed(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "No agent is known to delete sessions here" in screen_of(app).list_of("capture").empty.plain
        assert border_of(app, "capture") == "nothing captured yet"


@pytest.mark.long
async def test_names_of_files_are_data(app_on: AppMaker, tmp_path: Path) -> None:
    bench = hostile_memory(tmp_path)
    folder = bench.store.environment.claude / "projects" / "[b]bold"
    path = aged(bench.store.environment, 1, 27)
    folder.mkdir(parents=True)
    named = path.rename(folder / "[b]bold.jsonl")
    assert named.exists()
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert "Why do tokens expire? · api · [b]bold" in rows_of(app, "capture")[0]
        screen_of(app).list_of("capture").focus()
        await pilot.press("enter")
        assert "[b]bold" in str(app.screen.query_one(Static).content)


@pytest.mark.long
async def test_what_happened_meanwhile_is_seen_when_one_comes_back(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("1")
        await settled(pilot)
        assert isinstance(app.screen, Home)
        without_a_row(bench)
        await pilot.press("r")
        await settled(pilot)
        await pilot.press("6")
        await settled(pilot)
        assert "no row for 003" in rows_of(app, "doctor")[0]


@pytest.mark.long
async def test_at_eighty_columns_the_panel_with_the_focus_has_the_room(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        panels = [screen_of(app).list_of(part) for part in get_args(PartName)]
        for _ in panels:
            await pilot.press("tab")
            await settled(pilot)
            focused = next(panel for panel in panels if panel.has_focus)
            assert focused.size.height >= 6 and all(panel.size.height <= 1 for panel in panels if panel is not focused)
            assert focused.parent.region.contains_region(focused.region), "it is whole in sight"


@pytest.mark.long
async def test_without_a_model_nothing_is_missing(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        panel = screen_of(app).list_of("spend")
        assert not panel.items
        assert "No model is configured; everything works offline" in panel.empty.plain
        assert border_of(app, "spend") == "○ no model"


@pytest.mark.long
async def test_what_models_took_is_told_with_what_is_left(app_on: AppMaker, bench: Workbench) -> None:
    plenty = UsageLimits(1_000, 1_000_000, 1_000)
    ledger, now = UsageLedger(bench.store.state), bench.store.now()
    for _ in range(2):
        row = ledger.begin(CallRequest(now, "summary", "test/[/x] [b", "", Usage(10, 10)), plenty)
        assert isinstance(row, int)
        ledger.end(row, Usage(600, 400, 0.25), 10, "answered")
    bench.layout.config.write_text(
        '[llm]\nprovider = "command"\ncommand = "true"\ncalls_per_day = 2\ndream = "nobody"\n'
    )
    assert confirm(bench.store)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        rows = rows_of(app, "spend")
        assert rows[0].startswith(" ▲ used up") and "0 of 2 calls" in rows[0] and "further calls are refused" in rows[0]
        assert ["● summary" in rows[1], "● synthesis" in rows[2], "▲ dream" in rows[3]] == [True] * 3
        assert "command/true" in rows[1] and "nobody" in rows[3]
        assert "2 calls · 2,000 tokens · $0.5000" in rows[4]
        assert border_of(app, "spend").startswith("today 2 calls · 2,000 tokens · $0.5000 · total 2 calls")


@pytest.mark.long
async def test_models_of_a_folder_that_was_not_confirmed_are_said_with_what_to_do(
    app_on: AppMaker, bench: Workbench
) -> None:
    bench.layout.config.write_text('[llm]\nprovider = "command"\ncommand = "true"\n')
    app = app_on(bench)
    async with app.run_test(size=(200, 60)) as pilot:
        await opened(pilot)
        rows = rows_of(app, "spend")
        assert all("▲" in row and "not confirmed on this machine" in row for row in rows[1:4])
        assert "config trust" in rows[1]


@pytest.mark.long
async def test_a_transcript_that_is_kept_is_said_to_be(app_on: AppMaker, bench: Workbench) -> None:
    retain(bench.store)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        rows = rows_of(app, "capture")[:3]
        assert all("● kept" in row and "a copy, without an archive" in row for row in rows)
        assert "not archived" not in border_of(app, "capture")
        screen_of(app).list_of("capture").focus()
        await pilot.press("a")
        await settled(pilot)
        assert "● archived" in rows_of(app, "capture")[0]


@pytest.mark.long
async def test_the_checklist_names_the_key_that_fixes_each_line(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        rows = rows_of(app, "state")
        assert rows[0].startswith(" ▲ kept") and rows[0].endswith("A archives them")
        panel = screen_of(app).list_of("state")
        narrow = panel.draw(panel.items[0], 50).plain
        assert len(narrow) <= 50 and narrow.endswith("… · A archives them"), "the key is never cut"
        names = ["kept", "found", "handed over", "budget", "safe", "model"]
        assert [row[3:15].strip() for row in rows[:6]] == names
        await pilot.press("A")
        await settled(pilot)
        assert rows_of(app, "state")[0].startswith(" ● kept") and border_of(app, "state") == "● healthy"


@pytest.mark.long
async def test_sessions_are_counted_by_project(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        rows = rows_of(app, "capture")
        number = next(number for number, row in enumerate(rows) if "1 project " in row)
        assert "every session is taken" in rows[number]
        assert "4 sessions" in rows[number + 1] and rows[number + 1].endswith("/home/u/api")


@pytest.mark.long
async def test_f_in_capture_makes_claude_code_keep_its_transcripts_a_year(app_on: AppMaker, bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    settings.write_text('{\n  "model": "opus"\n}\n', encoding="utf-8")
    before = settings.read_bytes()
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        row = next(row for row in rows_of(app, "capture") if "retention" in row)
        assert "deletes after 30 days (default) · oldest 31 days · f sets 365 days" in row
        screen_of(app).list_of("capture").focus()
        await pilot.press("f")
        await settled(pilot)
        assert isinstance(app.screen, PlanModal) and settings.read_bytes() == before
        assert '+  "cleanupPeriodDays": 365' in str(app.screen.query_one(Static).content)
        await pilot.press("enter")
        await settled(pilot)
        assert settings.read_text(encoding="utf-8") == '{\n  "model": "opus",\n  "cleanupPeriodDays": 365\n}\n'
        assert any("deletes after 365 days (its settings)" in row for row in rows_of(app, "capture"))
        await pilot.press("f")
        await settled(pilot)
        assert toasts(app)[-1] == "Claude Code keeps its transcripts 365 days already"
        await pilot.press("u")
        await settled(pilot)
        await pilot.press("enter")  # What is taken out of an agent's settings is shown before.
        await settled(pilot)
        assert settings.read_bytes() == before


@pytest.mark.parametrize("size", [(200, 50), WIDE], ids=["200x50", "120x36"])
async def test_panels_stand_beside_each_other_where_there_is_room(
    app_on: AppMaker, bench: Workbench, size: tuple[int, int]
) -> None:
    app = app_on(bench)
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        state, index = (screen_of(app).query_one(name).region for name in ("#state", "#index"))
        assert (state.y == index.y) is (size[0] == 200)
        await pilot.resize_terminal(*WIDE)
        await settled(pilot)
        assert screen_of(app).query_one("#index").region.width == WIDE[0]


async def test_a_session_that_expires_is_called_by_its_title_or_its_folder(app_on: AppMaker, bare: Workbench) -> None:
    aged(bare.store.environment, 1, 27)
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        row = rows_of(app, "capture")[0]
        assert "-home-u-api" not in row and "000a11ce" in row and "0000-0000-000000000001" not in row
        app.screen.query_one("#capture").focus()
        await pressed(pilot, "enter")
        assert "000a11ce-0000-0000-0000-000000000001" in str(app.screen.query_one("#said Static", Static).content)


async def test_the_progress_stays_while_rows_are_read_anew(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        panel = screen_of(app).list_of("capture")
        panel.tell("archiving 3 of 9")
        await pressed(pilot, "r")
        assert border_of(app, "capture") == "archiving 3 of 9"
        panel.tell("")
        assert "expire within 7 days" in border_of(app, "capture")


async def test_leaving_while_work_runs_is_asked_once(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    gate = Event()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        app.screen.run_worker(gate.wait, group="work", thread=True)
        await pilot.press("q")
        await pilot.pause()
        assert app.is_running and "Work is still running" in toasts(app)[-1]
        await pilot.press("q")
        await pilot.pause()
        gate.set()
        assert app.return_code == 0


async def test_ctrl_c_says_how_to_quit_over_a_dialog_as_well(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "ctrl+c")
        assert toasts(demo_app)[-1] == "ctrl+q leaves the app"
        demo_app.clear_notifications()
        await pressed(pilot, "question_mark", "ctrl+c")
        assert toasts(demo_app)[-1] == "esc goes back, ctrl+q leaves the app"
