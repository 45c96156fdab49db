"""The window holds whole entries, oldest first, and a person's own words are never lost from it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import WindowEntry
from recall_tui.storage.documents.window_blocks import UNKNOWN_TIME
from recall_tui.storage.documents.window_file import (
    Window,
    add_entry,
    display_window,
    forget_session,
    parse_window,
    read_last_session,
    render_last_session,
    render_window,
)
from recall_tui.text.cut import one_line

START = datetime(2026, 5, 2, 9, 14, 3, tzinfo=UTC)
SAMPLE = """## Session 7c1e — 2026-05-02 09:14:03 UTC
**Duration**: ~25m | **Messages**: 12 | **Archive**: conversation-002.md
**Summary**: Moved date parsing into its own function and fixed two failing tests
"""


def entry(name: str, hours: int = 0, summary: str = "Did things") -> WindowEntry:
    return WindowEntry(name, START + timedelta(hours=hours), "25m", 12, f"conversation-{hours:03d}.md", summary)


HOSTILE = st.sampled_from(
    ["---", "## Session x — y", "**Summary**:", "| a |", "a — b", "—", "~5m", "<!-- recall-window: {} -->", "İß🦀", ""]
)
WORDS = (st.text(max_size=20) | HOSTILE | st.lists(HOSTILE, max_size=3).map("\n".join)).map(one_line)
ENTRIES = st.builds(
    WindowEntry,
    session_id=WORDS,
    ended_at=st.integers(0, 10**9).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    duration=WORDS.map(lambda text: text.replace("|", "/")),
    messages=st.integers(0, 10**6),
    archive=WORDS,
    summary=WORDS,
)
LINES = st.lists(
    st.sampled_from(["note", "---", "", "## Plans", "- one", "  two", "```", "**Summary**: no"]), max_size=5
)
NOTES = LINES.map("\n".join)


def test_the_published_sample_is_read_and_written_back() -> None:
    window = parse_window(SAMPLE)
    summary = "Moved date parsing into its own function and fixed two failing tests"
    assert window.entries == (WindowEntry("7c1e", START, "25m", 12, "conversation-002.md", summary),)
    assert render_window(window) == SAMPLE


@pytest.mark.long
@given(st.lists(ENTRIES, max_size=4), NOTES)
def test_what_is_rendered_is_parsed_again(entries: list[WindowEntry], notes: str) -> None:
    window = Window(tuple(entries), notes.strip(), bool(entries))
    assert parse_window(render_window(window)) == window


@pytest.mark.long
@given(st.lists(st.tuples(ENTRIES, NOTES), min_size=1, max_size=4), NOTES, ENTRIES, st.integers(1, 4))
def test_free_text_outlives_every_change(
    parts: list[tuple[WindowEntry, str]], first: str, new: WindowEntry, keep: int
) -> None:
    text = first.strip() + "\n\n---\n\n" if first.strip() else ""
    notes = [first.strip()]
    for index, (one, note) in enumerate(parts):
        text += render_window(Window((one,), "", True))
        note = f"note {index}\n{note}".strip()
        notes.append(note)
        text += f"\n---\n\n{note}\n\n---\n\n"
    after = add_entry(text, new, keep)
    for note in notes:
        assert note in after
    assert len(parse_window(after).entries) <= keep
    bare = after
    for one in parse_window(after).entries:
        bare = forget_session(bare, [one.session_id])
    assert all(note in bare for note in notes)


def test_seven_entries_leave_the_last_five() -> None:
    text = ""
    for index in range(1, 8):
        text = add_entry(text, entry(f"s{index}", index), 5)
    assert [one.session_id for one in parse_window(text).entries] == ["s3", "s4", "s5", "s6", "s7"]
    assert not text.startswith("\n")
    assert text.count("---") == 4
    assert text.endswith("Did things\n")


def test_an_entry_that_is_there_changes_no_byte() -> None:
    text = "my note\r\n\r\n" + SAMPLE + "\n\n"
    assert add_entry(text, parse_window(SAMPLE).entries[0], 1) == text
    assert add_entry(SAMPLE, parse_window(SAMPLE).entries[0], 5) == SAMPLE


def test_an_entry_is_placed_by_the_end_of_its_session() -> None:
    text = ""
    for hours in (3, 1, 2):
        text = add_entry(text, entry(f"s{hours}", hours), 5)
    assert [one.session_id for one in parse_window(text).entries] == ["s1", "s2", "s3"]


def test_a_backfilled_session_does_not_push_out_a_newer_one() -> None:
    text = add_entry(add_entry("", entry("new", 9), 2), entry("newer", 10), 2)
    assert add_entry(text, entry("old", 1), 2) == text


def test_sessions_of_a_clock_that_was_ahead_push_out_no_later_ones() -> None:
    now = START + timedelta(days=1)
    text = ""
    for number in range(4):
        text = add_entry(text, entry(f"ahead{number}", 90_000 + number), 4, now)
    for number in range(3):
        text = add_entry(text, entry(f"s{number}", number), 4, now)
    assert [one.session_id for one in parse_window(text).entries] == ["ahead3", "s0", "s1", "s2"]


def test_the_same_session_is_one_entry() -> None:
    text = add_entry(add_entry(add_entry("", entry("a", 1), 5), entry("b", 2), 5), entry("a", 3, "grown"), 5)
    assert [(one.session_id, one.summary) for one in parse_window(text).entries] == [
        ("b", "Did things"),
        ("a", "grown"),
    ]


def test_a_summary_with_line_breaks_and_rules_becomes_one_line() -> None:
    text = add_entry("", entry("a", 1, "one\n\n---\n\n## Session x — now\n**Summary**: two"), 5)
    assert len(text.splitlines()) == 3
    assert len(parse_window(text).entries) == 1


@pytest.mark.parametrize("rule", ["\n---\n\n", "\n\n---\n\n"])
def test_a_rule_inside_an_older_summary_splits_nothing(rule: str) -> None:
    old = SAMPLE.rstrip().replace("Moved date", "Moved\n---\ndate") + rule + SAMPLE.replace("7c1e", "8d2f")
    window = parse_window(old)
    assert [one.session_id for one in window.entries] == ["7c1e", "8d2f"]
    assert window.entries[0].summary.startswith("Moved --- date parsing")
    assert window.free_text == ""
    assert forget_session(old, ["7c1e"]) == SAMPLE.replace("7c1e", "8d2f")


def test_an_entry_whose_time_is_odd_is_kept_as_it_is() -> None:
    old = SAMPLE.replace("2026-05-02 09:14:03 UTC", "some evening")
    text = add_entry(old, entry("b", 1), 5)
    assert text.startswith(old.rstrip())
    assert parse_window(text).entries[0].ended_at == UNKNOWN_TIME
    assert parse_window(render_window(parse_window(text))) == parse_window(text)


def test_a_persons_heading_is_not_an_entry() -> None:
    note = "## Session planning — Friday\n\nBring the list.\n"
    assert parse_window(note) == Window((), note.strip(), False)
    assert add_entry(note, entry("a", 1), 1).startswith(note.rstrip() + "\n\n---\n\n## Session a")


def test_a_file_ends_with_a_line_end_whoever_wrote_it() -> None:
    assert add_entry(SAMPLE.rstrip(), entry("b", 1), 5) == add_entry(SAMPLE, entry("b", 1), 5)


def test_a_removed_session_leaves_its_neighbours() -> None:
    text = ""
    for hours in (1, 2, 3):
        text = add_entry(text, entry(f"s{hours}", hours), 5)
    assert forget_session(text, ["s2"]) == add_entry(add_entry("", entry("s1", 1), 5), entry("s3", 3), 5)
    assert forget_session(text, ["s1", "s2", "s3"]) == ""
    assert forget_session(text, ["absent"]) == text


@given(ENTRIES, st.text(max_size=40))
def test_our_own_summary_is_known_again(one: WindowEntry, details: str) -> None:
    text = render_last_session(one, details)
    own = read_last_session(text)
    assert own is not None
    assert (own.session_id, own.ended_at, own.archive) == (one.session_id, one.ended_at, one.archive)
    assert not parse_window(text).is_entries
    assert len(text.split("\n", 1)[0].split("-->")) == 2


def test_an_edited_summary_is_not_ours() -> None:
    text = render_last_session(entry("a", 1), "## Next\n\n- write docs")
    assert read_last_session(text + "And remember the keys.\n") is None
    assert read_last_session(text.replace("docs", "tests")) is None
    assert read_last_session("# My notes\n") is None
    assert read_last_session(text + "\n") is not None


def test_entries_inside_our_own_summary_do_not_make_it_a_list() -> None:
    assert not parse_window(render_last_session(entry("a", 1), SAMPLE)).is_entries


@pytest.mark.parametrize("details", ["", "**Files**:\n- a.py"])
def test_a_summary_of_ours_is_shown_as_the_entry_that_it_is_of(details: str) -> None:
    one = entry("a", 1, "Chose JWT")
    window = display_window(render_last_session(one, details))
    assert window.entries == (one,) and not window.free_text
    assert display_window(render_last_session(one, details) + "mine\n").free_text.endswith("mine"), (
        "what somebody edited is theirs"
    )
    assert display_window(SAMPLE) == parse_window(SAMPLE)


def test_a_line_right_below_an_entry_is_not_taken_into_the_one_that_comes_after_it() -> None:
    held = (
        "## Session a — 2026-03-05 12:00:00 UTC\n"
        "**Duration**: ~5m | **Messages**: 2 | **Archive**: conversation-006.md\n"
        "a person's line\n"
    )
    entry = WindowEntry("b", datetime(2026, 3, 6, tzinfo=UTC), "1m", 1, "conversation-007.md", "A summary.")
    with_it = add_entry(held, entry, 5)
    assert [one.summary for one in parse_window(with_it).entries] == ["", "A summary."]
    assert "a person's line" in forget_session(with_it, ["b"])
    assert "a person's line" in forget_session(
        add_entry(with_it, WindowEntry("c", entry.ended_at, "", 1, "", "More."), 5), ["c"]
    )


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r\r\n", " \t\r\n", "\x0b\n"])
def test_line_ends_of_any_kind_keep_a_persons_line_out_of_a_summary(ending: str) -> None:
    facts = "**Duration**: ~5m | **Messages**: 2 | **Archive**: conversation-006.md"
    held = f"## Session a — 2026-03-05 12:00:00 UTC\n{facts}{ending}* mine\n"
    with_it = add_entry(held, entry("b", 9), 5)
    assert all("mine" not in one.summary for one in parse_window(with_it).entries)
    assert parse_window(with_it).free_text == "* mine"


def test_a_rule_that_ends_in_a_lone_return_is_a_rule() -> None:
    facts = "**Duration**: ~5m | **Messages**: 2 | **Archive**: conversation-006.md"
    held = f"## Session a — 2026-03-05 12:00:00 UTC\n{facts}\n---\r"
    assert parse_window(held).free_text == "" == parse_window(add_entry(held, entry("b", 9), 5)).free_text
