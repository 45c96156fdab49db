"""The time that a question names: what is one, what only looks like one, and how near to it a day is."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.search.time.interpret import TimeConstraint, interpret_time, recency_preference, time_score

NOW = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
"""A Friday."""

NAMED = [
    # question, first day, last day, grain, the words
    ("what did we decide on 2026-03-06 about tokens", "2026-03-06", "2026-03-06", "day", "2026-03-06"),
    ("see 2026-03-06T10:30:00Z please", "2026-03-06", "2026-03-06", "day", "2026-03-06T10:30:00Z"),
    ("the log of 2026-03-06 10:30", "2026-03-06", "2026-03-06", "day", "2026-03-06 10:30"),
    ("notes of 2026-03", "2026-03-01", "2026-03-31", "month", "2026-03"),
    ("what was in 2026-W10?", "2026-03-02", "2026-03-08", "week", "2026-W10"),
    ("6 March", "2026-03-06", "2026-03-06", "day", "6 March"),
    ("March 6th 2025", "2025-03-06", "2025-03-06", "day", "March 6th 2025"),
    ("on the 6th of March", "2026-03-06", "2026-03-06", "day", "the 6th of March"),
    ("Sept. 3rd", "2026-09-03", "2026-09-03", "day", "Sept. 3rd"),
    ("what was shown on October 13, 2023?", "2023-10-13", "2023-10-13", "day", "October 13, 2023"),
    ("shared on December 1,2023 where", "2023-12-01", "2023-12-01", "day", "December 1,2023"),
    ("read on 8th December, 2023", "2023-12-08", "2023-12-08", "day", "8th December, 2023"),
    ("how did it go on may 6?", "2026-05-06", "2026-05-06", "day", "may 6"),
    ("February 29", "2024-02-29", "2024-02-29", "day", "February 29"),
    ("21 November", "2025-11-21", "2025-11-21", "day", "21 November"),
    ("20 November", "2026-11-20", "2026-11-20", "day", "20 November"),
    ("notes of last Tuesday", "2026-11-17", "2026-11-17", "day", "last Tuesday"),
    ("last Friday", "2026-11-13", "2026-11-13", "day", "last Friday"),
    ("what broke on friday", "2026-11-20", "2026-11-20", "day", "friday"),
    ("what did we decide Tuesday?", "2026-11-17", "2026-11-17", "day", "Tuesday"),
    ("last Sat", "2026-11-14", "2026-11-14", "day", "last Sat"),
    ("yesterday", "2026-11-19", "2026-11-19", "day", "yesterday"),
    ("“yesterday”", "2026-11-19", "2026-11-19", "day", "yesterday"),
    ("the day before yesterday", "2026-11-18", "2026-11-18", "day", "the day before yesterday"),
    ("last night", "2026-11-19", "2026-11-19", "day", "last night"),
    ("which tests failed this morning", "2026-11-20", "2026-11-20", "day", "this morning"),
    ("3 days ago", "2026-11-17", "2026-11-17", "day", "3 days ago"),
    ("30 hours ago", "2026-11-19", "2026-11-19", "day", "30 hours ago"),
    ("two weeks ago", "2026-11-03", "2026-11-09", "week", "two weeks ago"),
    ("a couple of months ago", "2026-09-01", "2026-09-30", "month", "a couple of months ago"),
    ("4 years ago", "2022-01-01", "2022-12-31", "year", "4 years ago"),
    ("last week", "2026-11-09", "2026-11-15", "week", "last week"),
    ("the week before last", "2026-11-02", "2026-11-08", "week", "the week before last"),
    ("this week", "2026-11-16", "2026-11-22", "week", "this week"),
    ("over the weekend", "2026-11-14", "2026-11-15", "range", "over the weekend"),
    ("last month", "2026-10-01", "2026-10-31", "month", "last month"),
    ("last quarter", "2026-07-01", "2026-09-30", "quarter", "last quarter"),
    ("last year", "2025-01-01", "2025-12-31", "year", "last year"),
    ("in the last 24 hours", "2026-11-19", "2026-11-20", "range", "the last 24 hours"),
    ("past 3 weeks", "2026-10-30", "2026-11-20", "range", "past 3 weeks"),
    ("the past month", "2026-10-20", "2026-11-20", "range", "past month"),
    ("Q3 2025", "2025-07-01", "2025-09-30", "quarter", "Q3 2025"),
    ("2025 Q3", "2025-07-01", "2025-09-30", "quarter", "2025 Q3"),
    ("plans in Q4?", "2026-10-01", "2026-12-31", "quarter", "Q4"),
    ("Q2 last year", "2025-04-01", "2025-06-30", "quarter", "Q2 last year"),
    ("third quarter of 2025", "2025-07-01", "2025-09-30", "quarter", "third quarter of 2025"),
    ("in March", "2026-03-01", "2026-03-31", "month", "March"),
    ("in December", "2025-12-01", "2025-12-31", "month", "December"),
    ("in November", "2026-11-01", "2026-11-30", "month", "November"),
    ("last November", "2025-11-01", "2025-11-30", "month", "last November"),
    ("what did we do in may", "2026-05-01", "2026-05-31", "month", "may"),
    ("in march we moved to another index", "2026-03-01", "2026-03-31", "month", "march"),
    ("March 2025", "2025-03-01", "2025-03-31", "month", "March 2025"),
    ("What setback came in October 2023?", "2023-10-01", "2023-10-31", "month", "October 2023"),
    ("March last year", "2025-03-01", "2025-03-31", "month", "March last year"),
    ("mid-March", "2026-03-11", "2026-03-20", "week", "mid-March"),
    ("the beginning of November 2022", "2022-11-01", "2022-11-10", "week", "the beginning of November 2022"),
    ("in the second week of June", "2026-06-08", "2026-06-14", "week", "the second week of June"),
    ("the last week of May 2023", "2023-05-25", "2023-05-31", "week", "the last week of May 2023"),
    ("the first half of September 2022", "2022-09-01", "2022-09-15", "week", "the first half of September 2022"),
    ("late 2024", "2024-09-01", "2024-12-31", "quarter", "late 2024"),
    ("in 2024", "2024-01-01", "2024-12-31", "year", "2024"),
    ("in 2023, was it green?", "2023-01-01", "2023-12-31", "year", "2023"),
    ("spring 2025", "2025-03-01", "2025-05-31", "quarter", "spring 2025"),
    ("summer of 2025", "2025-06-01", "2025-08-31", "quarter", "summer of 2025"),
    ("winter 2025", "2025-12-01", "2026-02-28", "quarter", "winter 2025"),
    ("winter 2026", "2025-12-01", "2026-02-28", "quarter", "winter 2026"),
    ("in the summer", "2026-06-01", "2026-08-31", "quarter", "summer"),
    ("last spring", "2026-03-01", "2026-05-31", "quarter", "last spring"),
    ("between 3 and 9 May 2026", "2026-05-03", "2026-05-09", "range", "between 3 and 9 May 2026"),
    ("March 3-9, 2026", "2026-03-03", "2026-03-09", "range", "March 3-9, 2026"),
    ("3–9 May 2026", "2026-05-03", "2026-05-09", "range", "3–9 May 2026"),
    ("from January to March", "2026-01-01", "2026-03-31", "range", "from January to March"),
    ("from December to February", "2025-12-01", "2026-02-28", "range", "from December to February"),
    ("from December 2024 to February", "2024-12-01", "2025-02-28", "range", "from December 2024 to February"),
    (
        "between August 11 and August 15 2023",
        "2023-08-11",
        "2023-08-15",
        "range",
        "between August 11 and August 15 2023",
    ),
    ("between 2023 and 2025", "2023-01-01", "2025-12-31", "range", "between 2023 and 2025"),
    ("2026-03-01 to 2026-03-09", "2026-03-01", "2026-03-09", "range", "2026-03-01 to 2026-03-09"),
    ("2026-03-01..2026-03-09", "2026-03-01", "2026-03-09", "range", "2026-03-01..2026-03-09"),
    ("May 3 - June 4 2026", "2026-05-03", "2026-06-04", "range", "May 3 - June 4 2026"),
    ("from Monday to Friday", "2026-11-16", "2026-11-20", "range", "from Monday to Friday"),
    ("since June", "2026-06-01", None, "range", "since June"),
    ("since yesterday", "2026-11-19", None, "range", "since yesterday"),
    ("decisions from March on", "2026-03-01", None, "range", "March on"),
    ("after 6 March 2025", "2025-03-07", None, "range", "after 6 March 2025"),
    ("before 2024", None, "2023-12-31", "range", "before 2024"),
    ("before June", None, "2026-05-31", "range", "before June"),
    ("until last Friday", None, "2026-11-13", "range", "until last Friday"),
    ("up to 2 May", None, "2026-05-02", "range", "up to 2 May"),
    ("won by July 10, 2022?", "2022-07-10", "2022-07-10", "day", "July 10, 2022"),
    ("for how long, as of December 2023?", "2023-12-01", "2023-12-31", "month", "December 2023"),
    ("the week of March 3", "2026-03-02", "2026-03-08", "week", "the week of March 3"),
    ("the week before August 3, 2023", "2023-07-27", "2023-08-03", "week", "the week before August 3, 2023"),
    ("two weeks before August 11, 2023", "2023-07-28", "2023-08-11", "range", "two weeks before August 11, 2023"),
    ("the Sunday before October 25, 2022", "2022-10-23", "2022-10-25", "range", "the Sunday before October 25, 2022"),
    ("last weekend before April 10, 2023", "2023-04-08", "2023-04-10", "range", "last weekend before April 10, 2023"),
    ("three days after 2026-03-06", "2026-03-06", "2026-03-09", "range", "three days after 2026-03-06"),
    # of several the most exact counts
    ("done last Friday on 23 January, 2022?", "2022-01-23", "2022-01-23", "day", "23 January, 2022"),
    ("his issue last week,as mentioned on November 6, 2023", "2023-11-06", "2023-11-06", "day", "November 6, 2023"),
]


@pytest.mark.parametrize(("text", "start", "end", "grain", "words"), NAMED, ids=[row[0] for row in NAMED])
def test_a_question_names_its_time(text: str, start: str | None, end: str | None, grain: str, words: str) -> None:
    found = interpret_time(text, NOW)
    assert found is not None
    said = (found.start and str(found.start), found.end and str(found.end), found.grain, text[slice(*found.span)])
    assert said == (start, end, grain, words)


NO_TIME = [
    "this may fail", "This may or may not be related", "it may 5 times retry", "may 10 workers run at once",
    "up to 3 may be running", "version 6 may break", "May I ask", "in MAY be", "the state it is in may change",
    "march through the list", "march 10 rows forward in memory", "gcc -march native", "march=x86-64", "en-march",
    "wait one second", "the second run", "first half of the file", "a day 1 problem", "production from day 1",
    "release 2025.1", "v2025.3.1", "listen on port 2024", "PR #2024", "fix #2023 and #1999", "issue 2023", "code 2024",
    "sun certificate", "sat down with the team", "sunday_flag", "mon repos", "Monday.com integration",
    "spring boot upgrade", "dependency injection in spring", "in the spring boot app", "this spring boot app",
    "fall back to the file", "should it fall through", "should this fall back",
    "in 2000 lines", "after 2000 retries", "before 2048 bytes", "in 1024 chunks", "after 2025 ms", "in 2055", "2024",
    "Date.now() and today()", "datetime.today", "yesterday.md", "docs/2026-03-06.md", "10.2025-03", "2025/03",
    "last line of the file", "last commit", "last session", "last two files", "next week", "next March", "2 weeks",
    "every Friday", "every day 5 checks", "the 3rd of them", "4 years of experience", "rotate after 30 days",
    "Q4_K_M quantization", "mar_total = 3", "dec 10 to hex", "oct 17", "rust 2021 edition", "ES2020 target",
    "June said so", "2026-13-45", "2026-02-30 was wrong", "31 February", "week number", "", " ",
    "fix: handle files with a few lines", "more work needed, user could edit between shadow commits",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_TIME)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert interpret_time(text, NOW) is None


def test_places_are_those_of_the_text_as_it_stands_whatever_letters_come_before() -> None:
    text = "İİ ß ﬁ 😀 what happened in July 2023?"
    found = interpret_time(text, NOW)
    assert found is not None
    assert text[slice(*found.span)] == "July 2023"


@pytest.mark.parametrize(
    ("text", "is_guessed"),
    [("in March", True), ("6 March", True), ("since June", True), ("March 2025", False), ("last March", False)],
)
def test_it_is_known_whether_the_year_was_said(text: str, is_guessed: bool) -> None:
    found = interpret_time(text, NOW)
    assert found is not None
    assert found.is_year_guessed is is_guessed


def test_today_is_the_day_of_whoever_asks() -> None:
    late = datetime.fromisoformat("2026-03-06T23:30:00-08:00")
    found = interpret_time("today", late)
    assert found is not None
    assert found.start == date(2026, 3, 6)


def test_a_day_number_counts_from_the_first_day_of_all() -> None:
    found = interpret_time("what happened on day 12?", NOW)
    assert found is not None
    assert (found.start, found.end, found.day_number) == (None, None, 12)
    assert time_score(found, date(2020, 1, 1)) == 1.0
    resolved = found.resolve(date(2026, 1, 1))
    assert (resolved.start, resolved.end, resolved.day_number) == (date(2026, 1, 12), date(2026, 1, 12), 0)


def test_every_other_time_resolves_to_itself() -> None:
    found = interpret_time("in March 2025", NOW)
    assert found is not None
    assert found.resolve(date(2020, 1, 1)) is found


def _days(start: str | None, end: str | None, grain: str) -> TimeConstraint:
    first, last = (day and date.fromisoformat(day) for day in (start, end))
    return TimeConstraint(first or None, last or None, grain, (0, 0))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("time", "sigma"),
    [
        (_days("2026-03-06", "2026-03-06", "day"), 7),
        (_days("2026-03-02", "2026-03-08", "week"), 7),
        (_days("2026-03-02", "2026-03-06", "range"), 7),
        (_days("2026-03-01", "2026-03-31", "month"), 50),
        (_days("2026-01-01", "2026-03-31", "range"), 50),
        (_days("2026-01-01", "2026-12-31", "year"), 50),
    ],
)
def test_affinity_falls_with_the_days_outside_and_forgives_one(time: TimeConstraint, sigma: float) -> None:
    assert time.start is not None
    assert time.end is not None
    assert time_score(time, time.start, 50, 7) == 1.0
    for outside in (0, 1, 2, 10, 400):
        expected = math.exp(-max(0, outside - 1) / sigma)
        assert time_score(time, time.end + timedelta(days=outside), 50, 7) == pytest.approx(expected)
        assert time_score(time, time.start - timedelta(days=outside), 50, 7) == pytest.approx(expected)


def test_an_open_end_takes_in_everything_on_its_side() -> None:
    since = interpret_time("since June 2026", NOW)
    assert since is not None
    assert time_score(since, date(9999, 12, 31)) == 1.0
    assert time_score(since, date(2026, 5, 1)) == pytest.approx(math.exp(-30 / 30))


def test_a_moment_counts_as_its_day() -> None:
    found = interpret_time("on 6 March 2026", NOW)
    assert found is not None
    assert time_score(found, datetime(2026, 3, 6, 23, 59, tzinfo=UTC)) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "what is the current port?", "what do we use now?", "latest auth decision", "what is the most recent decision",
        "which book is he currently reading?", "newest plan", "what is the rule as of today",
        "which budget stayed the same", "limits that stay unchanged",
    ],
)  # fmt: skip
def test_a_question_about_how_things_are_leans_to_the_latest(text: str) -> None:
    assert recency_preference(text) == "latest"


@pytest.mark.parametrize(
    "text",
    [
        "what did we use originally", "which one came first?", "did we first try another way?", "the original plan?",
        "at first we used a queue", "when did she first watch it", "initially agreed limit",
        "earliest mention of tokens", "first recorded batch time", "batch time at kickoff", "goals at the onset",
        "the quota before the plan was revised",
    ],
)  # fmt: skip
def test_a_question_about_how_things_began_leans_to_the_first(text: str) -> None:
    assert recency_preference(text) == "first"


@pytest.mark.parametrize(
    "text",
    [
        "current directory", "what is the current directory?", "which files are in the current branch?",
        "call now() here",
        "time.now is wrong?", "first name", "what is the first name?", "first-parent traversal?", "npm i foo@latest",
        "docker image:latest", "handle it for now?", "JSON lines can throw errors now.", "who won the first place?",
        "make sure we check conflicts first", "attribute changes before first prompt correctly", "",
        "what was the original plan, and what is the latest?",
    ],
)  # fmt: skip
def test_code_and_counting_lean_nowhere(text: str) -> None:
    assert recency_preference(text) is None


_SAID = """
may march 6 31 29 0 2025 2024-02 2026-03-06 of the last next this week month year day days ago since until before after
between and to - – from Friday sun Q3 spring early second half 999 12 , . ? İ ß (
"""
_WORDS = st.sampled_from(_SAID.split())
_MOMENTS = st.datetimes().map(lambda moment: moment.replace(tzinfo=UTC))


@given(st.one_of(st.text(), st.lists(_WORDS, max_size=8).map(" ".join)), _MOMENTS)
def test_any_text_at_any_moment_has_a_time_in_it_or_none(text: str, now: datetime) -> None:
    recency_preference(text)
    found = interpret_time(text, now)
    if found is None:
        return
    start, end = found.span
    assert 0 <= start < end <= len(text)
    if found.start and found.end:
        assert found.start <= found.end
    assert 0.0 <= time_score(found, now.date()) <= 1.0


@given(
    st.dates(date(1970, 1, 2), date(2026, 11, 19)), st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%b %d %Y"])
)
def test_a_written_day_is_read_as_that_day(day: date, form: str) -> None:
    found = interpret_time(f"what happened on {day.strftime(form)}?", NOW)
    assert found is not None
    assert (found.start, found.end, found.grain) == (day, day, "day")
