"""The program's commands inside a process that stays warm: one line of JSON after the other, each answered by its code.

`{"words": [...], "stdin": "..."}`; `python -m tests.qa.trust.command_runner HOME STATE ROOT`.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from recall_tui.cli.main import run
from recall_tui.environment import Environment
from recall_tui.workbench import local_now


def main(home: str, state: str, root: str) -> None:
    """Run what comes in."""
    environment = Environment(Path(home), Path(root), {"RECALL_STATE": state, "HOME": home})
    lines, answers = sys.stdin, sys.stdout
    for line in lines:
        told = json.loads(line)
        sys.stdin = io.TextIOWrapper(io.BytesIO(told["stdin"].encode()), encoding="utf-8")
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with redirect_stdout(out), redirect_stderr(err):
            code = run([*told["words"], "--root", root], environment=environment, now=local_now)
        err.seek(0)
        answers.write(json.dumps([code, err.read()]) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
