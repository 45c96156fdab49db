"""Words that were asked for as a date name one by themselves."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from recall_tui.search.time.interpret import DATE_EXAMPLES, closed_range, parse_days
from tests.conftest import NOON


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("tue", "2026-03-03", "2026-03-03"),
        ("tuesday", "2026-03-03", "2026-03-03"),
        ("may", "2025-05-01", "2025-05-31"),
        ("march", "2026-03-01", "2026-03-31"),
        ("  last   WEEK ", "2026-02-23", "2026-03-01"),
        ("2025", "2025-01-01", "2025-12-31"),
        ("10d", "2026-02-24", "2026-02-24"),
        ("2026-02", "2026-02-01", "2026-02-28"),
    ],
)
def test_a_date_needs_no_other_words(words: str, first: str, last: str) -> None:
    found = parse_days(words, NOON)
    assert found is not None
    assert closed_range(found) == (date.fromisoformat(first), date.fromisoformat(last))


def test_everything_that_is_said_to_be_understood_is() -> None:
    assert all(parse_days(words, NOON) for words in DATE_EXAMPLES.split(", "))


@pytest.mark.parametrize("words", ["", "   ", "jwt", "colourless ideas", "99999", "31 february", "\x00[/b]"])
def test_other_words_name_none(words: str) -> None:
    assert parse_days(words, NOON) is None


def test_an_open_end_reaches_as_far_as_the_calendar() -> None:
    since = parse_days("since february", NOON)
    assert since is not None and closed_range(since) == (date(2026, 2, 1), date.max)


def test_days_are_counted_where_the_person_is() -> None:
    late = datetime.fromisoformat("2026-03-06T00:30:00+02:00")
    found = parse_days("12h", late)
    assert found is not None and found.start == date(2026, 3, 5)
