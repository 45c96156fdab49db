"""Patterns run only where one of their literals stands, so each way to match a pattern must contain one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.secrets import decoded_views
from recall_tui.text.secrets.literals import NAME_LITERALS, WORDS, scan
from recall_tui.text.secrets.names import ANCHORS
from recall_tui.text.secrets.shapes import SHAPE_FAMILIES, ShapeFamily

Known = dict[int, frozenset[str]]
"""The characters that may stand at an offset from the start of a match, in lower case."""
WITH_LITERALS = [family for family in SHAPE_FAMILIES if family.literals]
PIECES = [*(one.replace("|", "") for one in NAME_LITERALS), *WORDS, *"abku_-. :=\n9", "aZ3-_9/q" * 4, "é"]


def has_on_every_path(pattern: re.Pattern[str], is_known: Callable[[Known], bool]) -> bool:
    """Follow each way through a pattern until the characters that it prescribes satisfy `is_known`."""
    tree = re._parser.parse(pattern.pattern, pattern.flags)  # type: ignore[attr-defined]
    return _follow(list(tree), 0, {}, is_known)


def _follow(steps: Sequence[Any], at: int, known: Known, is_known: Callable[[Known], bool]) -> bool:
    for number, step in enumerate(steps):
        if any(not chars for chars in known.values()) or is_known(known):
            return True
        rest = steps[number + 1 :]
        match step:
            case ("at", place):
                at = place
                continue
            case (kind, argument):
                name = str(kind)
        if name == "LITERAL":
            known, at = _with(known, at, frozenset(chr(argument).lower())), at + 1
        elif name in ("IN", "NOT_LITERAL", "ANY"):
            known, at = _with(known, at, _characters(argument)) if name == "IN" else known, at + 1
        elif name == "SUBPATTERN":
            return _follow([*argument[3], *rest], at, known, is_known)
        elif name == "BRANCH":
            return all(_follow([*branch, *rest], at, known, is_known) for branch in argument[1])
        elif name == "ASSERT":
            direction, inner = argument
            first = at - inner.getwidth()[0] if direction < 0 else at
            asserted = inner if direction < 0 else takewhile(lambda one: str(one[0]) in ("LITERAL", "IN"), inner)
            return _follow([*asserted, ("at", at), *rest], first, known, is_known)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, inner = argument
            if (least, most) == (0, 1):
                return all(_follow([*one, *rest], at, known, is_known) for one in ((), inner))
            repeated = [*inner] * least
            if least != most:
                return _follow(repeated, at, known, is_known)
            return _follow([*repeated, *rest], at, known, is_known)
        else:
            assert name in ("AT", "ASSERT_NOT"), name
    return any(not chars for chars in known.values()) or any(_is_known_for_each(known, at, is_known) for at in known)


def _is_known_for_each(known: Known, at: int, is_known: Callable[[Known], bool]) -> bool:
    return all(is_known({**known, at: frozenset(char)}) for char in known[at])


def _with(known: Known, at: int, chars: frozenset[str] | None) -> Known:
    return known if chars is None else {**known, at: known.get(at, chars) & chars}


def _characters(members: Sequence[Any]) -> frozenset[str] | None:
    """The characters of a class; None when it is negated or has a category."""
    chars: set[str] = set()
    for kind, argument in members:
        if str(kind) == "LITERAL":
            chars.add(chr(argument).lower())
        elif str(kind) == "RANGE":
            chars |= {chr(code).lower() for code in range(argument[0], argument[1] + 1)}
        else:
            return None
    return frozenset(chars)


def _stands(literal: str, known: Known, at: int) -> bool:
    return all(known.get(at + offset) == {char} for offset, char in enumerate(literal))


def named(literals: Sequence[str]) -> Callable[[Known], bool]:
    """One of the literals stands with its bar at the start of the match."""
    return lambda known: any(_stands(one.replace("|", ""), known, -one.index("|")) for one in literals)


def anywhere(literals: Sequence[str]) -> Callable[[Known], bool]:
    return lambda known: any(_stands(one, known, at) for at in known for one in literals)


@pytest.mark.parametrize("anchor", ANCHORS, ids=lambda anchor: anchor.pattern[0])
def test_a_name_starts_only_where_one_of_its_literals_has_a_bar(anchor: re.Pattern[str]) -> None:
    literals = [one for one in NAME_LITERALS if one[one.index("|") + 1] == anchor.pattern[0]]
    assert has_on_every_path(anchor, named(literals))


@pytest.mark.parametrize("left_out", NAME_LITERALS)
def test_no_literal_of_a_name_can_be_left_out(left_out: str) -> None:
    (anchor,) = (one for one in ANCHORS if one.pattern[0] == left_out[left_out.index("|") + 1])
    assert not has_on_every_path(anchor, named([one for one in NAME_LITERALS if one != left_out]))


@pytest.mark.long
@pytest.mark.parametrize("family", WITH_LITERALS, ids=lambda family: family.sign)
def test_a_trait_has_one_of_its_literals(family: ShapeFamily) -> None:
    assert has_on_every_path(family.trait, anywhere(family.literals))
    assert not has_on_every_path(family.trait, anywhere(family.literals[1:]))


def test_codes_have_one_of_their_literals() -> None:
    *_, escapes, quoted = decoded_views._TRAITS
    for trait, literals in ((escapes, decoded_views._ESCAPES), (quoted, decoded_views._QUOTED)):
        assert has_on_every_path(trait, anywhere(literals))
        assert not has_on_every_path(trait, anywhere(literals[1:]))
    assert {*decoded_views._ESCAPES, *decoded_views._QUOTED} <= {*WORDS}


def _starts(anchor: re.Pattern[str], low: str) -> Iterator[int]:
    place = anchor.search(low)
    while place:
        yield place.start()
        place = anchor.search(low, place.start() + 1)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_scan_finds_what_searches_find(text: str) -> None:
    scanned = scan(text)
    low = scanned.low
    assert scanned.words == {word for word in WORDS if word in low}
    for anchor, starts in zip(ANCHORS, scanned.starts, strict=True):
        assert {*_starts(anchor, low)} <= {*starts}
        assert list(starts) == sorted(starts)


def test_characters_other_than_ascii_keep_their_places() -> None:
    scanned = scan("Пароль é\ud800 KEY")
    assert scanned.flat == "?????? ?? KEY"
    assert scanned.others == "Парольé\ud800"
