"""The small parts: the gauge's bar, rows as text, the editor's words, delays, the sample, following files."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App

from recall_tui.domain import Hit, IndexRow, Section, SessionLabel, WindowEntry
from recall_tui.environment import Environment
from recall_tui.errors import NotFoundError
from recall_tui.storage.documents import memory_file
from recall_tui.storage.documents.memory_file import Budget
from recall_tui.storage.layout import make_layout
from recall_tui.text.session_line import fit_columns, label_entry, session_line
from recall_tui.tui.app import RecallApp
from recall_tui.tui.memory_view_model import MemoryView
from recall_tui.tui.runtime import editor
from recall_tui.tui.runtime.file_watcher import FileWatcher
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.text import strip_markdown
from recall_tui.tui.widgets.budget_gauge import BudgetGauge
from recall_tui.tui.widgets.markdown_lines import RenderedDocument
from recall_tui.tui.widgets.session_row import (
    EDGE_CELLS,
    heads_row,
    hit_excerpt,
    hit_row,
    label_hit,
    label_row,
    session_row,
)
from recall_tui.tui.workers import Debouncer
from recall_tui.workbench import Workbench
from tests.tui.piloting import toasts

# The bar by itself: what render() returns has words around it, and needs a screen for its width.
bar_of = BudgetGauge._bar
NOW = datetime(2026, 3, 6, 12, tzinfo=UTC)


def test_the_bar_is_cut_where_sections_end() -> None:
    seen = MemoryView(Budget(100, 200, 1, 25_600), (Section("a", 2, 0, 50), Section("b", 2, 50, 100)))
    bar = bar_of(BudgetGauge(), seen, 40, "$success").plain
    assert bar == "━" * 9 + "╸" + "━" * 10 + "─" * 20


def test_the_bar_of_an_overfull_memory_is_full() -> None:
    assert bar_of(BudgetGauge(), MemoryView(Budget(400, 200, 1, 25_600), ()), 10, "$error").plain == "━" * 10


LABEL = SessionLabel("Token refresh race", "parcel-api", "claude", datetime(2026, 3, 6, 9, 12, tzinfo=UTC), "~1h02m")


def test_a_session_is_the_same_facts_in_a_row_and_on_a_line() -> None:
    columns = fit_columns(78)
    assert heads_row(columns).plain.split() == ["Title", "Project", "Agent", "Date", "Length"]
    row = session_row(LABEL, columns, NOW)
    assert row.plain.split() == ["Token", "refresh", "race", "parcel-api", "claude", "6", "Mar", "1h02m"]
    assert row.cell_length == heads_row(columns).cell_length == 78 + EDGE_CELLS
    assert session_line(LABEL, NOW) == "Token refresh race · parcel-api · claude · 6 Mar · 1h02m"


def test_a_day_is_shown_once_and_its_year_when_it_is_not_this_one() -> None:
    columns = fit_columns(78, has_years=True)
    assert "6 Mar" not in session_row(LABEL, columns, NOW, is_same_day=True).plain
    assert "6 Mar 2026" in session_row(LABEL, columns, NOW.replace(year=2027)).plain


@pytest.mark.parametrize(
    ("width", "heads"),
    [
        (66, "Title Project Agent Date Length"),
        (58, "Title Project Date Length"),
        (59, "Title Project Agent Date Length"),
        (42, "Title Date Length"),
        (20, "Title"),
    ],
)
def test_a_narrow_list_cuts_the_project_then_drops_the_agent_then_the_project(width: int, heads: str) -> None:
    assert heads_row(fit_columns(width)).plain.split() == heads.split()


def test_a_row_of_the_index_without_its_archive_has_topics_and_its_day() -> None:
    label = label_row(IndexRow(14, "2026-03-06", "s", ("auth", "jwt"), 34, "30m"))
    assert session_line(label, NOW) == "auth, jwt · 6 Mar · 30m"


def test_a_session_in_the_window_is_called_by_what_was_asked() -> None:
    entry = WindowEntry(
        "s", datetime(2025, 3, 6, 9, 12, tzinfo=UTC), "~25m", 3, "conversation-014.md", "token race → it is fixed"
    )
    assert session_line(label_entry(entry), NOW) == "token race · 6 Mar 2025 · 25m"


@pytest.mark.parametrize(
    ("heading", "title", "shown"),
    [
        ("Memory › Auth", "Memory", ("Auth", "topic")),
        ("", "Carriers", ("Carriers", "topic")),
        ("", "", ("a.md", "topic")),
    ],
)
def test_a_hit_that_is_no_session_is_called_by_its_section_and_kind(
    heading: str, title: str, shown: tuple[str, str]
) -> None:
    label = label_hit(Hit("i", "memory/a.md", "topic", "raw", title, 1.0, "", (1, 2), heading=heading))
    assert (label.title, label.project) == shown


def test_marks_of_markdown_are_not_part_of_an_excerpt() -> None:
    assert (
        strip_markdown("…rotate. **Decisions**: - We `picked` it - Then ## Auth")
        == "…rotate. Decisions: · We picked it · Then Auth"
    )


@given(st.text(max_size=400), st.integers(12, 100))
def test_a_hit_of_any_text_is_one_row(text: str, width: int) -> None:
    hit = Hit("i", "d.md", "memory", "raw", text, 1.0, text, (1, 2))
    row = hit_row(hit, fit_columns(width), NOW, None)
    assert "\n" not in row.plain and row.cell_length == width + EDGE_CELLS
    assert "\n" not in hit_excerpt(hit, None, width).plain


@given(st.text(alphabet=st.sampled_from("#*_`[]<>()!-|~ \n\tab1.é日\x1b"), max_size=300), st.integers(10, 80))
def test_every_line_of_any_text_takes_the_height_it_says(text: str, width: int) -> None:
    document = RenderedDocument(text)
    for at in range(len(document)):
        rows = document.rows(at, width)
        assert document.height(at, width) == len(rows)
        assert all("\x1b" not in row.plain and "\n" not in row.plain for row in rows)


def test_the_editor_is_given_the_line_when_it_takes_one() -> None:
    path = Path("/m/a b.md")
    assert editor.editor_command({"EDITOR": "nvim -R"}, path, 40) == ["nvim", "-R", "+40", "/m/a b.md"]
    assert editor.editor_command({"EDITOR": "code --wait"}, path, 40) == ["code", "--wait", "/m/a b.md"]
    assert editor.editor_command({"VISUAL": "nano", "EDITOR": "vi"}, path) == ["nano", "/m/a b.md"]


def test_without_an_editor_the_hint_says_how_to_set_one() -> None:
    with pytest.raises(NotFoundError) as error:
        editor.editor_command({}, Path("x"))
    assert "EDITOR" in error.value.hint


async def test_a_delay_that_was_stopped_never_happens() -> None:
    app: App[None] = App()
    done: list[str] = []
    async with app.run_test() as pilot:
        delays = Debouncer(app)
        delays.after("a", 0.001, lambda: done.append("never"))
        delays.stop("a")
        delays.after("a", 0.001, lambda: done.append("first"))
        delays.after("a", 0.001, lambda: done.append("last"))
        for _ in range(1_000):
            await pilot.pause(0.001)
            if delays.are_over:
                break
    assert done == ["last"]


@pytest.mark.parametrize("poll_seconds", [None, 0.01], ids=["watching", "looking"])
def test_changes_by_others_are_noticed(tmp_path: Path, poll_seconds: float | None) -> None:
    layout = make_layout(tmp_path, "entity")
    layout.archives[0].folder.mkdir(parents=True)
    noticed, asked = threading.Event(), threading.Event()
    follower = FileWatcher(layout, noticed.set, poll_seconds=poll_seconds, always=asked.set)
    follower.start()
    try:
        for attempt in range(200):
            layout.rows.write_text(f"changed {attempt}\n", encoding="utf-8")
            if noticed.wait(0.05):
                break
        assert noticed.is_set()
        assert asked.wait(5)
    finally:
        follower.stop()
    assert follower.join(5)


@pytest.mark.parametrize("stopped", ["", "follower.stop()"], ids=["still watching", "just stopped"])
def test_python_is_not_taken_down_under_the_thread_that_watches(tmp_path: Path, stopped: str) -> None:
    make_layout(tmp_path, "entity").archives[0].folder.mkdir(parents=True)
    program = f"""
