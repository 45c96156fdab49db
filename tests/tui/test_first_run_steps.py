"""The steps of the first run: sessions kept, agents connected, and what to try, each seen before it is done."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from threading import Event

import pytest
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from recall_tui.agents.installer import AgentInstaller, AgentPlan
from recall_tui.environment import Environment
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.first_run.app import FirstRunApp
from recall_tui.tui.screens.first_run.steps import (
    InstallAgents,
    KeepSessions,
    SetupDone,
    SetupStep,
    describe_others,
)
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.text_modal import PlanModal
from tests.makers import transcript
from tests.tui.piloting import settled

SESSIONS = 3


@pytest.fixture
def app(world: Environment) -> FirstRunApp:
    """A machine with Claude Code, some sessions and no memory."""
    for number in range(1, SESSIONS + 1):
        start = demo.DEMO_NOW - timedelta(days=number)
        said = [("user", f"Why does the import {number} fail?"), ("assistant", "The separator is a semicolon.")]
        path = transcript(world, number, said, start=start)
        os.utime(path, (start.timestamp(), start.timestamp()))
    (world.claude / "settings.json").write_text("{}", encoding="utf-8")
    return FirstRunApp(world, now=demo.demo_now, stopwatch=lambda: 0.0, follows=False)


def said(pilot: Pilot[object]) -> str:
    return str(pilot.app.screen.query_one("#said Static", Static).content)


async def enter(pilot: Pilot[object], times: int = 1) -> None:
    for _ in range(times):
        await pilot.press("enter")
        await settled(pilot)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_five_enters_lead_from_nothing_to_a_full_home(
    app: FirstRunApp, world: Environment, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await enter(pilot, 2)
        assert isinstance(app.screen, KeepSessions)
        assert f"{SESSIONS} sessions on this machine can be kept" in said(pilot) and "deletes" in said(pilot)
        await enter(pilot)
        assert isinstance(app.screen, InstallAgents)
        assert "Installs into Claude Code" in said(pilot) and "+++" in said(pilot)
        assert json.loads((world.claude / "settings.json").read_text()) == {}
        await enter(pilot)
        assert isinstance(app.screen, SetupDone)
        assert f"✓ {SESSIONS} sessions kept" in said(pilot) and "✓ Claude Code" in said(pilot)
        assert "llm.provider" in said(pilot) and "recall-tui" not in said(pilot)
        assert "hooks" in json.loads((world.claude / "settings.json").read_text())
        await enter(pilot)
        assert isinstance(app.screen, Home)
        assert app.bench is not None and app.bench.layout.name == "user"
        assert len(list((world.claude / "memories").glob("archive-log-*.md"))) == SESSIONS


async def test_a_memory_set_up_in_a_project_is_connected_in_that_project_alone(
    app: FirstRunApp, world: Environment
) -> None:
    (world.cwd / ".git").mkdir(parents=True)
    account = (world.claude / "settings.json").read_text()
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("down")
        await enter(pilot, 2)
        while not isinstance(app.screen, InstallAgents):
            await pilot.press("s")
            await settled(pilot)
        words = said(pilot)
        assert "alone: sessions there receive what they need" in words and "of other projects do not" in words
        assert ".claude/settings.local.json" in words and "every project" not in words
        await enter(pilot)
        assert "✓ Claude Code" in said(pilot)
    assert (world.claude / "settings.json").read_text() == account and not (world.claude / "rules").exists()
    assert "SessionStart" in (world.cwd / ".claude" / "settings.local.json").read_text()


@pytest.mark.parametrize("is_team", [True, False])
async def test_what_is_said_of_sessions_is_true_of_a_team_and_of_one_person(
    app: FirstRunApp, world: Environment, is_team: bool
) -> None:
    (world.cwd / ".git").mkdir(parents=True)
    transcript(world, 9, [("user", "Why?"), ("assistant", "So.")], start=demo.DEMO_NOW, cwd=str(world.cwd))
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("down", *["down"] * is_team)
        await enter(pilot, 2)
        assert isinstance(app.screen, KeepSessions)
        assert ("The conversation itself stays with Claude Code" in said(pilot)) is is_team
        await enter(pilot)
        assert isinstance(app.screen, InstallAgents)
        assert "git would commit .claude/" in said(pilot)
        await enter(pilot)
        assert isinstance(app.screen, SetupDone)
        assert "✓ Claude Code " + ("" if is_team else "keeps its sessions here and ") + "receives" in said(pilot)


async def test_each_step_can_be_skipped_and_changes_nothing_then(app: FirstRunApp, world: Environment) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await enter(pilot, 2)
        for step in (KeepSessions, InstallAgents):
            assert isinstance(app.screen, step)
            await pilot.press("s")
            await settled(pilot)
        assert isinstance(app.screen, SetupDone) and "✓" not in said(pilot)
        await enter(pilot)
        assert isinstance(app.screen, Home)
    assert json.loads((world.claude / "settings.json").read_text()) == {}
    assert not list((world.claude / "memories").glob("*.md"))


async def test_a_key_between_two_steps_starts_no_second_set_up(
    app: FirstRunApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, offers = Event(), AgentInstaller.offers

    def waiting(installer: AgentInstaller) -> tuple[AgentPlan, ...]:
        gate.wait(10)
        return offers(installer)

    monkeypatch.setattr(AgentInstaller, "offers", waiting)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await enter(pilot, 2)
        assert isinstance(app.screen, KeepSessions)
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        gate.set()
        await settled(pilot)
        assert isinstance(app.screen, (InstallAgents, SetupDone)), app.screen
        assert not any(isinstance(screen, PlanModal) for screen in app.screen_stack)


async def test_an_agent_whose_settings_cannot_be_read_is_left_to_health(app: FirstRunApp, world: Environment) -> None:
    (world.claude / "settings.json").write_text("{", encoding="utf-8")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await enter(pilot, 2)
        await pilot.press("s")
        await settled(pilot)
        assert isinstance(app.screen, SetupDone)
    assert (world.claude / "settings.json").read_text() == "{"


def test_sessions_of_other_projects_are_said_to_stay_out() -> None:
    assert describe_others(0) == ""
    assert describe_others(1) == "1 session of another project stays out of this memory"
    assert describe_others(1_200) == "1,200 sessions of other projects stay out of this memory"


async def test_a_step_that_runs_offers_no_key_to_begin(app: FirstRunApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        step = SetupStep(None, "A step", Content("words"))  # type: ignore[arg-type]
        app.push_screen(step)
        await settled(pilot)
        assert step.check_action("do", ())
        step._is_busy = True
        assert not step.check_action("do", ()) and step.check_action("skip", ())
