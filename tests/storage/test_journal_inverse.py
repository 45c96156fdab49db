"""Changes taken back from files that others have changed since: their lines stay, all others go back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_tui.domain import Append, Create, Delete, Edit, Plan, WindowEntry
from recall_tui.errors import ConflictError
from recall_tui.storage.documents.window_file import render_entry
from recall_tui.storage.files import atomic
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.journal.record import MAX_NEW_CONTENT_CHARS
from tests.changes import change, replaced
from tests.conftest import NOON

LARGE = "".join(f"line {number} of a long file\n" for number in range(MAX_NEW_CONTENT_CHARS // 20))
LINES = st.lists(st.sampled_from(["- a\n", "- b\n", "\n", "## c\n"]), min_size=1, max_size=8).map("".join)


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(LINES, LINES, st.sampled_from(["create", "replace", "grow"]))
def test_lines_that_somebody_appended_since_stay_and_all_else_goes_back(
    tmp_path_factory: pytest.TempPathFactory, before: str, after: str, kind: str
) -> None:
    home = tmp_path_factory.mktemp("undo")
    journal, page = Journal(home / "state", lambda: NOON), home / "page.md"
    edit: Edit = Create(page, after)
    if kind != "create":
        page.write_text(before)
        edit = Append(page, after) if kind == "grow" else replaced(page, after)
    change(journal, kind, edit)
    append(page, "- by hand\n")
    assert journal.undo()
    assert page.read_text() == ("" if kind == "create" else before) + "- by hand\n"
    assert journal.redo()
    assert page.read_text() == (before if kind == "grow" else "") + after + "- by hand\n"


def test_of_a_file_that_a_change_made_only_the_lines_of_others_are_left(journal: Journal, folder: Path) -> None:
    made, main = folder / "deploy.md", folder / "MEMORY.md"
    main.write_text("# Memory\n\n## Deploy\n- one\n- two\n")
    change(journal, "moved", Create(made, "# Deploy\n- one\n- two\n"), replaced(main, "# Memory\n\nSee deploy.md\n"))
    made.write_text("# Deploy\n- one\n- of another\n- two\n")
    assert journal.undo()
    assert made.read_text() == "- of another\n"
    assert main.read_text() == "# Memory\n\n## Deploy\n- one\n- two\n"


def test_of_a_large_file_it_is_known_where_what_was_made_ends(journal: Journal, folder: Path) -> None:
    made, spool = folder / "made.md", folder.parent / "spooled"
    spool.write_text(LARGE)
    change(journal, "made", Create(made, "# Head\n", spool))
    append(made, "- by hand\n")
    assert journal.undo()
    assert made.read_text() == "- by hand\n"


def test_a_large_file_that_was_made_and_changed_within_is_kept_beside(journal: Journal, folder: Path) -> None:
    made = folder / "made.md"
    change(journal, "made", Create(made, LARGE))
    made.write_text("- by hand\n" + LARGE)
    undone = journal.undo()
    assert undone is not None and undone.notes == ("made.md was changed since; it is kept as made.saved-1.md",)
    assert not made.exists()
    assert (folder / "made.saved-1.md").read_text() == "- by hand\n" + LARGE


def test_what_a_later_change_replaced_tells_what_an_earlier_one_made(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text(LARGE)
    first = change(journal, "first", replaced(page, "- first\n" + LARGE))
    change(journal, "second", replaced(page, "- first\n" + LARGE + "- second\n"))
    journal.undo(first)
    assert page.read_text() == LARGE + "- second\n"


def test_lines_that_both_changed_are_shown_and_nothing_is_written(journal: Journal, folder: Path) -> None:
    page, other = folder / "page.md", folder / "other.md"
    page.write_text("one\ntwo\nthree\n")
    change(journal, "both", replaced(page, "one\nOURS\nthree\n"), Create(other, "other\n"))
    page.write_text("zero\none\nTHEIRS\nALSO\nthree\n")
    with pytest.raises(ConflictError) as refused:
        journal.undo()
    assert refused.value.message == (
        "change 1 cannot be undone completely, so nothing was written\n"
        f"{page}, lines 3–4: changed since in the same place\n"
        "  now:\n    THEIRS\n    ALSO\n  before the change:\n    two"
    )
    assert "journal show 1 --to FILE" in refused.value.hint
    assert page.read_text() == "zero\none\nTHEIRS\nALSO\nthree\n"
    assert other.read_text() == "other\n"
    assert [entry.id for entry in journal.entries()] == [1]


def test_a_later_change_in_the_same_place_is_named_if_there_is_one(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("one\n")
    first = change(journal, "first", replaced(page, "two\n"))
    later = change(journal, "later", replaced(page, "three\n"))
    with pytest.raises(ConflictError) as refused:
        journal.undo(first)
    assert f"recall-tui undo {later}" in refused.value.hint
    journal.undo(later)
    assert journal.undo(first)
    assert page.read_text() == "one\n"


def test_a_line_that_was_made_and_rewritten_since_stays_and_is_named(journal: Journal, folder: Path) -> None:
    made = folder / "tips.md"
    change(journal, "made", Create(made, "# Tips\n- frist\n- second\n"))
    made.write_text("# Tips\n- first\n- second\n")
    undone = journal.undo()
    assert undone is not None and undone.notes == ("tips.md, line 2: changed since, and left unchanged",)
    assert made.read_text() == "- first\n"


def test_a_line_that_was_rewritten_and_then_taken_away_comes_back(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("- one\n- two\n")
    change(journal, "rewritten", replaced(page, "- one\n- zwei\n"))
    page.write_text("- one\n")
    assert journal.undo()
    assert page.read_text() == "- one\n- two\n"


def test_a_file_that_was_removed_and_made_anew_has_its_old_content_beside_it(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("old\n")
    change(journal, "removed", Delete(page, atomic.file_digest(page)))
    page.write_text("anew\n")
    undone = journal.undo()
    assert undone is not None and undone.notes == ("page.md exists again; its earlier content is page.saved-1.md",)
    assert page.read_text() == "anew\n"
    assert (folder / "page.saved-1.md").read_text() == "old\n"


def test_a_file_that_somebody_removed_since_comes_back_as_it_was(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("old\n")
    first = change(journal, "changed", replaced(page, "new\n"))
    page.unlink()
    assert journal.undo(first)
    assert page.read_text() == "old\n"


def test_a_file_that_a_later_change_removed_waits_for_that_one(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("old\n")
    first = change(journal, "changed", replaced(page, "new\n"))
    later = change(journal, "removed", Delete(page, atomic.file_digest(page)))
    with pytest.raises(ConflictError) as refused:
        journal.undo(first)
    assert f"undo {later}" in refused.value.hint


def test_a_file_for_programs_is_left_alone_where_lines_alone_would_break_it(journal: Journal, folder: Path) -> None:
    page = folder / "settings.json"
    page.write_text('{\n  "a": 1\n}\n')
    change(journal, "hooks", replaced(page, '{\n  "a": 1,\n  "hooks": 2\n}\n'))
    page.write_text('{\n  "a": 1,\n  "hooks": 2,\n  "b": 3\n}\n')
    with pytest.raises(ConflictError, match=r"settings\.json, line"):
        journal.undo()
    assert '"hooks": 2,' in page.read_text()


def test_an_emptied_window_and_what_was_written_into_it_since_both_stand(journal: Journal, folder: Path) -> None:
    window = folder / "EPHEMERAL.md"
    window.write_text("what the last session left\n")
    change(journal, "emptied", replaced(window, ""))
    window.write_text("words of this session\n")
    assert journal.undo()
    assert window.read_text() == "what the last session left\n\n---\n\nwords of this session\n"


def entry(session: str, day: int, words: str = "words") -> str:
    ended = NOON.replace(day=day)
    return render_entry(WindowEntry(session, ended, "5m", 4, f"conversation-00{day}.md", words))


def test_the_entries_of_both_windows_stand_by_the_end_of_their_sessions(journal: Journal, folder: Path) -> None:
    window = folder / "EPHEMERAL.md"
    window.write_text("a person's note\n\n---\n\n" + "\n\n---\n\n".join((entry("s1", 1), entry("s3", 3))) + "\n")
    number = change(journal, "emptied", replaced(window, ""))
    journal.commit(
        lambda: Plan("later", (replaced(window, f"{entry('s2', 2)}\n\n---\n\n{entry('s3', 3, 'grown')}\n"),)), by="hook"
    )
    assert journal.undo(number)
    entries = (entry("s1", 1), entry("s2", 2), entry("s3", 3, "grown"))
    assert window.read_text() == "\n\n---\n\n".join(("a person's note", *entries)) + "\n"


def test_what_a_hook_took_of_a_persons_words_is_kept_with_the_change(journal: Journal, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("a person's\n")
    journal.commit(lambda: Plan("made anew", (replaced(page, "new\n"),), took_words="1 line of page.md"), by="hook")
    assert [one.took_words for one in journal.entries()] == ["1 line of page.md"]
