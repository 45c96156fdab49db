"""Home, key by key."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from textual.widgets import Input, Static

from recall_tui.domain import Create, Hit, IndexRow, Plan, WindowEntry
from recall_tui.domain.hook import HookDecision
from recall_tui.environment import Environment
from recall_tui.features.documents.lookup import Document
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.hook_log import HookLogEntry, append_entry
from recall_tui.tui import messages
from recall_tui.tui.app import RecallApp
from recall_tui.tui.memory_view_model import load_view
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.home.screen import Home, WindowList
from recall_tui.tui.screens.jump_modal import Jump
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.screens.text_modal import TextModal
from recall_tui.tui.widgets.budget_gauge import BudgetGauge
from recall_tui.tui.widgets.preview import Preview
from recall_tui.tui.widgets.session_row import HitExcerpt
from recall_tui.workbench import Workbench
from tests.makers import bench_at, transcript
from tests.tui.piloting import AppMaker, pressed, search, settled, toasts, until

WIDE, NARROW = (120, 36), (80, 24)
NEWEST = "Token refresh race on two tabs · parcel-api · claude · 6 Mar · 25m"
TENTH = "A migration locked the events table · parcel-api · claude · 2 Mar · 41m"


def home_of(app: RecallApp) -> Home:
    assert isinstance(app.screen, Home)
    return app.screen


async def test_it_opens_on_the_archive_newest_first(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE):
        home = home_of(demo_app)
        assert home.focused is home.archive
        assert [row.number for row in home.archive.items if isinstance(row, IndexRow)] == list(range(14, 0, -1))
        assert home.archive.border_subtitle == "14"


@pytest.mark.long
async def test_the_gauge_says_lines_percent_and_a_word(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        gauge = demo_app.screen.query_one(BudgetGauge)
        assert "168/200 lines  84 %" in gauge.render().plain
        assert "▲ warning" in gauge.render().plain
        assert gauge.border_subtitle == "9 sections · 2 ready to extract"


async def test_at_120_columns_every_fact_of_a_session_has_its_column_in_both_lists(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        home = home_of(demo_app)
        window, archive = home.query_one(WindowList), home.archive
        width = archive.scrollable_content_region.width
        assert archive.heads(width).plain.split() == ["Title", "Project", "Agent", "Date", "Length"]
        recent, session = window.draw(window.items[0], width).plain, archive.draw_at(0, width).plain
        assert [recent.index(fact) for fact in ("parcel-api", "claude", "6 Mar", "25m")] == [
            session.index(fact) for fact in ("parcel-api", "claude", "6 Mar", "25m")
        ]


async def test_the_window_marks_what_drops_out_next(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE):
        window = demo_app.screen.query_one(WindowList)
        rows = [window.draw(entry, 60).plain for entry in window.items]
        assert [row[1] for row in rows] == ["●", "●", "●", "●", "○"]
        assert rows[0].split()[1:] == ["Token", "refresh", "race", "on", "two…", "parcel-api", "6", "Mar", "25m"]
        assert window.border_subtitle == "5 of 5 · ○ drops out next"


async def test_a_window_of_one_session_is_the_last_session(world: Environment, app_on: AppMaker) -> None:
    bench = bench_at(world, "user")
    for number in (1, 2):
        bench.capture(transcript(world, number, [("user", f"Why do walruses sleep {number}?"), ("assistant", "So.")]))
    app = app_on(bench)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        window = app.screen.query_one(WindowList)
        assert [window.draw(entry, 60).plain[1] for entry in window.items] == ["●"]
        assert window.border_subtitle == "the last session"


@pytest.mark.long
async def test_typing_turns_the_archive_into_hits(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "why jwt over sessions")
        home = home_of(demo_app)
        first = home.archive.items[0]
        assert isinstance(first, Hit)
        assert first.document.endswith(("conversation-008.md", "MEMORY.md"))
        assert "hits · 0 ms" in str(home.search_box.border_subtitle)
        assert home.archive.border_title == "Sessions → Hits"


async def test_matched_words_are_lit_in_the_rows(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "jwt sessions")
        archive = home_of(demo_app).archive
        row = archive.draw_at(0, 60)
        lit = {row.plain[span.start : span.end].lower() for span in row.spans if "warning" in str(span.style)}
        assert "jwt" in lit


async def test_the_preview_shows_the_passage_and_why_it_is_ranked(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "jwt sessions")
        preview = demo_app.screen.query_one(Preview)
        assert "enter opens" in str(preview.border_subtitle)
        assert " why" not in str(preview.border_subtitle), "the letter goes into the question"
        await pressed(pilot, "tab")
        assert preview.view.passage is not None
        assert not preview.query_one("#why").display and "w why" in str(preview.border_subtitle)
        preview.toggle_reasons()
        assert preview.query_one("#why").display


async def test_the_reasons_of_a_rank_are_shown_where_there_is_no_preview(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=(80, 24)) as pilot:
        await search(pilot, "jwt sessions")
        await pressed(pilot, "tab", "w")
        assert isinstance(demo_app.screen, TextModal)
        assert "score" in str(demo_app.screen.query_one(Static).content)


async def test_the_preview_calls_a_hit_as_its_row_does(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "jwt sessions")
        preview = demo_app.screen.query_one(Preview)
        for _ in range(5):
            hit = home_of(demo_app).archive.current
            assert isinstance(hit, Hit)
            if hit.label is not None:
                assert str(preview.border_title).startswith(hit.label.title)
            await pressed(pilot, "down")


@pytest.mark.long
async def test_one_escape_ends_the_search_and_puts_the_cursor_back(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pilot.press("down", "down")
        await search(pilot, "jwt")
        await pilot.press("escape")
        await settled(pilot)
        home = home_of(demo_app)
        assert home.search_box.value == ""
        assert home.search_box.border_subtitle == ""
        assert len(home.archive.items) == 14
        assert home.focused is home.archive
        assert isinstance(home.current, IndexRow) and home.current.number == 12


@pytest.mark.long
async def test_an_answer_to_an_older_question_is_dropped(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "jwt")
        box = home_of(demo_app).search_box
        stale = sample.search("nordpost", sync=False)
        # Questions are counted from 1.
        box.post_message(messages.HitsFound(0, stale, 0.0, messages.SearchFiltered()))
        await settled(pilot)
        assert all(hit not in stale.hits for hit in home_of(demo_app).archive.items[:1])
        assert "jwt" in str(home_of(demo_app).archive.pattern)


@pytest.mark.long
async def test_the_arrows_lead_the_hits_while_one_types(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "token")
        await pilot.press("down")
        home = home_of(demo_app)
        assert home.archive.cursor == 1 and home.archive.is_led
        assert isinstance(home.focused, Input)
        await pilot.press("enter")
        assert isinstance(demo_app.screen, ReaderScreen)


@pytest.mark.long
async def test_every_key_asks_anew(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", "j", "w", "t")
        await settled(pilot)
        assert home_of(demo_app).search_box.question == "jwt"
        first = home_of(demo_app).archive.items
        await pilot.press("backspace", "backspace", "backspace")
        await settled(pilot)
        assert len(home_of(demo_app).archive.items) == 14 != len(first)


@pytest.mark.long
async def test_nothing_found_says_so_and_what_to_do(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "xylophone zeppelin")
        archive = home_of(demo_app).archive
        assert not archive.items
        assert archive.empty.plain.startswith("Nothing found in 94 passages of 26 sources.")
        assert "Try fewer or different words" in archive.empty.plain


async def test_the_preview_follows_the_cursor(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert demo_app.screen.query_one(Preview).border_title == NEWEST
        await pilot.press("down")
        await settled(pilot)
        assert (
            demo_app.screen.query_one(Preview).border_title
            == "Webhook tests flaky again · parcel-api · claude · 5 Mar · 47m"
        )


class Gate(Workbench):
    """A workbench that keeps the first document until it is let go, and counts how many were asked for."""

    def document(self, reference: str | Path) -> Document:
        ASKED.append(str(reference))
        assert LET_GO.wait(30)
        return super().document(reference)


ASKED: list[str] = []
LET_GO = threading.Event()


async def test_the_preview_reads_one_document_at_a_time_and_then_the_one_under_the_cursor(
    app_on: AppMaker, sample: Workbench
) -> None:
    ASKED.clear()
    LET_GO.clear()
    app = app_on(Gate(sample.store, sample.why))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: bool(ASKED))
        preview = app.screen.query_one(Preview)
        for _ in range(4):
            await pilot.press("down")
            await until(pilot, lambda: preview.delays.are_over)
        assert ASKED == ["14"]
        LET_GO.set()
        await settled(pilot)
        assert ASKED == ["14", "10"]
        assert preview.border_title == TENTH


@pytest.mark.long
async def test_the_preview_follows_the_window_too(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        demo_app.screen.query_one(WindowList).focus()
        await pilot.press("end")
        await settled(pilot)
        assert isinstance(home_of(demo_app).current, WindowEntry)
        assert demo_app.screen.query_one(Preview).border_title == TENTH


async def test_at_eighty_columns_the_preview_folds_away_and_enter_opens_it(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert not demo_app.screen.query_one(Preview).display
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(demo_app.screen, ReaderScreen)
        assert demo_app.screen.page.border_title == NEWEST


async def test_a_wider_terminal_unfolds_the_preview(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.resize_terminal(120, 36)
        await settled(pilot)
        assert demo_app.screen.query_one(Preview).border_title == NEWEST


@pytest.mark.parametrize("size", [(30, 8), (40, 12), (50, 15)])
async def test_a_small_terminal_still_lists_sessions(demo_app: RecallApp, size: tuple[int, int]) -> None:
    async with demo_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.resize_terminal(*size)
        await settled(pilot)
        archive = demo_app.screen.query_one("#archive")
        assert archive.region.height >= 3 and demo_app.screen.region.contains_region(archive.region)
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        assert demo_app.screen.query_one("#window").display and demo_app.screen.query_one("#memory").display


async def test_copying_takes_the_words_and_where_they_are_from(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pilot.press("y")
        assert demo_app.clipboard.startswith("Two browser tabs refreshed")
        copied = len(demo_app.clipboard.splitlines()) - 1
        said = toasts(demo_app)[-1]
        assert said.startswith(f"Copied {copied} line") and "and the source: “Two browser tabs" in said
        assert demo_app.clipboard.endswith("— memory/conversations/conversation-014.md")


async def test_copying_leaves_secrets_out(demo_app: RecallApp, sample: Workbench) -> None:
    path = sample.layout.archives[0].folder / "conversation-014.md"
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    path.write_text(f"## Summary\n\nThe token is {token}\n", encoding="utf-8")
    async with demo_app.run_test(size=WIDE) as pilot:
        await pilot.press("y")
        assert token not in demo_app.clipboard and "The token is" in demo_app.clipboard


def note(store: Store, text: str) -> Plan:
    """A change to take back."""
    return Plan("Added a note", (Create(store.layout.base / "note.md", text),))


@pytest.mark.long
async def test_undo_and_redo_say_what_they_did(demo_app: RecallApp, sample: Workbench) -> None:
    sample.apply(note, "a note\n")
    path = sample.layout.base / "note.md"
    async with demo_app.run_test(size=WIDE) as pilot:
        await pilot.press("u")
        await settled(pilot)
        assert not path.exists()
        assert "Added a note" in toasts(demo_app)[-1]
        await pilot.press("U")
        await settled(pilot)
        assert path.read_text(encoding="utf-8") == "a note\n"


async def test_undo_without_a_change_says_so(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pilot.press("u")
        await settled(pilot)
        assert toasts(demo_app) == ["You have nothing to undo"]


@pytest.mark.long
async def test_refresh_reads_again_without_moving_the_cursor(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("down", "down")
        with sample.layout.rows.open("a", encoding="utf-8") as rows:
            rows.write("| 015 | 2026-03-06 | new-session | new things | 2 | 5m |\n")
        await pilot.press("r")
        await settled(pilot)
        home = home_of(demo_app)
        assert len(home.archive.items) == 15
        assert isinstance(home.current, IndexRow) and home.current.number == 12


@pytest.mark.long
async def test_files_that_others_write_appear_by_themselves(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample, follows=True)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        # Its thread has to be waited for, and the app gives it to nobody.
        follower = app._follower
        assert follower is not None
        with sample.layout.rows.open("a", encoding="utf-8") as rows:
            rows.write("| 015 | 2026-03-06 | new-session | new things | 2 | 5m |\n")
        for _ in range(500):
            await pilot.pause(0.01)
            if len(home_of(app).archive.items) == 15:
                break
        assert len(home_of(app).archive.items) == 15
        await settled(pilot)
    assert follower.join(5), "the watching thread must end with the app"


@pytest.mark.long
async def test_jump_letters_take_the_focus_to_a_panel(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pilot.press("ctrl+o")
        assert isinstance(demo_app.screen, Jump)
        await pilot.press("s")
        await pilot.pause()
        assert demo_app.screen.focused is demo_app.screen.query_one(WindowList)
        await pilot.press("ctrl+o", "escape")
        assert isinstance(demo_app.screen, Home)


@pytest.mark.long
async def test_tab_goes_round_the_panels(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        seen = []
        for _ in range(4):
            await pilot.press("tab")
            assert demo_app.screen.focused is not None
            seen.append(demo_app.screen.focused.id)
        assert seen == ["document", "search", "window", "archive"]


@pytest.mark.long
async def test_the_mouse_moves_the_cursor_and_a_second_click_opens(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.click("#archive", offset=(5, 3))
        home = home_of(demo_app)
        assert home.archive.cursor == 1, "the first row has the names of the columns"
        await pilot.double_click("#archive", offset=(5, 3))
        await pilot.pause()
        assert isinstance(demo_app.screen, ReaderScreen)


async def test_the_editor_is_given_the_file(
    demo_app: RecallApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pilot.press("o")
        assert "no editor is set" in toasts(demo_app)[-1]


async def test_q_leaves(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pilot.press("q")
        await pilot.pause()
    assert demo_app.return_code == 0


async def test_an_empty_memory_says_what_will_appear(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        home = home_of(app)
        assert "A there keeps" in home.archive.empty.plain
        assert "each session that ends" in home.query_one(WindowList).empty.plain
        assert toasts(app) == []


async def test_a_file_that_cannot_be_read_is_said_in_its_own_panel(app_on: AppMaker, sample: Workbench) -> None:
    sample.layout.window.unlink()
    sample.layout.window.mkdir()
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        window = app.screen.query_one(WindowList)
        assert window.border_subtitle == "▲ unreadable"
        assert "EPHEMERAL.md" in window.empty.plain
        assert len(home_of(app).archive.items) == 14


async def test_an_archive_that_is_gone_is_said_in_the_preview(app_on: AppMaker, sample: Workbench) -> None:
    (sample.layout.archives[0].folder / "conversation-014.md").unlink()
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert app.screen.query_one(Preview).border_subtitle == "▲ unreadable"


def test_a_look_reads_every_part_on_its_own(sample: Workbench) -> None:
    seen = load_view(sample)
    assert not isinstance(seen.rows, str)
    assert seen.rows and seen.memory and seen.window


async def test_sessions_are_in_the_order_of_their_ends_and_a_day_is_shown_once(
    app_on: AppMaker, bare: Workbench
) -> None:
    for number, hours in ((1, 3), (2, 50), (3, 1)):
        talk = [("user", f"Count the parcels of depot {number}"), ("assistant", "Counted.")]
        bare.capture(transcript(bare.store.environment, number, talk, start=demo.DEMO_NOW - timedelta(hours=hours)))
    app = app_on(bare)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        archive = home_of(app).archive
        rows = [" ".join(archive.draw_at(place, 78).plain.split()) for place in range(3)]
    ends = [row.split("depot ")[1] for row in rows]
    assert ends == ["3 api claude 6 Mar 1m", "1 api claude 1m", "2 api claude 4 Mar 1m"]


async def test_a_narrow_screen_shows_the_words_of_the_hit_under_the_cursor(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=NARROW) as pilot:
        await search(pilot, "why did we pick jwt over sessions")
        excerpt = demo_app.screen.query_one(HitExcerpt)
        assert excerpt.display and "JWT" in excerpt.render().plain
        assert any("warning" in str(span.style) for span in excerpt.render().spans)
        await pilot.press("escape")
        await settled(pilot)
        assert not excerpt.display


async def test_an_empty_window_says_that_it_was_handed_over(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert str(app.screen.query_one(WindowList).empty).startswith("Nothing yet.")
        handed = HookLogEntry("2026-03-06T12:00:00+00:00", "start", "claude", "s", 1.0, HookDecision("handed", ""))
        append_entry(bare.store.state, handed)
        await pressed(pilot, "r")
        assert str(app.screen.query_one(WindowList).empty).startswith("Handed over to the session that started last.")
