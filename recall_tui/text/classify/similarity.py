"""Find near-duplicate lines.

Two lines that differ in a number, a version, a path or a negation are never duplicates.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from recall_tui.text.lazy_pattern import lazy_pattern

_PUNCTUATION = lazy_pattern(r"[^\w\s]|_")
_TOKEN = lazy_pattern(r"\S+")
_NOW = frozenset(("now", "currently"))
"""Words with which a day tells a claim that a page has without them."""
_EDGES = "\"'“”‘’«»()[]{}<>,;:!?.*`…_~|#-"
_CLOSING = "\"'“”‘’«»()[]{}<>,;:!?.*`…_~|"
_UNITS = "%‰€£¥$°"
_COMPOUND = lazy_pattern(r"[^\W_][-/\\_&+@=][^\W_]")
"""Compound words: with another joining character it is another name."""
_SIGNED_NUMBER = lazy_pattern(r"[\"'“‘«(\[{*`_~]*[-+−±]\.?\d")
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
"""Words that can be added or removed without changing a line's meaning."""
_MIN_SPELLING_PERCENT = 85
"""Two words at least this similar are spellings of the same word."""
_MIN_ORDERED_PERCENT = 85
"""The minimum similarity in word order as well: `a calls b` is not `b calls a`."""
_MAX_BLOCK_LINES = 200
"""The maximum number of candidates per key; the latest are kept."""
MAX_LINE_CHARS = 4_000
"""Longer lines are not prose: they are duplicates only when identical."""
_MAX_CACHED_WORDS = 1 << 14
"""The cache size; most lines consist of the same few thousand words."""
_ENDING = lazy_pattern(r"(?<=\w{3})(?:s|es|ed|d|ing)$")


@dataclass(frozen=True, slots=True)
class _Line:
    place: int
    normal: str
    words: tuple[str, ...]
    sorted: str
    facts: tuple[str, ...]


def normalize(line: str) -> str:
    """Return the line in lower case, without punctuation, its words separated by single spaces."""
    return " ".join(_PUNCTUATION.sub(" ", compose_unicode(line).lower()).split())


def claim_words(text: str) -> str:
    """Return the normalized words of what a text claims, whether or not it says that this is so now."""
    return " ".join(word for word in normalize(text).split() if word not in _NOW)


def is_negated(line: str) -> bool:
    """Return whether the line contains a negation."""
    return any(_is_negation(token.strip(_EDGES).lower()) for token in _TOKEN.findall(compose_unicode(line)))


def near_duplicates(lines: Sequence[str], threshold: int = 92, minimum: int = 20) -> list[tuple[int, int]]:
    """Return pairs (earlier, later) of 0-based indexes of lines equal after `normalize` or at least `threshold` %
    similar.

    Each later line is paired once, with its earliest duplicate; normalized lines under `minimum` characters are
    ignored. Similarity is the indel ratio of the sorted words (rapidfuzz token_sort_ratio).
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

    # Most keys have a single line, and a long text has millions of keys: lists only where there are several.
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
    """Return the significant words of normalized text, without their endings."""
    return [_without_ending(word) for word in text.split() if word not in _WEIGHTLESS_WORDS]


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def _without_ending(word: str) -> str:
    return _ENDING.sub("", word)


def _keys(line: _Line) -> set[int]:
    """Return the lookup keys of a line: its facts and all significant words but one, reduced to its first letter."""
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
    """Return the facts that must be equal in both lines: numbers, versions, paths, identifiers and negations."""
    return tuple(sorted(filter(None, map(_word_fact, _TOKEN.findall(compose_unicode(text))))))


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def _word_fact(token: str) -> str:
    """Return the fact in a whitespace-separated token; empty for most."""
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
    """Return the sorted words with a capital after the first word, which is always capitalized."""
    words = [word for token in _TOKEN.findall(compose_unicode(text)) if (word := token.strip(_EDGES))]
    return tuple(sorted(word for word in words[1:] if word != word.lower()))


def _is_negation(word: str) -> bool:
    plain = word.replace("'", "").replace("’", "")
    return plain in _NEGATIONS or (plain.endswith("nt") and plain != word)


def _differ_in_form_only(one: _Line, other: _Line, ratio: _Ratio) -> bool:
    """Return whether every unmatched word is insignificant or has a close spelling in the other line."""
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
    """Return the text in NFC, so that equal-looking characters are equal."""
    return unicodedata.normalize("NFC", text)


def lines_containing(text: str, words: str) -> Iterator[int]:
    """Yield the 0-based numbers of the lines that contain `words` verbatim; none for empty `words`."""
    line, done, place = 0, 0, text.find(words) if words else -1
    while place >= 0:
        line += text.count("\n", done, place)
        yield line
        done = text.find("\n", place)
        if done < 0:
            return
        place = text.find(words, done)


def similar_line_numbers(text: str, line: str) -> Iterator[int]:
    """Yield the 0-based numbers of the lines that may be near duplicates of `line`.

    A candidate has all its significant words but at most one, in normalized form, and the same facts.
    """
    if len(line) > MAX_LINE_CHARS:
        return
    weighty = sorted(significant_words(normalize(line)), key=len, reverse=True)
    raw = compose_unicode(text)
    folded = raw.lower()
    if len(weighty) < 2:
        yield from range(folded.count("\n") + 1)
        return
    # A negation's fact is spelled differently from the word in the text.
    facts = {fact for fact in line_facts(line) if any(map(str.isdigit, fact))}
    lines, originals = folded.split("\n"), raw.split("\n")
    for at in sorted({*lines_containing(folded, weighty[0]), *lines_containing(folded, weighty[1])}):
        missing = sum(word not in lines[at] for word in weighty)
        if not missing or (missing == 1 and all(fact in originals[at] for fact in facts)):
            yield at
