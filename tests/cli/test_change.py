"""`undo` and `redo` from the command line."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recall_tui.domain import Append, Create, Delete, Plan
from recall_tui.environment import Environment
from recall_tui.storage.files.atomic import file_digest
from tests.changes import change, replaced
from tests.makers import bench_at, tree

Recall = Callable[..., Any]


def test_undo_takes_back_the_last_change_and_redo_makes_it_again(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    before = tree(environment.cwd)
    recall("remember", "we deploy on Fridays")
    after = tree(environment.cwd)
    assert before != after
    assert recall("undo").out.startswith("Undid: Remembered")
    assert tree(environment.cwd) == before
    assert recall("redo").out.startswith("Redid: Remembered")
    assert tree(environment.cwd) == after
    assert "- we deploy on Fridays" in bench.layout.memory_file.read_text()


def test_undo_takes_back_any_change_by_its_number(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    recall("remember", "we deploy on Fridays")
    recall("remember", "a secret of the trade", "--topic", "trade")
    number = next(row["id"] for row in recall("undo", "--list", "--json").json["changes"] if "Fridays" in row["title"])
    assert recall("undo", number).code == 0
    assert "Fridays" not in bench.layout.memory_file.read_text()
    assert (bench.layout.topics / "trade.md").is_file()


def test_a_change_that_does_not_exist_is_said(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = recall("undo", 99)
    assert said.code == 1 and "undo --list" in said.err


def test_a_file_that_changed_since_is_a_conflict(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    recall("remember", "we deploy on Fridays")
    bench.layout.memory_file.write_text("all mine now\n")
    assert recall("undo").code == 3
    assert bench.layout.memory_file.read_text() == "all mine now\n"


def test_the_list_is_newest_first(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    recall("remember", "one thing")
    recall("remember", "another matter")
    titles = [row["title"] for row in recall("undo", "--list", "--json").json["changes"]]
    assert "another" in titles[0] and "one" in titles[1]
    lines = recall("undo", "--list").out.splitlines()
    assert "another" in lines[1] and "person" in lines[1]


def test_nothing_to_redo_is_said(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = recall("redo")
    assert (said.code, said.out) == (1, "") and "nothing to redo" in said.err
    assert recall("redo", "--json").json["change"] is None


def test_lines_written_since_stay_and_what_was_left_is_said(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    recall("remember", "--topic", "tips", "first tip")
    tips = bench.layout.topics / "tips.md"
    tips.write_text(tips.read_text().replace("first", "very first") + "- by hand\n")
    said = recall("undo")
    assert said.code == 0 and "tips.md, lines 3–4: changed since, and left unchanged" in said.err
    assert tips.read_text() == "- very first tip\n- by hand\n"


def test_lines_that_both_changed_are_shown_with_what_to_do(
    recall: Recall, environment: Environment, tmp_path: Path
) -> None:
    bench = bench_at(environment, "user")
    bench.layout.window.write_text("left by the last session\n")
    assert recall("consume", "--clear").out == "left by the last session\n"
    bench.layout.memory_file.write_text("# Memory\n")
    bench.apply(lambda _: Plan("told anew", (replaced(bench.layout.memory_file, "# Ours\n"),)))
    bench.layout.memory_file.write_text("# Theirs\n")
    said = recall("undo")
    assert said.code == 3 and "MEMORY.md, line 1" in said.err and "# Theirs" in said.err
    assert "journal show 3 --to FILE" in said.err or "journal show 2 --to FILE" in said.err
    saved = recall("journal", "show", bench.journal.entries(1)[0].id, "--to", tmp_path / "was.md")
    assert saved.code == 0 and (tmp_path / "was.md").read_text() == "# Memory\n"


def test_every_change_can_be_printed_with_its_old_and_its_new_lines(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    page, gone = bench.layout.memory_file, bench.layout.memory_file.parent / "gone.md"
    page.write_text("one\ntwo\n")
    gone.write_text("went\n")
    edits = (
        replaced(page, "one\nzwei\n"),
        Delete(gone, file_digest(gone)),
        Append(bench.layout.memory_file.parent / "log.md", "row\n"),
    )
    number = change(bench.journal, "Changed [/x] them", *edits)
    said = recall("journal", "show", number)
    lines = said.out.splitlines()
    assert lines[0] == f"change {number}: Changed [/x] them" and lines[1].endswith("by a person")
    assert {"-two", "+zwei", "-went", "+row", "removed memory/gone.md"} <= set(lines)
    recall("undo", number)
    assert f"undone by change {number + 1}" in recall("journal", "show", number).out
    told = recall("journal", "show", number, "--file", "gone.md", "--json").json
    assert told["undone_by"] == number + 1
    assert [(one["path"], one["kind"], one["before"], one["after"]) for one in told["files"]] == [
        ("memory/gone.md", "delete", "went\n", None)
    ]
    assert recall("journal", "show", 99).code == 1
    assert recall("journal", "show", number, "--file", "other.md").code == 1


def test_what_a_change_replaced_is_saved_to_the_byte(recall: Recall, environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    page, gone = bench.layout.memory_file, bench.layout.memory_file.parent / "gone.md"
    page.write_bytes(b"caf\xe9\r\n")
    gone.write_text("went\n")
    number = change(bench.journal, "both", replaced(page, "new\n"), Delete(gone, file_digest(gone)))
    to = tmp_path / "saved"
    assert recall("journal", "show", number, "--to", to).code == 2
    assert recall("journal", "show", number, "--file", "memory/MEMORY.md", "--to", to).code == 0
    assert to.read_bytes() == b"caf\xe9\r\n" and stat.S_IMODE(to.stat().st_mode) == 0o600
    assert recall("journal", "show", number, "--file", "gone.md", "--to", to).code == 3
    assert recall("journal", "show", number, "--file", "gone.md", "--to", to, "--force").code == 0
    assert to.read_text() == "went\n"
    folder = tmp_path / "all"
    folder.mkdir()
    assert recall("journal", "show", number, "--to", folder).code == 0
    assert tree(folder) == {"MEMORY.md": b"caf\xe9\r\n", "gone.md": b"went\n"}
    assert (
        recall("journal", "show", number, "--file", "gone.md", "--to", bench.layout.memory_file.parent / "x.md").code
        == 2
    )
    made = change(bench.journal, "made", Create(bench.layout.memory_file.parent / "made.md", "x\n"))
    said = recall("journal", "show", made, "--to", tmp_path / "none")
    assert said.code == 1 and "it made the files" in said.err and not (tmp_path / "none").exists()


def test_a_change_without_a_way_back_says_so(recall: Recall, environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    page = bench.layout.memory_file
    page.write_text("of a session\n")
    bench.apply(lambda _: Plan("Forgot it", (replaced(page, ""),), no_way_back="it was to be forgotten"))
    number = bench.journal.entries(1)[0].id
    said = recall("journal", "show", number)
    assert "the content of its files is not kept: it was to be forgotten" in said.out and "of a session" not in said.out
    assert recall("journal", "show", number, "--to", tmp_path / "x").code == 1
    assert "(cannot be undone)" in recall("undo", "--list").out


def test_a_hooks_change_that_took_a_persons_words_is_offered(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    page = bench.layout.memory_file
    page.write_text("a person's\n")
    bench.store.commit(
        lambda _: Plan("Made anew", (replaced(page, "new\n"),), took_words="1 line of MEMORY.md"), by="hook"
    )
    number = bench.journal.entries(1)[0].id
    assert (
        f"took out what a person wrote: 1 line of MEMORY.md; undo {number} brings it back"
        in recall("undo", "--list").out
    )
    assert recall("undo").code == 1 or page.read_text() == "new\n"
    assert recall("undo", number).code == 0
    assert page.read_text() == "a person's\n"
