"""Health's agents and injection, key by key: what would change is seen first, and all of it can be taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.widgets import Static

from recall_tui.domain.hook import HookDecision
from recall_tui.features.context.session_context import StartingSession, build_context
from recall_tui.features.curation.remember import remember
from recall_tui.storage.state import hook_log
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.health.panels import InstallModal, UninstallModal
from recall_tui.tui.screens.health.screen import HealthScreen
from recall_tui.tui.screens.text_modal import TextModal
from recall_tui.workbench import Workbench
from tests.makers import tree
from tests.tui.health_screens import border_of, opened, rows_of, screen_of
from tests.tui.hostile import hostile_memory
from tests.tui.piloting import AppMaker, footer_of, pressed, settled, toasts

CHECKOUT = Path(__file__).resolve().parents[2]
WIDE = (120, 36)
SETTINGS = '{"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}\n'


@pytest.fixture
def bench(sample: Workbench) -> Workbench:
    """The sample memory, on a machine with Claude Code that can start this program."""
    environment = sample.store.environment
    environment = environment._replace(env={**environment.env, "PYTHONPATH": str(CHECKOUT)})
    (environment.claude / "rules").mkdir(parents=True)
    (environment.claude / "settings.json").write_text(SETTINGS, encoding="utf-8")
    return Workbench.open(sample.store.root, environment=environment, now=demo.demo_now)


async def at_agents(pilot) -> None:
    """Open the screen and go to its agents."""
    await opened(pilot)
    pilot.app.screen.list_of("agents").focus()
    await settled(pilot)


def shown(app: RecallApp) -> str:
    """What the plan on the screen says."""
    assert isinstance(app.screen, TextModal)
    return str(app.screen.query_one(Static).content)


@pytest.mark.long
async def test_agents_that_are_found_can_be_installed_into_and_the_rest_is_named(
    app_on: AppMaker, bench: Workbench
) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        row = rows_of(app, "agents")[0]
        assert row.startswith(" ○ found") and "Claude Code" in row and "for you" in row
        assert border_of(app, "agents") == "none installed"
        assert "no hook installed" in border_of(app, "injection")
        assert "Install" in footer_of(app) and "Uninstall" not in footer_of(app)
        await pilot.press("x")
        assert "This memory is not installed in Claude Code" in toasts(app)[-1]


async def test_an_agent_with_another_memory_is_named_with_it_and_can_be_connected(
    app_on: AppMaker, bench: Workbench
) -> None:
    environment = bench.store.environment
    other = environment.home / "other"
    (other / "memory").mkdir(parents=True)
    (other / "memory" / "EPHEMERAL.md").write_text("", encoding="utf-8")
    Workbench.open(other, environment=environment, now=demo.demo_now).agents.install("claude", "user")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        row = rows_of(app, "agents")[0]
        assert row.startswith(" ○ other memory") and "it has the memory in ~/other" in row
        assert border_of(app, "agents") == "none installed" and "no hook installed" in border_of(app, "injection")
        await pilot.press("x")
        assert "This memory is not installed in Claude Code" in toasts(app)[-1]
        await pressed(pilot, "i")
        assert isinstance(app.screen, InstallModal) and "takes the place of the memory in ~/other" in shown(app)
        await pressed(pilot, "i")
        assert rows_of(app, "agents")[0].startswith(" ● installed")


async def test_an_agent_with_an_earlier_tool_has_a_row_that_replaces_it(app_on: AppMaker, bench: Workbench) -> None:
    rules = bench.store.environment.claude / "rules" / "recall-echo.md"
    rules.write_text("# Memory\n\nMEMORY.md, EPHEMERAL.md: run `recall-echo checkpoint`.\n", encoding="utf-8")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        assert rows_of(app, "agents")[0].startswith(" ▲ earlier tool"), rows_of(app, "agents")


@pytest.mark.long
async def test_i_shows_the_changes_and_i_again_makes_them_and_u_takes_them_back(
    app_on: AppMaker, bench: Workbench
) -> None:
    claude = bench.store.environment.claude
    before = tree(claude)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        await pressed(pilot, "i")
        assert isinstance(app.screen, InstallModal)
        words = shown(app)
        assert "+++ b/~/.claude/settings.json" in words, "named as in the command: from the home folder on"
        assert "SessionStart" in words
        assert "backup of the current file: " in words and "backups" in words
        assert tree(claude) == before, "nothing is done before it was seen"
        await pressed(pilot, "i")
        assert "Installed into Claude Code" in toasts(app)[-1] and "undo" in toasts(app)[-1]
        assert json.loads((claude / "settings.json").read_text())["hooks"].keys() >= {"SessionStart", "Stop"}
        row = rows_of(app, "agents")[0]
        assert row.startswith(" ● installed") and "rules, hooks, skill" in row
        assert border_of(app, "agents") == "1 installed" and "no hook" not in border_of(app, "injection")
        await pressed(pilot, "i")
        assert isinstance(app.screen, HealthScreen) and "nothing to do" in toasts(app)[-1]
        installed = tree(claude)
        await pressed(pilot, "u")
        assert "This changes the configuration of Claude Code" in shown(app) and "SessionStart" in shown(app)
        assert "+++ b/~/.claude/settings.json" in shown(app)
        await pressed(pilot, "escape")
        assert tree(claude) == installed, "nothing is undone before it was seen"
        await pressed(pilot, "u", "enter")
        assert tree(claude) == before and rows_of(app, "agents")[0].startswith(" ○ found")


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_i_works_from_wherever_the_cursor_stands(
    app_on: AppMaker, bench: Workbench, size: tuple[int, int]
) -> None:
    app = app_on(bench)
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        assert "i in Agents installs" in " ".join(rows_of(app, "state"))
        await pressed(pilot, "x")
        assert "This memory is not installed in Claude Code" in toasts(app)[-1]
        app.screen.query_one("#state").focus()
        await pressed(pilot, "i")
        assert isinstance(app.screen, InstallModal)
        await pressed(pilot, "escape")
        assert app.screen.focused is app.screen.query_one("#agents")


@pytest.mark.long
async def test_u_takes_back_what_it_showed_when_another_change_came_meanwhile(
    app_on: AppMaker, bench: Workbench
) -> None:
    claude = bench.store.environment.claude
    before = tree(claude)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        await pressed(pilot, "i", "i", "u")
        assert "This changes the configuration of Claude Code" in shown(app)
        bench.apply(remember, "The staging keys are in the vault.")
        await pressed(pilot, "enter")
        assert tree(claude) == before and "Installed into Claude Code" in toasts(app)[-1]
        assert "staging keys" in bench.layout.memory_file.read_text(encoding="utf-8"), "nobody was shown this change"
        await pressed(pilot, "U", "enter")
        assert rows_of(app, "agents")[0].startswith(" ● installed")


@pytest.mark.long
async def test_x_shows_what_goes_and_enter_takes_it_out(app_on: AppMaker, bench: Workbench) -> None:
    claude = bench.store.environment.claude
    before = tree(claude)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        await pressed(pilot, "i", "enter")
        installed = tree(claude)
        await pressed(pilot, "x")
        assert isinstance(app.screen, UninstallModal) and "-# Memory" in shown(app)
        await pressed(pilot, "i")
        assert isinstance(app.screen, UninstallModal) and tree(claude) == installed, "i does not uninstall"
        await pressed(pilot, "escape", "x", "enter")
        assert tree(claude) == before and "Uninstalled from Claude Code" in toasts(app)[-1]
        await pressed(pilot, "u", "enter")
        assert tree(claude) == installed and rows_of(app, "agents")[0].startswith(" ● installed")


@pytest.mark.long
async def test_a_file_that_the_person_wrote_is_left_unless_c_asks_for_it(app_on: AppMaker, bench: Workbench) -> None:
    rules = bench.store.environment.claude / "rules" / "recall-echo.md"
    rules.write_text("Mine.\n", encoding="utf-8")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        await pressed(pilot, "i")
        assert "it is left unchanged" in shown(app) and "-Mine." not in shown(app) and "Changed too" in footer_of(app)
        await pressed(pilot, "enter")
        assert rules.read_text() == "Mine.\n" and "▲" in rows_of(app, "agents")[0]
        await pressed(pilot, "i", "c")
        assert isinstance(app.screen, InstallModal) and "-Mine." in shown(app) and "Changed too" not in footer_of(app)
        await pressed(pilot, "enter")
        assert rules.read_text() != "Mine.\n" and rows_of(app, "agents")[0].startswith(" ● installed")
        await pressed(pilot, "u", "enter")
        assert rules.read_text() == "Mine.\n"


@pytest.mark.long
async def test_a_settings_file_that_makes_no_sense_stays_and_is_named(app_on: AppMaker, bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    settings.write_text("{torn", encoding="utf-8")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        row = rows_of(app, "agents")[0]
        assert (
            row.startswith(" ■ broken") and "settings.json" in row and "▲ 1 with problems" in border_of(app, "agents")
        )
        await pressed(pilot, "i")
        assert isinstance(app.screen, HealthScreen) and "settings.json" in toasts(app)[-1]
        assert settings.read_text() == "{torn"


@pytest.mark.long
async def test_a_plan_that_no_longer_fits_is_not_made(app_on: AppMaker, bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        await pressed(pilot, "i")
        settings.write_text('{"model": "haiku"}\n', encoding="utf-8")
        await pressed(pilot, "enter")
        assert "the files changed since this was shown" in toasts(app)[-1]
        assert settings.read_text() == '{"model": "haiku"}\n'


@pytest.mark.long
async def test_hooks_that_do_not_run_are_said(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        await pressed(pilot, "i", "i")
        settings = bench.store.environment.claude / "settings.json"
        settings.write_text(settings.read_text().replace(" -m recall_tui hook", " -m no_such.recall_tui hook"))
        await pressed(pilot, "r")
        assert "▲" in border_of(app, "agents") or "■" in rows_of(app, "agents")[0]
        await pressed(pilot, "enter")
        assert "Claude Code, for you" in shown(app) and "hooks: " in shown(app)


@pytest.mark.long
async def test_injection_is_what_the_hook_hands_over(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        rows = rows_of(app, "injection")
        assert rows[0].startswith(" ● whole") and "6 items" in rows[0]
        assert "the session's id" in rows[1] and "conversation-014.md: one of the newest sessions" in rows[2]
        assert all("tokens" in row for row in rows[1:])
        screen_of(app).list_of("injection").focus()
        await pressed(pilot, "enter")
        given = build_context(bench.store, StartingSession("00000000-0000-0000-0000-000000000000"))
        assert given.text in shown(app) and "<recalled-memory" in given.text
        await pressed(pilot, "escape")
        assert border_of(app, "injection").startswith(f"about {given.tokens} of 1,000 tokens")
        await pressed(pilot, "down", "down", "enter")
        assert given.items[1].text in shown(app)


async def test_what_an_agent_reads_by_its_rules_is_listed_beside_what_it_is_handed(
    app_on: AppMaker, bench: Workbench
) -> None:
    bench.agents.install("claude", "user")
    bench.apply(remember, "The staging keys are in the vault.")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        row = rows_of(app, "injection")[-1]
        assert row.startswith(" ● by rules") and "MEMORY.md: read by Claude Code at each start" in row
        screen_of(app).list_of("injection").focus()
        await pressed(pilot, "G", "enter")
        assert "The staging keys are in the vault." in shown(app)


@pytest.mark.long
async def test_agents_that_are_handed_memory_are_named(app_on: AppMaker, bench: Workbench) -> None:
    bench.store.environment.codex.mkdir()
    bench.agents.install("codex", "user")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert any("MEMORY.md for Codex" in row for row in rows_of(app, "injection"))


@pytest.mark.long
async def test_what_does_not_fit_and_what_went_wrong_are_said(app_on: AppMaker, bench: Workbench) -> None:
    config = bench.layout.config
    config.write_text('layout = "entity"\n[inject]\ntokens = 200\n', encoding="utf-8")
    failed = HookDecision("failed", "the disk is full")
    hook_log.append_entry(
        bench.store.state, hook_log.HookLogEntry("2026-03-06T12:00:00Z", "end", "claude", "s", 1.0, failed)
    )
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        rows = rows_of(app, "injection")
        assert any("▲ given" in row and "a capture that failed" in row for row in rows)
        assert any("○ left out" in row and "does not fit into inject.tokens" in row for row in rows)
        assert "left out" in border_of(app, "injection")
        config.write_text('layout = "entity"\n[inject]\ntokens = 0\n', encoding="utf-8")
        await pressed(pilot, "r")
        assert rows_of(app, "injection") == [] and border_of(app, "injection") == "○ nothing is handed over"


@pytest.mark.long
async def test_what_is_given_is_data(app_on: AppMaker, tmp_path: Path) -> None:
    bench = hostile_memory(tmp_path)
    bench.store.environment.claude.mkdir()
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await at_agents(pilot)
        await pressed(pilot, "i")
        assert isinstance(app.screen, InstallModal) and "[/x] [b" in shown(app)
        await pressed(pilot, "escape")
        screen_of(app).list_of("injection").focus()
        await pressed(pilot, "enter")
        assert "\x1b" not in shown(app) and "\u202e" not in shown(app)


@pytest.mark.long
async def test_the_cursor_stays_on_its_agent_when_the_order_changes(app_on: AppMaker, bench: Workbench) -> None:
    bench.store.environment.gemini.mkdir()
    bench.store.environment.codex.mkdir()
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await at_agents(pilot)
        names = [row.agent for row in screen_of(app).list_of("agents").items]
        await pressed(pilot, *["down"] * names.index("gemini"), "i", "i")
        assert rows_of(app, "agents")[0].startswith(" ● installed    Gemini")
        await pressed(pilot, "x")
        assert isinstance(app.screen, UninstallModal) and "Gemini" in str(app.screen.query_one("#said").border_title)
