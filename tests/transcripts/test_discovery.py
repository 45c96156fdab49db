from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import RecallError, UsageError
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.registry import (
    all_readers,
    discover_all,
    find_session,
    own_reader,
    present_readers,
    unreadable_files,
)


def discovered(agent: str, environment: Environment) -> list[TranscriptFile]:
    return list(own_reader(agent).discover(environment))


def session(environment: Environment, name: str, *, project: str = "-home-u-api", at: int = 1000) -> Path:
    path = environment.claude / "projects" / project / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n")
    os.utime(path, (at, at))
    return path


def test_sessions_are_found_oldest_first_and_by_name_within_a_moment(environment: Environment) -> None:
    session(environment, "cccc", at=3000)
    session(environment, "bbbb", at=1000)
    session(environment, "aaaa", at=1000, project="-home-u-web")
    session(environment, "agent-1")
    session(environment, "deep", project="-home-u-api/cccc/subagents")
    (environment.claude / "projects" / "-home-u-api" / "folder.jsonl").mkdir()
    (environment.claude / "projects" / "notes.jsonl").write_text("{}")
    found = discovered("claude", environment)
    assert [file.session_id for file in found] == ["bbbb", "aaaa", "cccc"]
    assert (found[0].agent, found[0].size, found[0].modified.timestamp()) == ("claude", 3, 1000)
    assert found[0].modified.tzinfo is not None


def test_no_folder_means_no_sessions(environment: Environment) -> None:
    assert discovered("claude", environment) == []


def test_links_make_no_session_twice_and_no_endless_walk(environment: Environment) -> None:
    session(environment, "aaaa")
    projects = environment.claude / "projects"
    (projects / "-a-link").symlink_to(projects / "-home-u-api")
    (projects / "-home-u-api" / "loop").symlink_to(projects)
    (projects / "-home-u-api" / "dangling.jsonl").symlink_to(projects / "nowhere")
    assert [file.path.parent.name for file in discovered("claude", environment)] == ["-home-u-api"]


def test_what_bears_the_name_of_a_transcript_and_cannot_be_one_is_told(environment: Environment) -> None:
    healthy = session(environment, "aaaa")
    claude, codex = healthy.parent, environment.codex / "sessions" / "2026" / "03" / "06"
    (claude / "folder.jsonl").mkdir()
    (claude / "link.jsonl").symlink_to(claude / "nowhere")
    (claude / "good-link.jsonl").symlink_to(healthy)
    (claude / "loop.jsonl").symlink_to(claude / "loop.jsonl")
    os.mkfifo(claude / "pipe.jsonl")
    codex.mkdir(parents=True)
    (codex / "rollout-2026-03-06T12-00-00-beef.jsonl").mkdir()
    found = [(file.agent, file.session_id) for file in unreadable_files(environment)]
    assert found == [("claude", "folder"), ("claude", "link"), ("claude", "loop"), ("codex", "beef")]
    assert [file.session_id for file in discover_all(environment)] == ["aaaa"]


def test_a_reader_discovers_what_the_folder_holds(environment: Environment) -> None:
    session(environment, "aaaa")
    found = {reader.agent: [file.session_id for file in reader.discover(environment)] for reader in all_readers()}
    assert found.pop("claude") == ["aaaa"]
    assert not any(found.values())


def test_only_readers_of_agents_that_have_a_folder_are_asked(environment: Environment) -> None:
    assert [reader.agent for reader in present_readers(environment)] == []
    session(environment, "aaaa")
    (environment.qwen / "projects").mkdir(parents=True)
    environment.codex.write_text("no folder")
    assert [reader.agent for reader in present_readers(environment)] == ["claude", "qwen"]


def rollout(environment: Environment, name: str, *, folder: str = "sessions/2026/03/06", at: int = 1000) -> Path:
    return written(environment.codex / folder / name, "{}\n", at)


def chat(environment: Environment, name: str, session_id: str, *, project: str = "api", at: int = 1000) -> Path:
    return written(environment.gemini / "tmp" / project / "chats" / name, f'{{"sessionId": "{session_id}"}}\n', at)


