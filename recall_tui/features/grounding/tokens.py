"""A text as the tokens that can be compared with another text's: stems, names, identifiers, numbers and dates.

Tokens lie in parts (what commas and conjunctions divide) of units (sentences, lines, halves at a semicolon).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache, partial
from typing import Literal, NamedTuple

from recall_tui.features.grounding.everyday_words import EMPTY, IRREGULAR, LOOSE, VERBS, words
from recall_tui.features.grounding.paraphrases import PHRASES, SYNONYMS, THINGS
from recall_tui.features.grounding.quantities import Day, Quantity, find_quantities

MAX_TEXT_CHARS = 20_000
"""Characters of a claim or a source that are read; the rest bears nothing out."""
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": ";", "→": " unto ", "…": " "})
_LABEL = re.compile(
    r"^[ \t]{0,20}(?:\[\d{1,6}\][ \t](?:(?:REPLY|PROMPT|PLAN|THOUGHT|TOOL|USER|ASSISTANT)\b[ \t]?)?|[-*+>#]{1,6}[ \t]+"
    r"|\d{1,4}[.)][ \t]+)+",
    re.MULTILINE,
)
_ORDER = re.compile(
    r"^[ \t]{0,20}\[\d{1,6}\][ \t]PROMPT[ \t](?=(?:" + "|".join(VERBS.split()) + r")\b)", re.MULTILINE | re.IGNORECASE
)
"""Before what a person asks for."""
_CODE_UNIT = re.compile(r"(?<=\w )`(?=(?:bytes?|bits?|days?|hours?|minutes?|seconds?|[smhdw])\b)")
"""Code after a number, which is no unit of it."""
_CODE_WORD = re.compile(r"`([A-Za-z]{2,})`")
"""A word that is marked as code names a certain thing, as one in quotation marks does."""
_MARKS = re.compile(r"\*\*|__(?=\s|$)|[`*]|(?<![\w/])_(?=[A-Za-z]+_(?!\w))|(?<=[A-Za-z])_(?=[\s.,;:!?)]|$)")
_ABBREVIATION = re.compile(r"\b(etc|vs|e\.g|i\.e|cf|resp)\.(?=[ ,]+[a-z])")
"""Before a full stop that ends no sentence."""
_RELATIVE = re.compile(r" ?\(((?:which|who|where)\b[^()\n]{4,300})\)")
"""A parenthesis about the word before it."""
_PARENTHESIS = re.compile(r" ?\(([^()\n]{16,300})\)((?:[^.,;\n]|[.,;](?=\S))*)")
"""A longer parenthesis, and the rest of its clause, which goes on without it."""
_COMPARISON = re.compile(r"(?<![-=<>])([<>]=?) ?(?=\d)")
_COMPARISONS = {"<=": "at most ", ">=": "at least ", "<": "under ", ">": "over "}
_CONTRACTIONS = (
    (re.compile(r"\bcan(?:not|'t)\b", re.I), "can not"),
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"n't\b", re.I), " not"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"\b(it|that|there|here|what|he|she)'s\b", re.I), r"\1 is"),
    (re.compile(r"\b[Ll]et's\b"), "let us"),
    (re.compile(r"'s\b|(?<=s)'(?=\s)"), ""),
)
_PIECE = re.compile(
    r"(?P<non>\b[Nn]on-?(?=[A-Za-z]{4}))|"
    r"(?P<strong>\n|[.!?;](?=[\s\"')\]]|$))|(?P<weak>[,:|]|(?<=\s)\((?=\w+ \w+ \S+ )|\s(?:-+|\+)\s)"
    r"|(?P<word>(?:--?(?=[A-Za-z])|\.{0,2}/|~/|[@#.$](?=\w))?[^\W_](?:[\w]|[-./\\:@+=]+(?=[^\W_]|_))*(?:\(\))?"
    r"|_\w+)"
)
_CONJUNCTIONS = words(
    "and but while whereas although though because since so which who that when where then until if or once"
)
_LITERALS = words("true false nil null")
_TEMPORAL = re.compile(
    r"[^,.;\n]{0,120}\b(?:is|are|was|were|has|have|had|do|does|did|will|would|can|could|it|we|they|not|\w{3,}ed)\b"
)
"""After "since": it gives a reason, not a time."""
_CLAUSE = re.compile(
    r" (?:it|they|there|he|she|we|(?:its|their|the|this|that|no)\b(?=[^,.;()\n]{0,120}"
    r"\b(?:is|are|was|were|has|have|had|do|does|did|will|would|can|could|must|should|may|\w{3,}(?:ed|[^s]s))\b))\b"
)
"""After "as": it gives a reason."""
_CODE = re.compile(r"[\d_/\\@#$]|[a-z][A-Z]|\w[.:=]\w|\(\)$|^--|^[A-Z]{2,}[A-Z0-9]*$")
_VARIANT = re.compile(r"(?<=\w{5})(?:sql|ql|js)$")
"""Endings that one spelling of a product's name has and another has not."""
_JOINTS = re.compile(r"[-_]")
_BOUNDARIES = re.compile(r"[-/:.\\(=+#@]+")
_ENDINGS = (
    "ured", "uring", "ives", "ived", "iving", "enced", "encing", "anced", "ancing", "encies", "iness", "ness",
    "isation", "ization", "ating", "ated", "ations", "ation", "ments", "ment", "ings", "ing", "edly", "ies", "ied",
    "ed", "ions", "ion", "ances", "ance", "ences", "ence", "ency", "ures", "ure", "als", "al", "ably", "able",
    "ible", "ates", "ate", "ive", "ly", "es", "s", "dent", "y", "e",
)  # fmt: skip
_SHORT = frozenset(("ing", "ings", "ed", "ies", "ied", "es", "s", "y", "e"))
"""Endings that may leave three letters."""
_INFLECTED = re.compile(r"(?:s|ed|ing|ly|er)$")

