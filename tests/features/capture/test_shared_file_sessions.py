"""Sessions that share a file with others, and those of editors: captured by hooks, known again, and ignored by name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.capture.archived_sessions import find_archive
from recall_tui.features.hooks.session_end import capture_session
from recall_tui.storage.state.live_sessions import LiveSession
from recall_tui.transcripts.registry import discover_all
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.transcripts.form_samples import SESSIONS, copied_form

READ = [(agent, next(id for id, one in sessions.items() if one)) for agent, sessions in SESSIONS.items()]


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory that takes the sessions of every project."""
    return bench_at(environment, "user")


@pytest.mark.parametrize(("agent", "id"), READ, ids=[agent for agent, _ in READ])
def test_a_hook_that_names_such_a_session_captures_it(bench: Workbench, agent: str, id: str) -> None:
    environment = bench.store.environment
    copied_form(agent, environment.home)
    found = {file.session_id: file for file in discover_all(environment)}
    mark = LiveSession(id, agent=agent, transcript=found[id].path, state="ended")
    done = capture_session(bench.store, mark, most=1 << 20)
    assert done.did in ("captured", "skipped") and done.why != "it has no transcript", done
    assert capture_session(bench.store, mark, most=1).did == "spooled"


def test_a_session_whose_file_moved_is_known_by_its_lines(bench: Workbench) -> None:
    copied_form("goose", bench.store.environment.home)
    first, second = discover_all(bench.store.environment)
    for file in (first, second):
        mark = LiveSession(file.session_id, agent="goose", transcript=file.path, state="ended")
        assert capture_session(bench.store, mark).did == "captured"
    assert find_archive(bench.store, first)
    moved = first.path.parent.rename(first.path.parent.with_name("moved"))
    there = first._replace(path=moved / first.path.name)
    other = second._replace(path=there.path, session_id=second.session_id)
    assert find_archive(bench.store, there)
    assert find_archive(bench.store, other) is None


@pytest.mark.parametrize("agent", SESSIONS)
def test_sessions_that_recall_ignore_names_are_left_alone(environment: Environment, agent: str, tmp_path: Path) -> None:
    home = copied_form(agent, tmp_path / "home")
    project, ids = tmp_path / "proj", [id for id, one in SESSIONS[agent].items() if one]
    files = {file.session_id: file.path for file in discover_all(Environment(home, home, {}))}
    project.mkdir()

    def run(*words: str) -> str:
        env = {"HOME": str(home), "RECALL_STATE": str(tmp_path / "state"), "PATH": "/usr/bin:/bin"}
        line = [sys.executable, "-P", "-m", "recall_tui", "--root", str(project), *words]
        done = subprocess.run(line, cwd=project, env=env, capture_output=True, text=True)
        assert done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stderr
        return done.stdout

    def sessions() -> set[str]:
        run("sync")
        found = set()
        for one in SESSIONS[agent].values():
            word = max((one.first_prompt or "").strip("?").split(), key=len) if one else ""
            found |= {hit["session_id"] for hit in json.loads(run("search", "--json", f"agent:{agent} {word}"))["hits"]}
        return found & set(ids)

    (home / ".claude").mkdir(exist_ok=True)
    ignore = home / ".claude" / ".recall-ignore"
    run("init", "--layout", "entity", "--no-install", "--yes")
    assert sessions() == set(ids)
    holders = {path.with_name(path.name.rpartition("#")[0] or path.name) for path in files.values()}
    ignore.write_text("".join(f"{path}\n" for path in holders))
    assert sessions() == set()
    ignore.write_text(f"{files[ids[0]]}\n")
    assert sessions() == set(ids[1:])
    told = run("archive", "--all-unarchived", "--all-projects", "--json")
    assert ids[0] not in told and all(id in told for id in ids[1:])
    ignore.unlink()
    assert sessions() == set(ids)
