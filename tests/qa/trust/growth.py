"""How the time of a parser grows with the length of what it reads.

Only ratios are judged: what one and the same machine needs for a text and for another four times as long.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import NamedTuple

from recall_tui.errors import RecallError
from recall_tui.text.secrets.redact import clear_clean_cache
from tests.qa.trust.parsing import Parser

FACTOR = 4
"""How much longer the second text is."""
MOST = 10.0
"""How often longer the second may take; sixteen times is quadratic, four is linear."""
SHORTEST = 500
"""Characters of the shortest text that is looked at."""
LONGEST = 128_000
"""Characters of the longest text in a soak."""
MEASURABLE = 0.03
"""Seconds of the second text below which a ratio says nothing."""
_REPEATS = 3
COMMON = (
    *("[", "]", "{", "*", "_", "`", '"', "'", "|", "#", "<", ">", "-", "=", "~", "(", ":", "\\", "&", "!", ".", ","),
    *(" ", "\t", "\n", "\r\n", "\r", "\x00", "0", "a", "é", "\udc80", "\u202e", "/", "@"),
    *("a ", "ab\n", "# a\n", "- a\n", "  - ", "> ", "1. ", "* ", "<!-- ", "-->", "```\n", "```a\n", "`` ` ", "---\n"),
    *(
        "| a | b ",
        "a: b\n",
        "a: ",
        "&a [*a]\n",
        '{"a":',
        '{"a": 1}\n',
        "[[a]]",
        "[a](b)",
        "**a** ",
        "a. ",
        "— ",
        " (",
        "\n\n\n",
    ),
    *("word{n} ", "word{n}: x\n", "[1,", '"a', "</a>", "<a ", "://", "2026-03-06 ", "a/"),
)
"""Pieces that are hard for some parser or other when they are many."""


class Case(NamedTuple):
    """A text that can be as long as one likes."""

    parser: Parser
    piece: str
    lead: str = ""
    tail: str = ""

    @property
    def name(self) -> str:
        """For a person."""
        around = f" in {self.lead!r}…{self.tail!r}" if self.lead or self.tail else ""
        return f"{self.parser.name}: {self.piece!r}{around}"

    def text(self, size: int) -> str:
        """About so many characters."""
        if "{n}" not in self.piece:
            return self.lead + self.piece * (size // len(self.piece)) + self.tail
        made: list[str] = []
        length = 0
        for number in count():
            made.append(self.piece.replace("{n}", str(number)))
            length += len(made[-1])
            if length >= size:
                break
        return self.lead + "".join(made) + self.tail


def cases(parser: Parser) -> Iterator[Case]:
    """What the parser is given many of: alone, inside a line, and where its own rules are hard."""
    for piece in dict.fromkeys((*COMMON, *parser.patterns)):
        for lead, tail in (("", ""), ("a", "b"), *parser.around):
            yield Case(parser, piece, lead, tail)


def ratio(
    case: Case, longest: int, clock: Callable[[], float] = time.process_time, *, shortest: int = SHORTEST
) -> float:
    """How often longer the case takes at four times the length; the greatest up to `longest`; 0 when too short."""
    worst = 0.0
    size = shortest
    while size * FACTOR <= longest:
        long = _seconds(case, size * FACTOR, 1, clock)
        if long >= MEASURABLE:
            found = long / max(_seconds(case, size, 1, clock), 1e-6)
            if found >= MOST:
                long = min(long, _seconds(case, size * FACTOR, _REPEATS, clock))
                found = long / max(_seconds(case, size, _REPEATS, clock), 1e-6)
            worst = max(worst, found)
            if worst >= MOST or long >= 10 * MEASURABLE:
                break
        size *= FACTOR
    return worst


def _seconds(case: Case, size: int, repeats: int, clock: Callable[[], float]) -> float:
    text = case.text(size)
    best = float("inf")
    gc.disable()
    try:
        for _ in range(repeats):
            clear_clean_cache()
            begun = clock()
            with suppress(RecallError):
                case.parser.read(text)
            best = min(best, clock() - begun)
    finally:
        gc.enable()
    return best
