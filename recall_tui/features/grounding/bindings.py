"""Claims that give one thing's deed, number or name to another thing of the same source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

from recall_tui.features.grounding.everyday_words import words
from recall_tui.features.grounding.parsed_text import AUXILIARIES, PAST, ParsedText, Span, overlap, same
from recall_tui.features.grounding.quantities import Quantity
from recall_tui.features.grounding.tokens import Token, is_everyday

_PRONOUNS = words("it they he she this that these those which who them him her")
_PASSIVE = words("is are was were be been being get got gets")
_SPEAKERS = words("i we")
_GENERIC = words(
    "test function method file command package type struct class branch module service variable field flag code path"
    " hook script tool project repository change fix note"
)
"""Words beside a name that are no name themselves."""
_SAYING = words("say ask think want propose choose consider notice plan warn recommend")
"""Keys of verbs that tell how somebody said it."""
_LIGHT = words("get come give return take call go turn become keep show display name use need do make create")
"""Keys of verbs that say little without what follows them."""
_LITERALS = words("true false nil null")
_ARTICLES = words("a an the this that our their its his her my your")
_OF = words("of the a an")
_ENDS = words("before after until unless")


def binding_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the subjects and the objects that the source has elsewhere."""
    pairs: list[tuple[Token, Token]] = []
    for part in claim.parts:
        verb = claim.verb(part)
        if verb is not None:
            yield from _misplaced_subject(part, verb, claim, source)
            yield from _swapped_ends(part, verb, claim, source)
        pairs += _misplaced_objects(part, claim, source)
        yield from _outbid_values(part, claim, source)
        yield from _invented_deed(part, verb, claim, source)
        yield from _misplaced_row(part, claim, source)
        yield from _crossed_pairs(part, claim, source)
        yield from _miscounted(part, claim, source)
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


def _subject(span: Span, source: ParsedText) -> tuple[list[Token], Span]:
    """Return what stands before the verb of a part, else before that of the part before it, with that part."""
    parts = source.parts
    at = parts.index(span)
    unit = source.unit_of(span)
    while at >= 0 and parts[at][0] >= unit[0]:
        first, last = parts[at]
        verb = source.verb((first, last))
        found = list(source.tokens[first:verb]) if verb is not None else []
        if any(not token.is_empty or token.text in _PRONOUNS or token.text in _SPEAKERS for token in found):
            return found, (first, last)
        at -= 1
    return [], span


def _speaker(span: Span, source: ParsedText) -> list[Token]:
    """Return the name before the colon that a line begins with."""
    start, end = source.unit_of(span)
    first = source.tokens[start]
    is_label = end > start + 1 and source.tokens[start + 1].part != first.part
    return [first] if is_label and first.kind == "name" else []


def _misplaced_subject(part: Span, verb: int, claim: ParsedText, source: ParsedText) -> Iterator[str]:
    subject = [token for token in claim.tokens[part[0] : verb] if not token.is_empty]
    end = next((at for at in range(verb, part[1]) if claim.tokens[at].text in _ENDS), part[1])
    rest = [token for token in claim.tokens[verb:end] if not token.is_empty]
    home = _home(rest, _main_verb(claim, (verb, end)), subject, source) if subject and rest else None
    if home is None:
        return
    before, where = _subject(home, source)
    if any(token.text in _PRONOUNS for token in before):
        return
    if any(token.text in _SPEAKERS for token in before):
        before = []
    context = [*source.tokens[where[0] : where[1]], *source.tokens[home[0] : home[1]], *_speaker(home, source)]
    said = claim.content(part)
    rivals = [
        token
        for token in [*before, *_speaker(home, source)]
        if _is_telling(token) and token.key not in _GENERIC and not any(same(token, one) for one in said)
    ]
    known = sum(any(same(token, one) for one in context) for token in subject)
    for token in subject:
        if 2 * known >= len(subject) or token.value is not None:
            return
        if not rivals or not _is_telling(token) or any(same(token, one) for one in context):
            continue
        if any(same(token, one) for one in source.tokens) and not _is_elliptical(token, source):
            yield f"the source says this of {rivals[0].text!r}, not of {token.text!r}"
            return


