"""A line as a model put it is taken only when the lines that it names bear it out."""

from __future__ import annotations

import pytest

from recall_tui.features.grounding.evidence import CitedLines
from recall_tui.features.grounding.verify import is_supported
from recall_tui.storage.memory_context import Store

SAID = '- Anna Berg moved the limit in src/limits.py from 100 to `250` requests on 2026-03-06, said "enough".'


@pytest.mark.parametrize(
    "text",
    [
        "The limit in src/limits.py was moved from 100 to `250` requests.",
        "Anna Berg moved the limit on 2026-03-06.",
        '"enough", said Anna Berg of the limit.',
    ],
)
def test_what_the_lines_bear_out_is_taken_as_it_is(text: str) -> None:
    assert is_supported(text, SAID)


@pytest.mark.parametrize(
    "text",
    [
        "The limit was moved to 300 requests.",
        "The limit was moved on 2026-03-07.",
        "The limit in src/rates.py was moved from 100.",
        "The limit was moved by Grace Hopper.",
        '"never again", said Anna Berg of the limit.',
        "Everybody was happy with the weather and went home.",
        "",
    ],
)
def test_what_they_do_not_is_not(text: str) -> None:
    assert not is_supported(text, SAID)


def test_cited_lines_are_those_of_the_texts_at_hand_before_those_on_disk(store: Store) -> None:
    (store.layout.days / "2026-03-01.md").write_text("one\ntwo\nthree\n")
    cited = CitedLines(store, {"memory/new.md": "first\nsecond\n"})
    assert cited.said([("memory/new.md", 2, 2), ("memory/2026-03-01.md", 2, 3), ("memory/none.md", 1, 4)]) == (
        "second\ntwo\nthree\n"
    )
