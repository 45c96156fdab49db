"""Find the literals that secrets need, all of them in one pass over the text.

A pattern runs only where one of its literals stands, so text without any costs little more than the pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.text.secrets.credentials import CONNECT_PROGRAMS
from recall_tui.text.secrets.decoded_views import CODE_LITERALS
from recall_tui.text.secrets.shapes import SHAPE_FAMILIES
from recall_tui.text.secrets.word_lists import LATIN_STEMS

if TYPE_CHECKING:
    from ahocorasick_rs import BytesAhoCorasick

NAME_LITERALS = (
    "|key", "to|ken", "|ken-", "ps|k", "webhoo|k", "coo|kie", "|kty", "|kennwort", "|k/send?key=", "/v2/hoo|k/",
    "|kup ", "|pass", "|pat", "|pw", "|parola", "|pin", "md|p", "da|pi", "|phrase", "|printf ", "write-out|put ",
    "|pdo(", "|pro attach ", "encry|pt_string ", "|prv9s21zrqh143k", "/a|pi/v1/",
    " |p:", ",|p:", ";|p:", "/|p:", " /|p ", " /r|p ", " /r|p:",
    "se|cret", "|cret-tool lookup ", "|cred", "|cio", "|cnvca", "|clave", "wa|chtwoord", "|contrase", "http-basi|c.",
    "|c alias set ", "|c config host add ", "jdb|c:", "dire|ctoryentry(", "|community ", "|com2sec ", "smb|client ",
    "t-|content ", "d-|content ", "with-de|cryption", "e|cho ", "hooks/|catch/", "|chemy.com/v", "|connect(",
    "authenti|cate(", "|create_", "mnemoni|c", "|covery codes", "|covery_codes",
    "a|uth", "z|ugangsdaten", "|user ", "net |use ", "obsc|ure ", "inf|ura.io/v3/", "b|undle config ", "va|ult login ",
    "operator |unseal ", "new val|ue: ", "o|ut-file ",
)  # fmt: skip
"""A match of `names.ANCHORS` starts at the bar in one of these."""
_ANCHOR_LETTERS = "kpcu"
"""The first letters of `names.ANCHORS`."""
_AFTER_PAT = ("hash", "hex")
"""The only words with an h after `pat` in the name of a token; every other one is a `path`, of which there are many."""
_ASCII = bytes(range(128))
_NO_WORDS: frozenset[str] = frozenset()
_NO_STARTS: tuple[tuple[int, ...], ...] = ((), (), (), ())
WORDS = (
    "otpauth://", "identified", ":5432:", "bearer", "sig=", "private key", "private-mac: ", "login(", "<<", "assword",
    *LATIN_STEMS, *CONNECT_PROGRAMS, *CODE_LITERALS, *(word for family in SHAPE_FAMILIES for word in family.literals),
)  # fmt: skip


class ScannedText(NamedTuple):
    """A text in the forms that are searched, all with the same offsets, and the literals in it."""

    text: str
    flat: str
    """In ASCII; other characters are question marks."""
    low: str
    """`flat` in lower case."""
    others: str
    """The characters other than ASCII."""
    words: frozenset[str]
    """Those of `WORDS` that occur."""
    starts: tuple[Sequence[int], ...]
    """The offsets at which each of `names.ANCHORS` may match, in order."""


def scan(text: str) -> ScannedText:
    """Return the text with the literals in it."""
    flat, others = text, ""
    if not text.isascii():
        flat = text.encode("ascii", "replace").decode("ascii")
        others = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    low = flat.lower()
    automaton, uses = _automaton()
    matches = automaton.find_matches_as_indexes(low.encode(), overlapping=True)
    if not matches:
        return ScannedText(text, flat, low, others, _NO_WORDS, _NO_STARTS)
    words: set[str] = set()
    starts: tuple[list[int], ...] = ([], [], [], [])
    for number, start, end in matches:
        word, anchor, shift = uses[number]
        if anchor < 0:
            words.add(word)
        elif word != "pat" or not low.startswith("h", end) or low.startswith(_AFTER_PAT, end):
            starts[anchor].append(start + shift)
    for each in starts:
        each.sort()
    return ScannedText(text, flat, low, others, frozenset(words), starts)


@cache
def _automaton() -> tuple[BytesAhoCorasick, list[tuple[str, int, int]]]:
    """Return the automaton and, for each literal, its word, the number of its anchor or -1, and the anchor's offset."""
    from ahocorasick_rs import BytesAhoCorasick, Implementation

    uses = [(word, -1, 0) for word in dict.fromkeys(WORDS)]
    for literal in NAME_LITERALS:
        before, _, after = literal.partition("|")
        uses.append((before + after, _ANCHOR_LETTERS.index(after[0]), len(before)))
    return BytesAhoCorasick([word.encode() for word, *_ in uses], implementation=Implementation.DFA), uses
