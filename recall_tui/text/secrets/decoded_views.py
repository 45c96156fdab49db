"""Decode text (colours, escapes, encodings, line continuations) so that secrets in it match.

A view maps its offsets to the source text, so that a match is redacted in the original.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import itemgetter

from recall_tui.text.lazy_pattern import lazy_pattern

_AROUND_CHARS = 600
"""The distance from a code within which it can matter for a secret."""
_CHARS_PER_CODE = 4 * _AROUND_CHARS
"""A text with more codes than one in so many characters is looked through as a whole."""
_RUN = lazy_pattern(r"\S{0,20000}")
_MAX_LAYERS = 3
"""The maximum of nested encodings."""

_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
_INVISIBLE_MARKS = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u200e", "\u200f", "\u202c", "\u2063")
"""The invisible characters that are tested for; all of them are removed."""
_TERMINAL_CONTROLS = ("\x1b", "\x08", "\x00", "\x9b")
"""The terminal control characters that are tested for; all of them are removed."""
_TRAITS = (
    lazy_pattern(r"%(?:25){0,3}(?:[2-7][0-9A-Fa-f]|0[9ADad])"),
    lazy_pattern(
        r"&(?:amp;){0,3}(?:#(?:\d{2,5}|[xX][0-9A-Fa-f]{2,5})"
        r"|quot|apos|sol|equals|colon|commat|lowbar|hyphen|dash|period|percnt|lt(?=;/));"
    ),
    lazy_pattern(
        r"\\(?:u(?:00[0-9A-Fa-f]{2}|200[b-fB-F]|2060|[fF][eE][fF][fF]|[fF]{2}1[aAdD]|0142|04[34][0-9A-Fa-f]"
        r"|5[bB][cC]6|53[eE]3|4[eE]{2}4|30[dD]1|6697|30[cC]8|[bB][eE]44|[cC]554)|x[0-7][0-9A-Fa-f]|/|\r?\n)"
    ),
    lazy_pattern(r"=(?:3D|\r?\n(?<=[^\n=]{60}=\n)(?=[A-Za-z0-9]))"),
)
"""Each starts with one literal character, so that searches run at memory speed."""

_ESCAPES = (
    "\\u00", "\\u200", "\\u2060", "\\ufeff", "\\uff1", "\\u0142", "\\u043", "\\u044", "\\u5bc6", "\\u53e3", "\\u4ee4",
    "\\u30d1", "\\u6697", "\\u30c8", "\\ube44", "\\uc554", *(f"\\x{digit}" for digit in range(8)),
    "\\/", "\\\n", "\\\r\n",
)  # fmt: skip
_QUOTED = ("=3d", "=\n")
_PERCENTS = frozenset((*(f"%{high}{low}" for high in "234567" for low in "0123456789abcdef"), "%09", "%0a", "%0d"))
_NAMED = (
    "&#", "&amp;", "&quot;", "&apos;", "&sol;", "&equals;", "&colon;", "&commat;", "&lowbar;", "&hyphen;", "&dash;",
    "&period;", "&percnt;", "&lt;/",
)  # fmt: skip
CODE_LITERALS = (*sorted(_PERCENTS), *_NAMED, *_ESCAPES, *_QUOTED)
"""In lower case: text with one of the traits has one of its literals."""

_ENTITIES = {
    "quot": '"', "apos": "'", "sol": "/", "equals": "=", "colon": ":", "commat": "@", "lowbar": "_", "hyphen": "-",
    "dash": "-", "period": ".", "percnt": "%", "amp": "&", "lt": "<", "gt": ">", "nbsp": " ", "num": "#", "plus": "+",
    "dollar": "$", "excl": "!", "ast": "*", "semi": ";", "comma": ",", "lpar": "(", "rpar": ")",
}  # fmt: skip
_ESCAPE = (
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
    r"(?:(?:(?<=\x9b)|(?<=\x1b)\[)[0-?]*[ -/]*[@-~]"
    r"|(?:(?<=[\x90\x98\x9d-\x9f])|(?<=\x1b)[\]PX^_])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|(?<=\x1b)[ -/]*[0-~]|)"
)
"""Starts with a set of characters, which is fast to find."""
_COLOURS = r"\x1b\[[0-9;:]*[mK](?:\x1b\[[0-9;:]*[mK])*"
_OTHER_ESCAPE = lazy_pattern(r"\x1b(?!\[[0-9;:]*[mK])")
_CODES = (
    r"%(?:25){0,3}(?P<percent>[2-7][0-9A-Fa-f]|0[9ADad])",
    r"&(?:amp;){0,3}(?:#(?P<decimal>\d{2,5})|#[xX](?P<hexadecimal>[0-9A-Fa-f]{2,5})|(?P<entity>[a-z]{2,8}));",
    r"\\(?:u(?P<unicode>[0-9A-Fa-f]{4})|x(?P<byte>[0-7][0-9A-Fa-f])|(?P<slash>/)"
    r"|(?P<continued>\r?\n[ \t]*(?:[>|+][ \t])?))",
    r"=(?:(?P<soft>\r?\n)|(?P<quoted>[2-7][0-9A-F]))",
)
"""The pattern of each trait: percent-encoding (RFC 3986), entities, escapes of JSON and of shells, RFC 2045."""


_JSON_ESCAPE = r"\\(?:u(?P<unicode>[0-9A-Fa-f]{4})|(?P<sign>[nrtbf\"\\/]))"
"""The escapes of JSON (RFC 8259, 7)."""
_JSON_ESCAPES = lazy_pattern(_JSON_ESCAPE)
_ESCAPE_CHARS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


class DecodedView:
    """A decoded text with a map of its offsets to the source."""

    def __init__(self, source: str, pattern: re.Pattern[str]) -> None:
        self._source = source
        self._pattern = pattern
        self._pieces: list[tuple[int, int, int, int]] = []
        most = len(source) // _CHARS_PER_CODE
        few = list(islice(pattern.finditer(source), most + 1))
        if len(few) > most:
            self.text = pattern.sub("" if pattern.groups == 0 else _decode, source)
            return
        self._pieces = list(_pieces(few))
        parts: list[str] = []
        done = 0
        for code in few:
            parts += (source[done : code.start()], _decode(code))
            done = code.end()
        self.text = "".join((*parts, source[done:]))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Map the range `start` to `end` to the source, including codes inside it."""
        if not self._pieces:
            self._pieces = list(_pieces(self._pattern.finditer(self._source)))
        return self._place(start)[0], self._place(max(end - 1, start))[1]

    def parts(self) -> Iterator[tuple[int, str]]:
        """Yield (offset, text) of the parts around codes, or the whole text when there are many."""
        few = self._pieces
        if not few or len(few) > len(self.text) // _CHARS_PER_CODE:
            yield 0, self.text
            return
        done = 0
        for at, size, *_ in few:
            first = max(
                done,
                self.text.rfind("\n", max(0, at - 4 * _AROUND_CHARS), max(0, at - _AROUND_CHARS)) + 1,
                at - 4 * _AROUND_CHARS,
            )
            last = at + size + _AROUND_CHARS
            if last > done:
                run = _RUN.match(self.text, last)
                last = run.end() if run else last
                yield first, self.text[first:last]
                done = last

    def _place(self, place: int) -> tuple[int, int]:
        near = bisect_right(self._pieces, place, key=itemgetter(0)) - 1
        if near < 0:
            return place, place + 1
        at, size, start, end = self._pieces[near]
        beyond = place - at - size
        return (start, end) if beyond < 0 else (end + beyond, end + beyond + 1)


