"""`ledger` tells what models were asked, and a limit stops the next call whoever makes it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from recall_tui.cli.main import run
from recall_tui.environment import Environment
from recall_tui.features.health.checklist import NO_MODEL_NOTE
from recall_tui.llm.model import Usage
from recall_tui.llm.usage_ledger import LEDGER_FILE, CallRequest, UsageLedger, UsageLimits
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import bench_at, transcript
from tests.models import FakeModel

PLENTY = UsageLimits(1_000, 1_000_000, 1_000)


def filled(state: Path, count: int, at: datetime = NOON, cost: float | None = 0.01, purpose: str = "summary") -> None:
    """Calls that were made."""
    ledger = UsageLedger(state)
    for _ in range(count):
        row = ledger.begin(CallRequest(at, purpose, "test/x", "session-1", Usage(10, 0)), PLENTY)
        assert isinstance(row, int)
        ledger.end(row, Usage(60, 40, cost), 1_500, "answered")


def test_a_memory_that_asked_no_model_says_so(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    said = recall("ledger")
    assert said.code == 0 and said.out.startswith(f"{NO_MODEL_NOTE}\n")
    assert "no model was asked yet" in said.err
    found = recall("--json", "ledger", "--calls").json
    assert found["models"] == {} and found["calls"] == found["days"] == [] and found["left"]["calls"] == 100
    assert not (bench.store.state / LEDGER_FILE).exists()


def test_calls_tokens_and_cost_are_told_by_day_and_purpose(recall: Recall, environment: Environment) -> None:
    state = bench_at(environment).store.state
    filled(state, 3)
    filled(state, 2, cost=None, purpose="synthesis")
    filled(state, 1, NOON - timedelta(days=40))
    said = recall("ledger")
    assert "today      5 calls · 500 tokens · $0.0300" in said.out
    assert "left       95 of 100 calls · 999,500 of 1,000,000 tokens" in said.out
    assert "total      6 calls · 600 tokens · $0.0400" in said.out
    assert [line.split()[:3] for line in said.out.splitlines()[-2:]] == [
        ["2026-03-06", "summary", "3"],
        ["2026-03-06", "synthesis", "2"],
    ]
    found = recall("--json", "ledger", "--days", "60").json
    assert [day["day"] for day in found["days"]] == ["2026-03-06", "2026-03-06", "2026-01-25"]
    assert found["days"][1]["cost"] is None and found["today"]["tokens"] == 500


def test_calls_for_vectors_are_told_and_leave_the_limits_of_language_models_alone(
    recall: Recall, environment: Environment
) -> None:
    filled(bench_at(environment).store.state, 4, purpose="embedding")
    said = recall("ledger")
    assert "today      4 calls · 400 tokens" in said.out
    assert "left       100 of 100 calls · 1,000,000 of 1,000,000 tokens" in said.out
    assert said.out.splitlines()[-1].split()[:3] == ["2026-03-06", "embedding", "4"]


def test_a_server_of_vectors_is_told_as_models_are(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    recall("config", "set", "embeddings.provider", "openai")
    assert "embedding  none: the server needs the name of a model" in recall("ledger").out
    recall("config", "set", "embeddings.model", "small")
    recall("config", "set", "embeddings.api_base", "http://localhost:1")
    said = recall("ledger")
    assert said.out.startswith("embedding  localhost:1/small\n") and "no model is configured" not in said.out
    recall("config", "set", "embeddings.provider", "local")
    assert recall("ledger").out.startswith(NO_MODEL_NOTE)


def test_each_call_is_told_with_what_became_of_it(recall: Recall, environment: Environment) -> None:
    state = bench_at(environment).store.state
    filled(state, 1)
    row = UsageLedger(state).begin(CallRequest(NOON, "dream", "test/y", "", Usage(5, 5)), PLENTY)
    assert isinstance(row, int)
    UsageLedger(state).end(row, Usage(5, 0), 20, "failed", "it \x1b[2Jbroke\nlate")
    said = recall("ledger", "--calls")
    assert said.out.splitlines()[-2].split()[2:4] == ["dream", "test/y"]
    assert "failed" in said.out and "it broke late" in said.out and "session-" in said.out
    assert [one["outcome"] for one in recall("--json", "ledger", "--calls").json["calls"]] == ["failed", "answered"]


def test_a_broken_ledger_is_an_error_and_no_guess(recall: Recall, environment: Environment) -> None:
    state = bench_at(environment).store.state
    state.mkdir(parents=True, exist_ok=True)
    (state / LEDGER_FILE).write_bytes(b"no database" * 200)
    said = recall("ledger")
    assert said.code == 1 and LEDGER_FILE in said.err and "start a new one" in said.err


@pytest.mark.long
@pytest.mark.parametrize("made", [99, 100])
def test_the_call_after_the_hundredth_of_a_day_is_refused_with_a_message(
    made: int,
    environment: Environment,
    now: Callable[[], datetime],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    state = bench_at(environment).store.state
    transcript(environment, 1, [("user", "Why do logins fail?"), ("assistant", "Two tabs refresh one token.")])
    filled(state, made)
    model = FakeModel(tmp_path / "model", {"claims": [{"text": "Two tabs refresh one token.", "evidence": [1]}]})
    env = {**environment.env, **model.env, "RECALL_LLM_CALLS_PER_DAY": "100"}
    code = run(
        ["recall", "logins fail token"], environment=Environment(environment.home, environment.cwd, env), now=now
    )
    said = capsys.readouterr()
    assert code == 0 and ("[1]" in said.out) == (made == 99)
    assert ("100 calls were made today; llm.calls_per_day is 100" in said.err) == (made == 100)
    assert len(model.asked) == 100 - made
    assert len(UsageLedger(state).calls(1_000)) == 100
