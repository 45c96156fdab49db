"""A session that ends right after a checkpoint: the window tells of all of it, whatever was checkpointed."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import Turn, bench_at, session_id_of, transcript


def talk(parts: int) -> list[Turn]:
    """A session of so many parts, each with a file, a decision and an action of its own."""
    turns: list[Turn] = []
    for part in range(parts):
        turns += [
            ("user", f"Please fix part {part} of the token refresh"),
            ("Edit", f"/home/u/api/src/part{part}.py"),
            ("assistant", f"We decided to use lock {part}. Next step: write test {part}."),
        ]
    return turns


@pytest.mark.parametrize("name", LAYOUT_NAMES)
@pytest.mark.parametrize("checkpoints", [1, 2])
def test_the_window_tells_of_a_session_that_was_only_checkpointed(
    recall: Recall, environment: Environment, name: str, checkpoints: int
) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    path = transcript(environment, 1, talk(2))
    for _ in range(checkpoints):
        assert recall(root, "checkpoint", path).code == 0
    assert not bench.layout.window.read_text()
    assert recall(root, "archive", path).code == 0
    text = bench.layout.window.read_text()
    assert "part 0 of the token refresh" in text and "lock 1" in text, text
    consume_all(recall, root)
    assert recall(root, "archive", path).code == 0
    assert not bench.layout.window.read_text(), "it was handed over"


def test_the_window_covers_all_logs_of_a_session(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "user")
    root = f"--root={bench.store.root}"
    for parts in (2, 4):
        assert recall(root, "checkpoint", transcript(environment, 1, talk(parts))).code == 0
    assert recall(root, "archive", transcript(environment, 1, talk(5))).code == 0
    text = bench.layout.window.read_text()
    assert "10 messages · archive-log-001.md, archive-log-002.md, archive-log-003.md" in text
    assert all(f"part{part}.py" in text for part in range(5)) and "use lock 4" in text and "write test 4" in text
    assert "## Last session" not in text and "part 0 of the token refresh → We decided to use lock 4" in text


def test_a_list_of_sessions_names_every_log_and_doctor_finds_nothing(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "user")
    root = f"--root={bench.store.root}"
    bench.layout.window.write_text(
        "## Session old — 2026-03-05 12:00:00 UTC\n"
        "**Duration**: ~5m | **Messages**: 4 | **Archive**: \n**Summary**: x\n"
    )
    assert recall(root, "checkpoint", transcript(environment, 1, talk(2))).code == 0
    assert recall(root, "archive", transcript(environment, 1, talk(3))).code == 0
    entry = next(one for one in bench.window.entries if one.session_id == session_id_of(1))
    assert entry.archives == ("archive-log-001.md", "archive-log-002.md") and entry.messages == 6
    said = recall(root, "doctor")
    assert "which is not there" not in said.out, said.out


def test_a_note_in_the_window_is_promoted_before_the_session_takes_its_place(
    recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment, "user")
    root = f"--root={bench.store.root}"
    path = transcript(environment, 1, talk(2))
    assert recall(root, "checkpoint", path).code == 0
    bench.layout.window.write_text("Remember: the demo is on Friday.\n")
    assert recall(root, "archive", path).code == 0
    assert "token refresh" in bench.layout.window.read_text()
    logs = sorted((bench.store.root / "memories").glob("*.md"))
    assert [log.name for log in logs] == ["archive-log-001.md", "archive-log-002.md"]
    assert "demo is on Friday" in logs[1].read_text() and "| 002 |" in bench.layout.rows.read_text()


def consume_all(recall: Recall, root: str) -> None:
    """Read the window and empty it."""
    assert recall(root, "consume", "--clear").code == 0
