"""The modules that a command loads, looked up in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.architecture.trees import CHECKOUT

FRONT_ENDS = {"textual", "rich", "numpy", "httpx", "markdown_it"}
"""What no command for agents may load."""
HEAVY = FRONT_ENDS | {"tantivy", "msgspec", "tomlkit", "yaml", "asyncio", "importlib.metadata"}
"""What the quickest commands may not load either."""
SPY = """
import json, sys
from recall_tui.cli.main import run
code = run(sys.argv[1:])
print(json.dumps({"code": code, "modules": sorted(sys.modules)}), file=sys.stderr)
"""


def loaded(tmp_path: Path, *words: str, stdin: str = "") -> set[str]:
    """The modules that `recall-tui <words>` loads; the command must succeed."""
    env = {**os.environ, "HOME": str(tmp_path), "RECALL_STATE": str(tmp_path / "state"), "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", SPY, *words], env=env, input=stdin, capture_output=True, text=True
    )
    answer = json.loads(done.stderr.splitlines()[-1])
    assert answer["code"] == 0, done.stderr
    return set(answer["modules"])
