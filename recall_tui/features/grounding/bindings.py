"""Claims that give one thing's deed, number or name to another thing of the same source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recall_tui.features.grounding.clauses import SAYING, Clause, Placed, find_clauses, find_places
from recall_tui.features.grounding.everyday_words import words
from recall_tui.features.grounding.parsed_text import ParsedText, Span, is_past_form, same
from recall_tui.features.grounding.polarity import opposite_keys
from recall_tui.features.grounding.quantities import Quantity
from recall_tui.features.grounding.tokens import Token, is_everyday, is_verb_form, tokenize

_GENERIC = words(
    "test function method file command package type struct class branch module service variable field flag code path"
    " hook script tool project repository change fix note"
)
"""Words beside a name that are no name themselves."""
_LITERALS = words("true false nil null")
_ARTICLES = words("a an the this that our their its his her my your")
_LISTED = re.compile(r"(?<![\w./-])([\w./-]{0,80}\w): ([\w./%-]{0,80}\w%?)(?=[,;)\n]|$)")
"""A label of one word, with its value."""
_ENDS = words("before after until unless")
_WEIGHT = 3
"""Words of a claim that speak for the clause of the rival, for each that speaks for its own."""
_LOOSE_ROLES = ("subject", "object", "of", "as", "with", "for")
"""Parts of a clause that compare only between clauses with one verb."""


def binding_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the subjects and the objects that the source has elsewhere."""
    pairs: list[tuple[Token, Token]] = []
    for part in claim.parts:
        pairs += _misplaced_objects(part, claim, source)
        yield from _mislabeled(part, claim, source)
    known = find_clauses(source)
    for clause in find_clauses(claim):
        alike = [other for other in known if clause.verb and other.verb and same(clause.verb, other.verb)]
        yield from _swapped(clause, alike)
        yield from _displaced(clause, known, source)
        yield from _replaced(clause, alike, source)
    for token, other in pairs:
        # A rival that the claim has elsewhere is in its place there, unless the two changed places.
        is_free = not any(same(other, one) for one in claim.tokens)
        if is_free or any(same(token, there) and same(other, one) for one, there in pairs):
            yield f"the source has {other.text!r} in the place of {token.text!r}"


def _home(
    said: Sequence[Token], verb: Token | None, also: Sequence[Token], source: ParsedText, wanted: Token | None = None
) -> Span | None:
    """Return the part of the source that says most of it, of several the one in the line that says most of `also`.

    The verb counts twice.
    """
    spoken = [*said, verb] if verb is not None and not verb.is_empty else said
    found = {span: worth for span in source.parts if (worth := source.share(spoken, span))}
    most = max(found.values(), default=0)
    best = [span for span, worth in found.items() if worth == most]
    asked = [wanted] if wanted is not None else []
    shares = {unit: source.share(also, unit) for unit in dict.fromkeys(map(source.unit_of, best))}
    return max(best, key=lambda span: (shares[source.unit_of(span)], source.share(asked, span)), default=None)


def _misplaced_objects(part: Span, claim: ParsedText, source: ParsedText) -> Iterator[tuple[Token, Token]]:
    """Yield the tokens of a part, each with the one that the source has in its place."""
    said = claim.content(part)
    unit = claim.content(claim.unit_of(part))
    verb = claim.verb(part)
    main = None if verb is None else _main_verb(claim, (verb, part[1]))
    for at in range(*part):
        token = claim.tokens[at]
        known = [source.tokens[at] for at in source.find(token)] if _is_telling(token) else []
        is_denied = claim.scopes.negated[at] and any(source.scopes.negated[place] for place in source.find(token))
        if not known or is_denied:
            continue
        others = [one for one in said if one is not token] or _next_part(part, claim)
        home = _home(others, main, [one for one in unit if one is not token], source, token)
        if home is None:
            continue
        home = _with_label(home, source)
        if any(same(token, one) for one in source.tokens[home[0] : home[1]]):
            continue
        is_near = any(one.unit == source.tokens[home[0]].unit for one in known)
        for place in range(*home):
            other = source.tokens[place]
            is_pointer = token.is_hard and token.value is None and other.text in _GENERIC
            if other.is_empty or is_pointer or other.text.endswith("ly") or any(same(other, one) for one in said):
                continue
            is_rival = (
                _is_telling(other)
                and _is_rival(token, other)
                and (token.value is not None or token.key in _LITERALS or not is_near)
            )
            is_noun = token.is_hard and not other.is_hard
            if is_rival or (not is_noun and _shares_slot(claim, at, source, place)):
                yield token, other
                break


