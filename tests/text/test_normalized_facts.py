"""Which atoms of a sentence its source does not hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.normalized_facts import unsupported_facts

SOURCE = (
    "On 2026-03-06 two tabs refresh `api/auth.py`; we allowed thirty seconds of “reuse window”, 1,024 bytes, v2.1.0."
)


@pytest.mark.parametrize(
    "sentence",
    [
        "Reuse is allowed for 30 seconds.",
        "On March 6, 2026, it was `api/auth.py`.",
        'The "Reuse  window" of 2 tabs.',
        "It took 1024 bytes in v2.1.0 and/or less.",
        "The file api/auth.py was changed.",
        "auth.py is at fault.",
        "A sentence without anything to check.",
    ],
)
def test_what_the_source_says_in_other_words_is_not_missing(sentence: str) -> None:
    assert unsupported_facts(sentence, SOURCE) == ()


@pytest.mark.parametrize(
    ("sentence", "atoms"),
    [
        ("Reuse is allowed for 45 seconds.", ("45",)),
        ("See `api/session.py`.", ("api/session.py",)),
        ("See api/session.py:", ("api/session.py",)),
        ("session.py is at fault", ("session.py",)),
        ('It said "never reuse".', ("never reuse",)),
        ("It was v2.1.", ("2.1",)),
        ("It took 3 tabs and 60 seconds", ("60",)),
    ],
)
def test_what_the_source_does_not_say_is_named(sentence: str, atoms: tuple[str, ...]) -> None:
    assert unsupported_facts(sentence, SOURCE) == atoms


def test_a_number_inside_a_longer_one_is_not_there() -> None:
    assert unsupported_facts("3 times", "13 times, 30 times, 3.5 times") == ("3",)


@given(st.text(max_size=200))
def test_a_text_holds_its_own_atoms(text: str) -> None:
    assert unsupported_facts(text, text) == ()


@pytest.mark.long
@pytest.mark.parametrize("sign", ["-", ".", "@", "a-", "/-", "~", "a."])
def test_a_long_row_of_signs_is_looked_through_once(sign: str) -> None:
    long = sign * 50_000
    assert all(atom in long for atom in unsupported_facts(long, "nothing of it"))
    assert unsupported_facts(f"{long} 7", f"{long} 7") == ()
