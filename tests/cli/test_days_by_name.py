"""Days as a person names them: a date with several logs, `yesterday`, `3d`, and sessions that went on past midnight."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript

WITH_LOGS = tuple(name for name in LAYOUT_NAMES if name not in ("project", "claude-project"))
TALK = [("user", "Repaint the gangway before the audit"), ("assistant", "We decided to use marine paint.")]


def days_folder(environment: Environment, name: str) -> tuple[str, Path]:
    bench = bench_at(environment, name)
    bench.layout.days.mkdir(parents=True, exist_ok=True)
    return f"--root={bench.store.root}", bench.layout.days


@pytest.mark.parametrize("name", WITH_LOGS)
@pytest.mark.parametrize("other", ["2026-03-01-b", "2026-03-01-2", "2026-03-01_notes"])
def test_a_date_is_all_logs_of_the_day(recall: Recall, environment: Environment, name: str, other: str) -> None:
    root, days = days_folder(environment, name)
    (days / "2026-03-01.md").write_text("# 2026-03-01\n\nThe heron was repaired.\n")
    (days / f"{other}.md").write_text("# 2026-03-01\n\nThe crane was oiled.\n")
    for verb in ("read", "show"):
        said = recall(root, verb, "2026-03-01").out
        assert said.index("heron was repaired") < said.index("crane was oiled")
        said = recall(root, verb, other).out
        assert "crane was oiled" in said and "heron" not in said
    assert recall(root, "read", "2026-03-01-zz").code == 1


@pytest.mark.parametrize("name", WITH_LOGS)
def test_a_day_is_counted_back_to(recall: Recall, environment: Environment, name: str) -> None:
    root, days = days_folder(environment, name)
    for back, bird in enumerate(("heron", "stork", "ibis", "egret")):
        (days / f"{(NOON - timedelta(days=back)).date()}.md").write_text(f"The {bird} came.\n")
    for verb in ("read", "show"):
        for word, bird in (("today", "heron"), ("yesterday", "stork"), ("2d", "ibis"), ("3-days-ago", "egret")):
            said = recall(root, verb, word)
            assert said.code == 0 and f"The {bird} came." in said.out, (verb, word, said.err)
    assert recall(root, "show", "yesterday:1").out == "The stork came.\n"
    assert f"there is no log of {(NOON - timedelta(days=9)).date()}" in recall(root, "read", "9d").err


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_session_over_midnight_is_named_on_its_first_day(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    start = datetime(2026, 2, 20, 23, 50, tzinfo=NOON.tzinfo)
    path = transcript(environment, 1, TALK, start=start, step=timedelta(minutes=20))
    recall(root, "archive", str(path))
    recall(root, "sync")
    for verb in ("read", "show"):
        said = recall(root, verb, "2026-02-20")
        assert said.code == 1 and f"recall-tui show {session_id_of(1)}" in said.err, said.err
    if bench.layout.days.is_dir():
        (bench.layout.days / "2026-02-20.md").write_text("The heron came.\n")
        said = recall(root, "read", "2026-02-20")
        assert "heron came" in said.out and f"went on after 2026-02-20: recall-tui show {session_id_of(1)}" in said.err


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_day_with_one_session_is_summarized(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    cwd = str(bench.store.root)
    transcript(environment, 1, TALK, start=NOON - timedelta(days=1), cwd=cwd)
    for number in (2, 3):
        transcript(environment, number, TALK, start=NOON - timedelta(days=3, hours=number), cwd=cwd)
    recall(root, "archive", "--all-unarchived")
    recall(root, "sync")
    said = recall(root, "summarize", "yesterday", "--dry-run")
    assert said.code == 0 and "Repaint the gangway" in said.out + said.err, said.err
    said = recall(root, "summarize", "3d", "--dry-run")
    assert said.code == 2 and "2 sessions were held" in said.err and session_id_of(3) in said.err
    assert "no sessions were held" in recall(root, "summarize", "today", "--dry-run").err
