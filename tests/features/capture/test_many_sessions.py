"""What is said of many sessions is found out once, and not anew for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.features.capture.kept_sessions import KeptSessions, count_kept
from recall_tui.storage.files import atomic
from recall_tui.transcripts import project
from tests.conftest import NOON
from tests.makers import bench_at, transcript

SESSIONS = 12
TALK = [("user", "Fix the token refresh race"), ("assistant", "We decided to use a lock. All tests pass.")]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any, str], Counter[str]]]:
    """Counts the calls of a function, by what it is first handed."""

    def count(module: Any, name: str) -> Counter[str]:
        calls: Counter[str] = Counter()
        real = getattr(module, name)

        def called(*args: Any, **options: Any) -> Any:
            calls[str(args[0])] += 1
            return real(*args, **options)

        monkeypatch.setattr(module, name, called)
        return calls

    yield count


def make(environment: Environment) -> list[Path]:
    return [
        transcript(environment, number, TALK, start=NOON - timedelta(days=1, minutes=number))
        for number in range(SESSIONS)
    ]


@pytest.mark.parametrize("name", ["entity", "user"])
def test_the_list_of_transcripts_that_were_read_is_opened_once(
    environment: Environment, counted: Callable[[Any, str], Counter[str]], name: str
) -> None:
    bench = bench_at(environment, name)
    for path in make(environment):
        bench.capture(path)
        bench.capture(path)
    opened = counted(atomic, "read_json")
    found = count_kept(bench.store)
    assert (found.total, found.kept, found.missing) == (SESSIONS, SESSIONS, 0)
    assert opened[str(bench.store.state / "read.json")] <= 1


def test_a_folder_is_compared_with_the_project_once(
    environment: Environment, counted: Callable[[Any, str], Counter[str]]
) -> None:
    bench = bench_at(environment, root=environment.cwd)
    (environment.cwd / "memory/.recall-echo.toml").write_text('[transcripts]\nprojects = "here"\n', encoding="utf-8")
    make(environment)
    compared = counted(project, "project_of")
    found: KeptSessions = count_kept(bench.store)
    assert found.total + found.others == SESSIONS
    assert compared["/home/u/api"] <= 1
