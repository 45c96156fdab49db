"""Claims that say the opposite word of their source's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from recall_tui.features.grounding.paraphrases import OPPOSITES
from recall_tui.features.grounding.parsed_text import ParsedText, best_unit
from recall_tui.features.grounding.tokens import word_key


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in OPPOSITES.strip().splitlines():
        one, other = map(word_key, row.split())
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {key: frozenset(keys) for key, keys in found.items()}


def opposite_keys(key: str) -> frozenset[str]:
    """Return the keys of the words that say the opposite."""
    return _opposites().get(key, frozenset())


def opposite_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the words of which the source's lines say the opposite, and not the word itself."""
    said = {token.key for token in claim.tokens}
    known = source.vocabulary.keys
    for part in claim.parts:
        said_here = claim.content(part)
        names = [token for token in said_here if token.is_hard]
        near = {best_unit(said_here, source), *(unit for unit in source.units if source.share(names, unit))}
        for at in range(*part):
            token = claim.tokens[at]
            against = opposite_keys(token.key)
            if not against or token.key in known or against & said or claim.scopes.negated[at]:
                continue
            if any(
                source.tokens[place].key in against and not source.scopes.negated[place]
                for unit in near
                for place in range(*unit)
            ):
                yield f"the source says the opposite of {token.text!r}"