def _mislabeled(part: Span, claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the values of a list such as "read: 5s, write: 9s" that the claim gives to another label."""
    listed = [(tokenize(label), tokenize(value)) for label, value in _LISTED.findall(source.text)]
    said = claim.content(part)
    given = [value for label, value in listed if any(same(label[0], one) for one in said)]
    others = [value for label, value in listed if value not in given]
    if given and not any(same(value[0], one) for value in given for one in said):
        for value in others:
            if any(same(value[0], one) for one in said):
                yield f"the source has {given[0][0].text!r} in the place of {value[0].text!r}"
                return


def _main_verb(said: ParsedText, span: Span) -> Token | None:
    return next(iter(said.content(span)), None)


def _next_part(part: Span, claim: ParsedText) -> list[Token]:
    """Return the content of the part that follows in the sentence, up to a clause of time."""
    following = next((span for span in claim.parts if span[0] == part[1]), None)
    if following is None or claim.tokens[following[0]].unit != claim.tokens[part[0]].unit:
        return []
    end = next((at for at in range(*following) if claim.tokens[at].text in _ENDS), following[1])
    return claim.content((following[0], end))


def _with_label(home: Span, source: ParsedText) -> Span:
    """Return the part with the one before it when that is a label, such as a date."""
    at = source.parts.index(home)
    before = source.parts[at - 1] if at else home
    if before[0] == source.unit_of(home)[0] and len(source.content(before)) == 1:
        return before[0], home[1]
    return home


def _is_telling(token: Token) -> bool:
    """Return whether the token names something, rather than being an everyday word."""
    return token.is_hard or not (token.is_empty or is_everyday(token.key))


def _is_rival(token: Token, other: Token) -> bool:
    """Return whether the two could stand in each other's place."""
    if token.key in _LITERALS or other.key in _LITERALS:
        return token.key in _LITERALS and other.key in _LITERALS
    if isinstance(token.value, Quantity):
        return isinstance(other.value, Quantity) and token.value.kind == other.value.kind
    if token.value is not None or other.value is not None:
        return token.kind == other.kind
    return token.is_hard and other.is_hard


def _shares_slot(claim: ParsedText, at: int, source: ParsedText, place: int) -> bool:
    """Return whether both stand next to the same word."""
    if claim.tokens[at].value is not None or source.tokens[place].value is not None:
        return False
    shared = _slot(claim, at) & _slot(source, place)
    return bool(shared) and (_is_telling(source.tokens[place]) or any(side == "before" for side, _ in shared))


def _slot(said: ParsedText, at: int) -> set[tuple[str, str]]:
    """Return the words next to a token, by which its place in a phrase is known."""
    tokens = said.tokens
    found: set[tuple[str, str]] = set()
    before = at - 1
    while before >= 0 and tokens[before].text in _ARTICLES:
        before -= 1
    if before >= 0 and tokens[before].part == tokens[at].part:
        if tokens[before].text in ("from", "into", "onto"):
            found.add(("after", tokens[before].text))
        content = next((one for one in reversed(tokens[: before + 1]) if not one.is_empty), None)
        if (
            tokens[before].text != "of"
            and content is not None
            and content.part == tokens[at].part
            and content.kind == "word"
        ):
            found.add(("after", content.key))
    if at + 1 < len(tokens) and tokens[at + 1].part == tokens[at].part and not tokens[at + 1].is_empty:
        found.add(("before", tokens[at + 1].key))
    return found


def _swapped(clause: Clause, alike: Sequence[Clause]) -> Iterator[str]:
    """Yield the two things of a clause that changed places; who says something may stand behind it."""
    if clause.verb is None or clause.verb.key in SAYING:
        return
    for other in alike:
        heard = {(one.role, one.token.key) for one in other.placed}
        said = {(one.role, one.token.key) for one in clause.placed}
        moved = {
            (one.role, there.role): one
            for one in clause.placed
            for there in other.placed
            if one.token.key == there.token.key
            and (one.role, one.token.key) not in heard
            and (there.role, one.token.key) not in said
        }
        for (role, place), one in moved.items():
            if (two := moved.get((place, role))) is not None:
                yield f"the source has {one.token.text!r} and {two.token.text!r} the other way round"
                return


def _displaced(clause: Clause, known: Sequence[Clause], source: ParsedText) -> Iterator[str]:
    """Yield what the source says of a rival, in a clause that has more of what is said than any with the thing."""
    places = [list(find_places(one.token, source)) for one in clause.placed]
    named: list[set[int]] = [set() for _ in known]
    standing: list[set[int]] = [set() for _ in known]
    for at, (one, theirs) in enumerate(zip(clause.placed, places, strict=True)):
        for place, x in theirs:
            named[place].add(at)
            if one.is_negated == x.is_negated:
                standing[place].add(at)
    for at, one in enumerate(clause.placed):
        if one.role == "verb" or (_is_deed(one) and not opposite_keys(one.token.key)):
            continue
        own = {place for place, _ in places[at]}
        if not own or any(_has_verb_for(one, x) for _, x in places[at]):
            continue
        rest = {
            place for place, x in enumerate(clause.placed) if not _is_beside(x, one) and not same(x.token, one.token)
        }
        known_there = set().union(*(standing[place] for place in own)) & rest
        most = max(len(standing[place] & rest) for place in own)
        for other, there, having in zip(known, standing, named, strict=True):
            found = there & rest
            if at in having or not found or len(found) <= most or 2 * len(found) < len(rest):
                continue
            if clause.time and other.time and clause.time != other.time:
                continue
            only = found - known_there
            extra = [x for x in known_there - found if clause.placed[x].role not in other.open_roles]
            is_of_deed = any(clause.placed[x].role == "verb" for x in only)
            if len(only) <= (1 if is_of_deed else _WEIGHT) * len(extra):
                continue
            rival = next((x for x in other.placed if _takes_place(one, x, clause, other)), None)
            if rival is not None:
                yield f"the source says this of {rival.token.text!r}, not of {one.token.text!r}"
                return


def _replaced(clause: Clause, alike: Sequence[Clause], source: ParsedText) -> Iterator[str]:
    """Yield the object that the source does not have at all, where it has a certain thing of the same deed."""
    new = [one for one in clause.placed if one.role == "object"]
    if not new or any(source.vocabulary.has(one.token) for one in new):
        return
    for other in alike:
        heard = other.phrase(new[-1])
        if not heard or not heard[0].token.is_hard or "object" in other.open_roles:
            continue
        is_of_subject = any(
            one.role == "subject" and any(_is_one(one, x) for x in other.placed) for one in clause.placed
        )
        if is_of_subject and not any(same(y.token, x.token) for y in heard for x in clause.placed):
            yield f"the source has {heard[0].token.text!r} in the place of {new[0].token.text!r}"
            return


def _is_one(one: Placed, other: Placed) -> bool:
    """Return whether two words say the same, affirmed or denied."""
    return one.is_negated == other.is_negated and same(one.token, other.token)


def _takes_place(one: Placed, other: Placed, clause: Clause, where: Clause) -> bool:
    """Return whether the source has the other in the place that the claim gives to the one."""
    if other.role == "verb" or any(same(other.token, x.token) for x in clause.placed if _is_beside(x, one)):
        return False
    is_said = any(same(other.token, x.token) for x in clause.placed)
    if other.token.key in opposite_keys(one.token.key):
        return not is_said and not one.token.text.endswith("ing") and not other.token.text.endswith("ing")
    if other.role != one.role or one.role == "adverb" or _is_deed(one) or _is_deed(other):
        return False
    if one.token.value is not None or other.token.value is not None or _may_be(one, other) or _may_be(other, one):
        return False
    if one.role in where.open_roles or one.role in clause.open_roles:
        return False
    if one.role in _LOOSE_ROLES and not _is_same_verb(clause, where):
        return False
    said, heard = clause.phrase(one), where.phrase(other)
    if not any(same(x.token, y.token) for x in said for y in heard):
        return not is_said and one is said[-1] and other is heard[-1]
    after, following = _after(one, said), _after(other, heard)
    return after is not None and following is not None and same(after.token, following.token)


def _after(one: Placed, phrase: Sequence[Placed]) -> Placed | None:
    at = next(at for at, x in enumerate(phrase) if x is one)
    return phrase[at + 1] if at + 1 < len(phrase) else None


def _is_deed(one: Placed) -> bool:
    """Return whether a word is a form of a verb, and names nothing."""
    word = one.token.text
    return one.token.kind == "word" and (is_past_form(word) or is_verb_form(word) or word.endswith("ing"))


def _has_verb_for(one: Placed, other: Placed) -> bool:
    """Return whether the source has a verb for what the claim has a noun for."""
    return (other.role == "verb" or _is_deed(other)) and not _is_deed(one)


def _may_be(one: Placed, other: Placed) -> bool:
    """Return whether a common noun may stand for a name, as "the handler" for `RetryHandler`."""
    is_named = other.token.is_hard and not one.token.is_hard
    return is_named and (one.token.key in _GENERIC or one.token.key in other.token.text.lower())


def _is_same_verb(one: Clause, other: Clause) -> bool:
    if one.verb is None or other.verb is None:
        return one.is_copular and other.is_copular
    return same(one.verb, other.verb)


def _is_beside(one: Placed, other: Placed) -> bool:
    """Return whether the two are of one phrase."""
    return one.is_before == other.is_before and (one.role == other.role or one.is_before) and one.role != "verb"
