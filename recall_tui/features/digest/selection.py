"""The lines that a digest holds: the worthiest, each thing once, with their kinds.

What is not likely enough to be worth keeping is left out, and a digest may hold nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from recall_tui.features.digest.collector import Candidate
from recall_tui.features.digest.features import words_of
from recall_tui.features.digest.lines import Kind, explicit_kind
from recall_tui.text.classify.cause_pairs import is_cause, kinship, may_fix
from recall_tui.text.classify.imperatives import is_imperative
from recall_tui.text.classify.report_lines import clean_line
from recall_tui.text.classify.sentence_labels import names_label
from recall_tui.text.classify.similarity import significant_words

MAX_ITEMS = 7
_MAX_LABELLED = 20
"""Lines of a digest where they all say themselves what they are, such as `Decision: …`."""
MAX_FIX_TURNS = 6
"""Turns after that of a cause in which a line may say how it was fixed."""
_LATER_TURN_COST = 0.5
"""What a turn between a cause and its fix takes from what they have in common."""
MAX_FIXES = 2
"""Lines beyond those, which say how a chosen cause was fixed."""
MIN_PROBABILITY = 0.3
"""Under which a line is not written."""
_SIMILARITY_COST = 4.0
"""Log-odds that a line loses for sharing all of its words with one that was chosen."""
_MAX_SHARED = 0.7
"""Share of words from which a line repeats another."""

_MAX_OTHER_NUMBER = 0.4
"""Share that counts between lines with other numbers: `port 80 of the proxy` does not repeat `port 90 of the proxy`.

