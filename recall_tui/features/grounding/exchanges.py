"""Claims that fit their source better with two of their things exchanged, or with another thing in the place of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from math import sqrt
from typing import NamedTuple

from recall_tui.features.grounding.clauses import SAYING, find_clauses
from recall_tui.features.grounding.everyday_words import words
from recall_tui.features.grounding.parsed_text import ParsedText, Span, is_past_form, same
from recall_tui.features.grounding.quantities import Quantity
from recall_tui.features.grounding.scopes import BASE_VERBS
from recall_tui.features.grounding.tokens import Token, is_verb_form

_TELLING = words("only now currently")
"""Empty words that can be exchanged."""
_REACH = 8
"""Telling words from one thing to another that says something about it."""
_FAR = 0.3
"""Worth of what stands in another part of the sentence, to that in the same part."""
_ROLE_WORTH = 0.5
_MIN_GAIN = 0.3
_MIN_LOOSE_GAIN = 0.7
"""For two things that are not both names or numbers."""


class _Layout(NamedTuple):
    """Where the telling words of a text stand."""

    ranks: list[int]
    """For each token how many telling ones are before it."""
    regions: list[int]
    """Numbers of the stretches between commas, conjunctions, "instead" and "rather"."""
    roles: dict[int, list[tuple[int, str]]]
    """For each token its parts in clauses, with the clause's number."""


_MIN_RIVAL_GAIN = 1.0
_RELATIVE = words("which that who")
_MAX_CLAUSE_GAP = 3
_MIN_CROSSED_SHARE = 0.75
"""Of the words of two clauses, those that tell that the two were mixed."""


def exchange_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield what stands in the surroundings that the source has around another thing."""
    found = _Comparison(claim, source)
    yield from _exchanged(found)
    yield from _crossed(claim, source)
    for thing in range(len(found.things)):
        rival = found.rival(thing)
        if rival is not None:
            yield f"the source says this of {rival.text!r}, not of {found.text(thing)}"
            return


def _exchanged(found: _Comparison) -> Iterator[str]:
    """Yield two things that the source has in each other's surroundings."""
    for one in range(len(found.things)):
        for two in range(one + 1, len(found.things)):
            if found.can_be_exchanged(one, two):
                first, second = found.gain(one, two), found.gain(two, one)
                least = _MIN_GAIN if found.is_hard(one) and found.is_hard(two) else _MIN_LOOSE_GAIN
                if first > 0 and second > 0 and first + second > least:
                    yield f"the source has {found.text(one)} and {found.text(two)} the other way round"
                    return


