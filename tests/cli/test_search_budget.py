"""A search of a memory that is not indexed yet answers within its budget and says what is still being indexed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from recall_tui.cli import sync
from recall_tui.environment import Environment
from recall_tui.index.ingest import refresh
from recall_tui.index.text import commit_batch
from recall_tui.storage.files.lock import acquire
from tests.makers import bench_at, transcript

Recall = Callable[..., Any]
TALK = [("user", "Why did we pick JWT?"), ("assistant", "Because the API is stateless.")]
_TRIES, _PAUSE_SECONDS = 120, 0.5


@pytest.mark.parametrize(
    "words", [("search", "stateless"), ("recall", "stateless"), ("export", "--search", "stateless")]
)
def test_a_search_that_ran_out_of_time_says_so_and_the_rest_is_indexed_in_the_background(
    recall: Recall, environment: Environment, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    bench_at(environment)
    transcript(environment, 1, TALK)
    with monkeypatch.context() as patched:
        patched.setattr(sync, "SEARCH_BUDGET_SECONDS", -1.0)
        said = recall(*words)
    assert "the rest is indexed in the background: search again for more" in said.err
    assert "0 passages" not in said.err
    for _ in range(_TRIES):
        if "stateless" in (found := recall(*words, "--no-sync")).out:
            break
        time.sleep(_PAUSE_SECONDS)
    assert found.code == 0 and "indexed in the background" not in found.err


@pytest.mark.parametrize("command", ["search", "recall"])
def test_a_search_beside_a_process_that_indexes_says_so(
    recall: Recall, environment: Environment, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    bench = bench_at(environment)
    transcript(environment, 1, TALK)
    monkeypatch.setattr(sync, "SEARCH_BUDGET_SECONDS", 0.1)
    with acquire(bench.index.lock_path, "index", 1.0):
        said = recall(command, "stateless")
        assert said.code == 1 and "another process is indexing; search again for more" in said.err
    assert "stateless" in recall(command, "stateless").out


def test_a_search_beside_a_long_build_finds_the_newest_and_says_how_far_it_is(
    recall: Recall, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = bench_at(environment)
    for number, at in enumerate((bench.store.now(), bench.store.now() - timedelta(weeks=9)), 1):
        path = transcript(environment, number, [*TALK, ("user", f"Subject{number}?")])
        os.utime(path, (at.timestamp(), at.timestamp()))
    monkeypatch.setattr(commit_batch, "FIRST_COMMIT_SECONDS", -1.0)
    assert bench.sync(is_cancelled=lambda: bench.index.build_progress() is not None).is_cancelled
    with acquire(bench.index.lock_path, "index", 1.0):
        said = recall("search", "stateless")
    assert said.code == 0 and "stateless" in said.out
    assert re.search(r"another process is indexing, \d+ % · newest hour searchable; search again for more", said.err)
    assert re.search(r"\d+ % · newest hour searchable; run: recall-tui sync", recall("index", "status").err)
    found = next(one for one in recall("status", "--json").json["checks"] if one["name"] == "found")
    assert re.fullmatch(r"\d+ sources are indexed so far · \d+ % · newest hour searchable", found["text"]), found
    assert (found["state"], found["fix"]) == ("open", "recall-tui sync")
    assert "indexing" not in recall("search", "subject2").err
    assert "so far" not in recall("status").out


def test_only_a_long_build_is_left_to_the_background_at_once(
    recall: Recall, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench_at(environment)
    transcript(environment, 1, TALK)
    monkeypatch.setattr(sync, "LONG_BUILD_BUDGET_SECONDS", -1.0)
    said = recall("search", "stateless")
    assert said.code == 0 and "indexing" not in said.err
    transcript(environment, 2, TALK)
    monkeypatch.setattr(refresh, "LONG_RUN_BYTES", 1)
    assert "the rest is indexed in the background" in recall("search", "stateless").err


@pytest.mark.parametrize("command", ["search", "recall"])
def test_a_memory_without_an_index_says_how_to_make_one(recall: Recall, environment: Environment, command: str) -> None:
    bench_at(environment)
    said = recall(command, "stateless", "--no-sync")
    assert said.code == 1 and "nothing is indexed" in said.err and "0 passages" not in said.err
