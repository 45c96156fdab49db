"""The row of the parsers: very many texts for each of them, and the growth of their time.

FUZZ_EXECUTIONS, FUZZ_EXAMPLES and FUZZ_LONGEST say otherwise how many texts and how long; FUZZ_KEEP names the folder
where counts stay from one run to the next, see `atheris_run`. Only texts that were read are counted, and an earlier
run's only while no file of the package that its parser runs has changed since.
"""

from __future__ import annotations

import os
import traceback

from tests.qa.trust.atheris_run import run
from tests.qa.trust.examples import IN_ALL, broken
from tests.qa.trust.growth import MOST, cases, ratio
from tests.qa.trust.parsers import PARSERS
from tests.qa.trust.table import Row

LONGEST = 32_000
"""Characters of the longest text whose time is taken; the soak tests take four times as many."""


def row() -> Row:
    """Attack every parser and count."""
    figures = run()
    examples = int(os.environ.get("FUZZ_EXAMPLES", IN_ALL)) // len(PARSERS) + 1
    failed = [parser.name for parser in PARSERS if broken(parser, examples)]
    longest = int(os.environ.get("FUZZ_LONGEST", LONGEST))
    grown = [case for parser in PARSERS if not parser.is_slow for case in cases(parser)]
    slow = []
    for case in grown:
        try:
            if ratio(case, longest) >= MOST:
                slow.append(case.name)
        except Exception:
            traceback.print_exc()
            failed.append(case.name)
    how = (
        "chosen by the code they reach (atheris)" if figures.guided else "changed at random (atheris is not installed)"
    )
    return Row(
        "Any text is read or refused with a reason; nothing is lost on the way, and time is bounded by length",
        f"Seeds of every format {how}, and examples (Hypothesis); each piece that is hard to parse repeated, at n and"
        f" 4n up to {longest:,} characters",
        {
            "parsers": len(PARSERS),
            "executions": figures.executions,
            "fewest of a parser": min(figures.counts.values()),
            "of an earlier run of the same code": figures.kept,
            "crashes": len(figures.crashes),
            "examples": examples * len(PARSERS),
            "examples that broke a parser": len(failed),
            "repeated": len(grown),
            "slower than their length": len(slow),
            "broken": "; ".join((*figures.crashes, *failed, *slow)) or "none",
        },
        not figures.crashes and not failed and not slow,
    )