def is_coded(flat: str, others: str, words: frozenset[str]) -> bool:
    """Return whether a text may contain codes: its ASCII characters, its other characters and its literals."""
    if "\x1b" in flat or "\x08" in flat or "\x00" in flat:
        return True
    percents, entities, escapes, quoted = _TRAITS
    if words and (
        (not words.isdisjoint(_PERCENTS) and percents.search(flat))
        or (not words.isdisjoint(_NAMED) and entities.search(flat))
        or (not words.isdisjoint(_ESCAPES) and escapes.search(flat))
        or (not words.isdisjoint(_QUOTED) and quoted.search(flat))
    ):
        return True
    return others != "" and ("\x9b" in others or any(mark in others for mark in _INVISIBLE_MARKS))


def unescape_json(part: str) -> DecodedView | None:
    """Decode the JSON escapes of a part of a line; None when it has none."""
    if "\\" not in part:
        return None
    return DecodedView(part, _JSON_ESCAPES)


def decoded_views(text: str) -> Iterator[tuple[DecodedView, ...]]:
    """Yield the text decoded once, twice and so on; each item is the chain of views back to the text."""
    chain: tuple[DecodedView, ...] = ()
    for _ in range(_MAX_LAYERS):
        source = chain[-1].text if chain else text
        pattern = _pattern_for(source)
        if pattern is None:
            return
        view = DecodedView(source, pattern)
        if view.text == source:
            return
        chain = (*chain, view)
        yield chain


def original_range(chain: tuple[DecodedView, ...], start: int, end: int) -> tuple[int, int]:
    """Map a range of the last view to the text."""
    for view in reversed(chain):
        start, end = view.span(start, end)
    return start, end


def _pattern_for(text: str) -> re.Pattern[str] | None:
    """Return the pattern of the codes that occur in the text; None when there are none."""
    sources = [code for trait, code in zip(_TRAITS, _CODES, strict=True) if trait.search(text)]
    if any(sign in text for sign in _TERMINAL_CONTROLS):
        is_coloured = _OTHER_ESCAPE.search(text) is None and not any(sign in text for sign in _TERMINAL_CONTROLS[1:])
        sources.append(_COLOURS if is_coloured else _ESCAPE)
    if not text.isascii() and any(mark in text for mark in _INVISIBLE_MARKS):
        sources.append(f"[{_INVISIBLE}]+")
    return re.compile("|".join(sources)) if sources else None


def _pieces(codes: Iterable[re.Match[str]]) -> Iterator[tuple[int, int, int, int]]:
    """Yield (offset in the view, size in the view, start, end) of each code."""
    shift = 0
    for code in codes:
        start, end = code.span()
        size = len(_decode(code))
        yield start + shift, size, start, end
        shift += size - (end - start)


def _decode(code: re.Match[str]) -> str:
    """Decode a single code."""
    kind = code.lastgroup
    if kind is None or kind in ("continued", "soft"):
        return ""
    if kind == "sign":
        return _ESCAPE_CHARS.get(code[kind], code[kind])
    if kind == "slash":
        return "/"
    if kind == "entity":
        return _ENTITIES.get(code[kind], code[0])
    return chr(int(code[kind], 10 if kind == "decimal" else 16))
