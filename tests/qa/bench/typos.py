"""Typing errors as fingers make them: one to a question, the same for the same seed.

A word of four letters or more gets two letters swapped, one dropped, one doubled, or the key beside it.
"""

from __future__ import annotations

import random
import re

_WORD = re.compile(r"[^\W\d_]{4,}")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def mistyped(text: str, seed: int) -> str:
    """`text` with one typing error; as it is when no word is long enough.

    The error depends on the text and the seed alone, so that a sample of the questions has the same errors as all.
    """
    chance = random.Random(f"{seed}\0{text}")
    words = list(_WORD.finditer(text))
    if not words:
        return text
    word = chance.choice(words)
    return text[: word.start()] + _wrong(word[0], chance) + text[word.end() :]


def _wrong(word: str, chance: random.Random) -> str:
    """The word with one error; never the word itself."""
    place = chance.randrange(len(word))
    match chance.choice(("swap", "drop", "double", "neighbour")):
        case "swap" if places := [at for at in range(len(word) - 1) if word[at] != word[at + 1]]:
            at = chance.choice(places)
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case "drop":
            return word[:place] + word[place + 1 :]
        case "neighbour" if keys := neighbours(word[place]):
            return word[:place] + chance.choice(keys) + word[place + 1 :]
        case _:
            return word[:place] + word[place] + word[place:]


def neighbours(letter: str) -> str:
    """The keys left and right of a letter's and those above and below on a QWERTY keyboard, in the letter's case."""
    for number, row in enumerate(_ROWS):
        if (at := row.find(letter.lower())) < 0:
            continue
        beside = row[max(0, at - 1) : at] + row[at + 1 : at + 2]
        above = _ROWS[number - 1][at : at + 2] if number else ""
        below = _ROWS[number + 1][max(0, at - 1) : at + 1] if number + 1 < len(_ROWS) else ""
        keys = beside + above + below
        return keys.upper() if letter.isupper() else keys
    return ""
