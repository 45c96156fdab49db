"""The row of the parsers: very many texts for each of them, and the growth of their time.

FUZZ_EXECUTIONS says how many texts. Only texts that were read are counted.
"""

from __future__ import annotations

import os

from tests.trust.atheris_run import EXECUTIONS, run
from tests.trust.growth import MOST, cases, ratio
from tests.trust.parsers import PARSERS
from tests.trust.table import Row

LONGEST = 8_000
"""Characters of the longest text whose time is taken."""


def row() -> Row:
    """Attack every parser and count."""
    figures = run(int(os.environ.get("FUZZ_EXECUTIONS", EXECUTIONS)))
    grown = [case for parser in PARSERS if not parser.is_slow for case in cases(parser)]
    slow = [case.name for case in grown if ratio(case, LONGEST) >= MOST]
    how = (
        "chosen by the code they reach (atheris)" if figures.guided else "changed at random (atheris is not installed)"
    )
    return Row(
        "Any text is read or refused with a reason; nothing is lost on the way, and time is bounded by length",
        f"Seeds of every format {how}; each piece that is hard to read repeated, at n and 4n",
        {
            "parsers": len(PARSERS),
            "executions": figures.executions,
            "crashes": len(figures.crashes),
            "repeated": len(grown),
            "slower than their length": len(slow),
        },
        not figures.crashes and not slow,
    )
