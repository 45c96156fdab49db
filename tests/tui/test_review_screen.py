"""Review, key by key: nothing applies itself, what is accepted is what is picked, and every decision is taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.features.curation import review
from recall_tui.features.curation.review import EMPTY_MESSAGE
from recall_tui.memory import bound
from recall_tui.storage.documents import memory_file
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal
from recall_tui.storage.trust import confirm
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.screens.review.screen import Review
from recall_tui.tui.screens.text_modal import TextModal
from recall_tui.workbench import Workbench
from tests.makers import tree
from tests.tui.hostile import hostile_memory
from tests.tui.piloting import AppMaker, footer_of, pressed, toasts, until

WIDE, NARROW = (120, 36), (80, 24)
LIMITER, PAGE = "Say what the limiter does while Redis is away", "A page on logins and tokens"


def screen_of(app: RecallApp) -> Review:
    assert isinstance(app.screen, Review)
    return app.screen


def titles(app: RecallApp) -> list[str]:
    return [card.waiting.proposal.title for card in screen_of(app).proposals.items]


def waiting(bench: Workbench) -> list[str]:
    return [one.proposal.title for one in review.open_proposals(bench.store)]


def diff_of(app: RecallApp) -> str:
    return "\n".join(line.plain for line in screen_of(app).change.view.lines)


def rows_of(app: RecallApp, width: int = 100) -> list[str]:
    rows = screen_of(app).card.rows
    return [" ".join(rows.draw(part, width).plain.split()) for part in rows.items]


def stale(bench: Workbench) -> None:
    """Have somebody else write a document of a proposal that an earlier version made, which cannot be merged."""
    path = bench.store.root / "memory/api-guide.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nMine.\n", encoding="utf-8")
    (one,) = (one for one in proposals.list_open(bench.store) if one.title == LIMITER)
    file = bench.store.state / proposals.PROPOSALS_FOLDER / f"{one.id}.json"
    told = json.loads(file.read_text(encoding="utf-8"))
    for change in told["changes"]:
        del change["base"]
    file.write_text(json.dumps(told), encoding="utf-8")


@pytest.fixture
def page(sample: Workbench) -> Path:
    """The document of the safe proposal."""
    return sample.store.root / "memory/wiki/auth.md"


@pytest.mark.long
async def test_it_says_how_much_applied_itself(demo_app: RecallApp, sample: Workbench, page: Path) -> None:
    config = sample.store.layout.config
    config.write_text((config.read_text() if config.exists() else "") + '\n[review]\nauto = ["wiki"]\n')
    assert confirm(sample.store)
    ids = [one.proposal.id for one in review.open_proposals(sample.store)]
    assert sample.store.commit(bound(review.accept_automatic, ids), by="schedule") is not None and page.is_file()
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5")
        assert titles(demo_app) == [LIMITER]
        assert str(screen_of(demo_app).proposals.border_subtitle) == "1 waits · ● 0 safe · 1 applied by settings"


@pytest.mark.long
async def test_it_shows_what_waits_why_from_where_and_the_change(demo_app: RecallApp, sample: Workbench) -> None:
    before = tree(sample.store.root)
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5")
        screen = screen_of(demo_app)
        assert titles(demo_app) == [LIMITER, PAGE]
        assert str(screen.proposals.border_subtitle) == "2 wait · ● 1 safe"
        drawn = [screen.proposals.draw(card, 100).plain for card in screen.proposals.items]
        assert "▲ look" in drawn[0] and "3h ago" in drawn[0] and "● safe" in drawn[1]
        assert "On 3 March it was decided" in str(screen.card.query_one("#reason").render())  # type: ignore[attr-defined]
        assert rows_of(demo_app) == [
            "● memory/MEMORY.md changes",
            "● memory/api-guide.md changes",
            "→ conversation-011:18-27 Rate limits per carrier · parcel-api · claude · 3 Mar · 33m",
            "→ memory/api-guide.md:22-28",
        ]
        assert "memory/MEMORY.md\n@@" in diff_of(demo_app)
        assert "+- Redis only holds rate limits; while it is away" in diff_of(demo_app)
        assert str(screen.change.border_title) == "Change → 2 documents"
        await pressed(pilot, "down")
        assert "+# Logins and tokens" in diff_of(demo_app)
        assert str(screen.change.border_title) == "Change → memory/wiki/auth.md"
    assert tree(sample.store.root) == before, "nothing applies itself"


@pytest.mark.long
async def test_a_accepts_and_u_has_the_proposal_wait_again(demo_app: RecallApp, sample: Workbench, page: Path) -> None:
    before = tree(sample.store.root)
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5", "down", "a")
        assert toasts(demo_app) == [f"Accepted: {PAGE}   u undo"]
        assert page.read_text(encoding="utf-8").endswith("audit log.\n")
        assert titles(demo_app) == [LIMITER]
        await pressed(pilot, "u")
        assert tree(sample.store.root) == before and titles(demo_app) == [LIMITER, PAGE]
        assert toasts(demo_app)[-1] == f"Undone: “Accepted: {PAGE}”"
        await pressed(pilot, "U")
        assert page.is_file() and titles(demo_app) == [LIMITER]


@pytest.mark.long
async def test_x_dismisses_and_u_has_the_proposal_wait_again(demo_app: RecallApp, sample: Workbench) -> None:
    before = tree(sample.store.root)
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5", "x")
        assert toasts(demo_app) == [f"Dismissed: {LIMITER}   u undo"]
        assert titles(demo_app) == waiting(sample) == [PAGE]
        await pressed(pilot, "u")
        assert titles(demo_app) == waiting(sample) == [LIMITER, PAGE]
    assert tree(sample.store.root) == before


@pytest.mark.long
async def test_capital_a_accepts_the_safe_ones_alone(demo_app: RecallApp, sample: Workbench, page: Path) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5", "A")
        assert page.is_file() and titles(demo_app) == [LIMITER]
        assert "All safe" not in footer_of(demo_app)
        await pressed(pilot, "A")
        assert toasts(demo_app)[-1] == "No proposal is marked safe"
        assert waiting(sample) == [LIMITER]


@pytest.mark.long
async def test_space_picks_the_documents_that_are_accepted(demo_app: RecallApp, sample: Workbench) -> None:
    memory, guide = sample.layout.memory_file, sample.store.root / "memory/api-guide.md"
    before = memory.read_text(encoding="utf-8")
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5", "tab", "space")
        assert rows_of(demo_app)[:2] == ["○ memory/MEMORY.md changes", "● memory/api-guide.md changes"]
        assert "1 of 2 selected" in str(screen_of(demo_app).card.border_subtitle)
        await pressed(pilot, "a")
        assert toasts(demo_app) == [f"Accepted: {LIMITER} (1 of 2 documents)   u undo"]
        assert memory.read_text(encoding="utf-8") == before
        assert "no event is lost because of us" in guide.read_text(encoding="utf-8")
        assert titles(demo_app) == [LIMITER, PAGE], "the rest of it waits on"
        assert rows_of(demo_app)[1] == "✓ memory/api-guide.md accepted"
        await pressed(pilot, "space")
        assert rows_of(demo_app)[0] == "● memory/MEMORY.md changes"
        await pressed(pilot, "a")
        assert titles(demo_app) == [PAGE]


@pytest.mark.long
async def test_nothing_is_accepted_when_nothing_is_picked(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5", "tab", "space", "down", "space")
        assert "Accept" not in footer_of(demo_app)
        await pressed(pilot, "a")
        assert toasts(demo_app) == ["No document is selected"]
        assert len(waiting(sample)) == 2


@pytest.mark.long
async def test_one_that_comes_too_late_says_so_and_is_never_made(app_on: AppMaker, sample: Workbench) -> None:
    stale(sample)
    mine = (sample.store.root / "memory/api-guide.md").read_bytes()
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5")
        screen = screen_of(app)
        assert str(screen.proposals.border_subtitle) == "2 wait · ● 1 safe · ■ 1 stale"
        assert "changed since this was proposed" in str(screen.card.query_one("#reason").render())  # type: ignore[attr-defined]
        assert "■ memory/api-guide.md ▲ changed since" in rows_of(app)
        assert "Accept" not in footer_of(app) and "Dismiss" in footer_of(app)
        await pressed(pilot, "a")
        assert "memory/api-guide.md changed since" in toasts(app)[-1]
        await pressed(pilot, "tab", "space", "a")
        assert toasts(app)[-1] == f"Accepted: {LIMITER} (1 of 2 documents)   u undo"
    assert (sample.store.root / "memory/api-guide.md").read_bytes() == mine
    assert "while it is away" in memory_file.read_memory(sample.store).text


@pytest.mark.long
async def test_what_changed_while_it_was_looked_at_is_refused(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5")
        stale(sample)
        before = tree(sample.store.root)
        await pressed(pilot, "a")
        assert "changed since this was proposed; nothing was written" in toasts(demo_app)[-1]
        assert "■ memory/api-guide.md ▲ changed since" in rows_of(demo_app), "it is shown as it is now"
    assert tree(sample.store.root) == before


@pytest.mark.long
async def test_enter_shows_a_proposal_whole(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=NARROW) as pilot:
        await pressed(pilot, "5", "enter")
        assert isinstance(demo_app.screen, TextModal)
        await pressed(pilot, "escape")
        assert titles(demo_app) == [LIMITER, PAGE]


@pytest.mark.long
async def test_enter_opens_a_document_or_the_evidence_at_its_lines(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5", "tab", "enter")
        assert isinstance(demo_app.screen, ReaderScreen)
        await pressed(pilot, "escape", "down", "down", "enter")
        assert isinstance(demo_app.screen, ReaderScreen)
        assert demo_app.screen.page.passage == (18, 27)
        await pressed(pilot, "escape", "shift+tab", "down", "tab")
        assert "Open" not in footer_of(demo_app), "the page is not there yet"
        await pressed(pilot, "enter")
        assert isinstance(demo_app.screen, Review)


@pytest.mark.long
async def test_y_copies_what_why_from_where_and_the_diff(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5", "y")
        copied = demo_app.clipboard
        assert copied.startswith(f"{LIMITER}\nOn 3 March")
        assert "— memory/conversations/conversation-011.md:18-27" in copied and "+++ b/memory/MEMORY.md" in copied


@pytest.mark.long
async def test_o_opens_the_document_or_the_evidence_in_the_editor(
    demo_app: RecallApp, sample: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[Path, int]] = []
    monkeypatch.setattr(demo_app, "edit", lambda path_of, line: opened.append((path_of(), line)))
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5", "o", "tab", "down", "down", "o")
        folder = sample.store.root / "memory"
        assert opened == [(folder / "MEMORY.md", 1), (folder / "conversations/conversation-011.md", 18)]
        await pressed(pilot, "shift+tab", "down", "o")
        assert toasts(demo_app) == ["The file does not exist yet"] and len(opened) == 2


@pytest.mark.long
async def test_escape_leads_home(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5", "escape")
        assert isinstance(demo_app.screen, Home)


@pytest.mark.long
async def test_the_footer_shows_only_what_works(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=NARROW) as pilot:
        await pressed(pilot, "5")
        assert footer_of(app) == ["Undo", "Keys", "Commands"]
        words = screen_of(app).proposals.empty.plain
        assert EMPTY_MESSAGE in words and "w in Timeline (3)" in words and "recall-tui" not in words
        assert not screen_of(app).change.display and not screen_of(app).card.display
        await pressed(pilot, "a", "x", "A", "y", "o", "enter", "space")
        assert isinstance(app.screen, Review)


@pytest.mark.long
async def test_a_proposal_that_another_process_makes_appears_by_itself(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare, follows=True)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5")
        first = proposals.save(bare.store, Proposal("wiki", "x", "News", "w", (DocumentChange("memory/x.md", "x\n"),)))
        await until(pilot, lambda: titles(app) == ["News"])
        assert first is not None
        bare.apply(review.dismiss, [first.id])
        await until(pilot, lambda: titles(app) == [])


@pytest.mark.long
async def test_what_cannot_be_read_is_said(app_on: AppMaker, sample: Workbench) -> None:
    (sample.store.root / "memory/wiki/auth.md").mkdir(parents=True)
    app = app_on(sample)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5")
        assert isinstance(app.screen, Review)
        await pressed(pilot, "down", "a", "x")


@pytest.mark.long
async def test_hostile_words_are_shown_and_do_nothing(app_on: AppMaker, tmp_path: Path) -> None:
    bench = hostile_memory(tmp_path / "hostile")
    outside = bench.store.root.parent / "[b]outside.md"
    app = app_on(bench)
    async with app.run_test(size=NARROW) as pilot:
        await pressed(pilot, "5", "a", "enter", "escape", "tab", "space", "down", "space", "enter", "y")
        await pressed(pilot, "shift+tab", "down", "enter", "escape", "tab", "space", "a", "x")
        shown = "\n".join(diff_of(app).splitlines() + rows_of(app))
        assert not set("\x1b\x07\u202e") & set(shown)
        assert app.is_running and not outside.exists()


@pytest.mark.long
@pytest.mark.parametrize("width", [40, 60, 80, 100, 120])
async def test_the_bar_above_names_the_screen_at_every_width(demo_app: RecallApp, width: int) -> None:
    from recall_tui.tui.widgets.top_bar import TopBar

    async with demo_app.run_test(size=(width, 24)) as pilot:
        await pressed(pilot, "5")
        line = demo_app.screen.query_one(TopBar).render()
        assert "5 Review" in line.plain and "● healthy" in line.plain and line.cell_length <= width
        demo_app.busy = "indexing 41 %"
        await pilot.pause()
        busy = demo_app.screen.query_one(TopBar).render()
        assert "◌" in busy.plain and "41 %" in busy.plain and busy.cell_length <= width
        assert busy.plain.index("5 Review") == line.plain.index("5 Review"), "nothing moves"


@pytest.mark.long
async def test_evidence_that_another_proposal_makes_is_said_to_wait_too(app_on: AppMaker, bare: Workbench) -> None:
    week, month, lost = "memory/weekly/2026-W49.md", "memory/monthly/2026-12.md", "memory/weekly/2026-W50.md"
    proposals.save(bare.store, Proposal("weekly", "2026-W49", "A week", "w", (DocumentChange(week, "# Week\n"),)))
    change = DocumentChange(month, "# Month\n")
    proposals.save(bare.store, Proposal("monthly", "2026-12", "A month", "w", (change,), evidence=(week, lost)))
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5")
        await until(pilot, lambda: sorted(titles(app)) == ["A month", "A week"])
        if titles(app)[0] != "A month":
            await pressed(pilot, "down")
        await until(pilot, lambda: rows_of(app)[1:] == [f"→ {week} waits too", f"→ {lost} ▲ not there"])


@pytest.mark.long
async def test_a_second_copy_of_a_file_waits_and_is_brought_in_or_kept(app_on: AppMaker, bare: Workbench) -> None:
    memory = bare.layout.memory_file
    memory.write_text("# Memory\n\n- here\n")
    copy = memory.with_name("MEMORY.saved-1.md")
    copy.write_text("- there\n")
    before = tree(memory.parent)
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5")
        assert titles(app) == ["memory/MEMORY.saved-1.md has 1 line that is not in MEMORY.md"]
        assert str(screen_of(app).proposals.border_subtitle) == "1 waits · ● 0 safe"
        assert rows_of(app) == ["● memory/MEMORY.md changes", "● memory/MEMORY.saved-1.md goes"]
        assert "+- there" in diff_of(app) and "-- here" not in diff_of(app)
        await pressed(pilot, "a")
        assert memory.read_text() == "# Memory\n\n- here\n- there\n" and not copy.exists() and titles(app) == []
        await pressed(pilot, "u")
        assert tree(memory.parent) == before and len(titles(app)) == 1
        await pressed(pilot, "x")
        assert tree(memory.parent) == before and titles(app) == []


@pytest.mark.long
async def test_a_second_copy_of_settings_is_left_to_a_person(app_on: AppMaker, bare: Workbench) -> None:
    config = bare.layout.config
    config.write_text("[ephemeral]\nmax_entries = 5\n")
    config.with_name(f"{config.stem}.saved-1{config.suffix}").write_text("[ephemeral]\nmax_entries = 7\n")
    app = app_on(bare)
    async with app.run_test(size=WIDE) as pilot:
        await pressed(pilot, "5")
        assert rows_of(app) == [f"■ {bare.store.relative(config)} ▲ by hand"]
        assert "+max_entries = 7" in diff_of(app) and not screen_of(app).card.picks
        await pressed(pilot, "a")
        assert "max_entries = 5" in config.read_text()


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_proposal_that_came_while_another_screen_was_shown_shows_its_diff(
    app_on: AppMaker, bare: Workbench, size: tuple[int, int]
) -> None:
    app = app_on(bare)
    async with app.run_test(size=size) as pilot:
        await pressed(pilot, "5")
        assert titles(app) == []
        change = DocumentChange("memory/a.md", "# A\n\nFirst words.\n")
        await pressed(pilot, "1")
        proposals.save(bare.store, Proposal("wiki", "a", "A page", "w", (change,)))
        app.memory_changed.publish(None)
        await pilot.pause(0.5)
        await pressed(pilot, "5")
        await until(pilot, lambda: titles(app) == ["A page"])
        view = screen_of(app).change.view
        await until(pilot, lambda: any("First words." in view.render_line(y).text for y in range(view.size.height)))
