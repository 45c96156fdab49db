"""Secrets found in text and taken out of it.

Redacting twice changes nothing more, and text without a trigger costs no more than a few searches for literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from recall_tui.text.lazy_pattern import lazy
from recall_tui.text.secrets.assignments import assigned
from recall_tui.text.secrets.commands import HERE, LOGIN, in_commands
from recall_tui.text.secrets.credentials import (
    bearers,
    beside_ids,
    connects,
    in_connect_strings,
    in_password_files,
    in_queries,
    in_statements,
    in_urls,
)
from recall_tui.text.secrets.decoded_views import is_coded, original, views
from recall_tui.text.secrets.names import ANCHORS
from recall_tui.text.secrets.prefixes import ISSUED, ISSUED_WITH_DASH, issued
from recall_tui.text.secrets.private_keys import private_keys
from recall_tui.text.secrets.shapes import DASHED, FAMILIES, Shape
from recall_tui.text.secrets.wrapped import place_of, unwrapped

MARK = "[redacted:"
"""How what stands in place of a secret begins."""
MARKED = lazy(r"\[redacted:[a-z0-9-]+\]")
"""All of it."""
_ROUNDS = 8
"""Passes until nothing is found any more; taking one secret out may bare another beside it."""
_SHORTEST = 12
"""Characters of the shortest text that can hold a secret and what tells it."""
_HAS_DIGIT = lazy(r"\d")
_WORD = re.compile(r"[A-Za-z0-9_-]*")
_HARMLESS = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:toolu|msg|call|req|fc)_[A-Za-z0-9]*"
    r"|[./]{0,3}+[A-Za-z]{1,14}+\d{0,4}+(?:[-_./]++[A-Za-z]{0,14}+\d{0,4}+)*+|\d{4}-\d\d-\d\dT[0-9:.]+Z"
)
"""Ids, words, paths and dates, of which most short texts are made."""
_PICTURE = re.compile(r"[A-Za-z0-9+/]{500,}+={0,2}")
"""What is nothing but base 64, as pictures are."""
_FAMILIES = tuple((family.sign, family) for family in FAMILIES)
_SIGNS = (
    ("_", ISSUED.search),
    ("-", ISSUED_WITH_DASH.search),
    ("-", DASHED.search),
    *((family.sign, family.trait.search) for family in FAMILIES if family.sign not in "-0"),
)
"""What may tell a secret in a text that names none, by the character that it begins with."""
_ANCHORED = tuple(anchor.search for anchor in ANCHORS)
_FILE_CHARS = 10_000
"""Characters of a text that may be a whole file of passwords."""
_SHORT = 500
"""Characters up to which it pays to look for a trigger first; most texts are shorter."""


_CLEAN: set[int] = set()
"""Keyed hashes of texts without a secret, for the same folders, branches and outputs come again and again."""
_MOST_CLEAN = 65_536


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret's kind and where it stands."""

    kind: str
    start: int
    end: int


def redact(text: str) -> str:
    """Return `text` with `[redacted:kind]` in place of each secret."""
    return redacted(text)[0]


def redacted(text: str) -> tuple[str, int]:
    """The same, and how many secrets were taken out."""
    count = 0
    for _ in range(_ROUNDS):
        found = findings(text)
        if not found:
            break
        count += len(found)
        parts: list[str] = []
        done = 0
        for finding in found:
            parts += (text[done : finding.start], MARK, finding.kind, "]")
            done = finding.end
        text = "".join((*parts, text[done:]))
    return text, count


def findings(text: str) -> list[Finding]:
    """The secrets in `text`, in order and apart from each other; what overlaps is one of the first kind."""
    size = len(text)
    known = hash(text)
    if size < _SHORTEST or known in _CLEAN:
        return []
    found = _findings(text, size)
    if not found:
        if len(_CLEAN) >= _MOST_CLEAN:
            _CLEAN.clear()
        _CLEAN.add(known)
    return found


def forget_clean_texts() -> None:
    """Look at every text anew, as whoever measures wants it."""
    _CLEAN.clear()


def _findings(text: str, size: int) -> list[Finding]:
    if size <= _SHORT and _HARMLESS.fullmatch(text):
        return []
    flat = text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
    if size > _SHORT and _PICTURE.fullmatch(text) and "LS0tLS1CRUdJTi" not in text:
        return []
    low = flat.lower()
    if size <= _SHORT and not _has_trigger(text, flat, low):
        return []
    found = list(_plain_findings(text, flat, low))
    if is_coded(text, flat):
        for chain in views(text):
            for shift, part in chain[-1].parts():
                plain = part if part.isascii() else part.encode("ascii", "replace").decode("ascii")
                for kind, start, end in _plain_findings(part, plain, plain.lower()):
                    found.append((kind, *original(chain, start + shift, end + shift)))
    return _apart(found)


