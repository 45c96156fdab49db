"""A session of every agent that is read is archived, found, shown, gone on with and forgotten by the real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.features.documents.resume import ResumeCommand, find_resume_command
from recall_tui.transcripts.registry import own_reader
from recall_tui.workbench import Workbench
from tests.makers import tree
from tests.transcripts.agent_samples import HOMES, NEEDS_SAMPLES, READ, WORKED_IN, copied_home, main_sessions

pytestmark = NEEDS_SAMPLES
WORD = "zanzibarquux"
RESUMED = {
    "claude": "--resume {id}",
    "codex": "resume {id}",
    "qwen": "--resume {id}",
    "droid": "--resume {id}",
    "copilot": "--resume={id}",
    "pi": "--session {id}",
    "kimi": "--session {id}",
    "opencode": "--session {id}",
    "kilo": "--session {id}",
    "cline": "--id {id}",
    "continue": "--fork {id}",
    "aider": "--restore-chat-history",
}
"""How each agent goes on with a session; that of Gemini CLI does not tell the folder, so it is of no project."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A fresh home with the sessions of one agent."""

    home: Path
    project: Path
    state: Path

    @property
    def env(self) -> dict[str, str]:
        programs = self.home / "bin"
        return {"HOME": str(self.home), "RECALL_STATE": str(self.state), "PATH": f"{programs}:{os.environ['PATH']}"}

    def program(self, agent: str) -> Path:
        """Where the agent's program is."""
        return self.home / "bin" / (own_reader(agent).program or agent)

    def sessions(self, agent: str) -> dict[str, dict[str, Any]]:
        """What was counted in each session, by its id; Aider's bear one that their folder is part of."""
        environment = Environment(self.home, self.project, self.env)
        if agent == "aider":
            found = own_reader(agent).discover(environment)
            return {file.session_id: one for file, one in zip(found, main_sessions(agent), strict=True)}
        return {one["id"]: one for one in main_sessions(agent)}

    def run(self, *words: str, code: int = 0) -> str:
        """Call the command in the project and return its output; `code` is one that is no failure either."""
        command = [sys.executable, "-m", "recall_tui", "--root", str(self.project), *words]
        done = subprocess.run(command, cwd=self.project, env=self.env, capture_output=True, text=True)
        assert done.returncode in (0, code), done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    def archive(self) -> list[str]:
        """Archive all that is not yet, and return what was done to each session that is none of a sub-agent."""
        lines = self.run("archive", "--all-unarchived", "--all-projects").splitlines()
        return [line for line in lines if "sub-agent" not in line]

    def documents(self) -> list[dict[str, Any]]:
        """The archives there are."""
        found = json.loads(self.run("list", "--json"))["documents"]
        return [one for one in found if one["kind"] == "conversation"]

    def hits(self, *words: str) -> list[dict[str, Any]]:
        """What a search of transcripts and archives finds."""
        found: list[dict[str, Any]] = json.loads(self.run("search", "--json", *words, code=1))["hits"]
        return found


@pytest.fixture
def machine(tmp_path: Path) -> Callable[[str], Machine]:
    """Make a fresh home with the sample of an agent and its program, and a memory for the project."""

    def make(agent: str) -> Machine:
        made = Machine(tmp_path / "home", tmp_path / "home" / "proj", tmp_path / "state")
        made.project.mkdir(parents=True)
        (made.project / ".git").mkdir()
        copied_home(agent, made.home, str(made.project))
        program = made.program(agent)
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        made.run("init", "--yes")
        return made

    return make


@pytest.mark.parametrize("agent", READ)
def test_a_session_has_a_whole_life(agent: str, machine: Callable[[str], Machine]) -> None:
    made = machine(agent)
    sessions = made.sessions(agent)
    of_agent = tree(made.home / HOMES[agent])
    for id, counted in list(sessions.items())[:1]:
        told = json.loads(made.run("show", id, "--json"))["session"]
        tokens = counted["tokens_in"] + counted["tokens_out"]
        assert told == {"id": id, "agent": agent, "model": counted["model"], "tokens": tokens}
    assert len(made.archive()) == len(sessions)
    assert {one["session_id"] for one in made.documents()} == sessions.keys()
    before = tree(made.project / "memory")
    assert made.archive() == []
    assert tree(made.project / "memory") == before
    for id, counted in sessions.items():
        assert counted["first_prompt"] in made.run("show", id)
    if agent in RESUMED:
        expect_found(made, agent, sessions)
        expect_resumed(made, agent, list(sessions))
    first = next(iter(sessions))
    if agent not in RESUMED:
        assert json.loads(made.run("show", first, "--json"))["resume"] is None
    made.run("forget", first, "--yes")
    assert first not in {hit["session_id"] for hit in made.hits(f"agent:{agent} please")}
    assert made.archive() == []
    assert tree(made.home / HOMES[agent]) == of_agent


