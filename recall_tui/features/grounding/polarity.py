"""Claims that deny what the source affirms, affirm what it denies, or say the opposite word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from recall_tui.features.grounding.everyday_words import words
from recall_tui.features.grounding.paraphrases import OPPOSITES
from recall_tui.features.grounding.parsed_text import ARTICLES, ParsedText, Span, best_unit, same
from recall_tui.features.grounding.tokens import Token, stem, word_key

_EXCEPT = words("except but besides apart other")
_ENDING = words("remove stop skip disable prevent")
"""Keys of verbs after which a thing is there no longer."""
_LEAVING = frozenset(map(word_key, ("skip", "avoid", "stop", "prevent", "remove")))
"""Keys of verbs after which a deed is not done."""
_NOBODY = words("nobody nothing none no all anything everyone everything")
_PASSIVE = words("is are was were be been being")
_MAX_ENDED_TOKENS = 5
_ONLY = words("only just solely alone exclusively")
"""Of "nobody except A" it is "only A" that says the same."""
_DEGREES = words("more less fewer")


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


def polarity_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield what the claim denies and the source affirms, and the other way round."""
    yield from _added_negations(claim, source)
    yield from _dropped_negations(claim, source)
    yield from _opposite_words(claim, source)
    yield from _opposite_neighbors(claim, source)


