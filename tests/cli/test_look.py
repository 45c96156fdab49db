"""`status`, `dashboard`, `show`, `list` from the command line."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript, tree

Recall = Callable[..., Any]
TALK = [("user", "Fix the token refresh race"), ("assistant", "We use a lock around the refresh now.")]


def filled(environment: Environment) -> Any:
    bench = bench_at(environment)
    for number in (1, 2):
        bench.capture(transcript(environment, number, TALK, start=NOON - timedelta(days=9 - number)))
    return bench


def test_status_says_which_memory_and_how_it_is(recall: Recall, environment: Environment) -> None:
    filled(environment)
    said = recall("status")
    assert said.code == 0
    lines = dict(line.split(maxsplit=1) for line in said.out.splitlines() if line[:1].isalpha())
    assert lines["memory"] == str(environment.cwd)
    assert lines["layout"].startswith("entity  (nearest folder upward")
    assert lines["health"] == "● healthy"
    assert lines["recent"].startswith("2/5 sessions")
    assert lines["archives"].startswith("2,")
    assert "/200 lines" in lines["MEMORY.md"]


def test_status_is_one_json_document_with_stable_keys(recall: Recall, environment: Environment) -> None:
    filled(environment)
    said = recall("status", environment.cwd, "--json").json
    assert (said["root"], said["layout"], said["health"], said["reasons"]) == (
        str(environment.cwd),
        "entity",
        "healthy",
        [],
    )
    assert (said["archives"]["count"], said["window"]["entries"], said["window"]["max"]) == (2, 2, 5)
    assert {"lines", "max_lines", "percent"} <= set(said["memory"])


def test_status_exits_1_when_the_memory_is_down(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    shutil.rmtree(bench.layout.base)
    for words in (["status"], ["dashboard"], ["status", "--json"]):
        said = recall(*words, "--root", environment.cwd, "--layout", "entity")
        assert said.code == 1 and "down" in said.out and "recall-tui init" in said.out


def test_status_says_why_it_is_degraded(recall: Recall, environment: Environment) -> None:
    filled(environment).layout.rows.unlink()
    said = recall("status")
    assert said.code == 0
    assert "▲ degraded" in said.out and "doctor --fix" in said.out


def test_the_dashboard_shows_bars_sessions_and_sections(recall: Recall, environment: Environment) -> None:
    filled(environment)
    said = recall("dashboard")
    assert said.code == 0
    assert "━" in said.out and "conversation-002" in said.out and "largest sections" in said.out
    rows = recall("dashboard", "--json").json["recent"]
    assert [row["name"] for row in rows] == ["conversation-002", "conversation-001"]


def test_the_title_of_the_whole_file_is_none_of_its_sections(recall: Recall, environment: Environment) -> None:
    bench = filled(environment)
    long, short = "\n".join(f"- rule {number}" for number in range(9)), "- one"
    bench.layout.memory_file.write_text(f"# Memory\n\n## Ports\n\n{short}\n\n## Rules\n\n{long}\n")
    held = recall("dashboard", "--json").json["memory"]
    assert [one["title"] for one in held["largest"]] == ["Rules", "Ports"]
    bench.layout.memory_file.write_text(f"# Memory\n\n{long}\n")
    assert [one["title"] for one in recall("status", "--json").json["memory"]["largest"]] == ["Memory"]


def test_looking_changes_nothing(recall: Recall, environment: Environment) -> None:
    filled(environment)
    before = tree(environment.cwd)
    for words in (["status"], ["dashboard"], ["list"], ["show", "1"], ["doctor"], ["distill"], ["config"]):
        recall(*words)
    assert tree(environment.cwd) == before


@pytest.mark.parametrize("name", ["1", "001", "conversation-001", "memory/conversations/conversation-001.md"])
def test_a_document_is_called_by_number_name_or_path(name: str, recall: Recall, environment: Environment) -> None:
    bench = filled(environment)
    assert recall("show", name).out == bench.archive.entries()[0].path.read_text()


def test_a_document_is_called_by_its_session(recall: Recall, environment: Environment) -> None:
    filled(environment)
    assert recall("show", session_id_of(2), "--json").json["title"] == "conversation-002"


def test_lines_of_a_document_are_shown(recall: Recall, environment: Environment) -> None:
    bench_at(environment).layout.memory_file.write_text("one\ntwo\nthree\nfour")
    assert recall("show", "memory:2-3").out == "two\nthree\n"
    assert recall("show", "memory:4").out == "four"
    assert recall("show", "memory:3-99").out == "three\nfour"
    assert recall("show", "memory:2", "--json").json["lines"] == [2, 2]


@pytest.mark.parametrize("name", ["memory:9", "nothing", "nothing:3", "../../etc/passwd", ""])
def test_what_is_not_there_is_said(name: str, recall: Recall, environment: Environment) -> None:
    bench_at(environment).layout.memory_file.write_text("one\ntwo\n")
    said = recall("show", name)
    assert (said.code, said.out) == (1, "") and said.err


def test_documents_are_listed_newest_first(recall: Recall, environment: Environment) -> None:
    filled(environment)
    rows = recall("list", "conversation", "--json").json["documents"]
    assert [row["number"] for row in rows] == [2, 1]
    assert rows[0]["session_id"] == session_id_of(2) and rows[0]["messages"] == 2
    assert {"memory", "window", "conversation"} <= {row["kind"] for row in recall("list", "--json").json["documents"]}
    assert "conversation-002" in recall("list").out


def test_a_list_is_of_a_time(recall: Recall, environment: Environment) -> None:
    filled(environment)
    after = recall("list", "conversation", "--after", "2026-02-27", "--json").json["documents"]
    before = recall("list", "conversation", "--before", "2026-02-26", "--json").json["documents"]
    assert [row["number"] for row in after] == [2]
    assert [row["number"] for row in before] == [1]


def test_an_empty_list_exits_1(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = recall("list", "wiki")
    assert (said.code, said.out) == (1, "") and "wiki" in said.err


def test_a_day_is_read_by_its_date(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.days.mkdir()
    (bench.layout.days / "2026-03-06.md").write_text("We chose JWT.\n")
    assert recall("read", "2026-03-06").out == "We chose JWT.\n"
    assert recall("read", "2026-03-07").code == 1
