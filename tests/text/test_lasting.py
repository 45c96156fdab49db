"""Lines that are worth a place on a derived page, and those about the work at hand."""

from __future__ import annotations

import pytest

from recall_tui.text.classify.lasting import PASSING, find_flaw


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("The database cursor stays open because the pool never closes it after an error.", ""),
        ("Cursor pagination is used instead of offsets, since rows move while a page is read.", ""),
        ("The parser ignores empty rows because Cursor flagged it as dead.", PASSING),
        ("Fixed as the cursor agent suggested, because the lock was never taken in `pool.py`.", PASSING),
    ],
)
def test_the_agent_is_told_from_the_cursor(text: str, flaw: str) -> None:
    assert find_flaw(text) == flaw
