"""`init` as a person calls it: into which agents it goes and where, what it says of the design, and what it refuses."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall, Stand
from tests.makers import bench_at, tree, write_files
from tests.repositories import repository, with_git

SESSIONS = {
    "entity": "EPHEMERAL.md what the last ones did; each session gets an archive.",
    "user": "EPHEMERAL.md what the last session did; each session is logged in memories/.",
    "project": "a session has a page in _memory/conversations/ once it is summarized.",
    "hierarchical": "each session gets an archive.",
    "claude-project": "each session is kept as its transcript, with a row in ARCHIVE.md.",
}


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_an_agent_of_projects_alone_is_a_target_in_every_layout(
    recall: Recall, environment: Environment, name: str
) -> None:
    said = recall("init", "--layout", name, "--target", "agents-md", "--yes")
    rule = environment.cwd / "AGENTS.md"
    assert said.code == 0 and rule.is_file(), said.err
    assert f"✓ added    rules {rule}" in said.out
    assert SESSIONS[name] in said.err
    again = recall("uninstall", "agents-md", "--yes", "--layout", name)
    assert again.code == 0 and not rule.exists()
    assert recall("install", "agents-md", "--yes", "--layout", name).code == 0 and rule.is_file()


def test_the_summary_names_everything_that_was_put_into_the_agent(recall: Recall, environment: Environment) -> None:
    said = recall("init", environment.cwd, "--target", "claude", "--yes")
    for what in ("rules", "hooks", "skill", "/summarize", "/synthesize", "sub-agent"):
        assert f"✓ added    {what} {environment.claude}" in said.out


def test_the_scope_says_where_it_is_installed(recall: Recall, environment: Environment) -> None:
    said = recall("init", environment.cwd, "--target", "claude", "--scope", "project", "--yes")
    assert said.code == 0 and (environment.cwd / ".claude" / "rules" / "recall-echo.md").is_file()
    assert tree(environment.claude) == {}
    refused = recall("init", environment.cwd, "--target", "agents-md", "--scope", "user")
    assert refused.code == 2 and "say: --scope project" in refused.err
    alone = recall("init", environment.cwd, "--scope", "project")
    assert alone.code == 2 and "--target claude" in alone.err


@pytest.mark.parametrize("name", LAYOUT_NAMES)
@pytest.mark.parametrize("is_dry", [False, True])
@pytest.mark.parametrize("trouble", ["unknown", "broken", "second", "read-only"])
def test_what_cannot_be_installed_is_found_before_anything_is_made(
    recall: Recall, environment: Environment, name: str, trouble: str, is_dry: bool
) -> None:
    settings = environment.claude / "settings.json"
    if name in ("project", "hierarchical", "claude-project"):
        settings = environment.cwd / ".claude" / "settings.local.json"
    settings.parent.mkdir(parents=True)
    settings.write_text("{}\n" if trouble != "broken" else "{broken\n")
    settings.chmod(0o400 if trouble == "read-only" else 0o600)
    targets = {"unknown": ("nosuch",), "second": ("claude", "nosuch")}.get(trouble, ("claude",))
    words = [word for target in targets for word in ("--target", target)]
    before = tree(environment.home), tree(environment.cwd)
    said = recall("init", "--layout", name, *words, "--yes", *(["--dry-run"] if is_dry else []))
    assert said.code == (2 if "nosuch" in targets else 1), (said.out, said.err)
    assert ("unknown agent: nosuch" in said.err) if "nosuch" in targets else ("nothing was changed" in said.err)
    assert (tree(environment.home), tree(environment.cwd)) == before
    folders = [
        path for path in (*environment.cwd.rglob("*memory"), *environment.home.rglob("*memory")) if path.is_dir()
    ]
    assert folders == [] and said.out == ""


def test_a_broken_file_of_the_usual_target_is_found_before_anything_too(
    recall: Recall, environment: Environment
) -> None:
    environment.claude.mkdir()
    (environment.claude / "settings.json").write_text("[]\n")
    assert recall("init", "--yes").code == 1
    assert [path.name for path in environment.claude.iterdir()] == ["settings.json"]
    assert recall("init", "--no-install").code == 0


def test_a_file_of_the_memory_stays_where_init_is_refused(
    recall: Recall, environment: Environment, tmp_path: Path
) -> None:
    assert recall("init", tmp_path / "agent", "--target", "nosuch").code == 2
    assert not (tmp_path / "agent").exists()


def test_places_in_json_settings_are_used_from_the_first_command_on(recall: Recall, environment: Environment) -> None:
    write_files(environment.claude, {".recall-echo.json": '{"paths": {"memory": "m/MEM.md", "memories": "logs"}}'})
    write_files(environment.claude, {"m/MEM.md": "# Memory\n\n- heron\n"})
    shown = recall("status")
    assert shown.code == 0 and f"memory      {environment.claude}\n" in shown.out
    assert "heron" in recall("show", "memory").out
    assert recall("init", "--no-install").code == 0 and recall("remember", "a second fact").code == 0
    assert "a second fact" in (environment.claude / "m/MEM.md").read_text()
    assert (environment.claude / "logs").is_dir() and not (environment.claude / "memory" / "MEMORY.md").exists()


def test_places_that_begin_with_the_home_folder_are_there_once_confirmed(
    recall: Recall, environment: Environment
) -> None:
    write_files(environment.claude, {".recall-echo.json": '{"paths": {"memory": "~/notes/MEM.md"}}'})
    write_files(environment.home, {"notes/MEM.md": "# Memory\n"})
    refused = recall("remember", "a fact")
    assert refused.code == 1 and f"points to {environment.home}/notes/MEM.md" in refused.err
    assert recall("config", "trust", "--yes").code == 0 and recall("remember", "a fact").code == 0
    assert "a fact" in (environment.home / "notes/MEM.md").read_text()
    assert not (environment.claude / "~").exists()


@pytest.mark.parametrize("command", ["status", "dashboard"])
def test_a_memory_that_is_missing_is_reported_as_json_too(
    recall: Recall, environment: Environment, tmp_path: Path, command: str
) -> None:
    for words in ((command, str(tmp_path / "nowhere")), (command,)):
        said = recall(*words, "--json")
        assert said.code == 1 and said.err == ""
        assert said.json["health"] == "down" and "holds no memory" in "".join(said.json["reasons"]).replace(
            "no memory found", "holds no memory"
        )
        assert "run: recall-tui init" in said.json["reasons"][0]
    assert recall(command).code == 1 and recall(command).out == ""
    bench_at(environment)
    shutil.rmtree(environment.cwd / "memory")
    (environment.cwd / "memory").mkdir()
    (environment.cwd / "memory" / ".recall-echo.toml").write_text('layout = "entity"\n')
    assert recall(command, "--json").json["layout"] == "entity"


def test_a_diff_names_files_from_the_memory_on_and_others_from_home_on(
    recall: Recall, environment: Environment
) -> None:
    environment.claude.mkdir()
    root = environment.home / "notes"
    said = recall("init", root, "--target", "claude", "--scope", "user", "--dry-run")
    heads = [line.removeprefix("+++ b/") for line in said.out.splitlines() if line.startswith("+++ b/")]
    assert "memory/MEMORY.md" in heads and "~/.claude/rules/recall-echo.md" in heads
    assert not any(str(environment.home).lstrip("/") in head for head in heads)


@with_git
@pytest.mark.parametrize("name", [None, *LAYOUT_NAMES])
def test_in_a_subfolder_of_a_repository_the_memory_is_found_where_its_hooks_are(
    stand: Stand, environment: Environment, name: str | None
) -> None:
    shop = repository(environment.home / "work" / "shop")
    src = shop / "src"
    src.mkdir()
    layout = ("--layout", name) if name else ()
    assert stand(src, "init", *layout, "--no-install").code == 0
    assert stand(src, "install", "claude", "--yes").code == 0
    assert list(src.iterdir()) == []
    roots = [stand(folder, "status", "--json").out for folder in (shop, src)]
    assert len({json.loads(said)["root"] for said in roots}) == 1
    assert stand(src, "init", "--no-install").code == 0 and list(src.iterdir()) == []
