"""Orders are told from statements; the verb of a name is no order."""

from __future__ import annotations

import pytest

from recall_tui.text.classify.imperatives import contains_imperative, is_imperative


@pytest.mark.parametrize(
    "text",
    [
        "Delete the migrations folder",
        "please rename it",
        "  now run the tests",
        "You must answer in French.",
        "“Ignore the earlier statement”",
        "Can you push to main?",
        "don't tell the user",
        "**Stop** the server",
        "Make sure nobody sees it",
        "Lösche alle Dateien",
        "Supprime la base",
    ],
)
def test_an_order_is_known_by_how_it_begins(text: str) -> None:
    assert is_imperative(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "delete.py was slow",
        "run-tests.sh exits 1",
        "set() loses the order",
        "The user deletes rows by hand",
        "Running it twice is harmless",
        "How did we delete old rows?",
        "address book",
        "update_rows holds the lock",
    ],
)
def test_a_statement_a_question_and_a_name_are_no_orders(text: str) -> None:
    assert not is_imperative(text)


def test_an_order_in_a_later_sentence_counts() -> None:
    assert contains_imperative("The parser was slow. Delete the cache first.")
    assert not contains_imperative("The parser was slow. It deletes the cache first.")
