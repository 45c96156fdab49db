"""A claim and its source, read once, with the clauses of one laid beside the lines of the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from recall_tui.features.grounding.everyday_words import VERBS, words
from recall_tui.features.grounding.quantities import Day, Quantity
from recall_tui.features.grounding.scopes import BASE_VERBS, Scopes, find_scopes
from recall_tui.features.grounding.tokens import Token, normalize, tokenize, word_key
from recall_tui.features.grounding.vocabulary import Vocabulary

Span = tuple[int, int]
"""A stretch of tokens: the first, and the one after the last."""
AUXILIARIES = words("is are was were be been has have had does do did will would shall should can could may might must")
PAST = words(
    "ran wrote took went gave got made found saw kept left lost sent broke chose brought built held led paid said told"
    " won began became came grew fell rose threw"
)

LIGHT_VERBS = words("gets makes takes goes comes gives lets")
ARTICLES = words("a an the this that these those its our their your my his her all any no")
_NO_PAST = words("need speed feed seed embed exceed proceed succeed indeed breed bleed shed red bed")


@cache
def _verb_keys() -> frozenset[str]:
    return frozenset(map(word_key, VERBS.split()))


class _Bag(NamedTuple):
    """The tokens of a stretch, for counting."""

    names: frozenset[str]
    forms: frozenset[str]
    values: list[Token]


class ParsedText:
    """A text as tokens with their scopes, units and parts."""

    def __init__(self, text: str) -> None:
        self.text = normalize(text)
        self.has_speaker = "] PROMPT " in text
        self.tokens = tokenize(self.text)
        self._bags: dict[Span, _Bag] = {}

    @cached_property
    def scopes(self) -> Scopes:
        """Return what is denied, and what is only planned or possible."""
        return find_scopes(self.tokens)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Return what the text can be asked for."""
        return Vocabulary(self.tokens, has_speaker=self.has_speaker)

    @cached_property
    def units(self) -> tuple[Span, ...]:
        """Return the sentences and lines."""
        return tuple(_spans([token.unit for token in self.tokens]))

    @cached_property
    def parts(self) -> tuple[Span, ...]:
        """Return what lies between commas and conjunctions.

        A part without content belongs to the next, and so does the first half of "Linux and macOS are fine".
        """
        spans: list[Span] = []
        begin = -1
        divided = tuple(_spans([token.part for token in self.tokens]))
        for at, (first, last) in enumerate(divided):
            begin = first if begin < 0 or self.tokens[begin].unit != self.tokens[first].unit else begin
            following = self.tokens[divided[at + 1][0]] if at + 1 < len(divided) else None
            is_listed = (
                following is not None
                and following.unit == self.tokens[first].unit
                and following.text in ("and", "or")
                and self.verb((begin, last)) is None
            )
            if not is_listed and any(not token.is_empty for token in self.tokens[begin:last]):
                spans.append((begin, last))
                begin = -1
        return tuple(spans)

    def verb(self, span: Span) -> int | None:
        """Return the place of the first verb of a stretch, as far as its form tells."""
        for at in range(*span):
            token = self.tokens[at]
            if token.text in AUXILIARIES or token.text in PAST or token.text in LIGHT_VERBS:
                return at
            if token.kind != "word" or token.is_empty:
                continue
            if at == span[0]:
                if token.key in _verb_keys() and not token.text.endswith("ing"):
                    return at
                continue
            is_attribute = self.tokens[at - 1].text in ARTICLES
            if (token.text.endswith("ed") and not is_attribute) or self._is_plural_verb(at):
                return at
            if token.text.endswith("s") and token.key in _verb_keys() and not self._is_auxiliary(at + 1):
                return at
        return None

    def _is_plural_verb(self, at: int) -> bool:
        """Return whether a verb in its base form follows what looks like a plural: "the sections import it"."""
        before = self.tokens[at - 1].text
        is_plural = (
            before.endswith("s") and not before.endswith(("ss", "us", "is")) and not self.tokens[at - 1].is_empty
        )
        return is_plural and self.tokens[at].text in BASE_VERBS and not self._is_auxiliary(at + 1)

    def _is_auxiliary(self, at: int) -> bool:
        return at < len(self.tokens) and self.tokens[at].text in AUXILIARIES

    def is_verb(self, at: int) -> bool:
        """Return whether a token is a form of a verb of work."""
        return self.tokens[at].key in _verb_keys()

    def unit_of(self, span: Span) -> Span:
        """Return the unit that a part lies in."""
        return self.units[bisect_right(self.units, (span[0], len(self.tokens))) - 1]

    def part_of(self, at: int) -> Span:
        """Return the part that a token lies in."""
        return self.parts[max(0, bisect_right(self.parts, (at, len(self.tokens))) - 1)]

    def find(self, token: Token) -> list[int]:
        """Return the places of a token of another text."""
        found = {at for form in token.forms or ("",) for at in self._index.get(form, ())}
        return sorted(at for at in found if same(token, self.tokens[at]))

    @cached_property
    def _index(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = {}
        for at, token in enumerate(self.tokens):
            for form in token.forms or ("",):
                index.setdefault(form, []).append(at)
        return index

    def content(self, span: Span) -> list[Token]:
        """Return the tokens of a stretch that say something."""
        return [token for token in self.tokens[span[0] : span[1]] if not token.is_empty]

    def share(self, said: Iterable[Token], span: Span) -> int:
        """Return how many of the tokens stand in a stretch of this text."""
        bag = self._bags.get(span)
        if bag is None:
            there = self.content(span)
            bag = self._bags[span] = _Bag(
                frozenset().union(*(token.names for token in there)),
                frozenset().union(*(token.forms for token in there)),
                [token for token in there if token.value is not None],
            )
        return sum(
            not (token.names.isdisjoint(bag.forms) and token.forms.isdisjoint(bag.names))
            if token.value is None
            else any(same(token, one) for one in bag.values)
            for token in said
        )


def is_past_form(word: str) -> bool:
    """Return whether a word looks like the past of a verb."""
    return word in PAST or (word.endswith("ed") and word not in _NO_PAST)


@lru_cache(maxsize=128)
def parse_text(text: str) -> ParsedText:
    """Parse a text; the same source is read once for many claims."""
    return ParsedText(text)


def same(one: Token, other: Token) -> bool:
    """Return whether two tokens are one word, name, number or date."""
    if one.value is None and other.value is None:
        return one.key == other.key or not (one.names.isdisjoint(other.forms) and one.forms.isdisjoint(other.names))
    if one.value is None or other.value is None or one.kind != other.kind:
        return False
    if isinstance(one.value, Day):
        return isinstance(other.value, Day) and one.value.matches(other.value)
    return isinstance(other.value, Quantity) and (one.value.matches(other.value) or one.value.bare == other.value.bare)


def _spans(numbers: Sequence[int]) -> Iterator[Span]:
    start = 0
    for place in range(1, len(numbers) + 1):
        if place == len(numbers) or numbers[place] != numbers[start]:
            yield start, place
            start = place


def overlap(claim: Sequence[Token], source: Iterable[Token]) -> int:
    """Return how many of the claim's tokens are among the source's."""
    there = tuple(source)
    return sum(any(same(one, other) for other in there) for one in claim)


def best_unit(claim: Sequence[Token], source: ParsedText) -> Span:
    """Return the unit of the source that has most of the claim's tokens; the earliest of several."""
    names = [token for token in claim if token.is_hard]
    return max(source.units, key=lambda span: source.share(claim, span) + source.share(names, span), default=(0, 0))
