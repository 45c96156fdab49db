"""No line that says the same is missed where not every line is read."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from recall_tui.text.classify.similarity import lines_containing, near_duplicates, normalize, similar_line_numbers

WORDS = st.lists(
    st.sampled_from(
        ["we", "deploy", "deploys", "on", "Fridays", "Friday", "never", "don't", "the", "API", "v1.2", "v1.3", "café",
         "cafe\u0301", "staging,", "production", "(always)", "İstanbul", "ΟΔΟΣ", "src/a.py"]
    ),
    min_size=1,
    max_size=9,
).map(" ".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=6), WORDS)
def test_every_near_duplicate_is_among_what_is_found(lines: list[str], line: str) -> None:
    found = set(similar_line_numbers("\n".join(lines), line))
    for place, other in enumerate(lines):
        if near_duplicates([other, line]) or (normalize(other) == normalize(line) and len(normalize(line)) >= 20):
            assert place in found


@given(st.lists(WORDS, max_size=6), st.sampled_from(["deploy", "Friday", "the API", "x", ""]))
def test_the_lines_that_hold_some_words_are_found(lines: list[str], words: str) -> None:
    found = list(lines_containing("\n".join(lines), words))
    assert found == [place for place, line in enumerate(lines) if words and words in line]
