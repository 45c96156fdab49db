"""The reader's folds, its cursor, its way back into the agent, and long documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import pytest
from textual.pilot import Pilot

from recall_tui.domain import IndexRow
from recall_tui.environment import Environment
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript
from tests.tui.piloting import AppMaker, footer_of, settled, shown, toasts, typed

WIDE = (120, 36)
TALK = [("user", "Mend it"), ("assistant", "I look."), ("user", "And now?"), ("assistant", "Done. " * 900)]
FOLDED = """---
log: 1
session_id: "{session}"
cwd: "{cwd}"
---

## Summary

Mended.

# Conversation 001

---

### User

Mend the login

---

### Assistant

> **Read** `login.py`

<details><summary>Result</summary>

```
def login():
    zeppelin()
```

</details>

<details><summary>Thought</summary>

The guard is missing.

</details>

---

### User

Thanks
"""


@pytest.fixture
def bench(environment: Environment, tmp_path: Path) -> Workbench:
    """A memory with one archive that has folds, of a session that can be resumed by a program that tells of it."""
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\n/bin/pwd > "$0.told"\nfor word in "$@"; do echo "$word" >> "$0.told"; done\n')
    program.chmod(0o755)
    project = tmp_path / "project"
    project.mkdir()
    made = bench_at(environment._replace(env={**environment.env, "PATH": str(program.parent), "EDITOR": str(program)}))
    transcript(environment, 1, TALK, cwd=str(project))
    archive_path(made).write_text(FOLDED.format(session=session_id_of(1), cwd=project), encoding="utf-8")
    return made


def archive_path(bench: Workbench) -> Path:
    return bench.layout.archives[0].folder / "conversation-001.md"


async def opened(pilot: Pilot[int], bench: Workbench, number: int = 1) -> ReaderScreen:
    await settled(pilot)
    reader = ReaderScreen(bench, IndexRow(number, "2026-03-06"), None)
    pilot.app.push_screen(reader)
    await settled(pilot)
    return reader


def row_with(reader: ReaderScreen, words: str) -> int:
    """The row of the screen, inside the border, that shows the words."""
    return next(y for y, row in enumerate(shown(reader)) if words in row)


def told(tmp_path: Path) -> list[str]:
    return (tmp_path / "bin" / "claude.told").read_text(encoding="utf-8").splitlines()


async def test_tools_and_thoughts_are_folded_until_they_are_asked_for(app_on: AppMaker, bench: Workbench) -> None:
    async with app_on(bench).run_test(size=WIDE) as pilot:
        reader = await opened(pilot, bench)
        text = "\n".join(shown(reader))
        assert "▸ Result · 2 lines" in text and "▸ Thought · 1 line" in text and "zeppelin" not in text
        await pilot.press("t")
        text = "\n".join(shown(reader))
        assert "▾ Result" in text and "zeppelin" in text and "guard is missing" in text
        await pilot.press("t")
        assert "zeppelin" not in "\n".join(shown(reader))


async def test_enter_unfolds_the_line_under_the_cursor_and_folds_what_it_is_in(
    app_on: AppMaker, bench: Workbench
) -> None:
    async with app_on(bench).run_test(size=WIDE) as pilot:
        reader = await opened(pilot, bench)
        reader.page.move_to(next(iter(reader.page.document.fold_at)))
        await pilot.press("enter")
        assert any("zeppelin" in row for row in shown(reader)) and not any("guard" in row for row in shown(reader))
        await pilot.press("down", "down", "enter")
        assert not any("zeppelin" in row for row in shown(reader))
        assert reader.page.cursor in reader.page.document.fold_at


async def test_a_click_unfolds_what_it_hits(app_on: AppMaker, bench: Workbench) -> None:
    async with app_on(bench).run_test(size=WIDE) as pilot:
        reader = await opened(pilot, bench)
        row = row_with(reader, "▸ Thought")
        region = reader.page.scrollable_content_region
        await pilot.click("#page", offset=(region.x + 4, region.y + row))
        await settled(pilot)
        assert any("guard is missing" in row for row in shown(reader))
        assert not any("zeppelin" in row for row in shown(reader))


@pytest.mark.long
async def test_what_is_found_in_a_fold_opens_it(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        reader = await opened(pilot, bench)
        await pilot.press("f")
        await typed(pilot, "ZEPPELIN()")
        await pilot.press("enter")
        await settled(pilot)
        assert any("zeppelin" in row for row in shown(reader))
        assert str(reader.page.border_subtitle).startswith("1 of 1")
        await pilot.press("f", *["backspace"] * 20)
        await typed(pilot, "nowhere")
        await pilot.press("enter")
        await settled(pilot)
        assert "Not in this document" in toasts(app)
        assert str(reader.page.border_subtitle).startswith("no match")


@pytest.mark.long
async def test_prompts_are_the_chapters(app_on: AppMaker, bench: Workbench) -> None:
    async with app_on(bench).run_test(size=WIDE) as pilot:
        reader = await opened(pilot, bench)
        seen = []
        for key in ("right_square_bracket", "right_square_bracket", "right_square_bracket", "left_square_bracket"):
            await pilot.press(key)
            await settled(pilot)
            seen.append((reader.page.document.source[reader.page.cursor], str(reader.page.border_subtitle)[:14]))
        one, two = ("### User", "chapter 1 of 2"), ("### User", "chapter 2 of 2")
        assert seen == [one, two, two, one]


async def test_a_fold_is_copied_whole_with_its_lines(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        reader = await opened(pilot, bench)
        fold = reader.page.document.folds[0]
        reader.page.move_to(fold.start)
        await pilot.press("y")
        assert "zeppelin()" in app.clipboard and "guard" not in app.clipboard
        assert app.clipboard.endswith(f"conversation-001.md:{fold.start + 1}-{fold.end}")


async def test_a_passage_of_a_transcript_is_cited_by_the_line_of_its_file(
    app_on: AppMaker, environment: Environment
) -> None:
    path = transcript(environment, 2, TALK)
    bench = bench_at(environment)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        bench.sync()
        hit = bench.search("mend", passages=True, sync=False).hits[0]
        app.push_screen(ReaderScreen(bench, hit, None))
        await settled(pilot)
        await pilot.press("right_square_bracket", "y")
        assert "And now?" in app.clipboard and app.clipboard.endswith(f"{path.name}:3")


@pytest.mark.long
async def test_the_editor_opens_the_line_of_the_cursor(
    app_on: AppMaker, bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "bin" / "vi"
    (tmp_path / "bin" / "claude").rename(editor)
    bench = Workbench(
        bench.store._replace(
            environment=bench.store.environment._replace(env={**bench.store.environment.env, "EDITOR": str(editor)}),
        ),
        bench.why,
    )
    app = app_on(bench)
    monkeypatch.setattr(app, "suspend", nullcontext)
    async with app.run_test(size=WIDE) as pilot:
        reader = await opened(pilot, bench)
        await pilot.press("right_square_bracket", "o")
        await settled(pilot)
        words = (tmp_path / "bin" / "vi.told").read_text(encoding="utf-8").splitlines()[1:]
        assert words == [f"+{reader.page.cursor + 1}", str(archive_path(bench))]


async def test_a_session_is_resumed_in_its_agent_and_its_folder(
    app_on: AppMaker, bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_on(bench)
    monkeypatch.setattr(app, "suspend", nullcontext)
    async with app.run_test(size=WIDE) as pilot:
        reader = await opened(pilot, bench)
        assert "Resume" in footer_of(app)
        await pilot.press("R")
        await settled(pilot)
        assert told(tmp_path) == [str(tmp_path / "project"), "--resume", session_id_of(1)]
        assert app.screen is reader


def no_agent(bench: Workbench, folder: Path) -> None:
    (folder / "bin" / "claude").unlink()


def no_folder(bench: Workbench, folder: Path) -> None:
    (folder / "project").rmdir()


def no_transcript(bench: Workbench, folder: Path) -> None:
    next(bench.store.environment.claude.rglob("*.jsonl")).unlink()


def an_option_for_an_id(bench: Workbench, folder: Path) -> None:
    path = archive_path(bench)
    path.write_text(path.read_text(encoding="utf-8").replace(session_id_of(1), "--version"), encoding="utf-8")


def no_session(bench: Workbench, folder: Path) -> None:
    archive_path(bench).write_text("# Conversation 001\n\nWords.\n", encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (no_agent, "no `claude` on PATH"),
        (no_folder, "the folder of this session is gone"),
        (no_transcript, "no transcript of this session is where Claude Code keeps them"),
        (an_option_for_an_id, "the agent of this session is unknown"),
        (no_session, "this document is not a session"),
    ],
)
async def test_what_cannot_be_resumed_says_why(
    app_on: AppMaker, bench: Workbench, tmp_path: Path, spoil: Callable[[Workbench, Path], None], reason: str
) -> None:
    spoil(bench, tmp_path)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        reader = await opened(pilot, bench)
        assert reader.check_action("resume", ()) is None
        await pilot.press("R")
        await settled(pilot)
        assert any("Not resumed" in words and reason in words for words in toasts(app))
        assert not (tmp_path / "bin" / "claude.told").exists()


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_cursor_passes_every_row_of_a_line_higher_than_the_screen(
    app_on: AppMaker, bench: Workbench, size: tuple[int, int]
) -> None:
    archive_path(bench).write_text("one\n\n" + "word " * 790 + "\n\nlast words\n", encoding="utf-8")
    async with app_on(bench).run_test(size=size) as pilot:
        reader = await opened(pilot, bench)
        tops = [reader.page.scroll_offset.y]
        while reader.page.cursor < 4 and len(tops) < 200:
            await pilot.press("down")
            tops.append(reader.page.scroll_offset.y)
        steps = [after - before for before, after in pairwise(tops)]
        assert reader.page.cursor == 4 and set(steps) <= {0, 1, 2}
        await pilot.press("home")
        assert reader.page.cursor == 0 and reader.page.scroll_offset.y == 0


@pytest.mark.long
async def test_scrolling_up_through_lines_that_were_estimated_shows_every_row(
    app_on: AppMaker, bench: Workbench
) -> None:
    lines = "\n".join(f"{at} " + "wide words " * 18 for at in range(600))
    archive_path(bench).write_text(lines, encoding="utf-8")
    async with app_on(bench).run_test(size=(80, 24)) as pilot:
        reader = await opened(pilot, bench)
        await pilot.press("end")
        await settled(pilot)
        assert shown(reader)[-3].strip() or shown(reader)[-1].strip()
        before = reader.page.map.place_of(reader.page.scroll_offset.y)
        for _ in range(60):
            await pilot.press("pageup")
            y = reader.page.scroll_offset.y
            height = reader.page.scrollable_content_region.height
            bottom = reader.page.map.place_of(y + height)
            assert bottom == before, "a page up ends where the page before began"
            before = reader.page.map.place_of(y)


@pytest.mark.long
@pytest.mark.parametrize("text", ["", "\n\n", "---\nlog: 1\n---\n"])
async def test_every_key_is_harmless_on_a_document_without_words(app_on: AppMaker, bench: Workbench, text: str) -> None:
    archive_path(bench).write_text(text, encoding="utf-8")
    await press_everything(app_on(bench), bench, ["t", "enter", "y", "n", "N", "R", "o", "f", "x", "enter"])


@pytest.mark.long
async def test_every_key_is_harmless_on_a_document_that_cannot_be_read(app_on: AppMaker, bench: Workbench) -> None:
    archive_path(bench).unlink()
    archive_path(bench).mkdir()
    await press_everything(app_on(bench), bench, ["t", "enter", "y", "n", "N", "R", "o", "f", "x", "enter"])


async def press_everything(app: RecallApp, bench: Workbench, keys: Sequence[str]) -> None:
    moves = ["right_square_bracket", "left_square_bracket", "down", "up", "pagedown", "pageup", "end", "home"]
    async with app.run_test(size=(80, 24)) as pilot:
        reader = await opened(pilot, bench)
        for key in [*moves, *keys, *moves, "space", "j", "k", "g", "G"]:
            await pilot.press(key)
            await settled(pilot)
        assert app.screen is reader and reader.focused is reader.page
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen is not reader
