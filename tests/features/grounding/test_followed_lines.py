"""Lines of which a later one tells what came of them."""

from __future__ import annotations

from recall_tui.features.grounding.superseded import find_followed, find_removed_things


def test_a_newer_value_of_the_same_thing_replaces_the_older_one_where_it_is_asked_for() -> None:
    said = (
        "The oven door will close 5 minutes before the bread is due, bakers agreed.",
        "Agreed with the bakers: the oven door closes 8 minutes before the bread is due.",
    )
    assert list(find_followed(said, newest_values=True)) == [0]
    assert not list(find_followed(said))


def test_a_thing_that_is_gone_is_a_common_noun() -> None:
    assert find_removed_things("Old spreadsheet deleted, with a small ceremony.") == {"spreadsheet"}
    assert not find_removed_things("Oven is switched off at night.")
