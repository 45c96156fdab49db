"""The one way to a model: limits, rows, answers that fit."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from recall_tui.domain.hook import GUARD_VARIABLE
from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.model import Failure, Usage
from recall_tui.llm.prompts import frame
from recall_tui.llm.usage_ledger import EMBEDDING_PURPOSE, LEDGER_FILE, UNLIMITED, CallRequest, UsageLedger, UsageLimits
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from tests.conftest import NOON
from tests.models import FakeModel, Words, store_with

ASKED = LLMRequest("say something")


@pytest.fixture
def store(environment: Environment, now: Callable[[], datetime]) -> Store:
    root = environment.cwd / "agent"
    root.mkdir()
    return Memory(make_layout(root, "entity"), environment, now)


def test_without_a_setting_there_is_no_model_and_no_row(store: Store) -> None:
    calls = ModelClient(store)
    said = calls.answer("summary", ASKED, Words)
    assert isinstance(said, Failure) and said.is_refusal
    assert not calls.is_offered("summary")
    assert not (store.state / LEDGER_FILE).exists()


def test_an_answer_is_read_and_its_call_is_in_the_ledger(store: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"text": "hello"})
    calls = ModelClient(store_with(model, store))
    assert calls.answer("summary", ASKED._replace(system="be brief", session_id="s1"), Words) == Words("hello")
    (call,) = calls.ledger.calls()
    assert (call.purpose, call.session_id, call.outcome, call.at) == ("summary", "s1", "answered", NOON)
    assert call.model.startswith("command/") and call.usage.tokens > 0 and call.ms > 0
    assert model.asked == ["be brief\n\nsay something"]


def test_an_answer_of_another_form_is_sent_back_once_and_both_calls_are_counted(store: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", "no json", {"text": "now"})
    calls = ModelClient(store_with(model, store))
    assert calls.answer("summary", ASKED, Words) == Words("now")
    assert [call.outcome for call in calls.ledger.calls()] == ["answered", "unusable"]
    assert "no JSON object" in model.asked[1] and model.asked[1].startswith("say something")
    assert frame("answer", "no json") in model.asked[1], "what was made of a transcript is no instruction either"


def test_an_answer_that_never_fits_is_a_failure(store: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"text": 3})
    calls = ModelClient(store_with(model, store))
    said = calls.answer("summary", ASKED, Words)
    assert isinstance(said, Failure) and "text" in said.reason
    assert [call.outcome for call in calls.ledger.calls()] == ["unusable", "unusable"]


def test_what_is_around_the_object_is_passed_over(store: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", 'Sure!\n```json\n{"text": "x", "more": 1}\n```\n')
    assert ModelClient(store_with(model, store)).answer("summary", ASKED, Words) == Words("x")


def test_the_call_after_the_last_of_a_day_is_refused_and_the_next_day_goes_on(store: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"text": "x"})
    limited = store_with(model, store, RECALL_LLM_CALLS_PER_DAY="2")
    calls = ModelClient(limited)
    assert [calls.answer("summary", ASKED, Words) for _ in range(2)] == [Words("x")] * 2
    refused = calls.answer("summary", ASKED, Words)
    assert isinstance(refused, Failure) and refused.is_refusal
    assert "llm.calls_per_day is 2" in refused.reason and "config set" in refused.hint
    assert len(calls.ledger.calls()) == 2 == len(model.asked)
    tomorrow = Memory(limited.layout, limited.environment, lambda: NOON + timedelta(days=1))
    assert ModelClient(tomorrow).answer("summary", ASKED, Words) == Words("x")


def test_tokens_and_sessions_have_limits_of_their_own(store: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"text": "x"})
    few = ModelClient(store_with(model, store, RECALL_LLM_TOKENS_PER_DAY="500"))
    said = few.answer("summary", ASKED, Words)
    assert isinstance(said, Failure) and "llm.tokens_per_day" in said.reason
    assert few.answer("summary", ASKED._replace(max_tokens=100), Words) == Words("x")
    once = ModelClient(store_with(model, store, RECALL_LLM_CALLS_PER_SESSION="1"))
    about = ASKED._replace(session_id="s1")
    assert once.answer("summary", about, Words) == Words("x")
    said = once.answer("summary", about, Words)
    assert isinstance(said, Failure) and "llm.calls_per_session" in said.reason
    assert once.answer("summary", ASKED._replace(session_id="s2"), Words) == Words("x")


def test_many_processes_together_stay_within_the_limit(tmp_path: Path) -> None:
    limits = UsageLimits(calls_per_day=100, tokens_per_day=10**9, calls_per_session=10**9)
    request = CallRequest(NOON, "summary", "m", "", Usage(1, 1))

    def ask(_: int) -> bool:
        return isinstance(UsageLedger(tmp_path).begin(request, limits), int)

    with ThreadPoolExecutor(8) as pool:
        granted = list(pool.map(ask, range(130)))
    assert sum(granted) == 100
    assert len(UsageLedger(tmp_path).calls(1_000)) == 100


def test_a_ledger_that_cannot_be_written_stops_every_call(store: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"text": "x"})
    armed = store_with(model, store)
    armed.state.mkdir(parents=True)
    (armed.state / LEDGER_FILE).write_bytes(b"not a database, whatever its length is" * 100)
    said = ModelClient(armed).answer("summary", ASKED, Words)
    assert isinstance(said, Failure) and "ledger" in said.reason
    assert model.asked == []


def test_a_child_of_a_model_has_no_model(store: Store, tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "model", {"text": "x"})
    said = ModelClient(store_with(model, store, **{GUARD_VARIABLE: "1"})).answer("summary", ASKED, Words)
    assert isinstance(said, Failure) and said.is_refusal
    assert model.asked == []


def test_a_purpose_may_have_no_model_of_its_own(store: Store, tmp_path: Path) -> None:
    calls = ModelClient(store_with(FakeModel(tmp_path / "model", {"text": "x"}), store, RECALL_LLM_SYNTHESIS="off"))
    assert calls.is_offered("summary") and not calls.is_offered("synthesis")


def test_the_ledger_adds_up_by_day_and_purpose(tmp_path: Path) -> None:
    ledger = UsageLedger(tmp_path)
    limits = UsageLimits(10, 10**6, 10)
    for day, purpose, cost in ((0, "summary", 0.5), (0, "summary", None), (1, "synthesis", 0.25)):
        row = ledger.begin(CallRequest(NOON + timedelta(days=day), purpose, "m", "", Usage(10, 5)), limits)
        assert isinstance(row, int)
        ledger.end(row, Usage(8, 2, cost), 100.0, "answered")
    rows = [(one.day.day, one.purpose, one.calls, one.tokens, one.cost) for one in ledger.spent()]
    assert rows == [(7, "synthesis", 1, 10, 0.25), (6, "summary", 2, 20, 0.5)]
    assert [one.purpose for one in ledger.spent(since=(NOON + timedelta(days=1)).date())] == ["synthesis"]
    assert (tmp_path / LEDGER_FILE).stat().st_mode & 0o777 == 0o600


def test_a_ledger_whose_first_call_is_just_being_written_reads_as_empty(tmp_path: Path) -> None:
    (tmp_path / LEDGER_FILE).touch()
    ledger = UsageLedger(tmp_path)
    assert ledger.calls() == () and ledger.spent() == ()
    request = CallRequest(NOON, "summary", "m", "", Usage(1, 1))
    assert isinstance(ledger.begin(request, UsageLimits(10, 10, 10)), int)
    assert len(ledger.calls()) == 1


def test_a_row_of_the_ledger_that_makes_no_sense_is_named_as_damage(tmp_path: Path) -> None:
    ledger = UsageLedger(tmp_path)
    ledger.begin(CallRequest(NOON, "summary", "m", "", Usage(1, 1)), UsageLimits(10, 10, 10))
    for column, value in (("at", "some time"), ("day", "2026-03-6x"), ("day", b"2026-03-06")):
        with closing(sqlite3.connect(tmp_path / LEDGER_FILE)) as connection, connection:
            connection.execute(f"UPDATE calls SET {column} = ?", (value,))
        with pytest.raises(BrokenFileError, match="makes no sense"):
            assert ledger.calls() and ledger.spent()


def test_calls_for_vectors_and_for_language_use_up_none_of_each_others_limits(tmp_path: Path) -> None:
    ledger, limits = UsageLedger(tmp_path), UsageLimits(1, 10, 1)
    of_vectors = CallRequest(NOON, EMBEDDING_PURPOSE, "m", "", Usage(9, 0))
    assert isinstance(ledger.begin(of_vectors, UsageLimits(UNLIMITED, 20, UNLIMITED)), int)
    assert isinstance(ledger.begin(of_vectors, UsageLimits(UNLIMITED, 20, UNLIMITED)), int)
    refused = ledger.begin(of_vectors, UsageLimits(UNLIMITED, 20, UNLIMITED))
    assert isinstance(refused, Failure) and refused.is_refusal and "embeddings.tokens_per_day is 20" in refused.reason
    of_words = CallRequest(NOON, "summary", "m", "", Usage(5, 5))
    assert isinstance(ledger.begin(of_words, limits), int)
    refused = ledger.begin(of_words, limits)
    assert isinstance(refused, Failure) and "llm.calls_per_day is 1" in refused.reason