def _is_elliptical(token: Token, source: ParsedText) -> bool:
    """Return whether the source says no more of it than that it does, or does not."""
    return any(len(here := source.content(span)) == 1 and same(token, here[0]) for span in source.parts)


def _misplaced_objects(part: Span, claim: ParsedText, source: ParsedText) -> Iterator[tuple[Token, Token]]:
    """Yield the tokens of a part, each with the one that the source has in its place."""
    said = claim.content(part)
    unit = claim.content(claim.unit_of(part))
    verb = claim.verb(part)
    main = None if verb is None else _main_verb(claim, (verb, part[1]))
    for at in range(*part):
        token = claim.tokens[at]
        known = [one for one in source.tokens if same(token, one)] if _is_telling(token) else []
        if not known:
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
            is_pointer = other.text in _GENERIC and place and source.tokens[place - 1].text in ("this", "that")
            if other.is_empty or is_pointer or any(same(other, one) for one in said):
                continue
            is_rival = (
                _is_telling(other)
                and _is_rival(token, other)
                and (token.value is not None or token.key in _LITERALS or not is_near)
            )
            if is_rival or _shares_slot(claim, at, source, place):
                yield token, other
                break


def _outbid_values(part: Span, claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the numbers whose part of the source has less of the claim than the part of another number of the kind."""
    telling = [token for token in claim.content(part) if _is_telling(token) and token.value is None]
    for token in claim.content(part):
        if not isinstance(token.value, Quantity) or not token.value.kind:
            continue
        own = [span for span in source.parts if any(same(token, one) for one in source.content(span))]
        if not own:
            continue
        best = max(source.share(telling, span) for span in own)
        for span in source.parts:
            rival = next((one for one in source.content(span) if _is_rival(token, one)), None)
            if rival is None or any(same(rival, one) for one in claim.tokens) or span in own:
                continue
            if source.share(telling, span) > best:
                yield f"the source has {rival.text!r} in the place of {token.text!r}"
                return


def _invented_deed(part: Span, verb: int | None, claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the deed of somebody for which the source has no word."""
    if verb is None or verb == part[0] or claim.tokens[verb - 1].kind != "name":
        return
    token = claim.tokens[verb]
    is_deed = (token.text.endswith("ed") or token.text in PAST) and token.text not in AUXILIARIES
    if is_deed and not token.is_empty and token.key not in _SAYING | _LIGHT and not source.vocabulary.has(token):
        yield f"the source does not say {token.text!r}"


def _misplaced_row(part: Span, claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield what the source says in the line of another name than the one that the claim begins with."""
    said = claim.content(part)
    lines = {unit: next((one for one in source.content(unit) if not one.is_empty), None) for unit in source.units}
    own = [unit for unit, first in lines.items() if first is not None and said and same(said[0], first)]
    if not own or not said[0].is_hard:
        return
    others = [unit for unit, first in lines.items() if unit not in own and first is not None and first.is_hard]
    for token in said[1:]:
        if _is_telling(token) and not any(source.share([token], unit) for unit in own):
            rival = next((unit for unit in others if source.share([token], unit)), None)
            if rival is not None and not any(same(lines[rival] or token, one) for one in claim.tokens):
                yield f"the source says {token.text!r} of another than {said[0].text!r}"
                return


def _crossed_pairs(part: Span, claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield two clauses that exchanged what they say: "A has x but B has y" for "B has x but A has y"."""
    following = next((span for span in claim.parts if span[0] == part[1]), None)
    if following is None or claim.verb(part) is None or claim.verb(following) is None:
        return
    here, there = claim.content(part), claim.content(following)
    own = [token for token in here if not any(_is_equal(token, one) for one in there)]
    others = [token for token in there if not any(_is_equal(token, one) for one in here)]
    spans = [source.content(span) for span in source.parts]
    places = {
        id(token): {at for at, span in enumerate(spans) if any(_is_equal(token, one) for one in span)}
        for token in (*own, *others)
    }
    for (first, said), (second, heard) in product(combinations(own, 2), permutations(others, 2)):
        straight = places[id(first)] & places[id(said)] or places[id(second)] & places[id(heard)]
        crossed = places[id(first)] & places[id(heard)] and places[id(second)] & places[id(said)]
        if crossed and not straight and first.text != said.text:
            yield f"the source says {heard.text!r} of {first.text!r}, not {said.text!r}"
            return


def _is_equal(one: Token, other: Token) -> bool:
    """Return whether two tokens are one, not only one a component of the other."""
    return same(one, other) and (one.value is not None or one.key == other.key)


def _miscounted(part: Span, claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the numbers of things of which the source gives another number."""
    counted = [one for span in source.parts for one in _counts(span, source)]
    for token, thing in _counts(part, claim):
        given = [number for number, other in counted if same(thing, other)]
        is_of_others = any(same(token, number) for number, _ in counted)
        if given and is_of_others and not any(same(token, number) for number in given):
            yield f"the source has {given[0].text!r} of {thing.text!r}, not {token.text!r}"


def _counts(span: Span, said: ParsedText) -> Iterator[tuple[Token, Token]]:
    """Yield the numbers of a stretch, each with the thing right after it."""
    for at in range(span[0], span[1] - 1):
        if isinstance(said.tokens[at].value, Quantity):
            after = next((token for token in said.tokens[at + 1 : span[1]] if token.text not in _OF), None)
            if after is not None and not after.is_empty and after.value is None:
                yield said.tokens[at], after


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


def _swapped_ends(part: Span, verb: int, claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the verbs whose doer and object changed places."""
    word = next((token for token in claim.tokens[verb : part[1]] if not token.is_empty), None)
    if word is None or word.is_hard:
        return
    first = [token for token in claim.tokens[part[0] : verb] if token.is_hard]
    last = [token for token in claim.tokens[verb : part[1]] if token.is_hard]
    is_passive = _is_passive(claim.tokens, claim.tokens.index(word))
    by = _agent(claim, claim.tokens.index(word), part) if is_passive else None
    if by:
        first, last, is_passive = by, first, False
    for span in source.parts:
        for at in range(*span):
            if not same(word, source.tokens[at]):
                continue
            before, after = source.tokens[span[0] : at], source.tokens[at + 1 : span[1]]
            if _is_passive(source.tokens, at) != is_passive:
                agent = _agent(source, at, span)
                if is_passive or not agent:
                    continue
                before, after = tuple(agent), _object(source, span, at)
            if overlap(first, before) or overlap(last, after):
                return
            if overlap(first, after) and overlap(last, before):
                yield f"the source has the ends of {word.text!r} the other way round"
                return


def _agent(said: ParsedText, verb: int, part: Span) -> list[Token]:
    """Return the names after "by" behind a verb."""
    by = next((at for at in range(verb + 1, min(verb + 3, part[1])) if said.tokens[at].text == "by"), None)
    return [] if by is None else [token for token in said.tokens[by + 1 : part[1]] if token.is_hard]


def _object(source: ParsedText, span: Span, verb: int) -> tuple[Token, ...]:
    """Return what stands before a passive verb, for "that is used by" what stands before the part."""
    at = source.parts.index(span)
    is_relative = source.tokens[span[0]].text in ("that", "which", "who") and at > 0
    return source.tokens[source.parts[at - 1][0] if is_relative else span[0] : verb]


def _is_passive(tokens: Sequence[Token], at: int) -> bool:
    return any(token.text in _PASSIVE for token in tokens[max(0, at - 2) : at])
