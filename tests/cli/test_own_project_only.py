"""A memory inside a project keeps that project's sessions alone, and what it keeps stays out of commits."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from recall_tui.environment import Environment, claude_project_name
from recall_tui.features.capture.project_extent import describe_projects
from recall_tui.features.transfer import other_projects
from recall_tui.git_repository import tracked_files
from recall_tui.search.query import SearchOptions
from recall_tui.storage.git_exclusion import SHARED_NOTICE
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.hooks import called, said, settled
from tests.makers import records, session_id_of, transcript, tree, write_files, write_transcript
from tests.processes import Machine
from tests.repositories import git, holding, repository, session, uncommitted, with_git
from tests.terminal import read_to_end

OTHERS, OURS = "FOREIGNWORD", "ZEBRAWORD"
URL = "git@github.com:acme/api.git"
IN_PROJECT = ("entity", "project", "hierarchical")
"""Layouts whose memory lies in the repository."""


@pytest.fixture
def repo(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository on a machine on which three agents worked in it and elsewhere, in another clone of it, too."""
    monkeypatch.setenv("HOME", str(environment.home))
    root = repository(environment.home / "work" / "api", URL)
    other = repository(environment.home / "work" / "api-2", URL)
    for number, agent in enumerate(("claude", "codex", "gemini")):
        session(environment, agent, 10 * number + 1, environment.home / "work" / "secret", OTHERS)
        session(environment, agent, 10 * number + 2, other, OTHERS)
        session(environment, agent, 10 * number + 3, root / "src", OURS)
    session(environment, "claude", 40, environment.home, OTHERS)
    session(environment, "claude", 41, environment.home / "work", OTHERS)
    session(environment, "claude", 42, f"{root}-old", OTHERS)
    return root


def machine(environment: Environment, root: Path) -> Machine:
    """Processes that run in the folder, on a memory that is in it."""
    return Machine(Environment(environment.home, root, environment.env), root)


def private(names: set[str], layout: str) -> set[str]:
    """Those of the files that are not meant to be committed."""
    if layout != "project":
        return names
    shared = (
        "_memory/conversations/",
        "_memory/MEMORY.md",
        "_memory/.gitignore",
        "_memory/master.md",
        "_memory/ARCHITECTURE.md",
    )
    return {name for name in names if not name.startswith(shared)}


@pytest.mark.long
@with_git
@pytest.mark.parametrize("layout", IN_PROJECT)
def test_all_that_is_archived_in_a_repository_is_its_own_and_private(
    environment: Environment, repo: Path, layout: str
) -> None:
    run = machine(environment, repo).run
    made = run("init", ".", "--layout", layout)
    assert made.code == 0 and f"{repo}" in made.err.replace("~", str(environment.home))
    assert (SHARED_NOTICE in made.err) == (layout == "project")
    assert private(uncommitted(repo), layout) == set()
    done = run("archive", "--all-unarchived")
    assert done.code == 0 and "sessions of other projects are left out" in done.err
    assert "config join" in done.err and "api-2" in done.err
    assert holding(repo, OTHERS) == []
    assert len([name for name in holding(repo, OURS) if "/conversation" in name]) == 3
    assert private(uncommitted(repo), layout) == set()
    found = run("search", "--ranked", "--json", OTHERS)
    assert OTHERS not in found.out.decode().replace(f'"{OTHERS}"', "")
    told = run("search", "--ranked", "--json", OURS)
    assert OURS in told.out.decode().replace(f'"{OURS}"', "")


@pytest.mark.long
@with_git
@pytest.mark.parametrize(
    "layout", [IN_PROJECT[0], *(pytest.param(name, marks=pytest.mark.long) for name in IN_PROJECT[1:])]
)
def test_no_hook_brings_another_projects_session_in(
    environment: Environment, repo: Path, recall: Recall, layout: str
) -> None:
    assert recall("init", repo, "--layout", layout).code == 0
    if layout == "project":
        assert recall("--root", repo, "config", "set", "capture.auto", "true").code == 0
    where = machine(environment, repo)
    foreign = session(environment, "claude", 90, environment.home / "work" / "secret", OTHERS, turns=8)
    more = {"prompt": f"what did we say about {OTHERS} number 90?", "source": "startup", "trigger": "auto"}
    for event in ("SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact", "Stop", "SessionEnd"):
        told = said(event, foreign.stem, foreign, cwd=str(environment.home / "work" / "secret"), **more)
        answered = called(where, told)
        assert answered.is_sound() and OTHERS.encode() not in answered.out, event
        assert holding(repo, OTHERS) == [], event
    assert settled(where) == set()
    assert holding(repo, OTHERS) == []
    assert private(uncommitted(repo), layout) == set()


