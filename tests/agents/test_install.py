"""Installing changes what it says and nothing else; uninstalling leaves every file as it was."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import cast

import pytest

from recall_tui.agents.install import plan_install, plan_uninstall
from recall_tui.agents.target import Scope, Site
from recall_tui.agents.targets.claude import ClaudeTarget
from recall_tui.domain import JournalEntry, LayoutName
from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError, ConflictError, RecallError, UsageError
from recall_tui.memory import bound
from recall_tui.storage.layout import detect_layout
from recall_tui.workbench import Workbench
from tests.agents.settings_samples import RECALL_ECHO, ZOO
from tests.makers import bench_at, tree

PROGRAM = ("/opt/my tools/it's/recall-tui",)


def site_of(bench: Workbench, scope: Scope = "user", project: Path | None = None) -> Site:
    """A site of the memory, with a program whose path has to be quoted."""
    return Site(scope, project or bench.store.environment.cwd, bench.layout, bench.store.environment, PROGRAM)


def install(bench: Workbench, site: Site, *over: Path) -> JournalEntry | None:
    """Install Claude Code's pieces."""
    return bench.apply(plan_install, ClaudeTarget(), site, frozenset(over))


def uninstall(bench: Workbench, site: Site) -> JournalEntry | None:
    """Take them out."""
    return bench.apply(plan_uninstall, ClaudeTarget(), site)


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory in Claude Code's folder."""
    return bench_at(environment, "user")


def folders(root: Path) -> set[str]:
    """Every folder below `root`."""
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_dir()}


