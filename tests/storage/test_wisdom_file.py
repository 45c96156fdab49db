"""WISDOM.md: one shape is written, every shape is read, and nothing of a person's is lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.storage.documents.wisdom_edit import update_wisdom
from recall_tui.storage.documents.wisdom_file import WisdomEntry, WisdomFile, parse_wisdom, render_wisdom, unique_id

DAY = date(2026, 3, 6)
MAP = "## Knowledge Map\n\n### Core Concepts\n\n- [[jwt-auth]] — How people sign in"
IDS = st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}", fullmatch=True).filter(lambda id: id != "index")
CLAIMS = st.from_regex(r"[A-Za-z][A-Za-z0-9 ,.;:'\"/_-]{0,60}[A-Za-z0-9.]", fullmatch=True)
SOURCES = st.just("") | st.from_regex(r"memory/[a-z0-9-]{1,12}\.md:[1-9][0-9]{0,3}(-[1-9][0-9]{0,3})?", fullmatch=True)


@pytest.mark.long
@given(st.lists(st.builds(WisdomEntry, IDS, CLAIMS, SOURCES), max_size=5).map(tuple), st.sampled_from(("", MAP)))
def test_what_is_written_is_read_again(entries: tuple[WisdomEntry, ...], knowledge_map: str) -> None:
    wisdom = WisdomFile(entries, knowledge_map, "A word of the person.")
    text = render_wisdom(wisdom, DAY)
    assert parse_wisdom(text) == wisdom
    assert render_wisdom(parse_wisdom(text), DAY) == text


def test_the_shape_with_titles_and_categories_is_read_and_its_words_are_kept() -> None:
    text = (
        "# Ada - Wisdom\n\n*Last compacted: 2026-01-01*\n\nMy own introduction.\n\n## Process\n\n"
        "**Deploy on Fridays** Never after noon.\nAsk first.\n\n## Technology\n\n**Redis** Keeps sessions.\n"
    )
    found = parse_wisdom(text)
    assert found.entries == (
        WisdomEntry("deploy-on-fridays", "Never after noon. Ask first."),
        WisdomEntry("redis", "Keeps sessions."),
    )
    assert found.others == "My own introduction."


def test_the_shape_of_dreaming_and_the_map_are_read() -> None:
    text = (
        "# Wisdom\n\nWhat holds.\n\n## Patterns and lessons\n\n- **use-jwt** — Tokens for mobile, see [[jwt-auth]]\n\n"
        f"*2026-01-01 · 1 entries · 50 chars*\n\n{MAP}\n\n## Mine\n\nA person's section.\n"
    )
    found = parse_wisdom(text)
    assert found.entries == (WisdomEntry("use-jwt", "Tokens for mobile, see [[jwt-auth]]"),)
    assert found.knowledge_map == MAP
    assert found.others == "What holds.\n\n## Mine\n\nA person's section."
    assert parse_wisdom(render_wisdom(found, DAY)) == found


def test_an_empty_file_has_nothing_and_says_so_when_it_is_written() -> None:
    assert parse_wisdom("") == WisdomFile()
    assert parse_wisdom(render_wisdom(WisdomFile(), DAY)) == WisdomFile()


def test_no_two_entries_have_one_id() -> None:
    assert unique_id(["Use", "JWT"], []) == "use-jwt"
    assert unique_id(["Use", "JWT"], ["use-jwt", "use-jwt-2"]) == "use-jwt-3"
    assert unique_id(["東京"], []) == "entry"


def test_what_a_model_was_given_is_written_with_it_and_a_changed_entry_breaks_its_seal() -> None:
    both = WisdomEntry("redis", "Redis keeps the sessions.", "memory/2026-03-06.md:4-6; memory/2026-03-07.md:9")
    text = render_wisdom(WisdomFile((both,), MAP, "Mine.", made_from="0a1b", made_by="claude/haiku"), DAY, "Ada")
    found = parse_wisdom(text)
    assert text.startswith("# Ada - Wisdom\n") and found.entries == (both,) and found.others == "Mine."
    assert (found.made_from, found.made_by, found.is_sealed) == ("0a1b", "claude/haiku", True)
    assert not parse_wisdom(text.replace("Redis keeps", "Postgres keeps")).is_sealed
    assert render_wisdom(found, DAY, "Ada") == text


def test_words_that_leave_a_comment_open_hide_neither_the_entries_nor_the_map() -> None:
    told = "## Knowledge Map\n\n- **jwt-auth** — How people sign in"
    for words in ("<!-- never closed", "```\nnever closed", "<script>never closed"):
        wisdom = WisdomFile((WisdomEntry("a-claim", "It holds."),), told, words)
        again = parse_wisdom(render_wisdom(wisdom, DAY))
        assert [one.id for one in again.entries] == ["a-claim"]
        assert again.knowledge_map == told
        assert again.others.startswith(words)
        assert parse_wisdom(render_wisdom(again, DAY)) == again


def test_an_indented_line_of_others_does_not_become_an_entry() -> None:
    told = parse_wisdom("\n \n  **not mine**\n\n# Wisdom\n")
    assert told.entries == () and told.others == "  **not mine**"
    again = parse_wisdom(render_wisdom(told, date(2026, 3, 6)))
    assert again.entries == () and again.others == told.others


SHAPED = (
    "# Bob - Wisdom\n\n*Last compacted: 2026-01-01*\n\n## Engineering\n\n**Keep handlers thin.** They only parse.\n\n"
    "# Asides\n\nFree words.\n\n## People\n\n**Ana knows billing.** Ask her first.\n"
)


@pytest.mark.parametrize("ending", ["", "\n<!-- left open\n", "\n```\nleft open\n"])
def test_a_file_of_another_shape_keeps_every_byte_when_entries_come_and_go(ending: str) -> None:
    text = SHAPED + ending
    held = parse_wisdom(text)
    one, two = (WisdomEntry(id, f"It {id}s.", "memory/2026-03-06.md:4") for id in ("holds", "breaks"))
    more = update_wisdom(text, replace(held, entries=(*held.entries, one, two)), DAY)
    assert more.startswith(text) and parse_wisdom(more).entries == (*held.entries, one, two)
    less = update_wisdom(more, replace(held, entries=(*held.entries, two)), DAY)
    assert less.startswith(text) and parse_wisdom(less).entries == (*held.entries, two)
    told = replace(held, entries=(*held.entries, one), made_from="0a1b", made_by="claude/haiku")
    assert update_wisdom(more, told, DAY).startswith(text) and parse_wisdom(update_wisdom(more, told, DAY)).is_sealed


def test_a_file_of_our_own_is_written_anew() -> None:
    text = render_wisdom(WisdomFile((WisdomEntry("redis", "Redis keeps the sessions."),), MAP), DAY, "Ada")
    later = date(2026, 4, 1)
    assert update_wisdom(text, WisdomFile(), later) == render_wisdom(WisdomFile(), later)
    own = text.replace("- **redis**", "- **mine** — A person's.\n- **redis**")
    assert parse_wisdom(update_wisdom(own, replace(parse_wisdom(own), entries=()), later)).entries == ()
