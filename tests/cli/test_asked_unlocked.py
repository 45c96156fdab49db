"""No model is waited for under the memory's lock: others may change the memory while one is asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from recall_tui.cli.main import run
from recall_tui.domain.documents import SourceRef
from recall_tui.environment import Environment
from recall_tui.features.wiki import page_changes
from recall_tui.llm.usage_ledger import UsageLedger
from recall_tui.storage.documents.wiki_page import PageSource
from tests.days import write_days
from tests.makers import bench_at, session_id_of, transcript

pytestmark = pytest.mark.long

CAUSE = "The root cause of the failing logins was a second tab that refreshed the same token at once."
TALK = [("user", "Why do logins fail at random?"), ("assistant", CAUSE)]
SUMMARY = {"summary": "A second tab refreshed the same token."}
_PROGRAM = """
import fcntl, pathlib, sys
sys.stdin.read()
with open({lock!r}, "a") as file:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        how = "free"
    except BlockingIOError:
        how = "held"
with open({told!r}, "a") as file:
    print(how, file=file)
print({answer!r})
"""
ONE = session_id_of(1)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("summarize", ONE, "--yes"), SUMMARY),
        (("archive", "--session", ONE), SUMMARY),
        (("synthesize", "--full", "--yes"), {"decisions": []}),
        (("remember", "--session-end", ONE), {"lessons": []}),
        (("recall", "why do logins fail"), {"claims": []}),
        (("wiki", "rebuild", "logins", "--yes"), {"sections": []}),
        (("dream",), {"operations": []}),
        (("compact", "weekly", "--yes"), {"decisions": []}),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_the_memory_is_free_while_a_model_is_asked(
    environment: Environment,
    now: Callable[[], datetime],
    tmp_path: Path,
    words: tuple[str, ...],
    answer: dict[str, Any],
) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    bench.layout.days.mkdir(exist_ok=True)
    day = bench.layout.days / "2026-03-05.md"
    day.write_text("Logins fail no longer: decided to retry them.\n")
    bench.apply(
        page_changes.stub, page_changes.NewPage("logins", "entity", PageSource(SourceRef(bench.store.relative(day))))
    )
    write_days(bench.store, date(2026, 2, 2), 3)
    told, program = tmp_path / "told", tmp_path / "model.py"
    lock = bench.store.state / "lock"
    assert lock.is_file()
    program.write_text(_PROGRAM.format(lock=str(lock), told=str(told), answer=json.dumps(answer)))
    settings = {"RECALL_LLM_PROVIDER": "command", "RECALL_LLM_COMMAND": f"'{sys.executable}' '{program}'"}
    with_model = Environment(environment.home, environment.cwd, {**environment.env, **settings})
    assert run(list(words), environment=with_model, now=now) in (0, 1)
    assert set(told.read_text().split()) == {"free"}
    assert len(UsageLedger(bench.store.state).calls()) == len(told.read_text().split())
