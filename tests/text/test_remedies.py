"""Problems, remedies and demands in the words of a log."""

from __future__ import annotations

import pytest

from recall_tui.text.classify.remedies import is_handed_on, is_unanswered, is_unsolved, shares_subject, states_remedy


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bread arrives cold since Friday and is refused by the inn.", True),
        ("Bread was refused because the van was cold.", False),
        ("Bread was refused; the van has a heater now.", False),
        ("Rule: bread that is refused goes to the shelter.", False),
    ],
)
def test_a_problem_is_unsolved_without_its_cause_and_its_remedy(text: str, *, expected: bool) -> None:
    assert is_unsolved(text) is expected


def test_a_question_and_a_proposal_are_no_remedy() -> None:
    assert states_remedy("We replaced the oven.")
    assert not states_remedy("Shall we use the old oven now?")
    assert not states_remedy("Proposal: a heater instead of the lamp")


def test_a_demand_is_answered_by_the_sentence_behind_it() -> None:
    assert is_unanswered("The inn wants bread at five.")
    assert not is_unanswered("The inn wants bread at five. We said no.")


def test_a_line_is_handed_on_when_somebody_is_to_look_at_it() -> None:
    assert is_handed_on("The oven is late again, and I have asked Ida to look.")


def test_a_plural_and_a_pronoun_share_a_subject() -> None:
    assert shares_subject("Our ovens are cleaned now.", "The oven smoked.")
    assert shares_subject("I made it wait.", "The oven smoked.")
    assert not shares_subject("Rye is sold out.", "The oven smoked.")


def test_a_contrast_with_was_compared_is_no_remedy() -> None:
    assert not states_remedy("number of the bread was compared, not number and day")
    assert states_remedy("The numbers are compared.")
