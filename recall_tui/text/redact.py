"""Secrets found in text and taken out of it.

Redacting twice changes nothing more, and text without a trigger costs no more than a few searches for literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from recall_tui.text.assignments import ANCHORS, assigned
from recall_tui.text.lazy_pattern import lazy
from recall_tui.text.secret_shapes import CUT_KEY, FAMILIES, Shape

MARK = "[redacted:"
"""How what stands in place of a secret begins."""
MARKED = lazy(r"\[redacted:[a-z0-9-]+\]")
"""All of it."""
_ROUNDS = 8
"""Passes until nothing is found any more; taking one secret out may bare another beside it."""
_LONGEST_KEY = 20_000
"""Characters in which the end of a private key is looked for (a 16,384-bit RSA key takes 13,000)."""

_BEGIN = lazy(r"-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = lazy(r"-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-MAC: [0-9a-f]{40,64}")
_BETWEEN = lazy(r"(?:\s|\\{1,8}[nrt]|[\"'`+,>|→*#]|\d{1,6}→|\\{1,8}u2192){1,60}")
"""What may stand between two lines of a key."""
_KEY_LINE = lazy(r"(?:(?<=\\)(?:[nrt]|u2192))?([A-Za-z0-9+/]{2,}={0,2})")
_LONG_LINE = 48
"""Characters from which a line before the end of a key belongs to it, when its beginning stands elsewhere."""
_KEY_TEXT = lazy(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{16,}")
_CUT_KEY = lazy(CUT_KEY)
_URL_PASSWORD = lazy(r"://([^\s:/@\"'`<>\\\[]{0,100}+):([^\s/@\"'`<>\\]{1,256}+)@(?=[\w\[.$-])")
_TEMPLATE = lazy(r"[$%{*]|\[redacted:|x{3,}$|\.\.\.|…")
_BEARER = lazy(r"earer\s{1,4}([A-Za-z0-9._~+/=-]{16,4096}+)")
_HEADER = lazy(
    r"uthorization\\{0,15}[\"'`]?\]?\s{0,4}[:=,]\s{0,4}\\{0,15}[\"'`]?"
    r"(?:(?:bearer|basic|token|bot|digest|apikey|negotiate)\s{1,4})?([A-Za-z0-9._~+/=-]{8,4096}+)",
    re.IGNORECASE,
)
_COOKIES = lazy(r"ookie\\{0,15}[\"'`]?\]?\s{0,4}[:=,]\s{0,4}\\{0,15}[\"'`]?([^\n\"'`\\]{16,8192}+)")
_SESSION = lazy(
    r"[\w.-]{0,40}(?:sess|sid|auth|token|jwt|csrf|xsrf|remember)[\w.-]{0,40}=([^;\s\"'`\\]{16,4096}+)", re.IGNORECASE
)
_PLACEHOLDER = lazy(r"your|token_?here|example|placeholder|x{4,}|access_?token$|api_?key$|\.\.\.", re.IGNORECASE)
_HAS_DIGIT = lazy(r"\d")
_TRIGGERS = (
    *(family.trait.pattern for family in FAMILIES if family.trait is not None),
    *(anchor.pattern for anchor in ANCHORS),
    *(
        re.escape(lead)
        for family in FAMILIES
        if family.trait is None
        for shape in family.shapes
        for lead in shape.leads
    ),
    *("PRIVATE KEY", "Private-MAC: ", r"://[^\s/@]{0,360}@", "uthorization", "earer ", "ookie"),
)
"""What every text with a secret holds one of."""
_TRIGGER = lazy("|".join(_TRIGGERS))
_LOOKED = count()
_PATIENCE = 400
"""Texts after which that search has paid for being compiled, which whoever looks at a few only does without."""
_SHORT = 500
"""Characters up to which one search for all triggers is faster than a search for each; most texts are shorter."""


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
    if len(text) <= _SHORT and next(_LOOKED) > _PATIENCE and not _TRIGGER.search(text):
        return []
    found = [*_shaped(text), *_private_keys(text), *_url_passwords(text), *_authorizations(text), *_cookies(text)]
    found += (Finding(kind, start, end) for kind, start, end in assigned(text))
    apart: list[Finding] = []
    for finding in sorted(found, key=lambda one: one.start):
        if apart and finding.start < apart[-1].end:
            last = apart[-1]
            apart[-1] = Finding(last.kind, last.start, max(last.end, finding.end))
        else:
            apart.append(finding)
    return apart


def _shaped(text: str) -> Iterator[Finding]:
    for family in FAMILIES:
        if family.trait is None or family.trait.search(text):
            for shape in family.shapes:
                for lead in shape.leads:
                    yield from _matches(shape, lead, text)


def _matches(shape: Shape, lead: str, text: str) -> Iterator[Finding]:
    place = text.find(lead)
    pattern = shape.pattern if place >= 0 else None
    while pattern and place >= 0:
        match = pattern.match(text, max(place - shape.before, 0))
        if match and (not shape.has_digit or _HAS_DIGIT.search(match[1])):
            yield Finding(shape.kind, *match.span(1))
            place = match.end()
        place = text.find(lead, max(place + 1, match.end() if match else 0))


def _private_keys(text: str) -> Iterator[Finding]:
    if "PRIVATE KEY" not in text and "Private-MAC: " not in text:
        return
    begins = list(_BEGIN.finditer(text))
    limits = [*(begin.start() for begin in begins[1:]), len(text)]
    whole = 0
    for begin, limit in zip(begins, limits, strict=False):
        yield from _ends_of_keys(text, whole, begin.start())
        end = _END.search(text, begin.end(), min(limit, begin.end() + _LONGEST_KEY))
        whole = end.end() if end else begin.end()
        if end and _KEY_TEXT.search(text, begin.end(), end.start()):
            yield Finding("private-key", begin.start(), end.end())
        elif cut := _CUT_KEY.match(text, begin.end(), limit):
            yield Finding("private-key", begin.start(), cut.end())
    yield from _ends_of_keys(text, whole, len(text))


def _ends_of_keys(text: str, start: int, limit: int) -> Iterator[Finding]:
    """The ends of keys that begin elsewhere, such as in the block before."""
    for end in _END.finditer(text, start, limit):
        lowest = max(start, end.start() - _LONGEST_KEY)
        first, is_key = end.start(), False
        for line in reversed(list(_KEY_LINE.finditer(text, lowest, end.start()))):
            is_long = len(line[1]) >= _LONG_LINE
            is_apart = is_key and not is_long
            if is_apart or not _BETWEEN.fullmatch(text, line.end(1), first):
                break
            first, is_key = line.start(1), is_key or is_long
        if is_key:
            yield Finding("private-key", first, end.end())
        start = end.end()


def _url_passwords(text: str) -> Iterator[Finding]:
    if "@" not in text or "://" not in text:
        return
    for match in _URL_PASSWORD.finditer(text):
        if not _TEMPLATE.match(match[2]):
            yield Finding("url-password", *match.span(2))


def _cookies(text: str) -> Iterator[Finding]:
    place = text.find("ookie")
    while place >= 0:
        match = _COOKIES.match(text, place)
        if match:
            for cookie in _SESSION.finditer(text, *match.span(1)):
                if _HAS_DIGIT.search(cookie[1]) and not _TEMPLATE.match(cookie[1]):
                    yield Finding("cookie", *cookie.span(1))
        place = text.find("ookie", match.end() if match else place + 1)


def _authorizations(text: str) -> Iterator[Finding]:
    for lead in ("uthorization", "earer "):
        place = text.find(lead)
        while place >= 0:
            match = (_BEARER if lead == "earer " else _HEADER).match(text, place)
            if match and _HAS_DIGIT.search(match[1]) and not _PLACEHOLDER.search(match[1]):
                yield Finding("authorization", *match.span(1))
            place = text.find(lead, place + 1)
