"""Claims that make a fact of a plan, a decision of a proposal, or a duty of a possibility."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.features.grounding.clauses import find_clauses
from recall_tui.features.grounding.everyday_words import words
from recall_tui.features.grounding.parsed_text import (
    ARTICLES,
    AUXILIARIES,
    ParsedText,
    Span,
    best_unit,
    is_past_form,
    same,
)
from recall_tui.features.grounding.scopes import MARKERS, RANKS, Mood
from recall_tui.features.grounding.tokens import is_verb_form

_TAKEN_FOR: dict[Mood, frozenset[Mood]] = {
    "": frozenset(("will", "wish", "propose", "try", "wait", "should", "may", "must", "if")),
    "must": frozenset(("may", "propose", "wish")),
    "may": frozenset(("must",)),
    "will": frozenset(("may", "wish", "propose", "try")),
    "should": frozenset(("may",)),
    "wish": frozenset(),
    "propose": frozenset(),
    "try": frozenset(),
    "wait": frozenset(),
    "if": frozenset(),
}
"""For each mood of a claim those of a source that do not bear it out."""
_WORDS: dict[Mood, str] = {
    "": "done", "must": "required", "should": "recommended", "may": "possible", "will": "planned", "wish": "wished for",
    "propose": "proposed", "try": "tried", "wait": "waited for", "if": "conditional",
}  # fmt: skip
_NO_VERBS = words("over under")
_OPEN: frozenset[Mood] = frozenset(("wish", "propose", "wait"))
"""Moods under which a thing that is named is not there yet."""
_BINDING: frozenset[Mood] = frozenset(("must", "may"))
_UNDECIDED: frozenset[Mood] = frozenset(("wish", "propose"))
_OPEN_DUTIES: frozenset[Mood] = frozenset(("must", "will", "wait"))
_RESULTS = words("pass fail work finish")
"""Keys of verbs that tell how a deed ended."""
_PLANNED: frozenset[Mood] = frozenset(("will", "wish"))
_FELT: frozenset[Mood] = frozenset(("wish", "must"))
"""Moods that make no difference to what is denied."""
_TASK_NOUNS = words("whether how something things work need time reason way steps")
"""Words before an infinitive that tells what is still to be done."""
_SURE = words("definitely certainly surely undoubtedly clearly")
_UNSURE = words("appears appear seems seem likely probably perhaps possibly maybe might may could suspect")
_BY_NOW = words("now already")
_UNDONE = words("revert disable fail")


def mood_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield what the claim takes for more certain, or more binding, than the source does."""
    for part in claim.parts:
        undone = any(
            one.key in _UNDONE
            and not one.text.startswith("err")
            and not (at > part[0] and claim.tokens[at - 1].text in ARTICLES)
            for at, one in enumerate(claim.tokens[slice(*part)], part[0])
        )
        said = claim.content(part)
        first, last = best_unit(said, source)
        near = range(first, last)
        would = any(token.text == "would" for token in claim.tokens[slice(*part)])
        weakest: Mood = "propose" if would else max((claim.scopes.moods[at] for at in range(*part)), key=RANKS.index)
        for at in range(*part):
            token = claim.tokens[at]
            is_past = is_past_form(token.text) and token.kind != "code"
            # "Passed once the errors were fixed" tells when, not on which condition.
            mood = claim.scopes.moods[at] or ("" if weakest == "if" and is_past else weakest)
            if token.text == "before":
                break
            is_noun = token.text in _NO_VERBS or _is_gerund(claim, at)
            if token.is_empty or is_noun or (undone and not mood) or at in claim.scopes.wanted:
                continue
            if not mood and at == part[0] + 1 and claim.tokens[at - 1].text == "to":
                continue
            everywhere = source.find(token)
            places = [place for place in everywhere if place in near] or everywhere
            is_deed = _is_deed(claim, at, part) and not mood and at not in claim.scopes.possible
            if is_deed:
                told = [place for place in everywhere if not _is_name_of_deed(source, place)]
                places = [place for place in told if place in near] or told or places
            moods = {_mood_of(source, place, is_deed=is_deed) for place in places}
            is_denied = claim.scopes.negated[at] and all(source.scopes.negated[place] for place in places)
            if moods and moods <= _FELT and is_denied:
                continue
            if token.text.endswith("s") and not is_deed:
                # What a thing does, it will do.
                moods = {"" if one == "will" else one for one in moods}
            is_verb = token.kind == "word" and token.text not in MARKERS
            if (
                claim.scopes.moods[at] in _OPEN_DUTIES
                and is_verb
                and places
                and any(_is_done(source, place) for place in places)
                and not any(source.scopes.moods[place] for place in places)
            ):
                yield f"{token.text!r} is done in the source, not {_WORDS[mood]}"
                break
            if moods and moods <= (_TAKEN_FOR[mood] if not token.is_hard else _OPEN if not mood else frozenset()):
                yield f"{token.text!r} is {_WORDS[min(moods)]} in the source, not {_WORDS[mood]}"
                break
        yield from _duties(part, claim, source)
        yield from _certainties(part, claim, source)
    yield from _decisions(claim, source)
    yield from _outcomes(claim, source)


