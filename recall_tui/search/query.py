"""What a person typed, taken apart: words, phrases, words to leave out, filters.

Any text has a meaning: what is not a filter with a good value is words. Only blank text is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from recall_tui.domain.documents import DOCUMENT_KINDS
from recall_tui.errors import UsageError
from recall_tui.text.dates import parse_since, parse_until
from recall_tui.text.lazy_pattern import lazy_pattern

MAX_WORDS = 64
"""More different words than this add cost and no sense."""
MAX_PHRASES = 16
"""More phrases than this are text that was pasted; their words are looked for."""
MAX_TERM_CHARS = 1_000
"""Characters of a word, of a phrase and of a filter's value that are looked at."""
KINDS = frozenset(("prompt", "reply", "tool", *(kind.name for kind in DOCUMENT_KINDS if kind.is_searched)))
"""What `kind:` may name."""
TEXT_FILTERS = ("project", "agent", "session", "tool", "file", "branch", "source", "topic")
"""Filters whose value is any text with a letter or digit in it."""
FILTER_NAMES = ("kind", "since", "until", *TEXT_FILTERS)
"""The name of every filter."""
_TOKEN = lazy_pattern(
    r'(?P<minus>-?)"(?P<phrase>[^"]*)"|(?P<name>[A-Za-z]+):(?:"(?P<quoted>[^"]*)"|(?P<value>\S+))|\S+'
)


class Filters(NamedTuple):
    """Which passages may answer; a filter that is empty lets all through."""

    kinds: tuple[str, ...] = ()
    """Any of these."""
    project: str = ""
    agent: str = ""
    session: str = ""
    """The beginning of the session's id."""
    tool: str = ""
    file: str = ""
    branch: str = ""
    source: str = ""
    since: datetime | None = None
    until: datetime | None = None
    """The first moment that is too late."""
    topic: str = ""

    def __bool__(self) -> bool:
        return self != _NO_FILTERS

    def over(self, other: Filters) -> Filters:
        """These filters, and where they say nothing those of `other`."""
        return Filters._make(own or others for own, others in zip(self, other, strict=True))


_NO_FILTERS = Filters()


class Query(NamedTuple):
    """What was asked."""

    text: str
    words: tuple[str, ...] = ()
    """In the order they were typed, those of phrases among them; each once."""
    phrases: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """Words and phrases that an answer may not hold."""
    filters: Filters = _NO_FILTERS
    filtered: tuple[str, ...] = ()
    """The filters as they were typed."""
    rest: str = ""
    """What was typed beside them."""
    notes: tuple[str, ...] = ()


def parse_query(text: str, now: datetime) -> Query:
    """Take `text` apart; UsageError when there is nothing in it. `now` is what `since:2d` counts back from."""
    if not text.strip():
        raise UsageError("the query is empty", hint='such as: recall-tui search "token refresh"')
    words: dict[str, str] = {}
    phrases: list[str] = []
    without: list[str] = []
    filtered: list[str] = []
    notes: list[str] = []
    filters = _NO_FILTERS
    for piece in _TOKEN.finditer(text):
        if (phrase := piece["phrase"]) is not None and _has_letter(phrase[:MAX_TERM_CHARS]):
            (without if piece["minus"] else phrases).append(phrase[:MAX_TERM_CHARS].strip())
            if not piece["minus"]:
                words.update((word.casefold(), word) for word in phrase.split() if word.casefold() not in words)
            continue
        value = piece["quoted"] if piece["quoted"] is not None else piece["value"]
        if piece["name"] and (more := _add_filter(filters, piece["name"].lower(), value or "", now)) is not None:
            filters = more
            filtered.append(piece[0])
        elif len(whole := piece[0]) > 1 and whole[0] == "-" and whole[1].isalnum():
            without.append(whole[1 : MAX_TERM_CHARS + 1])
        else:
            words.setdefault(whole.casefold(), whole)
            notes += _filter_warnings(piece["name"] or "", whole, value or "")
    kept = tuple(word[:MAX_TERM_CHARS] for word in words.values())
    notes += [
        f"only the first {most} of {len(found)} {what} were looked for"
        for found, most, what in ((kept, MAX_WORDS, "words"), (phrases, MAX_PHRASES, "phrases"))
        if len(found) > most
    ]
    if len(without) > MAX_WORDS:
        notes.append(f"only the first {MAX_WORDS} of {len(without)} words were left out")
    taken = frozenset(filtered)
    rest = " ".join(piece[0] for piece in _TOKEN.finditer(text) if piece[0] not in taken)
    return Query(
        text,
        kept[:MAX_WORDS],
        tuple(phrases[:MAX_PHRASES]),
        tuple(without[:MAX_WORDS]),
        filters,
        tuple(filtered),
        rest,
        tuple(notes),
    )


