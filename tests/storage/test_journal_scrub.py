"""What is scrubbed out of the journal is in none of its files, and what is left is still taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Append, Create, Delete, Edit, Plan, Replace
from recall_tui.errors import ConflictError
from recall_tui.storage.files import atomic
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.journal.scrub import ScrubRules
from tests.changes import change, replaced
from tests.conftest import NOON
from tests.makers import tree

WORD = "zanzibarquux"


def without(word: str, *gone: Path) -> ScrubRules:
    """Lines with the word go, and so do these files."""

    def text(path: Path, content: str) -> str | None:
        return None if path in gone else "".join(one for one in content.splitlines(True) if word not in one)

    return ScrubRules(text, lambda title, is_less: "neutral" if is_less or word in title else title)


def holding(journal: Journal) -> list[str]:
    import zstandard

    found = []
    for name, data in tree(journal.folder).items():
        plain = zstandard.ZstdDecompressor().decompressobj().decompress(data) if name.endswith(".zst") else data
        found += [name] if WORD.encode() in plain else []
    return found


def test_contents_large_and_small_titles_and_subjects_lose_the_word(journal: Journal, folder: Path) -> None:
    page, big = folder / "page.md", folder / "big.md"
    filler = "".join(f"line {n}\n" for n in range(9000))
    change(journal, f"wrote {WORD}", Create(page, f"one\n{WORD}\n"), Create(big, f"{filler}{WORD}\n"))
    change(journal, "less", replaced(page, "one\n"), replaced(big, filler))
    journal.undo()
    assert len(holding(journal)) > 2
    journal.scrub(without(WORD))
    assert holding(journal) == []
    # What differed by the word alone is no change any more; of a file that was made nothing is kept but its name.
    assert [len(entry.paths) for entry in journal.entries()] == [1, 2]
    assert {entry.title for entry in journal.entries()} == {"neutral"}


def test_what_else_a_change_did_is_still_taken_back(journal: Journal, folder: Path) -> None:
    rows, page = folder / "rows.md", folder / "page.md"
    rows.write_text(f"a\n{WORD}\nb\n")
    page.write_text("old\n")
    number = change(journal, "both", replaced(rows, f"a\n{WORD}\nb\nc\n"), replaced(page, "new\n"))
    rows.write_text("a\nb\nc\n")
    journal.scrub(without(WORD))
    assert holding(journal) == []
    assert journal.undo(number)
    assert (rows.read_text(), page.read_text()) == ("a\nb\n", "old\n")


def test_a_file_that_may_not_be_kept_leaves_with_every_change_of_it(journal: Journal, folder: Path) -> None:
    gone, rows = folder / "gone.md", folder / "rows.md"
    change(journal, "made", Create(gone, "text\n"), Append(rows, "| 1 |\n"))
    change(journal, "deleted", Delete(gone, atomic.file_digest(gone)))
    journal.undo()
    done = journal.scrub(without(WORD, gone))
    assert (done.changed, done.dropped) == (1, 2)
    (left,) = journal.entries()
    assert left.title == "neutral" and left.paths == (rows,)


def test_records_that_cannot_be_read_and_files_of_none_go(journal: Journal, folder: Path) -> None:
    number = change(journal, "made", Create(folder / "page.md", "x"))
    for name in ("000009.json", "000009.0.old.zst", "unpacked", "000001.0.old.zst.spool"):
        (journal.folder / name).write_text(WORD)
    journal.scrub(without(WORD))
    assert sorted(tree(journal.folder)) == [f"{number:06d}.json"]


def test_a_change_with_no_way_back_keeps_nothing_and_says_what_to_do(journal: Journal, folder: Path) -> None:
    page, gone = folder / "page.md", folder / "gone.md"
    page.write_text(f"{WORD}\n")
    gone.write_text(f"{WORD}\n" * 9000)
    plan = Plan(
        "for good", (replaced(page, "new words\n"), Delete(gone, atomic.file_digest(gone))), no_way_back="do so"
    )
    entry = journal.commit(lambda: plan)
    assert entry is not None and entry.no_way_back == "do so"
    assert (page.read_text(), gone.exists(), holding(journal)) == ("new words\n", False, [])
    assert "new words" not in (journal.folder / f"{entry.id:06d}.json").read_text()
    with pytest.raises(ConflictError) as refused:
        journal.undo()
    assert refused.value.hint == "do so"
    journal.scrub(without("good", page, gone))
    assert journal.entries()[0].title == "for good"


def test_a_change_with_no_way_back_that_fails_on_the_way_leaves_no_lock_and_no_content(
    journal: Journal, folder: Path
) -> None:
    page, other = folder / "page.md", folder / "other.md"
    for path in (page, other):
        path.write_text(f"{WORD}\n")
    stale = Replace(other, "not its digest", "x")
    with pytest.raises(ConflictError):
        change_for_good(journal, Delete(page, atomic.file_digest(page)), stale)
    assert page.exists() and journal.is_clean() and holding(journal) == []


def change_for_good(journal: Journal, *edits: Edit) -> None:
    journal.commit(lambda: Plan("for good", edits, no_way_back="never"))


lines = st.lists(st.sampled_from(["a\n", "b\n", f"{WORD}\n", "c d\n"]), max_size=6).map("".join)


@pytest.mark.long
@given(st.lists(st.tuples(st.sampled_from(["one", "two"]), lines), max_size=6))
def test_whatever_was_changed_nothing_of_it_is_left_and_doing_it_twice_does_no_more(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str]]
) -> None:
    home = tmp_path_factory.mktemp("scrub")
    journal = Journal(home / "state", lambda: NOON)
    (home / "pages").mkdir()
    for name, text in steps:
        page = home / "pages" / name
        change(journal, text, replaced(page, text) if page.exists() else Create(page, text))
    journal.scrub(without(WORD))
    assert holding(journal) == []
    before = tree(journal.folder)
    journal.scrub(without(WORD))
    assert tree(journal.folder) == before