@with_git
@pytest.mark.parametrize("words", [["archive-session"], ["checkpoint"]])
def test_no_hook_of_recall_echo_does_either(
    environment: Environment, repo: Path, recall: Recall, words: Sequence[str]
) -> None:
    recall("init", repo)
    own = session(environment, "claude", 91, repo, OURS)
    for path in (session(environment, "codex", 90, environment.home / "work" / "secret", OTHERS), own):
        told = {"session_id": path.stem, "transcript_path": str(path)}
        assert recall("--root", repo, *words, stdin=json.dumps(told)).code == 0
    assert holding(repo, OTHERS) == []
    assert [name for name in holding(repo, OURS) if "conversations/" in name] == [
        "memory/conversations/conversation-001.md"
    ]


@with_git
def test_all_projects_are_taken_when_that_is_said(environment: Environment, repo: Path, recall: Recall) -> None:
    recall("init", repo)
    dry = recall("--root", repo, "archive", "--all-unarchived", "--dry-run")
    assert len(dry.out.splitlines()) == 3 and not list((repo / "memory" / "conversations").iterdir())
    assert (
        len(recall("--root", repo, "archive", "--all-unarchived", "--all-projects", "--dry-run").out.splitlines()) == 12
    )
    assert recall("--root", repo, "archive", "--all-unarchived", "--json").json["other_projects"] == 9
    recall("--root", repo, "archive", "--all-unarchived", "--all-projects")
    assert len(list((repo / "memory" / "conversations").iterdir())) == 12
    assert uncommitted(repo) == set()
    assert recall("--root", repo, "archive", "--all-projects").code == 2


