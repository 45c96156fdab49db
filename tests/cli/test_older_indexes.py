"""ARCHIVE.md of the oldest forms and logs that other programs wrote; and what `promote` has no reason to archive."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.makers import bench_at, transcript

TALK = [("user", "Fix the token refresh race"), ("assistant", "We decided to use a lock around the refresh.")]
LIST = "# Archive Index\n\n- 001 | 2026-01-02 | auth, jwt\n- 002 | 2026-01-05\n"


def log(root: Path, number: int, text: str) -> None:
    """A log as an agent wrote it, or another program."""
    (root / "memories" / f"archive-log-{number:03d}.md").write_text(text)


def test_a_list_keeps_dates_and_topics_when_it_becomes_a_table(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment, "user").store.root
    (root / "ARCHIVE.md").write_text(LIST)
    log(root, 1, "# Archive Log 001\n\nAuth.\n")
    log(root, 2, "# Archive Log 002\n\nBilling.\n")
    assert recall(f"--root={root}", "doctor", "--fix").code == 0
    text = (root / "ARCHIVE.md").read_text()
    assert "| 001 | 2026-01-02 |  | auth, jwt |" in text and "| 002 | 2026-01-05 |  | — |" in text
    assert text.startswith(LIST)
    assert recall(f"--root={root}", "doctor").code == 0
    again = recall(f"--root={root}", "archive", transcript(environment, 1, TALK))
    assert again.code == 0 and "archive-log-003" in again.out
    assert "| 001 | 2026-01-02 |  | auth, jwt |" in (root / "ARCHIVE.md").read_text()


def test_topics_in_rows_of_the_first_generation_are_kept(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment, "user").store.root
    rows = "# Archive Index\n\n| 001 | 2026-01-02 | oauth, retries |\n| 002 | 2026-01-05 | session-end |\n"
    (root / "ARCHIVE.md").write_text(rows)
    log(root, 1, "# Archive Log 001\n\nAuth.\n")
    log(root, 2, "# Archive Log 002\n\nBilling.\n")
    log(root, 3, "# Archive Log 003\n\nA log without a row.\n")
    assert recall(f"--root={root}", "doctor", "--fix").code == 0
    text = (root / "ARCHIVE.md").read_text()
    assert "| 001 | 2026-01-02 |  | oauth, retries |" in text and "| 002 | 2026-01-05 |  | — |" in text
    assert recall(f"--root={root}", "doctor").code == 0


def test_the_log_of_another_program_gets_its_row_with_the_next_archive(
    recall: Recall, environment: Environment
) -> None:
    root = bench_at(environment, "user").store.root
    assert recall(f"--root={root}", "archive", transcript(environment, 1, TALK)).code == 0
    head = '---\nlog: 2\ndate: "2026-02-01T10:00:00Z"\ntrigger: precompact\ncontext: "cache"\n---\n'
    log(root, 2, f"{head}\n# Archive Log 002\n\nCache.\n")
    assert (
        recall(f"--root={root}", "archive", transcript(environment, 2, [("user", "a"), ("assistant", "b")])).code == 0
    )
    numbers = [line.split("|")[1].strip() for line in (root / "ARCHIVE.md").read_text().splitlines() if "2026" in line]
    assert numbers == ["001", "002", "003"]
    assert recall(f"--root={root}", "doctor").code == 0


@pytest.mark.parametrize("name", ["user", "entity", "hierarchical"])
def test_promote_archives_no_summary_of_ours(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    assert recall(root, "archive", transcript(environment, 1, TALK)).code == 0
    said = recall(root, "promote")
    assert said.code == 0 and len(bench.archive.entries()) == 1
    assert (bench.layout.window.read_text() == "") is (name == "user")
    bench.layout.window.write_text("Ship on Friday.\n")
    assert recall(root, "promote").code == 0
    assert "Ship on Friday." in bench.archive.get(2).path.read_text()
