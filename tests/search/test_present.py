"""A question about the present is answered by the day that says how things are now."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from recall_tui.domain import SearchResult
from recall_tui.search.time.present import asks_for_present
from tests.hierarchy import Write, ask, day, documents, of, store, week, write

__all__ = ["ask", "store", "write"]

Ask = Callable[..., SearchResult]


def held_until(answer: SearchResult, name: str) -> str:
    return of(answer, name).why.get("validity", {}).get("until", "")


@pytest.fixture
def choir(write: Write) -> Write:
    """A choir whose hour moved twice, and days that speak of it."""
    day(write, "2026-01-05", "- Choir is at 18:30 in the old school, choir folders are in the choir cupboard.\n- Snow.")
    day(write, "2026-01-19", "- Choir moves to 19:00, the hall is taken before.\n- Soup was good.")
    day(write, "2026-02-02", "- Could choir be later? Half of the choir still works then.")
    day(write, "2026-02-09", "- Bought stamps.\n- Choir moves to 19:30, nobody objected.")
    day(write, "2026-02-16", "- Choir sang for the mayor.")
    return write


def test_the_newest_value_comes_first_and_the_older_ones_say_until_when_they_held(choir: Write, ask: Ask) -> None:
    answer = ask("when is choir")
    assert documents(answer)[0] == "2026-02-09"
    assert held_until(answer, "2026-01-05") == "2026-01-19"
    assert held_until(answer, "2026-01-19") == "2026-02-09"
    assert not held_until(answer, "2026-02-09") and not held_until(answer, "2026-02-16")


def test_a_question_in_a_log_stands_below_its_answer_and_has_no_mark(choir: Write, ask: Ask) -> None:
    answer = ask("when is choir")
    assert documents(answer).index("2026-02-02") > documents(answer).index("2026-02-09")
    assert not held_until(answer, "2026-02-02")


def test_words_alone_keep_their_order_and_their_marks(choir: Write, ask: Ask) -> None:
    answer = ask("choir")
    assert documents(answer)[0] == "2026-01-05" and held_until(answer, "2026-01-05") == "2026-01-19"


def test_a_question_about_the_past_is_answered_by_what_held_then(choir: Write, ask: Ask) -> None:
    assert documents(ask("when was choir in January 2026"))[0] != "2026-02-09"


@pytest.mark.parametrize(
    ("early", "late", "question"),
    [
        (
            "- We print with the Brother in the hall.",
            "- We print with the Ricoh instead of the Brother.",
            "how do we print",
        ),
        (
            "- The key box is at gate 4, code below.",
            "- The key box was moved from gate 4 to gate 9.",
            "where is the key box",
        ),
        ("- Treasurer of the club is Mr Holm.", "- Mr Holm has left, our treasurer is Ms Aydin.", "who is treasurer"),
        (
            "- The sauna is heated to 80 °C.",
            "- The sauna is heated to 90 °C as of today.",
            "how hot is the sauna heated",
        ),
        (
            "- Entry costs 3 euro for members.",
            "- From Monday on entry costs 4 euro for members.",
            "what does entry cost for members",
        ),
        (
            "- Lists of members are printed monthly.",
            "- Lists of members are no longer printed.",
            "how do we print lists",
        ),
    ],
)
def test_a_change_ends_what_was_however_it_is_told(
    write: Write, ask: Ask, early: str, late: str, question: str
) -> None:
    day(write, "2026-01-05", early)
    day(write, "2026-02-09", late)
    answer = ask(question)
    assert documents(answer)[0] == "2026-02-09" and held_until(answer, "2026-01-05") == "2026-02-09"


@pytest.mark.parametrize(
    ("early", "late", "question"),
    [
        ("- The north pool opens at 7:00.", "- The south pool opens at 8:00 now.", "when does the north pool open"),
        (
            "- The sauna is heated for 55 minutes.",
            "- The sauna is heated to 90 °C now.",
            "how long is the sauna heated",
        ),
        ("- The sauna is heated to 80 °C.", "- Should the sauna be heated to 90 °C?", "how hot is the sauna heated"),
        ("- The sauna was at 80 °C at noon.", "- The sauna is heated to 90 °C now.", "how hot is the sauna"),
        ("- Entry costs 3 euro.", "- A pretzel costs 2 euro now.", "what does entry cost"),
        ("- Treasurer of the club is Mr Holm.", "- Mr Holm has a new bicycle now.", "who is treasurer of the club"),
    ],
)
def test_what_still_holds_has_no_mark(write: Write, ask: Ask, early: str, late: str, question: str) -> None:
    day(write, "2026-01-05", early)
    day(write, "2026-02-09", late)
    assert not held_until(ask(question), "2026-01-05")


def test_a_page_that_quotes_an_old_line_ends_nothing(write: Write, ask: Ask) -> None:
    day(write, "2026-03-02", "- Choir moves to 19:00 now.")
    week(write, "2026-W20", "- Choir moves to 18:30 now.\n- Choir is at 18:30 (memory/2026-01-05.md:7)")
    write("MEMORY.md", "- Choir moves to 18:00 now, as always.")
    assert not held_until(ask("when is choir"), "2026-03-02")


def test_a_page_is_marked_as_the_day_that_it_quotes(write: Write, ask: Ask) -> None:
    day(write, "2026-03-02", "- Choir is at 18:30 in the old school.")
    day(write, "2026-04-06", "- Choir moves to 19:00.")
    week(write, "2026-W10", "- Choir is at 18:30 in the old school. (memory/2026-03-02.md:7)", d02=1.0)
    answer = ask("when is choir")
    assert held_until(answer, "2026-03-02") == held_until(answer, "weekly/2026-W10") == "2026-04-06"


def test_a_line_that_tells_of_a_session_ends_nothing(write: Write, ask: Ask) -> None:
    day(write, "2026-01-05", "- 04:18 Add tests — All 12 tests of the parser pass now. (conversation-001, aaaa1111)")
    day(write, "2026-02-09", "- 04:18 Add tests — All 14 tests of the parser pass now. (conversation-002, bbbb1111)")
    assert not held_until(ask("how many tests of the parser pass"), "2026-01-05")


def test_the_present_is_found_beyond_the_first_hits(write: Write, ask: Ask) -> None:
    day(write, "2026-01-05", "- Choir is at 18:30.")
    for number in range(1, 28):
        day(write, f"2026-02-{number:02}", "- Choir, choir and choir: choir sang.")
    filler = "\n".join(
        f"- Line {number} is about soup, stamps, snow and other things of that day." for number in range(60)
    )
    day(write, "2026-03-02", f"{filler}\n- Choir moves to 19:00, no longer 18:30.")
    answer = ask("when is choir", limit=40)
    assert documents(answer).index("2026-03-02") < documents(answer).index("2026-01-05")
    assert held_until(answer, "2026-01-05") == "2026-03-02"


@pytest.mark.parametrize("word", ["sampling", "happened"])
def test_an_english_word_is_never_corrected(write: Write, ask: Ask, word: str) -> None:
    day(write, "2026-01-05", "- We append the lines, and sailing is fun.")
    answer = ask(f"{word} lines")
    assert answer.hits and not any("→" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("when is standup", True),
        ("which queue do we use", True),
        ("at what rate do the sensors record", True),
        ("how is the dough mixed", True),
        ("who sends our alerts", True),
        ("rate limit now", True),
        ("rate limit", False),
        ("when was standup", False),
        ("who fixed the alert", False),
        ("what happened in March", False),
        ("what was the original limit", False),
        ("why is the limit so low", False),
    ],
)
def test_some_questions_ask_for_the_present(text: str, asks: bool) -> None:
    assert asks_for_present(text) == asks
