"""Atoms: what of a sentence can be checked against where it is from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.checkable_facts import checkable_facts, missing_facts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("raised it from 12.5 to 30 %", ("12.5", "30 %")),
        ("on 2026-03-06 at 09:30", ("2026-03-06", "09:30")),
        ("costs $1,250.00 a year", ("$1,250.00",)),
        ("see src/auth/jwt.py and README.md", ("src/auth/jwt.py", "README.md")),
        ('he said "keep the old keys" twice', ("keep the old keys",)),
        ("call `make check` first", ("make check",)),
        ("createTestApp calls snake_case and HTTP", ("createTestApp", "snake_case", "HTTP")),
        ("ask @mira about #42", ("@mira", "#42", "42")),
        ("version v2.1.0 is 3× faster", ("v2.1.0", "3×")),
        ("plain words only.", ()),
    ],
)
def test_what_can_be_checked_is_found(text: str, found: tuple[str, ...]) -> None:
    assert set(found) <= set(checkable_facts(text))


def test_an_atom_that_the_source_has_not_is_missing() -> None:
    source = "We moved the limit from 100 to 250 requests in src/limit.py on 2026-03-06."
    assert missing_facts("The limit is 250 (src/limit.py, 2026-03-06).", source) == ()
    assert missing_facts("The limit is 25.", source) == ("25",)
    assert missing_facts("see limit.pyx", source) == ("limit.pyx",)


def test_line_breaks_in_the_source_part_no_atom() -> None:
    assert missing_facts('"keep the old keys"', "he said: keep the\n  old keys, please") == ()


@given(st.text())
def test_no_text_misses_atoms_of_itself(text: str) -> None:
    assert missing_facts(text, text) == ()
