"""What a session leaves behind without a model: topics, files, and in the window its open threads."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import Turn, bench_at, transcript

TALK: list[Turn] = [
    ("user", "View the scheduler, please. I agree it is hard: the parent process should not own the retry queue."),
    *(("Read", f"/home/u/api/src/reader_{number}.py") for number in range(2) for _ in range(4)),
    ("Edit", "/home/u/api/src/scheduler.py"),
    ("assistant", "We decided to give the retry queue a lock of its own, because two workers took the same job."),
    ("user", "Good feedback, push it. What about the stale leases?"),
    ("assistant", "Next step: write a test for the lease expiry. It is still unclear why leases outlive their worker."),
]


@pytest.mark.parametrize("checkpoints", [0, 1])
def test_the_window_of_a_user_memory_names_topics_and_unresolved_threads(
    recall: Recall, environment: Environment, checkpoints: int
) -> None:
    root = bench_at(environment, "user").store.root
    for turns in (*[TALK[:-1]] * checkpoints, TALK):
        assert recall("--root", root, "archive", str(transcript(environment, 1, turns))).code == 0
    window = (root / "EPHEMERAL.md").read_text(encoding="utf-8")
    topics = next(line for line in window.split("\n") if line.startswith("**Key topics**: "))
    assert "scheduler" in topics and "leases" in topics
    actions, unresolved = window.partition("**Action items**:")[2], window.partition("**Unresolved threads**:\n")[2]
    assert "write a test for the lease expiry" in actions.partition("\n\n")[0]
    assert "still unclear why leases outlive their worker" in unresolved.partition("\n\n")[0]
    assert window.count("still unclear why") == 1 + ("still unclear why" in window.partition("**Key topics**")[0])


def test_files_that_were_changed_stand_before_those_that_were_read(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment).store.root
    recall("--root", root, "archive", str(transcript(environment, 1, TALK)))
    shown = recall("--root", root, "show", "1").out
    files = next(line for line in shown.split("\n") if "src/reader_0.py" in line and "Files" in line)
    assert files.index("src/scheduler.py") < files.index("src/reader_0.py")


def test_what_is_only_said_to_get_along_is_no_topic(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment).store.root
    recall("--root", root, "archive", str(transcript(environment, 1, TALK)))
    (row,) = [line for line in recall("--root", root, "show", "archive").out.split("\n") if line.startswith("| 001")]
    topics = row.split("|")[4].strip().split(", ")
    assert "scheduler" in topics
    assert not {"view", "agree", "hard", "decided", "push", "feedback", "parent"} & set(topics), topics
