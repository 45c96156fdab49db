"""What a model or an agent tells of a session: its title, and its place in the window by when the session ended."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript
from tests.models import FakeModel

TALK = [("user", "it is broken again"), ("assistant", "We decided to use a lock around the refresh.")]
SAID = {
    "summary": "A lock around the refresh was decided on.",
    "title": "A lock around the refresh",
    "topics": ["auth"],
}
PAGE = "# By an agent\n\n## Context\n\nTwo tabs raced.\n\n## Tracking Points\n\n- Decision: a lock\n"


@pytest.fixture
def told(environment: Environment, tmp_path: Path, recall: Recall, monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    """A model that every command asks."""
    model = FakeModel(tmp_path / "model", SAID)
    for name, value in model.env.items():
        environment.env[name] = value  # type: ignore[index]
    return model


@pytest.mark.long
@pytest.mark.parametrize("name", ["entity", "user", "hierarchical", "project"])
def test_archive_takes_the_title_that_a_model_gives(
    recall: Recall, environment: Environment, told: FakeModel, name: str
) -> None:
    bench = bench_at(environment, name)
    assert recall(f"--root={bench.store.root}", "archive", transcript(environment, 1, TALK)).code == 0
    (entry,) = bench.archive.entries()
    assert entry.title == "A lock around the refresh" and told.asked
    if name in ("entity", "user", "hierarchical"):
        assert "A lock around the refresh" in next(bench.layout.days.glob("2026-*.md")).read_text()


@pytest.mark.parametrize("name", ["entity", "hierarchical", "project", "claude-project"])
@pytest.mark.parametrize("with_model", [False, True])
def test_the_window_is_in_the_order_of_session_ends_whoever_tells(
    recall: Recall, environment: Environment, tmp_path: Path, name: str, with_model: bool
) -> None:
    if with_model:
        environment = environment._replace(env={**environment.env, **FakeModel(tmp_path / "model", SAID).env})
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    later = transcript(environment, 2, TALK, start=NOON - timedelta(days=1), cwd=str(bench.store.root))
    earlier = transcript(environment, 1, TALK, start=NOON - timedelta(days=2), cwd=str(bench.store.root))
    assert recall(root, "summarize", later.stem, "--yes").code == 0
    (tmp_path / "page.md").write_text(PAGE)
    assert recall(root, "summarize", earlier.stem, "--text", tmp_path / "page.md", "--yes").code == 0
    ends = [(one.session_id, one.ended_at) for one in bench.window.entries]
    assert ends == [
        (session_id_of(1), NOON - timedelta(days=2) + timedelta(minutes=1)),
        (session_id_of(2), NOON - timedelta(days=1) + timedelta(minutes=1)),
    ]
    assert "**Duration**: ~ |" not in bench.layout.window.read_text()


def test_a_summary_without_a_transcript_has_no_empty_duration(
    recall: Recall, environment: Environment, tmp_path: Path
) -> None:
    bench = bench_at(environment, "project")
    (tmp_path / "page.md").write_text(PAGE)
    assert recall("summarize", session_id_of(9), "--text", tmp_path / "page.md", "--yes").code == 0
    assert "**Duration**: ~unknown |" in bench.layout.window.read_text()
