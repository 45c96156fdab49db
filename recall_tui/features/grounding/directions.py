"""Claims that turn a relation round (from and to, old and new, chosen and rejected), or give another reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from recall_tui.features.grounding.everyday_words import words
from recall_tui.features.grounding.parsed_text import ParsedText
from recall_tui.features.grounding.tokens import Token

_MOVING = words(
    "move replace change raise lower rename convert upgrade downgrade set switch bring turn jump drop return begin"
    " translat port"
)
_REPLACING = frozenset(("replace",))
_RENAMING = words("rename convert translat turn")
_DEPENDING = words("depend import call extend inherit contain block trigger follow precede")
_STOPS = words("from in on at for by with because since so when while after before until but and")
_WAYS = words("via through over")
_GOALS = words("to into unto")
_RELATIVE = words("which that who and but so not")
"""Words with which a part takes over what stands before it."""
_MAX_SIDE_TOKENS = 4
_MAX_NEAR_TOKENS = 3
"""Of what stands before "instead of", those that are chosen for sure."""
_CAUSAL = words("because since due owing")
_MARKERS = words("because since due owing so as therefore thus hence cause reason led")
_SUBJECTS = words("it they the a an this that there he she we i its their his her no")
_MAX_NEW_SHARE = 0.34
_MIN_SHARED_SHARE = 0.34


class Relation(NamedTuple):
    """One thing before, the other after; or what came first, and what then."""

    family: str
    first: tuple[Token, ...]
    second: tuple[Token, ...]


def direction_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the relations that the source has the other way round."""
    known = tuple(_relations(source))
    for one in _relations(claim):
        straight = crossed = 0.0
        for other in known:
            if other.family == one.family:
                share = _share_of_texts if _contrasts_synonyms(one) else _share
                along = share(other.first, one.first) + share(other.second, one.second)
                across = share(other.second, one.first) + share(other.first, one.second)
                straight, crossed = max(straight, along), max(crossed, across)
        # That one deed follows another is often said twice, of their past and of what they should be.
        if crossed > straight + (0.5 if one.family == "order" else 0.0):
            yield f"the source has {_words(one.first)} and {_words(one.second)} the other way round"


def _share(known: tuple[Token, ...], said: tuple[Token, ...]) -> float:
    """Return how much of the source's side the claim's side has."""
    keys = {token.key or token.text for token in said}
    return sum((token.key or token.text) in keys for token in known) / len(known) if known else 0.0


def _share_of_texts(known: tuple[Token, ...], said: tuple[Token, ...]) -> float:
    texts = {token.text for token in said}
    return sum(token.text in texts for token in known) / len(known) if known else 0.0


def _contrasts_synonyms(one: Relation) -> bool:
    """Return whether its ends are words that else are taken for one."""
    return not {token.key for token in one.first}.isdisjoint(token.key for token in one.second if token.key)


def _words(tokens: tuple[Token, ...]) -> str:
    return repr(" ".join(token.text for token in tokens))


def _relations(said: ParsedText) -> Iterator[Relation]:
    for start, end in said.units:
        yield from _changes(said.tokens[start:end])
        yield from _choices(said.tokens[start:end])
        yield from _sequences(said.tokens[start:end])


def _changes(tokens: tuple[Token, ...]) -> Iterator[Relation]:
    """Yield what became what: "from A to B", "replaced A with B", "A replaced by B", "out of A", "into B"."""
    moves = [at for at, token in enumerate(tokens) if token.key in _MOVING]
    for at, token in enumerate(tokens):
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.text == "unto":
            if at and at + 1 < len(tokens) and tokens[at - 1].is_hard and tokens[at + 1].is_hard:
                yield Relation("change", tokens[at - 1 : at], tokens[at + 1 : at + 2])
        elif token.text == "from":
            goal = next((place for place in range(at + 1, len(tokens)) if tokens[place].text in _GOALS), None)
            if goal is not None and goal - at <= 8:
                end = next((place for place in range(at, goal) if tokens[place].text in _WAYS), goal)
                yield Relation("change", _after(tokens, at + 1, end), _after(tokens, goal + 1))
            elif any(place < at for place in moves):
                back = next((p for p in range(at - 1, -1, -1) if tokens[p].text in ("to", "into")), None)
                yield Relation(
                    "change", _after(tokens, at + 1), _after(tokens, back + 1, at) if back is not None else ()
                )
        elif (token.text, following) == ("out", "of") and moves:
            yield Relation("change", _after(tokens, at + 2), ())
        elif token.text in ("to", "into") and any(place < at for place in moves):
            if not any(one.text == "from" for one in tokens):
                verb = max(place for place in moves if place < at)
                if tokens[verb].part != token.part or following == "be":
                    continue
                first = _after(tokens, verb + 1, at) if tokens[verb].key in _RENAMING else ()
                yield Relation("change", first, _after(tokens, at + 1))
        elif token.key == "remove" and following != "from":
            now = next((place for place in range(at + 1, len(tokens) - 1) if tokens[place].text == "now"), None)
            if now is not None and tokens[now + 1].key == "use":
                yield Relation("change", _after(tokens, at + 1, now), _after(tokens, now + 2))
        elif token.key in _REPLACING and not token.text.endswith(("ment", "ments")):
            yield from _replacement(tokens, at)


def _replacement(tokens: tuple[Token, ...], at: int) -> Iterator[Relation]:
    within = (p for p in range(at + 1, len(tokens)) if tokens[p].part == tokens[at].part)
    joined = next((p for p in within if tokens[p].text in ("with", "by", "for")), None)
    is_passive = at > 0 and tokens[at - 1].text in ("is", "are", "was", "were", "be", "been", "being")
    if joined is not None:
        agent = _after(tokens, joined + 1)
        old = _before(tokens, at) if is_passive or joined == at + 1 else _after(tokens, at + 1, joined)
        yield Relation("change", old, agent)
    elif not is_passive and at and tokens[at].text.startswith(("replac", "supersed")):
        yield Relation("change", _after(tokens, at + 1), _before(tokens, at))


