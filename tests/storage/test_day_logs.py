"""Logs of days: entries at the end, read back as they were meant, and taken out alone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.storage.documents import day_logs
from recall_tui.storage.layout import make_layout
from recall_tui.storage.markdown.frontmatter import split_frontmatter

AT = datetime(2026, 3, 6, 9, 12, tzinfo=UTC)
DAY = AT.date()
ID, OTHER = "0a1b2c3d-0000-4000-8000-000000000001", "0a1b2c3d-0000-4000-8000-000000000002"


def test_a_line_tells_when_what_and_where() -> None:
    made = day_logs.render_line(
        AT, "Token refresh race", "Fix the race → A mutex ended it. All tests pass.", "conversation-014", ID
    )
    assert made == "- 09:12 Token refresh race — A mutex ended it. (conversation-014, 0a1b2c3d)"
    (read,) = day_logs.parse_log(made).lines
    assert read == ("09:12", "Token refresh race — A mutex ended it.", "conversation-014", "0a1b2c3d")


def test_what_is_said_twice_stands_once_and_nothing_is_a_session() -> None:
    assert day_logs.render_line(AT, "Same.", "Same.", "a-1", ID) == "- 09:12 Same. (a-1, 0a1b2c3d)"
    assert day_logs.render_line(AT, "", "", "a-1", "") == "- 09:12 a session (a-1, -)"


@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=40))
def test_a_line_of_any_words_is_one_line_and_is_read_back(title: str, summary: str, session: str) -> None:
    made = day_logs.render_line(AT, title, summary, "conversation-001", session)
    assert len(made.splitlines()) == 1 and "<!--" not in made
    (read,) = day_logs.parse_log(made).lines
    assert read.archive == "conversation-001"


@pytest.mark.parametrize("name", ["entity", "user", "hierarchical"])
def test_a_new_day_begins_as_hierarchical_recall_writes_it(tmp_path: Path, name: str) -> None:
    layout = make_layout(tmp_path, name)  # type: ignore[arg-type]
    edit = day_logs.append_entry(layout, DAY, "- 09:12 x (a-1, b)")
    assert edit.path == layout.days / "2026-03-06.md"
    values, body = split_frontmatter(edit.text)
    assert values == {"type": "daily"} and body == "\n## 2026-03-06\n\n- 09:12 x (a-1, b)\n"


def test_a_day_that_somebody_wrote_goes_on_after_a_blank_line(tmp_path: Path) -> None:
    layout = make_layout(tmp_path, "hierarchical")
    layout.days.mkdir()
    path = day_logs.log_path(layout, DAY)
    path.write_text("---\ntype: daily\n---\n\n## 2026-03-06\nmorning")
    assert day_logs.append_entry(layout, DAY, "- x").text == "\n\n- x\n"
    path.write_text("words\n")
    assert day_logs.append_entry(layout, DAY, "- x").text == "\n- x\n"


def test_lessons_have_the_form_of_session_recall(tmp_path: Path) -> None:
    layout = make_layout(tmp_path, "claude-project")
    made = day_logs.render_block(AT, ID, ["one", "two\nlines"], "uuid-9")
    edit = day_logs.append_entry(layout, DAY, made)
    assert edit.path == tmp_path / "memory" / "sessions" / "2026-03-06.md"
    assert edit.text.startswith("\n## Session 0a1b2c3d (09:12)\n\n- one\n- two lines\n")
    (read,) = day_logs.parse_log(edit.text).blocks
    assert read == (ID, "09:12", ("one", "two lines"), "uuid-9")


def test_a_block_without_its_own_mark_is_a_persons() -> None:
    mine = "## Session 0a1b2c3d (09:12)\n\n- mine\n"
    assert day_logs.parse_log(mine).blocks == ()
    assert day_logs.parse_log(f"{mine}\n## More\n\n<!-- recall-tui lessons: {ID} u -->\n").blocks == ()
    assert day_logs.without_sessions(mine, [ID]) == mine


def test_a_session_is_taken_out_alone(tmp_path: Path) -> None:
    layout = make_layout(tmp_path, "entity")
    layout.days.mkdir(parents=True)
    path = day_logs.log_path(layout, DAY)
    entries = [
        day_logs.render_line(AT, "first", "", "conversation-001", ID),
        day_logs.render_line(AT, "second", "", "conversation-002", OTHER),
        "a person's words about 0a1b2c3d",
        day_logs.render_block(AT, ID, ["its lesson"], "u1"),
        day_logs.render_block(AT, OTHER, ["another lesson"], "u2"),
    ]
    for entry in entries:
        path.write_text((path.read_text() if path.exists() else "") + day_logs.append_entry(layout, DAY, entry).text)
    less = day_logs.without_sessions(path.read_text(), [ID], {"conversation-002"})
    assert "first" not in less and "its lesson" not in less
    assert all(words in less for words in ("second", "a person's words about 0a1b2c3d", "another lesson"))
    assert "\n\n\n" not in less and split_frontmatter(less)[0] == {"type": "daily"}
    assert day_logs.without_sessions(less, [ID], {"conversation-002"}) == less


def test_the_day_is_that_of_where_the_person_is() -> None:
    west = timezone(timedelta(hours=-8))
    assert day_logs.local_day(datetime(2026, 3, 7, 3, 0, tzinfo=UTC), west) == date(2026, 3, 6)


def entry(archive: str, session: str, *points: tuple[day_logs.PointLabel, str]) -> str:
    """A session's entry: its line and the bullets below it."""
    line = day_logs.render_line(AT, "Ovens", "The door is checked first.", archive, session)
    return "\n".join((line, *day_logs.render_points(points, archive, session)))


