"""The archive index keeps a row for each archive and every line that a person wrote."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import ArchiveEntry, IndexRow
from recall_tui.storage.archives.index_file import (
    add_row,
    drop_missing_rows,
    missing_numbers,
    parse_rows,
    rebuild_text,
    remove_row,
    render_header,
    render_row,
)
from recall_tui.text.cut import one_line

OLD = """# Archive Index
<!-- log number | date | key topics -->
<!-- one line each -->
| 001 | 2026-02-24 | precompact |
| 002 | 2026-02-25 | session-end |
"""
HOSTILE = st.sampled_from(["|", "\\", "\\|", "a\nb", "| 9 | x |", ",", "a, b", "—", "\\,", "---", "İ🦀", ""])
WORDS = st.text(max_size=15) | HOSTILE


def entry(number: int, session: str = "s", prefix: str = "conversation") -> ArchiveEntry:
    return ArchiveEntry(
        number=number,
        path=Path(f"{prefix}-{number:03d}.md"),
        session_id=session,
        date=datetime(2026, 3, 5, 23, tzinfo=UTC),
        messages=22,
        duration="20m",
        topics=("ci", "tests"),
    )


def test_a_row_reads_as_published() -> None:
    assert render_row(entry(1, "abc123")) == "| 001 | 2026-03-05 | abc123 | ci, tests | 22 | 20m |\n"
    bare = ArchiveEntry(1000, Path("conversation-1000.md"))
    assert render_row(bare) == "| 1000 | — |  | — | 0 |  |\n"
    assert parse_rows(render_row(bare)) == (IndexRow(1000, ""),)


@given(WORDS, st.lists(WORDS, max_size=4), st.integers(0, 10**6), WORDS, st.integers(0, 10**8))
def test_whatever_a_row_holds_it_is_one_row_that_reads_back(
    session: str, topics: list[str], messages: int, duration: str, number: int
) -> None:
    one = ArchiveEntry(
        number,
        Path("x.md"),
        session,
        datetime(2026, 3, 5, tzinfo=UTC),
        messages,
        duration,
        topics=tuple(topics),
    )
    kept = tuple(one_line(topic) for topic in topics if one_line(topic) not in ("", "—"))
    row = IndexRow(number, "2026-03-05", one_line(session), kept, messages, one_line(duration))
    text = add_row("", one)
    assert parse_rows(text) == (row,)
    assert parse_rows(rebuild_text(text, [one])) == (row,)
    assert remove_row(text, number) == render_header()


def test_rows_of_both_generations_are_read_in_order() -> None:
    text = add_row(OLD, entry(3))
    assert [(row.number, row.trigger) for row in parse_rows(text)] == [(1, "precompact"), (2, "session-end"), (3, "")]
    assert text.startswith(OLD)
    assert text[len(OLD) :].startswith("\n| # | Date |")


def test_an_unescaped_bar_of_an_older_row_stays_with_the_topics() -> None:
    (row,) = parse_rows("| 007 | 2026-03-05 | abc | a|b, c | 4 | 9m |")
    assert (row.topics, row.messages, row.duration) == (("a|b", "c"), 4, "9m")


def test_a_row_of_the_same_number_is_replaced_where_it_stands() -> None:
    text = add_row(add_row(add_row("", entry(1, "a")), entry(2, "b")), entry(3, "c"))
    again = add_row(text, entry(2, "new"))
    assert [row.session_id for row in parse_rows(again)] == ["a", "new", "c"]
    assert add_row(text, entry(2, "b")) == text


def test_a_conversation_never_takes_the_row_of_an_older_log() -> None:
    text = add_row(OLD, entry(1, "a"))
    assert [row.number for row in parse_rows(text)] == [1, 2, 1]
    assert [row.number for row in parse_rows(add_row(text, entry(1, "a")))] == [1, 2, 1]
    assert [row.session_id for row in parse_rows(add_row(OLD, entry(1, "a", "archive-log")))] == ["a", ""]


def test_rows_enter_the_table_and_not_the_notes_below_it() -> None:
    text = add_row("", entry(1)) + "\nMy notes, with | bars |\n"
    after = add_row(text, entry(2))
    assert after.endswith(render_row(entry(1)) + render_row(entry(2)) + "\nMy notes, with | bars |\n")


def test_a_file_without_a_last_line_end_is_no_matter() -> None:
    text = add_row(add_row("", entry(1)).rstrip("\n"), entry(2))
    assert text == render_header() + render_row(entry(1)) + render_row(entry(2))
    assert add_row(OLD.rstrip("\n"), entry(3)).startswith(OLD + "\n| # |")


def test_a_rebuilt_file_is_sorted_and_keeps_what_a_person_wrote() -> None:
    text = (
        "# My archive\n\nBefore.\n\n"
        + render_header()
        + "| 009 | gone |  | — | 1 | 2m |\nBetween.\n"
        + OLD
        + "After.\n"
    )
    after = rebuild_text(text, [entry(10, "b"), entry(2, "a"), entry(1000, "c")])
    assert [row.number for row in parse_rows(after)] == [2, 10, 1000]
    for line in ("# My archive", "Before.", "Between.", "<!-- one line each -->", "After."):
        assert line in after.split("\n")
    assert rebuild_text(after, [entry(2, "a"), entry(10, "b"), entry(1000, "c")]) == after


def test_a_missing_file_is_rebuilt_as_if_rows_had_been_added() -> None:
    assert rebuild_text("", [entry(1), entry(2)]) == add_row(add_row("", entry(1)), entry(2))
    assert rebuild_text("", []) == render_header()


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_other_lines_are_never_lost(text: str) -> None:
    own = [line for line in text.split("\n") if line.strip() and not parse_rows(line)]
    assert set(own) <= set(add_row(text, entry(5)).split("\n"))
    assert parse_rows(add_row(text, entry(5)))


def test_windows_line_ends_are_read() -> None:
    assert parse_rows("| 001 | 2026-03-05 | abc | — | 4 | 9m |\r\n") == (IndexRow(1, "2026-03-05", "abc", (), 4, "9m"),)


def test_rows_without_an_archive_are_kept_and_marked_until_a_person_drops_them() -> None:
    mine = "| 007 | 2026-03-01 | by hand | a topic of mine | 4 | 9m |"
    edited = render_row(entry(1, "a")).replace("ci, tests", "what I call it")
    text = (
        render_header()
        + edited
        + mine
        + "\n"
        + render_row(entry(2, "old"))
        + "\nMine.\n\n| a | b |\n|---|---|\n| c | d |\n"
    )
    after = rebuild_text(text, [entry(1, "a"), entry(2, "b")])
    assert [(row.number, row.session_id) for row in parse_rows(after)] == [(1, "a"), (2, "b")]
    assert edited in after and "Mine.\n\n| a | b |\n|---|---|\n| c | d |\n" in after
    assert "| 007 missing | 2026-03-01 | by hand | a topic of mine | 4 | 9m |\n" in after
    assert missing_numbers(after) == ("007", "002")
    assert rebuild_text(after, [entry(1, "a"), entry(2, "b")]) == after
    grown = add_row(after, entry(3, "c"))
    assert grown.index("| 003 |") < grown.index("## Rows without an archive")
    again = rebuild_text(grown, [entry(1, "a"), entry(2, "b")])
    assert missing_numbers(again) == ("007", "002", "003") and again.count("## Rows without an archive") == 1
    dropped = drop_missing_rows(after)
    assert missing_numbers(dropped) == () and "Rows without" not in dropped and "| c | d |" in dropped
    assert [row.number for row in parse_rows(dropped)] == [1, 2]
