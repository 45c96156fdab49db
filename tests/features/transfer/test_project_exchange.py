"""A project's memory goes out and in: summaries, the master and `_docs/`, for a team or as a template."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError
from recall_tui.features.summaries import synthesize
from recall_tui.features.summaries.synthesis_state import count_new_summaries
from recall_tui.features.transfer import importer as importing
from recall_tui.storage.scopes import open_scope
from recall_tui.workbench import Workbench
from tests.makers import bench_at, tree
from tests.summaries import lines_of, summary, synthesised


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    made = bench_at(environment, "project")
    (made.store.root / "_docs" / "deep").mkdir(parents=True)
    (made.store.root / "_docs" / "plan.md").write_text("# Plan\n\nShip it.\n")
    (made.store.root / "_docs" / "deep" / "notes.txt").write_text("noted\n")
    (made.store.root / "_docs" / "picture.png").write_bytes(b"\x89PNG")
    summary(made.store, 1, "Decision: Use Redis")
    summary(open_scope(made.store, "frontend"), 2, "Decision: Use Vue")
    synthesised(made)
    return made


def elsewhere(bench: Workbench, folder: Path) -> Workbench:
    """An empty memory of layout project, on the same machine."""
    return bench_at(bench.store.environment._replace(cwd=folder), "project")


def exported(bench: Workbench, to: Path) -> Path:
    """The whole memory in a file."""
    done = bench.export(None, to)
    assert [one.path for one in done.left_out if "config" not in one.path] == ["_docs/picture.png"]
    return to


def test_a_whole_project_memory_comes_in_as_it_went_out(bench: Workbench, tmp_path: Path) -> None:
    parcel = importing.load_import(exported(bench, tmp_path / "team.json"))
    other = elsewhere(bench, tmp_path / "other")
    other.apply(importing.import_bundle, parcel)
    mine, theirs = tree(bench.store.root), tree(other.store.root)
    assert {name for name in mine if name not in theirs} == {"_docs/picture.png"}
    assert all(theirs[name] == mine[name] for name in theirs if not name.startswith("_memory/."))
    assert count_new_summaries(other.store) == 0 and synthesize.draft_master(other.store).is_same
    assert not other.apply(importing.import_bundle, parcel)


def test_a_master_alone_is_a_template_whose_lines_stay(bench: Workbench, tmp_path: Path) -> None:
    to = tmp_path / "master.json"
    bench.export([bench.layout.master], to)
    other = elsewhere(bench, tmp_path / "other")
    other.apply(importing.import_bundle, importing.load_import(to))
    summary(other.store, 5, "Decision: Log in JSON")
    synthesised(other)
    assert {"- Use Redis (00000001, 2026-02-01)", "- Log in JSON (00000005, 2026-02-05)"} <= set(lines_of(other))


def test_what_is_another_here_stays_and_is_said(bench: Workbench, tmp_path: Path) -> None:
    parcel = importing.load_import(exported(bench, tmp_path / "team.json"))
    other = elsewhere(bench, tmp_path / "other")
    docs = other.store.root / "_docs"
    docs.mkdir()
    (docs / "plan.md").write_text("# Ours\n")
    plan = importing.import_bundle(other.store, parcel)
    assert plan.facts["conflicts"] == ["_docs/plan.md"]
    other.apply(importing.import_bundle, parcel)
    assert (docs / "plan.md").read_text() == "# Ours\n"


@pytest.mark.parametrize("path", ["_docs/../evil.md", "_docs/run.sh", "_docs", "docs/x.md", "_docs/.hidden.md"])
def test_no_file_comes_in_at_a_place_that_is_none(bench: Workbench, tmp_path: Path, path: str) -> None:
    to = exported(bench, tmp_path / "team.json")
    told = json.loads(to.read_text())
    next(one for one in told["files"] if one["path"] == "_docs/plan.md")["path"] = path
    to.write_text(json.dumps(told))
    other = elsewhere(bench, tmp_path / "other")
    with pytest.raises(BrokenFileError):
        importing.import_bundle(other.store, importing.load_import(to))
