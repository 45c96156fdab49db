"""Claims that deny what the source affirms, or affirm what it denies."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.features.grounding.statement import Statement, best_unit, overlap, same


def polarity_reasons(claim: Statement, source: Statement) -> Iterator[str]:
    """Yield what the claim denies and the source affirms, and the other way round."""
    yield from _added_negations(claim, source)
    yield from _dropped_negations(claim, source)


def _added_negations(claim: Statement, source: Statement) -> Iterator[str]:
    denied = {source.tokens[at].part for at, is_negated in enumerate(source.scopes.negated) if is_negated}
    for heads in claim.scopes.heads:
        known = False
        for head in heads:
            places = [at for at, one in enumerate(source.tokens) if same(claim.tokens[head], one)]
            known = known or bool(places)
            if any(source.scopes.negated[at] or source.tokens[at].part in denied for at in places):
                break
        else:
            if known or not source.scopes.heads:
                yield f"the source does not deny {claim.tokens[heads[0]].text!r}"


def _dropped_negations(claim: Statement, source: Statement) -> Iterator[str]:
    for part in claim.parts:
        said = claim.content(part)
        first, last = best_unit(said, source)
        affirmed = [claim.tokens[at] for at in range(*part) if not claim.scopes.negated[at]]
        for heads in source.scopes.heads:
            head = source.tokens[heads[0]]
            if not first <= heads[0] < last or not any(same(one, head) for one in affirmed):
                continue
            others = [at for at in range(first, last) if same(head, source.tokens[at]) and not source.scopes.negated[at]]
            if not others:
                yield f"the source denies {head.text!r}"
