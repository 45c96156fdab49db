"""Without a network and without a model every command has its answer, and nobody even tries to reach one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from recall_tui.cli.command_table import COMMANDS
from recall_tui.environment import Environment
from recall_tui.llm.usage_ledger import LEDGER_FILE
from tests.makers import bench_at, session_id_of, transcript

CHECKOUT = Path(__file__).resolve().parents[2]
GUARD = """
import socket
def refused(*words, **more):
    with open({file!r}, "a") as file:
        file.write(repr(words) + "\\n")
    raise OSError("there is no network")
plain = socket.socket.connect
def connect(self, address):
    return plain(self, address) if self.family == socket.AF_UNIX else refused(address)
socket.socket.connect = socket.socket.connect_ex = connect
socket.getaddrinfo = socket.gethostbyname = socket.create_connection = refused
"""
"""What every Python process of the test does before anything else."""
TALK = [
    ("user", "Fix the token refresh race in the auth module"),
    (
        "assistant",
        "We decided to use a lock, because two tabs refresh one token. The root cause was a second tab at once.",
    ),
]
END = json.dumps({"hook_event_name": "SessionEnd", "session_id": session_id_of(1)})
STEPS: list[tuple[tuple[str, ...], int]] = [
    (("demo", "--print-root"), 0),
    (("init", "{root}", "--no-install"), 0),
    (("archive", "{transcript}"), 0),
    (("archive-session",), 0),
    (("checkpoint", "{transcript}"), 0),
    (("hook", "end"), 0),
    (("help", "--all"), 0),
    (("status",), 0),
    (("journal", "show", "1"), 0),
    (("dashboard",), 0),
    (("sync",), 0),
    (("index", "status"), 0),
    (("add", "{root}/memory/MEMORY.md"), 0),
    (("search", "--ranked", "token race"), 0),
    (("recall", "token refresh race"), 0),
    (("recall", "--timeout", "5", "token refresh race"), 0),
    (("recall",), 0),
    (("remember", "The staging database is called heron"), 0),
    (("remember", "--session-end", "{transcript}"), 0),
    (("show", "memory"), 0),
    (("list",), 0),
    (("report", "--since", "2020-01-01"), 0),
    (("mcp",), 0),
    (("consume", "--no-clear"), 0),
    (("distill",), 0),
    (("compact", "memory"), 0),
    (("compact", "all"), 0),
    (("log", "Moved staging to the new region"), 0),
    (("watch", "--compact", "--dream"), 0),
    (("wiki", "list"), 1),
    (("wiki", "status"), 0),
    (("migrate", "--yes"), 0),
    (("dream",), 0),
    (("dream", "status"), 0),
    (("dream", "--phase", "gather"), 0),
    (("review",), 0),
    (("read", "memory"), 0),
    (("summarize", "{session}", "--yes"), 0),
    (("synthesize", "--yes"), 0),
    (("promote",), 0),
    (("export", "--all", "--to", "{root}/../all.json"), 0),
    (("import", "{root}/../all.json", "--yes"), 0),
    (("undo",), 0),
    (("redo",), 0),
    (("config", "show"), 0),
    (("agents",), 0),
    (("install", "claude", "--dry-run"), 0),
    (("uninstall", "claude", "--dry-run"), 0),
    (("redact", "--check"), 0),
    (("doctor",), 0),
    (("doctor", "--restore"), 0),
    (("ledger",), 0),
    (("completions", "bash"), 0),
    (("catch-up",), 0),
    (("forget", "1", "--yes"), 0),
]
"""One after the other on one memory, each with the code that it ends with."""


@pytest.fixture
def offline(environment: Environment, tmp_path: Path) -> tuple[list[str], dict[str, str]]:
    """What stands before a command line, and its environment; by the kernel where that can be had, and in Python."""
    guard = tmp_path / "guard"
    guard.mkdir()
    (guard / "sitecustomize.py").write_text(GUARD.format(file=str(tmp_path / "tried")))
    env = {**os.environ, **environment.env, "PYTHONPATH": f"{guard}{os.pathsep}{CHECKOUT}"}
    env = {name: value for name, value in env.items() if not name.startswith("RECALL_LLM_")}
    alone = [unshare, "-rn"] if (unshare := shutil.which("unshare")) else []
    if alone and subprocess.run([*alone, "true"], capture_output=True).returncode:
        alone = []
    return [*alone, sys.executable, "-m", "recall_tui"], env


def test_every_command_is_tried_here() -> None:
    assert {words[0] for words, _ in STEPS} >= set(COMMANDS)


@pytest.mark.long
def test_every_command_has_its_answer_without_a_network_and_a_model(
    offline: tuple[list[str], dict[str, str]], environment: Environment, tmp_path: Path
) -> None:
    line, env = offline
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    said_on_stdin = json.dumps(json.loads(END) | {"transcript_path": str(path)})
    for words, code in STEPS:
        filled = [word.format(root=bench.store.root, transcript=path, session=session_id_of(1)) for word in words]
        shared = [] if words[0] in ("demo", "init", "completions", "help") else ["--root", str(bench.store.root)]
        done = run([*line, *shared, *filled], env, environment.cwd, said_on_stdin, goes_on=words[0] == "watch")
        assert done.returncode == code, (words, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr, words
        assert not (tmp_path / "tried").exists(), (words, (tmp_path / "tried").read_text())
    assert not list(environment.state.rglob(LEDGER_FILE)), "nothing was spent"


def run(
    line: list[str], env: dict[str, str], folder: Path, stdin: str, *, goes_on: bool
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; one that goes on by itself is stopped as soon as it says that it has begun."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(line, env=env, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    first = ""
    if goes_on and process.stderr is not None:
        first = process.stderr.readline()
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(stdin)
    return subprocess.CompletedProcess(line, process.returncode, out, first + err)


def test_the_guard_would_see_who_tries(offline: tuple[list[str], dict[str, str]], tmp_path: Path) -> None:
    _, env = offline
    code = "import socket; socket.create_connection(('127.0.0.1', 9))"
    assert subprocess.run([sys.executable, "-c", code], env=env, capture_output=True).returncode
    assert (tmp_path / "tried").exists()