MAX_UNITS = MAX_TEXT_CHARS
"""The units of the next line are numbered from the next multiple of it."""
LETTER = "letter "
"""The beginning of the keys of capitals that are names."""

Kind = Literal["word", "name", "code", "number", "date"]


class Token(NamedTuple):
    """A word, a number or a date of a text."""

    text: str
    key: str
    """By which it is compared: a stem, or the first of its synonyms."""
    kind: Kind
    unit: int
    part: int
    value: Day | Quantity | None = None
    names: frozenset[str] = frozenset()
    """The ways to write all of it."""
    forms: frozenset[str] = frozenset()
    """These, and its components: a file is a component of its path."""
    is_hard: bool = False
    """It names one certain thing: a number, a date, a name or an identifier."""
    is_empty: bool = False
    """It says nothing by itself."""


@cache
def synonym_keys() -> dict[str, str]:
    """Return the word that stands for each stem with synonyms: the first of the first row that has it."""
    keys: dict[str, str] = {}
    for row in (SYNONYMS + THINGS.strip()).strip().splitlines():
        words = row.split()
        key = keys.get(stem(words[0]), words[0])
        for word in words:
            keys.setdefault(stem(word.replace("-", "")), key)
    return keys


@cache
def _loose_stems() -> frozenset[str]:
    return frozenset(map(word_key, (*LOOSE, *EMPTY, *SYNONYMS.split())))


@cache
def _verb_keys() -> frozenset[str]:
    return frozenset(map(word_key, VERBS.split()))


@cache
def _vocabulary() -> frozenset[str]:
    return LOOSE | EMPTY | frozenset(SYNONYMS.split())


def is_everyday(key: str) -> bool:
    """Return whether a rewording may bring the word in."""
    return key in _loose_stems()


@cache
def _irregular() -> dict[str, str]:
    rows = (row.split() for row in IRREGULAR.strip().splitlines())
    return {form: base for base, *forms in rows for form in forms}


def is_verb_form(word: str) -> bool:
    """Return whether a word is an irregular form of a verb."""
    return word in _irregular()


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """Return the word in lower case without the endings that its relatives differ in."""
    word = word.lower()
    singular = word.removesuffix("es" if word.endswith("sses") else "s")
    word = _irregular().get(word) or _irregular().get(singular, word)
    if len(word) <= 3 or not word.isalpha():
        return word
    for _ in range(4):
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= (3 if ending in _SHORT else 4):
                word = word[: -len(ending)]
                if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
                    word = word[:-1]
                if ending in ("ies", "ied"):
                    return word
                break
        else:
            break
    return word


@lru_cache(maxsize=1 << 14)
def word_key(word: str) -> str:
    """Return by which key a word of prose is compared."""
    plain = stem(word.replace("-", ""))
    return synonym_keys().get(plain, plain)


@cache
def _phrases() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    return tuple((letters, re.compile(rf"\b(?:{words})(?![\w-])", re.I), same) for letters, words, same in PHRASES)


def _rephrase(same: str, match: re.Match[str]) -> str:
    return same.replace("\\1", match[1] or "") if match.re.groups else same