def _choices(tokens: tuple[Token, ...]) -> Iterator[Relation]:
    """Yield what was not taken with what was: "B instead of A", "B rather than A", "B over A", "B, not A"."""
    for at, token in enumerate(tokens):
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if (token.text, following) in (("instead", "of"), ("rather", "than")):
            if at and _before(tokens, at):
                yield Relation("change", _after(tokens, at + 2), _before(tokens, at)[-_MAX_NEAR_TOKENS:])
            else:
                comma = next((p for p in range(at + 2, len(tokens)) if tokens[p].part != token.part), len(tokens))
                yield Relation("change", _after(tokens, at + 2, comma), _after(tokens, comma))
        elif (
            (token.text == "to" and any(one.text.startswith("prefer") for one in tokens[:at]))
            or (token.text == "over" and any(one.key in ("choose", "want") for one in tokens[:at]))
            or (token.text == "not" and at and tokens[at - 1].part != token.part and following not in ("yet", "the"))
        ):
            yield Relation("change", _after(tokens, at + 1), _before(tokens, at))
        elif token.text == "than" and _is_comparison(tokens, at):
            part = next(place for place, one in enumerate(tokens) if one.part == token.part)
            yield Relation("comparison", _after(tokens, at + 1), _after(tokens, part, at))
        elif (token.text, following) in (("in", "favour"), ("in", "favor")):
            yield Relation("change", _before(tokens, at), _after(tokens, at + 3))


def _is_comparison(tokens: tuple[Token, ...], at: int) -> bool:
    """Return whether what stands before "than" is said to be more, or less, than what follows."""
    part = [token.text for token in tokens[:at] if token.part == tokens[at].part]
    is_degree = any(word in ("more", "less", "fewer") or (word.endswith("er") and len(word) > 4) for word in part)
    return is_degree and at + 1 < len(tokens) and tokens[at + 1].value is None


def _sequences(tokens: tuple[Token, ...]) -> Iterator[Relation]:
    """Yield what came first with what came then: "A before B", "B after A", "before B, A"."""
    for at, token in enumerate(tokens):
        if token.text not in ("before", "after"):
            continue
        if at:
            other = _before(tokens, at)
        else:
            comma = next((p for p in range(at + 1, len(tokens)) if tokens[p].part != token.part), len(tokens))
            other = _after(tokens, comma) if comma < len(tokens) else ()
        one = _after(tokens, at + 1)
        if one and other:
            yield Relation("order", other, one) if token.text == "before" else Relation("order", one, other)


def _after(tokens: tuple[Token, ...], start: int, end: int | None = None) -> tuple[Token, ...]:
    found: list[Token] = []
    for place in range(start, len(tokens) if end is None else end):
        token = tokens[place]
        if end is None and (token.text in _STOPS or (found and token.part != found[-1].part)) and found:
            break
        if not token.is_empty:
            found.append(token)
        if len(found) == _MAX_SIDE_TOKENS:
            break
    return tuple(found)


def _before(tokens: tuple[Token, ...], end: int) -> tuple[Token, ...]:
    found: list[Token] = []
    part = tokens[min(end, len(tokens) - 1)].part
    first = next(place for place, token in enumerate(tokens) if token.part == part)
    for place in range(end - 1, -1, -1):
        token = tokens[place]
        if token.part != part and (found or tokens[first].text not in _RELATIVE):
            break
        if token.key in _MOVING or token.key in _DEPENDING:
            break
        if not token.is_empty:
            found.append(token)
        if len(found) == _MAX_SIDE_TOKENS:
            break
    return tuple(reversed(found))


def cause_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the causes that the source gives no word of, or for which it gives others."""
    for reason in _causes(claim):
        if not reason:
            continue
        known = [token for token in reason if source.vocabulary.has(token)]
        words = " ".join(token.text for token in reason)
        if len(reason) - len(known) > _MAX_NEW_SHARE * len(reason):
            yield f"the source does not give the reason {words!r}"
            continue
        given = [cause for cause in _causes(source) if cause]
        if len(given) == 1 and not _is_part_of(reason, given[0]) and not _has_consequence(source):
            yield f"the source gives another reason than {words!r}"


def _is_part_of(reason: list[Token], given: list[Token]) -> bool:
    keys = {token.key for token in given}
    return sum(token.key in keys for token in reason) >= _MIN_SHARED_SHARE * len(reason)


def _has_consequence(source: ParsedText) -> bool:
    """Return whether the source draws a conclusion as well: what stands before it is a reason, too."""
    return any(token.text in ("so", "therefore", "thus", "hence", "cause") for token in source.tokens)


def _causes(said: ParsedText) -> Iterator[list[Token]]:
    """Yield the content of what follows each word that announces a cause, to the end of its sentence."""
    tokens = said.tokens
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        is_cause = token.text in _CAUSAL or (
            token.text == "as"
            and at > 0
            and tokens[at - 1].part != token.part
            and following is not None
            and following.text in _SUBJECTS
        )
        if not is_cause or (token.text == "since" and following is not None and following.value is not None):
            continue
        unit = token.unit
        is_first = at == 0 or tokens[at - 1].unit != unit
        end = next(
            (
                place
                for place in range(at, len(tokens))
                if tokens[place].unit != unit or (is_first and tokens[place].part != token.part)
            ),
            len(tokens),
        )
        yield [one for one in tokens[at + 1 : end] if not one.is_empty and one.text not in _MARKERS]
