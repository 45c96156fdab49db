"""A session goes on in the folder that its own transcript names, by a program that PATH names in full."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.domain import SkippedResult
from recall_tui.environment import Environment
from recall_tui.features.documents.resume import ResumeCommand, find_resume_command
from recall_tui.storage.memory_context import Store
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript

TALK = [("user", "Why?"), ("assistant", "Because.")]


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    bench = bench_at(environment)
    transcript(environment, 1, TALK, cwd=str(environment.cwd))
    return bench


def with_path(store: Store, path: str) -> Store:
    return store._replace(environment=store.environment._replace(env={**store.environment.env, "PATH": path}))


def program_in(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "claude").touch(0o755)
    return folder


def archived(bench: Workbench, cwd: Path) -> str:
    head = f"---\nsession_id: {session_id_of(1)}\nagent: claude\ncwd: {json.dumps(str(cwd))}\n---\n\n# Talk\n"
    path = bench.layout.archives[0].folder / "conversation-001.md"
    path.write_text(head, encoding="utf-8")
    return "1"


def test_the_folder_is_the_one_that_the_transcript_names(
    bench: Workbench, environment: Environment, tmp_path: Path
) -> None:
    store = with_path(bench.store, str(program_in(tmp_path / "bin")))
    found = find_resume_command(store, bench.document(archived(bench, environment.cwd)))
    assert isinstance(found, ResumeCommand) and found.folder == environment.cwd
    assert found.words == (str(tmp_path / "bin" / "claude"), "--resume", session_id_of(1))


def test_an_archive_chooses_no_other_folder(bench: Workbench, tmp_path: Path) -> None:
    store = with_path(bench.store, str(program_in(tmp_path / "bin")))
    (tmp_path / "evil").mkdir()
    said = find_resume_command(store, bench.document(archived(bench, tmp_path / "evil")))
    assert isinstance(said, SkippedResult) and "does not name its folder" in said.reason


@pytest.mark.parametrize("path", [".", "", "bin", ":", "bin:.:"])
def test_a_program_in_the_folder_where_one_stands_is_not_taken(
    bench: Workbench, environment: Environment, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(environment.cwd)
    program_in(environment.cwd)
    program_in(environment.cwd / "bin")
    said = find_resume_command(with_path(bench.store, path), bench.document(archived(bench, environment.cwd)))
    assert isinstance(said, SkippedResult) and "not installed" in said.reason
