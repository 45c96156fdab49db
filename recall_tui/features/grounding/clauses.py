"""The clauses of a text: who does what to what, where and how, as far as the order of the words tells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from recall_tui.features.grounding.everyday_words import words
from recall_tui.features.grounding.parsed_text import AUXILIARIES, LIGHT_VERBS, ParsedText, Span, is_past_form, same
from recall_tui.features.grounding.scopes import RANKS, Mood
from recall_tui.features.grounding.tokens import MAX_UNITS, Token

MAX_LABEL_TOKENS = 3
SAYING = words("say think ask")
"""Keys of verbs behind which their subject may stand."""
_BE = words("is are was were be been being get gets got")
_PREPOSITIONS = words(
    "of in on at for from with by as into onto to under over per via through inside outside within without against"
    " between after before during than until like"
)
_PRONOUNS = words("it they this that these those he she we i which who them")
_CONDITIONS = words("when if unless while whereas because")
_OPENING = words("when if while since because although though until unless once after before")
_FORMER = words("previously formerly originally earlier before")
_PRESENT = words("now currently")


class Placed(NamedTuple):
    """A token with its part in a clause."""

    token: Token
    role: str
    """`subject`, `verb`, `object`, or the preposition before it."""
    is_negated: bool
    is_before: bool = False
    """It stands before the verb."""


class Clause(NamedTuple):
    """A predicate with what belongs to it; a passive one is told as its active form."""

    verb: Token | None
    placed: tuple[Placed, ...]
    time: str
    """`former` or `present` where the clause says so."""
    open_roles: frozenset[str]
    """The parts in which a pronoun stands."""
    is_passive: bool
    mood: Mood
    """The weakest mood of its words."""
    is_copular: bool
    """It says what something is, and has no other verb."""

    def phrase(self, one: Placed) -> tuple[Placed, ...]:
        """Return what has the same part in the clause."""
        return tuple(other for other in self.placed if other.role == one.role)


@lru_cache(maxsize=128)
def find_clauses(said: ParsedText) -> tuple[Clause, ...]:
    """Return the clauses in order; a part without a verb belongs to the clause before it."""
    found: list[Clause] = []
    label: tuple[Placed, ...] = ()
    line = -1
    before: Clause | None = None
    for unit, parts in groupby(said.parts, lambda span: said.tokens[span[0]].unit):
        groups = _groups(said, list(parts))
        if unit // MAX_UNITS != line:
            line = unit // MAX_UNITS
            label = _label(said, groups[0])
        before = None
        for spans in groups:
            before = _clause(said, spans, before, label)
            found.append(before)
    return tuple(found)


@lru_cache(maxsize=128)
def _index(said: ParsedText) -> dict[str, list[tuple[int, Placed]]]:
    """Return for each form of a word where it stands: the number of the clause, and the place in it."""
    found: dict[str, list[tuple[int, Placed]]] = {}
    for at, clause in enumerate(find_clauses(said)):
        for one in clause.placed:
            for form in one.token.forms or ("",):
                found.setdefault(form, []).append((at, one))
    return found


def find_places(token: Token, said: ParsedText) -> Iterator[tuple[int, Placed]]:
    """Yield where a text has a token, with the number of the clause."""
    index = _index(said)
    for form in token.forms or ("",):
        for at, one in index.get(form, ()):
            if same(token, one.token):
                yield at, one


def _groups(said: ParsedText, parts: list[Span]) -> list[list[Span]]:
    """Return the parts of a sentence by clauses."""
    groups: list[list[Span]] = []
    has_verb = False
    for span in parts:
        is_verbal = said.verb(span) is not None
        first = said.tokens[groups[-1][0][0]].text if groups else ""
        is_after = has_verb and first in _OPENING and said.tokens[span[0]].text not in ("and", "or")
        if not groups or (has_verb and is_verbal) or is_after:
            groups.append([])
            has_verb = False
        groups[-1].append(span)
        has_verb = has_verb or is_verbal
    return groups


def _label(said: ParsedText, spans: list[Span]) -> tuple[Placed, ...]:
    """Return the name that a line begins with, of which all of it tells."""
    named = said.content(spans[0])
    is_label = len(spans) > 1 and len(named) <= MAX_LABEL_TOKENS and named[0].is_hard and said.verb(spans[0]) is None
    return tuple(Placed(token, "subject", is_negated=False, is_before=True) for token in named) if is_label else ()


def _clause(said: ParsedText, spans: list[Span], before: Clause | None, label: tuple[Placed, ...]) -> Clause:
    tokens = said.tokens
    start, end = spans[0][0], spans[-1][1]
    first = next((verb for span in spans if (verb := said.verb(span)) is not None), end)
    main = first
    is_passive = False
    while (
        main < end
        and tokens[main].text not in LIGHT_VERBS
        and (tokens[main].is_empty or tokens[main].text.endswith("ly"))
    ):
        is_passive = tokens[main].text in _BE or (is_passive and tokens[main].text not in AUXILIARIES)
        main += 1
    is_predicate = main < end and (is_past_form(tokens[main].text) or said.is_verb(main))
    if is_passive and not is_predicate:
        main = end  # "is ready": what follows is said of the subject.
    is_passive = is_passive and main < end and not tokens[main].text.endswith("ing")
    is_joined = before is not None and tokens[start].text in ("and", "or", "but") and main == first == start + 1
    if is_joined and before is not None and before.is_passive and is_past_form(tokens[main].text):
        is_passive = True
    placed = list(_placed(said, spans, first, main))
    open_roles = {"subject" if at < first else "object" for at in range(start, end) if tokens[at].text in _PRONOUNS}
    if any(token.text == "there" for token in tokens[start : min(first + 1, end)]):
        open_roles |= {"subject", "object"}
    names = {"subject": "object", "by": "subject"} if is_passive else {}
    open_roles = {names.get(role, role) for role in open_roles}
    if is_passive:
        placed = [one._replace(role=names.get(one.role, one.role)) for one in placed]
    taken = "object" if is_passive else "subject"
    is_open = first < end and taken not in open_roles and not any(one.role == taken for one in placed)
    if is_open and before is not None:
        role = "object" if before.is_passive else "subject"
        placed += [one._replace(role=taken) for one in before.placed if one.role == role]
    elif is_open and first == start:
        placed += [one._replace(role=taken) for one in label]
    return Clause(
        tokens[main] if main < end else None,
        tuple(placed),
        _time(said, start, end),
        frozenset(open_roles),
        is_passive,
        max(said.scopes.moods[start:end], key=RANKS.index),
        first < end and main == end,
    )


def _placed(said: ParsedText, spans: list[Span], first: int, main: int) -> Iterator[Placed]:
    tokens = said.tokens
    role = "subject" if first < spans[-1][1] else "object"
    for span in spans:
        for at in range(*span):
            token = tokens[at]
            if at == first:
                role = "object"
            is_opening = at == spans[0][0] and token.text in ("as", "until", "before", "after", "like")
            if (token.is_empty and token.text in _PREPOSITIONS and not is_opening) or token.text in _CONDITIONS:
                role = token.text
            elif at == main:
                role = "object"
                yield Placed(token, "verb", said.scopes.negated[at])
            elif not (token.is_empty or (at and tokens[at - 1].text == "non")):
                yield Placed(
                    token, "adverb" if token.text.endswith("ly") else role, said.scopes.negated[at], at < first
                )


def _time(said: ParsedText, start: int, end: int) -> str:
    for at in range(start, end):
        word = said.tokens[at].text
        if word in _FORMER or (word == "used" and at + 1 < end and said.tokens[at + 1].text == "to"):
            return "former"
        if word in _PRESENT:
            return "present"
    return ""
