"""A repository as its files show it, held against what git itself says of it, and what leads elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recall_tui.features.summaries.git_state import read_git
from tests.summaries import git


@pytest.fixture
def top(tmp_path: Path) -> Path:
    folder = tmp_path / "top"
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


def commit(folder: Path, subject: str) -> None:
    git(folder, "commit", "-q", "--allow-empty", "-m", subject)


def subjects(folder: Path) -> list[str]:
    found = read_git(folder)
    assert found is not None
    return [one.partition(" ")[2] for one in found.commits]


def log_of(folder: Path) -> list[str]:
    return git(folder, "log", "--format=%s").splitlines()


def test_branch_and_commits_are_those_that_git_names(top: Path) -> None:
    for number in range(25):
        commit(top, f"number {number}")
    (top / "deep" / "er").mkdir(parents=True)
    for folder in (top, top / "deep" / "er"):
        found = read_git(folder)
        assert found is not None and found.branch == "main" and found.branches == {"main"}
        assert found.words == "On branch main."
        assert list(found.commits) == git(top, "log", "-20", "--format=%h %s").splitlines()


def test_a_repository_without_a_commit_has_a_branch(top: Path) -> None:
    found = read_git(top)
    assert found is not None and (found.branch, found.branches, found.commits) == ("main", frozenset(), ())


def test_branches_are_known_loose_packed_and_of_remotes(top: Path, tmp_path: Path) -> None:
    commit(top, "start")
    git(top, "branch", "feature/one")
    git(top, "branch", "feature/two")
    git(tmp_path, "clone", "-q", str(top), "clone")
    clone = tmp_path / "clone"
    git(clone, "branch", "mine")
    for _ in range(2):
        found = read_git(clone)
        assert found is not None and found.branches is not None
        named = ("origin/main", "origin/feature/one", "feature/two", "main", "mine", "HEAD", "origin/HEAD")
        assert found.branches == {*named, "origin/feature/two", "feature/one"}
        git(clone, "pack-refs", "--all")
    git(clone, "checkout", "-q", "--detach")
    found = read_git(clone)
    assert found is not None and found.branch == "" and found.words == "No branch is checked out."


def test_what_was_amended_reset_or_left_on_another_branch_is_not_among_the_commits(top: Path) -> None:
    commit(top, "start")
    commit(top, "wrng")
    git(top, "commit", "-q", "--allow-empty", "--amend", "-m", "wrong, mended")
    commit(top, "mistake")
    git(top, "reset", "-q", "--hard", "HEAD~1")
    git(top, "checkout", "-qb", "aside")
    commit(top, "aside")
    git(top, "checkout", "-q", "main")
    assert subjects(top) == log_of(top) == ["wrong, mended", "start"]
    git(top, "merge", "-q", "aside")
    commit(top, "after")
    assert subjects(top) == log_of(top) == ["after", "aside", "wrong, mended", "start"]
    git(top, "checkout", "-qb", "old", "HEAD~2")
    (top / "file").touch()
    git(top, "add", "file")
    git(top, "commit", "-qm", "moved")
    git(top, "rebase", "-q", "main")
    assert subjects(top) == log_of(top) == ["moved", "after", "aside", "wrong, mended", "start"]


def test_a_work_tree_of_its_own_has_its_own_branch(top: Path, tmp_path: Path) -> None:
    commit(top, "start")
    git(top, "worktree", "add", "-q", "-b", "other", str(tmp_path / "beside"))
    commit(tmp_path / "beside", "there")
    found = read_git(tmp_path / "beside")
    assert found is not None and found.branch == "other" and found.branches == {"main", "other"}
    assert subjects(tmp_path / "beside") == ["there"] and subjects(top) == ["start"]


@pytest.mark.parametrize("kind", ["link", "file", "file of a work tree", "pipe", "link to a file", "bare"])
def test_a_git_folder_that_leads_to_anothers_is_none(top: Path, tmp_path: Path, kind: str) -> None:
    commit(top, "a private subject")
    git(top, "worktree", "add", "-q", str(tmp_path / "beside"))
    evil = tmp_path / "evil"
    evil.mkdir()
    match kind:
        case "link":
            (evil / ".git").symlink_to(top / ".git")
        case "file":
            (evil / ".git").write_text(f"gitdir: {top}/.git\n")
        case "file of a work tree":
            (evil / ".git").write_text(f"gitdir: {top}/.git/worktrees/beside\n")
        case "link to a file":
            (evil / ".git").symlink_to(tmp_path / "beside" / ".git")
        case "pipe":
            os.mkfifo(evil / ".git")
        case _:
            git(tmp_path, "clone", "-q", "--bare", str(top), "bare")
            (tmp_path / "bare").rename(evil / "bare")
            evil = evil / "bare"
    assert read_git(evil) is None


@pytest.mark.parametrize("name", ["HEAD", "packed-refs", "logs", "logs/HEAD", "refs", "refs/heads"])
@pytest.mark.parametrize("kind", ["link", "pipe", "device", "folder"])
def test_what_is_no_file_of_the_repository_says_nothing(top: Path, tmp_path: Path, name: str, kind: str) -> None:
    commit(top, "a private subject")
    git(top, "branch", "private")
    evil = tmp_path / "evil"
    evil.mkdir()
    git(evil, "init", "-q", "-b", "theirs")
    git(top, "pack-refs")
    path = evil / ".git" / name
    if path.is_dir():
        path.rename(tmp_path / "was")
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(top / ".git" / name if kind == "link" else "/dev/zero")
    found = read_git(evil)
    assert found is not None and found.commits == () and found.branch in ("theirs", "")
    assert found.branches == frozenset()


@pytest.mark.parametrize("line", ["\x00", "a" * 40, f"{'a' * 40} {'b' * 40} A <a> 1 +0000\tcommit", "\t\t\t", "é" * 99])
def test_a_log_that_makes_no_sense_has_no_commits(top: Path, line: str) -> None:
    commit(top, "start")
    (top / ".git" / "logs" / "HEAD").write_text(f"{line}\n" * 1_000)
    assert subjects(top) == []


def test_a_subject_is_plain_text_of_one_line(top: Path) -> None:
    old, new = "0" * 40, "a" * 40
    (top / ".git" / "logs").mkdir(exist_ok=True)
    (top / ".git" / "logs" / "HEAD").write_text(f"{old} {new} A <a> 1 +0000\tcommit: \x1b[31mred\u2028{'x' * 500}\n")
    (subject,) = subjects(top)
    assert subject.startswith("red x") and subject.endswith("…") and len(subject) == 110


def test_more_branches_than_are_read_are_not_known(top: Path) -> None:
    commit(top, "start")
    heads = top / ".git" / "refs" / "heads"
    for folder in range(51):
        (heads / str(folder)).mkdir()
        for number in range(100):
            (heads / str(folder) / str(number)).touch()
    found = read_git(top)
    assert found is not None and found.branch == "main" and found.branches is None