@with_git
def test_a_setting_that_comes_with_a_clone_takes_in_nothing(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    recall("init", repo)
    config = repo / "memory" / ".recall-echo.toml"
    config.write_text('layout = "entity"\n[transcripts]\nprojects = "all"\n', encoding="utf-8")
    recall("--root", repo, "archive", "--all-unarchived")
    assert holding(repo, OTHERS) == []
    assert recall("--root", repo, "config", "trust", "--yes").code == 0
    recall("--root", repo, "archive", "--all-unarchived")
    assert holding(repo, OTHERS)


@with_git
def test_the_shape_of_a_project_does_not_matter(environment: Environment, repo: Path, recall: Recall) -> None:
    home = environment.home
    git(repo, "worktree", "add", "--quiet", str(home / "trees" / "fix"))
    inner = repository(repo / "vendor" / "inner")
    (home / "thesis" / "notes").mkdir(parents=True)
    (home / "thesis" / "pyproject.toml").write_text("")
    (home / "link").symlink_to(repo)
    session(environment, "claude", 70, inner, "INNERWORD")
    session(environment, "claude", 71, home / "thesis" / "notes", "THESISWORD")
    session(environment, "claude", 72, home / "trees" / "fix", "TREEWORD")
    own = {"TREEWORD", OURS}
    everything = {OTHERS, OURS, "INNERWORD", "THESISWORD", "TREEWORD"}
    for root, kept in (
        (repo / "packages" / "web", own),
        (home / "trees" / "fix", own),
        (home / "link" / "docs", own),
        (inner, {"INNERWORD"}),
        (home / "thesis", {"THESISWORD"}),
    ):
        root.mkdir(parents=True, exist_ok=True)
        assert recall("init", root).code == 0
        recall("--root", root, "archive", "--all-unarchived")
        assert {word for word in everything if holding(root, word)} == kept, root
        if root != home / "thesis":
            assert uncommitted(root) - {"vendor/inner/"} == set(), root


@with_git
def test_a_home_folder_that_is_a_repository_is_no_project_of_all_that_lies_in_it(
    environment: Environment, recall: Recall, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = repository(environment.home)
    monkeypatch.setenv("HOME", str(home))
    session(environment, "claude", 1, home / "work" / "secret", OTHERS)
    session(environment, "claude", 2, home, OURS)
    (home / "unpacked" / "_memory").mkdir(parents=True)
    for root, expected in ((home / "unpacked", []), (home, [OURS])):
        recall("init", root, "--layout", "project" if expected == [] else "entity")
        recall("--root", root, "archive", "--all-unarchived")
        base = root / ("_memory" if expected == [] else "memory")
        assert [word for word in (OTHERS, OURS) if holding(base, word)] == expected
    assert not any(name.startswith(("memory/", ".git")) for name in uncommitted(home))
    assert recall("init", home / ".claude", "--no-install").code == 0
    recall("--root", home / ".claude", "archive", "--all-unarchived")
    assert holding(home / ".claude" / "memories", OTHERS) and holding(home / ".claude" / "memories", OURS)
    shown = {name for name in uncommitted(home) if name.startswith(".claude/") and "/projects/" not in name}
    assert shown == {".claude/.recall-echo.toml"}


@with_git
@pytest.mark.parametrize("has_home", [True, False])
def test_a_users_memory_is_never_made_in_a_project(
    environment: Environment, recall: Recall, has_home: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(environment.home))
    repo = repository(environment.cwd)
    if has_home:
        environment.claude.mkdir()
    refused = recall("init", ".", "--layout", "user")
    assert refused.code == 2 and "recall-tui init --layout user" in refused.err
    assert recall("init", ".claude").code == 2
    assert recall("--layout", "user", "archive", "--all-unarchived").code == 1
    assert {path.name for path in repo.iterdir()} == {".git"}
    assert recall("init", "--layout", "user", "--no-install").code == 0
    assert (environment.claude / "memory" / "MEMORY.md").is_file()
    assert {path.name for path in repo.iterdir()} == {".git"} and uncommitted(repo) == set()


@with_git
def test_two_clones_are_joined_by_one_word_for_both(environment: Environment, repo: Path, recall: Recall) -> None:
    clone = environment.home / "work" / "api-2"
    for root in (repo, clone):
        recall("init", root, "--layout", "hierarchical")
    assert recall("--root", repo, "config", "join", clone).code == 0
    assert recall("--root", repo, "undo").code == 0
    assert recall("--root", clone, "config", "join").out == ""
    assert recall("--root", repo, "redo").code == 0
    assert recall("--root", repo, "config", "join").out.split() == [str(clone)]
    assert recall("--root", clone, "config", "join").out.split() == [str(repo)]
    for root in (repo, clone):
        recall("--root", root, "archive", "--all-unarchived")
        assert len(list((root / "memory" / "conversations").iterdir())) == 6
    found = recall("--root", repo, "search", "--ranked", OTHERS, "--json").json["hits"]
    assert {session_id_of(number) for number in (2, 12, 22)} <= {hit["session_id"] for hit in found}
    assert recall("--root", repo, "config", "join", "--not", clone).code == 0
    assert "api-2" not in recall("--root", repo, "archive", "--all-unarchived").err


@with_git
@pytest.mark.parametrize("claim", ["remote", "git file", "core.worktree", "aliases", "link"])
@pytest.mark.parametrize("layout", IN_PROJECT)
def test_a_folder_that_claims_to_be_another_project_takes_nothing(
    environment: Environment, repo: Path, recall: Recall, claim: str, layout: str
) -> None:
    hostile = repository(environment.home / "Downloads" / "x")
    sub = hostile / "sub"
    base = sub / ("_memory" if layout == "project" else "memory")
    base.mkdir(parents=True)
    aliases = f'[transcripts]\naliases = ["{repo}"]\n' if claim == "aliases" else ""
    (base / ".recall-echo.toml").write_text(f'layout = "{layout}"\n{aliases}')
    config = {"remote": f'[remote "origin"]\n\turl = {URL}\n', "core.worktree": f"[core]\n\tworktree = {repo}\n"}
    if claim == "git file":
        (sub / ".git").write_text(f"gitdir: {repo}/.git\n")
    elif claim == "link":
        (sub / ".git").symlink_to(repo / ".git")
    else:
        for name in ("objects", "refs"):
            (sub / name).mkdir()
        (sub / "HEAD").write_text("ref: refs/heads/main\n")
        (sub / "config").write_text(config.get(claim, ""))
    done = recall("--root", sub, "archive", "--all-unarchived")
    assert ("say that they have the same origin; if that is your own copy" in done.err) == (claim == "remote")
    assert holding(hostile, OURS) == holding(hostile, OTHERS) == []
    assert recall("--root", sub, "search", "--ranked", OURS).code == 1


@with_git
def test_what_is_curated_and_committed_already_goes_on_to_be(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    (repo / "memory").mkdir()
    (repo / "memory" / "MEMORY.md").write_text("# Memory\n")
    git(repo, "add", "memory")
    git(repo, "commit", "-qm", "memory")
    recall("init", repo)
    recall("--root", repo, "archive", "--all-unarchived")
    recall("--root", repo, "remember", "Deploys are on Tuesdays", "--topic", "deploys")
    assert uncommitted(repo) == {"memory/.gitignore", "memory/deploys.md"}


@with_git
def test_a_gitignore_that_came_with_the_repository_stays_and_opens_nothing(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    (repo / "memory").mkdir()
    (repo / "memory" / ".gitignore").write_text("# Written by recall-tui: nothing is private\n")
    git(repo, "add", "memory")
    git(repo, "commit", "-qm", "memory")
    exclude = repo / ".git" / "info" / "exclude"
    recall("init", repo)
    recall("--root", repo, "archive", "--all-unarchived")
    assert uncommitted(repo) == {"memory/MEMORY.md"}
    held = exclude.read_text()
    assert held.startswith("# git ls-files") and held.count("/memory/EPHEMERAL.md") == 1
    exclude.write_text(held.replace("/memory/ARCHIVE.md", "#/memory/ARCHIVE.md"))
    recall("--root", repo, "remember", "Deploys are on Tuesdays")
    assert "memory/ARCHIVE.md" in uncommitted(repo) and exclude.read_text().count("/memory/ARCHIVE.md") == 1
    (repo / "memory" / ".gitignore").write_text("!conversations/\n")
    recall("--root", repo, "remember", "Releases are on Mondays")
    assert "\n/conversations\n" in (repo / "memory" / ".gitignore").read_text()
    assert not any(name.startswith("memory/conversations/") for name in uncommitted(repo))


@with_git
def test_no_link_in_a_repository_is_written_through(environment: Environment, repo: Path, recall: Recall) -> None:
    target = environment.home / "precious"
    target.write_text("mine\n")
    (repo / "memory").mkdir()
    exclude = repo / ".git" / "info" / "exclude"
    exclude.unlink()
    for link in (exclude, repo / "memory" / ".gitignore"):
        link.symlink_to(target)
    recall("init", repo, "--layout", "hierarchical")
    recall("--root", repo, "archive", "--all-unarchived")
    assert target.read_text() == "mine\n" and exclude.readlink() == target
    assert "/memory/EPHEMERAL.md" in (repo / ".gitignore").read_text()
    assert uncommitted(repo) == {".gitignore", "memory/.gitignore", "memory/MEMORY.md"}


def _with_others(environment: Environment, repo: Path, recall: Recall, layout: str = "entity") -> None:
    """A memory of an older make, which took in everything."""
    recall("init", repo, "--layout", layout)
    recall("--root", repo, "archive", "--all-unarchived", "--all-projects")
    assert holding(repo, OTHERS)


@pytest.mark.long
@with_git
@pytest.mark.parametrize("has_copies", [False, pytest.param(True, marks=pytest.mark.long)])
def test_sessions_of_other_projects_are_reported_and_moved_out(
    environment: Environment, repo: Path, recall: Recall, has_copies: bool
) -> None:
    _with_others(environment, repo, recall)
    assert recall("init", "--layout", "user", "--no-install").code == 0
    if has_copies:
        assert recall("--root", environment.claude, "archive", "--all-unarchived").code == 0
    before = tree(repo / "memory")
    found = recall("--root", repo, "doctor", "--json").json["problems"]
    (told,) = [one["message"] for one in found if one["kind"] == "projects"]
    assert told.startswith("9 sessions of other projects: 3 of ~/work/api-2, 3 of ~/work/secret")
    assert told.endswith(other_projects.COMMAND)
    dry = recall("--root", repo, "migrate", "--other-projects", "--dry-run")
    assert "9 sessions of other projects would be moved" in dry.err and tree(repo / "memory") == before
    moved = recall("--root", repo, "migrate", "--other-projects", "--yes")
    assert moved.code == 0 and "Moved 9 sessions of other projects to" in moved.err
    assert holding(repo, OTHERS) == [] and len(list((repo / "memory" / "conversations").iterdir())) == 3
    assert "projects" not in {one["kind"] for one in recall("--root", repo, "doctor", "--json").json["problems"]}
    logs = holding(environment.claude / "memories", OTHERS)
    assert len(logs) == 9
    assert "no problem found" in recall("--root", environment.claude, "doctor").out
    assert recall("--root", repo, "undo").code == 0
    assert {name: data for name, data in tree(repo / "memory").items() if not name.startswith(".")} == {
        name: data for name, data in before.items() if not name.startswith(".")
    }


@pytest.mark.long
@with_git
def test_what_the_other_memory_does_not_hold_whole_stays(environment: Environment, repo: Path, recall: Recall) -> None:
    _with_others(environment, repo, recall)
    assert recall("--root", repo, "migrate", "--other-projects", "--yes").code == 1, "there is no memory to move to"
    recall("init", "--layout", "user", "--no-install")
    recall("--root", environment.claude, "archive", "--all-unarchived")
    (name, *_) = holding(repo / "memory" / "conversations", OTHERS)
    noted = repo / "memory" / "conversations" / name
    noted.write_text(noted.read_text() + "\nA note of mine.\n")
    moved = recall("--root", repo, "migrate", "--other-projects", "--yes")
    assert moved.code == 1 and f"memory/conversations/{name} stays" in moved.err
    assert holding(repo / "memory" / "conversations", OTHERS) == [name]
    assert "A note of mine." in noted.read_text()
    again = repo.parent / "own"
    recall("init", again, "--layout", "entity")
    assert recall("--root", repo, "migrate", "--other-projects", "--to", again, "--yes").code == 0
    assert holding(again, "A note of mine.") and not holding(repo, OTHERS)


@pytest.mark.long
@with_git
@pytest.mark.parametrize("has_copies", [False, True])
def test_what_a_person_wrote_about_moved_sessions_is_kept(
    environment: Environment, repo: Path, recall: Recall, has_copies: bool
) -> None:
    _with_others(environment, repo, recall)
    own = repo.parent / "own"
    recall("init", own, "--layout", "entity")
    if has_copies:
        recall("--root", own, "archive", "--all-unarchived", "--all-projects")
    rows, window = repo / "memory" / "ARCHIVE.md", repo / "memory" / "EPHEMERAL.md"
    lines = rows.read_text().split("\n")
    for at, line in enumerate(lines):
        if line.startswith("| 0"):
            cells = line.split(" | ")
            lines[at] = " | ".join([*cells[:3], f"{cells[3]}, harbour", *cells[4:]]) + " mine |"
    rows.write_text("\n".join(lines))
    text = window.read_text()
    window.write_text(text.replace("**Summary**: ", "**Summary**: EDITED "))
    count = window.read_text().count("EDITED")
    assert recall("--root", repo, "migrate", "--other-projects", "--to", own, "--yes").code == 0
    assert count and window.read_text().count("EDITED") == count
    moved = [line for line in (own / "memory" / "ARCHIVE.md").read_text().split("\n") if ", harbour |" in line]
    assert len(moved) == 9 and all(line.endswith(" mine |") for line in moved)
    assert recall("--root", own, "doctor").code == 0
    assert recall("--root", repo, "undo").code == 0 and "EDITED" in window.read_text()


@with_git
def test_doctor_names_what_of_sessions_git_tracks(environment: Environment, repo: Path, recall: Recall) -> None:
    recall("init", repo)
    recall("--root", repo, "archive", "--all-unarchived")
    git(repo, "add", "--force", "memory")
    (told,) = [one for one in recall("--root", repo, "doctor", "--json").json["problems"] if one["kind"] == "tracked"]
    command = told["message"].partition("to stop it: ")[2]
    assert "memory/conversations" in command and "MEMORY.md" not in command
    git(repo, *shlex.split(command)[1:])
    kinds = {one["kind"] for one in recall("--root", repo, "doctor", "--json").json["problems"]}
    assert "tracked" not in kinds and (repo / "memory" / "EPHEMERAL.md").is_file()


@with_git
@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_the_names_in_an_index_of_every_version_are_read(environment: Environment, repo: Path, version: str) -> None:
    names = [
        "a",
        "memory/EPHEMERAL.md",
        "memory/conversations/ä.md",
        "memory/conversations/äb.md",
        "memoryless",
        "z/" + "n" * 200,
    ]
    for name in names:
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(name)
    git(repo, "add", ".")
    git(repo, "update-index", "--index-version", version)
    if version == "3":
        git(repo, "update-index", "--skip-worktree", "memoryless")
    assert tracked_files(repo, repo) == sorted(names)
    assert tracked_files(repo, repo / "memory") == names[1:4]
    data = (repo / ".git" / "index").read_bytes()
    for cut in (0, 11, 40, len(data) // 2):
        (repo / ".git" / "index").write_bytes(data[:cut])
        assert set(tracked_files(repo, repo)) <= set(names) | {"z/"}


@with_git
def test_the_names_in_a_split_index_are_read(environment: Environment, repo: Path) -> None:
    names = ["a", "b", "memory/EPHEMERAL.md"]
    (repo / "memory").mkdir(exist_ok=True)
    for name in names:
        (repo / name).write_text(name)
    git(repo, "add", "--force", *names)
    git(repo, "update-index", "--split-index")
    git(repo, "config", "splitIndex.maxPercentChange", "100")
    (repo / "a").write_text("other")
    (repo / "c").write_text("c")
    git(repo, "add", "--force", "a", "c")
    assert set(tracked_files(repo, repo)) >= {*names, "c"}
    git(repo, "rm", "--cached", "--quiet", "memory/EPHEMERAL.md")
    assert tracked_files(repo, repo / "memory") == []


@with_git
def test_what_an_outer_repository_tracks_stops_archiving_in_one_inside(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    inner = repo / "sub"
    (inner / "memory").mkdir(parents=True)
    (inner / "memory" / "EPHEMERAL.md").write_text("")
    git(repo, "add", "--force", "sub")
    git(inner, "init", "--quiet")
    recall("--layout", "entity", "init", inner, "--no-install", "--yes")
    file = session(environment, "claude", 7, inner, OURS)
    done = recall("--root", inner, "archive", file)
    assert "EPHEMERAL.md" in done.err and holding(inner, OURS) == []


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", ""])
def test_a_folder_that_was_worked_in_gets_a_memory_of_its_own(
    environment: Environment, recall: Recall, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(environment.home))
    thesis = environment.home / "thesis"
    session(environment, "claude", 1, environment.home / "work" / "secret", OTHERS)
    session(environment, "claude", 2, environment.home, OTHERS)
    if agent:
        session(environment, agent, 3, thesis, OURS)
    dry = recall("init", thesis, "--dry-run")
    made = recall("init", thesis)
    for told in (dry.err, made.err):
        assert ("only the sessions held in ~/thesis" if agent else "of every project on this machine") in told
    recall("--root", thesis, "archive", "--all-unarchived")
    assert [word for word in (OTHERS, OURS) if holding(thesis, word)] == ([OURS] if agent else [OTHERS])
    if agent:
        assert recall("--root", thesis, "config", "set", "transcripts.projects", "all").code == 0
        recall("--root", thesis, "archive", "--all-unarchived")
        assert holding(thesis, OTHERS)
    at_home = recall("init", environment.home, "--json").json
    assert at_home["projects"] == "all"


@with_git
def test_a_claude_projects_memory_finds_what_was_said_in_it_alone(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    session(environment, "claude", 95, repo, OURS)
    root = environment.claude / "projects" / claude_project_name(str(repo))
    assert recall("init", root).code == 0
    assert recall("--root", root, "archive", "--all-unarchived").code == 0
    assert holding(root / "memory", OTHERS) == [] and uncommitted(repo) == set()
    found = recall("--root", root, "search", "--ranked", "--json", "number", "part").json["hits"]
    assert {one["session_id"] for one in found} >= {session_id_of(number) for number in (95, 3, 13, 23)}
    assert OTHERS not in json.dumps(found)


@pytest.mark.long
@with_git
def test_on_a_terminal_it_is_asked_once_whether_a_clone_is_the_same_project(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    recall("init", repo, "--layout", "hierarchical")
    third = repository(environment.home / "work" / "api-3", URL)
    session(environment, "claude", 80, third, OTHERS)
    where = machine(environment, repo)
    asked = on_terminal(where, "archive", "--all-unarchived", answers="y\nn\n")
    assert "3 sessions of ~/work/api-2 say that they have the same origin. Are they of this project? [y/N]" in asked
    assert "1 session of ~/work/api-3" in asked
    assert len(list((repo / "memory" / "conversations").iterdir())) == 6
    again = on_terminal(where, "search", "--ranked", OURS, answers="")
    assert "origin" not in again and recall("--root", repo, "config", "join").out.split() == [f"{repo}-2"]
    assert "origin" not in recall("--root", repo, "archive", "--all-unarchived").err


@with_git
def test_a_search_without_an_answer_says_what_could_be_joined(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    recall("init", repo, "--layout", "hierarchical")
    done = recall("--root", repo, "search", "--ranked", OTHERS)
    assert OTHERS not in done.out and "recall-tui config join" in done.err
    recall("--root", repo, "config", "join", f"{repo}-2")
    assert OTHERS in recall("--root", repo, "search", "--ranked", OTHERS).out


@with_git
def test_the_first_summary_in_a_project_says_who_will_read_it(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    recall("init", repo, "--layout", "project")
    for number, is_told in ((3, True), (13, False)):
        done = recall("--root", repo, "summarize", session_id_of(number), "--yes")
        assert done.code == 0 and (SHARED_NOTICE in done.err) == is_told
    assert private(uncommitted(repo), "project") == set()


def on_terminal(machine: Machine, *words: str, answers: str) -> str:
    """What the program shows on a terminal where these answers are typed."""
    main, side = pty.openpty()
    code = "from recall_tui.cli.main import main; main()"
    line = [sys.executable, "-P", "-c", code, "--root", str(machine.root), *words]
    process = subprocess.Popen(line, env=machine.env, cwd=machine.root, stdin=side, stdout=side, stderr=side)
    os.close(side)
    os.write(main, answers.encode())
    text = read_to_end(main)
    assert process.wait() == 0, text
    return " ".join(text.split())


def test_a_folder_that_only_looks_like_an_agents_home_takes_nothing(
    environment: Environment, recall: Recall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(environment.home))
    session(environment, "claude", 1, environment.home / "work" / "secret", OTHERS)
    for root, is_own in (
        (environment.home / "unpacked" / ".claude", False),
        (environment.home / "unpacked" / "x", False),
        (environment.home / ".claude-work", True),
        (environment.claude, True),
    ):
        (root / "memories").mkdir(parents=True)
        (root / ".recall-echo.toml").write_text('layout = "user"\n')
        recall("--root", root, "archive", "--all-unarchived")
        assert bool(holding(root / "memories", OTHERS)) == is_own, root


@with_git
def test_a_transcript_that_is_named_is_taken_and_said_to_be_of_another_project(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    recall("init", repo)
    done = recall("--root", repo, "archive", "--session", session_id_of(1))
    assert done.code == 0 and f"from another project, archived because you named it: {environment.home}" in done.err
    assert "another project" not in recall("--root", repo, "archive", "--session", session_id_of(3)).err
    assert uncommitted(repo) == set()


@pytest.mark.long
@with_git
def test_an_archive_that_came_with_a_repository_names_no_session_of_another_project_its_own(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    recall("init", repo)
    folder = repo / "memory" / "conversations"
    (folder / "conversation-001.md").write_text(
        f'---\nlog: 1\nsession_id: "{session_id_of(1)}"\nsource: "session"\ncwd: "{repo}"\n---\n\n# Conversation 001\n'
    )
    recall("--root", repo, "archive", "--all-unarchived")
    where = machine(environment, repo)
    (path,) = (environment.claude / "projects").rglob(f"{session_id_of(1)}.jsonl")
    assert called(where, said("SessionEnd", path.stem, path, cwd=str(environment.home / "work" / "secret"))).is_sound()
    assert settled(where) == set()
    assert holding(repo, OTHERS) == []
    # One that went on in another folder is the project's all the same.
    own = session(environment, "claude", 60, repo, OURS)
    recall("--root", repo, "archive", "--all-unarchived")
    went_on = session(environment, "claude", 60, environment.home / "moved", "ONWORD", turns=4)
    assert went_on != own
    recall("--root", repo, "archive", "--all-unarchived")
    assert holding(folder, "ONWORD")


@pytest.mark.parametrize("first", [("status",), ("remember", "Deploys are on Tuesdays"), ("init",)])
def test_a_memory_that_came_in_a_folder_takes_that_folders_sessions_alone(
    environment: Environment, recall: Recall, first: Sequence[str]
) -> None:
    root = environment.home / "unpacked"
    session(environment, "claude", 1, environment.home / "work" / "secret", OTHERS)
    session(environment, "claude", 2, root, OURS)
    for name in ("MEMORY.md", "EPHEMERAL.md", "ARCHIVE.md"):
        (root / "memory").mkdir(parents=True, exist_ok=True)
        (root / "memory" / name).write_text("# Memory\n")
    (root / "memory" / ".recall-echo.toml").write_text('layout = "entity"\n[transcripts]\nprojects = "all"\n')
    recall("--root", root, *first) if first != ("init",) else recall("init", root)
    for _ in range(2):
        recall("--root", root, "archive", "--all-unarchived")
        assert holding(root, OTHERS) == [] and holding(root, OURS)
    assert recall("--root", root, "config", "trust", "--yes").code == 0
    recall("--root", root, "archive", "--all-unarchived")
    assert holding(root, OTHERS)


@pytest.mark.parametrize("first", ["archive", "hook", "init"])
@pytest.mark.parametrize(
    ("name", "text"),
    [("conversations/conversation-001.md", "# A talk\n"), (".recall-echo.toml", 'layout = "entity"\n')],
)
def test_any_part_of_a_memory_that_came_in_a_folder_is_one_from_elsewhere(
    environment: Environment, recall: Recall, name: str, text: str, first: str
) -> None:
    root, other = environment.home / "unpacked", environment.home / "work" / "secret"
    transcript = session(environment, "claude", 1, other, OTHERS)
    session(environment, "claude", 2, root, OURS)
    write_files(root / "memory", {name: text})
    if first == "hook":
        called(machine(environment, root), said("SessionEnd", transcript.stem, transcript, cwd=str(other)))
    elif first == "init":
        recall("init", root)
    recall("--root", root, "archive", "--all-unarchived")
    assert holding(root, OTHERS) == [] and holding(root, OURS)


def test_the_memory_in_an_agents_home_takes_every_session_whatever_program_made_it(
    environment: Environment, recall: Recall
) -> None:
    home = environment.home / ".claude"
    session(environment, "claude", 1, environment.home / "work" / "secret", OTHERS)
    write_files(home, {"EPHEMERAL.md": "# Recent\n", "ARCHIVE.md": "# Archive\n", "memory/MEMORY.md": "# Memory\n"})
    recall("--root", home, "archive", "--all-unarchived")
    assert holding(home / "memories", OTHERS)


def test_a_memory_that_was_made_here_goes_on_to_take_every_session(environment: Environment, recall: Recall) -> None:
    root = environment.home / "notes"
    session(environment, "claude", 1, environment.home / "work" / "secret", OTHERS)
    recall("init", root)
    recall("--root", root, "archive", "--all-unarchived")
    assert holding(root, OTHERS)


@pytest.mark.parametrize("origin", ["unpacked", "confirmed", "made here"])
def test_a_prompt_in_a_memory_that_came_in_a_folder_is_answered_from_that_folder_alone(
    environment: Environment, recall: Recall, origin: str
) -> None:
    root, secret = environment.home / "unpacked", environment.home / "work" / "secret"
    talk = [
        ("user", "Why does the ledger importer crash with KeyError tariff_code in parse_ledger?"),
        (
            "assistant",
            "The ledger importer crashed since parse_ledger read tariff_code before the header; it is read first.",
        ),
    ]
    slug = claude_project_name(str(secret))
    for number in (1, 2, 3):
        path = environment.claude / "projects" / slug / f"{session_id_of(number)}.jsonl"
        write_transcript(path, records(session_id_of(number), talk, cwd=str(secret)))
    if origin != "made here":
        write_files(root / "memory", {"MEMORY.md": "# Memory\n", "conversations/conversation-001.md": "# A talk\n"})
    else:
        recall("init", root)
    recall("--root", root, "sync")
    assert ("every project: recall-tui" in recall("--root", root, "doctor").out) == (origin != "made here")
    if origin == "confirmed":
        confirmed = recall("--root", root, "config", "trust", "--yes")
        assert confirmed.code == 0 and "transcripts.projects = 'all" in confirmed.out
        assert "every project: recall-tui" not in recall("--root", root, "doctor").out
        assert "nothing to confirm" in recall("--root", root, "config", "trust", "--yes").err
    bench = Workbench.open(root, environment=environment)
    unasked = bench.search("tariff_code", sync=False, options=SearchOptions(is_unasked=True))
    assert bool(unasked.hits) == (origin != "unpacked")
    assert "tariff_code" in recall("--root", root, "search", "tariff_code", "--ranked").out


def test_archive_and_init_say_whose_sessions_they_are(recall: Recall, environment: Environment) -> None:
    environment.claude.mkdir(parents=True, exist_ok=True)
    for number, folder in enumerate(("api", "api", "web"), 1):
        transcript(
            environment, number, [("user", "why?"), ("assistant", "because")], cwd=str(environment.home / folder)
        )
    said = recall("init", "--no-install")
    assert "found 3 sessions: 2 of ~/api, 1 of ~/web" in said.err
    dry = recall("archive", "--all-unarchived", "--dry-run")
    assert "3 to archive: 2 of ~/api, 1 of ~/web (not done: --dry-run)" in dry.err
    assert recall("sync").code == 0
    named = recall("archive", "--all-unarchived", "--dry-run").out.splitlines()
    assert named[0].startswith("Why? · api · claude · ") and named[1].startswith("  ~/.claude/projects/")
    told = recall("archive", "--all-unarchived", "--dry-run", "--json").json
    assert told["projects"] == {"~/api": 2, "~/web": 1}
    assert "projects: 2 of ~/api, 1 of ~/web" in recall("archive", "--all-unarchived").err


def test_a_secret_in_the_name_of_a_folder_is_not_printed(recall: Recall, environment: Environment) -> None:
    environment.claude.mkdir(parents=True, exist_ok=True)
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9" * 2
    said = [("user", "why?"), ("assistant", "because")]
    transcript(environment, 1, said, cwd=str(environment.home / token / "web"))
    transcript(environment, 2, said, cwd=str(environment.home / "api"))
    for words in (("init", "--no-install"), ("archive", "--all-unarchived", "--dry-run"), ("doctor",), ("status",)):
        answer = recall(*words)
        assert token[:12] not in answer.out + answer.err
    answer = recall("archive", "--all-unarchived")
    assert "1 of ~/[redacted:github-token]/web" in answer.err


def test_many_projects_are_summed_up() -> None:
    counts = [(f"~/{name}", 9 - place) for place, name in enumerate("abcdefg")]
    assert describe_projects(counts) == "9 of ~/a, 8 of ~/b, 7 of ~/c, 6 of ~/d, 5 of ~/e and 7 of 2 other projects"
    assert describe_projects([("", 2)]) == "2 of an unknown project"


def test_what_is_counted_is_the_projects_own(recall: Recall, environment: Environment, repo: Path) -> None:
    assert recall("init", repo, "--no-install").code == 0
    recall("sync", "--root", repo)
    searched = recall("search", OURS, "--root", repo, "--json").json["searched"]
    assert searched["sources"] == 5, "MEMORY.md, EPHEMERAL.md and the project's three sessions"
    health = recall("status", "--root", repo).out
    assert f"5 of 5 sources, {searched['passages']} passages" in health
    found = next(one for one in recall("status", "--root", repo, "--json").json["checks"] if one["name"] == "found")
    assert found["text"] == f"5 of 5 sources are indexed · {searched['passages']} passages"
