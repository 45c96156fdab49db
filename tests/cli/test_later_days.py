"""Items of the published designs on a later day: older sessions, transcripts that are gone, pages of other programs."""

from __future__ import annotations

from datetime import timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import NOON, bench_at, session_id_of, transcript


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_session_that_is_older_than_the_full_window_is_summarized(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", "/home/u/api" if name == "claude-project" else str(environment.cwd)
    for number in range(1, 8):
        said = [
            ("user", f"Please look at mailer {number} in src/a{number}.py"),
            ("assistant", f"Decision: mailer {number} is kept because reason {number}."),
        ]
        transcript(environment, number, said, cwd=cwd, start=NOON - timedelta(days=number))
    for number in range(1, 8):
        made = recall(root, "summarize", session_id_of(number), "--yes")
        assert made.code == 0, (number, made.err)
    window = bench.layout.window.read_text()
    assert name == "user" or (session_id_of(5) in window and session_id_of(6) not in window)
    assert "mailer 7" not in window, "nothing of a session stays that is older than all in the window"
