"""No parser raises anything but RecallError, whatever it reads, and none loses what it reads and writes again."""

from __future__ import annotations

import pytest

from tests.qa.trust.examples import IN_ALL, attack, fuzzed
from tests.qa.trust.parsers import PARSERS
from tests.qa.trust.parsing import Parser

pytestmark = pytest.mark.long

EXAMPLES = 60
"""For each parser, every day."""
EACH = pytest.mark.parametrize("parser", PARSERS, ids=[parser.name for parser in PARSERS])


@EACH
def test_a_parser_reads_any_text_or_says_what_is_wrong_with_it(parser: Parser) -> None:
    for text in ("", *parser.seeds):
        attack(parser, text)
    fuzzed(parser, EXAMPLES // 6 if parser.is_slow else EXAMPLES, is_random=False)


@pytest.mark.soak
@EACH
def test_a_parser_reads_very_many_texts(parser: Parser) -> None:
    fuzzed(parser, IN_ALL // len(PARSERS) + 1, is_random=True)