def expect_found(made: Machine, agent: str, sessions: dict[str, dict[str, Any]]) -> None:
    """The sessions are found by their own words, under the name of their agent and of no other."""
    for id, counted in sessions.items():
        word = max(counted["first_prompt"].split(), key=len)
        asked = "".join(char if char.isalnum() else " " for char in word)
        assert id in {hit["session_id"] for hit in made.hits("--limit", "50", f"agent:{agent} {asked}")}
    other = "codex" if agent == "claude" else "claude"
    assert made.hits(f"agent:{other} answer") == []


def expect_resumed(made: Machine, agent: str, ids: list[str]) -> None:
    """Each session is gone on with by its agent's own program, in its folder."""
    bench = Workbench.open(made.project, environment=Environment(made.home, made.project, made.env))
    for id in ids:
        found = find_resume_command(bench.store, bench.document(id))
        assert isinstance(found, ResumeCommand), found
        line = f"{made.program(agent)} {RESUMED[agent].format(id=id)}"
        assert " ".join(found.words) == line
        assert json.loads(made.run("show", id, "--json"))["resume"] == f"cd {made.project} && {line}"
        assert (found.agent, found.folder) == (own_reader(agent).label, made.project)


IGNORED = {"aider": f"{WORKED_IN}/.aider.chat.history.md"}
"""What is ignored for an agent that keeps its sessions elsewhere than in its folder."""


@pytest.mark.parametrize("agent", READ)
def test_an_ignored_agent_is_left_alone(agent: str, machine: Callable[[str], Machine]) -> None:
    made = machine(agent)
    (made.home / ".claude").mkdir(exist_ok=True)
    (made.home / ".claude" / ".recall-ignore").write_text(f"~/{IGNORED.get(agent, HOMES[agent])}\n")
    made.run("sync")
    assert made.hits(f"agent:{agent} answer") == []


GROWTH: dict[str, Callable[[str], dict[str, Any]]] = {
    "qwen": lambda text: {
        "uuid": "11111111-0000-4000-8000-000000000001",
        "type": "user",
        "timestamp": "2026-11-24T05:00:00.000Z",
        "message": {"role": "user", "parts": [{"text": text}]},
    },
    "droid": lambda text: {
        "type": "message",
        "id": "11111111-0000-4000-8000-000000000001",
        "timestamp": "2026-11-24T05:00:00.000Z",
        "message": {"role": "user", "content": [{"type": "text", "text": text}]},
    },
    "copilot": lambda text: {
        "type": "user.message",
        "data": {"content": text},
        "id": "11111111-0000-4000-8000-000000000001",
        "timestamp": "2026-11-24T05:00:00.000Z",
    },
    "pi": lambda text: {
        "type": "message",
        "id": "11111111",
        "timestamp": "2026-11-24T05:00:00.000Z",
        "message": {"role": "user", "content": text},
    },
    "kimi": lambda text: {
        "type": "context.append_message",
        "message": {"role": "user", "content": [{"type": "text", "text": text}], "origin": {"kind": "user"}},
        "time": 1795500000000,
    },
}


@pytest.mark.parametrize("agent", GROWTH)
def test_a_session_that_goes_on_is_brought_up_to_date(agent: str, machine: Callable[[str], Machine]) -> None:
    made = machine(agent)
    counted = next(main_sessions(agent))
    made.run("archive", "--all-unarchived")
    made.run("sync")
    environment = Environment(made.home, made.project, made.env)
    (file,) = own_reader(agent).find_session(environment, counted["id"])
    secret = "ghp_" + "a1B2c3D4e5" * 4
    with file.path.open("a", encoding="utf-8") as log:
        log.write(json.dumps(GROWTH[agent](f"the {WORD} has {secret}")) + "\n")
    made.run("archive", "--session", counted["id"])
    assert [hit["session_id"] for hit in made.hits(f"agent:{agent} {WORD}")] == [counted["id"]]
    shown = made.run("show", counted["id"])
    assert WORD in shown and secret not in shown
    assert sum(one["session_id"] == counted["id"] for one in made.documents()) == 1
    kept = b"".join(path.read_bytes() for path in made.project.rglob("*.md"))
    assert WORD.encode() in kept and secret.encode() not in kept


RENAMED = {
    "qwen": ("subagents", b"subagent-done", b"a-subagent-xylograph"),
    "copilot": ("workspace.yaml", b"name: ", b"name: xylograph "),
    "kimi": ("state.json", b'"version": 2', b'"version": 2, "title": "xylograph"'),
}
"""A change of another file than the transcript: where, and what is replaced by what."""


@pytest.mark.parametrize("agent", RENAMED)
def test_the_other_files_of_a_session_are_watched_too(agent: str, machine: Callable[[str], Machine]) -> None:
    made = machine(agent)
    made.run("sync")
    where, old, new = RENAMED[agent]
    for path in (made.home / HOMES[agent]).rglob("*"):
        if path.is_file() and where in str(path):
            path.write_bytes(path.read_bytes().replace(old, new))
    assert made.hits(f"agent:{agent} xylograph")
