"""The end of a question that is still being typed: the name of a filter, its value, or all of an earlier question.

A completion begins with what was typed, letter for letter but for case: its rest can be shown behind the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from recall_tui.search.query import FILTER_NAMES, KINDS, TEXT_FILTERS, parse_query
from recall_tui.text.cut import one_line, strip_controls

Values = Callable[[str, str], Sequence[str]]
"""For the name of a filter and the beginning of a value: the values that begin so, the likeliest first."""
_FILTER_NAME = re.compile(r"(?<!\S)[A-Za-z]{2,}$")
"""What may become the name of a filter; a single letter begins too many words."""
_FILTER = re.compile(r'(?<!\S)(?P<name>[A-Za-z]+):(?P<value>"[^"]*|[^\s"]*)$')


def complete(text: str, now: datetime, values: Values, earlier: Iterable[str] = ()) -> str:
    """`text` with its last word completed, else the first earlier question that begins with it; empty for neither."""
    word = _FILTER.search(text) or _FILTER_NAME.search(text)
    if word and text[: word.start()].count('"') % 2 == 0:
        whole = _first_completion(_word_completions(word, now, values), word[0])
        if whole:
            return text[: word.start()] + whole
    return _first_completion(earlier, text) if text.strip() else ""


def drop_unfinished_filter(text: str, now: datetime) -> str:
    """`text` without a filter at its end that has no good value yet, and would be looked for as words."""
    word = _FILTER.search(text)
    if word is None or word["name"].lower() not in FILTER_NAMES or text[: word.start()].count('"') % 2:
        return text
    has_value = bool(parse_query(word[0], now).filtered) and word["value"].count('"') != 1
    return text if has_value else text[: word.start()]


def time_suggestions(now: datetime) -> tuple[str, ...]:
    """What `since:` and `until:` are mostly asked with."""
    return ("today", "yesterday", "2d", "1w", "4w", f"{now:%Y-%m}", f"{now:%Y-%m-%d}")


def _first_completion(candidates: Iterable[str], typed: str) -> str:
    """The first candidate that goes on where `typed` ends."""
    size, folded = len(typed), typed.casefold()
    found = (one for one in candidates if len(one) > size and one[:size].casefold() == folded)
    return next(found, "")


def _word_completions(word: re.Match[str], now: datetime, values: Values) -> Iterator[str]:
    """The words that the last one may become."""
    if word.re is _FILTER_NAME:
        yield from (f"{name}:" for name in FILTER_NAMES)
        return
    name, typed = word["name"].lower(), word["value"]
    if name == "kind":
        before = typed[: typed.rfind(",") + 1]
        yield from (f"{name}:{before}{kind}" for kind in sorted(KINDS.difference(before.split(","))))
    elif name in ("since", "until"):
        yield from (f"{name}:{time}" for time in time_suggestions(now))
    elif name in TEXT_FILTERS:
        is_quoted = typed.startswith('"')
        for value in values(name, typed.removeprefix('"')):
            if '"' not in value and value == one_line(strip_controls(value)):
                yield f'{name}:"{value}"' if is_quoted or len(value.split()) > 1 else f"{name}:{value}"
