"""Split text into sentences.

Never splits inside a file name, a version, a URL or inline code, and takes a single pass whatever the input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.markup import has_marker, prose_lines, strip_emphasis, strip_markers

_SENTENCE_END = lazy_pattern(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_`]{0,8}+(?=\s)|(?<![。！？])[。！？]++[”’」』）]{0,8}+")
_CODE = lazy_pattern(r"`[^`\n]+`")
_ABBREVIATION = lazy_pattern(
    r"(?:^|[\s(\[\"'])(?:e\.g|i\.e|cf|vs|etc|approx|resp|ca|incl|excl|fig|eq|sec|ch|pp|vol|no|nr|mr|mrs|ms|dr|prof|st|jr|sr"
    r"|inc|ltd|al|max|min|z\.b|d\.h|bzw|bzgl|ggf|evtl|inkl|exkl|zzgl|usw|p\.s|a\.k\.a|w\.r\.t)\.$",
    re.IGNORECASE,
)
_FINAL_ABBREVIATION = lazy_pattern(r"(?:etc|usw|inc|ltd|al|jr|no|sec|st|min)\.$", re.IGNORECASE)
_DAY_NUMBER = lazy_pattern(r"(?<![\w.])\d{1,2}\.$")
_GERMAN_MONTH = lazy_pattern(
    r"\s+(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)(?:\.|uar|ruar|z|il|i|ust|tember|ober|ember)?(?!\w)"
)
"""Behind the number of a day, as in `ab 1. April`."""
_MAX_ABBREVIATION_CHARS = 12
_MIN_WRAPPED_CHARS = 60
"""A line this long without an end mark is wrapped if the next starts in lower case."""
_LABEL = lazy_pattern(
    r"(?:action items?|next steps?|remaining|to-?do|follow[- ]?ups?|decisions?|lessons?|warnings?|blockers?|status"
    r"|open questions?)\s?:",
    re.IGNORECASE,
)
"""The label of a line that says something of its own."""
_REMINDER = lazy_pattern(r"(?:don['’]t forget|do not forget|remember to|make sure to)\b", re.IGNORECASE)
"""The beginning of a reminder, which is a sentence of its own on its own line."""


def split_sentences(text: str) -> list[str]:
    """Return the sentences of `text` in order, without markers of lists, headings and emphasis.

    Fenced code, rules and tables are skipped. A line ends a sentence, unless it is a long one that clearly continues on
    the next line.
    """
    return [sentence for line in _join_lines(text) for sentence in _split_line(line)]


def _join_lines(text: str) -> Iterator[str]:
    held: list[str] = []
    for line in prose_lines(text):
        if held and not _continues(held[-1], line):
            yield " ".join(held)
            held = []
        if words := strip_emphasis(strip_markers(line)):
            held.append(words)
    if held:
        yield " ".join(held)


def _continues(line: str, following: str) -> bool:
    start = following.lstrip()[:1]
    return (
        len(line) >= _MIN_WRAPPED_CHARS
        and line[-1] not in ".!?…:;。！？"
        and start.islower()
        and not has_marker(following)
        and not _LABEL.match(following.lstrip())
        and not _REMINDER.match(following.lstrip())
    )


def _split_line(line: str) -> Iterator[str]:
    code = [match.span() for match in _CODE.finditer(line)] if "`" in line else []
    start = at = 0
    for stop in _SENTENCE_END.finditer(line):
        while at < len(code) and code[at][1] <= stop.start():
            at += 1
        if at < len(code) and code[at][0] < stop.start():
            continue
        if _is_end(line, stop):
            if sentence := line[start : stop.end()].strip():
                yield sentence
            start = stop.end()
    if rest := line[start:].strip():
        yield rest


def _is_end(line: str, stop: re.Match[str]) -> bool:
    marks = stop[0].rstrip("\"'”’»)]*_`")
    if marks[-1] not in ".…":
        return True
    following = line[stop.end() : stop.end() + 8].lstrip()[:1]
    if len(marks) > 1 or marks == "…":
        return not following.islower()
    end = stop.start() + 1
    before = line[max(0, end - _MAX_ABBREVIATION_CHARS) : end]
    if _ABBREVIATION.search(before):
        return bool(_FINAL_ABBREVIATION.search(before)) and following.isupper()
    return not (_DAY_NUMBER.search(before) and _GERMAN_MONTH.match(line, end))
