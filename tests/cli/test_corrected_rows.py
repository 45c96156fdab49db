"""A row of ARCHIVE.md that a person corrected is brought up to date in place, however soon the session grows."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at, transcript

SAID = [("user", "Which cache shall the gateway use?"), ("assistant", "We decided to use Redis, since it is fast.")]


@pytest.mark.parametrize("name", ["entity", "project", "user"])
def test_a_corrected_row_stays_the_only_one(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    recall(root, "archive", transcript(environment, 1, SAID))
    rows = bench.layout.rows
    lines = rows.read_text(encoding="utf-8").split("\n")
    at = next(at for at, line in enumerate(lines) if line.startswith("| 001"))
    cells = lines[at].split(" | ")
    cells[3] += ", harbour"
    lines[at] = " | ".join(cells)
    rows.write_text("\n".join(lines), encoding="utf-8")
    recall(root, "archive", transcript(environment, 1, SAID * 3))
    text = rows.read_text(encoding="utf-8")
    assert text.count("\n| 001") == 1 and text.count("harbour") == 1
    recall(root, "doctor", "--fix")
    assert "harbour" in rows.read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("cells", [" mine |", " 5 | mine |"])
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_cells_that_a_person_added_to_a_row_stay_with_it(
    recall: Recall, environment: Environment, name: str, cells: str
) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    recall(root, "archive", transcript(environment, 1, SAID))
    rows = bench.layout.rows
    lines = rows.read_text(encoding="utf-8").split("\n")
    at = next(at for at, line in enumerate(lines) if line.startswith("| 001"))
    words = lines[at].split(" | ")
    words[3] = ", ".join([*words[3].split(", ")[:-1], "harbour"])
    lines[at] = " | ".join(words) + cells
    rows.write_text("\n".join(lines), encoding="utf-8")
    recall(root, "archive", transcript(environment, 1, SAID * 3))
    for _ in range(2):
        (row,) = [line for line in rows.read_text(encoding="utf-8").split("\n") if line.startswith("| 001")]
        assert row.endswith(f" |{cells}") and "harbour |" in row and "harbour |" + cells not in row
        assert recall(root, "doctor", "--fix").code == 0


def test_of_doubled_rows_a_persons_topics_stay(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    root = f"--root={bench.store.root}"
    recall(root, "archive", transcript(environment, 1, SAID * 2))
    rows = bench.layout.rows
    text = rows.read_text(encoding="utf-8")
    line = next(line for line in text.split("\n") if line.startswith("| 001"))
    cells = line.split(" | ")
    cells[3:5] = [f"{cells[3]}, harbour", "2"]
    rows.write_text(text.replace(line, "\n".join([" | ".join(cells), line])), encoding="utf-8")
    recall(root, "doctor", "--fix")
    text = rows.read_text(encoding="utf-8")
    assert text.count("\n| 001") == 1 and "harbour | 4 |" in text


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
@pytest.mark.parametrize("place", ["above", "below"])
def test_a_persons_line_around_what_we_wrote_beside_the_text_changes_no_row(
    recall: Recall, environment: Environment, name: str, place: str
) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    path = transcript(
        environment, 1, [("user", "Fix the token refresh race"), ("assistant", "We decided to use a lock.")]
    )
    assert recall(root, "archive", path).code == 0
    recall(root, "synthesize", "--yes")
    rows = bench.layout.rows.read_text()
    folders = [one.folder for one in bench.layout.archives] + [bench.layout.summaries or bench.layout.base / "none"]
    pages = [page for folder in folders for page in folder.glob("*.md")] + [bench.layout.master]
    written = {}
    for page in filter(Path.is_file, pages):
        text = page.read_text()
        written[page] = f"- Decision: by hand\n{text}" if place == "above" else f"{text}- Decision: by hand\n"
        page.write_text(written[page])
    said = recall(root, "doctor", "--fix")
    assert said.code == 0, said.out
    assert recall(root, "doctor").code == 0
    assert bench.layout.rows.read_text() == rows and "| 001 | " in rows
    assert recall(root, "archive", path).out.startswith("unchanged")
    assert {page: page.read_text() for page in written} == written
    if bench.layout.summaries:
        assert recall(root, "synthesize", "--yes", "--full").code == 0
        assert "by hand" in bench.layout.master.read_text()
