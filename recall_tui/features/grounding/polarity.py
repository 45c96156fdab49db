"""Claims that deny what the source affirms, or affirm what it denies."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.features.grounding.everyday_words import words
from recall_tui.features.grounding.opposites import opposite_keys
from recall_tui.features.grounding.parsed_text import ParsedText, best_unit, same
from recall_tui.features.grounding.tokens import Token

_EXCEPT = words("except but besides apart other")
_ENDING = words("remove stop skip disable prevent")
"""Keys of verbs after which a thing is there no longer."""
_NOBODY = words("nobody nothing none no all anything everyone everything")
_PASSIVE = words("is are was were be been being")
_MAX_ENDED_TOKENS = 5
_ONLY = words("only just solely alone exclusively")
"""Of "nobody except A" it is "only A" that says the same."""


def polarity_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield what the claim denies and the source affirms, and the other way round."""
    yield from _added_negations(claim, source)
    yield from _dropped_negations(claim, source)


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
        named = [at for at, token in enumerate(claim.tokens) if token.part == part and token.is_hard]
        known = False
        for head in (*heads, *named):
            places = [at for at, one in enumerate(source.tokens) if same(claim.tokens[head], one)]
            known = known or (bool(places) and head in heads)
            if any(source.scopes.negated[at] or source.tokens[at].part in denied for at in places):
                break
            if claim.tokens[heads[0]].key not in _ENDING and not ended.isdisjoint(places):
                break
            if head == heads[0] and opposite_keys(claim.tokens[head].key) & affirmed:
                break
        else:
            if known or not source.scopes.heads:
                yield f"the source does not deny {claim.tokens[heads[0]].text!r}"


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
        if lacks or is_only or (denied and end == part[1]):
            continue
        affirmed = [token for token in claim.content((part[0], end)) if not _is_gerund(claim, token)]
        first, last = best_unit(affirmed, source)
        for heads in source.scopes.heads:
            said = [at for at in heads if any(same(one, source.tokens[at]) for one in affirmed)]
            unit = source.unit_of((heads[0], heads[0] + 1))
            is_whole = len(said) == len(heads) > 1
            if not (first <= heads[0] < last or is_whole):
                continue
            refused = (at for at in range(*part) if at in claim.scopes.refused)
            if heads[0] not in said or any(same(claim.tokens[at], source.tokens[heads[0]]) for at in refused):
                continue
            # Of "does not handle A but handles B" it is A that tells.
            is_verb = source.is_verb(heads[0])
            named = [at for at in said if is_verb and source.tokens[at].is_hard] or [heads[0]]
            for head in named:
                if not any(
                    source.tokens[head].key == source.tokens[at].key and not source.scopes.negated[at]
                    for at in range(*unit)
                ):
                    yield f"the source denies {source.tokens[head].text!r}"
                    break


def _is_gerund(claim: ParsedText, token: Token) -> bool:
    """Return whether a claim begins with the word as the name of a deed, which is not said to be done."""
    return token is claim.tokens[0] and token.text.endswith("ing")