def _has_trigger(text: str, flat: str, low: str) -> bool:
    """Tell whether a text holds what every text with a secret holds."""
    is_word = _WORD.fullmatch(flat) is not None
    if is_word:
        if "dapi" in low or "cio" in low or "cnvca" in low:
            return True
    else:
        for search in _ANCHORED:
            if search(low):
                return True
        if (
            "sig=" in low or "identified" in low or LOGIN in low or HERE in flat or "Bearer" in flat
            or (":" in flat and ("://" in flat or ":5432:" in flat)) or ("@" in flat and connects(low, 0, len(low)))
            or ("/" in flat and "1//0" in flat)
        ):  # fmt: skip
            return True
    for sign, search in _SIGNS:
        if sign in flat and search(flat):
            return True
    return not is_word and is_coded(text, flat)


def _apart(found: list[tuple[str, int, int]]) -> list[Finding]:
    apart: list[Finding] = []
    for kind, start, end in sorted(found, key=lambda one: one[1]):
        if apart and start < apart[-1].end:
            last = apart[-1]
            apart[-1] = Finding(last.kind, last.start, max(last.end, end))
        else:
            apart.append(Finding(kind, start, end))
    return apart


def _plain_findings(text: str, flat: str, low: str) -> Iterator[tuple[str, int, int]]:
    """The secrets of a text as it stands; `flat` is it in ASCII, `low` the same in small letters."""
    is_issued = ISSUED.search(flat) is not None
    yield from _shaped(text, flat, "" if is_issued else "_")
    yield from issued(flat, (ISSUED, ISSUED_WITH_DASH) if is_issued else (ISSUED_WITH_DASH,))
    if "@" in flat:
        if "://" in flat:
            yield from in_urls(text)
        yield from in_connect_strings(text, low)
    if "identified" in low:
        yield from in_statements(text)
    if len(flat) < _FILE_CHARS and ":5432:" in flat:
        yield from in_password_files(text, 0, len(text))
    yield from bearers(flat)
    if "&" in flat:
        yield from in_queries(flat)
    if LOGIN in low or HERE in flat:
        from recall_tui.text.secrets.word_places import beside_words

        yield from beside_words(text, low)
    yield from assigned(text, flat, low)


def _shaped(text: str, flat: str, left_out: str) -> Iterator[tuple[str, int, int]]:
    """The secrets of known shapes, but for those whose trait begins with the sign that is left out."""
    ids: list[tuple[int, int]] = []
    for sign, family in _FAMILIES:
        if sign not in flat or (sign and sign == left_out):
            continue
        if sign == "-":
            if not DASHED.search(flat):
                continue
            yield from in_commands(text, DASHED)
            if "PRIVATE KEY" in flat or "Private-MAC: " in flat:
                yield from private_keys(text)
        if family.trait.search(flat):
            for shape in family.shapes:
                for lead in shape.leads:
                    for found in _matches(shape, lead, text):
                        if found[0] == "aws-access-key":
                            ids.append(found[1:])
                        yield found
    if ids:
        yield from beside_ids(text, sorted(ids))


def _matches(shape: Shape, lead: str, text: str) -> Iterator[tuple[str, int, int]]:
    place = text.find(lead)
    pattern = shape.pattern if place >= 0 else None
    while pattern and place >= 0:
        first = max(place - shape.before, 0)
        match = pattern.match(text, first)
        found = match.span(1) if match and (not shape.has_digit or _HAS_DIGIT.search(match[1])) else None
        end = _end_of(shape, pattern, text, place, found)
        if end is not None:
            yield shape.kind, (found[0] if found else place), end
        place = text.find(lead, max(place + 1, end or 0, match.end() if match else 0))


def _end_of(shape: Shape, pattern: re.Pattern[str], text: str, place: int, found: tuple[int, int] | None) -> int | None:
    """Where the secret ends, on this line or, when it was broken, on another; None where there is none."""
    if shape.before or shape.is_beside:
        return found[1] if found else None
    if found is not None and not shape.is_long:
        return found[1]
    whole = unwrapped(text, place)
    if whole is None:
        return found[1] if found else None
    joined, pieces = whole
    match = pattern.match(joined)
    if match is None or (shape.has_digit and not _HAS_DIGIT.search(match[1])):
        return found[1] if found else None
    return max(place_of(pieces, match.end(1)), found[1] if found else 0)
