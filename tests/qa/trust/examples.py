"""Texts that Hypothesis makes for a parser, and what comes of reading them."""

from __future__ import annotations

import sys
import traceback
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recall_tui.errors import RecallError
from tests.qa.trust.mutating import mutated
from tests.qa.trust.parsing import Parser
from tests.qa.trust.seeds import FRAGMENTS

IN_ALL = 50_000
"""In a soak, over all parsers."""


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

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=not is_random,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(texts(parser))
    def one(text: str) -> None:
        attack(parser, text)

    one()


def broken(parser: Parser, examples: int) -> bool:
    """Whether one of so many examples breaks the parser; it is told on stderr."""
    try:
        fuzzed(parser, examples, is_random=True)
    except Exception:
        print(f"{parser.name}:\n{traceback.format_exc()}", file=sys.stderr, flush=True)
        return True
    return False
