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


def test_such_a_plan_is_a_plan_that_its_title_finds(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "user")
    root = f"--root={bench.store.root}"
    with Recalled(environment.session_index) as made:
        made.note("plan", "quiet-humming-heron.md", "Drain the heron queue first.\n", title="Plan for walrus ingestion")
    (hit,) = recall(root, "search", "walrus ingestion", "--json").json["hits"]
    assert (hit["title"], hit["kind"]) == ("Plan for walrus ingestion", "plan")
    assert [one["kind"] for one in recall(root, "search", "heron queue", "--kind", "plan", "--json").json["hits"]] == [
        "plan"
    ]
    assert recall(root, "sync", "--json").json["removed"] == 0
    assert recall(root, "search", "walrus ingestion", "--json").json["total"] == 1
    recall(root, "index")
    (again,) = recall(root, "search", "walrus ingestion", "--json").json["hits"]
    assert again["kind"] == "plan"


def test_a_plan_of_the_database_gives_way_to_its_file_and_can_be_forgotten(
    recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment, "user")
    root = f"--root={bench.store.root}"
    with Recalled(environment.session_index) as made:
        made.note("plan", "quiet-humming-heron", "Drain the heron queue first.\n", title="Queue")
        made.note("plan", "loud-diving-gannet", "Drain the gannet queue first.\n", title="Other queue")
    file = environment.claude / "plans" / "quiet-humming-heron.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# Queue\n\nDrain the heron queue first.\n")
    (hit,) = recall(root, "search", "heron queue first", "--kind", "plan", "--limit", "1", "--json").json["hits"]
    assert hit["document"] == str(file)
    assert recall(root, "forget", "loud-diving-gannet", "--yes").code == 0
    assert recall(root, "search", "gannet").code == 1
