"""A session goes on in the folder that its own transcript names, by a program that PATH names in full."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from recall_tui.domain import SkippedResult
from recall_tui.environment import Places
from recall_tui.features.documents.resume import ResumeCommand, find_resume_command
from recall_tui.storage.memory_context import Store
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript

TALK = [("user", "Why?"), ("assistant", "Because.")]


@pytest.fixture
def bench(places: Places) -> Workbench:
    bench = bench_at(places)
    transcript(places, 1, TALK, cwd=str(places.cwd))
    return bench


def with_path(store: Store, path: str) -> Store:
    return replace(store, places=replace(store.places, env={**store.places.env, "PATH": path}))


def program_in(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "claude").touch(0o755)
    return folder


def archived(bench: Workbench, cwd: Path) -> str:
    head = f"---\nsession_id: {session_id_of(1)}\nagent: claude\ncwd: {json.dumps(str(cwd))}\n---\n\n# Talk\n"
    path = bench.layout.archives[0].folder / "conversation-001.md"
    path.write_text(head, encoding="utf-8")
    return "1"


def test_the_folder_is_the_one_that_the_transcript_names(bench: Workbench, places: Places, tmp_path: Path) -> None:
    store = with_path(bench.store, str(program_in(tmp_path / "bin")))
    found = find_resume_command(store, bench.document(archived(bench, places.cwd)))
    assert isinstance(found, ResumeCommand) and found.folder == places.cwd
    assert found.words == (str(tmp_path / "bin" / "claude"), "--resume", session_id_of(1))


def test_an_archive_chooses_no_other_folder(bench: Workbench, tmp_path: Path) -> None:
    store = with_path(bench.store, str(program_in(tmp_path / "bin")))
    (tmp_path / "evil").mkdir()
    said = find_resume_command(store, bench.document(archived(bench, tmp_path / "evil")))
    assert isinstance(said, SkippedResult) and "does not name its folder" in said.reason


@pytest.mark.parametrize("path", [".", "", "bin", ":", "bin:.:"])
def test_a_program_in_the_folder_where_one_stands_is_not_taken(
    bench: Workbench, places: Places, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(places.cwd)
    program_in(places.cwd)
    program_in(places.cwd / "bin")
    said = find_resume_command(with_path(bench.store, path), bench.document(archived(bench, places.cwd)))
    assert isinstance(said, SkippedResult) and "not installed" in said.reason
