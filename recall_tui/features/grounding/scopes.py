"""Mark the tokens that stand under a negation, and those that are planned, tried, possible or required."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from recall_tui.features.grounding.everyday_words import VERBS, words
from recall_tui.features.grounding.tokens import Token

Mood = Literal["", "must", "should", "may", "will", "wish", "propose", "try", "wait", "if"]
_NEGATORS = words("not no never none nothing nobody without neither nor cannot unable")
_LACKING = words("missing lack lacks lacked lacking absent")
_REFUSING = words("reject against avoid forbid")
"""Keys of words that deny what follows them."""
_DECIDING = words("choose vot speak argu")
_PASSIVE = words("is are was were be been being get got")
_TRANSPARENT = words("possible able allowed any ever even really quite always yet need have")
"""Words between a negation and what it denies."""
MARKERS: dict[str, Mood] = {
    **dict.fromkeys(
        words("must required requires require needs mandatory obliged shall"),
        "must",
    ),
    **dict.fromkeys(
        words("should recommend recommends recommended ought"),
        "should",
    ),
    **dict.fromkeys(
        words("may might could possibly perhaps maybe optional optionally probably likely allowed permitted"),
        "may",
    ),
    **dict.fromkeys(
        words(
            "will plan plans planned planning intend intends intended todo wip tbd tomorrow next upcoming "
            "scheduled goal aims decided decides decide agreed agrees"
        ),
        "will",
    ),
    **dict.fromkeys(
        words("hope hopes leans lean prefers please worth"),
        "wish",
    ),
    **dict.fromkeys(
        words(
            "propose proposes proposed proposal suggest suggests suggested suggestion consider considers "
            "considered considering discuss discussed discussing evaluate evaluating idea"
        ),
        "propose",
    ),
    **dict.fromkeys(
        words("try tries tried trying attempt attempts attempted experiment experimented"),
        "try",
    ),
    **dict.fromkeys(
        words("waiting pending awaiting awaits blocked"),
        "wait",
    ),
    **dict.fromkeys(
        words("unless once until"),
        "if",
    ),
}
_COMPOUND_MOODS: dict[tuple[str, str], Mood] = {
    ("has", "to"): "must", ("have", "to"): "must", ("had", "to"): "must", ("need", "to"): "must",
    ("needs", "to"): "must", ("ask", "to"): "wish", ("asks", "to"): "wish", ("asked", "to"): "wish",
    ("want", "to"): "wish", ("wants", "to"): "wish", ("wanted", "to"): "wish", ("wish", "to"): "wish",
    ("asked", "never"): "wish", ("asked", "not"): "wish", ("going", "to"): "will", ("let", "us"): "will",
    ("let", "me"): "will",
    ("about", "to"): "will", ("ready", "to"): "will", ("is", "to"): "will", ("are", "to"): "will", ("be", "to"): "will",
}  # fmt: skip
RANKS: tuple[Mood, ...] = ("", "must", "should", "will", "try", "may", "wish", "propose", "wait", "if")
"""From the certain to the open."""
_WANTING = words("want wants wanted wish wishes ask asks asked need needs needed requests requested")
_WISHING = words("like prefer love rather")
_BARRIERS = words("it them him her this that these those a an the on in at by with of")
"""Words after which no verb follows that a mood is about."""
_LABELS = words("todo pending outstanding wip tbd")
"""Words that are said of what stands before them."""
BASE_VERBS = words(VERBS)
_ASKED = ("will", "wish", "propose", "must", "should")
_PARTICIPLES = words(
    "required recommended allowed permitted optional planned scheduled proposed suggested considered discussed"
    " tried attempted pending blocked intended wanted requested"
)
_CONDITIONS = words("if when because since until before after")
_COUNTED = words("in per a an and more again at for by") | {""}
"""Words after a "once" that counts."""
_PAUSES = words("until on for while in at")
_PERSONS = words("me us you them him her")
_NUMBERED = words(
    "page code status version step phase stage line row column port index level shard partition replica node worker"
    " thread process slot part chapter section item id number round iteration attempt run week day hour offset"
)
"""Words that a number after them names: "page 0" is no page less."""
_MAX_SCOPE_TOKENS = 9


@dataclass(slots=True)
class Scopes:
    """For each token whether it is denied, and under which mood it stands."""

    negated: list[bool]
    moods: list[Mood]
    heads: list[tuple[int, ...]] = field(default_factory=list)
    """For each negation the first tokens that it denies, by place."""
    wanted: set[int] = field(default_factory=set)
    """The places of what is asked for, or wanted, as a thing."""
    refused: set[int] = field(default_factory=set)
    """The places of what is denied by a verb such as "block", which itself is affirmed."""
    possible: set[int] = field(default_factory=set)
    """The places of what can be done."""


def find_scopes(tokens: Sequence[Token]) -> Scopes:
    """Return the scopes of negations and of moods."""
    scopes = Scopes([False] * len(tokens), [""] * len(tokens))
    for place, token in enumerate(tokens):
        word = token.text.lower()
        following = tokens[place + 1].text.lower() if place + 1 < len(tokens) else ""
        if word == "non":
            _deny(scopes, tokens, place + 1, limit=1)
        elif word in _NEGATORS and not _is_of_only(tokens, place):
            is_elliptic = word == "without" or (following in ("have", "had") and tokens[place + 1].part == token.part)
            if not _deny(scopes, tokens, place + 1) and not is_elliptic:
                _deny_before(scopes, tokens, place)
        elif (
            token.kind == "number"
            and token.value is not None
            and token.value[0] == 0
            and _is_plain(tokens, place + 1)
            and not (place and tokens[place - 1].text.lower() in _NUMBERED)
        ):
            _deny(scopes, tokens, place + 1, limit=1)
        elif word in _LACKING or (token.key == "fail" and following == "to"):
            scopes.negated[place] = True
            if place and (tokens[place - 1].text in _PASSIVE or tokens[place - 1].key == "notice"):
                _deny_before(scopes, tokens, place)
            _deny(scopes, tokens, place + 1, (place,))
        elif token.key in _REFUSING and not scopes.negated[place]:
            _refuse(scopes, tokens, place)
        elif (word, following) in (("instead", "of"), ("rather", "than")):
            _deny(scopes, tokens, place + 2, is_head=False)
        elif (word, following) == ("ruled", "out") or " ".join(
            one.text for one in tokens[place : place + 3]
        ) == "out of scope":
            _deny_before(scopes, tokens, place)
        mood = _COMPOUND_MOODS.get((word, following)) or MARKERS.get(word)
        if (word == "once" and following in _COUNTED) or (word == "intended" and following == "for"):
            mood = None
        if word == "considered" and _has_complement(tokens, place):
            mood = None
        if word == "todo" and not _is_edge(tokens, place):
            mood = None
        after = tokens[place + 2].text.lower() if place + 2 < len(tokens) else ""
        if word == "would" and following in _WISHING:
            mood = "wish"
        elif word in ("like", "want") and following in _PERSONS and after == "to":
            _set_mood(scopes, tokens, place + 2, "wish")
        elif word == "would" or (word == "is" and following not in _PASSIVE):
            for at in (_first_of_unit(tokens, place), place - 1):
                if at >= 0 and tokens[at].text.endswith("ing"):
                    _weaken(scopes, at, "propose")
        if (token.key in ("ask", "expect", "want") and not mood) or token.text in ("requires", "require", "required"):
            goal = next((at for at in range(place + 1, min(place + 5, len(tokens))) if tokens[at].text == "to"), None)
            if goal is not None:
                _set_mood(scopes, tokens, goal, mood or "wish")
        if word in ("can", "would") and following != "not":
            scopes.possible |= {at for at in range(place + 1, len(tokens)) if tokens[at].part == token.part}
        if word in _WANTING:
            scopes.wanted |= {at for at in range(place + 1, len(tokens)) if tokens[at].part == token.part}
        if mood:
            _set_mood(scopes, tokens, place, mood)
    for place in range(1, len(tokens) - 1):
        if tokens[place].text == "to" and tokens[place + 1].text in BASE_VERBS and not scopes.moods[place + 1]:
            _inherit_mood(scopes, tokens, place)
    return scopes


def _inherit_mood(scopes: Scopes, tokens: Sequence[Token], place: int) -> None:
    """Set the mood of an infinitive to that of the verb that it depends on: "let us patch it to accept both"."""
    if tokens[place - 1].text in ("whether", "how"):
        _weaken(scopes, place + 1, "will")
        _weaken_alternative(scopes, tokens, place + 1, "will")
    for at in range(place - 1, max(-1, place - _MAX_SCOPE_TOKENS), -1):
        if tokens[at].unit != tokens[place].unit or tokens[at].part != tokens[place].part:
            return
        if scopes.moods[at] in _ASKED and scopes.moods[at] != "propose":
            _weaken(scopes, place + 1, scopes.moods[at])
            return


def _is_of_only(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a negation is that of "not only", or of "no longer just", which denies nothing of what follows."""
    place = at + 1 + (at + 1 < len(tokens) and tokens[at + 1].text == "longer")
    return place < len(tokens) and tokens[place].text in ("only", "just", "merely", "simply")