def _filter_warnings(name: str, whole: str, value: str) -> list[str]:
    """What a person should know of a filter whose value is none, so that it was taken for words."""
    sort = {"kind": "kind", "since": "time", "until": "time"}.get(name.lower())
    return [f"{whole[:MAX_TERM_CHARS]}: no such {sort}, looked for as words"] if sort and _has_letter(value) else []


def parse_filters(options: Mapping[str, str], now: datetime) -> Filters:
    """The filters that the command line's options name; UsageError for a value that does not parse."""
    filters = _NO_FILTERS
    for name, value in options.items():
        more = _add_filter(filters, name, value, now)
        if more is None:
            hint = ", ".join(sorted(KINDS)) if name == "kind" else "12h, 2d, 1w, today, yesterday, 2026-03, 2026-03-06"
            raise UsageError(
                f"--{name} {value}: not understood", hint=hint if name in ("kind", "since", "until") else ""
            )
        filters = more
    return filters


def _add_filter(filters: Filters, name: str, value: str, now: datetime) -> Filters | None:
    """The filters with one more; None when that is no filter, or its value says nothing."""
    value = value[:MAX_TERM_CHARS]
    if not _has_letter(value):
        return None
    if name == "kind":
        kinds = tuple(value.lower().split(","))
        return (
            filters._replace(kinds=tuple(dict.fromkeys((*filters.kinds, *kinds)))) if KINDS.issuperset(kinds) else None
        )
    if name == "since":
        moment = parse_since(value, now)
        return filters._replace(since=moment) if moment else None
    if name == "until":
        moment = parse_until(value, now)
        return filters._replace(until=moment) if moment else None
    # An identity of letters and digits alone: `tool:Bash` and `tool:bash` are one tool, a path keeps its case.
    return _parse_filter(filters, name, value) if name in TEXT_FILTERS else None


def _parse_filter(filters: Filters, name: str, value: str) -> Filters:
    match name:
        case "project":
            return filters._replace(project=value)
        case "agent":
            return filters._replace(agent=value.lower())
        case "session":
            return filters._replace(session=value)
        case "tool":
            return filters._replace(tool=value.lower())
        case "file":
            return filters._replace(file=value)
        case "branch":
            return filters._replace(branch=value)
        case "topic":
            return filters._replace(topic=value.lower())
        case _:
            return filters._replace(source=value.lower())


def _has_letter(value: str) -> bool:
    return any(map(str.isalnum, value))


TYPED_MEMORY_BOOST = 1.2
"""What the name and description of a typed memory count, beside those of another page."""


class SearchOptions(NamedTuple):
    """How one search is made."""

    typed_boost: float = TYPED_MEMORY_BOOST
    wiki_boost: float | None = None
    """What a page of the wiki weighs; None for the setting `wiki.score_boost`."""
    without_wiki: bool = False
    recency_depth: int = 0
    """Newest weekly pages that are offered where there is room."""
    max_chunks: int = 0
    """Passages of a hit whose text is given; 0 for none."""
    max_tokens: int = 500
    """Tokens of that text, at most, of each hit."""
    is_unasked: bool = False
    """The program asks by itself: a memory from elsewhere then answers from its own project until it is confirmed."""


DEFAULT_OPTIONS = SearchOptions()
