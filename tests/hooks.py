"""Hooks as agents call them: their JSON, and the process that answers it, on a test's own machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.opening import heard
from tests.processes import Machine

SCRIPT = "from recall_tui.__main__ import main; main()"
"""What the installed program runs."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a hook gave back."""

    code: int
    out: bytes
    err: bytes

    @property
    def json(self) -> Any:
        """Stdout, which must be one JSON document; None when it is empty."""
        return json.loads(self.out) if self.out else None

    @property
    def context(self) -> str:
        """What the model reads."""
        return self.json["hookSpecificOutput"]["additionalContext"] if self.out else ""

    def is_sound(self) -> bool:
        """Whether it ended as every hook must."""
        return self.code == 0 and not self.err and (not self.out or isinstance(self.json, dict))


def said(event: str, session: str = "", transcript: Path | None = None, **more: object) -> dict[str, object]:
    """What Claude Code says to a hook."""
    told: dict[str, object] = {"hook_event_name": event, "permission_mode": "default", "prompt_id": "p1", **more}
    if session:
        told["session_id"] = session
    if transcript is not None:
        told["transcript_path"] = str(transcript)
    return told


def process_env(machine: Machine, **more: str) -> dict[str, str]:
    """The environment of a hook that an agent calls."""
    return {"PATH": os.environ["PATH"], **heard(machine.environment), **machine.environment.env, **more}


def called(
    machine: Machine,
    told: Mapping[str, object] | bytes,
    *words: str,
    env: Mapping[str, str] | None = None,
    root: Path | None = None,
) -> Answered:
    """Call the hook of the machine's memory in a process, and wait for its end."""
    data = told if isinstance(told, bytes) else json.dumps(told).encode()
    line = [sys.executable, "-P", "-c", SCRIPT, "hook", "--root", str(root or machine.root), *words]
    done = subprocess.run(
        line, env=env or process_env(machine), cwd=machine.environment.cwd, input=data, capture_output=True
    )
    return Answered(done.returncode, done.stdout, done.stderr)


def of_machine(machine: Machine) -> set[int]:
    """The processes that work on the machine's state."""
    state = machine.environment.env["RECALL_STATE"].encode()
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"RECALL_STATE=" + state in (folder / "environ").read_bytes() and int(folder.name) != os.getpid():
                found.add(int(folder.name))
        except OSError:
            continue
    return found


def settled(machine: Machine, seconds: float = 60.0) -> set[int]:
    """The processes that are left of the machine's when they had time to end.

    A process that is just being started has no environment for a moment: nobody is left when two looks find nobody.
    """
    until = time.monotonic() + seconds
    left = of_machine(machine)
    while time.monotonic() < until:
        time.sleep(0.05)
        before, left = left, of_machine(machine)
        if not before and not left:
            break
    return left
