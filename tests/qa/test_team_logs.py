"""The logs of the team and what is expected of them: that they fit together, and that the scorer can tell."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import chain
from pathlib import Path

import pytest

from tests.qa.team_logs import (
    LOGS,
    MAX_LINE_CHARS,
    Answer,
    Expected,
    Item,
    Machine,
    Place,
    Question,
    pages_with,
    plain,
    read_expected,
    read_logs,
    report,
)

FEWEST_LINES, MOST_LINES = 8, 25
OTHERS = ("bakery_logs", "school_logs")
LEAST_FIRST = {"team_logs": 16, "bakery_logs": 20, "school_logs": 11}
"""Questions of each set whose first hit says what holds now, at least."""
FACT = Item("lease", (Place(date(2026, 8, 7), "a lease in etcd"),), ("lease + etcd",))


@pytest.fixture(scope="module")
def logs() -> dict[date, str]:
    return read_logs(LOGS)


@pytest.fixture(scope="module")
def expected() -> Expected:
    return read_expected(LOGS)


def paragraphs(log: str) -> list[str]:
    """The pieces that a page can take a line from: bullets, lines with a time at their head, paragraphs of prose."""
    return [plain(piece) for piece in re.split(r"\n\s*\n|\n(?=- |\d\d:\d\d |#)", log)]


def test_there_is_a_log_for_every_working_day_of_nine_weeks_but_one(logs: dict[date, str]) -> None:
    first, last = min(logs), max(logs)
    working = {first + timedelta(days=n) for n in range((last - first).days + 1)}
    working = {day for day in working if day.weekday() < 5}

    assert len(logs) == 44 and len({day.isocalendar().week for day in logs}) == 9
    assert working - set(logs) == {date(2026, 8, 21)} and set(logs) <= working
    assert {day.month for day in logs} == {8, 9, 10}
    for day, text in logs.items():
        assert FEWEST_LINES <= len(text.splitlines()) <= MOST_LINES, day


def test_there_are_so_many_facts_things_and_questions_as_are_counted(expected: Expected) -> None:
    items = [*expected.facts, *expected.left_out]

    assert (len(expected.facts), len(expected.left_out), len(expected.questions)) == (25, 10, 20)
    assert len({one.id for one in items}) == len(items)
    assert all(1 <= len(one.phrases) <= 4 for one in items)
    assert len({one.ask for one in expected.questions}) == len(expected.questions)


def test_all_words_stand_in_the_logs_that_are_named(logs: dict[date, str], expected: Expected) -> None:
    of_items = (one.stands for one in (*expected.facts, *expected.left_out))
    of_questions = (places for one in expected.questions for places in (one.present, one.outdated))

    for places in chain(of_items, of_questions):
        assert places
        for place in places:
            assert plain(place.words) in plain(logs[place.day]), place


def test_phrases_find_their_item_in_its_own_logs_and_in_no_other(logs: dict[date, str], expected: Expected) -> None:
    for one in (*expected.facts, *expected.left_out):
        found = {day for day, text in logs.items() if any(map(one.is_in, paragraphs(text)))}
        assert found, one.id
        if one in expected.facts:
            assert found <= {place.day for place in one.stands}, one.id


@pytest.mark.parametrize("name", OTHERS)
def test_all_words_of_the_other_sets_stand_in_their_logs(name: str) -> None:
    other, its_logs = read_expected(LOGS.parent / name), read_logs(LOGS.parent / name)
    places = [place for one in other.questions for place in (*one.present, *one.outdated)]
    places += [place for one in other.holds for place in one.stands]

    assert len(other.questions) >= 15 and other.holds
    assert [place for place in places if plain(place.words) not in plain(its_logs[place.day])] == []
    for one in other.questions:
        assert max(place.day for place in one.outdated) < max(place.day for place in one.present), one.ask


def test_what_holds_was_written_after_what_no_longer_holds(expected: Expected) -> None:
    for one in expected.questions:
        assert max(place.day for place in one.outdated) < min(place.day for place in one.present), one.ask


def test_a_fact_is_kept_by_a_line_that_has_all_parts_of_a_phrase() -> None:
    pages = {
        "2026-W32": ["- knit takes a **lease** in Etcd (memory/2026-08-07.md:4)"],
        "2026-08": ["- a lease", "- of etcd"],
        "WISDOM": ["- lease in etcd, " + "and " * MAX_LINE_CHARS],
    }

    assert pages_with(FACT, pages) == ["2026-W32", "WISDOM"]
    assert pages_with(FACT, pages, MAX_LINE_CHARS) == ["2026-W32"]


def test_a_citation_keeps_nothing() -> None:
    assert plain("- Ring01 *was* down (memory/2026-08-07.md:4-6)") == "- ring01 was down"
    assert plain("- both (memory/2026-08-07.md:4; memory/2026-08-10.md)") == "- both"
    assert plain("- fixed (in etcd)") == "- fixed (in etcd)"


def test_misses_are_named() -> None:
    asked = (Question("who leads", FACT.stands, FACT.stands), Question("who follows", FACT.stands, FACT.stands))
    few = Expected((FACT,), (FACT,), asked)
    answers = [Answer(1, 0, is_marked=False, is_recalled=True), Answer(0, 1, is_marked=True, is_recalled=False)]

    text = "\n".join(report(few, {"2026-W32": ["- nothing"]}, answers))

    assert "| facts kept | 0 | 1 |" in text and "| things left in | 0 | 1 |" in text
    assert "| present fact first | 1 | 2 |" in text and "| older value first, unmarked | 1 | 2 |" in text
    assert "| lease | MISSED |" in text
    assert "| who leads | 2 MISSED | 1 | first |" in text and "| who follows | 1 | 2 marked | MISSED |" in text
    assert "| facts kept | 1 | 1 |" in "\n".join(report(few, {"2026-W32": ["- lease in etcd"]}, answers))


@pytest.mark.long
def test_the_program_makes_the_weeks_and_answers_the_questions(
    tmp_path: Path, logs: dict[date, str], expected: Expected
) -> None:
    machine = Machine(tmp_path, logs)
    machine.compact()
    pages = machine.pages()
    answers = machine.ask(expected.questions)

    assert {f"{day:%G-W%V}" for day in logs} | {"2026-08", "2026-09", "WISDOM"} <= set(pages)
    assert len(answers) == len(expected.questions)
    assert all(one.present is not None or one.outdated is not None for one in answers)


@pytest.mark.long
@pytest.mark.parametrize("name", ["team_logs", *OTHERS])
def test_what_holds_now_is_found_first_and_has_no_mark_of_an_end(tmp_path: Path, name: str) -> None:
    folder = LOGS.parent / name
    asked = read_expected(folder)
    machine = Machine(tmp_path, read_logs(folder))
    machine.compact()

    assert sum(one.is_first for one in machine.ask(asked.questions)) >= LEAST_FIRST[name]
    assert [mark for mark in machine.marked(asked.holds) if mark] == []
