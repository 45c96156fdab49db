"""Changes as sentences tell them: what held before, what holds from now on, and what is only asked or wished for."""

from __future__ import annotations

import pytest

from recall_tui.text.change_words import clause_at, parse_change_words


@pytest.mark.parametrize(
    ("sentence", "old"),
    [
        ("The gate was moved from door B to door C.", "door B"),
        ("We print on the Ricoh instead of the Brother.", "the Brother"),
        ("The pool opens at 8:00, no longer at 7:30.", "at 7:30"),
        ("Limit raised to 40, was 30.", "30"),
        ("The limit has to be 5 °C, not 7.", "7"),
        ("It takes four keys, down from six.", "six"),
        ("Ms Aydin has taken over from Mr Holm as treasurer.", "Mr Holm"),
        ("Holm has left, ask Aydin.", "Holm"),
        ("The fax is gone.", "The fax"),
        ("No parcels in the hall any more.", "parcels in the hall"),
        ("The lists are no longer printed.", "The lists are printed"),
    ],
)
def test_the_value_that_held_before_is_told(sentence: str, old: str) -> None:
    change = parse_change_words(sentence)
    assert old in change.old and change.is_present


@pytest.mark.parametrize(
    "sentence",
    [
        "The pool opens at 8:00 now.",
        "From Monday on the pool opens at 8:00.",
        "Choir moves to Thursdays.",
        "The fair is postponed to 4 May.",
        "New price of the ticket: 4 euro.",
        "The tram starts earlier, as of today.",
    ],
)
def test_what_holds_from_now_on_is_told(sentence: str) -> None:
    change = parse_change_words(sentence)
    assert change.is_present and not change.old


@pytest.mark.parametrize(
    "sentence",
    [
        "The pool opens at 8:00.",
        "The exhibition runs from 1 May to 30 June.",
        "Somebody brought a new cake.",
        "Should the choir move to Thursdays?",
        "Perhaps the choir moves to Thursdays.",
        "The auditor wants names instead of one account.",
    ],
)
def test_what_is_asked_wished_or_merely_so_is_no_change(sentence: str) -> None:
    assert not parse_change_words(sentence).is_present


def test_a_wish_elsewhere_in_the_sentence_leaves_the_change() -> None:
    assert parse_change_words("The clinic wants it later, so the tour starts at 4:45 now instead of 4:15.").is_present


def test_a_question_is_a_doubt() -> None:
    change = parse_change_words("Could the choir be later?")
    assert change.is_question and change.is_doubtful


def test_a_clause_ends_at_commas_and_not_inside_a_time() -> None:
    sentence = "It was cold, the bus left at 7:15, nobody came"
    assert clause_at(sentence, sentence.index("7:15")).strip() == "the bus left at 7:15,"
