"""Masters that once were wrong: each project is invented, and shows one fault."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.features.summaries import synthesize
from recall_tui.storage.archives import summary_file
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.summaries import lines_of, summary, synthesised

FAULTS = Path(__file__).resolve().parents[2] / "fixtures" / "faults"
CASES: list[dict[str, Any]] = tomllib.loads((FAULTS / "master.toml").read_text())["case"]


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    return bench_at(environment, "project")


def mark_drafted(path: Path, files: list[str]) -> None:
    """Make a summary one that we drafted ourselves."""
    listed = "".join(f"- {file}\n" for file in files)
    text = path.read_text() + (f"\n## Related Files/Artifacts\n\n{listed}" if files else "")
    entry = summary_file.parse_entry(text, path)
    assert entry is not None
    path.write_text(summary_file.with_checksum(text, entry))


@pytest.mark.parametrize(
    ("case", "at_once"),
    [(case, at_once) for case in CASES for at_once in ([True] if case.get("at_once") else [True, False])],
    ids=lambda value: value["fault"] if isinstance(value, dict) else "at once" if value else "one by one",
)
def test_a_fault_is_mended(bench: Workbench, case: dict[str, Any], at_once: bool) -> None:
    if "max_lines" in case:
        bench.layout.config.write_text(f'layout = "project"\n[master]\nmax_lines = {case["max_lines"]}\n')
    for number, points in enumerate(case["sessions"], 1):
        path = summary(bench.store, number, *points)
        if case.get("drafted"):
            mark_drafted(path, case.get("files", []))
        if not at_once:
            synthesised(bench)
    if at_once:
        synthesised(bench, full=True)
    text = bench.layout.master.read_text().partition("<!-- recall-master")[0]
    assert [words for words in case.get("has", ()) if words not in text] == []
    assert [words for words in case.get("lacks", ()) if words in text] == []


def test_lines_that_stay_in_their_summaries_are_told_of(bench: Workbench) -> None:
    mark_drafted(summary(bench.store, 1, "Decision: Removed the unused helper `sum_rows`", "Discovery: ok so far"), [])
    made = synthesised(bench)
    assert any("2 of 2 lines of 1 session are not in the master" in note for note in made.notes)


MANIFEST = """[project]
name = "shop"
requires-python = ">=3.11"
dependencies = ["express==4.19", "pymysql>=1.0", "left-pad"]
"""


@pytest.mark.parametrize(
    ("point", "check"),
    [
        ("Decision: Use fastify instead of express for the api", "dependency fastify is not there, express is"),
        ("Decision: Use express instead of fastify for the api", ""),
        ("Decision: orders are kept in Postgres", "the database driver is pymysql"),
        ("Decision: orders are kept in MariaDB", ""),
        ("Decision: removed left-pad from the bundle", "dependency left-pad is still there"),
        ("Decision: the api runs on express 3", "express is ==4.19"),
        ("Decision: the api runs on express 4", ""),
        ("Decision: the shop is written for Python 3.9", "python is >=3.11"),
        ("Decision: the shop is written for Python 3.12", ""),
        ("Decision: the shop was written for Python 3.9", ""),
    ],
)
def test_what_the_manifests_say_speaks_against_a_line_also_later(bench: Workbench, point: str, check: str) -> None:
    summary(bench.store, 1, point)
    synthesised(bench)
    assert not any("(check:" in line for line in lines_of(bench)), "there is no code yet"
    (bench.store.root / "pyproject.toml").write_text(MANIFEST)
    bench.apply(lambda _: synthesize.plan_master(bench.store, synthesize.draft_master(bench.store)))
    checks = [line for line in lines_of(bench) if "(check:" in line]
    assert [check in line for line in checks] == ([True] if check else [])
