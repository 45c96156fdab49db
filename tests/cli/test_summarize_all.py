"""`summarize --all` has the model tell of every session, within the limits of the day, and goes on the next time."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import bench_at, session_id_of, transcript
from tests.models import FakeModel

SAID = {"title": "Session tokens", "summary": "Tokens of sessions now expire after one hour.", "topics": ["tokens"]}


def sessions(environment: Environment, count: int, layout: str = "entity") -> None:
    bench = bench_at(environment, layout)
    for number in range(1, count + 1):
        talk = [
            ("user", f"How long do tokens of session {number} last?"),
            ("assistant", "Tokens now expire after one hour."),
        ]
        bench.capture(transcript(environment, number, talk, cwd=str(environment.cwd)))


@pytest.mark.long
@pytest.mark.parametrize("layout", ["entity", "project"])
def test_every_session_is_told_once(environment: Environment, recall: Recall, tmp_path: Path, layout: str) -> None:
    sessions(environment, 3, layout)
    model = FakeModel(tmp_path / "model", SAID)
    environment.env.update(model.env)  # type: ignore[attr-defined]
    seen = recall("summarize", "--all", "--dry-run", "--json").json
    assert seen == {"sessions": 3, "tokens": 9_300, "cost": None} and not model.asked
    done = recall("summarize", "--all", "--yes", "--json").json
    assert sorted(done["told"]) == [session_id_of(number) for number in (1, 2, 3)] and done["left"] == 0
    assert len(model.asked) == 3
    again = recall("summarize", "--all", "--yes")
    assert again.code == 0 and "by the model already" in again.out and len(model.asked) == 3


def test_the_limit_of_the_day_ends_it_and_the_next_run_goes_on(
    environment: Environment, recall: Recall, tmp_path: Path
) -> None:
    sessions(environment, 3)
    model = FakeModel(tmp_path / "model", SAID)
    environment.env.update({**model.env, "RECALL_LLM_CALLS_PER_DAY": "2"})  # type: ignore[attr-defined]
    first = recall("summarize", "--all", "--yes")
    assert "2 sessions told, 0 failed, 1 left" in first.out and "llm.calls_per_day" in first.err
    environment.env["RECALL_LLM_CALLS_PER_DAY"] = "10"  # type: ignore[index]
    assert "1 sessions told" in recall("summarize", "--all", "--yes").out


def test_nothing_begins_without_a_model_or_a_word(environment: Environment, recall: Recall, tmp_path: Path) -> None:
    sessions(environment, 1)
    without = recall("summarize", "--all", "--yes")
    assert without.code == 2 and "llm.provider" in without.err
    model = FakeModel(tmp_path / "model", SAID)
    environment.env.update(model.env)  # type: ignore[attr-defined]
    asked = recall("summarize", "--all")
    assert asked.code != 0 and "about 3,100 tokens" in asked.err and not model.asked
    assert recall("summarize", "--all", session_id_of(1)).code == 2


def test_a_lying_model_is_told_of_and_changes_nothing(environment: Environment, recall: Recall, tmp_path: Path) -> None:
    sessions(environment, 1)
    before = {path: path.read_bytes() for path in environment.cwd.rglob("*.md")}
    model = FakeModel(tmp_path / "model", {**SAID, "summary": "Anna moved the tokens to Kafka in 2019."})
    environment.env.update(model.env)  # type: ignore[attr-defined]
    done = recall("summarize", "--all", "--yes")
    assert done.code == 1 and "0 sessions told, 1 failed" in done.out
    assert {path: path.read_bytes() for path in environment.cwd.rglob("*.md")} == before
