"""Secrets found in text and taken out of it.

Redacting twice changes nothing more, and text without a trigger costs no more than a few searches for literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from recall_tui.text.assignments import assigned
from recall_tui.text.lazy_pattern import lazy
from recall_tui.text.secret_shapes import FAMILIES, Shape

MARK = "[redacted:"
"""How what stands in place of a secret begins."""
_ROUNDS = 8
"""Passes until nothing is found any more; taking one secret out may bare another beside it."""
_LONGEST_KEY = 20_000
"""Characters in which the end of a private key is looked for (a 16,384-bit RSA key takes 13,000)."""

_BEGIN = lazy(r"-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = lazy(r"-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_KEY_TEXT = lazy(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{16,}")
_CUT_KEY = lazy(
    r"(?:(?:\s|\\{1,4}[nrt]|[\"'`+,>|→*#]|\d{1,6}→|[A-Za-z-]{4,20}: [^\n\\]{1,80}(?=\n|\\)){0,24}+"
    r"[A-Za-z0-9+/=]{16,}+)+"
    r"(?:(?:\r?\n|\\{1,4}[nrt]){1,4}+[+>| \t]{0,8}(?:\d{1,6}→)?[A-Za-z0-9+/]{1,80}+(?:={1,2}|(?=[\"'`]|\s*$)))?"
)
_URL_PASSWORD = lazy(r"://([^\s:/@\"'`<>\\\[]{0,100}+):([^\s/@\"'`<>\\]{1,256}+)@(?=[\w\[.$-])")
_TEMPLATE = lazy(r"[$%{*]|\[redacted:|x{3,}$|\.\.\.|…")
_BEARER = lazy(r"earer\s{1,4}([A-Za-z0-9._~+/=-]{16,4096}+)")
_HEADER = lazy(
    r"uthorization\\{0,3}[\"'`]?\]?\s{0,4}[:=,]\s{0,4}\\{0,3}[\"'`]?"
    r"(?:(?:bearer|basic|token|bot|digest|apikey|negotiate)\s{1,4})?([A-Za-z0-9._~+/=-]{8,4096}+)",
    re.IGNORECASE,
)
_PLACEHOLDER = lazy(r"your|token_?here|example|placeholder|x{4,}|access_?token$|api_?key$|\.\.\.", re.IGNORECASE)
_HAS_DIGIT = lazy(r"\d")


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
    found = [*_shaped(text), *_private_keys(text), *_url_passwords(text), *_authorizations(text)]
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
        if family.trait.search(text):
            for shape in family.shapes:
                for lead in shape.leads:
                    yield from _matches(shape, lead, text)


def _matches(shape: Shape, lead: str, text: str) -> Iterator[Finding]:
    place = text.find(lead)
    pattern = shape.pattern if place >= 0 else None
    while pattern and place >= 0:
        match = pattern.match(text, place)
        if match and (not shape.has_digit or _HAS_DIGIT.search(match[1])):
            yield Finding(shape.kind, *match.span(1))
            place = match.end()
        place = text.find(lead, max(place + 1, match.end() if match else 0))


def _private_keys(text: str) -> Iterator[Finding]:
    if "PRIVATE KEY" not in text:
        return
    begins = list(_BEGIN.finditer(text))
    limits = [*(begin.start() for begin in begins[1:]), len(text)]
    for begin, limit in zip(begins, limits, strict=False):
        end = _END.search(text, begin.end(), min(limit, begin.end() + _LONGEST_KEY))
        if end and _KEY_TEXT.search(text, begin.end(), end.start()):
            yield Finding("private-key", begin.start(), end.end())
        elif cut := _CUT_KEY.match(text, begin.end(), limit):
            yield Finding("private-key", begin.start(), cut.end())


def _url_passwords(text: str) -> Iterator[Finding]:
    if "@" not in text or "://" not in text:
        return
    for match in _URL_PASSWORD.finditer(text):
        if not _TEMPLATE.match(match[2]):
            yield Finding("url-password", *match.span(2))


def _authorizations(text: str) -> Iterator[Finding]:
    for lead in ("uthorization", "earer "):
        place = text.find(lead)
        while place >= 0:
            match = (_BEARER if lead == "earer " else _HEADER).match(text, place)
            if match and _HAS_DIGIT.search(match[1]) and not _PLACEHOLDER.search(match[1]):
                yield Finding("authorization", *match.span(1))
            place = text.find(lead, place + 1)
