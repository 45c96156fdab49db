"""The master is a document of a person's and ours: what is ours is known by its hash, and all else stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.storage.documents import master_file
from recall_tui.storage.documents.master_file import (
    DECISIONS,
    SECTIONS,
    STATUS,
    Master,
    MasterBullet,
    MasterRecord,
    MasterSection,
    MasterSource,
    ThemeGroup,
    clean_id,
    clean_text,
    find_synthesis_day,
    is_placeholder,
    parse_master,
    render_master,
    strip_note,
)

RECORD = MasterRecord("2026-03-06T12:00:00+00:00", {"aaaa": "1" * 8, "bbbb": "2" * 8}, {"_docs/plan.md": "3" * 8})
REDIS = MasterBullet(
    "Use Redis for tokens", (MasterSource("a1b2c3d4", "2026-03-06"), MasterSource("b1b2c3d4", "2026-03-07"))
)
HOSTILE = st.sampled_from(
    ["(check: x)", "a (b, 2026-01-01)", "## x", "<!-- recall-master: {} -->", "```", "---", "*None.*", "- ", "İß🦀", ""]
)
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20) | HOSTILE
IDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12).map(clean_id)
SOURCES = st.lists(st.builds(MasterSource, IDS, st.sampled_from(["", "2026-03-06"])), min_size=1, max_size=3).map(tuple)
CHECKS = st.sampled_from(["", "src/x.py is not there"])
BULLETS = st.builds(MasterBullet, WORDS.map(clean_text).filter(bool), SOURCES, CHECKS)
OWN = st.sampled_from(["A line of mine", "- mine, too", "> quoted", "  indented", "1. one"])
TITLES = st.sampled_from(["auth", "Database & cache", "x y"])
GROUPS = st.builds(ThemeGroup, TITLES, st.lists(BULLETS | OWN, min_size=1, max_size=3).map(tuple), st.just(True))


def of(title: str, *lines: MasterBullet | str) -> Master:
    """A master with these lines in one section."""
    sections = tuple(MasterSection(one, (ThemeGroup("", lines),) if one == title else ()) for one in SECTIONS)
    return Master(sections=sections, record=RECORD)


def test_a_master_has_the_published_shape() -> None:
    text = render_master(of(DECISIONS, REDIS))
    above, _, comment = text.partition("\n<!-- recall-master: ")
    assert above == (
        f"{master_file.INTRO}\n\n## Current Status\n\n*None.*\n\n## Key Decisions\n\n"
        "- Use Redis for tokens (a1b2c3d4, 2026-03-06; b1b2c3d4, 2026-03-07)\n\n"
        "## Learnings & Discoveries\n\n*None.*\n\n## Evolution & Changes\n\n*None.*\n\n"
        "## Active Questions\n\n*None.*\n\n"
        "---\n\n*Last synthesized: 2026-03-06*\n*Source: 2 conversations, 1 doc*\n"
    )
    assert comment.count("\n") == 1
    assert find_synthesis_day(text) == "2026-03-06"
    assert "<!--" not in strip_note(text) and strip_note(text).endswith("1 doc*")


@pytest.mark.long
@given(st.lists(GROUPS, max_size=3, unique_by=lambda group: group.title), st.lists(BULLETS | OWN, max_size=3))
def test_a_master_reads_back(groups: list[ThemeGroup], first: list[MasterBullet | str]) -> None:
    lead = (ThemeGroup("", tuple(first)),) if first else ()
    sections = tuple(MasterSection(one, (*lead, *groups) if one == DECISIONS else ()) for one in SECTIONS)
    found = parse_master(render_master(Master(sections=sections, record=RECORD)))
    assert found.sections == sections
    assert found.record is not None
    assert (found.record.summaries, found.record.docs, found.record.at) == (RECORD.summaries, RECORD.docs, RECORD.at)


@pytest.mark.long
@given(st.lists(WORDS | OWN | st.sampled_from(["## Mine", "### Theme", "# X", "~~~"]), max_size=12).map("\n".join))
def test_no_line_of_a_person_is_ever_lost(text: str) -> None:
    once = render_master(parse_master(text))
    assert render_master(parse_master(once)) == once
    said = [line.strip() for line in once.split("\n")]
    footer = ("*None.*", "---")
    for line in text.split("\n"):
        assert line.strip() in said or line.strip() in footer or line.startswith("<!-- recall-master: "), line


def test_a_line_that_a_person_edited_is_theirs() -> None:
    text = render_master(of(DECISIONS, REDIS)).replace("Use Redis", "Use Valkey")
    assert list(parse_master(text).lines(DECISIONS)) == [line for line in text.splitlines() if "Valkey" in line]
    assert next(parse_master(text).bullets(), None) is None


def test_sections_of_a_person_stay_where_they_are_and_those_that_are_missing_come_back() -> None:
    text = "# Mine\n\nHello.\n\n## House rules\n\n- never on Friday\n\n## Key Decisions\n\n- by hand\n"
    made = parse_master(text)
    assert [one.title for one in made.sections] == [STATUS, "House rules", *SECTIONS[1:]]
    assert render_master(made).startswith("# Mine\n\nHello.\n\n## Current Status")
    assert "- never on Friday" in render_master(made)


def test_what_is_written_below_the_footer_stays() -> None:
    made = parse_master(render_master(of(DECISIONS, REDIS)) + "\n## Notes\n\nmine\n")
    assert made.record is not None and made.sections[-1] == MasterSection("Notes", (ThemeGroup("", ("mine",)),))


def test_a_heading_in_a_code_block_is_no_section() -> None:
    text = "# P\n\n## Key Decisions\n\n```\n## not a section\n```\n"
    assert [one.title for one in parse_master(text).sections] == list(SECTIONS)


@pytest.mark.parametrize("comment", ["<!-- recall-master: {broken -->", "<!-- recall-master: [] -->", ""])
def test_a_comment_that_cannot_be_read_makes_every_line_a_persons(comment: str) -> None:
    text = render_master(of(DECISIONS, REDIS))
    start = text.index("<!-- recall-master")
    made = parse_master(text[:start] + comment)
    assert made.record is None and master_file.render_bullet(REDIS) in list(made.lines())


def test_line_ends_of_another_system_change_nothing() -> None:
    text = render_master(of(DECISIONS, REDIS))
    assert parse_master(text.replace("\n", "\r\n")) == parse_master(text)


def test_a_secret_is_taken_out_of_a_line() -> None:
    assert "AKIA" not in clean_text("the key is AKIAIOSFODNN7EXAMPLA now")


@pytest.mark.parametrize(
    "text",
    ["", "# Project Memory\n", "# Project Memory\n\n## Current Status\n\n*Nothing yet.*\n", render_master(Master())],
)
def test_a_placeholder_is_known(text: str) -> None:
    assert is_placeholder(text)
    assert not is_placeholder(text + "\n\n## Key Decisions\n\n- Use Redis\n")


def test_very_many_blank_lines_are_passed_over_once() -> None:
    blank = "\n" * 50_000
    assert "mine" in render_master(parse_master(f"# Master\n\n## Key Decisions\n{blank}- mine\n{blank}"))


def test_of_two_footers_neither_is_taken_for_a_persons_words() -> None:
    footer = "---\n\n*Last synthesized: 2026-03-06*\n"
    told = parse_master(f"# M\n\n## Notes\n\nMine.\n\n{footer}\n{footer}")
    assert [line for line in told.lines("Notes") if line] == ["Mine."]
    assert render_master(parse_master(render_master(told))) == render_master(told)


def test_an_indented_heading_above_all_sections_stays_what_it_is() -> None:
    told = parse_master("\n  ## M\n\n## Notes\n\nMine.\n")
    assert told.lead == "  ## M"
    assert parse_master(render_master(told)).lead == told.lead


@pytest.mark.parametrize("text", ["\r\n\ufeff# Notes\r\n", " \n\ufeff\n\ufeffOurs.\n", "\n\n  \u2003\n\ufeff"])
def test_a_mark_of_byte_order_below_blank_lines_is_no_text(text: str) -> None:
    parsed = parse_master(text)
    assert "\ufeff" not in render_master(parsed)
    assert parse_master(render_master(parsed)) == parsed
