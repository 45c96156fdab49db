"""Claims about all, some or only some of what the source speaks of, where it says another share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from recall_tui.features.grounding.everyday_words import words
from recall_tui.features.grounding.parsed_text import ParsedText, best_unit, same
from recall_tui.features.grounding.quantities import Quantity
from recall_tui.features.grounding.tokens import Token

_ALL = words("all every each everything everybody everyone always both")
_SOME = words("some several few many partly partially sometimes occasionally half part certain")
_MAJORITY = words("most mostly majority usually nearly almost")
_ONLY = words("only just purely solely merely exclusively alone single sole")
_ALSO = words("also too both likewise")
_EVERYWHERE = words("throughout everywhere always")
_ONE = words("only solely exclusively")
_PAIRED = words("both each two")
_SINGLE = words("single sole")
_EXCEPT = words("except but besides apart other only just nothing")
_MIN_SHARE = 0.7
"""Of the words that follow in a claim about all, those that the source's line about all has in one part."""
_MAX_SCOPE_TOKENS = 9
_MAX_NOUN_TOKENS = 3
_MIN_NOUN_SHARE = 0.6


def quantifier_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the quantifiers that the source does not use, and fractions that it does not give."""
    words = {
        token.text
        for at, token in enumerate(source.tokens)
        if not (token.text in _ONLY and at and source.tokens[at - 1].text == "not")
    }
    has_one = any(isinstance(token.value, Quantity) and token.value.bare == 1 for token in source.tokens)
    for part in claim.parts:
        spoken = {token.text for token in claim.tokens[part[0] : part[1]]}
        near = source.tokens[slice(*best_unit(claim.content(part), source))]
        said_there = {token.text for token in near}
        for group in (_ALSO, _EVERYWHERE):
            if (found := spoken & group) and not words & group and _ONE & said_there and not spoken & _ONE:
                yield f"the source does not say {min(found)!r}"
        if found := spoken & _ALL:
            yield from _universal(min(found), part, claim, source)
        for group in (_SOME, _MAJORITY):
            if (found := spoken & group) and not words & group and not any(_fractions(source)):
                yield f"the source does not say {min(found)!r}"
        is_of_one = any(
            claim.tokens[at].text == "only" and any(one.is_hard for one in claim.tokens[at + 1 : min(at + 3, part[1])])
            for at in range(*part)
        )
        if is_of_one and any(token.text == "both" for token in near) and not spoken & _PAIRED:
            yield "the source says 'both'"
        found = set(_restrictions(claim, part))
        if has_one:
            found -= _SINGLE
        if found and not words & (_ONLY | _EXCEPT):
            yield f"the source does not say {min(found)!r}"
    given = {*_fractions(source), *_ratios(source)}
    for fraction in _fractions(claim):
        if fraction not in given and (given or not _has_both(fraction, source)):
            yield f"the source does not say {fraction[0]:g} of {fraction[1]:g}"


def _universal(word: str, part: tuple[int, int], claim: ParsedText, source: ParsedText) -> Iterator[str]:
    if word == "both" and ("&&" in source.text or any(token.text == word for token in source.tokens)):
        return
    at = next(at for at in range(*part) if claim.tokens[at].text == word)
    if word == "both" and _has_two(claim, at, source):
        return
    said = claim.content((at + 1, min(part[1], at + _MAX_SCOPE_TOKENS)))
    first = [token for place, token in enumerate(said[:_MAX_NOUN_TOKENS]) if not place or token.is_hard]
    if len(said) < 2 and not any(token.is_hard for token in said):
        said = [token for token in claim.content(part) if token.text not in _ALL]
    spans = [
        span
        for span in source.parts
        if any(
            one.text in _ALL or one.text == "per" or one.text.startswith("per-")
            for one in source.tokens[span[0] : span[1]]
        )
    ]
    # What is quantified comes first: the rest of the sentence may lie elsewhere in the source.
    if any(same(token, one) for span in spans for one in _quantified(span, source) for token in first):
        return
    wordings = ((said, _MIN_SHARE), (said[:_MAX_NOUN_TOKENS], _MIN_NOUN_SHARE))
    if not any(source.share(some, span) >= least * len(some) for some, least in wordings for span in spans):
        yield f"the source does not say {word!r} of this"


def _has_two(claim: ParsedText, at: int, source: ParsedText) -> bool:
    """Return whether the source counts two of the things that stand after "both"."""
    thing = next((token for token in claim.tokens[at + 1 : at + 1 + _MAX_NOUN_TOKENS] if not token.is_empty), None)
    return thing is not None and any(
        isinstance(number.value, Quantity) and number.value.bare == 2 and same(thing, after)
        for number, after in pairwise(source.tokens)
    )


def _has_both(fraction: tuple[float, float], source: ParsedText) -> bool:
    """Return whether a sentence counts the part and the whole."""
    for start, end in source.units:
        counted = {one.value.bare for one in source.tokens[start:end] if isinstance(one.value, Quantity)}
        if counted.issuperset(fraction):
            return True
    return False


def _quantified(span: tuple[int, int], source: ParsedText) -> Iterator[Token]:
    """Yield the content right after each word for all, and the certain things after it."""
    for at in range(*span):
        if source.tokens[at].text in _ALL:
            after = source.content((at + 1, span[1]))[:_MAX_NOUN_TOKENS]
            yield from (token for place, token in enumerate(after) if not place or token.is_hard)


def _restrictions(claim: ParsedText, part: tuple[int, int]) -> Iterator[str]:
    """Yield the words for "only" that stand before something else than a number, whose value is checked anyway."""
    for at in range(*part):
        following = claim.tokens[at + 1] if at + 1 < len(claim.tokens) else None
        is_number = following is not None and (following.value is not None or following.text == "once")
        is_denied = at > 0 and claim.tokens[at - 1].text in ("not", "longer")
        if claim.tokens[at].text in _ONLY and not is_number and not is_denied:
            yield claim.tokens[at].text


def _ratios(said: ParsedText) -> Iterator[tuple[float, float]]:
    """Yield what stands as "one run in ten"."""
    values = [(at, token.value) for at, token in enumerate(said.tokens) if isinstance(token.value, Quantity)]
    for (at, value), (place, whole) in pairwise(values):
        between = [token.text for token in said.tokens[at + 1 : place]]
        if len(between) <= 4 and {"in", "of", "out"} & set(between):
            yield value.bare, whole.bare


def _fractions(said: ParsedText) -> Iterator[tuple[float, float]]:
    """Yield what stands as "three of the five"."""
    tokens = said.tokens
    for at, token in enumerate(tokens):
        if not isinstance(token.value, Quantity) or at + 2 >= len(tokens) or tokens[at + 1].text not in ("of", "out"):
            continue
        for other in tokens[at + 2 : at + 5]:
            if isinstance(other.value, Quantity):
                yield token.value.bare, other.value.bare
                break
            if other.text not in ("of", "the", "our", "all", "its"):
                break
