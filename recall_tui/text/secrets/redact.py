"""Find secrets in text and redact them.

Redaction is idempotent, and text without a trigger costs only a few literal searches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.redaction_marks import MARK_PREFIX
from recall_tui.text.secrets.assigned_values import short_assignment
from recall_tui.text.secrets.assignments import assigned_secrets
from recall_tui.text.secrets.commands import HERE, LOGIN, PROMPT, SENDS, command_secrets
from recall_tui.text.secrets.credentials import (
    CONNECT_PROGRAMS,
    bearer_tokens,
    connect_string_secrets,
    one_time_secrets,
    password_file_secrets,
    query_signatures,
    secrets_near_ids,
    sql_passwords,
    url_secrets,
)
from recall_tui.text.secrets.decoded_views import decoded_views, is_coded, original_range
from recall_tui.text.secrets.literals import ScannedText, scan
from recall_tui.text.secrets.names import ANCHORS
from recall_tui.text.secrets.prefixes import DASH_PREFIX, ISSUER_PREFIX, issued_secrets
from recall_tui.text.secrets.private_keys import find_private_keys
from recall_tui.text.secrets.shapes import DASH_TRAIT, SHAPE_FAMILIES, SecretShape
from recall_tui.text.secrets.values import is_random_body
from recall_tui.text.secrets.word_lists import LATIN_STEMS
from recall_tui.text.secrets.wrapped_values import original_position, unwrap

_MAX_ROUNDS = 8
"""Rounds until nothing is found; redacting one secret may expose another next to it."""
_MIN_TEXT_CHARS = 12
"""The minimum text that is looked through; a shorter one may only be an assignment as a whole."""
_WORD = lazy_pattern(r"[A-Za-z0-9_-]*")
_HARMLESS_TEXT = lazy_pattern(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:toolu|msg|call|req|fc)_[A-Za-z0-9]*"
    r"|[./]{0,3}+[A-Za-z]{1,14}+\d{0,4}+(?:[-_./]++[A-Za-z]{0,14}+\d{0,4}+)*+|\d{4}-\d\d-\d\dT[0-9:.]+Z"
)
"""Ids, words, paths and dates: most short texts."""
_BASE_64_IMAGE = lazy_pattern(r"[A-Za-z0-9+/]{500,}+={0,2}")
"""Plain base64, such as an image."""
_FAMILIES = tuple((family.sign, frozenset(family.literals), family) for family in SHAPE_FAMILIES)
_WITH_LITERALS = tuple((literals, family.trait) for _, literals, family in _FAMILIES if literals)
_ANY_LITERALS = frozenset(literal for literals, _ in _WITH_LITERALS for literal in literals)
_TRIGGERS = (
    ("_", ISSUER_PREFIX),
    ("-", DASH_PREFIX),
    ("-", DASH_TRAIT),
    *((family.sign, family.trait) for family in SHAPE_FAMILIES if family.sign != "-" and not family.literals),
)
"""Patterns of possible secrets without a name, by their first character."""
_LATIN_STEMS, _CONNECT_PROGRAMS = frozenset(LATIN_STEMS), frozenset(CONNECT_PROGRAMS)
_TRIGGER_WORDS = frozenset(("sig=", "identified", ":5432:", LOGIN, HERE, "1//0", *LATIN_STEMS))
_MAX_FILE_CHARS = 10_000
"""The maximum text that may be a whole password file."""
_MAX_SHORT_CHARS = 500
"""The maximum text for which testing for a trigger first is worth it; most texts are shorter."""


_CLEAN_HASHES: set[int] = set()
"""Keyed hashes of texts without secrets: the same folders, branches and outputs recur."""
_MAX_CLEAN_TEXTS = 65_536


class SecretMatch(NamedTuple):
    """A found secret: its kind and range."""

    kind: str
    start: int
    end: int


def redact(text: str) -> str:
    """Return `text` with each secret replaced by `[redacted:kind]`."""
    return text if hash(text) in _CLEAN_HASHES else redact_counted(text)[0]


def redact_counted(text: str) -> tuple[str, int]:
    """Return the redacted text and the number of secrets."""
    count = 0
    for _ in range(_MAX_ROUNDS):
        found = find_secrets(text)
        if not found:
            break
        count += len(found)
        parts: list[str] = []
        done = 0
        for finding in found:
            parts += (text[done : finding.start], MARK_PREFIX, finding.kind, "]")
            done = finding.end
        text = "".join((*parts, text[done:]))
    return text, count


def find_secrets(text: str) -> list[SecretMatch]:
    """Return the secrets in `text`, in order and disjoint; overlapping ones merge and take the kind of the first."""
    known = hash(text)
    if known in _CLEAN_HASHES:
        return []
    size = len(text)
    found = _find_uncached(text, size) if size >= _MIN_TEXT_CHARS else _find_in_short(text)
    if not found:
        if len(_CLEAN_HASHES) >= _MAX_CLEAN_TEXTS:
            _CLEAN_HASHES.clear()
        _CLEAN_HASHES.add(known)
    return found


def _find_in_short(text: str) -> list[SecretMatch]:
    may_assign = ":" in text or "=" in text or not text.isascii()
    short = short_assignment(text) if may_assign else None
    return [SecretMatch(*short)] if short else []


def clear_clean_cache() -> None:
    """Clear the cache of clean texts, for measurements."""
    _CLEAN_HASHES.clear()


def _find_uncached(text: str, size: int) -> list[SecretMatch]:
    if size <= _MAX_SHORT_CHARS and _HARMLESS_TEXT.fullmatch(text):
        return []
    if size > _MAX_SHORT_CHARS and _BASE_64_IMAGE.fullmatch(text) and "LS0tLS1CRUdJTi" not in text:
        return []
    scanned = scan(text)
    if size <= _MAX_SHORT_CHARS and not _has_trigger(scanned):
        return []
    found = list(_find_in_plain(scanned))
    if is_coded(scanned.flat, scanned.others, scanned.words):
        for chain in decoded_views(text):
            for shift, part in chain[-1].parts():
                for kind, start, end in _find_in_plain(scan(part)):
                    found.append((kind, *original_range(chain, start + shift, end + shift)))
    return _without_overlaps(found)


def _has_trigger(scanned: ScannedText) -> bool:
    """Return whether the text has a trigger that every text with a secret has."""
    text, flat, low, others, words, starts = scanned
    is_word = _WORD.fullmatch(flat) is not None
    if is_word:
        if "dapi" in low or "cio" in low or "cnvca" in low:
            return True
    else:
        if any(starts) and any(
            anchor.match(low, place) for anchor, places in zip(ANCHORS, starts, strict=True) for place in places
        ):
            return True
        if (
            "://" in flat
            or not words.isdisjoint(_TRIGGER_WORDS)
            or ("bearer" in words and "Bearer" in flat)
            or (PROMPT in words and SENDS in low)
            or ("@" in flat and not words.isdisjoint(_CONNECT_PROGRAMS))
        ):
            return True
    for sign, trait in _TRIGGERS:
        if sign in flat and trait.search(flat):
            return True
    if not words.isdisjoint(_ANY_LITERALS) and any(
        not words.isdisjoint(literals) and trait.search(flat) for literals, trait in _WITH_LITERALS
    ):
        return True
    if others:
        from recall_tui.text.secrets.languages import has_foreign_name

        if has_foreign_name(text, others):
            return True
    return not is_word and is_coded(flat, others, words)


def _without_overlaps(found: list[tuple[str, int, int]]) -> list[SecretMatch]:
    apart: list[SecretMatch] = []
    for kind, start, end in sorted(found, key=lambda one: one[1]):
        if apart and start < apart[-1].end:
            last = apart[-1]
            apart[-1] = SecretMatch(last.kind, last.start, max(last.end, end))
        else:
            apart.append(SecretMatch(kind, start, end))
    return apart


def _find_in_plain(scanned: ScannedText) -> Iterator[tuple[str, int, int]]:
    """Yield the secrets of undecoded text."""
    text, flat, low, others, words, _ = scanned
    issued = ISSUER_PREFIX.search(flat)
    yield from _find_shapes(text, flat, words, "" if issued else "_")
    if issued:
        yield from issued_secrets(flat, ISSUER_PREFIX, issued.start())
    yield from issued_secrets(flat, DASH_PREFIX, 0)
    if "otpauth://" in words:
        yield from one_time_secrets(flat)
    if "@" in flat:
        if "://" in flat:
            yield from url_secrets(text)
        if not words.isdisjoint(_CONNECT_PROGRAMS):
            yield from connect_string_secrets(text, low)
    if "identified" in words:
        yield from sql_passwords(text)
    if len(flat) < _MAX_FILE_CHARS and ":5432:" in words:
        yield from password_file_secrets(text, 0, len(text))
    if "bearer" in words:
        yield from bearer_tokens(flat)
    if "sig=" in words:
        yield from query_signatures(flat)
    if others:
        from recall_tui.text.secrets.languages import foreign_secrets, has_foreign_name

        if has_foreign_name(text, others):
            yield from foreign_secrets(text)
    if not words.isdisjoint(_LATIN_STEMS):
        from recall_tui.text.secrets.languages import latin_secrets

        yield from latin_secrets(text, low)
    if PROMPT in words and SENDS in low:
        from recall_tui.text.secrets.dialogs import expected_answers

        yield from (("password", *span) for span in expected_answers(text, low))
    if LOGIN in words or HERE in words:
        from recall_tui.text.secrets.trigger_words import beside_words

        yield from beside_words(text, low)
    yield from assigned_secrets(scanned, len(low))


def _find_shapes(text: str, flat: str, words: frozenset[str], left_out: str) -> Iterator[tuple[str, int, int]]:
    """Yield the secrets of known shapes, except those whose trait starts with `left_out`."""
    ids: list[tuple[int, int]] = []
    for sign, literals, family in _FAMILIES:
        if sign == left_out or (words.isdisjoint(literals) if literals else sign not in flat):
            continue
        if sign == "-":
            dash = DASH_TRAIT.search(flat)
            if dash is None:
                continue
            yield from command_secrets(text, DASH_TRAIT, dash.start())
            if "PRIVATE KEY" in flat or "Private-MAC: " in flat:
                yield from find_private_keys(text)
        if family.trait.search(flat):
            for shape in family.shapes:
                for lead in shape.leads:
                    for found in _shape_matches(shape, lead, text):
                        if found[0] == "aws-access-key":
                            ids.append(found[1:])
                        yield found
    if ids:
        yield from secrets_near_ids(text, sorted(ids))


def _shape_matches(shape: SecretShape, lead: str, text: str) -> Iterator[tuple[str, int, int]]:
    place = text.find(lead)
    pattern = shape.pattern if place >= 0 else None
    while pattern and place >= 0:
        first = max(place - shape.before, 0)
        match = pattern.match(text, first)
        found = match.span(1) if match and (not shape.has_digit or is_random_body(match[1])) else None
        end = _secret_end(shape, pattern, text, place, found)
        if end is not None:
            yield shape.kind, (found[0] if found else place), end
        place = text.find(lead, max(place + 1, end or 0, match.end() if match else 0))


def _secret_end(
    shape: SecretShape, pattern: re.Pattern[str], text: str, place: int, found: tuple[int, int] | None
) -> int | None:
    """Return the end of the secret, on this line or on a later one if it was wrapped; None when there is none."""
    if shape.before or shape.is_beside:
        return found[1] if found else None
    if found is not None and not shape.is_long:
        return found[1]
    whole = unwrap(text, place)
    if whole is None:
        return found[1] if found else None
    joined, pieces = whole
    match = pattern.match(joined)
    if match is None or (shape.has_digit and not is_random_body(match[1])):
        return found[1] if found else None
    return max(original_position(pieces, match.end(1)), found[1] if found else 0)
