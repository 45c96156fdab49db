"""Check the facts of a model-written sentence against its source: numbers, paths, quotations and code spans.

A sentence whose facts are all in the source may still be wrong; a fact that is not there is invented. Numbers as words
and names of months are normalized ("three" = "3", "March" = "03"); `checkable_facts` compares copied text verbatim.
"""

from __future__ import annotations

import re
import unicodedata

from recall_tui.text.cut import one_line

_QUOTATION = re.compile(r"`([^`\n]{1,300})`|\"([^\"\n]{2,300})\"|[“„]([^“”„\n]{2,300})[”“]|«([^«»\n]{2,300})»")
_PATH = re.compile(
    r"(?<![\w/:])(?:~|\.{1,2})?/?[\w.@-]{1,100}+(?:/[\w.@-]{1,100}+)+/?|(?<![\w/.])/[\w.@-]+"
    r"|(?<![\w/.-])[\w-]++\.[a-z]{1,5}\b"
)
_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_TENS = {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
_NUMBER_VALUES = {
    **{word: str(value) for value, word in enumerate(_NUMBER_WORDS)},
    **_TENS,
    "hundred": "100",
    "thousand": "1000",
}
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH_VALUES = {name[:3]: str(value) for value, name in enumerate(_MONTHS, 1)}
_QUOTE_TABLE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"'})
_PUNCTUATION = ".,;:!?"


def unsupported_facts(sentence: str, source: str) -> tuple[str, ...]:
    """Return the facts of `sentence` missing from `source`; case, spacing and the form of numbers are ignored."""
    normal_source = _normalize(source)
    found = [atom for atom in _quoted_texts(sentence) if _normalize(atom) not in normal_source]
    numbers = _numbers(normal_source)
    found += [
        atom for atom in _NUMBER.findall(_plain_numbers(_normalize(sentence))) if _number_value(atom) not in numbers
    ]
    return tuple(dict.fromkeys(found))


def _quoted_texts(sentence: str) -> list[str]:
    """Return the quotations and paths of a sentence."""
    quoted = [next(filter(None, match.groups())).strip() for match in _QUOTATION.finditer(sentence)]
    outside = _QUOTATION.sub(" ", sentence)
    paths = [match[0].rstrip(_PUNCTUATION) for match in _PATH.finditer(outside)]
    return [
        atom
        for atom in (*(words.rstrip(_PUNCTUATION) for words in quoted), *paths)
        if atom and not _is_abbreviation(atom)
    ]


def _is_abbreviation(words: str) -> bool:
    """Return whether the text is an abbreviation: `and/or` is not a path, `e.g` is not a file."""
    return words.casefold() in ("and/or", "e.g", "i.e", "n/a", "w/o", "read/write", "yes/no", "a.k", "p.s")


def _numbers(normal: str) -> set[str]:
    """Return the numbers of a text, including number words and names of months."""
    text = _plain_numbers(normal)
    found = {_number_value(number) for number in _NUMBER.findall(text)}
    for word in set(re.findall(r"[a-z]+", text)):
        if word in _NUMBER_VALUES:
            found.add(_NUMBER_VALUES[word])
        if word in _MONTHS or (word[:3] in _MONTH_VALUES and len(word) == 3):
            found.add(_MONTH_VALUES[word[:3]])
    return found


def _number_value(number: str) -> str:
    """Return the number without leading zeros, so that the `06` of a date is 6."""
    head, dot, rest = number.partition(".")
    return (head.lstrip("0") or "0") + dot + rest


def _plain_numbers(text: str) -> str:
    return _THOUSANDS.sub("", text)


def _normalize(text: str) -> str:
    return one_line(unicodedata.normalize("NFKC", text).translate(_QUOTE_TABLE)).casefold()
