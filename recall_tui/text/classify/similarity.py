"""Lines that say the same.

Two lines that differ in a number, a version, a path or a "not" never count as the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_PUNCTUATION = re.compile(r"[^\w\s]|_")
_TOKEN = re.compile(r"\S+")
_EDGES = "\"'“”‘’«»()[]{}<>,;:!?.*`…_~|#-"
_CLOSING = "\"'“”‘’«»()[]{}<>,;:!?.*`…_~|"
_UNITS = "%‰€£¥$°"
_COMPOUND = re.compile(r"[^\W_][-/\\_&+@=][^\W_]")
"""Words that a sign joins: of other signs it is another name."""
_SIGNED_NUMBER = re.compile(r"[\"'“‘«(\[{*`_~]*[-+−±]\.?\d")
_NEGATIONS = frozenset(
    """
    no not never none nothing nobody nor neither without cannot cant dont doesnt didnt isnt arent wasnt werent wont
    wouldnt shouldnt couldnt mustnt hasnt havent hadnt except unless avoid stop
    """.split()  # noqa: SIM905
)
_WEIGHTLESS_WORDS = frozenset(
    """
    a an the is are was were be been this that these those it its of to for and we our us i my you your with please also
    just so very really here there has have had will would do does by as at
    """.split()  # noqa: SIM905
)
"""Words whose coming and going leaves a line's meaning alone."""
_MIN_SPELLING_PERCENT = 85
"""Likeness in percent from which two words are two spellings of one."""
_MIN_ORDERED_PERCENT = 85
"""Likeness in percent that two lines have word by word, too; `a calls b` is not `b calls a`."""
_MAX_BLOCK_LINES = 200
"""Lines that a line is compared with under one key; the latest count."""
MAX_LINE_CHARS = 4_000
"""Characters beyond which a line is no line of prose: it is the same as another only where it is equal as it stands."""
_MAX_CACHED_WORDS = 1 << 14
"""Words of which it is remembered what they come to; most lines are made of the same few thousand."""
_ENDING = re.compile(r"(?<=\w{3})(?:s|es|ed|d|ing)$")


@dataclass(frozen=True, slots=True)
class _Line:
    place: int
    normal: str
    words: tuple[str, ...]
    sorted: str
    facts: tuple[str, ...]


def normalize(line: str) -> str:
    """The line in lower case, without punctuation, its words parted by single spaces."""
    return " ".join(_PUNCTUATION.sub(" ", compose_unicode(line).lower()).split())


def is_negated(line: str) -> bool:
    """Whether the line denies something."""
    return any(_is_negation(token.strip(_EDGES).lower()) for token in _TOKEN.findall(compose_unicode(line)))


def near_duplicates(lines: Sequence[str], threshold: int = 92, minimum: int = 20) -> list[tuple[int, int]]:
    """Pairs (earlier, later) of places, from 0, of lines equal after `normal` or alike by `threshold` percent.

    Every later line stands in one pair, with its earliest twin; normal forms under `minimum` characters are ignored.
    Likeness is the indel ratio of the sorted words (rapidfuzz token_sort_ratio).
    """
    known = [line for place, text in enumerate(lines) if len((line := _line(place, text)).normal) >= minimum]
    pairs: list[tuple[int, int]] = []
    equal: dict[tuple[str, tuple[str, ...]], int] = {}
    different: list[_Line] = []
    for line in known:
        first = equal.setdefault((line.normal, line.facts), line.place)
        if first == line.place:
            different.append(line)
        else:
            pairs.append((first, line.place))
    near = _similar_pairs(different, threshold)
    found = pairs + near
    earliest = {later: earlier for earlier, later in near}
    return sorted(((earliest.get(earlier, earlier), later) for earlier, later in found), key=lambda pair: pair[::-1])


def _similar_pairs(lines: Sequence[_Line], threshold: int) -> list[tuple[int, int]]:
    from rapidfuzz.fuzz import ratio

    # Most keys have one line, and of a long text there are millions of them: a list only where there are more.
    first: dict[int, int] = {}
    blocks: dict[int, list[int]] = {}
    pairs: list[tuple[int, int]] = []
    for at, line in enumerate(lines):
        if not line.words:
            continue
        keys = _keys(line)
        known: set[int] = set()
        for key in keys:
            if key in first:
                known.update(blocks[key][-_MAX_BLOCK_LINES:] if key in blocks else (first[key],))
        twin = next((other for other in sorted(known) if _is_duplicate(line, lines[other], threshold, ratio)), None)
        if twin is not None:
            pairs.append((lines[twin].place, line.place))
            continue
        for key in keys:
            if first.setdefault(key, at) != at:
                blocks.setdefault(key, [first[key]]).append(at)
    return pairs


def significant_words(text: str) -> list[str]:
    """The words of a `normal` text that matter, without their endings."""
    return [_without_ending(word) for word in text.split() if word not in _WEIGHTLESS_WORDS]


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def _without_ending(word: str) -> str:
    return _ENDING.sub("", word)


