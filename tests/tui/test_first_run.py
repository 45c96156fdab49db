"""The first run: no memory yet."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widgets import Input, Static

from recall_tui.agents.default_site import project_folder
from recall_tui.environment import Environment
from recall_tui.errors import NotFoundError
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.first_run.app import FirstRunApp
from recall_tui.tui.screens.first_run.folder_name_modal import FolderNameModal
from recall_tui.tui.screens.first_run.screen import FirstRun, StartOptions
from recall_tui.tui.screens.first_run.steps import SetupStep
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.text_modal import PlanModal
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.workbench import Workbench
from tests.makers import bench_at, transcript
from tests.repositories import holding, repository, session, uncommitted, with_git
from tests.transcripts.form_samples import SESSIONS, copied_form
from tests.tui.piloting import settled, toasts, typed

USER, HERE, OTHER, SAMPLE = range(4)
"""The offers, by their place."""


@pytest.fixture
def app(world: Environment) -> FirstRunApp:
    """An app that found no memory."""
    with pytest.raises(NotFoundError):
        Workbench.open(environment=world)
    return FirstRunApp(world, now=demo.demo_now, stopwatch=lambda: 0.0, follows=False)


async def here(pilot: Pilot[object]) -> None:
    """Choose the memory in this folder, so that its plan is shown."""
    await settled(pilot)
    await pilot.press("down", "enter")
    await settled(pilot)


async def made(pilot: Pilot[object]) -> None:
    """Have the plan that is shown carried out, and skip the steps after it."""
    await pilot.press("enter")
    await settled(pilot)
    while isinstance(pilot.app.screen, SetupStep):
        await pilot.press("escape")
        await settled(pilot)


def words_of(app: FirstRunApp, where: str) -> str:
    return str(app.screen.query_one(where, Static).content)


async def test_it_says_where_it_looked(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, FirstRun)
        assert "Looked in ~/agent and every folder above it, then in ~/.claude." in words_of(app, "#looked")


async def test_a_root_that_was_named_is_said_and_offered(world: Environment) -> None:
    app = FirstRunApp(world, now=demo.demo_now, root=Path("notes"), follows=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "~/agent/notes has no memory" in words_of(app, "#looked")
        assert app.screen.query_one(StartOptions).items[0].root == world.cwd / "notes"


async def test_the_memory_is_offered_where_the_environment_will_look_for_it(world: Environment) -> None:
    environment = Environment(world.home, world.cwd, {**world.env, "RECALL_ECHO_HOME": str(world.home / "elsewhere")})
    app = FirstRunApp(environment, now=demo.demo_now, follows=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "RECALL_ECHO_HOME names ~/elsewhere" in words_of(app, "#looked")
        assert app.screen.query_one(StartOptions).items[0].root == world.home / "elsewhere"


async def test_a_claude_folder_without_a_memory_counts_as_none(world: Environment) -> None:
    (world.claude / "projects").mkdir(parents=True)
    (world.claude / "settings.json").write_text("{}", encoding="utf-8")
    with pytest.raises(NotFoundError):
        Workbench.open(environment=world)


async def test_the_agents_sessions_are_shown_with_those_that_expire(app: FirstRunApp, world: Environment) -> None:
    for number, days in (1, 40), (2, 25), (3, 2):
        start = demo.DEMO_NOW - timedelta(days=days)
        path = transcript(world, number, [("user", "Why?")], start=start)
        os.utime(path, (start.timestamp(), start.timestamp()))
    world.codex.mkdir()
    world.kimi.mkdir()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        line, *others = words_of(app, "#found").splitlines()
        assert line.split()[:5] == ["●", "Claude", "Code", "3", "sessions"]
        assert "oldest file 2026-01-25" in line and "▲ 2 expire this week" in line
        assert [other.split()[-1] for other in others] == ["none", "none"]
        assert {line.index("3 sessions"), *(other.index("none") for other in others)} == {line.index("3 sessions")}


async def test_a_machine_without_sessions_says_so(app: FirstRunApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert words_of(app, "#found") == "No sessions of a coding agent on this machine yet."


async def test_setting_up_shows_its_plan_before_it_writes(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await here(pilot)
        assert isinstance(app.screen, PlanModal)
        assert "+ ~/agent/memory/MEMORY.md" in words_of(app, "#said Static")
        assert not (world.cwd / "memory").exists()
        await made(pilot)
        assert isinstance(app.screen, Home)
        assert (world.cwd / "memory" / "MEMORY.md").is_file()


async def test_what_exists_is_said_to_be_kept(app: FirstRunApp, world: Environment) -> None:
    world.claude.mkdir()
    (world.claude / "memory").mkdir()
    (world.claude / "memory" / "MEMORY.md").write_text("# Mine\n", encoding="utf-8")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert "= ~/.claude/memory/MEMORY.md stays unchanged" in words_of(app, "#said Static")


@pytest.mark.long
async def test_escape_takes_the_choice_back(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await here(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, FirstRun)
        assert not (world.cwd / "memory").exists()


@pytest.mark.long
async def test_all_projects_may_share_one_memory(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        await made(pilot)
        assert (world.claude / "memory" / "MEMORY.md").is_file()
        assert app.bench is not None and app.bench.layout.name == "user"


async def test_in_the_agents_own_folder_here_is_the_user_level(world: Environment) -> None:
    world.claude.mkdir()
    app = FirstRunApp(Environment(world.home, world.claude, world.env), now=demo.demo_now, follows=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        titles = [offer.title for offer in app.screen.query_one(StartOptions).items]
        assert titles == ["Set up in this folder", "Open another folder", "Look around"]
        await pilot.press("enter")
        await settled(pilot)
        assert "memories/" in words_of(app, "#said Static")


@pytest.mark.long
async def test_what_was_set_up_can_be_worked_on_and_taken_back(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await here(pilot)
        await made(pilot)
        await pilot.press("7")
        await settled(pilot)
        assert type(app.screen).__name__ == "Settings"
        await pilot.press("u")
        await settled(pilot)
        assert type(app.screen).__name__ == "ReversalModal"
        await pilot.press("enter")
        await settled(pilot)
        assert not (world.cwd / "memory" / "MEMORY.md").exists()


@pytest.mark.long
async def test_a_set_up_that_fails_says_why_and_can_be_tried_again(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await here(pilot)
        (world.cwd / "memory").write_text("in the way", encoding="utf-8")
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, FirstRun)
        assert "memory" in "\n".join(toasts(app))
        (world.cwd / "memory").unlink()
        await pilot.press("enter")
        await settled(pilot)
        await made(pilot)
        assert isinstance(app.screen, Home)


async def other_folder(pilot: object, app: FirstRunApp, text: str) -> None:
    await settled(pilot)  # type: ignore[arg-type]
    await pilot.press("down", "down", "enter")  # type: ignore[attr-defined]
    await settled(pilot)  # type: ignore[arg-type]
    assert isinstance(app.screen, FolderNameModal)
    await typed(pilot, text)  # type: ignore[arg-type]
    await settled(pilot)  # type: ignore[arg-type]


@pytest.mark.long
async def test_a_memory_elsewhere_is_opened(app: FirstRunApp, world: Environment) -> None:
    bench_at(world, root=world.home / "else where")
    async with app.run_test(size=(80, 24)) as pilot:
        await other_folder(pilot, app, "~/else where")
        assert "● a memory, layout entity" in str(app.screen.query_one("#folder-name").border_subtitle)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, Home)
        assert app.bench is not None and app.bench.store.root == world.home / "else where"


@pytest.mark.long
async def test_a_folder_without_a_memory_says_so_and_offers_one(app: FirstRunApp, world: Environment) -> None:
    (world.home / "notes").mkdir()
    async with app.run_test(size=(80, 24)) as pilot:
        await other_folder(pilot, app, "../notes")
        assert "○ no memory there" in str(app.screen.query_one("#folder-name").border_subtitle)
        await pilot.press("enter")
        await settled(pilot)
        assert "No memory there. This memory is" in words_of(app, "#said Static")
        await made(pilot)
        assert (world.home / "notes" / "memory" / "MEMORY.md").is_file()
        assert isinstance(app.screen, Home)


async def test_a_mistyped_path_says_that_there_is_no_such_folder(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await other_folder(pilot, app, "~/nonexistant")
        assert "▲ no such folder" in str(app.screen.query_one("#folder-name").border_subtitle)
        await pilot.press("enter")
        await settled(pilot)
        assert "There is no folder ~/nonexistant yet. This memory is" in words_of(app, "#said Static")
        await pilot.press("escape")
    assert not (world.home / "nonexistant").exists()


async def test_whose_sessions_a_memory_keeps_is_said_before_they_are_kept(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(120, 36)) as pilot:
        await here(pilot)
        plan = words_of(app, "#said Static")
        assert "It keeps the sessions of every project on this machine; to keep only those of ~/agent, skip" in plan


async def test_the_memory_of_all_projects_speaks_of_no_narrower_one(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        plan = words_of(app, "#said Static")
        assert "It keeps the sessions of every project on this machine." in plan and "only those" not in plan


async def test_a_file_is_no_folder(app: FirstRunApp, world: Environment) -> None:
    (world.home / "plain.md").write_text("", encoding="utf-8")
    async with app.run_test(size=(80, 24)) as pilot:
        await other_folder(pilot, app, "~/plain.md")
        assert "▲ this is a file" in str(app.screen.query_one("#folder-name").border_subtitle)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, FirstRun)
        assert "plain.md is a file" in "\n".join(toasts(app))


async def test_folders_are_completed(app: FirstRunApp, world: Environment) -> None:
    for name in ("projects", "private", ".hidden"):
        (world.home / name / "inner").mkdir(parents=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await other_folder(pilot, app, "~/pro")
        await pilot.press("tab")
        await settled(pilot)
        assert app.screen.query_one(Input).value == "~/projects/"
        assert words_of(app, "#inside") == "inner/"


async def test_sample_data_is_looked_at_in_a_copy_that_goes_away(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("end")
        await settled(pilot)
        assert "temporary folder" in words_of(app, "#about")
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, Home)
        assert app.bench is not None
        root = app.bench.store.root
        assert root.is_dir() and not (world.cwd / "memory").exists()
        assert app.bookmarking is None, "where a sample was left is of no use"
    assert not root.exists()


async def test_the_offers_fit_their_list(app: FirstRunApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        offers = app.screen.query_one(StartOptions)
        assert len(offers.items) == offers.size.height == 4


async def test_what_can_be_done_is_in_sight_below_many_agents(app: FirstRunApp, world: Environment) -> None:
    for agent in SESSIONS:
        copied_form(agent, world.home)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        offers = app.screen.query_one(StartOptions)
        assert offers.visible and app.screen.region.contains_region(offers.region)
        assert panel_rows(app).contains_region(offers.region)
        lines = words_of(app, "#found").splitlines()
        assert len(lines) == len(SESSIONS)
        assert all(line[: line.index(" session")].split()[-1].isdecimal() for line in lines)
        assert len({line.index(" session") for line in lines}) == 1
        await pilot.resize_terminal(60, 20)
        await settled(pilot)
        assert panel_rows(app).contains_region(offers.region)


def panel_rows(app: FirstRunApp) -> Region:
    """Where the panel shows something."""
    return app.screen.query_one("#first").content_region


@pytest.mark.long
@with_git
async def test_a_memory_set_up_in_a_repository_takes_its_own_sessions_alone(
    app: FirstRunApp, world: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(world.home))
    repository(world.cwd)
    start = demo.DEMO_NOW - timedelta(days=25)
    for number, agent in enumerate(("claude", "codex", "gemini")):
        for place, (folder, word) in enumerate(((world.cwd / "src", "OURWORD"), (world.home / "secret", "OTHERWORD"))):
            path = session(world, agent, 10 * number + place + 1, folder, word, start=start)
            os.utime(path, (start.timestamp(), start.timestamp()))
    async with app.run_test(size=(120, 36)) as pilot:
        await here(pilot)
        plan = words_of(app, "#said Static")
        assert "It keeps only the sessions held in ~/agent," in plan and "+ ~/agent/memory/.gitignore" in plan
        await pilot.press("enter")
        await settled(pilot)
        assert "3 sessions on this machine can be kept" in words_of(app, "#said Static")
        await pilot.press("enter")
        await settled(pilot)
        while isinstance(app.screen, SetupStep):
            await pilot.press("escape")
            await settled(pilot)
        assert isinstance(app.screen, Home)
        await settled(pilot)
        shown = "\n".join(str(item) for rows in app.screen.query(RowList) for item in rows.items)
        assert "OTHERWORD" not in shown and "OURWORD" in shown
    assert holding(world.cwd, "OTHERWORD") == [] and holding(world.cwd, "OURWORD")
    assert uncommitted(world.cwd) == set()


@with_git
async def test_the_agents_folder_in_a_project_is_refused_with_the_next_step(world: Environment) -> None:
    repository(world.cwd)
    (world.cwd / ".claude").mkdir()
    app = FirstRunApp(world, now=demo.demo_now, root=world.cwd / ".claude", follows=False)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, FirstRun)
        assert "a memory of layout user is in the agent's home" in " ".join("\n".join(toasts(app)).split())
    assert list((world.cwd / ".claude").iterdir()) == []


@with_git
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_repository_is_offered_a_memory_for_its_team(world: Environment, size: tuple[int, int]) -> None:
    repo = repository(world.home / "shop")
    (repo / "src").mkdir()
    app = FirstRunApp(world._replace(cwd=repo / "src"), now=demo.demo_now, follows=False)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("down", "down")
        await settled(pilot)
        assert "everyone with this repository" in words_of(app, "#about")
        await pilot.press("enter")
        await settled(pilot)
        shown = words_of(app, "#said Static")
        assert shown.startswith("This memory is a team's") and "+ ~/shop/_memory/MEMORY.md" in shown
        assert "is meant to be committed" in shown
        await made(pilot)
        assert isinstance(app.screen, SetupStep | Home)
    assert Workbench.open(environment=world._replace(cwd=repo / "src")).layout.name == "project"
    assert "_memory/MEMORY.md" in uncommitted(repo) and not (repo / "src" / "memory").exists()


@with_git
async def test_in_a_subfolder_of_a_repository_the_memory_goes_where_agents_are_served(world: Environment) -> None:
    repo = repository(world.home / "shop")
    (repo / "src").mkdir()
    app = FirstRunApp(world._replace(cwd=repo / "src"), now=demo.demo_now, follows=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        titles = [(offer.title, offer.detail) for offer in app.screen.query_one(StartOptions).items]
        assert ("Set up in this project", "~/shop") in titles
        await here(pilot)
        assert "+ ~/shop/memory/MEMORY.md" in words_of(app, "#said Static")
        await made(pilot)
        assert app.bench is not None
        served = project_folder(app.bench.store)
    for folder in (served, repo, repo / "src"):
        assert Workbench.open(environment=world._replace(cwd=folder)).store.root == repo
    assert not (repo / "src" / "memory").exists()


@with_git
async def test_a_memory_that_is_asked_for_in_a_subfolder_says_how_it_is_opened_from_the_top(world: Environment) -> None:
    repo = repository(world.home / "shop")
    (repo / "src").mkdir()
    app = FirstRunApp(world._replace(cwd=repo), now=demo.demo_now, root=repo / "src", follows=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        shown = words_of(app, "#said Static")
        assert (
            "Agents receive it in all of ~/shop; from outside ~/shop/src you open it with: recall-tui --root" in shown
        )


@with_git
async def test_what_a_private_memory_commits_is_said_before_it_is_made(world: Environment) -> None:
    repo = repository(world.home / "shop")
    app = FirstRunApp(world._replace(cwd=repo), now=demo.demo_now, follows=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await here(pilot)
        shown = words_of(app, "#said Static")
        assert "keeps all of it out of its commits, MEMORY.md too" in shown
        await made(pilot)
    assert uncommitted(repo) == set()


async def test_outside_a_repository_no_team_is_offered(app: FirstRunApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert all(offer.layout is None for offer in app.screen.query_one(StartOptions).items)


async def test_a_memory_above_is_named_before_one_inside_is_made(world: Environment) -> None:
    bench_at(world)
    inner = world.cwd / "lib"
    inner.mkdir()
    app = FirstRunApp(world, now=demo.demo_now, root=inner, follows=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert "The memory in ~/agent (layout entity) stays as it is" in words_of(app, "#said Static")
