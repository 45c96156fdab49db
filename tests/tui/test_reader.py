"""The reader: a whole document, at the passage."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from recall_tui.tui.app import RecallApp
from recall_tui.tui.document_pointer import DocumentPointer
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.widgets.markdown_lines import RenderedDocument
from recall_tui.workbench import Workbench
from tests.makers import records, session_id_of, transcript, write_transcript
from tests.tui.piloting import AppMaker, settled, shown, toasts, typed

WIDE = (120, 36)


def reader_of(app: RecallApp) -> ReaderScreen:
    assert isinstance(app.screen, ReaderScreen)
    return app.screen


async def opened(pilot: Pilot[int]) -> ReaderScreen:
    """The newest archive, opened."""
    await settled(pilot)
    await pilot.press("enter")
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, ReaderScreen)
    return screen


@pytest.mark.long
async def test_it_shows_the_whole_document_rendered(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        reader = await opened(pilot)
        rows = shown(reader)
        assert "  Summary" in rows and "## Summary" not in "".join(rows)
        assert not any(row.strip() == "log: 14" for row in rows), "frontmatter is not reading matter"
        assert any("• Reuse after that revokes" in row for row in rows)


@pytest.mark.long
async def test_a_hit_opens_at_its_passage(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash")
        await typed(pilot, "kind:conversation faketime")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        reader = reader_of(demo_app)
        assert any("faketime" in row for row in shown(reader))
        assert any(row.startswith("▎") for row in shown(reader))


async def test_a_long_title_is_cut_and_the_facts_beside_it_stay(app_on: AppMaker, bare: Workbench) -> None:
    words = "Count the parcels of every depot between the harbour and the railway station"
    bare.capture(transcript(bare.store.environment, 1, [("user", words), ("assistant", "Counted.")]))
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        reader = await opened(pilot)
        cut = str(reader.page.border_title)
        assert cut.startswith("Count the parcels of") and "… · api · claude · 6 Mar" in cut
        await pilot.resize_terminal(160, 24)
        await settled(pilot)
        assert words in str(reader.page.border_title)


async def test_a_session_tells_its_model_and_what_it_took(app_on: AppMaker, bare: Workbench) -> None:
    rows = records(session_id_of(1), [("user", "Count the parcels"), ("assistant", "Counted.")])
    rows[1]["message"] |= {"model": "claude-x", "usage": {"input_tokens": 1_000, "output_tokens": 234}}
    path = write_transcript(bare.store.environment.claude / "projects" / "-a" / f"{session_id_of(1)}.jsonl", rows)
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.push_screen(ReaderScreen(bare, DocumentPointer(path.stem, ""), None))
        await settled(pilot)
        assert str(reader_of(app).page.border_subtitle).endswith(" lines · claude-x · 1,234 tokens")


async def test_escape_goes_back_to_where_one_was(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(demo_app.screen, Home)
        assert demo_app.screen.focused is demo_app.screen.archive


@pytest.mark.long
async def test_brackets_walk_through_the_chapters(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=(80, 24)) as pilot:
        reader = await opened(pilot)
        start = reader.page.scroll_offset.y
        await pilot.press("right_square_bracket", "right_square_bracket")
        ahead = reader.page.scroll_offset.y
        await pilot.press("left_square_bracket")
        assert start < ahead and reader.page.scroll_offset.y < ahead


@pytest.mark.long
async def test_find_walks_through_the_matches(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=(80, 24)) as pilot:
        reader = await opened(pilot)
        await pilot.press("f")
        await typed(pilot, "audit")
        await pilot.press("enter")
        await settled(pilot)
        first = reader.page.cursor
        await pilot.press("n")
        second = reader.page.cursor
        assert "audit" in reader.page.document.raw(first) and "audit" in reader.page.document.raw(second)
        assert first < second
        assert str(reader.page.border_subtitle).startswith("2 of ")
        await pilot.press("N")
        assert reader.page.cursor == first
        await pilot.press(*["n"] * 9)
        assert "No later match" in toasts(demo_app)


async def test_leaving_find_leaves_the_reader_open(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=(80, 24)) as pilot:
        reader = await opened(pilot)
        await pilot.press("f", "x", "escape")
        await pilot.pause()
        assert demo_app.screen is reader and reader.focused is reader.page


@pytest.mark.long
async def test_copying_from_the_reader_names_the_source(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("right_square_bracket", "right_square_bracket", "y")
        words, where = demo_app.clipboard.rsplit("\n", 1)
        line = words.split("\n")[0]
        path, _, lines = where.removeprefix("— ").rpartition(":")
        text = (demo_app.environment.cwd / path).read_text(encoding="utf-8").split("\n")
        assert path.endswith("conversation-014.md") and text[int(lines.split("-")[0]) - 1] == line == "### User"


@pytest.mark.long
async def test_a_document_that_changes_is_shown_anew_in_its_place(demo_app: RecallApp, sample: Workbench) -> None:
    path = sample.layout.archives[0].folder / "conversation-014.md"
    async with demo_app.run_test(size=(80, 24)) as pilot:
        reader = await opened(pilot)
        await pilot.press("pagedown")
        place = reader.page.scroll_offset.y
        path.write_text(path.read_text(encoding="utf-8") + "\nA last word.\n", encoding="utf-8")
        demo_app.memory_changed.publish(None)
        await settled(pilot)
        assert reader.page.scroll_offset.y == place
        await pilot.press("end")
        assert any("A last word." in row for row in shown(reader))


async def test_a_document_that_is_gone_says_so(app_on: AppMaker, sample: Workbench) -> None:
    (sample.layout.archives[0].folder / "conversation-014.md").unlink()
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        reader = await opened(pilot)
        assert reader.page.border_subtitle == "▲ unreadable"


@pytest.mark.long
async def test_a_hundred_thousand_lines_open_and_scroll(app_on: AppMaker, sample: Workbench) -> None:
    path = sample.layout.archives[0].folder / "conversation-014.md"
    path.write_text("".join(f"line {at}\n\n" for at in range(50_000)), encoding="utf-8")
    app = app_on(sample)
    async with app.run_test(size=(80, 24)) as pilot:
        reader = await opened(pilot)
        await pilot.press("end")
        assert "line 49999" in "".join(shown(reader))
        assert reader.page.virtual_size.height == 100_000


def test_the_places_of_lines_are_kept() -> None:
    document = RenderedDocument("---\nlog: 1\n---\n\n# Title\n\ntext **bold** `code`\n")
    assert [document.height(at, 40) for at in range(len(document))] == [0, 0, 0, 0, 1, 1, 1]
    assert document.rows(6, 40)[0].plain == "text bold code"
