"""Check a derived line against the lines that it cites."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.features.grounding.bindings import binding_reasons
from recall_tui.features.grounding.causes import cause_reasons
from recall_tui.features.grounding.directions import direction_reasons
from recall_tui.features.grounding.moods import mood_reasons
from recall_tui.features.grounding.opposites import opposite_reasons
from recall_tui.features.grounding.parsed_text import ParsedText, parse_text
from recall_tui.features.grounding.polarity import polarity_reasons
from recall_tui.features.grounding.quantifiers import quantifier_reasons
from recall_tui.features.grounding.vocabulary import missing_quotations, missing_words


def is_supported(claim: str, source: str) -> bool:
    """Return whether the source bears the claim out."""
    return next(_reasons(parse_text(claim), parse_text(source)), None) is None


def unsupported_reasons(claim: str, source: str) -> tuple[str, ...]:
    """Return why the source does not bear the claim out; empty when it does."""
    return tuple(dict.fromkeys(_reasons(parse_text(claim), parse_text(source))))


def _reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
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
    yield from opposite_reasons(claim, source)
