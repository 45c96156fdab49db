"""Check a derived line against the lines that it cites."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.features.grounding.bindings import binding_reasons
from recall_tui.features.grounding.directions import cause_reasons, direction_reasons
from recall_tui.features.grounding.exchanges import exchange_reasons
from recall_tui.features.grounding.moods import mood_reasons
from recall_tui.features.grounding.parsed_text import ParsedText, parse_text
from recall_tui.features.grounding.polarity import polarity_reasons
from recall_tui.features.grounding.quantifiers import quantifier_reasons
from recall_tui.features.grounding.vocabulary import ACHIEVED, PEOPLE, missing_quotations, missing_words

MAX_CLAIM_CHARS = 1_000
"""A longer text is no claim, and is not supported."""
MAX_CLAIM_TOKENS = 150
MAX_CLAIM_NUMBERS = 30


def is_supported(claim: str, source: str) -> bool:
    """Return whether the source bears the claim out."""
    return next(_reasons(parse_text(claim), parse_text(source)), None) is None


def unsupported_reasons(claim: str, source: str) -> tuple[str, ...]:
    """Return why the source does not bear the claim out; empty when it does."""
    return tuple(dict.fromkeys(_reasons(parse_text(claim), parse_text(source))))


def missing_facts(claim: str, source: str) -> tuple[str, ...]:
    """Return the names, numbers, dates and quotations of a claim that a long source lacks; empty when it has all.

    For a claim that sums up many lines: how its words belong together stands in none of them.
    """
    parsed, whole = parse_text(claim), parse_text(source)
    certain = [
        token
        for token in parsed.tokens
        if (token.is_hard and token.text.lower() not in PEOPLE) or token.key in ACHIEVED
    ]
    found = (*missing_words(certain, whole.vocabulary), *missing_quotations(parsed.text, whole.text))
    return tuple(one for one in dict.fromkeys(found) if not one.startswith("words "))


def _reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    if len(claim.text) > MAX_CLAIM_CHARS or len(claim.tokens) > MAX_CLAIM_TOKENS or _numbers(claim) > MAX_CLAIM_NUMBERS:
        yield "it is too long to be checked"
        return
    if not claim.parts:
        yield "it says nothing"
    yield from missing_words(claim.tokens, source.vocabulary)
    yield from missing_quotations(claim.text, source.text)
    yield from polarity_reasons(claim, source)
    yield from direction_reasons(claim, source)
    yield from mood_reasons(claim, source)
    yield from quantifier_reasons(claim, source)
    yield from cause_reasons(claim, source)
    yield from binding_reasons(claim, source)
    yield from exchange_reasons(claim, source)


def _numbers(claim: ParsedText) -> int:
    return sum(token.value is not None for token in claim.tokens)
