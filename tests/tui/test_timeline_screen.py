"""Timeline, key by key: the map and the tree stand on the same day, and what is kept of it stands beside them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from textual.widgets import Input

from recall_tui.environment import Environment
from recall_tui.features.consolidation.timeline import load_timeline, recent_summary
from recall_tui.tui import messages
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.screens.timeline.citations_modal import CitationsModal
from recall_tui.tui.screens.timeline.date_modal import DateModal
from recall_tui.tui.screens.timeline.report_modal import ReportModal
from recall_tui.tui.screens.timeline.screen import TimelineScreen
from recall_tui.tui.widgets.document_view import DocumentView
from recall_tui.workbench import Workbench
from tests.makers import transcript
from tests.tui.hostile import NAME, NASTY
from tests.tui.piloting import AppMaker, footer_of, settled, toasts
from tests.tui.timelines import gone_to, opened, row_of, rows_of, screen_of, shown, where, with_a_past

WIDE, NARROW = (120, 36), (80, 24)


@pytest.fixture
def bench(sample: Workbench) -> Workbench:
    """The sample memory with a past."""
    return with_a_past(sample)


@pytest.mark.long
async def test_it_opens_on_the_newest_day_with_its_week_unfolded(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        rows = rows_of(app)
        assert rows[0].startswith(" ▾ March 2026") and rows[1].startswith("   ▾ W10  2–8 Mar  ◆ weekly")
        assert rows[2].startswith("     ▸ Fri 6 Mar  today") and rows[3].startswith("     ▸ Thu 5 Mar  ◆ log")
        assert row_of(app).startswith("▸ Fri 6 Mar")
        assert where(app) == "Fri 6 Mar 2026 · 1 session · 5 messages"
        assert "08:47–09:12  Token refresh race on two tabs" in shown(app)
        assert screen_of(app).time_tree.border_subtitle == "16 sessions · 16 days"


@pytest.mark.long
async def test_l_unfolds_and_goes_in_and_h_goes_out_and_folds(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "l")
        assert row_of(app).startswith("▾ Fri 6 Mar")
        await pilot.press("l")
        await settled(pilot)
        assert row_of(app).startswith("09:12  Token refresh race on two tabs")
        assert (
            screen_of(app).evidence.border_title == "Token refresh race on two tabs · parcel-api · claude · 6 Mar · 25m"
        )
        await pilot.press("l", "h")
        await settled(pilot)
        assert row_of(app).startswith("▾ Fri 6 Mar")
        await pilot.press("h")
        assert row_of(app).startswith("▸ Fri 6 Mar")
        await pilot.press("h", "h", "h", "h")
        await settled(pilot)
        assert row_of(app).startswith("▸ March 2026")
        assert where(app) == "March 2026 · 5 sessions · 25 messages"


@pytest.mark.long
async def test_the_arrows_fold_and_unfold_as_well(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "right", "right")
        assert row_of(app).startswith("09:12  Token")
        await pilot.press("left", "left")
        assert row_of(app).startswith("▸ Fri 6 Mar")


@pytest.mark.long
async def test_enter_opens_a_session_a_log_and_a_page_and_unfolds_what_has_none(
    app_on: AppMaker, bench: Workbench
) -> None:
    app = app_on(bench)
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot, "enter")
        assert row_of(app).startswith("▾ Fri 6 Mar"), "nothing was written of this day"
        for moves, text in ((["down"], "Two browser tabs"), (["down"], "staging keys"), (["up"] * 3, "Week 2026-W10")):
            await pilot.press(*moves, "enter")
            await settled(pilot)
            assert isinstance(app.screen, ReaderScreen) and text in app.screen.page.document.text
            await pilot.press("escape")
            await settled(pilot)


@pytest.mark.long
async def test_what_was_written_stands_beside_a_day_a_week_and_a_month(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "down")
        assert "The staging keys moved." in shown(app)
        await pilot.press("up", "up")
        await settled(pilot)
        assert "The refresh race is fixed" in shown(app)
        assert where(app) == "Week 10 of 2026, 2–8 Mar · 5 sessions · 25 messages"
        await pilot.press("up")
        await settled(pilot)
        assert "No monthly page was written." in shown(app) and "Rate limits per carrier" in shown(app)
        await pilot.press("h", "down")
        await settled(pilot)
        assert "All about events." in shown(app)


@pytest.mark.long
async def test_a_page_has_links_back_to_what_it_rests_on(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "up")
        links = screen_of(app).evidence.citations
        rows = [links.draw(one, 60).plain for one in links.items]
        assert rows[0].split() == ["→", "memory/days/2026-03-05.md", "0.62"]
        assert rows[1].split() == ["→", "memory/days/2026-03-01.md", "▲", "not", "there"]
        await pilot.press("c", "down", "down", "enter")
        await settled(pilot)
        assert isinstance(app.screen, ReaderScreen) and app.screen.page.passage == (17, 30)
        await pilot.press("escape")
        await settled(pilot)
        await pilot.press("down", "enter")
        await settled(pilot)
        assert row_of(app).startswith("▸ Tue 3 Mar"), "a day is gone to"
        await pilot.press("up", "up", "up")
        await settled(pilot)
        assert not links.display, "no page, no links"


@pytest.mark.long
async def test_where_there_is_no_room_c_asks_which_link(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        assert "Links" not in footer_of(app)
        await pilot.press("up", "c")
        await settled(pilot)
        assert isinstance(app.screen, CitationsModal)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, ReaderScreen) and "The staging keys moved." in app.screen.page.document.text
        await pilot.press("escape", "c")
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, TimelineScreen)


@pytest.mark.long
async def test_a_click_on_the_mark_unfolds_and_two_on_the_row_open(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        tree = screen_of(app).time_tree
        await pilot.click(tree, offset=(6, 3))
        await settled(pilot)
        assert rows_of(app)[2].startswith("     ▾ Fri 6 Mar")
        await pilot.click(tree, offset=(12, 4), times=2)
        await settled(pilot)
        assert isinstance(app.screen, ReaderScreen)


WORDS = {
    "last tuesday": "▸ Tue 3 Mar",
    "yesterday": "▸ Thu 5 Mar",
    "Tuesday": "▸ Tue 3 Mar",
    "4 march": "▸ Wed 4 Mar",
    "2026-03-02": "▸ Mon 2 Mar",
    "this week": "▾ W10  2–8 Mar",
    "february": "▸ February 2026",
    "august 2024": "▸ August 2024",
    "2024": "▸ Sun 25 Aug",
    "since august 2024": "▸ Fri 23 Aug",
    "2d": "▸ Wed 4 Mar",
}


@pytest.mark.long
async def test_g_goes_to_a_date_in_words(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        for words, row in WORDS.items():
            await gone_to(pilot, words)
            assert isinstance(app.screen, TimelineScreen) and row_of(app).startswith(row), words
            assert toasts(app) == []


@pytest.mark.long
async def test_words_that_name_no_date_stay_with_what_can_be_said(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await gone_to(pilot, "colourless ideas")
        assert isinstance(app.screen, DateModal)
        assert str(app.screen.query_one("#date-words").border_subtitle) == "▲ not a date; examples are below"
        app.screen.query_one(Input).value = "last tuesday"
        await settled(pilot)
        assert str(app.screen.query_one("#date-words").border_subtitle) == "Tue 3 Mar 2026 · 1 session · 5 messages"
        await pilot.press("escape")
        await settled(pilot)
        assert row_of(app).startswith("▸ Fri 6 Mar")


@pytest.mark.long
async def test_a_day_without_anything_leads_to_the_nearest_and_says_so(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await gone_to(pilot, "1 march")
        assert toasts(app) == ["Nothing on Sun 1 Mar 2026; the nearest is Mon 2 Mar 2026"]
        assert row_of(app).startswith("▸ Mon 2 Mar")


@pytest.mark.long
async def test_y_copies_the_summary_with_where_it_is_from(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert "Copy" not in footer_of(app)
        await pilot.press("l", "l", "y")
        await settled(pilot)
        assert app.clipboard.endswith("— memory/conversations/conversation-014.md")
        assert app.clipboard.startswith("Two browser tabs")


@pytest.mark.long
async def test_o_opens_the_file_in_the_editor(
    app_on: AppMaker, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_on(bench)
    lent: list[list[str]] = []
    monkeypatch.setattr(app, "lend", lent.append)
    monkeypatch.setitem(bench.store.environment.env, "EDITOR", "cat")  # type: ignore[arg-type]
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "down", "o")
    assert [Path(words[-1]).name for words in lent] == ["2026-03-05.md"]


@pytest.mark.long
async def test_what_others_write_appears_and_the_cursor_stays(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "down")
        (bench.layout.days / "2026-03-06.md").write_text("A log of today.\n", encoding="utf-8")
        transcript(bench.store.environment, 7, [("user", "New?"), ("assistant", "Yes.")], start=demo.DEMO_NOW)
        await pilot.press("r")
        await settled(pilot)
        assert row_of(app).startswith("▸ Thu 5 Mar")
        day = rows_of(app)[2]
        assert "◆ log" in day and day.endswith("2 sessions · 7 messages")


@pytest.mark.long
async def test_a_change_made_elsewhere_is_there_when_one_comes_back(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "down", "1")
        log = bench.layout.days / "2026-03-05.md"
        log.write_text("Another log.\n", encoding="utf-8")
        await pilot.press("r")
        await settled(pilot)
        await pilot.press("3")
        await settled(pilot)
        assert shown(app) == "Another log.\n"


@pytest.mark.long
async def test_a_memory_with_nothing_says_what_will_appear(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert "A there keeps" in screen_of(app).time_tree.empty.plain
        assert where(app) == "Fri 6 Mar 2026 · nothing"
        await gone_to(pilot, "yesterday")
        assert toasts(app)[-1] == "No entries yet"
        await pilot.press("h", "l", "enter", "c", "<", "y", "o")
        await settled(pilot)
        assert isinstance(app.screen, TimelineScreen)


async def test_a_past_of_logs_alone_counts_days_and_no_sessions(app_on: AppMaker, bare: Workbench) -> None:
    bare.layout.days.mkdir(parents=True, exist_ok=True)
    for day in (4, 5):
        (bare.layout.days / f"2026-03-0{day}.md").write_text("We chose JWT.\n", encoding="utf-8")
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        month, week, *days = rows_of(app)
        assert month.endswith("2 days") and week.endswith("2 days")
        assert [row.strip() for row in days] == ["Thu 5 Mar  ◆ log", "Wed 4 Mar  ◆ log"]
        assert where(app) == "Thu 5 Mar 2026 · no session"


@pytest.mark.long
async def test_a_session_whose_transcript_is_gone_is_shown_as_it_was_indexed(app_on: AppMaker, bare: Workbench) -> None:
    talk = [("user", "Where did it go?"), ("assistant", "It expired.")]
    path = transcript(bare.store.environment, 1, talk, start=demo.DEMO_NOW - timedelta(days=1))
    bare.sync()
    path.unlink()
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert "not archived, transcript gone" in shown(app)
        await pilot.press("l", "l")
        await settled(pilot)
        assert "Where did it go?" in shown(app) and "It expired." in shown(app)
        assert "its file is deleted" in str(screen_of(app).evidence.border_subtitle)
        await pilot.press("y")
        assert "It expired." in app.clipboard and app.clipboard.endswith(
            "— session 000a11ce-0000-0000-0000-000000000001"
        )
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, ReaderScreen) and "It expired." in app.screen.page.document.text


@pytest.mark.long
async def test_what_cannot_be_read_is_said_and_the_rest_is_there(app_on: AppMaker, bench: Workbench) -> None:
    bench.layout.rows.unlink()
    bench.layout.rows.mkdir()
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert str(screen_of(app).time_tree.border_subtitle) == "▲ ARCHIVE.md: Is a directory · 16 sessions"


@pytest.mark.long
async def test_rows_are_shown_soon_and_the_rest_follows(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    talk = [("user", "Tomorrow?"), ("assistant", "Yes.")]
    transcript(bench.store.environment, 9, talk, start=demo.DEMO_NOW + timedelta(days=1))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        screen = TimelineScreen(bench)
        soon, whole = (
            messages.TimelineLoaded(recent_summary(bench.store), is_whole=False),
            messages.TimelineLoaded(load_timeline(bench.store, bench.archive, bench.index)),
        )
        screen.look_again = lambda: None  # type: ignore[method-assign]
        await app.push_screen(screen)
        for message, count, row in ((soon, 14, "▸ Fri 6 Mar"), (whole, 17, "▸ Sat 7 Mar"), (soon, 17, "▸ Sat 7 Mar")):
            screen.post_message(message)
            await settled(pilot)
            assert screen.time_tree.timeline.count == count and row_of(app).startswith(row)


@pytest.mark.long
async def test_a_cursor_that_was_moved_stays_when_the_rest_follows(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        screen = TimelineScreen(bench)
        screen.look_again = lambda: None  # type: ignore[method-assign]
        await app.push_screen(screen)
        screen.post_message(messages.TimelineLoaded(recent_summary(bench.store), is_whole=False))
        await settled(pilot)
        await pilot.press("down")
        screen.post_message(messages.TimelineLoaded(load_timeline(bench.store, bench.archive, bench.index)))
        await settled(pilot)
        assert row_of(app).startswith("▸ Thu 5 Mar")


@pytest.mark.long
async def test_thousands_of_sessions_make_no_widgets(app_on: AppMaker, bare: Workbench) -> None:
    folder = bare.layout.archives[0].folder
    for number in range(1, 2_001):
        at = demo.DEMO_NOW - timedelta(hours=number)
        head = f'---\nlog: {number}\nsession_id: "s{number}"\nended_at: "{at.isoformat()}"\ntitle: "T{number}"\n---\n'
        (folder / f"conversation-{number:03d}.md").write_text(head, encoding="utf-8")
    app = app_on(bare)
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        before = len(list(app.screen.walk_children()))
        assert screen_of(app).time_tree.timeline.count == 2_000
        await pilot.press("home", "h", "end", "l", "l", "l", "l", "end")
        await settled(pilot)
        assert len(list(app.screen.walk_children())) == before


@pytest.mark.long
async def test_hostile_titles_and_pages_are_data(app_on: AppMaker, world: Environment, bare: Workbench) -> None:
    head = f'---\nlog: 1\nended_at: "2026-03-05T09:00:00Z"\nsession_id: "{NAME}"\ntitle: "{NAME} $accent"\n---\n'
    (bare.layout.archives[0].folder / "conversation-001.md").write_text(head, encoding="utf-8")
    bare.layout.weekly.mkdir()
    text = f"# {NASTY}\n\n[[{NAME}]] [[\x1b[2J]] [x](../../../../etc/passwd.md) [session-ref:{NASTY}]\n"
    (bare.layout.weekly / "2026-W10.md").write_text(text, encoding="utf-8", errors="replace")
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "l", "l")
        assert NAME in row_of(app)
        await pilot.press("up", "up", "c")
        await settled(pilot)
        for _ in screen_of(app).evidence.citations.items:
            await pilot.press("enter")
            await settled(pilot)
            await pilot.press("escape", "down")
            await settled(pilot)
        assert "\x1b[2J" not in app.export_screenshot()


async def test_s_reports_what_was_done_since_yesterday_and_left_open(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.press("S")
        await settled(pilot)
        assert isinstance(app.screen, ReportModal)
        panel = app.screen.query_one("#report")
        assert str(panel.border_title) == "Report · Since yesterday"
        assert str(panel.border_subtitle) == "2 sessions · 2 left open"
        text = app.screen.query_one(DocumentView).document.text
        assert "## parcel-api" in text and "Left open:" in text and "Rate limits per carrier" not in text
        await pilot.press("y", "escape")
        await settled(pilot)
        assert toasts(app)[-1] == "Copied the report as Markdown"
        assert isinstance(app.screen, TimelineScreen)


async def test_s_on_a_week_or_month_reports_that(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("G", "S")
        await settled(pilot)
        assert isinstance(app.screen, ReportModal)
        assert str(app.screen.query_one("#report").border_title) == "Report · January 2026"
        assert "Parcel API skeleton" in app.screen.query_one(DocumentView).document.text


async def test_without_a_session_there_is_nothing_to_report(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.press("S")
        await settled(pilot)
        assert toasts(app)[-1] == "Since yesterday: no archived session"
