"""Which statement of a day supersedes which of an earlier one.

One does when it names the earlier value as that of before, when it says the same sentence with another value, or when
it says that something holds from now on and gives the same subject another value of the same sort. A doubt or a
question supersedes nothing and is not superseded, an event is no claim, and a page is what the day that it quotes is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from recall_tui.search.ranking.dated_claims import DatedClaim, stems
from recall_tui.search.ranking.lexical import STOP_WORDS
from recall_tui.storage.documents.changing_facts import is_revised, parse_change
from recall_tui.text.change_words import clause_at, parse_change_words
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.typed_values import TypedValue, is_amount, typed_values

MIN_ALIKE = 0.7
"""How much of what the one of two statements holds of the question the other holds at least."""
WHOLE_SHARE = 0.8
"""How much of the question a statement holds of which a single word is the subject."""
MIN_SHARED_WORDS = 3
"""Words that both share where the successor holds less of the question."""
MIN_SUBJECT_WORDS = 2
"""Words that both share at least to be of one subject."""
_NUMBER = lazy_pattern(r"\d+(?:[.,:]\d+)*")
_NAME = lazy_pattern(r"\b[A-Z]\w+")
_EVENT = lazy_pattern(
    r"\b(?:had|took|came|got|did|ran|rang|went(?! (?:up|down|from|to)\b)|reached|measured|tested|tried)\b|"
    r"\b(?:was|were)\b(?!\s+(?:\w+ly\s+)?\w+(?:ed|en)\b)",
    re.IGNORECASE,
)
"""Words of a sentence that tells what happened once, and not how things are."""
_STOP_STEMS = STOP_WORDS | {"veri", "onc", "onli", "ani", "becaus"}


def find_successors(
    claims: Sequence[DatedClaim], earlier: Iterable[DatedClaim], sorts: Collection[str] | None = None
) -> dict[DatedClaim, DatedClaim]:
    """The next statement of the same among `claims`, by the one of `earlier` that it supersedes.

    `sorts` are those of the values that the question asks for; None when it may ask for any.
    """
    dated = [one for one in claims if one.is_dated]
    begun: defaultdict[str, list[DatedClaim]] = defaultdict(list)
    for claim in dated:
        begun[_first_word(claim.text)].append(claim)
    changes = [one for one in dated if one.is_statement and one.change.is_present]
    later: dict[DatedClaim, DatedClaim] = {}
    for claim in earlier:
        if claim.change.is_doubtful:
            continue
        alike = begun[_first_word(claim.text)]
        after = [one for one in alike if one.day > claim.day and is_revised(one.text, claim.text)]
        if claim.is_statement:
            after += [one for one in changes if one.day > claim.day and _supersedes(one, claim, sorts)]
        after = [one for one in after if not _is_quote(one.text, claim.text)]
        if after:
            later[claim] = min(after, key=lambda one: (one.day, not one.is_statement, -one.own_share, one.place))
    return later


@lru_cache(maxsize=4_096)
def _normalized(text: str) -> str:
    return normalize(text)


def _first_word(text: str) -> str:
    return next(iter(text.casefold().split()), "")


def _supersedes(one: DatedClaim, claim: DatedClaim, sorts: Collection[str] | None) -> bool:
    if not one.asked & claim.asked:
        return False
    told = set(map(_normalized, claim.change.old))
    if any(_names(old, one, claim, sorts) for old in one.change.old if _normalized(old) not in told):
        return True
    return _gives_another_value(one, claim, sorts)


def _names(old: str, one: DatedClaim, claim: DatedClaim, sorts: Collection[str] | None) -> bool:
    """Whether a statement is of the value that was before, and of a subject that is shared beside that value."""
    numbers = set(_NUMBER.findall(old))
    words = {word for word in content_words(stems(old)) if not any(map(str.isdigit, word))}
    lowered = claim.text.casefold()
    names = {name.casefold() for name in _NAME.findall(old)} - STOP_WORDS
    if not words | numbers or not words <= claim.words or any(name not in lowered for name in names):
        return False
    if not numbers <= set(_NUMBER.findall(claim.text)):
        return False
    changed = {one.sort for one in claim.values if numbers.intersection(_NUMBER.findall(one.value))}
    if sorts is not None and changed and changed.isdisjoint(sorts):
        return False
    shared = {word for word in content_words(one.topic) & content_words(claim.topic) if not word.isdigit()}
    return len(words) > 1 or bool(shared - words)


def _gives_another_value(one: DatedClaim, claim: DatedClaim, sorts: Collection[str] | None) -> bool:
    """Whether both are of one subject, with values of the same sort that differ."""
    changed = _changed_values(one, claim, sorts)
    if not changed or _EVENT.search(one.text):
        return False
    both = _shared_subject(one, claim)
    least, most = sorted((one.own_share, claim.own_share or claim.share))
    if least >= MIN_ALIKE * most and (len(both) > 1 or (both and claim.share >= WHOLE_SHARE)):
        return True
    named = {number for values in changed.values() for value in values for number in _NUMBER.findall(value)}
    return len(both) >= (1 if named.intersection(_NUMBER.findall(one.before)) else MIN_SHARED_WORDS)


def may_supersede(one: DatedClaim, claim: DatedClaim, sorts: Collection[str] | None) -> bool:
    """Whether a later statement may be of the same with another value: enough to stand above it, and not to end it."""
    if one.day <= claim.day or not (one.is_dated and one.is_statement and one.change.is_present):
        return False
    return (
        not claim.change.is_doubtful
        and bool(_changed_values(one, claim, sorts))
        and len(_shared_subject(one, claim)) >= MIN_SUBJECT_WORDS
    )


def _changed_values(one: DatedClaim, claim: DatedClaim, sorts: Collection[str] | None) -> dict[str, set[str]]:
    """The values of the earlier statement, by their sort, of which the other has different ones."""
    earlier: defaultdict[str, set[str]] = defaultdict(set)
    for sort, value in _lasting_values(claim.text):
        earlier[sort].add(value)
    changed = {sort for sort, value, _ in _new_values(one.text) if sort in earlier and value not in earlier[sort]}
    return {sort: earlier[sort] for sort in changed if (sorts is None or sort in sorts) and _may_change(one, sort)}


def _shared_subject(one: DatedClaim, claim: DatedClaim) -> set[str]:
    """The words that both hold, without numbers and units."""
    units = {stem for value in claim.values for stem in stems(value.sort)}
    return {word for word in content_words(one.words & claim.words) - units if not word.isdigit()}


def _may_change(one: DatedClaim, sort: str) -> bool:
    """Whether a statement that names what held before may be of a change of values of this sort."""
    olds = one.change.old
    told = {value.sort for old in olds for value in typed_values(old)}
    is_bare = any(_NUMBER.search(old) and not typed_values(old) for old in olds)
    return not olds or sort in told or (is_bare and is_amount(sort))


@lru_cache(maxsize=4_096)
def _new_values(text: str) -> tuple[TypedValue, ...]:
    """The values of a statement without those that it says held before."""
    before = {number for old in parse_change_words(text).old for number in _NUMBER.findall(old)}
    return tuple(one for one in typed_values(text) if not before.intersection(_NUMBER.findall(one.value)))


@lru_cache(maxsize=4_096)
def _lasting_values(text: str) -> tuple[tuple[str, str], ...]:
    """The sorts and values of a statement that it does not tell of as what happened once."""
    values = _new_values(text)
    if not parse_change_words(text).is_present:
        values = tuple(one for one in values if not _EVENT.search(clause_at(text, one.start)))
    return tuple((one.sort, one.value) for one in values)


def content_words(words: Collection[str]) -> set[str]:
    """The words that say something alone."""
    return {word for word in words if word not in _STOP_STEMS and (len(word) > 1 or word.isdigit())}


def _is_quote(text: str, claim: str) -> bool:
    """Whether a text repeats a claim, word for word or as the change that it tells of."""
    change = parse_change(claim)
    return f" {_normalized(claim)} " in f" {_normalized(text)} " or (
        change is not None and change == parse_change(text)
    )
