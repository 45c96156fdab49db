"""Statements that did not hold to the end of a session: taken back, tried in vain, set aside, answered, or renumbered.

Later turns override earlier ones; what a person doubted and the agent then gave up is no finding.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recall_tui.features.digest.collector import RECONSIDERED, Candidate, DigestCollector
from recall_tui.features.digest.features import words_of
from recall_tui.features.digest.selection import numbers_of
from recall_tui.text.classify.imperatives import is_imperative

_MIN_DOUBTED = 0.3
"""Share of a line's words that are in the person's doubt, when the agent then gave in."""
_MIN_DROPPED_WORDS = 2
"""Words that a line has in common with the prompt that sets the turn before aside."""
_IN_VAIN = re.compile(
    r"\b(?:approach|attempt|idea|option|workaround|way|fix)\b[^.;]{0,60}\b(?:breaks?|broke|fails?|failed|doesn't"
    r"|does not|didn't|did not|won't|cannot|can't)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:now|instead|raised|lowered|changed|increased|reduced|no longer|corrected|actually)\b|→", re.IGNORECASE
)
_LITERAL = re.compile(r"`([^`]+)`")
_DONE_START = re.compile(
    r"(?:set|use[ds]?|add(?:ed|s)?|call(?:ed|s)?|pass(?:ed|es)?|switched|made|\w+ed)\b", re.IGNORECASE
)
_OPEN_QUESTION = re.compile(r"\b(?:open |unresolved )?question: (.+\?)", re.IGNORECASE)
_DECISION_LABEL = re.compile(r"(?:decision|decided|answer(?:ed)?|resolved|settled)\s?[:–—]", re.IGNORECASE)
_MIN_ANSWERED = 0.6
"""Share of a question's words that a decision of a later turn holds, at least `_MIN_DROPPED_WORDS` of them."""


def drop_overturned(heard: DigestCollector, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without what was not true any more, or no longer wanted, when the session ended.

    What a person said to an open question is marked as an answer.
    """
    candidates = _mark_answers(candidates)
    doubts = {number - 1: words_of(turn.prompt) for number, turn in enumerate(heard.turns) if number and turn.concedes}
    aside = {
        number - 1: words_of(turn.prompt)
        for number, turn in enumerate(heard.turns)
        if number and RECONSIDERED.match(turn.prompt)
    }
    undone = {number - 1 for number, turn in enumerate(heard.turns) if number and turn.reverts}
    in_vain = {
        name: one.message
        for one in candidates
        if one.role == "reply" and _IN_VAIN.search(one.line.text)
        for name in _LITERAL.findall(one.line.text)
    }
    newest = {
        _statement(one): one for one in candidates if _CHANGED.search(one.line.text) and numbers_of(one.line.text)
    }

    settled = [
        (one.turn, words_of(one.line.text))
        for one in candidates
        if one.role == "answer" or (one.role == "reply" and _DECISION_LABEL.match(one.line.text))
    ]

    def is_overturned(one: Candidate) -> bool:
        text = one.line.text
        if question := _OPEN_QUESTION.search(text):
            return any(turn > one.turn and _is_answered(question[1], words) for turn, words in settled)
        if numbers_of(text) and (newer := newest.get(_statement(one))) is not None and newer.turn > one.turn:
            return numbers_of(newer.line.text) != numbers_of(text)
        if one.role != "reply":
            return False
        if any(in_vain.get(name, -1) > one.message for name in _LITERAL.findall(text)):
            return bool(is_imperative(text) or _DONE_START.match(text))
        if one.turn in undone and _DONE_START.match(text):
            return True
        found = words_of(text)
        is_doubted = one.turn in doubts and len(found & doubts[one.turn]) >= _MIN_DOUBTED * len(found)
        return is_doubted or (one.turn in aside and len(found & aside[one.turn]) >= _MIN_DROPPED_WORDS)

    return [one for one in candidates if not is_overturned(one)]


def _mark_answers(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with each statement of a person that answers an open question of an earlier turn as an answer."""
    open_questions = [
        (one.turn, question[1])
        for one in candidates
        if one.role == "reply" and (question := _OPEN_QUESTION.search(one.line.text))
    ]

    def is_answer(one: Candidate) -> bool:
        if one.role not in ("prompt", "request") or one.is_pasted or one.line.text.endswith("?"):
            return False
        words = words_of(one.line.text)
        return any(turn < one.turn and _is_answered(asked, words) for turn, asked in open_questions)

    return [replace(one, role="answer") if is_answer(one) else one for one in candidates]


def _is_answered(question: str, words: frozenset[str]) -> bool:
    """Whether a later statement with these words answers a question."""
    asked = words_of(question)
    return len(asked & words) >= max(_MIN_DROPPED_WORDS, _MIN_ANSWERED * len(asked))


def _statement(one: Candidate) -> frozenset[str]:
    """The words of a line without its numbers, and without those that say that they changed."""
    return frozenset(word for word in words_of(_CHANGED.sub(" ", one.line.text)) if not word.isdigit())
