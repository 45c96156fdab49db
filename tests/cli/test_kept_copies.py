"""Second copies of a file in `review`: listed with what stands only in them, brought in by lines, or kept unlisted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.features.curation.remember import remember
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript, tree

Recall = Callable[..., Any]
HERE = "# Memory\n\n- both\n- here\n"
THERE = "# Memory\n\n- both\n- there one\n- there two\n"


def kept(bench: Workbench, text: str = THERE, name: str = "MEMORY.saved-1.md") -> Path:
    """A copy beside a MEMORY.md of other lines."""
    bench.layout.memory_file.write_text(HERE)
    copy = bench.layout.memory_file.with_name(name)
    copy.write_text(text)
    return copy


def only_one(recall: Recall, root: tuple[object, ...] = ()) -> Any:
    (row,) = recall(*root, "review", "list", "--json").json["proposals"]
    return row


@pytest.mark.long
def test_what_a_program_wrote_over_an_open_file_waits_in_review(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    path = bench.layout.memory_file
    path.write_text(HERE)
    with path.open("r+") as file:
        assert bench.apply(remember, "ours")
        file.truncate(0)
        file.write("- written in place\n")
    assert recall("remember", "more").code == 0
    (copy,) = path.parent.glob("MEMORY.saved-*.md")
    row = only_one(recall)
    assert (row["kind"], row["copy"]) == ("copy", {"of": "MEMORY.md", "own_lines": 1})
    assert "recall-tui review" in recall("status").out
    assert recall("review", "accept", row["id"]).code == 0
    text = path.read_text()
    assert all(line in text for line in ("- here", "- ours", "- more", "- written in place")) and not copy.exists()


@pytest.mark.parametrize("layout", ["entity", "user", "project", "hierarchical", "claude-project"])
@pytest.mark.parametrize("name", ["MEMORY.saved-1.md", "MEMORY (conflicted copy of laptop 2026-11-24).md"])
def test_a_copy_is_shown_and_brought_in_and_undo_gives_it_back(
    layout: str, name: str, recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment, layout)
    copy, root = kept(bench, name=name), ("--root", bench.layout.root)
    before = tree(copy.parent)
    row = only_one(recall, root)
    assert row["copy"] == {"of": "MEMORY.md", "own_lines": 2} and not row["is_safe"]
    assert [one["state"] for one in row["documents"]] == ["change", "remove"]
    said = recall(*root, "review").out
    assert name in said and "2 lines that are not in MEMORY.md" in said and "look" in said
    said = recall(*root, "review", "show", row["id"])
    assert "+- there one" in said.out and "-- here" not in said.out and "keep the copy" in said.err
    assert "No proposal is safe" in recall(*root, "review", "accept", "--safe").err
    assert tree(copy.parent) == before
    assert recall(*root, "review", "accept", row["id"]).code == 0
    text = bench.layout.memory_file.read_text()
    assert text == "# Memory\n\n- both\n- here\n- there one\n- there two\n" and not copy.exists()
    assert recall(*root, "review", "--json").json["proposals"] == []
    recall(*root, "undo")
    assert copy.read_text() == THERE and bench.layout.memory_file.read_text() == HERE
    assert only_one(recall, root)["id"] == row["id"]


def test_a_dismissed_copy_stays_and_waits_again_once_it_is_another(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    copy = kept(bench)
    row = only_one(recall)
    assert recall("review", "dismiss", row["id"]).code == 0
    assert copy.read_text() == THERE and recall("review", "--json").json["proposals"] == []
    recall("remember", "the file is another now")
    assert recall("review", "--json").json["proposals"] == []
    assert "dismissed" in recall("review", "list", "--all").out
    assert recall("review", "restore", row["id"]).code == 0 and only_one(recall)["id"] == row["id"]
    recall("review", "dismiss", row["id"])
    copy.write_text(THERE + "- there three\n")
    assert only_one(recall)["copy"]["own_lines"] == 3


def test_a_copy_is_brought_in_as_a_whole_or_not_at_all(recall: Recall, environment: Environment) -> None:
    copy = kept(bench_at(environment))
    row = only_one(recall)
    assert recall("review", "accept", row["id"], "--only", row["documents"][1]["path"]).code == 2
    assert copy.exists()


def test_of_settings_a_copy_is_shown_and_left_to_a_person(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    config = bench.layout.config
    config.write_text("[ephemeral]\nmax_entries = 5\n")
    copy = config.with_name(f"{config.stem}.saved-1{config.suffix}")
    copy.write_text("[ephemeral]\nmax_entries = 7\n")
    row = only_one(recall)
    assert [one["state"] for one in row["documents"]] == ["by hand"]
    said = recall("review", "show", row["id"])
    assert "+max_entries = 7" in said.out and "accept it with" not in said.err
    assert recall("review", "accept", row["id"]).code == 3
    assert copy.exists() and "max_entries = 5" in config.read_text()
    assert recall("review", "dismiss", row["id"]).code == 0
    assert recall("review", "--json").json["proposals"] == []


def test_a_copy_of_a_file_that_is_gone_becomes_that_file(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    recall("log", "a first line")
    (day,) = bench.layout.base.rglob("2026-03-06.md")
    made = day.read_text()
    day.unlink()
    copy = day.with_name("2026-03-06.saved-1.md")
    copy.write_text(made)
    row = only_one(recall)
    assert [one["state"] for one in row["documents"]] == ["create", "remove"]
    assert recall("review", "accept", row["id"]).code == 0
    assert day.read_text() == made and not copy.exists()


def test_a_copy_of_an_archive_of_another_session_gets_a_number_of_its_own(
    recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, [("user", "Why HEREWORD?"), ("assistant", "So.")]))
    (archive,) = bench.layout.archives[0].folder.glob("*-001.md")
    copy = archive.with_name(f"{archive.stem}.sync-conflict-20260101-120000-ABCDEFG.md")
    text = archive.read_text().replace(session_id_of(1), session_id_of(2)).replace("HEREWORD", "THEREWORD")
    copy.write_text(text)
    assert recall("review", "accept", only_one(recall)["id"]).code == 0
    (own,) = archive.parent.glob("*-002.md")
    assert "THEREWORD" in own.read_text() and not copy.exists() and "THEREWORD" not in archive.read_text()
    assert session_id_of(2) in bench.layout.rows.read_text()


def test_a_copy_that_leads_out_of_the_memory_is_not_read(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    private = environment.home / "private.md"
    private.write_text("a private line\n")
    bench.layout.memory_file.with_name("MEMORY.saved-1.md").symlink_to(private)
    assert recall("review", "--json").json["proposals"] == []


def test_the_settings_never_have_a_copy_apply_itself(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.config.write_text('[review]\nauto = ["copy"]\n')
    copy = kept(bench)
    recall("synthesize")
    assert copy.exists() and only_one(recall)["fate"] == "open"
