"""A model for tests: a real program that notes what it was asked and answers what it was told to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store

_PROGRAM = """
import json, pathlib, sys
here = pathlib.Path({folder!r})
asked = sys.stdin.read()
count = len(list(here.glob("asked-*.txt")))
(here / f"asked-{{count:03d}}.txt").write_text(asked)
answers = json.loads((here / "answers.json").read_text())
print(answers[min(count, len(answers) - 1)], end="")
"""


class FakeModel:
    """The program, what it was asked, and the words to put it into a memory's settings."""

    def __init__(self, folder: Path, *answers: str | dict[str, Any]) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self._program = folder / "model.py"
        self._program.write_text(_PROGRAM.format(folder=str(folder)))
        self.answers(*answers)

    def answers(self, *answers: str | dict[str, Any]) -> None:
        """What it answers to the first call, the second and so on; the last one to all further ones."""
        texts = [answer if isinstance(answer, str) else json.dumps(answer) for answer in answers]
        (self.folder / "answers.json").write_text(json.dumps(texts or [""]))

    @property
    def asked(self) -> list[str]:
        """The prompts of all calls, in their order."""
        return [path.read_text() for path in sorted(self.folder.glob("asked-*.txt"))]

    @property
    def env(self) -> dict[str, str]:
        """The environment that makes it the model."""
        return {"RECALL_LLM_PROVIDER": "command", "RECALL_LLM_COMMAND": f"'{sys.executable}' '{self._program}'"}


def store_with(model: FakeModel, store: Store, **settings: str) -> Memory:
    """The same memory with the model in its environment, and further settings such as `RECALL_LLM_CALLS_PER_DAY`."""
    environment = Environment(
        store.environment.home, store.environment.cwd, {**store.environment.env, **model.env, **settings}
    )
    return Memory(make_layout(store.root, store.layout.name), environment, store.now)


def slow(environment: Environment, folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """The program with these words, and with a model that does not answer; returned when it is asked."""
    program, asked = folder / "slow.sh", folder / "asked"
    program.write_text(f"touch '{asked}'; exec sleep 60\n")
    env = {
        **os.environ, **environment.env, "PYTHONPATH": str(Path(__file__).resolve().parents[1]),
        "RECALL_LLM_PROVIDER": "command", "RECALL_LLM_COMMAND": f"sh '{program}'",
    }  # fmt: skip
    line = [sys.executable, "-m", "recall_tui", "--root", str(environment.cwd), *words]
    process = subprocess.Popen(line, env=env, cwd=environment.cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not asked.exists():
        assert process.poll() is None
        time.sleep(0.02)
    return process


class Words(msgspec.Struct):
    """An answer of one text."""

    text: str