def _keys(line: _Line) -> set[int]:
    """Under what a line is looked up: its facts and all its weighty words but one, of which only the first letter."""
    weighty = significant_words(line.normal)
    total = sum(map(hash, weighty))
    facts, count = line.facts, len(weighty)
    return {hash((facts, count, total - hash(word), word[0])) for word in weighty}


_Ratio = Callable[[str, str], float]


def _is_duplicate(one: _Line, other: _Line, threshold: int, ratio: _Ratio) -> bool:
    return (
        one.facts == other.facts
        and ratio(one.sorted, other.sorted) >= threshold
        and ratio(one.normal, other.normal) >= _MIN_ORDERED_PERCENT
        and _differ_in_form_only(one, other, ratio)
    )


def _line(place: int, text: str) -> _Line:
    if len(text) > MAX_LINE_CHARS:
        return _Line(place, text, (), "", ())
    words = tuple(normalize(text).split())
    return _Line(place, " ".join(words), words, " ".join(sorted(words)), line_facts(text))


def line_facts(text: str) -> tuple[str, ...]:
    """What must be the same in both: numbers, versions, paths, identifiers and negations."""
    return tuple(sorted(filter(None, map(_word_fact, _TOKEN.findall(compose_unicode(text))))))


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def _word_fact(token: str) -> str:
    """What a word between blanks says that must be the same in both; empty for most."""
    word = token.strip(_EDGES)
    if word.isalpha() and word.islower() and token.isalpha():
        return word if word in _NEGATIONS else ""
    if any(char in _UNITS for char in token) or _COMPOUND.search(word) or _SIGNED_NUMBER.match(token):
        return token.strip(_CLOSING)
    if word.isalpha() and word.islower() and token[0] not in "-+":
        return word if word in _NEGATIONS else ""
    if _is_negation(word.lower()):
        return word.lower().replace("'", "").replace("’", "")
    if any(char.isdigit() or char in "/\\._=<>" for char in word) or word[1:] not in (
        word[1:].lower(),
        word[1:].upper(),
    ):
        return word
    return token.rstrip(_EDGES) if token[:1] in "-+" and word and token.strip("-+") else ""


def capitalized_names(text: str) -> tuple[str, ...]:
    """The words that are written with a capital within the line, at whose start every word has one."""
    words = [word for token in _TOKEN.findall(compose_unicode(text)) if (word := token.strip(_EDGES))]
    return tuple(sorted(word for word in words[1:] if word != word.lower()))


def _is_negation(word: str) -> bool:
    plain = word.replace("'", "").replace("’", "")
    return plain in _NEGATIONS or (plain.endswith("nt") and plain != word)


def _differ_in_form_only(one: _Line, other: _Line, ratio: _Ratio) -> bool:
    """Whether each word of one line that the other lacks is weightless, or spelt almost like one there."""
    left, right = Counter(one.words) - Counter(other.words), Counter(other.words) - Counter(one.words)
    rest = [word for word in left if word not in _WEIGHTLESS_WORDS]
    others = [word for word in right if word not in _WEIGHTLESS_WORDS]
    if len(rest) != len(others):
        return False
    for word in rest:
        twin = next((w for w in others if w[0] == word[0] and ratio(w, word) >= _MIN_SPELLING_PERCENT), None)
        if twin is None:
            return False
        others.remove(twin)
    return True


def compose_unicode(text: str) -> str:
    """The text as Unicode composes it, in which what looks alike is alike."""
    return unicodedata.normalize("NFC", text)


def lines_containing(text: str, words: str) -> Iterator[int]:
    """The lines, from 0, in which `words` stand as they are; none for no words."""
    line, done, place = 0, 0, text.find(words) if words else -1
    while place >= 0:
        line += text.count("\n", done, place)
        yield line
        done = text.find("\n", place)
        if done < 0:
            return
        place = text.find(words, done)


def similar_line_numbers(text: str, line: str) -> Iterator[int]:
    """The lines, from 0, that may be near duplicates of `line`.

    Such a one has all its weighty words but one, in the form in which they are compared, and the same facts.
    """
    if len(line) > MAX_LINE_CHARS:
        return
    weighty = sorted(significant_words(normalize(line)), key=len, reverse=True)
    raw = compose_unicode(text)
    folded = raw.lower()
    if len(weighty) < 2:
        yield from range(folded.count("\n") + 1)
        return
    # Of a negation the fact is another word than the one that stands there.
    facts = {fact for fact in line_facts(line) if any(map(str.isdigit, fact))}
    lines, originals = folded.split("\n"), raw.split("\n")
    for at in sorted({*lines_containing(folded, weighty[0]), *lines_containing(folded, weighty[1])}):
        missing = sum(word not in lines[at] for word in weighty)
        if not missing or (missing == 1 and all(fact in originals[at] for fact in facts)):
            yield at
