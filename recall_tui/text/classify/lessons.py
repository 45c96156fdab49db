"""Find the lessons of a conversation: reasons of decisions, causes of bugs, failed approaches, patterns, warnings.

Only whole sentences that state a lesson explicitly are taken, and few; most conversations have none.
"""

from __future__ import annotations

import re

from recall_tui.text.classify.tags import decision_score
from recall_tui.text.cut import one_line, strip_controls
from recall_tui.text.sentences import split_sentences

MAX_LESSONS = 8
_MIN_SENTENCE_CHARS, _MAX_SENTENCE_CHARS = 30, 300
"""A shorter sentence cannot be understood alone, a longer one is a paste."""
_MIN_WORDS = 8
_MIN_DECISION_SCORE = 2
"""The minimum score of a decision; "X instead of Y" alone is not enough."""
_REASON = re.compile(
    r"\b(?:because|since (?!then|yesterday|last)|so that|due to|in order to|to avoid|to keep|the reason)\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\broot cause\b[^.?]{0,40}\b(?:was|is|were|:)|\broot cause:|\b(?:was|were|is|are) caused by\b"
    r"|\bthe (?:real |actual |underlying )?(?:bug|problem|issue|cause|culprit|reason)\b[^.?]{0,60}\b(?:was|is)"
    r" (?:that|because|in|a|an|the)\b"
    r"|\b(?:turned|turns) out (?:that|to be)\b"
    r"|\b(?:fail(?:s|ed)?|crash(?:es|ed)?|broke|breaks|flake[sd]?|hangs?|hung) because\b",
    re.IGNORECASE,
)
_FAILURE = re.compile(
    r"\btried\b.{3,120}\bbut\b"
    r"|\b(?:did not|didn't|does not|doesn't) (?:work|help|fix|solve)\b.{0,80}\b(?:because|since|as|so)\b"
    r"|\b(?:gave up on|abandoned|backed out|had to revert|reverted)\b.{3,120}\b(?:because|since|as it|after)\b"
    r"|\bdead end\b|\bfailed approach\b|\bnever worked\b.{0,80}\bbecause\b",
    re.IGNORECASE,
)
_PATTERN = re.compile(
    r"\b(?:lessons? learned|rule of thumb|the trick (?:is|was)|the pattern (?:is|here|was))\b"
    r"|\bthe convention (?:is|here)\b|^(?:lesson|pattern|convention|insight|takeaway)s?\s?:",
    re.IGNORECASE,
)
_WARNING = re.compile(
    r"^(?:warning|caveat|gotcha|beware|careful|important|watch out)\s?[:!]"
    r"|\b(?:be careful (?:not to|with|when)|beware (?:of|that)|watch out for|must never|must not be|a gotcha)\b"
    r"|\bnever (?:use|call|run|edit|commit|push|delete|rely)|\bthe gotcha (?:is|here)\b",
    re.IGNORECASE,
)
_KIND_SCORES = ((_CAUSE, 4), (_FAILURE, 3), (_WARNING, 3), (_PATTERN, 3))
_TENTATIVE_OPENING = re.compile(
    r"^(?:(?:now|so|ok|okay|first|then|next|but|and|also|wait|hmm|maybe|perhaps|let me|let's|i'll|i will|i'm"
    r"|i am|i think|if|what if|should (?:i|we)|can you|could you|please|you can|you should|i need|we need|i want)\b)",
    re.IGNORECASE,
)
"""Openings of thoughts, questions and announcements: nothing settled."""
_REFERRING_OPENING = re.compile(r"^(?:this|that|it|these|those|they|here|there|he|she)\b", re.IGNORECASE)
"""Openings that mean nothing without the previous sentence."""
_UNCERTAINTY = re.compile(
    r"\b(?:might|maybe|perhaps|probably|possibly|likely|seems?|i suspect|not sure|could be|may be|would be)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")


class LessonCollector:
    """Collects the lessons of a conversation, message by message."""

    def __init__(self) -> None:
        self._heard = 0
        self._kept: dict[str, tuple[int, int, str]] = {}

    def say(self, text: str) -> None:
        """Add a message of the user or the agent."""
        for sentence in split_sentences(text):
            if not _MIN_SENTENCE_CHARS <= len(sentence) <= _MAX_SENTENCE_CHARS or sentence.endswith(
                ("?", ":", "…", ",")
            ):
                continue
            self._heard += 1
            words = one_line(strip_controls(sentence))
            if score := _score(words.replace("’", "'")):
                self._keep(score, words)

    def lessons(self) -> tuple[str, ...]:
        """Return the highest-scoring lessons in conversation order."""
        return tuple(words for _, _, words in sorted(self._kept.values(), key=lambda row: row[1]))

    def _keep(self, score: int, words: str) -> None:
        key = "".join(_WORD.findall(words.casefold()))
        if key in self._kept:
            return
        self._kept[key] = (score, self._heard, words)
        if len(self._kept) > MAX_LESSONS:
            del self._kept[min(self._kept, key=lambda other: self._kept[other][:2])]


def _score(words: str) -> int:
    """Score the value of a sentence as a lesson; 0 for most."""
    if len(_WORD.findall(words)) < _MIN_WORDS or _TENTATIVE_OPENING.match(words) or _UNCERTAINTY.search(words):
        return 0
    best = max((score for pattern, score in _KIND_SCORES if pattern.search(words)), default=0)
    if decision_score(words) >= _MIN_DECISION_SCORE and _REASON.search(words):
        best = max(best, 3)
    return best - 1 if best and _REFERRING_OPENING.match(words) else best