def _crossed(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield two clauses of one sentence that both mix what two clauses of the source keep apart."""
    said, known = _clause_spans(claim), _clause_spans(source)
    numbers = {at: number for number, span in enumerate(known) for at in range(*span)}
    bags = [_bag(span, claim, source, numbers) for span in said]
    for (one, first), (two, second) in pairwise(zip(said, bags, strict=True)):
        if claim.tokens[one[0]].unit != claim.tokens[two[0]].unit:
            continue
        shared = first.keys() & second.keys()
        total = len(first) + len(second)
        there = sorted(set().union(*first.values(), *second.values()))
        for at, left in enumerate(there):
            for right in there[at + 1 : at + 1 + _MAX_CLAUSE_GAP]:
                if source.tokens[known[left][0]].unit != source.tokens[known[right][0]].unit:
                    break
                cells = [
                    sum(here in places and away not in places for key, places in bag.items() if key not in shared)
                    for bag in (first, second)
                    for here, away in ((left, right), (right, left))
                ]
                if min(cells) and sum(cells) >= _MIN_CROSSED_SHARE * total:
                    yield f"the source does not divide the clause before {claim.tokens[two[0]].text!r} in this way"
                    return


def _clause_spans(said: ParsedText) -> list[Span]:
    """Return the parts, each with the relative clauses that follow it."""
    spans: list[Span] = []
    for start, end in said.parts:
        token = said.tokens[start]
        if spans and token.text in _RELATIVE and said.tokens[spans[-1][0]].unit == token.unit:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _bag(span: Span, claim: ParsedText, source: ParsedText, numbers: dict[int, int]) -> dict[str, set[int]]:
    """Return for the words of a clause in which clauses of the source they stand."""
    found: dict[str, set[int]] = {}
    for token in claim.tokens[slice(*span)]:
        if not token.is_empty:
            places = {numbers[at] for at in source.find(token) if at in numbers}
            if places:
                found[token.key or token.text] = places
    return found


class _Comparison:
    """The things of a claim, with what stands near them there and in the source."""

    def __init__(self, claim: ParsedText, source: ParsedText) -> None:
        self.claim, self.source = claim, source
        self._said, self._known = _lay_out(claim), _lay_out(source)
        self._verbs = {id(clause.verb) for clause in find_clauses(claim) if clause.verb is not None}
        self._verbs |= {
            id(token)
            for before, token in pairwise(claim.tokens)
            if before.text in ("to", "not") and token.text in BASE_VERBS
        }
        places = {
            at: [place for place in source.find(token) if _is_telling(source.tokens[place])]
            for at, token in enumerate(claim.tokens)
            if _is_telling(token)
        }
        self.things = list(self._things(places))
        self.places = [_spans_of(thing, places) for thing in self.things]
        keys = [claim.tokens[at].key for at in places]
        self._is_repeated = [
            bool(key := claim.tokens[thing[1] - 1].key) and keys.count(key) > 1 for thing in self.things
        ]

    def _things(self, places: dict[int, list[int]]) -> Iterator[Span]:
        """Yield the words of the claim, those as one that the source has side by side as well."""
        start = end = -1
        for at in places:
            if start >= 0 and not self._goes_on(at, places):
                yield start, end
                start = -1
            start, end = at if start < 0 else start, at + 1
        if start >= 0:
            yield start, end

    def _goes_on(self, at: int, places: dict[int, list[int]]) -> bool:
        tokens = self.claim.tokens
        if at - 1 not in places or tokens[at].part != tokens[at - 1].part:
            return False
        if any(tokens[one].value is not None or self.is_deed(tokens[one]) for one in (at - 1, at)):
            return False
        return any(place + 1 in places[at] for place in places[at - 1])

    def is_deed(self, token: Token) -> bool:
        """Return whether a word says what is done, and not by or to which thing."""
        if token.kind != "word":
            return False
        is_form = is_past_form(token.text) or token.text.endswith("ing") or is_verb_form(token.text)
        return is_form or id(token) in self._verbs

    def is_hard(self, thing: int) -> bool:
        """Return whether it has a certain thing's name, or a number."""
        return any(token.is_hard for token in self.claim.tokens[slice(*self.things[thing])])

    def text(self, thing: int) -> str:
        """Return the words in quotation marks."""
        return repr(" ".join(token.text for token in self.claim.tokens[slice(*self.things[thing])]))

    def _last(self, thing: int) -> Token:
        return self.claim.tokens[self.things[thing][1] - 1]

    def can_be_exchanged(self, one: int, two: int) -> bool:
        """Return whether both stand in the source, at places of their own, and are of one sort."""
        first, second = self._last(one), self._last(two)
        if not self.places[one] or not self.places[two] or self._is_repeated[one] or self._is_repeated[two]:
            return False
        is_of_one_sort = (first.value is None) == (second.value is None) and self.is_deed(first) == self.is_deed(second)
        if self._is_list(one, two):
            return False
        return is_of_one_sort and not same(first, second) and set(self.places[one]).isdisjoint(self.places[two])

    def rival(self, thing: int) -> Token | None:
        """Return the certain thing, which the claim does not have, that the source has in the surroundings of one."""
        if not self.is_hard(thing) or not self.places[thing] or self._is_repeated[thing]:
            return None
        fits: dict[int, float] = {}
        for other, worth in self._said_near[thing].items():
            for one, there in self._known_near[other].items():
                fits[one] = fits.get(one, 0.0) + sqrt(worth * there)
        least = fits.get(thing, 0.0) + _MIN_RIVAL_GAIN
        last = self._last(thing)
        for one, fit in fits.items():
            if (
                one >= len(self.things)
                and fit > least
                and _is_of_kind(last, rival := self._rivals[one - len(self.things)])
            ):
                return rival
        return None

    @cached_property
    def _rivals(self) -> list[Token]:
        return list(self._rival_places)

    @cached_property
    def _rival_places(self) -> dict[Token, list[Span]]:
        """Return the names and numbers of the source that the claim has not, by their first token."""
        taken = {at for spans in self.places for span in spans for at in range(*span)}
        said = frozenset().union(*(token.forms for token in self.claim.tokens))
        values = [token for token in self.claim.tokens if token.value is not None]
        found: dict[str, Token] = {}
        places: dict[Token, list[Span]] = {}
        for at, token in enumerate(self.source.tokens):
            if not token.is_hard or at in taken or not said.isdisjoint(token.names):
                continue
            if token.value is None or not any(same(token, one) for one in values):
                places.setdefault(found.setdefault(token.key or token.text, token), []).append((at, at + 1))
        return places

    def _is_list(self, one: int, two: int) -> bool:
        """Return whether the source has both side by side, in a row or with "and" between them."""
        ends = {end for place in (one, two) for _, end in self.places[place]}
        for start, _ in self.places[one] + self.places[two]:
            joint = self.source.tokens[start - 1] if start else None
            if start in ends or (joint is not None and joint.text in ("and", "or") and start - 1 in ends):
                return True
        return False

    def gain(self, thing: int, place: int) -> float:
        """Return how much better the thing's surroundings in the claim fit to the other's in the source."""
        near = self._said_near[thing]
        ours, theirs = self._known_near[thing], self._known_near[place]
        fit = sum(
            sqrt(worth * theirs.get(other, 0.0)) - sqrt(worth * ours.get(other, 0.0))
            for other, worth in near.items()
            if other != place
        )
        return fit + _ROLE_WORTH * (self._has_role(thing, place) - self._has_role(thing, thing))

    def _has_role(self, thing: int, other: int) -> bool:
        """Return whether the source has one thing where the claim has the other, with the same verb."""
        said, known = find_clauses(self.claim), find_clauses(self.source)
        for number, role in self._said.roles.get(self.things[thing][1] - 1, ()):
            verb = said[number].verb
            if verb is None or verb.key in SAYING:
                continue
            for _, last in self.places[other]:
                for there, heard in self._known.roles.get(last - 1, ()):
                    their_verb = known[there].verb
                    if role == heard != "verb" and their_verb is not None and same(verb, their_verb):
                        return True
        return False

    @cached_property
    def _said_near(self) -> list[dict[int, float]]:
        return _near([(span, thing) for thing, span in enumerate(self.things)], self._said, self.claim)

    @cached_property
    def _known_near(self) -> list[dict[int, float]]:
        everything = (*self.places, *self._rival_places.values())
        spans = sorted((span, thing) for thing, spans in enumerate(everything) for span in spans)
        return _near(spans, self._known, self.source, len(everything))


def _is_of_kind(one: Token, other: Token) -> bool:
    """Return whether both are names, or numbers of one unit."""
    if isinstance(one.value, Quantity) and isinstance(other.value, Quantity):
        return one.value.kind == other.value.kind
    return type(one.value) is type(other.value)


def _is_telling(token: Token) -> bool:
    return not token.is_empty or token.text in _TELLING


@lru_cache(maxsize=128)
def _lay_out(said: ParsedText) -> _Layout:
    counts = accumulate((_is_telling(token) for token in said.tokens), initial=0)
    breaks = accumulate((token.text in ("instead", "rather") for token in said.tokens), initial=0)
    regions = [token.part + extra for token, extra in zip(said.tokens, breaks, strict=False)]
    numbers = {id(token): at for at, token in enumerate(said.tokens)}
    roles: dict[int, list[tuple[int, str]]] = {}
    for number, clause in enumerate(find_clauses(said)):
        for one in clause.placed:
            if (at := numbers.get(id(one.token))) is not None:
                roles.setdefault(at, []).append((number, one.role))
    return _Layout(list(counts), regions, roles)


def _spans_of(thing: Span, places: dict[int, list[int]]) -> list[Span]:
    """Return where the source has all words of a thing side by side, or else the last of them."""
    first, last = thing
    whole = [at for at in places[first] if all(at + n in places[first + n] for n in range(1, last - first))]
    return [(at, at + last - first) for at in whole] or [(at, at + 1) for at in places[last - 1]]


def _near(
    spans: Sequence[tuple[Span, int]], layout: _Layout, said: ParsedText, things: int = 0
) -> list[dict[int, float]]:
    """Return for each thing what stands near it in a sentence, and how near at best."""
    found: list[dict[int, float]] = [{} for _ in range(things or len(spans))]
    for at, ((start, end), one) in enumerate(spans):
        for (begin, _), two in spans[at + 1 :]:
            distance = layout.ranks[begin] - layout.ranks[end - 1]
            if distance > _REACH or said.tokens[begin].unit != said.tokens[start].unit:
                break
            if one == two or distance <= 0:
                continue
            worth = (1.0 if layout.regions[begin] == layout.regions[start] else _FAR) / distance
            found[one][two] = max(worth, found[one].get(two, 0.0))
            found[two][one] = max(worth, found[two].get(one, 0.0))
    return found
