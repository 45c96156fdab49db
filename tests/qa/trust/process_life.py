"""All that a person and an agent do in a repository, in one process.

`python -P -m tests.qa.trust.process_life FOLDER KIND` works in FOLDER, as the person whose environment it has; KIND
says how much of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from recall_tui.cli.command_table import COMMANDS
from recall_tui.environment import Environment
from tests.makers import session_id_of
from tests.qa.trust.calling import called

FEW: tuple[tuple[str, ...], ...] = (
    ("status",), ("synthesize", "--dry-run"), ("doctor",), ("agents",), ("sync",), ("recall",), ("config", "show"),
)  # fmt: skip
ALL: tuple[tuple[str, ...], ...] = (
    *FEW, ("init", "{root}", "--no-install", "--yes"), ("archive", "--all-unarchived"), ("archive", "{transcript}"),
    ("archive-session",), ("checkpoint", "{transcript}"), ("dashboard",), ("index", "status"),
    ("add", "{root}/_memory/MEMORY.md"), ("search", "--ranked", "parser"), ("recall", "which parser is it"),
    ("remember", "The staging database is called heron"), ("remember", "--session-end", "{transcript}"),
    ("show", "memory"), ("list", "all"), ("report",), ("consume",), ("distill",), ("compact", "all"),
    ("log", "an entry"), ("wiki", "list"), ("wiki", "lint"), ("wiki", "status"), ("migrate", "--yes"),
    ("dream",), ("dream", "status"), ("review",), ("read", "memory"),
    ("summarize", "{session}", "--yes"), ("synthesize", "--yes"),
    ("synthesize", "--full", "--yes"), ("promote",), ("export", "--all", "--to", "{out}/all.json"),
    ("import", "{out}/all.json", "--yes"), ("undo",), ("redo",), ("journal",), ("install", "--dry-run"),
    ("install", "claude", "--scope", "project", "--yes"), ("agents",), ("status",), ("doctor", "--fix"),
    ("uninstall", "--yes"), ("redact", "--check"), ("doctor", "--deep"), ("doctor", "--restore"), ("ledger",),
    ("completions", "bash"),
    ("help", "--all"), ("catch-up",), ("demo", "--print-root"), ("hook", "end"), ("forget", "1", "--yes"),
)  # fmt: skip
"""Every command but `watch`, which goes on by itself, and `mcp`, which takes the process's own streams."""
EVENTS = (
    ("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": "which parser is it that we use here?"}),
    ("PreCompact", {"trigger": "auto"}), ("Stop", {}), ("SessionEnd", {"reason": "other"}),
    ("SessionStart", {"source": "resume"}),
)  # fmt: skip
KEYS = ("2", "3", "4", "5", "6", "r", "7", "1", "slash", "p", "a", "r", "escape", "enter", "escape")
_SECONDS = 60.0
_WATCHED_SECONDS = 3.0
"""In which what is due is begun; on a machine that is too slow for that less is tried, and nothing fails."""
_PAUSE_SECONDS = 0.05


def commands(environment: Environment, root: Path, words: tuple[tuple[str, ...], ...]) -> None:
    """Call the commands; each may fail as it likes, and none may show a traceback."""
    names = {
        "root": root,
        "out": environment.home,
        "session": session_id_of(1),
        "transcript": next(environment.claude.glob("projects/*/*.jsonl"), root / "none.jsonl"),
    }
    for one in words:
        came = called(environment, *(word.format(**names) for word in one))
        assert "Traceback" not in came.err, (one, came.err[-2_000:])


def hooks(environment: Environment, root: Path) -> None:
    """Tell the hooks of a session."""
    transcript = next(environment.claude.glob("projects/*/*.jsonl"), None)
    for name, more in EVENTS:
        told = {"hook_event_name": name, "session_id": session_id_of(1), "cwd": str(root), **more}
        told |= {"transcript_path": str(transcript)} if transcript else {}
        came = called(environment, "hook", "--root", str(root), stdin=json.dumps(told).encode())
        assert (came.code, came.err) == (0, ""), (name, came.err)


def watched(root: Path) -> None:
    """Watch the memory until it says what it did, as a person does in a terminal."""
    line = [sys.executable, "-P", "-m", "recall_tui", "--root", str(root), "watch", "--compact", "--dream"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)
    assert process.stderr is not None
    process.stderr.readline()
    threading.Timer(_WATCHED_SECONDS, process.send_signal, (signal.SIGINT,)).start()
    process.communicate()


async def app(environment: Environment) -> None:
    """Walk through the app."""
    from recall_tui.tui.app import RecallApp
    from recall_tui.workbench import Workbench
    from tests.tui.piloting import pressed

    shown = RecallApp(Workbench.open(environment=environment), environment)
    async with shown.run_test(size=(120, 36)) as pilot:
        await pressed(pilot, *KEYS)


def children() -> Iterator[int]:
    """The processes of this one's session and those that it started in others, as far as they are ours."""
    mark = f"RECALL_PROCESS_LIFE={os.environ.get('RECALL_PROCESS_LIFE', '')}".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    yield int(folder.name)
            except OSError:
                continue


def wait_for_children() -> None:
    """Wait until whatever works in the background has ended."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end and any(children()):
        time.sleep(_PAUSE_SECONDS)


def main(root: Path, kind: str) -> None:
    """Do it all."""
    os.chdir(root)
    environment = Environment(Path(os.environ["HOME"]), root, dict(os.environ))
    hooks(environment, root)
    commands(environment, root, ALL if kind == "all" else FEW)
    if kind == "all":
        hooks(environment, root)
        watched(root)
        asyncio.run(app(environment))
    wait_for_children()


def every_command_is_called() -> bool:
    """Whether each command of the table is called here."""
    return {one[0] for one in ALL} >= set(COMMANDS) - {"watch", "mcp"}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
