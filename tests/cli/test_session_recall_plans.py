"""Plans that only the database of session recall holds, keyed by the names of their files."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import bench_at
from tests.session_recall import Recalled


@pytest.mark.parametrize("name", ["entity", "user"])
def test_a_plan_that_is_keyed_by_its_name_is_found_and_shown(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    with Recalled(environment.session_index) as made:
        made.note("plan", "quiet-humming-heron", "# Move the queue\n\nDrain the heron queue first.\n")
    (hit,) = recall(root, "search", "drain heron queue", "--json").json["hits"]
    assert hit["title"] == "Move the queue" and hit["document"].endswith("/quiet-humming-heron")
    assert "Drain the heron queue first." in recall(root, "show", hit["document"]).out
    assert "Drain the heron queue first." in recall(root, "show", "quiet-humming-heron").out
