"""Find private keys in PEM armour: whole, truncated at the end or at the start."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern

CUT_KEY_PATTERN = (
    r"(?:(?:\s|\\{1,4}[nrt]|[\"'`+,>|→*#]|\d{1,6}→|[A-Za-z-]{4,20}: [^\n\\]{1,80}(?=\n|\\)){0,24}+"
    r"[A-Za-z0-9+/=]{16,}+)+"
    r"(?:(?:\r?\n|\\{1,4}[nrt]){1,4}+[+>| \t]{0,8}(?:\d{1,6}→)?[A-Za-z0-9+/]{1,80}+(?:={1,2}|(?=[\"'`]|\s*$))"
    r"| (?=[a-z]{0,15}[A-Z0-9+/])[A-Za-z0-9+/]{1,15}+(?=…?[\"'`\n\\]|…?\s*$|…))?"
)
"""The lines of a private key, truncated anywhere."""
_MAX_KEY_CHARS = 20_000
"""The maximum distance to the end of a private key (a 16,384-bit RSA key takes 13,000)."""

_BEGIN = lazy_pattern(r"-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = lazy_pattern(r"-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-MAC: [0-9a-f]{40,64}")
_LINE_GAP = lazy_pattern(r"(?:\s|\\{1,8}[nrt]|[\"'`+,>|→*#]|\d{1,6}→|\\{1,8}u2192){1,60}")
"""The text allowed between two lines of a key."""
_KEY_LINE = lazy_pattern(r"(?:(?<=\\)(?:[nrt]|u2192))?([A-Za-z0-9+/]{2,}={0,2})")
_MIN_LONG_LINE_CHARS = 48
"""The minimum length of a line that identifies a key without its beginning."""
_KEY_TEXT = lazy_pattern(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{16,}")
_CUT_KEY = lazy_pattern(CUT_KEY_PATTERN)


def find_private_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of each private key in a text that names one."""
    begins = list(_BEGIN.finditer(text))
    limits = [*(begin.start() for begin in begins[1:]), len(text)]
    whole = 0
    for begin, limit in zip(begins, limits, strict=False):
        yield from _find_key_ends(text, whole, begin.start())
        end = _END.search(text, begin.end(), min(limit, begin.end() + _MAX_KEY_CHARS))
        whole = end.end() if end else begin.end()
        if end and _KEY_TEXT.search(text, begin.end(), end.start()):
            yield "private-key", begin.start(), end.end()
        elif cut := _CUT_KEY.match(text, begin.end(), limit):
            yield "private-key", begin.start(), cut.end()
    yield from _find_key_ends(text, whole, len(text))


def _find_key_ends(text: str, start: int, limit: int) -> Iterator[tuple[str, int, int]]:
    """Yield the ends of keys that start elsewhere, such as in the previous block."""
    for end in _END.finditer(text, start, limit):
        lowest = max(start, end.start() - _MAX_KEY_CHARS)
        first, is_key = end.start(), False
        for line in reversed(list(_KEY_LINE.finditer(text, lowest, end.start()))):
            is_long = len(line[1]) >= _MIN_LONG_LINE_CHARS
            is_apart = is_key and not is_long
            if is_apart or not _LINE_GAP.fullmatch(text, line.end(1), first):
                break
            first, is_key = line.start(1), is_key or is_long
        if is_key:
            yield "private-key", first, end.end()
        start = end.end()
