"""The search, key by key: what it suggests, which answers it takes, and when it opens a hit."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from textual.events import Key

from recall_tui.domain import Hit, SearchResult
from recall_tui.storage.state import saved_searches
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.screens.search.request import HIT_LIMIT
from recall_tui.tui.screens.search.search_box import SearchBox
from recall_tui.tui.widgets.preview import Preview
from recall_tui.workbench import Workbench
from tests.makers import transcript
from tests.tui.piloting import AppMaker, footer_of, pressed, search, settled, typed, until

WIDE = (120, 36)


def box_of(app: RecallApp) -> SearchBox:
    return app.screen.query_one(SearchBox)


def suggestion_of(app: RecallApp) -> str:
    """The words that stand in grey behind the cursor."""
    # An Input of Textual has no public name for them.
    return box_of(app)._suggestion


def home_of(app: RecallApp) -> Home:
    assert isinstance(app.screen, Home)
    return app.screen


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "suggested"),
    [
        ("ki", "kind:"),
        ("jwt kind:me", "jwt kind:memory"),
        ("jwt since:to", "jwt since:today"),
        ("until:", "until:today"),
        ("agent:", "agent:claude"),
        ("jwt xylo", ""),
        ("kind:memory", ""),
    ],
)
async def test_the_end_of_a_question_is_suggested(demo_app: RecallApp, words: str, suggested: str) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, words)
        assert suggestion_of(demo_app) == suggested


@pytest.mark.long
async def test_right_takes_the_suggestion_and_asks(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "token kind:mem")
        assert "Complete" in footer_of(demo_app)
        await pilot.press("right")
        await settled(pilot)
        box = box_of(demo_app)
        assert (box.value, box.question, box.cursor_at_end) == ("token kind:memory",) * 2 + (True,)
        assert {hit.kind for hit in home_of(demo_app).archive.items if isinstance(hit, Hit)} == {"memory"}
        assert "Complete" not in footer_of(demo_app)


@pytest.mark.long
async def test_right_moves_the_cursor_where_nothing_is_suggested(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "xylo kind:mem")
        await pilot.press("home", "right", "right")
        assert (box_of(demo_app).value, box_of(demo_app).cursor_position) == ("xylo kind:mem", 2)


@pytest.mark.long
async def test_a_question_asked_before_is_suggested_whole(demo_app: RecallApp, sample: Workbench) -> None:
    saved_searches.update(
        sample.store, lambda known: known.with_asked("why did we pick jwt").with_saved("x", "why on earth")
    )
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "why d")
        assert suggestion_of(demo_app) == "why did we pick jwt"
        await pilot.press("backspace")
        await settled(pilot)
        assert suggestion_of(demo_app) == "why on earth", "a saved search comes before a recent one"


@pytest.mark.long
async def test_an_index_that_cannot_be_read_suggests_nothing_and_stops_nobody(
    demo_app: RecallApp, sample: Workbench
) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        catalogue = sample.index.catalogue_path
        catalogue.write_bytes(b"no database" * 1000)
        await search(pilot, "project:")
        assert suggestion_of(demo_app) == ""
        assert box_of(demo_app).value == "project:"


@pytest.mark.long
async def test_the_arrows_still_lead_the_hits_beside_a_suggestion(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "token kind:conv")
        await pilot.press("down", "down", "up")
        assert home_of(demo_app).archive.cursor == 1


async def test_a_filter_that_is_being_typed_changes_no_hits(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "token refresh")
        before = home_of(demo_app).archive.items
        await typed(pilot, " kind:fo")
        await settled(pilot)
        assert home_of(demo_app).archive.items is before
        assert "no kind fo; kind: conversation, " in str(box_of(demo_app).border_subtitle)


async def test_the_kinds_are_named_where_one_is_typed(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "kind:")
        assert str(box_of(demo_app).border_subtitle).startswith("kind: conversation, daily, ")
        await typed(pilot, "pro")
        await settled(pilot)
        assert str(box_of(demo_app).border_subtitle) == "kind: prompt"
        await typed(pilot, "x")
        await settled(pilot)
        assert str(box_of(demo_app).border_subtitle).startswith("no kind prox; kind: conversation, ")
        await pressed(pilot, "escape")
        assert box_of(demo_app).border_subtitle == ""


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_tab_leads_from_the_question_to_its_hits(demo_app: RecallApp, size: tuple[int, int]) -> None:
    async with demo_app.run_test(size=size) as pilot:
        await search(pilot, "jwt sessions")
        await pressed(pilot, "tab")
        assert demo_app.screen.focused is home_of(demo_app).archive


async def test_what_is_typed_in_a_burst_after_the_key_is_part_of_the_question(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        for key, character in (("slash", "/"), ("j", "j"), ("w", "w"), ("t", "t")):
            demo_app.post_message(Key(key, character))
        await settled(pilot)
        assert box_of(demo_app).question == "jwt"


class Gate(Workbench):
    """A workbench that keeps the answer to a question that says "slow" until it is let go."""

    def search(self, text: str, **options: Any) -> SearchResult:
        answer = super().search(text, **options)
        if "slow" in text:
            STARTED.set()
            assert LET_GO.wait(30)
        return answer


STARTED, LET_GO = threading.Event(), threading.Event()


@pytest.fixture
def gated(sample: Workbench) -> Workbench:
    """The sample memory behind a gate that is shut."""
    STARTED.clear()
    LET_GO.clear()
    return Gate(sample.store, sample.why)


async def test_an_older_and_slower_question_never_lands_after_a_newer_one(app_on: AppMaker, gated: Workbench) -> None:
    app = app_on(gated)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash")
        await typed(pilot, "slow token")
        await until(pilot, STARTED.is_set)
        await pilot.press("ctrl+u")
        await typed(pilot, "jwt")
        await until(pilot, lambda: home_of(app).archive.is_answering)
        hits = home_of(app).archive.items
        assert hits and "slow" not in str(home_of(app).archive.pattern)
        LET_GO.set()
        await settled(pilot)
        assert home_of(app).archive.items is hits
        assert box_of(app).question == "jwt"


async def test_enter_before_the_answer_opens_the_first_hit_of_what_was_typed(
    app_on: AppMaker, gated: Workbench
) -> None:
    app = app_on(gated)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash")
        await typed(pilot, "slow faketime kind:conversation")
        await pilot.press("enter")
        await until(pilot, STARTED.is_set)
        assert isinstance(app.screen, Home), "nothing that was not asked for is opened"
        LET_GO.set()
        await settled(pilot)
        assert isinstance(app.screen, ReaderScreen)
        home = app.screen_stack[0]
        # The item itself: its title may be that of another hit.
        assert isinstance(home, Home) and app.screen.item is home.archive.items[0]


@pytest.mark.long
async def test_typing_on_after_enter_opens_nothing(app_on: AppMaker, gated: Workbench) -> None:
    app = app_on(gated)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash")
        await typed(pilot, "slow token")
        await pilot.press("enter")
        await typed(pilot, " refresh")
        LET_GO.set()
        await settled(pilot)
        assert isinstance(app.screen, Home)
        assert home_of(app).archive.items


@pytest.mark.long
async def test_enter_without_hits_opens_nothing_and_is_not_offered(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "xylophone zeppelin")
        assert "Open" not in footer_of(demo_app)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(demo_app.screen, Home)


@pytest.mark.long
async def test_one_escape_takes_everything_back_at_once(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "xylophone kind:mem")
        await pilot.press("escape")
        await settled(pilot)
        home = home_of(demo_app)
        assert (home.search_box.value, home.search_box.border_subtitle, suggestion_of(demo_app)) == ("", "", "")
        assert home.archive.border_title == "Sessions" and len(home.archive.items) == 14
        assert home.focused is home.archive
        assert (
            demo_app.screen.query_one(Preview).border_title
            == "Token refresh race on two tabs · parcel-api · claude · 6 Mar · 25m"
        )


@pytest.mark.long
async def test_the_reasons_are_those_of_the_hit_under_the_cursor(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "why jwt over sessions")
        why = demo_app.screen.query_one("#why")
        demo_app.screen.query_one(Preview).toggle_reasons()
        first = str(why.render()).replace("\N{NO-BREAK SPACE}", " ")
        assert "why ranked here · all words" in first
        assert "words jwt 52% · sessions 48% · all of the question" in first and "passage 1.00" in first
        await pilot.press("down", "down")
        await settled(pilot)
        second = str(why.render())
        assert second != first and "score" in second
        await pilot.press("escape")
        await settled(pilot)
        assert not why.display, "a row of the index was not ranked"


@pytest.mark.long
async def test_words_are_lit_in_other_forms_than_they_were_typed(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "rotated refreshing tokens")
        pattern = home_of(demo_app).archive.pattern
        assert pattern is not None
        assert [match[0] for match in pattern.finditer("the refresh token rotates")] == ["refresh", "token", "rotates"]


async def test_filters_that_keep_all_hits_away_are_named(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "jwt kind:daily since:today")
        said = home_of(demo_app).archive.empty.plain
        assert "Only results for kind:daily since:today were searched; without filters: " in said
        assert "Remove or widen a filter." in said


@pytest.mark.long
async def test_a_question_is_asked_again_when_the_index_has_grown(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await search(pilot, "xylophone")
        assert not home_of(demo_app).archive.items
        (sample.layout.topics / "music.md").write_text("# Music\n\n## Xylophone\n\nBars of wood.\n", encoding="utf-8")
        demo_app.refresh_index()
        await settled(pilot)
        hits = home_of(demo_app).archive.items
        assert [hit.title for hit in hits if isinstance(hit, Hit)] == ["Music"]


@pytest.mark.long
async def test_a_row_of_the_index_opens_with_enter_from_an_empty_search(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", "down", "enter")
        await settled(pilot)
        assert isinstance(demo_app.screen, ReaderScreen)
        assert demo_app.screen.page.border_title == "Webhook tests flaky again · parcel-api · claude · 5 Mar · 47m"


@pytest.mark.long
async def test_further_hits_come_when_the_cursor_comes_to_the_end(app_on: AppMaker, sample: Workbench) -> None:
    for number in range(1, 36):
        transcript(
            sample.store.environment, number, [("user", f"Why do walruses sleep {number}?"), ("assistant", "Tired.")]
        )
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "walruses")
        archive = home_of(app).archive
        assert (len(archive.items), archive.border_subtitle) == (HIT_LIMIT, f"{HIT_LIMIT} of 35")
        app.screen.set_focus(archive)
        last = archive.items[-1]
        await pilot.press("end")
        await settled(pilot)
        assert (len(archive.items), archive.border_subtitle) == (35, "35")
        assert archive.current == last, "the cursor stays on its hit"
