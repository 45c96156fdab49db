"""Tell what a sentence says of a change: the value that held before, that something holds from now on, a doubt.

English only; a sentence in another language says none of it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from recall_tui.text.lazy_pattern import lazy_pattern

_VERB = (
    r"(?:(?:mov|chang|switch|rais|lower|increas|reduc|bump|upgrad|downgrad|renam|postpon|push|pull|shorten|extend|shift|"
    r"migrat|transferr?|dropp?|reschedul|delay)(?:e|e?s|e?d|ing)?|cut|set|puts? (?:off|back)|brought forward|"
    r"(?:goes?|went) (?:up|down))\b"
)
"""Verbs of a change."""
_CHAR = r"(?:[^,;:()!?\n]|:(?=\d))"
_VALUE_END = (
    r"(?=\s+(?:since|because|when|as|and|but|so|which|who|that|while|after|before|until|between|for)\b"
    r"|[,;()]|:(?!\d)|[.!?…](?:\s|$)|$)"
)
_OLD = rf"(?P<old>{_CHAR}{{1,60}}?)"
"""A value that held before: at most 60 characters."""
_INSTEAD = (
    r"(?:instead of|rather than|in place of|in lieu of|replac(?:es|ed|ing)(?! by\b| with\b)|(?:down|up|away) from|"
    r"formerly|previously|used to be|tak(?:es|en|ing|e) over from|took over from)"
)
_OVER = (
    r"(?:is|are|was|were|(?:has|have|had) been|got)\s+(?:\w+ly\s+|now\s+)?"
    r"(?:off|gone|dead|out|over|history|replaced|cancell?ed|retired|decommissioned|deprecated|discontinued|abolished|"
    r"removed|dropped|scrapped|thrown (?:away|out)|switched off|turned off|shut down|phased out)"
)
_CLOSED = r"(?=\s*(?:[,;)]|[.](?:\s|$)|before\b|$))"
_OLD_VALUES = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_VERB}.{{0,80}}?\bfrom\s+{_OLD}\s+(?:in)?to\b",
        rf"\b{_INSTEAD}\s+{_OLD}{_VALUE_END}",
        rf"(?P<subject>{_CHAR}{{0,60}}?)\b(?:no longer|not any (?:longer|more))\s+{_OLD}{_VALUE_END}",
        rf"(?:[,(]|\band)\s*(?:it\s+)?was\s+(?:at\s+|on\s+)?(?P<old>[^\W_]{_CHAR}{{0,30}}?){_CLOSED}",
        rf",\s*not\s+(?P<old>\d{_CHAR}{{0,20}}?){_CLOSED}",
        rf"\b(?:nothing|not?|never)\s+{_OLD}\s+(?:any\s?more|any longer)\b",
        rf"{_OLD}\s+{_OVER}\b",
        rf"{_OLD}\s+(?:has|have|had)\s+(?:left|gone|quit|retired|ended|been replaced)\b",
    )
)
_MONTH = r"(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber"
_NOT_A_RANGE = r"\b(?! to\b| until\b)"
_PRESENT = lazy_pattern(
    r"\b(?:now|no longer|any\s?more|any longer|instead of|rather than|as of|henceforth|changed|"
    r"taken over|takes over|took over|replac(?:es|ed)|postponed|put off|becomes?|became|"
    r"(?:from|since|starting|beginning|effective) (?:today|tomorrow|yesterday|(?:this|next) (?:morning|week|month)|now|"
    rf"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:{_MONTH}){_NOT_A_RANGE}|\d+ \w+{_NOT_A_RANGE})|"
    rf"(?:is|are|was|were|been) {_VERB}|{_VERB}[^.;,]{{0,60}}?\bto)\b|"
    r"\A\W*(?:the )?new\b|\bnew [^.;,:]{0,40}(?::| is\b| are\b)",
    re.IGNORECASE,
)
_DOUBT = lazy_pattern(
    r"\b(?:perhaps|maybe|whether|might|could|should|suggest(?:s|ed)?|propos(?:e[sd]?|al)|tbd|to be decided|undecided|"
    r"unclear)\b",
    re.IGNORECASE,
)
_INTENTION = lazy_pattern(r"\b(?:would|wants?|wish(?:es)?|thinks?|asked|asks|hopes?|if we)\b", re.IGNORECASE)
"""Words that make a change an intention, where they stand in its clause."""
_QUESTION = lazy_pattern(r"\?[\"'”’)\]*_]*\s*(?:$|\()")
_CLAUSE_END = lazy_pattern(r"[,;:](?=\s)|\b(?:so|but)\b")


class ChangeWords(NamedTuple):
    """A change as a sentence tells it."""

    old: tuple[str, ...] = ()
    """Values that it says held before."""
    is_present: bool = False
    """It says that something holds from now on, or that something changed, and neither asks nor wishes for it."""
    is_doubtful: bool = False
    """It asks, or weighs what might be."""
    is_question: bool = False


@lru_cache(maxsize=2_048)
def parse_change_words(sentence: str) -> ChangeWords:
    """Find what a sentence says of a change."""
    found = [match for pattern in _OLD_VALUES for match in pattern.finditer(sentence)]
    parts = (match.groupdict() for match in found)
    old = (f"{part.get('subject') or ''}{part['old']}".strip() for part in parts)
    cues = [match.start("old") for match in found] or [match.start() for match in _PRESENT.finditer(sentence)]
    is_question = _QUESTION.search(sentence) is not None
    is_intention = bool(cues) and all(_INTENTION.search(clause_at(sentence, at)) for at in cues)
    is_doubtful = is_question or is_intention or _DOUBT.search(sentence) is not None
    olds = tuple(dict.fromkeys(filter(None, old)))
    return ChangeWords(olds, bool(cues) and not is_doubtful, is_doubtful, is_question)


def clause_at(sentence: str, place: int) -> str:
    """The part of a sentence, from comma to comma, that stands around a place."""
    ends = [match.end() for match in _CLAUSE_END.finditer(sentence)]
    first = max((end for end in ends if end <= place), default=0)
    return sentence[first : min((end for end in ends if end > place), default=len(sentence))]