def test_an_entry_has_outcome_decisions_and_lessons_below_its_line() -> None:
    made = entry("conversation-001", ID, ("Decision", "Use\none lock."), ("Lesson", "It was (the) clock."))
    (one,) = day_logs.session_entries(f"## 2026-03-06\n\n{made}\n  - Decision: of a person\n")
    assert (one.title, one.outcome, one.line, one.archive) == (
        "Ovens",
        "The door is checked first.",
        3,
        "conversation-001",
    )
    assert one.points == (("Decision", "Use one lock.", 4), ("Lesson", "It was (the) clock.", 5))
    assert [day_logs.point_text(row) for row in made.split("\n")] == ["", "Use one lock.", "It was (the) clock."]
    assert day_logs.parse_log(made).lines[0].words == "Ovens — The door is checked first."


@given(st.text(max_size=300), st.text(max_size=40))
def test_a_bullet_of_any_words_is_one_line_and_is_read_back(text: str, session: str) -> None:
    made = entry("conversation-001", session, ("Lesson", text))
    (one,) = day_logs.session_entries(made)
    assert len(made.splitlines()) == 2 and "<!--" not in made and len(one.points) == 1


def test_a_session_is_taken_out_with_its_bullets_and_a_persons_stay() -> None:
    mine = "  - Decision: I keep the old oven\n"
    other = entry("conversation-002", OTHER, ("Lesson", "two"))
    log = f"{entry('conversation-001', ID, ('Decision', 'one'))}\n{mine}\n{other}\n"
    less = day_logs.without_sessions(log, [ID], {"conversation-002"})
    assert less == f"{mine}\n{other}\n"
    assert day_logs.without_sessions(less, [OTHER], {"conversation-001"}) == mine


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_entry_is_found_with_its_own_bullets(end: str) -> None:
    mine, other = entry("conversation-001", ID, ("Decision", "one")), entry("conversation-002", ID, ("Lesson", "two"))
    log = f"{other}\n\n{mine}\n  - of a person\n".replace("\n", end)
    assert day_logs.find_entry(log, "conversation-001", ID).replace("\r", "").rstrip() == mine
    assert day_logs.find_entry(log, "conversation-003", ID) == ""
