"""Distill, key by key: what is shown is what is made, and what was made can be taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from recall_tui.storage.documents import memory_file
from recall_tui.storage.documents.memory_file import Level
from recall_tui.storage.documents.topic_files import list_topics
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.distill.screen import Distill
from recall_tui.tui.screens.distill.topic_name_modal import TopicNameModal
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.widgets.budget_gauge import BudgetGauge
from recall_tui.tui.widgets.row_list import NO_ROW
from recall_tui.workbench import Workbench
from tests.tui.heavy import HEAVY
from tests.tui.hostile import NASTY, hostile_memory
from tests.tui.piloting import AppMaker, footer_of, pressed, settled, toasts, typed

WIDE = (120, 36)


@pytest.fixture
def heavy(sample: Workbench) -> Workbench:
    """The sample with a MEMORY.md over its budget that has something of every kind."""
    sample.layout.memory_file.write_text(HEAVY, encoding="utf-8")
    return sample


@pytest.fixture
def app(app_on: AppMaker, heavy: Workbench) -> RecallApp:
    """The app on it."""
    return app_on(heavy)


def screen_of(app: RecallApp) -> Distill:
    assert isinstance(app.screen, Distill)
    return app.screen


def offered(app: RecallApp) -> list[tuple[str, str]]:
    return [(offer.suggestion.kind, offer.suggestion.title) for offer in screen_of(app).weights.offers.items]


def diff_of(app: RecallApp) -> str:
    return "\n".join(line.plain for line in screen_of(app).change.view.lines)


def subtitle_of(widget: Any) -> str:
    return str(widget.border_subtitle)


def level_of(bench: Workbench) -> Level:
    return memory_file.read_memory(bench.store).budget(bench.config).level


async def go_to(pilot: Pilot[Any], app: RecallApp, kind: str) -> None:
    """Put the cursor on the first suggestion of a kind."""
    place = [found for found, _ in offered(app)].index(kind)
    screen_of(app).weights.offers.cursor = place
    await settled(pilot)


@pytest.mark.long
async def test_it_shows_sections_suggestions_and_the_change_of_the_first(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        screen = screen_of(app)
        assert [(part.title, part.lines) for part in screen.weights.parts.items] == [
            ("Memory", 6),
            ("Debugging", 70),
            ("Deploys", 55),
            ("Empty one", 4),
            ("Testing", 24),
            ("Commands", 45),
            ("Habits", 6),
            ("Ways", 4),
        ]
        assert offered(app)[:3] == [("extract", "Debugging"), ("extract", "Deploys"), ("extract", "Commands")]
        assert subtitle_of(screen.weights.offers) == "7 · ● 5 safe"
        assert screen.change.border_title == "Change → memory/debugging.md"
        assert subtitle_of(screen.change) == "214 → 147 lines · 107 → 74 %"
        assert "memory/MEMORY.md\n@@" in diff_of(app)
        assert "-- Debugging fact 0 about thing 0" in diff_of(app)
        assert "+See memory/debugging.md for details." in diff_of(app)


async def test_the_heaviest_section_is_marked_and_its_bar_is_the_longest(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        parts = screen_of(app).weights.parts
        rows = [parts.draw(part, 50).plain for part in parts.items]
        assert [part.title for part, row in zip(parts.items, rows, strict=True) if "▲" in row] == ["Debugging"]
        assert max(rows, key=lambda row: row.count("━")) == rows[1]
        assert all(len(row) == 50 for row in rows)


@pytest.mark.long
async def test_each_suggestion_says_its_reason(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        offers = screen_of(app).weights.offers
        rows = "\n".join(offers.draw(offer, 100).plain for offer in offers.items)
        for words in ("70 lines, over 30", "near duplicate of line 207", "says 2026-01-12, 7w ago", "template comment"):
            assert words in rows
        assert "drop     Empty one  empty" in rows


@pytest.mark.long
async def test_one_key_extracts_and_one_brings_back_the_same_bytes(app: RecallApp, heavy: Workbench) -> None:
    before = heavy.layout.memory_file.read_bytes()
    topics = list_topics(heavy.layout)
    assert level_of(heavy) == "full"
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "e")
        assert toasts(app) == ["Extracted Debugging (70 lines) → debugging.md   u undo"]
        assert level_of(heavy) == "ok"
        assert "## Debugging\nSee memory/debugging.md for details.\n" in memory_file.read_memory(heavy.store).text
        assert (heavy.layout.topics / "debugging.md").read_text(encoding="utf-8").count("Debugging fact") == 67
        assert offered(app)[0] == ("extract", "Deploys"), "the cursor is on the next one"
        assert "▼ 67 lines saved" in subtitle_of(app.screen.query_one(BudgetGauge))
        await pressed(pilot, "u")
        assert heavy.layout.memory_file.read_bytes() == before
        assert list_topics(heavy.layout) == topics
        assert offered(app)[0] == ("extract", "Debugging")
        assert "won" not in subtitle_of(app.screen.query_one(BudgetGauge))
        await pressed(pilot, "U")
        assert "▼ 67 lines saved" in subtitle_of(app.screen.query_one(BudgetGauge))


@pytest.mark.long
async def test_m_merges_and_shows_the_line_that_stays(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        await go_to(pilot, app, "duplicate")
        assert diff_of(app).startswith("= line 207 stays: - We deploy on Fridays after the review.")
        await pressed(pilot, "m")
        assert memory_file.read_memory(heavy.store).text == HEAVY.replace(
            "* we deploy on fridays, after the review\n", ""
        )
        assert toasts(app)[-1].startswith("Duplicate dropped: we deploy on fridays")


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "gone"),
    [
        ("stale", "- Keys were rotated on 2026-01-12.\n"),
        ("empty", "## Empty one\n\n<!-- nothing yet -->\n\n"),
        ("comment", "<!-- Curated facts only. Keep under 200 lines. -->\n\n"),
    ],
)
async def test_x_drops_what_the_suggestion_is_about(app: RecallApp, heavy: Workbench, kind: str, gone: str) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        await go_to(pilot, app, kind)
        await pressed(pilot, "x")
        assert memory_file.read_memory(heavy.store).text == HEAVY.replace(gone, "")
        await pressed(pilot, "u")
        assert memory_file.read_memory(heavy.store).text == HEAVY


@pytest.mark.long
async def test_keys_that_do_not_fit_the_suggestion_say_so_and_do_nothing(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "m", "x")
        await go_to(pilot, app, "stale")
        await pressed(pilot, "e", "m", "E")
        assert isinstance(app.screen, Distill)
        assert memory_file.read_memory(heavy.store).text == HEAVY
        assert (
            toasts(app)
            == ["The selected row can only be used to extract"] * 2 + ["The selected row can only be used to drop"] * 3
        )


@pytest.mark.long
async def test_the_footer_shows_only_keys_that_work_now(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        assert footer_of(app) == ["Open", "Extract", "Name", "All safe", "Undo", "Keys", "Commands"]
        await go_to(pilot, app, "duplicate")
        assert footer_of(app) == ["Open", "Merge", "All safe", "Undo", "Keys", "Commands"]
        await go_to(pilot, app, "stale")
        assert footer_of(app) == ["Open", "Drop", "All safe", "Undo", "Keys", "Commands"]


@pytest.mark.long
async def test_all_safe_ones_are_one_entry(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "A")
        assert [kind for kind, _ in offered(app)] == ["stale", "duplicate"]
        assert "3 sections extracted, 1 empty section removed, 1 template comment removed   u undo" in toasts(app)[-1]
        assert "All safe" not in footer_of(app)
        await pressed(pilot, "u")
        assert memory_file.read_memory(heavy.store).text == HEAVY


@pytest.mark.long
async def test_when_nothing_is_left_the_gauge_shows_the_lines_won(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "A", "x", "m")
        assert offered(app) == []
        won = len(HEAVY.splitlines()) - len(memory_file.read_memory(heavy.store).lines)
        assert won == 169
        assert subtitle_of(app.screen.query_one(BudgetGauge)) == "6 sections · ▼ 169 lines saved"
        assert diff_of(app) == "Done: MEMORY.md is 169 lines shorter."
        assert "MEMORY.md is within budget" in screen_of(app).weights.offers.empty.plain
        assert footer_of(app) == ["Undo", "Keys", "Commands"]


@pytest.mark.long
async def test_the_target_can_be_named(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "E")
        assert isinstance(app.screen, TopicNameModal)
        box = app.screen.query_one(Input)
        assert box.value == "debugging.md"
        box.value = ""
        await typed(pilot, "how-to")
        assert subtitle_of(app.screen.query_one("#topic-name")) == "a new file"
        await pressed(pilot, "enter")
        assert screen_of(app).change.border_title == "Change → memory/how-to.md"
        await pressed(pilot, "e")
        assert (heavy.layout.topics / "how-to.md").is_file()
        assert not (heavy.layout.topics / "debugging.md").exists()
        assert toasts(app) == ["Extracted Debugging (70 lines) → how-to.md   u undo"]


@pytest.mark.long
async def test_a_name_that_was_given_holds_for_all_safe_ones_too(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "down", "E")
        app.screen.query_one(Input).value = "shipping"
        await pressed(pilot, "enter", "A")
        names = {path.name for path in list_topics(heavy.layout)}
        assert {"debugging.md", "shipping.md", "commands.md"} <= names
        assert "deploys.md" not in names


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["MEMORY", "memory.md", "Ephemeral.md", "archive", "../out", "a/b", "2026-03-06", "con"]
)
async def test_a_topic_never_takes_the_name_of_a_fixed_file(app: RecallApp, heavy: Workbench, name: str) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "E")
        app.screen.query_one(Input).value = name
        await pressed(pilot, "enter")
        assert isinstance(app.screen, TopicNameModal)
        assert "cannot be a topic file" in subtitle_of(app.screen.query_one("#topic-name"))
        await pressed(pilot, "escape", "e")
        assert (heavy.layout.topics / "debugging.md").is_file()


@pytest.mark.long
async def test_a_file_that_is_there_gets_the_section_at_its_end(app: RecallApp, heavy: Workbench) -> None:
    path = heavy.layout.topics / "runbook.md"
    before = path.read_text(encoding="utf-8")
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "E")
        app.screen.query_one(Input).value = "runbook"
        await settled(pilot)
        assert "is appended to runbook.md" in subtitle_of(app.screen.query_one("#topic-name"))
        await pressed(pilot, "enter", "e")
        assert path.read_text(encoding="utf-8").startswith(before)
        await pressed(pilot, "u")
        assert path.read_text(encoding="utf-8") == before


@pytest.mark.long
async def test_an_emptied_name_is_the_suggested_one_again(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "E")
        app.screen.query_one(Input).value = "other"
        await pressed(pilot, "enter", "E")
        app.screen.query_one(Input).value = ""
        await pressed(pilot, "enter")
        assert screen_of(app).change.border_title == "Change → memory/debugging.md"


@pytest.mark.long
async def test_a_section_that_nobody_suggested_can_be_extracted_too(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "shift+tab", "home", "down", "down", "down", "down")
        screen = screen_of(app)
        assert screen.focused is screen.weights.parts
        assert screen.weights.parts.current is not None and screen.weights.parts.current.title == "Testing"
        assert subtitle_of(screen.change) == "214 → 193 lines · 107 → 97 %"
        await pressed(pilot, "e")
        assert toasts(app) == ["Extracted Testing (24 lines) → testing.md   u undo"]
        assert (heavy.layout.topics / "testing.md").read_text(encoding="utf-8").count("Testing fact") == 21
        await pressed(pilot, "u")
        assert memory_file.read_memory(heavy.store).text == HEAVY


@pytest.mark.long
async def test_a_section_with_a_suggestion_stands_for_it(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "shift+tab", "home", "down", "down")
        assert screen_of(app).change.border_title == "Change → memory/deploys.md"
        await pressed(pilot, "home")
        assert "Extract" in footer_of(app), "six lines leave one less with a pointer and its heading"
        await pressed(pilot, "e", "home")
        assert "Extract" not in footer_of(app)
        assert "too short" in diff_of(app)


@pytest.mark.long
async def test_a_change_by_somebody_else_is_a_conflict_and_is_shown(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "down")
        other = HEAVY.replace("## Debugging", "## News\n\n- just in\n\n## Debugging")
        heavy.layout.memory_file.write_text(other, encoding="utf-8")
        await pressed(pilot, "e")
        assert memory_file.read_memory(heavy.store).text == other
        assert "the files have changed; nothing was written" in toasts(app)[-1]
        screen = screen_of(app)
        assert "News" in [part.title for part in screen.weights.parts.items]
        assert screen.weights.offers.current is not None and screen.weights.offers.current.suggestion.title == "Deploys"
        await pressed(pilot, "e")
        assert "deploys.md" in {path.name for path in list_topics(heavy.layout)}


@pytest.mark.long
async def test_a_topic_file_that_appeared_meanwhile_is_a_conflict_too(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        (heavy.layout.topics / "debugging.md").write_text("mine\n", encoding="utf-8")
        await pressed(pilot, "e")
        assert (heavy.layout.topics / "debugging.md").read_text(encoding="utf-8") == "mine\n"
        assert memory_file.read_memory(heavy.store).text == HEAVY
        assert "nothing was written" in toasts(app)[-1]
        await pressed(pilot, "e")
        assert (heavy.layout.topics / "debugging-2.md").is_file()


@pytest.mark.long
async def test_what_others_write_appears_without_moving_the_cursor(app_on: AppMaker, heavy: Workbench) -> None:
    app = app_on(heavy, follows=True)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        await go_to(pilot, app, "stale")
        text = HEAVY.replace("## Ways", "## Fresh\n\n- words\n\n## Ways").replace("<!-- nothing yet -->", "- filled")
        heavy.layout.memory_file.write_text(text, encoding="utf-8")
        for _ in range(500):
            await pilot.pause(0.01)
            if "Fresh" in [part.title for part in screen_of(app).weights.parts.items]:
                break
        await settled(pilot)
        offers = screen_of(app).weights.offers
        assert ("empty", "Empty one") not in offered(app)
        assert offers.current is not None and offers.current.suggestion.kind == "stale"
        assert "won" not in subtitle_of(app.screen.query_one(BudgetGauge))


@pytest.mark.long
async def test_two_quick_presses_make_one_change(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        screen = screen_of(app)
        screen.action_extract()
        screen.action_extract()
        await settled(pilot)
        assert len(heavy.journal.entries()) == 1
        assert len(toasts(app)) == 1


@pytest.mark.long
async def test_pressed_before_the_change_is_shown_it_is_made_all_the_same(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        await pilot.press("down", "e")
        await settled(pilot)
        assert toasts(app) == ["Extracted Deploys (55 lines) → deploys.md   u undo"]


@pytest.mark.long
async def test_enter_opens_memory_at_the_place_and_y_copies_it(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        await go_to(pilot, app, "stale")
        await pressed(pilot, "y")
        assert app.clipboard == "- Keys were rotated on 2026-01-12.\n— memory/MEMORY.md:208"
        await pressed(pilot, "enter")
        assert isinstance(app.screen, ReaderScreen)
        await pressed(pilot, "escape")
        assert isinstance(app.screen, Distill)


@pytest.mark.long
async def test_the_other_screens_are_a_key_away(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "d")
        assert isinstance(app.screen, Distill)
        await pressed(pilot, "escape")
        assert isinstance(app.screen, Home)
        await pressed(pilot, "2", "slash")
        assert isinstance(app.screen, Home) and app.screen.focused is app.screen.search_box


@pytest.mark.long
async def test_home_shows_what_was_distilled(app: RecallApp, heavy: Workbench) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "A", "1")
        gauge = app.screen.query_one(BudgetGauge)
        assert f"{len(memory_file.read_memory(heavy.store).lines)}/200 lines" in gauge.render().plain


@pytest.mark.long
async def test_a_memory_with_nothing_to_distill_says_so(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, "2")
        assert "MEMORY.md is within budget" in screen_of(app).weights.offers.empty.plain
        assert footer_of(app) == ["Undo", "Keys", "Commands"]
        await pressed(pilot, "e", "m", "x", "E", "A", "y", "enter")
        assert isinstance(app.screen, Distill)
        assert set(toasts(app)) == {NO_ROW, "No suggestion is marked safe"}


@pytest.mark.long
async def test_without_a_memory_file_nothing_can_be_done(app_on: AppMaker, bare: Workbench) -> None:
    bare.layout.memory_file.unlink()
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, "2", "e", "A", "shift+tab", "e")
        assert "No MEMORY.md yet" in screen_of(app).weights.offers.empty.plain
        assert set(toasts(app)) == {NO_ROW, "No suggestion is marked safe"}


@pytest.mark.long
async def test_a_file_that_cannot_be_read_is_said_and_comes_back(app_on: AppMaker, sample: Workbench) -> None:
    path = sample.layout.memory_file
    path.unlink()
    path.mkdir()
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "e", "A")
        assert subtitle_of(screen_of(app).weights.parts) == "▲ unreadable"
        path.rmdir()
        path.write_text(HEAVY, encoding="utf-8")
        await pressed(pilot, "r")
        assert len(offered(app)) == 7


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_text_that_means_no_good_is_only_text(app_on: AppMaker, tmp_path: Path, size: tuple[int, int]) -> None:
    bench = hostile_memory(tmp_path / "home")
    nasty = NASTY.encode("utf-8", "replace")
    lines = b"".join(b"- %d " % number + nasty + b"\xff\n" for number in range(40))
    old = b"- " + nasty + b" 2025-01-01\n"
    text = b"# [/x] [b\n\n## " + nasty + b"\n\n" + lines + b"\n## [b]two[/b]\n\n" + old + old + b"\n## [/e]\n"
    bench.layout.memory_file.write_bytes(text)
    app = app_on(bench)
    async with app.run_test(size=size) as pilot:
        await pressed(pilot, "2", "E")
        app.screen.query_one(Input).value = "[/x] [b"
        await pressed(pilot, "enter")
        assert isinstance(app.screen, TopicNameModal)
        app.screen.query_one(Input).value = "[x] [b"
        await pressed(pilot, "enter")
        assert isinstance(app.screen, Distill)
        for _ in offered(app):
            await pressed(pilot, "down")
            svg = app.export_screenshot()
            assert "\x1b" not in svg and "\u202e" not in svg
        await pressed(pilot, "home", "A", "u")
        assert bench.layout.memory_file.read_bytes() == text
        assert "\x1b" not in app.export_screenshot()


@pytest.mark.long
async def test_every_row_fits_any_width(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2")
        screen = screen_of(app)
        for width in range(24, 120):
            assert all(
                screen.weights.offers.draw(offer, width).cell_length <= width for offer in screen.weights.offers.items
            )
            assert all(
                screen.weights.parts.draw(part, width).cell_length <= width for part in screen.weights.parts.items
            )


@pytest.mark.long
async def test_what_is_taken_back_and_made_again_is_said_once(app: RecallApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "2", "e", "u", "U")
        made, back, again = toasts(app)
        title = made.partition("   ")[0]
        assert title.startswith("Extracted ")
        assert back == f"Undone: “{title}”" and again == f"Redone: “{title}”"