def _outcomes(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield what became of a thing with which the source has only planned to do something."""
    known = find_clauses(source)
    for clause in find_clauses(claim):
        role = "object" if clause.is_passive else "subject"
        subject = [one.token for one in clause.placed if one.role == role and not one.token.is_empty]
        if clause.mood or clause.verb is None or clause.verb.key not in _RESULTS or len(subject) < 2:
            continue
        there = [other for other in known if all(any(same(one, x.token) for x in other.placed) for one in subject)]
        verb = clause.verb
        if there and all(one.mood in _PLANNED and not any(same(verb, x.token) for x in one.placed) for one in there):
            yield f"{' '.join(token.text for token in subject)!r} is only planned for in the source"


def _is_deed(claim: ParsedText, at: int, part: Span) -> bool:
    """Return whether a word tells what was done, or is done by now."""
    token = claim.tokens[at]
    if is_past_form(token.text) and token.kind != "code":
        return True
    is_now = any(one.text in _BY_NOW for one in claim.tokens[slice(*part)])
    return is_now and token.text.endswith("s") and claim.is_verb(at)


def _is_name_of_deed(source: ParsedText, place: int) -> bool:
    """Return whether a word stands as a noun: "the change", "changing it"."""
    before = source.tokens[place - 1].text if place else ""
    return before in ("the", "a", "an") or (source.tokens[place].text.endswith("ing") and before not in AUXILIARIES)


def _is_done(source: ParsedText, place: int) -> bool:
    """Return whether a verb of the source tells what happened."""
    word, before = source.tokens[place].text, source.tokens[place - 1].text if place else ""
    is_past = is_past_form(word) or (is_verb_form(word) and before in AUXILIARIES | _BY_NOW)
    return is_past and not source.scopes.moods[place] and not source.scopes.negated[place]


def _certainties(part: Span, claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the word by which a claim is sure of what the source only takes for likely."""
    sure = next((token.text for token in claim.tokens[slice(*part)] if token.text in _SURE), None)
    near = {token.text for token in source.tokens[slice(*best_unit(claim.content(part), source))]}
    if sure is not None and near & _UNSURE and not near & _SURE:
        yield f"the source does not say {sure!r}"


def _mood_of(source: ParsedText, place: int, *, is_deed: bool) -> Mood:
    """Return the mood of a word of the source; for a deed also what is only wanted or possible counts."""
    if (mood := source.scopes.moods[place]) or not is_deed:
        return mood
    if place in source.scopes.wanted:
        return "wish"
    tokens = source.tokens
    is_infinitive = place > 0 and tokens[place - 1].text == "to" and not tokens[place].text.endswith("ed")
    first, last = source.unit_of(source.part_of(place))
    is_planned = is_infinitive and any(token.text == "plan" for token in tokens[first:last])
    is_aim = is_planned or (is_infinitive and place > 1 and tokens[place - 2].text in _TASK_NOUNS)
    return "will" if is_aim else "may" if place in source.scopes.possible else ""


def _duties(part: Span, claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield a duty that is made of a permission, and a permission of a duty."""
    said = {MARKERS.get(token.text, "") for token in claim.tokens[part[0] : part[1]]} & _BINDING
    if len(said) != 1:
        return
    first, last = max(source.parts, key=lambda span: source.share(claim.content(part), span), default=(0, 0))
    known = {MARKERS.get(token.text, "") for token in source.tokens[first:last]} & _BINDING
    if any(claim.scopes.negated[slice(*part)]) and any(source.scopes.negated[first:last]):
        return  # "must not" and "no … may" are one.
    if said == {"must"} and not known and any(token.text == "can" for token in source.tokens[first:last]):
        known = {"may"}
    if len(known) == 1 and said != known:
        yield f"it is {_WORDS[min(known)]} in the source, not {_WORDS[min(said)]}"


def _is_gerund(claim: ParsedText, at: int) -> bool:
    """Return whether a word names a deed rather than tells that it is done."""
    before = {token.text for token in claim.tokens[max(0, at - 3) : at]}
    return claim.tokens[at].text.endswith("ing") and not before & {"is", "are", "was", "were", "be", "been"}


def _decisions(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield a decision that the source does not take."""
    for at, token in enumerate(claim.tokens):
        if token.key != "choose" or claim.scopes.negated[at] or claim.scopes.moods[at]:
            continue
        taken = [place for place, one in enumerate(source.tokens) if one.key == "choose"]
        if any(not source.scopes.negated[place] and not source.scopes.moods[place] for place in taken):
            continue
        if taken or _UNDECIDED & set(source.scopes.moods) or "?" in source.text:
            yield f"the source does not say {token.text!r}"
