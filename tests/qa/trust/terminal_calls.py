"""Commands called one after the other in one process, on the terminal that it stands in.

`python -m tests.qa.trust.terminal_calls ROOT FILE`: the file is a list of commands in JSON, each a list of words.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path

from recall_tui.cli.main import run
from recall_tui.environment import Environment
from recall_tui.storage.state import proposals
from recall_tui.workbench import Workbench
from tests.conftest import NOON


def main(root: Path, commands: Path) -> int:
    """Call them all; 1 when one of them failed by accident."""
    environment = Environment(home=Path(os.environ["HOME"]), cwd=root.parent, env=dict(os.environ))
    accidents = 0
    for words in json.loads(commands.read_text(encoding="utf-8")):
        if "{proposal}" in words:
            words[words.index("{proposal}")] = proposals.list_all(Workbench.open(root, environment=environment).store)[
                0
            ].id
        try:
            run(["--root", str(root), *words], environment=environment, now=lambda: NOON)
        except BaseException:
            print(ascii(traceback.format_exc()))
            accidents += 1
    return int(accidents > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
