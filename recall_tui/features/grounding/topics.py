"""Topics of a page's lines: names of parts of the project that several lines have, and never words of prose.

A line belongs to one topic; those that share no name with another have none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from recall_tui.text.classify.generic_words import GENERIC_WORDS, TYPES_AND_TOOLS
from recall_tui.text.classify.imperatives import IMPERATIVE_VERBS
from recall_tui.text.classify.mentions import find_names
from recall_tui.text.classify.stopwords import STOP_WORDS

MIN_LINES = 5
"""Lines of a section that is parted by topic."""
MIN_TOPIC_LINES = 2
_MIN_TOPIC_CHARS = 4
_MAX_SHARE = 0.6
"""Share of a section's lines from which a name tells nothing of them."""
_CODE = re.compile(r"`[^`]+`|\b\w+[._/]\w[\w./-]*|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|(?<!\w)--[a-z][\w-]+")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NO_TOPICS = frozenset(("unknown", "default", "array", "stop", "home", "main", "mode", "kind", "info", "line"))
_VERB_ENDING = re.compile(r"(?:ed|ing|ly)$")
_PROSE = re.compile(r"\b[A-Za-z]{4,}\b")


def group_by_topic(lines: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Return the places of the lines by topic, those of none first, topics in the order in which they come up."""
    every = range(len(lines))
    if len(lines) < MIN_LINES:
        return [("", list(every))]
    names = [topic_words(line) for line in lines]
    words = [names[at] | spoken_words(lines[at]) for at in every]
    found: dict[int, str] = {}
    while True:
        open_ = [at for at in every if at not in found]
        named = Counter(word for at in open_ for word in names[at])
        counts = {word: sum(word in words[at] for at in open_) for word in named}
        ranked = sorted(counts, key=lambda word: (-counts[word], -named[word], word))
        topic = next((word for word in ranked if MIN_TOPIC_LINES <= counts[word] <= _MAX_SHARE * len(lines)), "")
        if not topic:
            break
        found |= {at: topic for at in open_ if topic in words[at]}
    topics = dict.fromkeys(("", *(found[at] for at in sorted(found))))
    grouped = [(topic, [at for at in every if found.get(at, "") == topic]) for topic in topics]
    return [(topic, some) for topic, some in grouped if some]


def spoken_words(text: str) -> frozenset[str]:
    """Return the words of a line and of the names in it, in lower case and without plural."""
    return frozenset(_singular(word) for word in (*_PROSE.findall(text), *_PART.findall(text)))


def topic_words(text: str) -> frozenset[str]:
    """Return the words of names in a line, in lower case and without plural, that may be a topic."""
    names = [*_CODE.findall(text), *(one for one in find_names(text) if one[:1].isupper())]
    words = {_singular(part) for name in names for part in _PART.findall(name)}
    return frozenset(word for word in words if _is_topic(word))


def _singular(word: str) -> str:
    word = word.lower()
    return word[:-1] if len(word) > _MIN_TOPIC_CHARS and word.endswith("s") and word[-2] not in "sui" else word


def _is_topic(word: str) -> bool:
    return (
        len(word) >= _MIN_TOPIC_CHARS
        and word not in GENERIC_WORDS | _NO_TOPICS
        and word not in TYPES_AND_TOOLS
        and word not in STOP_WORDS
        and word not in IMPERATIVE_VERBS
        and not _VERB_ENDING.search(word)
    )
