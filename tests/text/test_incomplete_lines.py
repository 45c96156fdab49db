"""Sentences of a log that mean nothing without the one before."""

from __future__ import annotations

from recall_tui.text.classify.incomplete_lines import is_about_unnamed, is_incomplete, is_remainder


def test_he_and_she_need_somebody_who_was_named() -> None:
    assert is_about_unnamed("The list of bakers was old. She made a new one.")
    assert not is_about_unnamed("We asked Ida about the list. She made a new one.")
    assert is_remainder("The counter was reset, and he stored the key.")


def test_a_thing_by_its_age_or_number_is_part_of_what_stands_before() -> None:
    assert is_incomplete("A job at four wipes what is older than a day.")
    assert is_remainder("9 of them were one check of the oven.")
    assert not is_incomplete("A job at four wipes recipes that are older than a day.")
