"""Redaction finds the secrets of other people's documents, and leaves what only looks like them."""

from __future__ import annotations

import pytest

from tests.qa.trust.corpus_forms import specimens
from tests.qa.trust.corpus_harmless import harmless
from tests.qa.trust.corpus_score import HALVES, SECOND, THIRD, Outcome, altered, is_leaked, outcomes, recall, views

LEAST_RECALL = 0.98
MOST_ALTERED = 0.01


@pytest.fixture(scope="module")
def found() -> list[Outcome]:
    return [outcome for half in HALVES for outcome in outcomes(half)]


def _leaks(found: list[Outcome]) -> str:
    return "\n".join(f"{one.specimen.kind}, {one.specimen.form}" for one in found if one.leaked)


def test_secrets_of_vendors_and_other_scanners_are_redacted(found: list[Outcome]) -> None:
    others = [outcome for outcome in found if not outcome.is_gitleaks]
    assert len(others) >= 300
    assert recall(others) >= LEAST_RECALL, _leaks(others)


def test_secrets_of_the_shapes_of_gitleaks_are_redacted(found: list[Outcome]) -> None:
    theirs = [outcome for outcome in found if outcome.is_gitleaks]
    assert len(theirs) * 3 <= len(found)
    assert recall(theirs) >= LEAST_RECALL, _leaks(theirs)


def test_harmless_lines_stay_as_they_are() -> None:
    wrong = altered()
    assert len(wrong) <= MOST_ALTERED * len(harmless()), "\n".join(line.text for line in wrong)


@pytest.mark.parametrize(("half", "values"), [*((half, 200) for half in (*HALVES, SECOND)), (THIRD, 150)])
def test_each_part_is_broad_and_its_leaks_can_be_seen(half: str, values: int) -> None:
    corpus = specimens(half)
    assert len({specimen.kind for specimen in corpus}) >= 70
    assert sum(len(specimen.needles) for specimen in corpus) >= values
    for specimen in corpus:
        seen, masked = views(specimen.text), views(specimen.masked)
        for needle in specimen.needles:
            assert is_leaked(needle, seen), specimen
            assert not is_leaked(needle, masked), specimen


def test_the_second_part_is_from_outside_and_has_look_alikes() -> None:
    corpus = specimens(SECOND)
    assert len({specimen.kind for specimen in corpus}) >= 90
    assert not {specimen.origin for specimen in corpus} & {"gitleaks"}
    assert len({line.text for line in harmless(part=SECOND)}) >= 150
