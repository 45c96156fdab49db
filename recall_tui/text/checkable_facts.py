"""Extract the checkable facts of a sentence: numbers, dates, times, paths, identifiers and quotations.

A derived text may omit facts of its source and never contains one that the source lacks. Copied text is compared
verbatim here; model-written text is checked by `normalized_facts`.
"""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern

MAX_FACT_CHARS = 200
"""A longer match is pasted data, not a fact."""
_QUOTATION = lazy_pattern(r"`([^`\n]{1,200})`|\"([^\"\n]{2,200})\"|“([^”\n]{2,200})”|«([^»\n]{2,200})»")
_PATH = lazy_pattern(
    r"(?<![\w/.~-])(?:~|\.{1,2})?/?(?:[\w.@+-]{1,100}/){1,20}[\w.@+-]{0,100}|(?<![\w/.-])[\w-]{1,80}\.[a-z]\w{0,5}\b"
)
_HANDLE = lazy_pattern(r"(?<![\w@#/])[@#][\w-]{1,60}")
_NUMBER = lazy_pattern(
    r"(?<![\w.,])[$€£¥]?\d+(?:[.,:/-]\d+)*(?:\s?(?:%|‰|×|x\b|ms\b|s\b|min\b|h\b|[kKMGT]i?B\b|[kKM]\b))?(?![\w])"
    r"|\b[A-Za-z]{0,6}\d\w{0,40}(?:\.\d{1,10}){0,6}\b"
)
_IDENTIFIER = lazy_pattern(
    r"\b(?:[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[A-Za-z]\w*_\w+|[A-Z][A-Z0-9]{2,})\b"
)
_SPACE = lazy_pattern(r"\s+")


def checkable_facts(text: str) -> tuple[str, ...]:
    """Return the unique facts of the text in order of position; whitespace runs in them become a single space."""
    found = sorted((place, words) for place, words in _find_facts(text) if len(words) <= MAX_FACT_CHARS)
    return tuple(dict.fromkeys(words for _, words in found))


def missing_facts(text: str, source: str) -> tuple[str, ...]:
    """Return the facts of the text that the source does not contain verbatim."""
    whole = _SPACE.sub(" ", source)
    return tuple(atom for atom in checkable_facts(text) if not _contains(whole, atom))


def _find_facts(text: str) -> Iterator[tuple[int, str]]:
    for pattern in (_QUOTATION, _PATH, _HANDLE, _NUMBER, _IDENTIFIER):
        for match in pattern.finditer(text):
            words = next((group for group in match.groups() if group), match[0]) if match.groups() else match[0]
            if words := _SPACE.sub(" ", words).strip(" .,;:"):
                yield match.start(), words


def _contains(text: str, atom: str) -> bool:
    """Return whether the fact occurs in the text as a whole, not as part of a longer number or name."""
    start = text.find(atom)
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(atom) : start + len(atom) + 1]
        if not (_continues_word(before, atom[0]) or _continues_word(after, atom[-1])):
            return True
        start = text.find(atom, start + 1)
    return False


def _continues_word(neighbour: str, edge: str) -> bool:
    return bool(neighbour) and (neighbour.isalnum() or neighbour == "_") and (edge.isalnum() or edge == "_")
