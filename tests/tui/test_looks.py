"""How the screens look: each in the sizes that count, empty, full, broken and on hostile text."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from recall_tui.domain import IndexRow
from recall_tui.environment import Environment
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.storage.state import saved_searches
from recall_tui.storage.state.saved_searches import SavedSearches
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.first_run.app import FirstRunApp
from recall_tui.tui.screens.health.agents_view_model import AgentAction, apply_action, preview_action
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.workbench import Workbench
from tests.makers import transcript
from tests.tui.heavy import HEAVY
from tests.tui.hostile import NAME, NASTY, hostile_memory
from tests.tui.piloting import AppMaker, settled, typed
from tests.tui.wikis import BROKEN, hostile_wiki, write

CHECKOUT = Path(__file__).resolve().parents[2]
SIZES = [(80, 24), (120, 36)]
STATES = ("empty", "full", "error", "hostile")
Snap = Callable[..., bool]


def empty(home: Path) -> Workbench:
    """A memory that was just made, with one archive that has no words."""
    root = home / "agent"
    environment = Environment(home=home, cwd=home, env={"RECALL_STATE": str(home / "state")})
    bench = Workbench.at(LocatedMemory(make_layout(root, "entity"), "made"), environment, demo.demo_now)
    bench.initialise()
    (bench.layout.archives[0].folder / "conversation-001.md").touch()
    return bench


def full(home: Path) -> Workbench:
    """The sample memory."""
    copy = demo.create_demo(home)
    return Workbench.open(copy.root, environment=copy.environment, now=demo.demo_now)


def error(home: Path) -> Workbench:
    """The sample memory with folders where files should be, and settings that cannot be read."""
    bench = full(home)
    layout = bench.layout
    for path in (layout.memory_file, layout.window, layout.rows, layout.archives[0].folder / "conversation-014.md"):
        path.unlink()
        path.mkdir()
    layout.config.write_text('layout = "entity"\n[ephemeral]\nmax_entries = 900\n', encoding="utf-8")
    return Workbench.open(bench.store.root, environment=bench.store.environment, now=demo.demo_now)


def heavy(home: Path) -> Workbench:
    """The sample memory over its budget, with something of every kind that weighs."""
    bench = full(home)
    bench.layout.memory_file.write_text(HEAVY, encoding="utf-8")
    return bench


def dated(home: Path) -> Workbench:
    """The sample memory with pages of a day, a week and a month, and sessions of two years that are not archived."""
    bench = full(home)
    layout = bench.layout
    for folder, name, text in (
        (layout.days, "2026-03-05.md", DAY_LOG),
        (layout.weekly, "2026-W10.md", WEEKLY),
        (layout.monthly, "2026-02.md", "# 2026-02\n\n## Themes\n\n- Events are stored once.\n"),
    ):
        folder.mkdir(parents=True)
        (folder / name).write_text(text, encoding="utf-8")
    for number in range(1, 61):
        turns = [("user", f"Question {number}?"), ("assistant", "An answer.")] * (1 + number * number % 17)
        transcript(
            bench.store.environment, number, turns, start=demo.DEMO_NOW - timedelta(days=number * 7.3, hours=number % 9)
        )
    return bench


def late(home: Path) -> Workbench:
    """The sample memory, a document of which is another since something was proposed for it."""
    bench = full(home)
    path = bench.store.root / "memory/api-guide.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nOur limits may change.\n", encoding="utf-8")
    return bench


DAY_LOG = """---
type: daily
---
## 2026-03-05

- Moved the staging keys out of the repository [session-ref:5c6a54c2]
- Decided on [[jwt]]
"""
WEEKLY = """---
type: weekly
period: 2026-W10
pointers: [memory/days/2026-03-05.md, memory/days/2026-03-02.md]
salience:
  memory/days/2026-03-05.md: 0.62
  memory/days/2026-03-02.md: 0.38
---
# Week 2026-W10

## Key Outcomes

- The token refresh race is fixed (conversations/conversation-014.md:17-30).

## Decisions