def written(path: Path, content: str, at: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    os.utime(path, (at, at))
    return path


_COUNTING = """
import os, sys
from pathlib import Path
from recall_tui.environment import Environment
from recall_tui.transcripts.registry import discover_all

asked, stat = [], os.stat
def counted(path, *given, **named):
    asked.append(path)
    return stat(path, *given, **named)
os.stat = counted
home = Path(sys.argv[1])
found = discover_all(Environment(home, home, {}))
os.stat = stat
package = "recall_tui.transcripts."
loaded = {name.removeprefix(package).partition(".")[0] for name in sys.modules if name.endswith(".reader")}
print(len(found), len([one for one in asked if str(one).startswith(str(home))]), *sorted(loaded - {"recall_tui"}))
"""


def test_an_agent_that_is_not_there_costs_a_look_at_its_folder_and_no_module(tmp_path: Path) -> None:
    session = tmp_path / ".claude" / "projects" / "-home-u-api" / "aaaa.jsonl"
    session.parent.mkdir(parents=True)
    session.write_text("{}\n")
    done = subprocess.run([sys.executable, "-c", _COUNTING, str(tmp_path)], capture_output=True, text=True, check=True)
    found, looks, *loaded = done.stdout.split()
    assert (found, loaded) == ("1", ["claude", "reader"])
    # Fifteen agents, ten folders of editors, which four more share, and one session.
    assert int(looks) <= 30


def test_rollouts_are_found_by_day_and_in_the_archive_the_plain_one_of_two(environment: Environment) -> None:
    rollout(environment, "rollout-2026-03-06T09-00-00-c0de-1.jsonl", at=3000)
    rollout(environment, "rollout-2026-03-06T09-00-00-c0de-1.jsonl.zst")
    rollout(environment, "rollout-2026-03-07T09-00-00-c0de-2.jsonl.zst", folder="sessions/2026/03/07", at=2000)
    rollout(environment, "rollout-2026-01-01T09-00-00-c0de-3.jsonl", folder="archived_sessions")
    rollout(environment, "notes.jsonl")
    rollout(environment, "rollout-2026-03-06T09-00-00-c0de-4.jsonl", folder="sessions/2026/03/06/deeper")
    found = discovered("codex", environment)
    assert [file.session_id for file in found] == ["c0de-3", "c0de-2", "c0de-1"]
    assert {file.agent for file in found} == {"codex"}
    assert found[-1].path.suffix == ".jsonl"


def test_chats_are_found_by_the_session_inside_which_their_name_cuts(environment: Environment) -> None:
    chat(environment, "session-2026-03-06T09-00-9e310000.json", "9e310000-0001", at=2000)
    chat(environment, "session-2026-03-06T09-00-9e310001.jsonl", "9e310001-0001", project="00ff")
    chat(environment, "notes.json", "9e310002-0001")
    chat(environment, "9e310000-0001/9e310003.jsonl", "9e310003-0001")
    found = discovered("gemini", environment)
    assert [file.session_id for file in found] == ["9e310001-0001", "9e310000-0001"]
    assert {file.agent for file in found} == {"gemini"}


def test_chats_of_the_calls_that_we_make_ourselves_are_none(environment: Environment) -> None:
    chat(environment, "session-1.json", "9e310000-0001", project="model")
    root = written(
        environment.gemini / "tmp" / "model" / ".project_root", f"{environment.state / 'agent-1' / 'model'}\n", 1000
    )
    assert discovered("gemini", environment) == []
    root.write_text(f"{environment.cwd}\n")
    assert [file.session_id for file in discovered("gemini", environment)] == ["9e310000-0001"]


def test_nothing_but_regular_files_is_opened(environment: Environment) -> None:
    pipe = environment.gemini / "tmp" / "api" / "chats" / "session-1.json"
    pipe.parent.mkdir(parents=True)
    os.mkfifo(pipe)
    assert discovered("gemini", environment) == []


def test_all_agents_are_discovered_together_oldest_first(environment: Environment) -> None:
    session(environment, "aaaa", at=2000)
    rollout(environment, "rollout-2026-03-06T09-00-00-c0de-1.jsonl", at=3000)
    path = chat(environment, "session-1.json", "9e31-1", at=1000)
    assert [file.agent for file in discover_all(environment)] == ["gemini", "claude", "codex"]
    assert find_session(environment, "9e31-1") == path


def test_the_agents_own_variables_move_their_folders(environment: Environment, tmp_path: Path) -> None:
    moved = environment._replace(env={"CODEX_HOME": str(tmp_path / "cx"), "GEMINI_CLI_HOME": str(tmp_path / "gm")})
    assert (moved.codex, moved.gemini) == (tmp_path / "cx", tmp_path / "gm" / ".gemini")
    rollout(moved, "rollout-2026-03-06T09-00-00-c0de-1.jsonl")
    chat(moved, "session-1.json", "9e31-1")
    assert [file.agent for file in discover_all(moved)] == ["codex", "gemini"]
    assert discover_all(environment) == []


def test_a_session_is_found_by_its_id_or_the_start_of_it(environment: Environment) -> None:
    path = session(environment, "5e551011-0000-4000-8000-000000000001")
    session(environment, "5e559999-0000-4000-8000-000000000001")
    assert find_session(environment, "5e551011-0000-4000-8000-000000000001") == path
    assert find_session(environment, " 5E551 ") == path
    assert find_session(environment, "0000") is None


def test_a_start_that_several_sessions_share_names_them(environment: Environment) -> None:
    session(environment, "5e551011-a")
    session(environment, "5e551011-b")
    with pytest.raises(RecallError, match=r"5e551011-a, 5e551011-b"):
        find_session(environment, "5e55")


def test_a_start_that_is_too_short_is_refused_and_a_short_id_is_not(environment: Environment) -> None:
    path = session(environment, "abc")
    session(environment, "abcdef")
    assert find_session(environment, "abc") == path
    with pytest.raises(UsageError):
        find_session(environment, "ab")


def test_a_session_in_two_folders_is_the_newer_file(environment: Environment) -> None:
    session(environment, "aaaa-1", at=1000)
    newer = session(environment, "aaaa-1", at=2000, project="-home-u-moved")
    assert find_session(environment, "aaaa") == newer


def test_the_folder_is_found_in_the_first_piece_and_behind_it(tmp_path: Path) -> None:
    reader = own_reader("claude")
    for before in (0, 8100, 8192, 9000, 200_000):
        path = tmp_path / f"{before}.jsonl"
        filler = json.dumps({"type": "summary", "summary": "x" * before}) + "\n" if before else ""
        path.write_text(filler + json.dumps({"type": "user", "cwd": "/home/u/api"}) + "\n", encoding="utf-8")
        assert reader.read_folder(path) == "/home/u/api"