def mode(path: Path) -> int:
    """The file's permissions."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.long
@pytest.mark.parametrize("name", [*ZOO, "no file"])
@pytest.mark.parametrize("is_changed_meanwhile", [False, True])
def test_an_uninstalled_agent_is_as_it_was(bench: Workbench, name: str, is_changed_meanwhile: bool) -> None:
    folder = bench.store.environment.claude
    settings = folder / "settings.json"
    if name in ZOO:
        settings.write_bytes(ZOO[name].encode())
    (folder / "CLAUDE.md").write_text("Mine.\n")
    before, folders_before = tree(folder), folders(folder)
    install(bench, site_of(bench))
    there = tree(folder)
    assert set(there) - set(before) >= {"rules/recall-echo.md", "skills/recall/SKILL.md"}
    assert install(bench, site_of(bench)) is None
    assert tree(folder) == there
    if is_changed_meanwhile:
        # An older memory moves elsewhere: the journal's inverse is no longer the whole truth.
        moved = site_of(bench)._replace(command=("/new/recall-tui",))
        settings.write_bytes(
            settings.read_bytes().replace(b'"timeout": 5', b'"timeout": 6').replace(b'"timeout":5', b'"timeout":6')
        )
        assert settings.read_bytes() != there["settings.json"]
        uninstall(bench, moved)
    else:
        uninstall(bench, site_of(bench))
    assert tree(folder) == before and folders(folder) == folders_before
    assert uninstall(bench, site_of(bench)) is None


def test_undo_takes_an_installation_back(bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    settings.write_text('{"model":"opus"}')
    before, folders_before = tree(bench.store.environment.claude), folders(bench.store.environment.claude)
    entry = install(bench, site_of(bench))
    assert entry is not None and entry.title == "Installed into Claude Code for you"
    bench.undo()
    assert tree(bench.store.environment.claude) == before and folders(bench.store.environment.claude) == folders_before
    bench.redo()
    assert "hook --root" in settings.read_text()


def test_what_came_into_the_settings_since_stays(bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    settings.write_text('{\n  "model": "opus"\n}\n')
    install(bench, site_of(bench))
    settings.write_text(settings.read_text().replace('"opus"', '"sonnet",\n  "env": {"A": "1"}'))
    uninstall(bench, site_of(bench))
    assert settings.read_text() == '{\n  "model": "sonnet",\n  "env": {"A": "1"}\n}\n'


def test_recall_echos_hooks_come_back_when_nothing_changed_since(bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    groups = [{"hooks": [{"type": "command", "command": old}]} for old in RECALL_ECHO]
    settings.write_text(json.dumps({"hooks": {"PreCompact": groups}}, indent=4))
    before = settings.read_bytes()
    install(bench, site_of(bench))
    assert "recall-echo " not in settings.read_text()
    uninstall(bench, site_of(bench))
    assert settings.read_bytes() == before


def test_an_upgrade_in_between_is_no_hindrance(bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    settings.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [{"command": "recall-echo promote"}]}]}}))
    before = tree(bench.store.environment.claude)
    install(bench, site_of(bench)._replace(command=("/old/recall-tui",)))
    install(bench, site_of(bench))
    text = settings.read_text()
    assert "/old/recall-tui" not in text and text.count("hook --root") == 6
    uninstall(bench, site_of(bench))
    assert tree(bench.store.environment.claude) == before


@pytest.mark.parametrize(
    "text",
    ['{\n  // mine\n  "a": 1\n}', "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', '{"a": 1,}', '{"a":1,"a":2}'],
)
def test_a_file_that_makes_no_sense_is_refused_and_nothing_at_all_is_written(bench: Workbench, text: str) -> None:
    settings = bench.store.environment.claude / "settings.json"
    settings.write_text(text)
    before = tree(bench.store.environment.claude)
    for change in (install, uninstall):
        with pytest.raises(BrokenFileError, match=r"settings\.json, line \d: "):
            change(bench, site_of(bench))
    assert tree(bench.store.environment.claude) == before


def test_a_read_only_file_is_not_written_around(bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    settings.write_text("{}")
    settings.chmod(0o444)
    before = tree(bench.store.environment.claude)
    with pytest.raises(RecallError, match="read-only"):
        install(bench, site_of(bench))
    assert tree(bench.store.environment.claude) == before and mode(settings) == 0o444


def test_a_rules_file_that_a_person_changed_is_left_unless_it_may_go(bench: Workbench) -> None:
    rules = bench.store.environment.claude / "rules" / "recall-echo.md"
    rules.parent.mkdir()
    rules.write_text("# My own rules\n")
    plan = bench.preview(plan_install, ClaudeTarget(), site_of(bench))
    assert plan.facts["changed"] == [str(rules)]
    assert any(str(rules) in note for note in plan.notes)
    install(bench, site_of(bench))
    assert rules.read_text() == "# My own rules\n"
    install(bench, site_of(bench), rules)
    assert "My own" not in rules.read_text()
    assert "# My own rules\n" in [path.read_text() for path in (bench.store.state / "backups").iterdir()]
    uninstall(bench, site_of(bench))
    assert rules.read_text() == "# My own rules\n"


def test_rules_that_were_changed_after_the_installation_stay(bench: Workbench) -> None:
    install(bench, site_of(bench))
    rules = bench.store.environment.claude / "rules" / "recall-echo.md"
    rules.write_text(rules.read_text().replace("Memory", "My memory", 1))
    plan = bench.preview(plan_uninstall, ClaudeTarget(), site_of(bench))
    assert any(str(rules) in note for note in plan.notes)
    uninstall(bench, site_of(bench))
    assert "My memory" in rules.read_text()
    assert not (bench.store.environment.claude / "settings.json").exists()


def test_a_file_of_others_is_copied_once_before_its_first_change(bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    settings.write_text('{"model": "opus"}')
    install(bench, site_of(bench))
    backups = bench.store.state / "backups"
    install(bench, site_of(bench)._replace(command=("/new/recall-tui",)))
    uninstall(bench, site_of(bench))
    install(bench, site_of(bench))
    (copy,) = backups.iterdir()
    assert copy.read_text() == '{"model": "opus"}' and mode(copy) == 0o600


def test_new_files_are_the_persons_alone_and_old_ones_keep_their_mode(bench: Workbench) -> None:
    folder = bench.store.environment.claude
    settings = folder / "settings.json"
    settings.write_text("{}")
    settings.chmod(0o640)
    install(bench, site_of(bench))
    assert mode(settings) == 0o640
    assert mode(folder / "rules" / "recall-echo.md") == 0o600
    assert mode(folder / "rules") == 0o700


def test_files_in_a_project_follow_the_umask(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    old = os.umask(0o027)
    try:
        install(bench, site_of(bench, "project"))
    finally:
        os.umask(old)
    folder = environment.cwd / ".claude"
    assert mode(folder / "rules" / "recall-echo.md") == 0o640
    assert mode(folder / "settings.local.json") == 0o640
    assert mode(folder / "rules") == 0o750
    assert not (folder / "settings.json").exists() and not (environment.home / ".claude").exists()
    uninstall(bench, site_of(bench, "project"))
    assert not folder.exists()


def test_a_folder_that_something_else_is_in_stays(bench: Workbench) -> None:
    install(bench, site_of(bench))
    other = bench.store.environment.claude / "rules" / "mine.md"
    other.write_text("Mine.\n")
    uninstall(bench, site_of(bench))
    assert other.read_text() == "Mine.\n" and not (bench.store.environment.claude / "skills").exists()


def test_an_empty_folder_of_a_person_stays(bench: Workbench) -> None:
    (bench.store.environment.claude / "rules").mkdir()
    install(bench, site_of(bench))
    uninstall(bench, site_of(bench))
    assert (bench.store.environment.claude / "rules").is_dir()


def test_a_project_that_is_installed_again_by_undo_still_follows_the_umask(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    old = os.umask(0o022)
    try:
        install(bench, site_of(bench, "project"))
        uninstall(bench, site_of(bench, "project"))
        bench.undo()
    finally:
        os.umask(old)
    folder = environment.cwd / ".claude"
    assert mode(folder / "rules" / "recall-echo.md") == 0o644 and mode(folder / "rules") == 0o755
    uninstall(bench, site_of(bench, "project"))
    assert not folder.exists()


def test_a_settings_file_that_is_a_link_stays_one(bench: Workbench, environment: Environment) -> None:
    real = environment.home / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text('{\n  "model": "opus"\n}\n')
    settings = environment.claude / "settings.json"
    settings.symlink_to(real)
    install(bench, site_of(bench))
    assert settings.is_symlink() and "hook --root" in real.read_text()
    uninstall(bench, site_of(bench))
    assert settings.is_symlink() and real.read_text() == '{\n  "model": "opus"\n}\n'


def test_claude_md_is_not_touched_by_a_link_either(environment: Environment) -> None:
    mine = environment.cwd / "CLAUDE.md"
    mine.write_text("Mine.\n")
    (environment.cwd / "AGENTS.md").symlink_to("CLAUDE.md")
    bench = bench_at(environment, "project")
    plan = bench.agents.install_plan("agents-md")
    assert plan.edits == () and any("CLAUDE.md" in note for note in plan.notes)
    bench.agents.install("codex")
    assert mine.read_text() == "Mine.\n" and (environment.cwd / ".codex" / "hooks.json").exists()


def test_hooks_in_a_repository_come_with_a_word_about_their_paths(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    assert bench.agents.install_plan("claude").notes == ()
    (environment.cwd / ".git").mkdir()
    *notes, shared = bench.agents.install_plan("claude").notes
    assert shared.startswith("git would commit .claude/")
    assert [("out of the repository" in one, ".local.json" in one, ".mcp.json" in one) for one in notes] == [
        (True, True, False),
        (True, False, True),
    ]
    assert len(bench.agents.install_plan("claude", parts="rest").notes) == 2


def test_a_folder_that_is_a_link_is_followed(environment: Environment) -> None:
    real = environment.home / "dotfiles" / "claude"
    real.mkdir(parents=True)
    (real / "settings.json").write_text('{"a": 1}')
    environment.claude.symlink_to(real)
    bench = bench_at(environment, "entity", environment.home / "memo")
    before = tree(real)
    bench.agents.install("claude", "user")
    assert "hook --root" in (real / "settings.json").read_text()
    bench.agents.uninstall("claude", "user")
    assert tree(real) == before and environment.claude.is_symlink()


def test_without_a_journal_the_text_is_as_it_was_all_the_same(bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    settings.write_text('{\n    "model": "opus",\n    "hooks": {}\n}')
    before = tree(bench.store.environment.claude)
    bench.agents.install("claude")
    shutil.rmtree(bench.store.state)
    bench.agents.uninstall("claude")
    assert tree(bench.store.environment.claude) == before


def test_a_link_that_leads_nowhere_is_filled_where_it_leads(bench: Workbench, environment: Environment) -> None:
    real = environment.home / "dotfiles" / "claude.json"
    settings = environment.claude / "settings.json"
    settings.symlink_to(real)
    install(bench, site_of(bench))
    assert settings.is_symlink() and "hook --root" in real.read_text()
    uninstall(bench, site_of(bench))
    assert settings.is_symlink() and not real.exists()


@pytest.mark.parametrize("name", ["my memory", 'it\'s "mine"', "ö-日本", "$(touch x); `y`", "-n"])
def test_a_hooks_command_is_one_that_a_shell_takes_apart_rightly(environment: Environment, name: str) -> None:
    import subprocess

    root = environment.cwd / name
    bench = bench_at(environment, "entity", root)
    install(bench, site_of(bench))
    value = json.loads((environment.claude / "settings.json").read_text())
    command = value["hooks"]["Stop"][0]["hooks"][0]["command"]
    said = subprocess.run(["/bin/sh", "-c", f"printf '%s\\n' {command}"], capture_output=True, text=True, check=True)
    hands_memory = ["--memory"] if " " in name else []
    assert said.stdout.splitlines() == [*PROGRAM, "hook", "--root", str(root), *hands_memory]


def test_a_persons_and_a_projects_memory_stand_side_by_side(bench: Workbench, environment: Environment) -> None:
    other = bench_at(environment, "project")
    person, project = tree(environment.claude), tree(environment.cwd)
    install(bench, site_of(bench))
    of_person = tree(environment.claude)
    install(other, site_of(other, "project"))
    assert tree(environment.claude) == of_person
    settings = (environment.cwd / ".claude" / "settings.local.json").read_text()
    assert str(environment.cwd) in settings and f"--root {environment.claude}" not in settings
    uninstall(bench, site_of(bench))
    assert tree(environment.claude) == person
    assert (environment.cwd / ".claude" / "settings.local.json").read_text() == settings
    uninstall(other, site_of(other, "project"))
    assert tree(environment.cwd) == project


def test_what_is_installed_for_another_memory_is_named_and_taken_out_by_that_alone(
    bench: Workbench, environment: Environment
) -> None:
    install(bench, site_of(bench))
    there = tree(environment.claude)
    other = bench_at(environment, "entity", environment.home / "other")
    assert uninstall(other, site_of(other)) is None
    plan = other.preview(plan_uninstall, ClaudeTarget(), site_of(other))
    assert any(f"recall-tui uninstall --root {environment.claude}" in note for note in plan.notes)
    assert tree(environment.claude) == there
    plan = other.preview(plan_install, ClaudeTarget(), site_of(other))
    assert any("takes the place of the memory in ~/.claude" in one for one in cast("list[str]", plan.facts["about"]))
    install(other, site_of(other))
    assert f"--root {environment.home / 'other'}" in (environment.claude / "settings.json").read_text()
    uninstall(other, site_of(other))
    assert not {"settings.json", "rules/recall-echo.md"} & set(tree(environment.claude))


def test_what_is_installed_for_a_memory_that_is_gone_is_taken_out(bench: Workbench, environment: Environment) -> None:
    other = bench_at(environment, "entity", environment.home / "other")
    before = tree(environment.claude)
    install(other, site_of(other))
    (environment.home / "other").rename(environment.home / "moved")
    uninstall(bench, site_of(bench))
    assert tree(environment.claude) == before


def test_what_a_person_saw_is_what_is_made(bench: Workbench) -> None:
    settings = bench.store.environment.claude / "settings.json"
    settings.write_text("{}")
    seen = bench.preview(plan_install, ClaudeTarget(), site_of(bench))
    settings.write_text('{"a": 1}')
    with pytest.raises(ConflictError):
        bench.store.commit(bound(plan_install, ClaudeTarget(), site_of(bench)), expected=seen)
    assert settings.read_text() == '{"a": 1}'


def test_a_scope_that_an_agent_does_not_have_is_refused(bench: Workbench) -> None:
    class ForPersons(ClaudeTarget):
        scopes = ("user",)

    with pytest.raises(UsageError, match="no project scope"):
        bench.preview(plan_install, ForPersons(), site_of(bench, "project"))


def test_rules_for_a_memory_that_is_elsewhere_make_no_memory_of_the_agents_folder(environment: Environment) -> None:
    environment.claude.mkdir()
    bench = bench_at(environment, "entity", environment.home / "memo")
    install(bench, site_of(bench))
    install(bench, site_of(bench, "project"))
    assert (environment.claude / "rules" / "recall-echo.md").exists()
    assert detect_layout(environment.claude) is None and detect_layout(environment.cwd / ".claude") is None


@pytest.mark.parametrize("layout", ["entity", "user", "project", "hierarchical", "claude-project"])
def test_the_memory_reaches_the_agent_once(environment: Environment, layout: LayoutName) -> None:
    bench = bench_at(environment, layout)
    install(bench, site_of(bench, "user"))
    rules = (environment.claude / "rules" / "recall-echo.md").read_text()
    imports = [line for line in rules.splitlines() if line.startswith("@")]
    assert len(imports) == (0 if layout == "claude-project" else 1)
    assert all(line.endswith("MEMORY.md") for line in imports)
    for line in imports:
        assert os.path.realpath(environment.claude / "rules" / line[1:]) == os.path.realpath(bench.layout.memory_file)


def test_a_link_to_a_file_of_another_kind_is_refused_with_the_next_step(environment: Environment) -> None:
    bench = bench_at(environment, "entity")
    servers = environment.cwd / ".mcp.json"
    (environment.cwd / "servers").write_text("{}")
    servers.symlink_to("servers")
    with pytest.raises(RecallError, match=r"\.mcp\.json points to another kind of file") as caught:
        install(bench, site_of(bench, "project"))
    assert "remove the link" in caught.value.hint and (environment.cwd / "servers").read_text() == "{}"