def _added_negations(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    denied = {
        source.tokens[at].part
        for at, is_negated in enumerate(source.scopes.negated)
        if is_negated and not (at and source.tokens[at - 1].text == "non")
    }
    ended = {
        place
        for at, token in enumerate(source.tokens)
        for place in range(max(0, at - _MAX_ENDED_TOKENS), min(at + _MAX_ENDED_TOKENS, len(source.tokens)))
        if token.key in _ENDING
        and not token.is_hard
        and source.tokens[place].part == token.part
        and (place > at or (at and source.tokens[at - 1].text in _PASSIVE))
    }
    for heads in claim.scopes.heads:
        part = claim.tokens[heads[0]].part
        near = range(*best_unit([token for token in claim.tokens if token.part == part], source))
        affirmed = {source.tokens[at].key for at in near if not source.scopes.negated[at]}
        span = claim.part_of(heads[0])
        first, last = claim.unit_of(span) if _has_pronoun(claim, span) else span
        named = [at for at in range(first, last) if claim.tokens[at].is_hard]
        known = False
        for head in (*heads, *named):
            places = source.find(claim.tokens[head])
            known = known or (bool(places) and head in heads)
            if head == heads[0] and places and _is_predicate(claim, head):
                there = _closest(places, head, claim, source)
                if any(_is_denied(source, at, denied) or _is_ended(source, at) for at in there):
                    break
                yield f"the source does not deny {claim.tokens[head].text!r}"
                break
            if any(source.scopes.negated[at] or _is_of_denial(source, at, denied) for at in places):
                break
            if claim.tokens[heads[0]].key not in _ENDING and not ended.isdisjoint(places):
                break
            if head == heads[0] and opposite_keys(claim.tokens[head].key) & affirmed:
                break
        else:
            if known or not source.scopes.heads:
                yield f"the source does not deny {claim.tokens[heads[0]].text!r}"


def _closest(places: list[int], head: int, claim: ParsedText, source: ParsedText) -> list[int]:
    """Return those places of a word that have most of what the claim says with it around them."""
    span = claim.part_of(head)
    said = [token for token in claim.content(span) if token is not claim.tokens[head]]
    whole = [token for token in claim.content(claim.unit_of(span)) if token is not claim.tokens[head]]
    worth = {
        at: 2 * source.share(said, part) + source.share(said, source.unit_of(part)) + source.share(whole, part)
        for at in places
        if (part := source.part_of(at))
    }
    most = max(worth.values())
    return [at for at in places if worth[at] == most] + [
        at for at in places if source.scopes.negated[at] and _has_pronoun(source, source.part_of(at))
    ]


def _is_denied(source: ParsedText, at: int, denied: set[int]) -> bool:
    """Return whether the source denies a word where it stands, or does so of another thing by a bare "does not"."""
    if source.scopes.negated[at] or _is_of_denial(source, at, denied):
        return True
    first, last = source.unit_of(source.part_of(at))
    after = source.unit_of((last, last)) if last < len(source.tokens) else (last, last)
    for place in range(first, max(last, after[1])):
        if source.tokens[place].text == "not":
            denying = source.tokens[place]
            following = source.tokens[place + 1] if place + 1 < len(source.tokens) else None
            thing = next((token for token in source.tokens[place + 1 : last] if not token.is_empty), None)
            is_of_thing = thing is not None and thing.is_hard and thing.part == denying.part
            if following is None or following.part != denying.part or is_of_thing:
                return True
    return False


def _is_ended(source: ParsedText, at: int) -> bool:
    """Return whether a deed is one that is left or prevented: "skip creating", "to prevent it from leaking"."""
    before = source.tokens[max(0, at - _MAX_ENDED_TOKENS) : at]
    is_left = any(
        token.key in _LEAVING and not token.is_hard and token.part == source.tokens[at].part for token in before
    )
    return is_left and source.tokens[at].text.endswith("ing")


def _has_pronoun(claim: ParsedText, span: Span) -> bool:
    """Return whether what a part denies something of is named elsewhere in its sentence."""
    return any(token.text in ("it", "them") for token in claim.tokens[slice(*span)])


def _is_predicate(claim: ParsedText, head: int) -> bool:
    """Return whether it is a deed or a quality that is denied, and not that there is such a thing."""
    is_word = not claim.tokens[head].is_hard
    return is_word and any(token.text in ("not", "never") for token in claim.tokens[max(0, head - 3) : head])


def _is_of_denial(source: ParsedText, at: int, denied: set[int]) -> bool:
    """Return whether a word is the subject of what is denied, or goes with it where no verb stands."""
    part = source.tokens[at].part
    if part not in denied:
        return False
    first, last = source.part_of(at)
    verb = source.verb((first, last))
    return verb is None or at < verb


def _dropped_negations(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    is_exception = any(
        token.text in _EXCEPT and (token.text != "but" or (at > 0 and source.tokens[at - 1].text in _NOBODY))
        for at, token in enumerate(source.tokens)
    )
    lacks = any(token.key == "exist" and claim.scopes.negated[at] for at, token in enumerate(claim.tokens))
    for part in claim.parts:
        is_only = is_exception and bool({token.text for token in claim.tokens[part[0] : part[1]]} & _ONLY)
        denied = [at for at in range(*part) if claim.scopes.negated[at] and at not in claim.scopes.refused]
        # "Can be split without breaking it" denies nothing of the splitting.
        end = denied[0] if denied and claim.tokens[denied[0] - 1].text == "without" else part[1]
        is_wrong = any(claim.tokens[at].text in ("wrong", "incorrect") for at in range(*part))
        if lacks or is_only or is_wrong or (denied and end == part[1]):
            continue
        affirmed = [token for token in claim.content((part[0], end)) if not _is_gerund(claim, token)]
        first, last = best_unit(affirmed, source)
        for heads in source.scopes.heads:
            said = [at for at in heads if any(same(one, source.tokens[at]) for one in affirmed)]
            unit = source.unit_of((heads[0], heads[0] + 1))
            is_whole = len(said) == len(heads) > 1 or _is_doer(source.tokens[heads[0]], heads[0], part, claim, source)
            if not (first <= heads[0] < last or is_whole):
                continue
            refused = (at for at in range(*part) if at in claim.scopes.refused)
            if _keeps_contrast(part, heads, claim, source):
                continue
            if heads[0] not in said or any(same(claim.tokens[at], source.tokens[heads[0]]) for at in refused):
                continue
            # Of "does not handle A but handles B" it is A that tells.
            is_verb = source.is_verb(heads[0])
            named = [at for at in said if is_verb and source.tokens[at].is_hard] or [heads[0]]
            for head in named:
                least = source.share(affirmed, source.part_of(head))
                word = stem(source.tokens[head].text)
                is_literal = any(stem(one.text) == word for one in affirmed)
                if not any(
                    source.tokens[head].key == source.tokens[at].key
                    and (not is_literal or stem(source.tokens[at].text) == word)
                    and not source.scopes.negated[at]
                    and not source.tokens[at].text.endswith("ing")
                    and source.verb(source.part_of(at)) is not None
                    and source.share(affirmed, source.part_of(at)) >= least
                    for at in range(*unit)
                ):
                    yield f"the source denies {source.tokens[head].text!r}"
                    break


def _is_doer(token: Token, at: int, part: Span, claim: ParsedText, source: ParsedText) -> bool:
    """Return whether a part says what a thing does of which the source only says that it does not: "B does not"."""
    verb = claim.verb(part)
    first, last = source.part_of(at)
    is_denied = any(one.text == "not" for one in source.tokens[at:last])
    is_alone = token.is_hard and is_denied and source.content((first, last)) == [token]
    return is_alone and verb is not None and any(same(token, one) for one in claim.tokens[part[0] : verb])


def _keeps_contrast(part: Span, heads: tuple[int, ...], claim: ParsedText, source: ParsedText) -> bool:
    """Return whether the claim, too, says a deed of one thing and denies it of another: "reads A and not B"."""
    last = claim.unit_of(part)[1]
    denied = [claim.tokens[at] for at in range(part[1], last) if claim.scopes.negated[at]]
    start, end = source.part_of(heads[0])
    known = [source.tokens[at] for at in range(start, end) if source.scopes.negated[at]]
    is_affirmed = any(
        source.tokens[at].key == source.tokens[heads[0]].key and not source.scopes.negated[at]
        for at in range(*source.unit_of((start, end)))
    )
    said = [token for token in denied if not token.is_empty]
    return is_affirmed and bool(said) and all(any(same(token, one) for one in known) for token in said)


def _is_gerund(claim: ParsedText, token: Token) -> bool:
    """Return whether a claim begins with the word as the name of a deed, which is not said to be done."""
    return token is claim.tokens[0] and token.text.endswith("ing")


def _opposite_words(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the words of which the source's lines say the opposite, and not the word itself."""
    degrees = dict(_degrees(source))
    for key, word in _degrees(claim):
        if degrees.get(key, word) != word:
            yield f"the source does not say {word!r}"
    said = {token.key for token in claim.tokens}
    known = source.vocabulary.keys
    for part in claim.parts:
        said_here = claim.content(part)
        names = [token for token in said_here if token.is_hard]
        whole = claim.content(claim.unit_of(part))
        near = {
            best_unit(said_here, source),
            best_unit(whole, source),
            *(unit for unit in source.units if source.share(names, unit)),
        }
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


def _opposite_neighbors(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield "after" and "new" where the source has "before" and "old" in front of the same word."""
    for at, thing in _modified(claim):
        word = claim.tokens[at]
        against = opposite_keys(word_key(word.text))
        if against and (word.is_empty or word.key not in source.vocabulary.keys):
            known = {word_key(source.tokens[place].text) for place, other in _modified(source) if same(thing, other)}
            if known & against and word_key(word.text) not in known:
                yield f"the source says the opposite of {word.text!r}"


def _modified(said: ParsedText) -> Iterator[tuple[int, Token]]:
    """Yield the place of each word with the next one in its part that says something."""
    tokens = said.tokens
    for at in range(len(tokens) - 1):
        place = at + 1
        while place < len(tokens) and tokens[place].text in ARTICLES:
            place += 1
        if place < len(tokens) and tokens[place].part == tokens[at].part and not tokens[place].is_empty:
            yield at, tokens[place]


def _degrees(said: ParsedText) -> Iterator[tuple[str, str]]:
    """Yield "more" or "less" with the key of what is so."""
    for at, token in enumerate(said.tokens[:-1]):
        after = said.tokens[at + 1]
        if token.text in _DEGREES and not after.is_empty and after.part == token.part:
            yield after.key, "more" if token.text == "more" else "less"
