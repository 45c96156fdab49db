"""A model tells an archive anew once for each state of its session, and never about a person's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.summaries.resummarize import apply_resummary
from recall_tui.llm.client import ModelClient
from recall_tui.storage.archives.file import head_digest
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript
from tests.models import FakeModel, store_with

TALK = [("user", "Fix the token refresh race"), ("assistant", "We decided to use a lock around the refresh.")]
MORE = [*TALK, ("user", "Rename it"), ("assistant", "Renamed.")]
SAID = {
    "summary": "The token refresh race gets a lock.",
    "topics": ["auth"],
    "decisions": ["A lock."],
    "action_items": [],
}
ONE = session_id_of(1)


def made(bench: Workbench, model: FakeModel, **settings: str) -> bool:
    """Whether a model told it anew."""
    store = store_with(model, bench.store, **settings)
    said = apply_resummary(store, ONE, ModelClient(store), by="person")
    return isinstance(said, str) and bool(said)


@pytest.mark.long
@pytest.mark.parametrize("name", ["entity", "hierarchical", "project", "user"])
def test_an_archive_is_told_once_for_each_state_of_its_session(
    environment: Environment, tmp_path: Path, name: str
) -> None:
    bench = bench_at(environment, name)
    bench.capture(transcript(environment, 1, TALK))
    model = FakeModel(tmp_path / "model", SAID, {**SAID, "summary": "The race gets a lock, and it was renamed."})
    assert made(bench, model)
    (entry,) = bench.archive.entries()
    assert "The token refresh race gets a lock." in entry.path.read_text()
    assert str(entry.extra["summary_by"]).startswith("command/") and entry.topics == ("auth",)
    assert bench.rows[0].topics == ("auth",)
    assert "The token refresh race" in bench.layout.window.read_text()
    assert not made(bench, model) and len(model.asked) == 1
    bench.capture(transcript(environment, 1, MORE))
    assert made(bench, model) and len(model.asked) == 2
    assert "The race gets a lock" in bench.archive.entries()[-1].path.read_text()
    assert not made(bench, model) and len(model.asked) == 2
    assert not bench.layout.master.exists()


def test_what_was_told_stays_until_it_is_told_anew(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    assert made(bench, FakeModel(tmp_path / "model", SAID))
    bench.capture(transcript(environment, 1, MORE))
    (entry,) = bench.archive.entries()
    text = entry.path.read_text()
    assert head_digest(text).summary == "The token refresh race gets a lock." and "Renamed." in text
    assert entry.messages == 4


def test_a_checkpoint_that_is_told_stays_a_checkpoint(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK), source="checkpoint")
    assert made(bench, FakeModel(tmp_path / "model", SAID))
    (entry,) = bench.archive.entries()
    assert entry.source == "checkpoint" and not bench.layout.window.read_text().strip()


def test_without_a_model_or_an_answer_or_below_a_limit_of_none_there_is_no_plan(
    environment: Environment, tmp_path: Path
) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    assert apply_resummary(bench.store, ONE, ModelClient(bench.store), by="person") == ""
    assert not made(bench, FakeModel(tmp_path / "a", "no"))
    assert not made(bench, model := FakeModel(tmp_path / "b", SAID), RECALL_LLM_CALLS_PER_DAY="0")
    assert model.asked == []
    assert not [path for path in bench.store.spool.iterdir() if path.is_file()]


def test_a_page_that_a_person_changed_is_not_asked_about(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment, "project")
    bench.capture(transcript(environment, 1, TALK))
    (entry,) = bench.archive.entries()
    entry.path.write_text("# Mine\n\n" + entry.path.read_text())
    model = FakeModel(tmp_path / "model", SAID)
    assert not made(bench, model) and model.asked == []


def test_a_summary_that_a_person_edited_is_not_asked_about(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    (entry,) = bench.archive.entries()
    entry.path.write_text(entry.path.read_text().replace("## Summary\n\n", "## Summary\n\nMINE "))
    model = FakeModel(tmp_path / "model", SAID)
    assert not made(bench, model) and model.asked == []
    assert "MINE" in entry.path.read_text()


def test_a_session_that_is_not_archived_is_not_asked_about(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    transcript(environment, 1, TALK)
    model = FakeModel(tmp_path / "model", SAID)
    assert not made(bench, model) and model.asked == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["entity", "user", "hierarchical"])
def test_the_line_of_the_day_follows_what_a_model_tells_and_stays_where_it_was_edited(
    environment: Environment, tmp_path: Path, name: str
) -> None:
    bench = bench_at(environment, name)
    bench.capture(transcript(environment, 1, TALK))
    (day,) = bench.layout.days.glob("2026-*.md")
    before = day.read_text()
    model = FakeModel(tmp_path / "model", SAID, {**SAID, "summary": "The race gets a lock, and it was renamed."})
    assert made(bench, model)
    said = day.read_text()
    assert "The token refresh race gets a lock. (" in said and "We decided" not in said
    line = "\n".join(row for row in said.split("\n") if not row.startswith("  - "))
    assert line.count("000a11ce") == 1 and line.replace("The token refresh race gets a lock.", TALK[1][1]) == before
    assert "  - Decision: A lock. (" in said
    day.write_text(said.replace("The token", "The TOKEN"))
    bench.capture(transcript(environment, 1, MORE))
    assert made(bench, model)
    assert "The TOKEN refresh race gets a lock." in day.read_text()