It counts between `Decision: ship module a` and `Decision: ship module b`, too, where both have a label."""
_SAME_FORM_WORD = re.compile(r"[^\W_]+")
_PASSING = re.compile(
    r"\b(?:diagnostics?|lsp|gopls|nolint|lint (?:issues?|errors?|warnings?)|goconst|unused (?:import|variable)s?"
    r"|type errors?|stale|re-?index\w*|todo list|my (?:change|edit|test|code|fix)"
    r"|these tests|this test|the tests? (?:expects?|needs?|relies?|checks?)"
    r"|(?:test|subtest)s? (?:is |are )?(?:failing|checking|looking)|(?:is|are) (?:now )?unused"
    r"|let's|we (?:need|should|can)|i (?:need|should|can|actually))\b",
    re.IGNORECASE,
)
"""Words of what troubles for a minute."""
_HOUSEKEEPING = re.compile(
    r"\b(?:unstaged|uncommitted|conflict markers?|left out of the commit|working tree|extra changes|formatting fixes"
    r"|(?:second|first|next|remaining|merge) conflicts?)\b",
    re.IGNORECASE,
)
"""Words of the state of a working copy."""
_CHOICE = re.compile(
    r"\b(?:instead|rather|not|only|don't|always|never|just|should|both|keep|prefer|same|exactly|no longer|without)\b",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"`[^`]+`|\b\w+[._/]\w[\w./-]*|\b[a-z]+[A-Z]\w*")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?![\w.]*[A-Za-z_/])")
_CHANGE_START = re.compile(
    r"(?:[^:—]{1,60}(?::| —| -) )?(?:(?:remove|replace|rename|move|change|update|create|use)[sd]?|add(?:s|ed)?"
    r"|extract(?:s|ed)?|switch(?:es|ed)?)\b",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"\b(?:because|since|so that|which means|this means|root cause|caused by|due to|turn(?:s|ed) out"
    r"|default(?:s|ed)? (?:is|to)|the (?:real |actual |main )?(?:bug|issue|problem|cause|reason|culprit) (?:is|was)"
    r"|never (?:read|called|used|set|cleared)"
    r"|instead of|rather than|no longer|requires?|deprecated|silently|already (?:imports?|handles?|uses?)"
    r"|breaks?|changed from|note that|isn't referenced)\b"
    r"|→",
    re.IGNORECASE,
)
"""Words of a finding; of what an agent says while it works, the rest is thinking aloud."""
_GIVES_REASON = re.compile(r"\b(?:because|since|due to|so that|which means)\b", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:pre-existing|not (?:in|part of) this|out of scope|broader issue|follow-?\s?up|to-?do\b|left (?:as"
    r"|for|open)"
    r"|worth (?:fixing|doing|a look) (?:separately|later)|not yet|still (?:needs?|open|missing|fails?|refers?)"
    r"|unresolved|deferred|future work"
    r"|cleanup opportunity|not (?:fixed|addressed|covered) (?:yet|here)|still to|untested|open question)\b",
    re.IGNORECASE,
)
_OPEN_HEADING = re.compile(
    r"\b(?:open (?:items?|questions?|issues?)|remaining|next steps?|^to-?dos?$|pending|follow-?ups?|not (?:addressed"
    r"|done|covered)"
    r"|limitations?|known issues|minor observations?|gaps?)\b",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:now|instead of|rather than|no longer|removed?|replaced?|renamed|moved|added|changed|extracted"
    r"|created|switched"
    r"|decided|chose|let's|should|we'll|going with)\b|→",
    re.IGNORECASE,
)
_FIX = re.compile(
    r"(?<!to )(?<!a )\bfixed\b|\b(?:bugs?|wrong\w*|incorrect\w*|root cause|because|breaking|broke|caused?"
    r"|(?:issue|problem|reason|error) (?:is|was)"
    r"|expects?|has changed|was never|turned out|turns out)\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|which means|root cause|caused?|due to|otherwise|turn(?:s|ed) out|defaults? (?:is|to)|requires?"
    r"|fail(?:s|ed|ing)?|breaks?|broke|never|doesn't|does not|didn't|isn't|cannot|can't|won't|silently"
    r"|incorrect\w*|wrong\w*"
    r"|stale|expects?|bug|deprecated|already|but|wipes?)\b",
    re.IGNORECASE,
)
_FACT = re.compile(r"\b(?:is|are|has|have|does|uses|calls|takes|captures|returns|needs|runs|means)\b", re.IGNORECASE)
_PREFERENCE = re.compile(
    r"\b(?:always|never|from now on|in future|in general|as a rule|i (?:prefer|don't like|hate|like)"
    r"|prefer(?:ably)?|make sure"
    r"|before (?:doing|you (?:do|start|change|commit))|(?:please )?(?:don't|do not) \w+|stop \w+ing"
    r"|no need (?:to|for)"
    r"|respond directly|why (?:add|not just|keep)\w*)\b|^no[,.]\s",
    re.IGNORECASE,
)
"""Words with which a person says how they want things done."""
_LASTING = re.compile(r"\b(?:always|never|from now on|in future|in general|as a rule)\b", re.IGNORECASE)
_SPOKEN = re.compile(
    r"\b(?:i|i'd|i'm|i'll|you|we|us|our|my|me|let's|please|don't|do not|should|must|prefer"
    r"|(?:always|never) (?:use|run|commit|write|put|name|add|call|push|delete|edit|change))\b",
    re.IGNORECASE,
)
"""Words of somebody who talks to an agent; a paste of a review has none."""
_NARRATIVE = re.compile(
    r"\b(?:i (?:had|have|got|was|did|don't (?!like|want)\w+)|we (?:had|have|don't)|it (?:does|did)|because)\b",
    re.IGNORECASE,
)
_MAX_PREFERENCE_CHARS = 240
_MIN_FEEDBACK_CHARS = 60
"""Characters from which a line of a prompt that talks to nobody is of a review that was pasted."""
_ROLE_BONUS = {"answer": 3.0, "todo": 2.0, "refusal": 1.0}
_EXPLICIT_BONUS = 2.0
_TEST_DETAIL = re.compile(
    r"\b(?:(?:added|new|updated?|renamed?|comprehensive|unit|existing) (?:[\w-]+ ){0,3}tests?|verif(?:y|ies)"
    r"|tests? cases?|test (?:assertions?|names?|helpers?|files?)|call sites?|imports?|comments?|docs?trings?)\b"
    r"|\bTest[A-Z]\w+|_test\.\w+",
    re.IGNORECASE,
)
"""Words of details that every change has."""
_DESCRIPTION_COST = 1.0
"""Log-odds that a line loses when it says what is there, and nothing of why or of what changed."""
_COMPACTED_HEADING = re.compile(
    r"\b(?:errors?|fix(?:es)?|decisions?|problem|pending|feedback|learned)\b", re.IGNORECASE
)
"""Sections of a compaction's summary that hold what lasts; the others tell of requests, files and the work at hand."""
_MIN_CONTENT_WORDS = 4


