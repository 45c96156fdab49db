"""Lines whose time is over when a later reader comes."""

from __future__ import annotations

import pytest

from recall_tui.text.classify.passing_lines import (
    announces_event,
    estimates_cost,
    is_request,
    is_short_lived,
    lasts_until,
    names_schedule,
)


@pytest.mark.parametrize(
    "text",
    [
        "From now on the lodge uses the list of the valley, its own list is read only and goes in autumn.",
        "The second cannon is signed, arrives in November.",
        "The old lift is switched off on Monday.",
    ],
)
def test_what_comes_or_ends_at_a_time_is_announced(text: str) -> None:
    assert announces_event(text)


@pytest.mark.parametrize("text", ["Releases go out monthly from July on.", "The night slope is closed when it rains."])
def test_a_rule_announces_nothing(text: str) -> None:
    assert not announces_event(text) and not lasts_until(text)


def test_a_line_says_until_when_it_holds() -> None:
    assert lasts_until("The old lift stays open until 31 March, then it is taken down.")
    assert not lasts_until("A guest waits until the gondola stands.")


def test_a_wish_is_not_what_was_done() -> None:
    assert is_request("never again by hand: we need a button that empties the slope")
    assert not is_request("Lesson: a slope is emptied from the top, never from the bottom.")


def test_a_cost_that_somebody_weighs_is_no_decision() -> None:
    assert estimates_cost("A second oven would cost 9,000 a year.")
    assert not estimates_cost("The second oven costs 9,000 a year.")


def test_what_will_be_done_later_is_a_schedule() -> None:
    assert names_schedule("Decision: rye is baked at night. Live after the fair.")
    assert not names_schedule("Rye is baked live on Sundays, since guests like it.")


def test_a_state_of_some_days_is_short_lived_and_one_of_a_season_is_not() -> None:
    assert is_short_lived("The van is in the yard from 8 to 12 June.")
    assert is_short_lived("No new ovens from 15 December to 5 January.")
    assert not is_short_lived("From 15 May to 15 September bread is baked at five.")
    assert not is_short_lived("The fair was postponed from 1 September to 15 October.")