- A rotated refresh token is honoured for 30 seconds, see conversation-014.
"""
MEMORIES: dict[str, Callable[[Path], Workbench]] = {
    "empty": empty,
    "full": full,
    "error": error,
    "hostile": hostile_memory,
    "heavy": heavy,
    "dated": dated,
    "late": late,
}


@pytest.fixture
def app(request: pytest.FixtureRequest, tmp_path: Path, app_on: AppMaker) -> RecallApp:
    """The app on a memory in the state that the test names."""
    return app_on(MEMORIES[request.param](tmp_path / "home"))


def after(*steps: str | Callable[[Pilot[Any]], Awaitable[None]]) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Press keys and do things, each time waiting until the app is at rest."""

    async def run(pilot: Pilot[Any]) -> None:
        await settled(pilot)
        for step in steps:
            if isinstance(step, str):
                await pilot.press(step)
            else:
                await step(pilot)
            await settled(pilot)

    return run


def ask(words: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Type into what has the focus."""

    async def run(pilot: Pilot[Any]) -> None:
        await typed(pilot, words)

    return run


def by_size(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


each_size = pytest.mark.parametrize("size", SIZES, ids=by_size)
each_state = pytest.mark.parametrize("app", STATES, indirect=True)


@pytest.mark.long
@each_size
@each_state
def test_home_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after())


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
def test_hits_look_as_they_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    steps = after("slash", ask("why did we pick jwt over sessions"))
    assert snap_compare(app, terminal_size=size, run_before=steps)


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
def test_an_opened_hit_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    steps = after("slash", ask("faketime kind:conversation"), "enter")
    assert snap_compare(app, terminal_size=size, run_before=steps)


@pytest.mark.long
@each_size
@pytest.mark.parametrize(
    "words", ["token refresh kind:mem", "jwt kind:daily since:today"], ids=["suggestion", "nothing"]
)
@pytest.mark.parametrize("app", ["full"], indirect=True)
def test_a_search_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int], words: str) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after("slash", ask(words)))


EARLIER: dict[str, Callable[[SavedSearches], SavedSearches]] = {
    "full": lambda known: (
        known.with_asked("staging keys since:2026-03")
        .with_asked("why did we pick jwt over sessions")
        .with_saved("flaky", "flaky webhook tests kind:conversation")
    ),
    "hostile": lambda known: known.with_asked(NASTY).with_saved(NAME, NASTY),
}


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["empty", "full", "hostile"], indirect=True)
def test_earlier_searches_look_as_they_should(
    snap_compare: Snap, app: RecallApp, size: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    assert app.bench is not None
    remember = EARLIER.get(request.node.callspec.params["app"])
    if remember:
        saved_searches.update(app.bench.store, remember)
    assert snap_compare(app, terminal_size=size, run_before=after("slash", "up", "down"))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
def test_naming_a_search_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    steps = after("slash", ask("why jwt"), "ctrl+s", ask("[/x] [b"))
    assert snap_compare(app, terminal_size=size, run_before=steps)


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
def test_indexing_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    async def be_busy(pilot: Pilot[Any]) -> None:
        app.busy = "indexing 41 %"

    assert snap_compare(app, terminal_size=size, run_before=after(be_busy))


@pytest.mark.long
@each_size
@each_state
def test_a_document_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    bench = app.bench
    assert bench is not None
    number = max(int(path.stem[-3:]) for path in bench.layout.archives[0].folder.iterdir())

    async def read(pilot: Pilot[Any]) -> None:
        app.clear_notifications()
        app.push_screen(ReaderScreen(bench, IndexRow(number, "2026-03-06"), None))

    assert snap_compare(app, terminal_size=size, run_before=after(read))


@pytest.mark.long
@each_size
@each_state
def test_distill_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after("2"))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["heavy"], indirect=True)
@pytest.mark.parametrize(
    "keys",
    [("end",), ("shift+tab", "down"), ("E",), ("e",), ("A", "x", "m")],
    ids=["duplicate", "sections", "name", "extracted", "nothing left"],
)
def test_distilling_looks_as_it_should(
    snap_compare: Snap, app: RecallApp, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after("2", *keys))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["empty", "full", "error", "hostile", "late"], indirect=True)
def test_review_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    async def quiet(pilot: Pilot[Any]) -> None:
        app.clear_notifications()

    assert snap_compare(app, terminal_size=size, run_before=after("5", quiet))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
@pytest.mark.parametrize(
    "keys",
    [("tab", "space"), ("tab", "space", "a"), ("A",), ("enter",)],
    ids=["picked", "in part", "accepted", "whole"],
)
def test_reviewing_looks_as_it_should(
    snap_compare: Snap, app: RecallApp, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after("5", *keys))


@pytest.mark.long
@each_size
@each_state
def test_help_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after("question_mark"))


@pytest.mark.long
@each_size
@each_state
def test_settings_look_as_they_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    async def quiet(pilot: Pilot[Any]) -> None:
        app.clear_notifications()

    assert snap_compare(app, terminal_size=size, run_before=after("7", "down", quiet))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
@pytest.mark.parametrize("keys", [("down", "enter", "9", "9"), ("end", "enter")], ids=["typed", "chosen"])
def test_a_new_value_looks_as_it_should(
    snap_compare: Snap, app: RecallApp, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after("7", *keys))


@pytest.mark.long
@each_size
@each_state
def test_health_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    bench = app.bench
    assert bench is not None
    for number, days in (1, 31), (2, 27), (3, 24.5):
        start = demo.DEMO_NOW - timedelta(days=days)
        path = transcript(bench.store.environment, number, [("user", "Why?"), ("assistant", "Because.")], start=start)
        os.utime(path, (start.timestamp(), start.timestamp()))
    if bench.layout.rows.is_file():
        bench.capture(path)

    async def quiet(pilot: Pilot[Any]) -> None:
        app.clear_notifications()

    assert snap_compare(app, terminal_size=size, run_before=after("6", quiet))


def installed(bench: Workbench) -> Workbench:
    """The memory on a machine with agents: in one installed, in another something that a person wrote."""
    old = bench.store.environment
    environment = old._replace(env={**old.env, "PYTHONPATH": str(CHECKOUT)})
    for folder in (environment.claude, environment.codex, environment.gemini):
        folder.mkdir(parents=True, exist_ok=True)
    (environment.gemini / "settings.json").write_text("{torn [/x]", encoding="utf-8")
    bench = Workbench.at(LocatedMemory(bench.layout, "made"), environment, demo.demo_now)
    apply_action(bench, preview_action(bench, AgentAction("install", "claude", "user")))
    return bench


@pytest.mark.long
@each_size
@pytest.mark.parametrize("panel", ["agents", "injection"])
@pytest.mark.parametrize("state", ["full", "hostile"])
def test_agents_and_injection_look_as_they_should(
    snap_compare: Snap, tmp_path: Path, app_on: AppMaker, size: tuple[int, int], state: str, panel: str
) -> None:
    app = app_on(installed(MEMORIES[state](tmp_path / "home")))

    async def go_there(pilot: Pilot[Any]) -> None:
        app.clear_notifications()
        app.screen.query_one(f"#{panel}").focus()

    assert snap_compare(app, terminal_size=size, run_before=after("6", go_there))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["empty", "dated", "error", "hostile"], indirect=True)
def test_the_timeline_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    async def quiet(pilot: Pilot[Any]) -> None:
        app.clear_notifications()

    assert snap_compare(app, terminal_size=size, run_before=after("3", "l", quiet))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["dated"], indirect=True)
@pytest.mark.parametrize(
    "steps",
    [("shift+tab", "left"), ("up", "c"), ("up", "up"), ("g", ask("last tuesday")), ("<",)],
    ids=["map", "links", "month", "date", "year before"],
)
def test_a_time_looks_as_it_should(
    snap_compare: Snap, app: RecallApp, size: tuple[int, int], steps: tuple[Any, ...]
) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after("3", *steps))


@pytest.fixture
def wiki_app(request: pytest.FixtureRequest, tmp_path: Path, app_on: AppMaker) -> RecallApp:
    """The app on a memory whose wiki is in the state that the test names."""
    bench = (empty if request.param == "empty" else hostile_memory if request.param == "hostile" else full)(tmp_path)
    if request.param == "hostile":
        hostile_wiki(bench)
    elif request.param == "error":
        write(bench, "half", BROKEN, "name: Half a page\n")
        write(bench, "lost", "\nSee [[nowhere]] and [[half]].\n")
    return app_on(bench)


@pytest.mark.long
@each_size
@pytest.mark.parametrize("wiki_app", STATES, indirect=True)
def test_the_wiki_looks_as_it_should(snap_compare: Snap, wiki_app: RecallApp, size: tuple[int, int]) -> None:
    assert snap_compare(wiki_app, terminal_size=size, run_before=after("4", "end"))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("wiki_app", ["full"], indirect=True)
@pytest.mark.parametrize(
    "keys",
    [("down", "down", "enter", "right", "right"), ("R",), ("n", "T"), ("n", "T", "enter", "down")],
    ids=["page", "rebuild", "name", "category"],
)
def test_a_wiki_page_looks_as_it_should(
    snap_compare: Snap, wiki_app: RecallApp, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    assert snap_compare(wiki_app, terminal_size=size, run_before=after("4", *keys))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("wiki_app", ["error", "hostile"], indirect=True)
@pytest.mark.parametrize("keys", [("l",), ("end", "enter")], ids=["lint", "malformed"])
def test_a_wiki_in_disorder_looks_as_it_should(
    snap_compare: Snap, wiki_app: RecallApp, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    assert snap_compare(wiki_app, terminal_size=size, run_before=after("4", *keys))


def test_a_memory_without_a_past_looks_as_it_should(snap_compare: Snap, bare: Workbench, app_on: AppMaker) -> None:
    assert snap_compare(app_on(bare), terminal_size=(80, 24), run_before=after("3"))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
def test_a_plan_that_mends_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    bench = app.bench
    assert bench is not None
    text = bench.layout.rows.read_text(encoding="utf-8")
    bench.layout.rows.write_text(text.replace("| 013 |", "| 113 |"), encoding="utf-8")
    assert snap_compare(app, terminal_size=size, run_before=after("6", "f"))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
def test_a_summary_to_be_saved_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after("s"))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
def test_the_palette_looks_as_it_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after("ctrl+p"))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
@pytest.mark.parametrize(
    "keys", [("space", "down", "space"), ("space", "F"), ("e",)], ids=["marked", "forgetting", "exporting"]
)
def test_rows_dealt_with_together_look_as_they_should(
    snap_compare: Snap, app: RecallApp, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after(*keys))


@pytest.mark.long
@each_size
@pytest.mark.parametrize("app", ["full"], indirect=True)
def test_jump_letters_look_as_they_should(snap_compare: Snap, app: RecallApp, size: tuple[int, int]) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after("ctrl+o"))


@pytest.mark.long
@each_size
@pytest.mark.parametrize(
    "keys",
    [
        *((), ("down",), ("enter",), ("down", "down", "enter"), ("down", "down", "enter", "~", "slash", "a")),
        *(("enter", "enter"), ("enter", "enter", "s", "s")),
    ],
    ids=["offers", "sessions", "plan", "folder", "folder typed", "keep", "ready"],
)
def test_the_first_run_looks_as_it_should(
    snap_compare: Snap, tmp_path: Path, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    home = tmp_path / "home"
    for name in ("api", "api/docs", "api/src", "agent"):
        (home / name).mkdir(parents=True)
    environment = Environment(home=home, cwd=home / "api", env={"RECALL_STATE": str(home / "state")})
    for number, days in enumerate((31, 27, 3) if keys else ()):
        start = demo.DEMO_NOW - timedelta(days=days)
        path = transcript(environment, number, [("user", "Why?")], start=start)
        os.utime(path, (start.timestamp(), start.timestamp()))
    app = FirstRunApp(environment, now=demo.demo_now, stopwatch=lambda: 0.0, follows=False)
    assert snap_compare(app, terminal_size=size, run_before=after(*keys))


@pytest.mark.long
@pytest.mark.parametrize("theme", ["recall-light", "recall-contrast"])
@pytest.mark.parametrize("app", ["full"], indirect=True)
def test_other_themes_look_as_they_should(snap_compare: Snap, app: RecallApp, theme: str) -> None:
    async def change(pilot: Pilot[Any]) -> None:
        app.theme = theme

    assert snap_compare(app, terminal_size=(120, 36), run_before=after(change))
