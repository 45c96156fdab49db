"""`synthesize` and the master that `recall` prints."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.scopes import open_scope
from recall_tui.storage.state import proposals
from recall_tui.workbench import Workbench
from tests.architecture.trees import CHECKOUT
from tests.cli.conftest import Recall
from tests.makers import bench_at
from tests.models import slow
from tests.summaries import lines_of, summary
from tests.terminal import read_to_end


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    made = bench_at(environment, "project")
    summary(made.store, 1, "Decision: Use Redis")
    return made


def test_with_yes_it_is_written_and_undone(recall: Recall, bench: Workbench) -> None:
    said = recall("synthesize", "--yes")
    assert said.code == 0 and "Synthesised 1 new summary into _memory/master.md" in said.out
    assert "- Use Redis (00000001, 2026-02-01)" in lines_of(bench)
    again = recall("synthesize", "--yes")
    assert again.code == 0 and "nothing new since 2026-03-06" in again.err
    assert recall("undo").code == 0 and not bench.layout.master.exists()


def test_ctrl_c_goes_on_without_the_model(bench: Workbench, tmp_path: Path) -> None:
    said = slow(bench.store.environment, tmp_path, "synthesize", "--dry-run")
    said.send_signal(signal.SIGINT)
    out, err = said.communicate(timeout=60)
    assert said.returncode == 0 and b"+- Use Redis" in out
    assert b"asking the model" in err and b"without a model: cancelled" in err


@pytest.mark.parametrize("is_edited", [False, True])
def test_what_a_summary_alone_said_goes_with_it(recall: Recall, bench: Workbench, is_edited: bool) -> None:
    path = summary(bench.store, 2, "Decision: Use Valkey instead of Redis")
    assert recall("synthesize", "--yes").code == 0
    assert any("Redis → settled on Valkey (00000001" in line for line in lines_of(bench))
    if is_edited:
        summary(bench.store, 2, "Decision: Log in JSON")
    else:
        path.unlink()
    assert recall("synthesize", "--yes").code == 0
    assert not any("Valkey" in line for line in lines_of(bench))
    assert any("Use Redis (00000001" in line for line in lines_of(bench))
    after = lines_of(bench)
    assert recall("synthesize", "--full", "--yes").code == 0 and lines_of(bench) == after


def test_a_dry_run_shows_the_change_and_makes_none(recall: Recall, bench: Workbench) -> None:
    said = recall("synthesize", "--dry-run")
    assert said.code == 0 and "+- Use Redis (00000001, 2026-02-01)" in said.out and "not done" in said.err
    found = recall("--json", "synthesize", "--dry-run").json
    assert "+- Use Redis" in found["diff"] and found["facts"]["read"] == 1
    assert not bench.layout.master.exists() and proposals.list_open(bench.store) == ()


def test_where_nobody_can_be_asked_it_waits_in_review(recall: Recall, bench: Workbench) -> None:
    said = recall("synthesize")
    (waiting,) = proposals.list_open(bench.store)
    assert said.code == 0 and f"it waits in review: {waiting.id}" in said.out
    assert not bench.layout.master.exists()
    found = recall("--json", "synthesize", "--review", "--yes").json
    assert found["proposal"] == waiting.id and found["change"] is None
    recall("review", "dismiss", waiting.id)
    assert "decided on in review before" in recall("synthesize").out


@pytest.mark.long
@pytest.mark.parametrize(("answer", "is_written"), [(b"y\n", True), (b"n\n", False)])
def test_on_a_terminal_the_change_is_shown_and_asked_about(bench: Workbench, answer: bytes, is_written: bool) -> None:
    main, side = pty.openpty()
    env = {**os.environ, **bench.store.environment.env, "PYTHONPATH": str(CHECKOUT), "TERM": "xterm"}
    words = [sys.executable, "-P", "-m", "recall_tui", "--root", str(bench.store.root), "synthesize"]
    process = subprocess.Popen(words, env=env, stdin=side, stdout=side, stderr=side)
    os.close(side)
    os.write(main, answer)
    shown = read_to_end(main)
    assert process.wait() == (0 if is_written else 1)
    assert "- Use Redis (00000001, 2026-02-01)" in shown and "Write this? [y/N]" in shown
    assert bench.layout.master.exists() is is_written


def test_a_broken_summary_is_said_with_file_and_line(recall: Recall, bench: Workbench) -> None:
    assert bench.layout.summaries is not None
    (bench.layout.summaries / "bad.md").write_bytes(b"# X\n\xff\n")
    said = recall("synthesize", "--yes")
    assert said.code == 0 and "bad.md:2: it is not UTF-8" in said.err
    assert "Use Redis" in bench.layout.master.read_text()


def test_json_tells_what_was_read(recall: Recall, bench: Workbench) -> None:
    found = recall("--json", "synthesize", "--yes").json
    assert found["change"]["title"].startswith("Synthesised 1 new summary")
    assert (found["read"], found["lines"]) == (1, 2)
    assert recall("--json", "synthesize", "--yes").json["change"] is None


def test_recall_without_a_question_prints_the_master_and_its_age(recall: Recall, bench: Workbench) -> None:
    said = recall("recall")
    assert (said.code, said.out) == (1, "")
    assert "nothing has been synthesised yet; 1 summary waits: recall-tui synthesize" in said.err
    recall("synthesize", "--yes")
    said = recall("recall")
    assert said.code == 0 and said.err.strip() == "last synthesised today"
    assert "- Use Redis (00000001, 2026-02-01)" in said.out and "<!--" not in said.out
    path = bench.layout.master
    path.write_text(path.read_text().replace("synthesized: 2026-03-06", "synthesized: 2026-02-22"))
    summary(bench.store, 2, "Decision: Log in JSON")
    summary(bench.store, 3, "Decision: Ship on Friday")
    assert "last synthesised 12 days ago, 2 new summaries since: recall-tui synthesize" in recall("recall").err
    found = recall("--json", "recall").json
    assert (found["last_synthesized"], found["new_summaries"]) == ("2026-02-22", 2)


def test_an_empty_memory_points_to_summarize(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    said = recall("recall")
    assert said.code == 1 and "nothing has been synthesised yet: /summarize" in said.err
    said = recall("synthesize", "--yes")
    assert said.code == 0 and "there is no summary yet" in said.err
    assert not bench.layout.master.exists()


def test_a_scope_has_a_master_of_its_own(recall: Recall, bench: Workbench) -> None:
    scope = open_scope(bench.store, "frontend")
    summary(scope, 7, "Decision: Use Vue for the page")
    assert recall("synthesize", "--yes", "--scope", "frontend").code == 0
    assert "Use Vue" in scope.layout.master.read_text() and not bench.layout.master.exists()
    assert "Use Vue" in recall("recall", "--scope", "frontend").out
    assert recall("recall").code == 1
    recall("synthesize", "--yes")
    assert "Use Vue" not in bench.layout.master.read_text()
    assert recall("synthesize", "--scope", "../x").code == 2


def test_summaries_and_masters_are_found_and_listed(recall: Recall, bench: Workbench) -> None:
    summary(open_scope(bench.store, "frontend"), 7, "Decision: Use the heron palette in frontend")
    recall("synthesize", "--yes")
    recall("synthesize", "--yes", "--scope", "frontend")
    hits = recall("--json", "search", "--ranked", "use redis").json["hits"]
    assert {hit["kind"] for hit in hits} >= {"summary", "master"}
    hits = recall("--json", "search", "--ranked", "heron palette").json["hits"]
    assert {hit["document"] for hit in hits} >= {"_memory/frontend/master.md"}
    found = recall("--json", "recall", "--scope", "frontend", "heron palette").json["extracts"]
    assert found and all(one["document"].startswith("_memory/frontend/") for one in found)
    told = recall("recall", "use redis").out
    assert "Use Redis" in told and "<!--" not in told
    listed = recall("list").out
    assert "master.md" in listed
