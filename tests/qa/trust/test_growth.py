"""The time of every parser is bounded by the length of what it reads, whatever is repeated in it."""

from __future__ import annotations

from collections import deque

import pytest

from recall_tui.text.cut import split_text
from tests.qa.trust.growth import FACTOR, LONGEST, MOST, Case, cases, ratio
from tests.qa.trust.parsers import PARSERS, named
from tests.qa.trust.parsing import Parser

pytestmark = pytest.mark.long

SHORTEST = 8_000
"""Every day."""
REWOUND = '{"id":"{n}","type":"user","content":"x"}\n{"$rewindTo":"{n}"}\n'


HARD = (
    ("frontmatter", "\n", "---\nk{n}: v", "\n---\n"),
    ("frontmatter", " ", "---\na", "b\n---\n"),
    ("frontmatter", " ", "---\nk: [", "!\n---\n"),
    ("frontmatter", "[", "---\nk: ", "\n---\n"),
    ("frontmatter", "a: &x{n} [*x{n}]\n", "---\n", "---\n"),
    ("archive", "\\", "", ""),
    ("archive", "````a\n```\n", "# Conversation 001\n\n---\n\n### User\n\n", ""),
    ("archive", "<details><summary>Result</summary>\n", "# Conversation 001\n\n---\n\n### User\n\n", ""),
    ("archive head", "<!-- a\n", "", ""),
    ("sections", " ", "# a", "b"),
    ("statements", " ", "some words", "of a statement"),
    ("wisdom", "entriesx ", "*", "*"),
    ("wisdom", "entries ", "*", "*\n"),
    ("wisdom", "Last updated ", "*", ""),
    ("wisdom", " ", "- **a** — b", "c"),
    ("master", "\n", "# Master\n\n## Key Decisions\n", "a"),
    ("agent description", " ", "", "x"),
    ("query", "project:p{n} ", "", ""),
    ("query", "word{n}: ", "", ""),
    ("time words", "day of ", "", ""),
    ("speech", "<command-name>", "", ""),
    ("speech", "<system-reminder>a</system-reminder>", "", ""),
    ("speech", " ", "<recalled-memory>a</recalled-memory>", "b"),
    ("prose", " ", "a", "b"),
    ("secrets", "-----BEGIN PRIVATE KEY-----\n", "", ""),
    ("records", '{"a":', "", ""),
    ("model's claim", "-", "", ""),
    ("model's claim", "/a", "", ""),
    ("patch", "a\n", "", ""),
    ("patch", "a\nb\nc\n", "", ""),
    ("patch", "a\nb{n}\n", "", ""),
)
"""What once took the square of its length, or is known to have been hard elsewhere."""


@pytest.mark.parametrize(("name", "piece", "lead", "tail"), HARD)
def test_what_is_hard_for_a_parser_takes_no_more_than_its_length(name: str, piece: str, lead: str, tail: str) -> None:
    case = Case(named(name), piece, lead, tail)
    assert ratio(case, SHORTEST) < MOST, case.name


@pytest.mark.parametrize(
    ("name", "piece", "lead", "tail", "longest"),
    [
        ("archive", "```\n", "a", "b", LONGEST),
        ("program's answer", "{\n", "", "", 2 * LONGEST),
        *(
            ("full window", f"{piece}**Summary**: a\n{more}", "", "", 2 * LONGEST)
            for piece, more in (
                ("## Session s{n} — 2026-01-01 10:00:00 UTC\n", ""),
                ("## Session s{n} — 2027-01-01 10:00:00 UTC\n", "\nmine\n\n"),
                ("## Session s — x\n", ""),
                ("\ufeff## Session s{n} — x\n", ""),
            )
        ),
        ("gemini transcript", REWOUND, '{"sessionId":"s","projectHash":"h"}\n', "", 16 * LONGEST),
    ],
)
def test_very_many_take_no_more_than_their_length(name: str, piece: str, lead: str, tail: str, longest: int) -> None:
    case = Case(named(name), piece, lead, tail)
    assert ratio(case, longest, shortest=longest // FACTOR) < MOST


def test_a_very_long_line_is_cut_in_no_more_than_its_length() -> None:
    cutting = Parser("pieces", lambda text: deque(split_text(text, 1000), maxlen=0), ())
    longest = 64 * LONGEST
    assert ratio(Case(cutting, "word "), longest, shortest=longest // FACTOR) < MOST


@pytest.mark.soak
@pytest.mark.parametrize("parser", PARSERS, ids=[parser.name for parser in PARSERS])
def test_many_of_anything_take_no_more_than_their_length(parser: Parser) -> None:
    slow = {case.name: found for case in cases(parser) if (found := ratio(case, LONGEST)) >= MOST}
    assert slow == {}
