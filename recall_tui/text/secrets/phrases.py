"""Find secrets made of ordinary words or listed below a heading: wallet seed phrases and recovery codes."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern

Span = tuple[int, int]

_NUMBERS_OF_WORDS = (12, 15, 18, 21, 24)
"""BIP 39, generating the mnemonic (https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki)."""
_WINDOW_CHARS = 100
_GAP = r"(?:\\{0,7}[\"'`],?)?(?:[,\s]|\\{1,7}[nrt]){1,12}(?:\d{1,2}[.):][ ]?)?(?:\\{0,7}[\"'`])?"
_WORDS = lazy_pattern(rf"(?:(?<=\\[nrt])|(?<![A-Za-z\\]))[a-z]{{3,8}}(?:{_GAP}[a-z]{{3,8}}){{11,40}}(?![A-Za-z])")
_WORD = lazy_pattern(r"(?:(?<=\\[nrt])|(?<![a-z\\]))([a-z]{3,8})(?![a-z])")
_NO_SEED_TEXT = "the and for are was has not but its from words which should never them our been these than your"
_NO_SEED = frozenset(_NO_SEED_TEXT.split())
"""Short common words that are not in the BIP 39 list."""
_CODES = lazy_pattern(
    r"(?:[^\n:\\]{0,60}:)?[ \t*]{0,4}(?P<codes>(?:(?:\s|\\{1,7}[nr]|,|[-*•]|\d{1,2}[.)]|\\{0,7}[\"'`\[]){1,24}"
    r"(?=[\w-]{0,20}\d)[A-Za-z0-9]{4,12}(?:[- ]?[A-Za-z0-9]{4,12}){0,3}(?=[\s\"'`,\\]|\Z)){2,40})"
)
_HALVES = lazy_pattern(
    r":[ \t*]{0,4}(?P<codes>(?:(?:\r?\n|\\{1,7}n)[ \t]*(?:[-*•][ ]|\d{1,2}[.)][ ])?"
    r"`?[A-Za-z0-9]{5}-[A-Za-z0-9]{5}`?[ \t]*(?=[\r\n\"\\]|\Z)){1,40})"
)
"""Codes of two halves, one per line, with or without digits, such as GitHub's."""
_HALF_CODE = lazy_pattern(r"(?<![A-Za-z0-9-])(?:(?<=\\)n)?([A-Za-z0-9]{5}-[A-Za-z0-9]{5})(?![A-Za-z0-9-])")
_CODE = lazy_pattern(
    r"(?<![\w\\])(?:\\[nrt])*((?=[\w-]{0,20}\d)[A-Za-z0-9]{4,12}(?:[- ]?[A-Za-z0-9]{4,12}){0,3})(?![\w])"
)


def seed_words(text: str, end: int) -> Iterator[Span]:
    """Yield the seed phrase near a name for it that ends at `end`."""
    place = end
    while words := _WORDS.search(text, place, min(len(text), end + _WINDOW_CHARS + 600)):
        if words.start() > end + _WINDOW_CHARS:
            return
        spans = [word.span(1) for word in _WORD.finditer(text, *words.span())]
        number = len(spans)
        plain = [text[slice(*span)] for span in spans]
        if number in _NUMBERS_OF_WORDS and not _NO_SEED.intersection(plain):
            yield spans[0][0], spans[-1][1]
            return
        place = words.start() + 1
        place = text.find(" ", place) if text.find(" ", place) > 0 else words.end()


def recovery_codes(text: str, end: int) -> Iterator[Span]:
    """Yield the codes in the list below a heading that ends at `end`."""
    found = _CODES.match(text, end)
    if halves := _HALVES.match(text, end):
        yield from (code.span(1) for code in _HALF_CODE.finditer(text, *halves.span("codes")))
    elif found:
        yield from (code.span(1) for code in _CODE.finditer(text, *found.span("codes")))
