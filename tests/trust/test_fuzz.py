"""No parser raises anything but RecallError, whatever it reads, and none loses what it reads and writes again."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recall_tui.errors import RecallError
from tests.trust.mutating import mutated
from tests.trust.parsers import PARSERS, Parser
from tests.trust.seeds import FRAGMENTS

EXAMPLES = 60
"""For each parser, every day."""
IN_ALL = 50_000
"""In a soak, over all of them."""
EACH = pytest.mark.parametrize("parser", PARSERS, ids=[parser.name for parser in PARSERS])


def texts(parser: Parser) -> st.SearchStrategy[str]:
    """Seeds that were changed, what fragments and lines of seeds make, and any text."""
    lines = sorted({line for seed in parser.seeds for line in seed.splitlines(keepends=True)})
    pieces = st.sampled_from(FRAGMENTS) | st.sampled_from(lines) | st.text(max_size=8)
    changed = st.integers(0, 2**32).map(lambda number: mutated(parser.seeds, Random(number)))
    return changed | st.lists(pieces, max_size=12).map("".join) | st.text(max_size=40)


def attack(parser: Parser, text: str) -> None:
    """Have the parser read it; a RecallError is an answer."""
    try:
        parser.read(text)
    except RecallError as error:
        assert error.message


def fuzzed(parser: Parser, examples: int, *, is_random: bool) -> None:
    """So many examples."""

    @settings(max_examples=examples, derandomize=not is_random, database=None, suppress_health_check=list(HealthCheck))
    @given(texts(parser))
    def one(text: str) -> None:
        attack(parser, text)

    one()


@EACH
def test_a_parser_reads_any_text_or_says_what_is_wrong_with_it(parser: Parser) -> None:
    for text in ("", *parser.seeds):
        attack(parser, text)
    fuzzed(parser, EXAMPLES // 6 if parser.is_slow else EXAMPLES, is_random=False)


@pytest.mark.soak
@EACH
def test_a_parser_reads_very_many_texts(parser: Parser) -> None:
    fuzzed(parser, IN_ALL // len(PARSERS) + 1, is_random=True)