@lru_cache(maxsize=256)
def normalize(text: str) -> str:
    """Return the text without marks and labels, contractions spelled out, phrases as their shortest form."""
    text = text[:MAX_TEXT_CHARS]
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    text = _MARKS.sub("", _CODE_WORD.sub(r'"\1"', _CODE_UNIT.sub("^", _LABEL.sub("", _ORDER.sub("please ", text)))))
    text = _ABBREVIATION.sub(r"\1", text)
    text = _COMPARISON.sub(lambda match: _COMPARISONS[match[1]], text)
    text = _RELATIVE.sub(r", \1,", text)
    text = _PARENTHESIS.sub(r"\2, \1", text)
    if "'" in text:
        for pattern, full in _CONTRACTIONS:
            text = pattern.sub(full, text)
    elif "annot" in text:
        text = _CONTRACTIONS[0][0].sub("can not", text)
    folded = text.lower()
    for letters, pattern, same in _phrases():
        if letters in folded:
            text = pattern.sub(partial(_rephrase, same), text)
    return text


@lru_cache(maxsize=256)
def tokenize(text: str) -> tuple[Token, ...]:
    """Return the tokens of a normalized text, in order."""
    found = {one.start: one for one in find_quantities(text)}
    tokens: list[Token] = []
    unit = part = at = 0
    while match := _PIECE.search(text, at):
        quantity = next((found[place] for place in range(at, match.end()) if place in found), None)
        if quantity is not None and (not match["word"] or quantity.start <= match.start()):
            value = quantity.value
            kind: Kind = "date" if isinstance(value, Day) else "number"
            tokens.append(Token(text[quantity.start : quantity.end], "", kind, unit, part, value, is_hard=True))
            at = quantity.end
            continue
        at = match.end()
        if match["strong"]:
            unit = (unit // MAX_UNITS + 1) * MAX_UNITS if match["strong"] == "\n" else unit + 1
            part += 1
        elif match["non"]:
            tokens.append(_token("non")._replace(unit=unit, part=part))
        elif match["weak"]:
            part += 1
        else:
            word = match["word"]
            if (word.lower() in _CONJUNCTIONS and (word != "since" or _TEMPORAL.match(text, at))) or (
                word == "as" and _CLAUSE.match(text, at)
            ):
                part += 1
            token = (_token(word) if not _is_letter(word, tokens, unit) else _letter(word))._replace(
                unit=unit, part=part
            )
            if text[match.start() - 1 : match.start()] == '"' == text[at : at + 1] and not token.is_empty:
                token = token._replace(kind="name", is_hard=True)
            tokens.append(token)
    return tuple(tokens)


def _is_letter(word: str, tokens: list[Token], unit: int) -> bool:
    """Return whether a capital is a name, as in "session A"."""
    is_capital = len(word) == 1 and "A" <= word <= "Z" and word != "I"
    return is_capital and bool(tokens) and tokens[-1].unit == unit and not tokens[-1].is_empty


def _letter(word: str) -> Token:
    key = f"{LETTER}{word.lower()}"
    return Token(word, key, "name", 0, 0, None, frozenset((key,)), frozenset((key,)), is_hard=True)


@lru_cache(maxsize=1 << 14)
def _token(word: str) -> Token:
    """Return the token of a word, at no place yet."""
    if word.isupper() and word != "GET" and word.lower() in EMPTY:
        word = word.lower()
    lower = word.lower()
    if lower not in EMPTY and (_CODE.search(word) or lower in _LITERALS):
        plain = lower.removesuffix("()").rstrip("/").lstrip("-./")
        return _with_forms(word, word_key(_VARIANT.sub("", plain)) if plain.isalpha() else plain, "code")
    if lower in EMPTY:
        return Token(lower, lower, "word", 0, 0, None, frozenset((lower,)), frozenset((lower,)), is_empty=True)
    key = word_key(_VARIANT.sub("", lower))
    is_name = word[0].isupper() and not (
        lower in _vocabulary() or (_INFLECTED.search(lower) and (is_everyday(key) or key in _verb_keys()))
    )
    return _with_forms(lower, key, "name" if is_name else "word")


def _with_forms(text: str, key: str, kind: Kind) -> Token:
    names = {key, text.lower()}
    pieces: set[str] = set()
    if not text.isalpha():
        lower = text.lower().removesuffix("()")
        names.add(_JOINTS.sub("", lower))
        pieces = {piece for piece in _BOUNDARIES.split(lower) if len(piece) > 1}
        pieces |= {lower[: match.start()] for match in _BOUNDARIES.finditer(lower) if match.start() > 1}
    return Token(text, key, kind, 0, 0, None, frozenset(names), frozenset(names | pieces), is_hard=kind != "word")
