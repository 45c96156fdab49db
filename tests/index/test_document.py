"""Files are cut into passages without losing a line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.index.ingest.markdown_passages import MAX_CHARS, markdown_passages
from recall_tui.storage.markdown.frontmatter import split_frontmatter

MEMORY = Path("MEMORY.md")
ARCHIVE = Path("conversation-001.md")
LINES = st.sampled_from(
    ["", "---", "### User", "### Assistant", "## Summary", "## Tags", "# Conversation 001", "words", "```", "a\rb",
     "İß", "> **Read** `src/a.py`", "<details><summary>Result</summary>", "</details>", "x" * 5000, "## Two\r",
     "log: 1"]
)  # fmt: skip


def test_a_curated_file_is_one_passage_for_each_section() -> None:
    text = "# Memory\n\nintro\n\n## Auth\n\njwt\n\n### Keys\n\nrotate\n"
    found = list(markdown_passages(MEMORY, text, "memory"))
    assert [(one.heading, one.lines) for one in found] == [
        ("Memory", (1, 4)),
        ("Memory › Auth", (5, 8)),
        ("Memory › Auth › Keys", (9, 12)),
    ]
    assert {one.head.title for one in found} == {"Memory"}


def test_a_heading_inside_a_fence_starts_no_section() -> None:
    assert len(list(markdown_passages(MEMORY, "## A\n```\n## not one\n```\n", "memory"))) == 1


def test_the_frontmatter_reaches_every_passage_and_shifts_the_lines(archive: Callable[..., Path]) -> None:
    path = archive(7, "how do we log in", "with jwt", project="/home/u/api", branch="main")
    text = path.read_text()
    (one,) = markdown_passages(path, text, "conversation")
    assert (one.session_id, one.head.project, one.head.branch) == ("session-7", "/home/u/api", "main")
    assert one.date is not None and one.date.day == 1
    assert text.split("\n")[one.lines[0] - 1 : one.lines[1]] == one.body.split("\n")


def test_what_tools_were_told_and_answered_is_no_prose(archive: Callable[..., Path]) -> None:
    reply = (
        "I read it.\n\n> **Read** `src/auth/login.py`\n\n"
        "<details><summary>Result</summary>\n\n```\nzebra\n```\n\n</details>\n\nAll good."
    )
    path = archive(1, "look at the login", reply)
    found = list(markdown_passages(path, path.read_text(), "conversation"))
    prose, tool = "\n".join(one.prose for one in found), "\n".join(one.tool for one in found)
    assert "zebra" in tool and "zebra" not in prose
    assert "All good." in prose and "look at the login" in found[0].prompt
    assert any("Read" in one.tools and "src/auth/login.py" in one.files for one in found)


def test_who_speaks_is_no_part_of_what_is_said(archive: Callable[..., Path]) -> None:
    path = archive(1, "one", "two")
    (one,) = markdown_passages(path, path.read_text(), "conversation")
    assert one.prose.split() == ["one", "two"]
    assert one.roles == ("prompt", "reply")


def test_short_turns_share_a_passage_and_long_ones_are_cut(archive: Callable[..., Path]) -> None:
    short = archive(1, *["a short turn"] * 6)
    assert len(list(markdown_passages(short, short.read_text(), "conversation"))) == 1
    long = archive(2, "\n".join(f"line {number} of a long story" for number in range(400)))
    found = list(markdown_passages(long, long.read_text(), "conversation"))
    assert len(found) > 3
    assert all(len(one.body) <= MAX_CHARS for one in found)


def test_summary_and_tags_of_an_archive_are_passages_of_their_own() -> None:
    text = (
        "---\nlog: 1\ndate: 2026-03-01T10:00:00Z\n---\n\n## Summary\n\nChose jwt.\n\n# Conversation 001\n\n---\n\n"
        "### User\n\nwhich one?\n\n## Tags\n\n**Files**: src/a.py, b.md\n**Tools**: Read, Bash\n"
    )
    found = list(markdown_passages(ARCHIVE, text, "conversation"))
    assert [one.heading for one in found] == ["Summary", "", "Tags"]
    assert "summary" in found[0].roles
    assert found[2].files == ("src/a.py", "b.md") and found[2].tools == ("Read", "Bash")


def test_an_entry_of_the_window_has_its_own_session_and_time() -> None:
    text = (
        "## Session 7c1e — 2026-05-02 09:14:03 UTC\n**Duration**: ~25m | **Messages**: 12 | **Archive**: "
        "conversation-002.md\n**Summary**: Moved date parsing\n"
    )
    (one,) = markdown_passages(Path("EPHEMERAL.md"), text, "window")
    assert one.session_id == "7c1e"
    assert one.date is not None and one.date.isoformat() == "2026-05-02T09:14:03+00:00"


@given(st.lists(LINES, max_size=25), st.sampled_from(["conversation", "memory", "window", "daily"]))
def test_every_line_with_words_below_the_frontmatter_is_in_exactly_one_passage(lines: list[str], kind: str) -> None:
    text = "\n".join(lines)
    _, below = split_frontmatter(text)
    found = list(markdown_passages(ARCHIVE, text, kind))
    bodies = "".join(one.body for one in found)
    assert all(one.body.count("\n") + 1 == len(one.labels) for one in found)
    assert bodies.count("words") == below.count("words")
    assert bodies.count("x") == below.count("x")
    assert [one.lines for one in found] == sorted(one.lines for one in found)
    for one in found:
        stands = text.split("\n")[one.lines[0] - 1 : one.lines[1]]
        assert one.body in "\n".join(stands)


@pytest.mark.parametrize(
    ("path", "kind", "head", "day"),
    [
        ("weekly/2026-W10.md", "weekly", "", "2026-03-05"),
        ("weekly/2026-W10.md", "weekly", "updated: 2026-09-09", "2026-03-05"),
        ("sessions/week-2026-03-02.md", "weekly", "", "2026-03-05"),
        ("weekly/2020-W53.md", "weekly", "", "2020-12-31"),
        ("monthly/2026-03.md", "monthly", "", "2026-03-15"),
        ("monthly/2026-03.md", "monthly", "date: 2026-04-01", "2026-03-15"),
        ("wiki/auth.md", "wiki", "updated: 2026-03-20", "2026-03-20"),
        ("dreams/insights/2026-03-07-auth.md", "insight", "updated: 2026-09-09", "2026-03-07"),
        ("weekly/2026-W60.md", "weekly", "", None),
    ],
)
def test_a_page_has_the_date_of_what_it_tells_of(path: str, kind: str, head: str, day: str | None) -> None:
    (one,) = markdown_passages(Path(path), f"---\ntype: {kind}\n{head}\n---\n\nwords\n", kind)
    assert (one.date and one.date.date().isoformat()) == day
