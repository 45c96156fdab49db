"""From an installation to its end: the commands in an agent's settings are run as the agent runs them."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.state import live_sessions
from recall_tui.workbench import Workbench
from tests.hooks import process_env, settled
from tests.makers import Turn, bench_at, records, session_id_of, tree, write_transcript
from tests.processes import Machine

pytestmark = pytest.mark.long

THEN = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=3)
FIRST: list[Turn] = [("user", "why do the tokens expire?"), ("assistant", "A stolen one must not last. We chose JWT.")]
SECOND: list[Turn] = [("user", "now put the refresh tokens into Redis"), ("assistant", "They live in Redis now.")]
THERE = {
    ".claude/settings.json": '{\n\t"model": "opus",\n\t"hooks": {"Stop": [{"hooks": []}]}\n}',
    ".claude/CLAUDE.md": "Mine.\n",
    ".codex/hooks.json": '{"hooks":{}}',
    ".codex/AGENTS.md": "# Mine\r\n",
    ".gemini/settings.json": '{\n  "ui": {"theme": "x"}\n}\n',
    ".gemini/GEMINI.md": "Mine",
}
SETTINGS = {"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json"}
PROMPT = {"claude": "UserPromptSubmit", "codex": "UserPromptSubmit", "gemini": "BeforeAgent"}
COMPACT = {"claude": "PreCompact", "codex": "PreCompact", "gemini": "PreCompress"}


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent on a machine, with the hooks that are in its settings."""

    name: str
    machine: Machine

    def session_id(self, number: int) -> str:
        """The session's id."""
        return session_id_of(number)

    def writes(self, number: int, turns: Sequence[Turn], start: datetime = THEN) -> Path:
        """The session's transcript, last written an hour ago."""
        own, environment = self.session_id(number), self.machine.environment
        at = start.isoformat().replace("+00:00", "Z")
        match self.name:
            case "claude":
                path = environment.claude / "projects" / "-home-u-api" / f"{own}.jsonl"
                write_transcript(path, records(own, turns, start=start))
            case "codex":
                path = (
                    environment.codex / "sessions" / "2026" / "03" / "06" / f"rollout-2026-03-06T10-00-00-{own}.jsonl"
                )
                head = {"type": "session_meta", "payload": {"id": own, "cwd": "/home/u/api"}}
                lines = [{"timestamp": at, **line} for line in (head, *map(_of_codex, turns))]
                write_transcript(path, lines)
            case _:
                path = environment.gemini / "tmp" / "abc" / "chats" / f"session-2026-03-06T10-00-{own[-8:]}.json"
                messages = [
                    {"id": str(n), "timestamp": at, "type": "user" if who == "user" else "gemini", "content": text}
                    for n, (who, text) in enumerate(turns)
                ]
                path.parent.mkdir(parents=True, exist_ok=True)
                times = {"startTime": at, "lastUpdated": at}
                path.write_text(json.dumps({"sessionId": own, "projectHash": "abc", **times, "messages": messages}))
        os.utime(path, (time.time() - 3_600,) * 2)
        return path

    def calls(self, event: str, number: int, transcript: Path, **more: str) -> str:
        """Run the hook of the event as the agent does; what the model then reads."""
        settings = json.loads((self.machine.environment.home / SETTINGS[self.name]).read_text())
        (handler,) = [one for group in settings["hooks"][event] for one in group["hooks"]]
        told = {
            "hook_event_name": event,
            "session_id": self.session_id(number),
            "transcript_path": str(transcript),
            "cwd": str(self.machine.environment.cwd),
            **more,
        }
        done = subprocess.run(
            ["/bin/sh", "-c", handler["command"]],
            input=json.dumps(told).encode(),
            cwd=self.machine.environment.cwd,
            env=process_env(self.machine),
            capture_output=True,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]) if done.stdout else ""

    def crashes(self, bench: Workbench, number: int) -> None:
        """The session's process is gone, and no hook told of its end."""
        mark = live_sessions.find_session(bench.store.state, self.session_id(number))
        assert mark is not None
        live_sessions.save(bench.store.state, mark._replace(pid=2**22 - 7))


def _of_codex(turn: Turn) -> dict[str, Any]:
    who, text = turn
    kind = "input_text" if who == "user" else "output_text"
    return {
        "type": "response_item",
        "payload": {"type": "message", "role": who, "content": [{"type": kind, "text": text}]},
    }


def configuration(home: Path) -> dict[str, bytes]:
    """The agents' files but for transcripts."""
    kept = ("projects/", "sessions/", "tmp/")
    folders = [home / name for name in (".claude", ".codex", ".gemini")]
    files = {f"{one.name}/{name}": data for one in folders for name, data in tree(one).items()}
    return {name: data for name, data in files.items() if not name.partition("/")[2].startswith(kept)}


@pytest.mark.parametrize("name", ["claude", "codex", "gemini"])
def test_an_installed_memory_lives_with_its_agent_and_leaves_no_trace_in_it(
    environment: Environment, name: str
) -> None:
    for file, text in THERE.items():
        (environment.home / file).parent.mkdir(exist_ok=True)
        (environment.home / file).write_bytes(text.encode())
    bench = bench_at(environment, "entity", environment.cwd / "my memory")
    agent = Agent(name, Machine(environment, bench.store.root))
    bench.layout.memory_file.write_text("# Memory\n\n- Deploys are on Tuesdays only.\n", encoding="utf-8")
    before = configuration(environment.home)
    assert bench.agents.install(name, "user")

    first = agent.writes(1, FIRST)
    given = agent.calls("SessionStart", 1, first, source="startup")
    assert agent.session_id(1) in given and given.count("Tuesdays") == 1, "no agent imports a path with a space"
    assert agent.calls(PROMPT[name], 1, first, prompt="yes") == ""
    agent.calls(COMPACT[name], 1, first, trigger="auto")
    (checkpoint,) = bench.archive.entries()
    assert checkpoint.source == "checkpoint" and not bench.window.entries
    agent.writes(1, [*FIRST, *SECOND])
    agent.crashes(bench, 1)

    second = agent.writes(2, SECOND, THEN + timedelta(hours=1))
    agent.calls("SessionStart", 2, second, source="startup")
    assert not settled(agent.machine)
    assert [(one.session_id, one.messages) for one in bench.archive.entries()] == [(agent.session_id(1), 4)]
    if name == "codex":
        agent.crashes(bench, 2)
        agent.calls("SessionStart", 3, second, source="startup")
    else:
        agent.calls("SessionEnd", 2, second, reason="exit")
    assert not settled(agent.machine)
    assert [one.session_id for one in bench.window.entries] == [agent.session_id(1), agent.session_id(2)]

    assert agent.session_id(2) in agent.machine.run("consume").out.decode()
    assert agent.machine.run("search", "--ranked", "--json", "refresh tokens Redis").json["hits"]
    newest = bench.journal.entries()[0]
    assert newest.by == "hook" and bench.undo(newest.id)
    assert [one.session_id for one in bench.window.entries] == [agent.session_id(1)]
    assert bench.agents.uninstall(name, "user")
    assert configuration(environment.home) == before