class _Content(NamedTuple):
    """What a line says, to tell whether another says it, too."""

    words: frozenset[str]
    numbers: frozenset[str]
    labelled: tuple[str, ...] = ()
    """Each word of a line that says itself what it is."""

    @classmethod
    def of(cls, text: str) -> _Content:
        labelled = _SAME_FORM_WORD.findall(text.lower()) if explicit_kind(text) else ()
        return cls(words_of(text), numbers_of(text), tuple(labelled))

    def likeness(self, other: _Content) -> float:
        """Share of the shorter one's words that the other has, too; less where each names a thing of its own."""
        shared = len(self.words & other.words) / max(1, min(len(self.words), len(other.words)))
        are_others = self.numbers - other.numbers and other.numbers - self.numbers
        return min(shared, _MAX_OTHER_NUMBER) if are_others or self._is_same_form(other) else shared

    def _is_same_form(self, other: _Content) -> bool:
        """Whether two labelled lines are the same but for the things that they name, word for word."""
        if len(self.labelled) != len(other.labelled):
            return False
        pairs = [(one, two) for one, two in zip(self.labelled, other.labelled, strict=True) if one != two]
        return bool(pairs) and all(significant_words(one) != significant_words(two) for one, two in pairs)


class Choice(NamedTuple):
    """A line that a digest holds."""

    candidate: Candidate
    kind: Kind
    probability: float


def log_odds(row: Sequence[float], weights: Sequence[float]) -> float:
    """What the measures of a line come to; `weights` are a bias and one for each measure."""
    return weights[0] + sum(weight * value for weight, value in zip(weights[1:], row, strict=True))


def is_preference(one: Candidate) -> bool:
    """Whether a line is a person's standing wish or correction."""
    text = one.line.text.replace("’", "'")
    if one.role == "refusal":
        return bool(_SPOKEN.search(text) or is_imperative(text)) and not text.endswith("?")
    if one.role == "request":
        return explicit_kind(text) == "preference" and bool(_SPOKEN.search(text) or is_imperative(text))
    return (
        one.role == "prompt"
        and not one.is_pasted
        and len(text) <= _MAX_PREFERENCE_CHARS
        and bool(_PREFERENCE.search(text))
        and bool(_SPOKEN.search(text) or is_imperative(text) or _PREFERENCE.match(text))
        and (bool(_LASTING.search(text)) or len(words_of(text)) >= _MIN_CONTENT_WORDS)
        and not _NARRATIVE.search(text)
    )


def is_passing(one: Candidate) -> bool:
    """Whether a line tells of work at hand, which is over before the session ends."""
    if one.role != "reply":
        return False
    text = one.line.text.replace("’", "'")
    if _HOUSEKEEPING.search(text):
        return True
    if one.is_closing or explicit_kind(text):
        return False
    return bool(_PASSING.search(text)) or not _FINDING.search(text)


def is_task(one: Candidate) -> bool:
    """Whether a person only says what to do next: what came of it is the outcome, and no decision."""
    text = one.line.text.replace("’", "'")
    return (
        one.role in ("request", "prompt")
        and is_imperative(text)
        and not is_preference(one)
        and explicit_kind(text) is None
        and not (_CHOICE.search(text) and _LITERAL.search(text))
    )


def is_small_talk(one: Candidate) -> bool:
    """Whether a person says something in passing that names no part of the project, and chooses nothing."""
    text = one.line.text.replace("’", "'")
    if one.role != "prompt" or is_preference(one) or explicit_kind(text) or _LITERAL.search(text):
        return False
    is_feedback = len(text) > _MIN_FEEDBACK_CHARS and not _SPOKEN.search(text)
    return not (is_feedback or (_CHOICE.search(text) and len(words_of(text)) > _MIN_CONTENT_WORDS))


def kind_of(one: Candidate) -> Kind:
    """What a line is, by its role and its words."""
    text = one.line.text.replace("’", "'")
    explicit = explicit_kind(text)
    if is_preference(one) and not (explicit == "open" and not _LASTING.search(text)):
        return "preference"
    if explicit and explicit != "preference":
        return explicit
    if explicit and names_label(text):
        return "lesson"
    if one.role == "todo" or one.line.is_unticked or _OPEN.search(text) or _OPEN_HEADING.search(one.line.heading):
        return "open"
    if one.role in ("answer", "plan", "commit") or (one.role in ("prompt", "request") and is_imperative(text)):
        return "decision"
    if _CHANGE_START.match(text) and not _GIVES_REASON.search(text):
        return "decision"
    if _FIX.search(text):
        return "lesson"
    if _DECISION.search(text):
        return "decision"
    return "lesson" if _CAUSE.search(text) or _FACT.search(text) else "decision"