def _has_complement(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a thing "is considered" to be something, which is no plan."""
    return tokens[at - 1].text in _PASSIVE and at > 0 and _is_plain(tokens, at + 1)


def _is_edge(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a token begins or ends its sentence or its part."""
    if at in (0, len(tokens) - 1) or tokens[at - 1].text in _PASSIVE:
        return True
    return tokens[at].part not in (tokens[at - 1].part, tokens[at + 1].part)


def _first_of_unit(tokens: Sequence[Token], at: int) -> int:
    """Return the place of the first token of the sentence."""
    while at and tokens[at - 1].unit == tokens[at].unit:
        at -= 1
    return at


def _is_plain(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a word follows in the part that can be counted."""
    return (
        at < len(tokens)
        and tokens[at].part == tokens[at - 1].part
        and tokens[at].kind != "number"
        and not tokens[at].is_empty
    )


def _refuse(scopes: Scopes, tokens: Sequence[Token], place: int) -> None:
    """Deny what is rejected: the words after it, or those before it where it is passive."""
    before = tokens[place - 1] if place else None
    known = list(scopes.negated)
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if tokens[place].text in ("block", "blocks") and (
        after is None or after.part != tokens[place].part or after.text.endswith("ing") or after.text in _PAUSES
    ):
        return  # "Blocks waiting for it" waits.
    if tokens[place].text == "against":
        if before is not None and before.key in _DECIDING:
            _deny(scopes, tokens, place + 1)
    elif before is not None and before.text in _PASSIVE and not tokens[place].text.endswith("ing"):
        _deny_before(scopes, tokens, place)
    else:
        _deny(scopes, tokens, place + 1)
    scopes.refused |= {at for at, was in enumerate(known) if scopes.negated[at] and not was}


def _deny(
    scopes: Scopes,
    tokens: Sequence[Token],
    start: int,
    lexical: tuple[int, ...] = (),
    *,
    is_head: bool = True,
    limit: int = _MAX_SCOPE_TOKENS,
) -> bool:
    """Deny what follows in the part, and return whether something does."""
    reached: list[int] = []
    is_any = False
    part = tokens[start - 1].part
    for place in range(start, min(len(tokens), start + limit)):
        token = tokens[place]
        if token.part != part and (token.text in ("or", "nor") or (place == start and token.text in _CONDITIONS)):
            part = token.part
            if is_head and reached:
                scopes.heads.append((*reached[:3], *lexical))
                reached, is_any = [], True
        if token.unit != tokens[start - 1].unit or token.part != part:
            break
        scopes.negated[place] = True
        if not token.is_empty and token.text not in _TRANSPARENT:
            reached.append(place)
    if is_head and (heads := (*reached[:3], *lexical)):
        scopes.heads.append(heads)
    return is_any or bool(reached)


def _deny_before(scopes: Scopes, tokens: Sequence[Token], end: int) -> None:
    """Deny what stands before it in the part."""
    reached: list[int] = []
    for place in range(end - 1, -1, -1):
        if tokens[place].unit != tokens[end].unit or tokens[place].part != tokens[end].part:
            break
        scopes.negated[place] = True
        if not tokens[place].is_empty:
            reached.append(place)
    if reached:
        scopes.heads.append(tuple(reversed(reached[:3])))


def _set_mood(scopes: Scopes, tokens: Sequence[Token], start: int, mood: Mood) -> None:
    """Set the mood of the verb that follows, and where it is said of them ("X is planned") of the words before."""
    word = tokens[start].text.lower()
    is_label = word in _LABELS and _is_edge(tokens, start)
    if start and (is_label or (word in _PARTICIPLES and tokens[start - 1].text in _PASSIVE)):
        for place in range(start):
            if (
                tokens[start].part - tokens[place].part <= _is_list(tokens, start)
                and tokens[place].unit == tokens[start].unit
            ):
                _weaken(scopes, place, mood)
    is_copula = False
    for place in range(start + 1, len(tokens)):
        token = tokens[place]
        if token.unit != tokens[start].unit:
            break
        is_copula = is_copula or token.text == "be"
        if mood != "if" and token.text in _BARRIERS and not is_copula:
            break
        if mood == "if" or not (token.is_empty or token.text in MARKERS or token.text.endswith("ly")):
            _weaken(scopes, place, mood)
            if mood != "if":
                _weaken_alternative(scopes, tokens, place, mood)
                break
        if mood == "if" and place + 1 < len(tokens) and tokens[place + 1].part != token.part:
            break


def _weaken_alternative(scopes: Scopes, tokens: Sequence[Token], place: int, mood: Mood) -> None:
    """Set the mood of the second verb, too, of "consider passing the parsed one or restructuring the function"."""
    is_gerund = tokens[place].text.endswith("ing")
    for at in range(place + 1, len(tokens) - 1):
        if tokens[at].unit != tokens[place].unit:
            return
        after = tokens[at + 1].text
        is_verb = after.endswith("ing") if is_gerund else after in BASE_VERBS and mood in _ASKED
        if tokens[at].text in ("or", "and") and is_verb:
            _weaken(scopes, at + 1, mood)


def _is_list(tokens: Sequence[Token], at: int) -> bool:
    """Return whether the part of a token begins with a conjunction of things."""
    first = next(token for token in tokens if token.part == tokens[at].part)
    return first.text in ("and", "or")


def _weaken(scopes: Scopes, place: int, mood: Mood) -> None:
    if RANKS.index(mood) > RANKS.index(scopes.moods[place]):
        scopes.moods[place] = mood
