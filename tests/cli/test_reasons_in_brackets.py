"""What stands in brackets behind a decision is often its reason, and goes wherever the decision goes."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at, transcript

LONG = "the generator pulled in a runtime larger than the program and nobody could debug the tables that it made"
SAID = (
    "- Decision: keep Redis (the team knows it)\n"
    "- Decision: use Postgres (jsonb, 2026-03-04)\n"
    "- Decision: write the parser for the header lines by hand, since the grammar is regular and small enough to be"
    f" read at once by everybody who works on it (because {LONG})\n"
)
REASONS = ("(the team knows it)", "(jsonb, 2026-03-04)", f"(because {LONG})")


@pytest.mark.parametrize("name", [name for name in LAYOUT_NAMES if name != "claude-project"])
def test_reasons_stay_in_archive_window_and_master(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    path = transcript(environment, 1, [("user", "What do we decide?"), ("assistant", SAID)], cwd=str(bench.store.root))
    assert recall(root, "archive", path).code == 0
    assert recall(root, "synthesize", "--yes").code == 0
    about = recall(root, "show", path.stem, "--summary").out
    master = bench.layout.master.read_text()
    for reason in REASONS:
        assert reason in about, about
        assert reason in master, master
    recall(root, "synthesize", "--full", "--yes")
    assert all(reason in bench.layout.master.read_text() for reason in REASONS)