def choose(
    candidates: Sequence[Candidate],
    rows: Sequence[Sequence[float]],
    weights: Sequence[float],
    *,
    beside: Sequence[str] = (),
    most: int = MAX_ITEMS,
    least: float = MIN_PROBABILITY,
) -> list[Choice]:
    """At most `most` lines of a probability of `least` or more, in the order they were said.

    None repeats another, or one of those that stand `beside` them. Beyond `most`, lines are taken that say themselves
    what they are.
    """
    contents = [_Content.of(one.line.text) for one in candidates]
    told = [_Content.of(one) for one in beside]
    worth = [log_odds(row, weights) + _structure_bonus(one) for one, row in zip(candidates, rows, strict=True)]
    nearest = [0.0] * len(candidates)
    floor = math.log(least / (1 - least))
    left = {
        at
        for at, (one, content) in enumerate(zip(candidates, contents, strict=True))
        if not (one.line.is_lead_in or is_passing(one) or is_task(one) or is_small_talk(one))
        and (len(content.words) >= _MIN_CONTENT_WORDS or (len(content.words) > 1 and _is_explicit(one)))
        and all(content.likeness(other) < _MAX_SHARED for other in told)
    }
    chosen: list[int] = []
    while left and len(chosen) < _MAX_LABELLED:
        if len(chosen) >= most:
            left = {at for at in left if contents[at].labelled}
            if not left:
                break
        best = max(left, key=lambda at: (worth[at] - _SIMILARITY_COST * nearest[at], -at))
        left.discard(best)
        if nearest[best] >= _MAX_SHARED:
            continue
        if worth[best] < floor:
            break
        chosen.append(best)
        for at in left:
            nearest[at] = max(nearest[at], contents[at].likeness(contents[best]))
    chosen += _find_fixes(candidates, chosen, beside)
    return [Choice(candidates[at], kind_of(candidates[at]), 1 / (1 + math.exp(-worth[at]))) for at in sorted(chosen)]


def _find_fixes(candidates: Sequence[Candidate], chosen: Sequence[int], beside: Sequence[str]) -> list[int]:
    """The places of lines that say how causes were fixed, which are chosen or stand beside, where no such line does."""
    there = [at for at, one in enumerate(candidates) if at in chosen or one.line.text in beside]
    told = [clean_line(candidates[at].line.text) for at in there]
    found: list[int] = []
    for at, cause in zip(there, told, strict=True):
        if not is_cause(cause) or any(may_fix(one) and kinship(cause, one) for one in told):
            continue
        fixes = [
            (kinship(cause, fix) - _LATER_TURN_COST * (one.turn - candidates[at].turn), place)
            for place, one in enumerate(candidates)
            if place not in (*there, *found)
            and 0 <= one.turn - candidates[at].turn <= MAX_FIX_TURNS
            and one.role in ("reply", "commit")
            and may_fix(fix := clean_line(one.line.text))
        ]
        shared, place = max(fixes, default=(0.0, 0))
        if shared > 0 and len(found) < MAX_FIXES:
            found.append(place)
    return found


def _structure_bonus(one: Candidate) -> float:
    """Log-odds that a line has for where it stands, of places that the labelled sessions hardly have."""
    if one.role == "compaction":
        return 1.0 if _COMPACTED_HEADING.search(one.line.heading) else -1.0
    text = one.line.text
    kind = explicit_kind(text)
    if one.role in ("reply", "plan") and not (kind or one.line.is_unticked):
        return -_DESCRIPTION_COST * ((not _gives_reason(text)) + bool(_TEST_DETAIL.search(text)))
    is_own_rule = is_preference(one) and (kind == "preference" or bool(_LASTING.search(text)))
    return _ROLE_BONUS.get(one.role, 0.0) + _EXPLICIT_BONUS * ((kind is not None) + is_own_rule)


def _gives_reason(text: str) -> bool:
    """Whether a line tells of a reason, a change, a contrast or a need, and does not only describe."""
    return any(cue.search(text) for cue in (_FINDING, _DECISION, _CAUSE, _OPEN))


def _is_explicit(one: Candidate) -> bool:
    return explicit_kind(one.line.text) is not None or is_preference(one)


def numbers_of(text: str) -> frozenset[str]:
    """The numbers of a line, without those inside of names."""
    return frozenset(_NUMBER.findall(text))
