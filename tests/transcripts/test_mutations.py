"""Sessions changed at random are read, or it is said what is wrong with them."""

from __future__ import annotations

from random import Random

import pytest

from recall_tui.errors import RecallError
from tests.qa.trust.mutating import mutated
from tests.qa.trust.parsing import Parser
from tests.qa.trust.session_parsers import SESSIONS

MUTATIONS = 200


@pytest.mark.parametrize("parser", SESSIONS, ids=[parser.name for parser in SESSIONS])
def test_a_session_that_was_changed_at_random_stops_nothing(parser: Parser) -> None:
    random = Random(20260306)
    for text in ("", *parser.seeds, *(mutated(parser.seeds, random) for _ in range(MUTATIONS))):
        try:
            parser.read(text)
        except RecallError as error:
            assert error.message and error.hint