import atexit, sys, time
from pathlib import Path
from recall_tui.storage.layout import make_layout
from recall_tui.tui.runtime.file_watcher import FileWatcher
follower = FileWatcher(make_layout(Path(sys.argv[1]), "entity"), lambda: None)
atexit.register(lambda: print("over" if follower.join(0) else "still there"))
follower.start()
time.sleep(0.3)
{stopped}
"""
    ended = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("over\n", "")


def test_the_sample_is_a_copy_with_a_world_of_its_own(tmp_path: Path) -> None:
    sample = demo.create_demo(tmp_path / "world", {"EDITOR": "nano"})
    assert sample.environment.state.is_relative_to(tmp_path)
    assert sample.environment.env["EDITOR"] == "nano"
    sample.remove()
    assert not sample.folder.exists()


def test_the_sample_hangs_together(sample: Workbench) -> None:
    rows = {row.number: row for row in sample.rows}
    entries = {entry.number: entry for entry in sample.archive.entries()}
    assert list(rows) == list(entries) == list(range(1, 15))
    for number, entry in entries.items():
        row = rows[number]
        assert (row.session_id, row.messages, row.duration) == (entry.session_id, entry.messages, entry.duration)
        assert row.topics == entry.topics
        assert entry.date is not None and row.date == f"{entry.date:%Y-%m-%d}"
    assert [entry.archive for entry in sample.window.entries] == [f"conversation-{n:03d}.md" for n in range(10, 15)]
    memory = memory_file.read_memory(sample.store)
    assert len(memory.lines) == 168
    assert sum(section.lines > 30 for section in memory.sections if section.level == 2) == 2
    assert sample.health(with_index=False).level == "healthy"


def test_the_sample_is_its_owners_alone(sample: Workbench) -> None:
    root = sample.store.root
    modes = {path: path.stat().st_mode & 0o777 for path in (root, *root.rglob("*"))}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}
    assert [problem for problem in sample.check() if problem.kind == "mode"] == []


async def test_half_a_character_is_copied_as_a_question_mark(demo_app: RecallApp) -> None:
    async with demo_app.run_test() as pilot:
        demo_app.copy_to_clipboard("a \ud800 b")
        await pilot.pause()
        assert demo_app.clipboard == "a ? b"


async def test_nothing_that_a_terminal_would_obey_is_copied(demo_app: RecallApp) -> None:
    async with demo_app.run_test() as pilot:
        demo_app.copy_to_clipboard("a\x1b]2;x\x07 \x9b2J\u202eb\n\tc")
        await pilot.pause()
        assert demo_app.clipboard == "a b\n\tc"


async def test_what_not_every_terminal_takes_is_copied_with_a_word_about_it(demo_app: RecallApp) -> None:
    async with demo_app.run_test(notifications=True) as pilot:
        demo_app.copy_to_clipboard("é" * 30_000)
        await pilot.pause()
        assert toasts(demo_app) == []
        demo_app.copy_to_clipboard("é" * 40_000)
        await pilot.pause()
        assert demo_app.clipboard == "é" * 40_000
        assert toasts(demo_app) == ["78 KB copied: many terminals silently cut the clipboard at 73 KB"]


def test_without_a_setting_the_first_usual_editor_on_the_path_opens_the_file(
    environment: Environment, tmp_path: Path
) -> None:
    for name in ("vi", "vim"):
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (tmp_path / name).chmod(0o700)
    find = environment._replace(env={"PATH": f".:{tmp_path}"}).program
    assert editor.editor_command({}, Path("/m/a.md"), 40, find=find) == ["vim", "+40", "/m/a.md"]
    assert editor.editor_command({"EDITOR": "code"}, Path("/m/a.md"), find=find) == ["code", "/m/a.md"]
