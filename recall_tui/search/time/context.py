"""The words around a mention: whether it is meant as a time at all, which side of it, and how far from it.

They stand right before or right after the mention; nothing farther away is looked at.
"""

from __future__ import annotations

import re
from functools import cache

from recall_tui.search.time import expressions
from recall_tui.search.time.mention import Mention

CONTEXT_CHARS = 48
"""Characters before a mention that may belong to it."""


@cache
def _adjacent_words() -> dict[str, re.Pattern[str]]:
    the = r"\s+(?:the\s+)?\Z"
    patterns = {
        # between two ends of a range, and before the first of them
        "joint": r"\s*(-|–|—|\.{2,3}|\bto\b|\band\b|\buntil\b|\btill?\b|\bthrough\b)\s*(?:the\s+|in\s+)?",
        # between times that are listed
        "listed": r"\s*(?:[,;&]|(?:,\s*)?\b(?:and|or)\b)\s*(?:(?:also|on|in|at)\s+)?(?:the\s+)?",
        "opening": rf"\b(between|from){the}",
        # what leaves one end open, said before the mention or after it
        "direction": r"\b(since|as\s+from|starting(?:\s+(?:in|on))?|until|till?|up\s+to|before|prior\s+to|after)"
        r"\s+(?:the\s+|in\s+)?\Z",
        "onwards": r"\s+(?:on|onwards?)\b(?!\s+[a-z])",
        "counted": rf"\b(?:(?:the|last|previous)\s+)?(?:(?P<n>{expressions.NUMBER_PATTERN})\s+)?"
        rf"\b(?P<unit>day|night|morning|evening|week|weekend|month|year|{expressions.WEEKDAY_PATTERN})s?\s+"
        rf"(?P<way>before|prior\s+to|preceding|after|following|of){the}",
        # what makes a time of a word that may be something else, and what makes a habit or a number of it
        "licence": r"\b(?:in|on|during|since|until|till?|before|after|by|from|of|around|throughout|for|between|"
        rf"back\s+in|prior\s+to|up\s+to|this|over|starting){the}",
        "every": r"\b(?:every|each|any|per|all|no|a|an|one|next|coming|[0-9]+)[\s-]+\Z",
        # what may follow: nothing more, another part of the sentence, or things that are counted
        "ending": r"\s*(?:[?!,;)\"']|\.(?!\w)|\Z)",
        "clause": rf"\s+(?:{expressions.CLAUSE_WORDS})\b",
        "things": r"\s*(?:[kmg]?b|ms|px|%|°)\b|\s+(?!(?:was|is|has|does|as|this|us|vs|its|his|yes|plus)\b)[a-z]+s\b",
    }
    return {name: re.compile(words, re.ASCII | re.IGNORECASE) for name, words in patterns.items()}


def words_before(text: str, one: Mention, what: str) -> re.Match[str] | None:
    """What stands right before the mention: an `opening`, a `direction` or something `counted`."""
    return _adjacent_words()[what].search(text, max(0, one.start - CONTEXT_CHARS), one.start)


def since_word(text: str, one: Mention) -> re.Match[str] | None:
    """The word that makes it last from the mention on."""
    return _adjacent_words()["onwards"].match(text, one.end)


def range_separator(text: str, left: Mention, right: Mention) -> str:
    """The word or the dash that makes a range of two mentions; empty when there is none."""
    match = _adjacent_words()["joint"].fullmatch(text, left.end, right.start)
    return match[1].lower() if match else ""


def is_listed(text: str, end: int, start: int) -> bool:
    """Whether two times, of which the first ends at `end` and the next begins at `start`, are parts of one list."""
    return start > end and _adjacent_words()["listed"].fullmatch(text, end, start) is not None


def is_time(text: str, one: Mention) -> bool:
    """Whether it is meant as a time: it is sure, or the words around say so of a May, a Friday or a 2024."""
    if one.is_sure:
        return True
    words, said = _adjacent_words(), text[one.start : one.end]
    if words_before(text, one, "every"):
        return False
    licence = words_before(text, one, "licence")
    if one.number:
        return not (one.number == 1 and licence and licence[0].lower().split()[0] in ("from", "since"))
    is_last = words["ending"].match(text, one.end) is not None
    is_clear = is_last or words["clause"].match(text, one.end) is not None
    if one.grain == "day" and text[one.end - 3 : one.end].lower() == "day":
        return licence is not None or is_last
    if licence is None and not one.is_called:
        return False
    if one.grain == "year":
        return not words["things"].match(text, one.end)
    name = said.split()[-1]
    if name.lower() in ("spring", "fall"):
        return is_clear and (one.is_called or licence is None or licence[0].lower().split()[-1] == "the")
    return is_clear or not expressions.is_also_a_word(name)
