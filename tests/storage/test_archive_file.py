"""The head and the tags of an archive come back as they were, and every older form is read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recall_tui.domain import ArchiveEntry, Message, SessionDigest, Tags
from recall_tui.storage.archives.body import write_body
from recall_tui.storage.archives.file import (
    parse_number,
    parse_tags,
    read_body,
    read_entry,
    read_summary,
    render_head,
    render_tags,
)
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.text.cut import one_line
from tests.storage.speaker_turns import parse_turns

AT = datetime(2026, 3, 6, 10, 30, tzinfo=UTC)
HOSTILE = st.sampled_from(
    ["---", "a---b", "x\n---\ny", '"', "a: b", "[a, b]", "| x |", "## Tags", "# Conversation 9", "**Decisions**: no",
     "007", "<!-- x -->", "</details>", "İß🦀", "\udcff", "- a", "\\", "", "### User"]
)  # fmt: skip
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | HOSTILE
FLAT = WORDS.map(one_line).filter(bool)
ENTRY = st.builds(
    ArchiveEntry,
    number=st.integers(1, 5000),
    path=st.just(Path("conversation-001.md")),
    session_id=WORDS,
    date=st.just(AT),
    messages=st.integers(0, 10**6),
    duration=WORDS,
    source=WORDS,
    topics=st.lists(WORDS.filter(bool), max_size=3).map(tuple),
    title=WORDS,
    started_at=st.none() | st.just(AT - timedelta(hours=1)),
    ended_at=st.none() | st.just(AT),
    cwd=WORDS,
    transcripts=st.lists(WORDS.filter(bool), max_size=2).map(tuple),
    last_uuid=WORDS,
    extra=st.dictionaries(st.sampled_from(["parent", "mood", "x y"]), WORDS | st.integers(), max_size=2),
)
TAGS = st.builds(
    Tags,
    project=FLAT,
    decisions=st.lists(FLAT, max_size=3).map(tuple),
    actions=st.lists(FLAT, max_size=3).map(tuple),
    files=st.lists(st.sampled_from(["src/a.py", "b, c.md", "İ.txt"]), max_size=3).map(tuple),
    tools=st.lists(st.sampled_from(["Bash", "Edit"]), max_size=2).map(tuple),
)


@pytest.mark.long
@pytest.mark.parametrize("prefix", ["conversation", "archive-log"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ENTRY, WORDS, TAGS)
def test_a_head_reads_back(tmp_path: Path, prefix: str, entry: ArchiveEntry, summary: str, tags: Tags) -> None:
    path = tmp_path / f"{prefix}-{entry.number:03d}.md"
    entry = replace(entry, path=path)
    text = render_head(entry, SessionDigest(summary, tags=tags))
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert read_entry(path) == entry
    assert read_summary(text) == one_line(summary)
    assert parse_tags(text + "---\n\n### User\n\nhi\n\n" + render_tags(tags)) == tags
    assert parse_tags(render_tags(tags)) == tags


def test_a_head_has_the_published_keys_in_their_order() -> None:
    entry = ArchiveEntry(
        7, Path("conversation-007.md"), "abc", AT, 22, "20m", "session", ("ci",), cwd="/repo", started_at=AT
    )
    text = render_head(entry, SessionDigest("Fixed it", tags=Tags(decisions=("Use Redis",), actions=("Test it",))))
    assert text == (
        '---\nlog: 7\ndate: "2026-03-06T10:30:00Z"\nsession_id: "abc"\nmessage_count: 22\nduration: "20m"\n'
        'source: "session"\ntopics: ["ci"]\nstarted_at: "2026-03-06T10:30:00Z"\ncwd: "/repo"\n---\n\n'
        "## Summary\n\nFixed it\n\n**Decisions**:\n- Use Redis\n\n**Action Items**:\n- Test it\n\n"
        "# Conversation 007\n\n"
    )
    assert yaml.safe_load(text.split("---")[1])["topics"] == ["ci"]


def test_a_log_has_its_own_keys_first_and_its_title_above_its_summary() -> None:
    entry = ArchiveEntry(7, Path("archive-log-007.md"), "abc", AT, source="precompact", title="Fix the parser")
    text = render_head(entry, SessionDigest("Fixed it", tags=Tags(actions=("Test it",))))
    assert list(split_frontmatter(text)[0])[:5] == ["log", "date", "trigger", "context", "topics"]
    assert "\ntrigger: precompact\n" in text
    assert text.endswith("# Archive Log 007\n\n## Summary\n\nFixed it\n\n## Action Items\n\n- Test it\n\n")
    assert parse_tags(text).actions == ("Test it",)


@pytest.mark.parametrize("name", ["conversation", "archive-log"])
def test_the_turns_are_what_stands_between_head_and_tags(tmp_path: Path, name: str) -> None:
    path = tmp_path / "body.md"
    with path.open("w", encoding="utf-8") as out:
        write_body([Message("prompt", "hi\n## Tags"), Message("tool_result", "## Tags\n### User")], out)
    body = path.read_text("utf-8")
    head = render_head(ArchiveEntry(1, Path(f"{name}-001.md")), SessionDigest("Short", tags=Tags(actions=("Go",))))
    text = head + body + render_tags(Tags(files=("a.py",)))
    assert read_body(text) == body
    assert [turn.text for turn in parse_turns(text)] == ["hi\n## Tags"]
    assert parse_tags(text) == Tags(actions=("Go",), files=("a.py",))


@pytest.mark.parametrize(
    ("name", "number"),
    [("conversation-001.md", 1), ("archive-log-1000.md", 1000), ("conversation-x.md", None),
     ("conversation-1.txt", None), ("notes-001.md", None),
     ("conversation-1234567890.md", None), ("conversation-٣.md", None)],
)  # fmt: skip
def test_the_number_is_the_one_in_the_name(name: str, number: int | None) -> None:
    assert parse_number(name) == number


def test_a_log_written_by_hand_is_read(tmp_path: Path) -> None:
    path = tmp_path / "archive-log-002.md"
    path.write_text(
        "# Archive Log 002\n\n- **Date**: 2026-02-24T18:00:00Z\n- **Trigger**: session-end\n"
        "- **Session context**: Parser work\n\n## Summary\n\nMoved the parser.\n\nTests pass.\n\n"
        "## Key Details\n\n<!-- fill in -->\n\n## Action Items\n\n- Write docs\n"
    )
    entry = read_entry(path)
    assert entry is not None
    assert (entry.number, entry.source, entry.title) == (2, "session-end", "Parser work")
    assert entry.date == datetime(2026, 2, 24, 18, tzinfo=UTC)
    assert read_summary(path.read_text()) == "Moved the parser. Tests pass."
    assert parse_tags(path.read_text()).actions == ("Write docs",)
    path.write_text("Just words.\n")
    assert read_entry(path) == ArchiveEntry(2, path)


def test_a_log_of_the_first_tool_is_read(tmp_path: Path) -> None:
    path = tmp_path / "archive-log-003.md"
    path.write_text(
        '---\nlog: 3\ndate: "2026-02-25T09:00:00Z"\ntrigger: precompact\ncontext: "Say "hi": now"\ntopics: []\n---\n\n'
        "# Archive Log 003\n\n## Summary\n\n<!-- Fill in:\nwhat happened -->\n\n## Unresolved\n\n- a\n"
    )
    entry = read_entry(path)
    assert entry is not None
    assert (entry.source, entry.title, entry.topics, entry.extra) == ("precompact", 'Say "hi": now', (), {})
    assert read_summary(path.read_text()) == ""


def test_a_broken_head_costs_its_broken_lines_alone(tmp_path: Path) -> None:
    path = tmp_path / "conversation-004.md"
    path.write_bytes(b'---\nlog: x\ndate: never\nno colon\nsession_id: "a\xff"\nmessage_count: "12"\nmood: 3\n---\n')
    entry = read_entry(path)
    assert entry == ArchiveEntry(4, path, "a\udcff", messages=12, extra={"mood": 3})


def test_a_head_longer_than_the_first_look_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "conversation-005.md"
    many = tuple(f"/transcripts/{number:04d}.jsonl" for number in range(400))
    whole = ArchiveEntry(5, path, "abc", AT, transcripts=many, last_uuid="é" * 9)
    path.write_text(render_head(whole, SessionDigest("")) + "x" * 100_000, encoding="utf-8")
    assert read_entry(path) == whole


def test_what_cannot_be_read_is_no_archive(tmp_path: Path) -> None:
    assert read_entry(tmp_path / "conversation-001.md") is None
    (tmp_path / "conversation-002.md").mkdir()
    assert read_entry(tmp_path / "conversation-002.md") is None
    assert read_entry(tmp_path / "notes.md") is None


def test_decisions_on_one_line_are_read_too() -> None:
    tags = "**Project**: x\n**Decisions**: a; b\n**Files**: `a`, b\n"
    text = f"# Conversation 001\n\n---\n\n### User\n\nhi\n\n## Tags\n\n{tags}"
    assert parse_tags(text) == Tags("x", ("a", "b"), files=("a", "b"))
    assert render_tags(Tags()) == ""


def test_a_date_is_written_in_utc() -> None:
    late = datetime(2026, 3, 6, 1, tzinfo=timezone(timedelta(hours=2)))
    assert 'date: "2026-03-05T23:00:00Z"' in render_head(
        ArchiveEntry(1, Path("conversation-001.md"), date=late), SessionDigest("")
    )


def test_comments_that_are_never_closed_are_looked_for_once() -> None:
    assert parse_tags("<!-- a\n" * 50_000) == Tags()
