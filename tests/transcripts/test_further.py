"""Further folders of transcripts: found by their names at any depth, once, and with no way out of the folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.transcripts import extra_folders
from recall_tui.transcripts.extra_folders import exceeds_folder_limit, find_transcripts
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.registry import discover_all


def written(path: Path, content: str = "{}\n", *, at: int = 1000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    os.utime(path, (at, at))
    return path


def found(environment: Environment, *folders: Path) -> list[TranscriptFile]:
    return find_transcripts(folders, environment, discover_all(environment))


def ids(environment: Environment, *folders: Path) -> list[str]:
    return [file.session_id for file in found(environment, *folders)]


def test_each_file_is_of_the_agent_that_its_name_tells_wherever_it_lies(
    environment: Environment, tmp_path: Path
) -> None:
    box = tmp_path / "box"
    written(box / "export" / "deeper" / "aaaa.jsonl", at=4000)
    written(box / "rollout-2026-03-06T09-00-00-c0de-1.jsonl", at=3000)
    written(box / "old" / "rollout-2026-03-06T09-00-00-c0de-2.jsonl.zst", at=2000)
    written(box / "session-2026-03-06T09-00-9e310000.json", '{"sessionId": "9e310000-0001"}', at=1000)
    for name in ("agent-1.jsonl", "notes.md", "notes.json", "bbbb.jsonl.zst", "history.jsonl", "session_index.jsonl"):
        written(box / name)
    assert [(file.agent, file.session_id) for file in found(environment, box)] == [
        ("gemini", "9e310000-0001"),
        ("codex", "c0de-2"),
        ("codex", "c0de-1"),
        ("claude", "aaaa"),
    ]


def test_the_copied_home_of_another_machine_gives_what_its_agents_would_find(
    environment: Environment, tmp_path: Path
) -> None:
    home = tmp_path / "laptop"
    there = Environment(home=home, cwd=home, env=environment.env)
    project = there.claude / "projects" / "-home-u-api"
    written(project / "aaaa.jsonl")
    written(project / "aaaa" / "subagents" / "agent-1.jsonl")
    written(project / "aaaa" / "subagents" / "workflows" / "journal.jsonl")
    written(there.claude / "history.jsonl")
    day = there.codex / "sessions" / "2026" / "03" / "06"
    written(day / "rollout-2026-03-06T09-00-00-c0de-1.jsonl", at=3000)
    written(day / "rollout-2026-03-06T09-00-00-c0de-1.jsonl.zst")
    chats = there.gemini / "tmp" / "api" / "chats"
    written(chats / "session-1.json", '{"sessionId": "9e31-1"}')
    written(chats / "9e31-1" / "9e31-2.jsonl")
    own_calls = there.gemini / "tmp" / "model"
    written(own_calls / "chats" / "session-2.json", '{"sessionId": "9e31-3"}')
    written(own_calls / ".project_root", str(environment.state / "agent-1" / "model"))
    assert found(environment, home) == discover_all(there) and len(discover_all(there)) == 3


def test_a_file_that_is_reached_twice_counts_once(environment: Environment, tmp_path: Path) -> None:
    own = written(environment.claude / "projects" / "-home-u-api" / "aaaa.jsonl")
    box = tmp_path / "box"
    inner = written(box / "inner" / "bbbb.jsonl")
    os.link(own, box / "cccc.jsonl")
    os.link(inner, box / "dddd.jsonl")
    assert ids(environment, environment.claude, environment.home, box, box / "inner") == ["dddd"]
    assert ids(environment, environment.claude) == []


def test_links_in_a_folder_are_not_followed_and_the_folder_itself_may_be_one(
    environment: Environment, tmp_path: Path
) -> None:
    outside = written(tmp_path / "outside" / "secret.jsonl")
    box = tmp_path / "box"
    written(box / "aaaa.jsonl")
    (box / "folder").symlink_to(outside.parent)
    (box / "file.jsonl").symlink_to(outside)
    (box / "up").symlink_to(box)
    (box / "nowhere.jsonl").symlink_to(box / "nothing")
    (tmp_path / "link").symlink_to(box)
    assert ids(environment, box) == ["aaaa"] and ids(environment, tmp_path / "link") == ["aaaa"]


def test_only_regular_files_are_looked_at_and_what_cannot_be_entered_is_passed_over(
    environment: Environment, tmp_path: Path
) -> None:
    box = tmp_path / "box"
    written(box / "aaaa.jsonl")
    os.mkfifo(box / "session-1.json")
    written(box / "folder.jsonl" / "bbbb.jsonl")
    assert ids(environment, box, tmp_path / "gone", box / "aaaa.jsonl", tmp_path / "a\0b") == ["aaaa", "bbbb"]


def test_what_this_program_keeps_is_no_transcript_of_the_folder_it_lies_in(environment: Environment) -> None:
    written(environment.state / "agent-1" / "aaaa.jsonl")
    written(environment.state.parent / "bbbb.jsonl")
    assert ids(environment, environment.state.parent) == ["bbbb"]


def test_no_more_folders_are_entered_than_are_meant_to_be_the_nearest_first(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        written(folder / f"{folder.name}.jsonl")
        written(folder / "in" / "deeper" / f"{folder.name}-deep.jsonl")
    assert not exceeds_folder_limit((one, two), environment)
    monkeypatch.setattr(extra_folders, "MAX_FOLDERS", 4)
    assert exceeds_folder_limit((one, two), environment)
    assert ids(environment, one, two) == ["one", "two"]
