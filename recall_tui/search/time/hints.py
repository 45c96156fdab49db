"""Whether it is worth reading a text for times: most questions name none.

A text that says no here names no time and leans nowhere; one that says yes may still do neither.
"""

from __future__ import annotations

import re

_TIME_WORD_LIST = """
january february march april may june july august september october november december sept sep jan feb mar apr jun jul
aug oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
spring summer autumn fall winter q quarter minute minutes hour hours day days night week weeks weekend month months
year years yesterday today tonight morning afternoon evening
"""
_RECENCY_WORD_LIST = """
latest newest recent recently current currently nowadays days moment now today original originally initially first
earliest beginning begin
"""
_TIME_WORDS = frozenset(_TIME_WORD_LIST.split())
_RECENCY_WORDS = frozenset(_RECENCY_WORD_LIST.split())
_WORD = re.compile("[A-Za-z]+")
_FOUR_DIGITS = re.compile("[0-9]{4}")


def may_name_a_time(text: str) -> bool:
    """Whether a word of it stands in the name of some time, or it holds what may be a year."""
    return not _TIME_WORDS.isdisjoint(map(str.lower, _WORD.findall(text))) or _FOUR_DIGITS.search(text) is not None


def may_prefer_recent(text: str) -> bool:
    """Whether a word of it may ask for how things are, or for how they began."""
    return not _RECENCY_WORDS.isdisjoint(map(str.lower, _WORD.findall(text)))
