"""Search starts light: heavy libraries wait until they are needed."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("rich", "textual", "numpy", "asyncio", "yaml", "msgspec", "tomlkit", "tantivy", "rapidfuzz")


def test_importing_search_and_index_loads_nothing_heavy() -> None:
    code = (
        "import sys, recall_tui.search.engine, recall_tui.search.line_search, recall_tui.index.ingest.refresh\n"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
