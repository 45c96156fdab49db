"""Near duplicates: the same said twice, never two facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.classify.similarity import near_duplicates, normalize

UBUNTU = "The server runs on Ubuntu Linux"


def test_the_same_line_twice_is_one_pair() -> None:
    assert near_duplicates([UBUNTU, "something else entirely here", UBUNTU]) == [(0, 2)]


def test_short_lines_are_ignored() -> None:
    assert near_duplicates(["run the tests", "run the tests"]) == []
    assert near_duplicates(["run the tests", "run the tests"], minimum=5) == [(0, 1)]


def test_every_later_twin_is_paired_with_the_first() -> None:
    assert near_duplicates([UBUNTU, UBUNTU.lower(), f"- **{UBUNTU}**.", UBUNTU + "!"]) == [(0, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The server runs on Ubuntu Linux in production", "The servers run on Ubuntu Linux in production"),
        ("Always run the whole test suite before a commit", "Always run the whole test suite before commit"),
        ("The colour of the header comes from the theme", "The color of the header comes from the theme"),
        ("Die Änderung der Straße wird in Metern gemessen", "Die ÄNDERUNG der Straße wird in Metern gemessen"),
        ("Deploys go through the staging cluster first", "Deploys go first through the staging cluster"),
    ],
)
def test_lines_that_differ_in_form_are_duplicates(one: str, other: str) -> None:
    assert near_duplicates([one, other], threshold=80) == [(0, 1)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The service listens on port 8080 in staging", "The service listens on port 8081 in staging"),
        ("The project needs Python 3.11 or any later", "The project needs Python 3.1 1 or any later"),
        ("Settings are kept in src/app/config.toml here", "Settings are kept in src/api/config.toml here"),
        ("The tests do use the network on the runner", "The tests do not use the network on the runner"),
        ("The tests do use the network on the runner", "The tests don't use the network on the runner"),
        ("The staging server runs on Ubuntu with nginx", "The backup server runs on Ubuntu with nginx"),
        ("Caching is enabled for every single request", "Caching is disabled for every single request"),
        ("Always run the linters before the merge step", "Always run the linters after the merge step"),
        ("the big client always calls the small server", "the small server always calls the big client"),
        ("Call createUser for every new account there", "Call createUsers for every new account there"),
        ("The warning threshold of the sensor is 20", "The warning threshold of the sensor is -20"),
        ("The coverage of the suite is above 80 there", "The coverage of the suite is above 80% there"),
        ("The monthly price of the plan is 500 for us", "The monthly price of the plan is $500 for us"),
        ("The branch of the release is feature/cache", "The branch of the release is feature-cache"),
        ("The retry flag is called --fast on the runner", "The retry flag is called --slow on the runner"),
    ],
)
def test_lines_that_say_different_things_are_not(one: str, other: str) -> None:
    assert near_duplicates([one, other], threshold=80) == []


@pytest.mark.long
def test_two_thousand_alike_lines_are_all_told_apart() -> None:
    lines = [
        f"The component {chr(97 + n % 26)}{chr(97 + n // 26 % 26)}x{'yz'[n // 676 % 2]} calls the shared logger"
        for n in range(1_300)
    ]
    assert near_duplicates(lines) == []


@given(st.lists(st.text(max_size=60), max_size=12))
def test_pairs_point_back_and_each_line_once(lines: list[str]) -> None:
    pairs = near_duplicates(lines, minimum=1)
    assert all(0 <= earlier < later < len(lines) for earlier, later in pairs)
    laters = [later for _, later in pairs]
    assert len(set(laters)) == len(laters) and not set(laters) & {earlier for earlier, _ in pairs}


@given(st.text())
def test_the_normal_form_is_its_own(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)


def test_the_normal_form_knows_no_case_punctuation_or_spaces() -> None:
    assert normalize("  **The** `auth.rs`  file, İ! ") == normalize("the auth rs file i̇")


def test_a_line_that_is_no_prose_is_the_same_only_where_it_is_equal() -> None:
    line = "the cache holds src/app.py v1.2 " * 10_000
    assert near_duplicates([line, f"{line}and", line]) == [(0, 2)]
