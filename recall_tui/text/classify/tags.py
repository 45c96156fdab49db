"""Files and tools of a conversation, for its tags, and how explicitly a sentence decides something or leaves it to do.

Memory is bounded whatever the length of the conversation.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from pathlib import PurePosixPath

from recall_tui.domain import Tags, ToolCall
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.lazy_pattern import lazy_pattern

MAX_TAG_FILES = 10
"""Files that are kept: those used most."""
_MAX_FILES = 4_096
"""The maximum of distinct paths counted; beyond it, the less-used half is dropped."""
_MAX_TOOLS = 512
_MAX_SCORED = 2_048
"""Sentences whose scores are kept: each is asked about several times in a row."""

_Cues = tuple[tuple[int, re.Pattern[str]], ...]


def _cues(*rows: tuple[int, str]) -> _Cues:
    return tuple((score, lazy_pattern(words, re.IGNORECASE)) for score, words in rows)


_DECISION_CUES = _cues(
    (4, r"^(?:decisions?|agreed)\s?:"),
    (
        3,
        r"\b(?:decisions?\s?:|decided(?: (?:to|on|against|that)|\s?:)|(?:entschieden|beschlossen)\s?[:,]|settled on"
        r"|agreed (?:on|to|that)|chose to|we chose"
        r"|(?:we'll|we will|i'll|let's|we're) (?:go|going) with|going with|the approach is|(?:the )?plan is to)",
    ),
    (
        2,
        r"\b(?:choosing|let's use|switched (?:to|from)|switching to)\b"
        r"|\b(?:i|we) (?:have |'ve )?(?:used|chose|picked|kept|preferred|took|went with)\b.*"
        r"\b(?:instead of|rather than)\b",
    ),
    (
        1,
        r"\b(?:us(?:e|es|ed|ing)|cho(?:se|ose|osing)|pick(?:ed|ing)?|keep(?:ing)?|kept|prefer(?:red)?|go|went|replac\w{1,3}"
        r"|switch\w{0,3}|mov(?:e|ed|ing)|adopt\w{0,3}|let's|will|should)\b.*\b(?:instead of|rather than)\b",
    ),
)
_ACTION_CUES = _cues(
    (4, r"^(?:action items?|next steps?|remaining|to-?do|follow[- ]?ups?)\s?[:–—-]"),
    (3, r"\b(?:action items?:|next steps?:|remaining:|todo\s?:|todo\s-)"),
    (
        2,
        r"^(?:please )?follow[- ]up\b"
        r"|\b(?:don'?t forget|make sure to|remember to|to follow up|still needs?(?: to)?|will need)\b",
    ),
    (
        1,
        r"\b(?:needs? to|follow[- ]up)\b"
        r"|\bshould be(?= \w)(?! (?:\w+ )?(?:fine|ok|okay|good|green|working|enough|able|done|ready|safe|now)\b)",
    ),
)
_NO_OBLIGATION = lazy_pattern(
    r"\b(?:no|not|never|n't|if (?:i|you|we|they|it)) (?:\w+ )?needs? to\b|n't needs? to\b|(?:'d|would) need\b",
    re.IGNORECASE,
)
_NARRATION = lazy_pattern(
    r"(?:(?:now|so|ok|okay|first|then|next|but|and|also|actually|wait|hmm)[,: ]+)*"
    r"(?:i|i'll|i'm|i've|let me|let's|you|if|created|added|fixed|updated|✅)(?!\w)",
    re.IGNORECASE,
)


class TagCollector:
    """Collects files and tools of a conversation, call by call."""

    def __init__(self) -> None:
        self._files: Counter[str] = Counter()
        self._tools: set[str] = set()

    def use(self, call: ToolCall) -> None:
        """Add a tool call of the agent."""
        if (name := shorten(one_line(call.name), 80)) and len(self._tools) < _MAX_TOOLS:
            self._tools.add(name)
        if call.is_file and (path := one_line(call.target)):
            self._files[path] += 1
            if len(self._files) > _MAX_FILES:
                self._files = Counter(dict(self._files.most_common(_MAX_FILES // 2)))

    def tags(self, cwd: str) -> Tags:
        """Return the tags without decisions and action items: files by use, tools by name."""
        counts: Counter[str] = Counter()
        for path, count in self._files.items():
            counts[_relative_path(path, cwd)] += count
        ranked = sorted(counts, key=lambda path: (-counts[path], path))
        return Tags(
            project=PurePosixPath(_with_slashes(cwd)).name,
            files=tuple(ranked[:MAX_TAG_FILES]),
            tools=tuple(sorted(self._tools)),
        )


@lru_cache(maxsize=_MAX_SCORED)
def decision_score(words: str) -> int:
    """Score how explicitly a sentence states a decision, from 0 to 4."""
    return _score(_DECISION_CUES, words.replace("’", "'"))


@lru_cache(maxsize=_MAX_SCORED)
def action_score(words: str) -> int:
    """Score how explicitly a sentence states an action item, from 0 to 4."""
    return _action_score(words.replace("’", "'"))


def _score(cues: _Cues, words: str) -> int:
    return next((score for score, pattern in cues if pattern.search(words)), 0)


def _action_score(words: str) -> int:
    score = _score(_ACTION_CUES, words)
    if score <= 2 and _NO_OBLIGATION.search(words):
        return 0
    if score == 1 and _NARRATION.match(words):
        return 0
    return score


def _with_slashes(path: str) -> str:
    return path.replace("\\", "/") if "/" not in path else path


def _relative_path(path: str, cwd: str) -> str:
    inside, folder = _with_slashes(path), _with_slashes(cwd).rstrip("/")
    if folder and inside.startswith(folder + "/"):
        return inside[len(folder) + 1 :]
    return path.removeprefix("./")
