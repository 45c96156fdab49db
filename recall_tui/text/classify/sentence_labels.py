"""Label sentences worth remembering other than decisions and next steps, by their wording.

A sentence gets a label only when it is explicit; hypothetical, interrogative and negated sentences get none.
"""

from __future__ import annotations

import re

from recall_tui.text.lazy_pattern import lazy_pattern

_NEVER = r"(?!)"
"""Of a label that a sentence has only when it names it."""
_LABEL_TABLE = (
    ("Open question", r"^(?:open |unresolved )?questions?\s?(?:[:–—]|-(?=\s))", _NEVER),
    ("Warning", r"^(?:warning|caution|caveat|gotcha|pitfall)s?\s?(?:[:–—]|-(?=\s))", _NEVER),
    (
        "Blocker",
        r"^blockers?\s?(?:[:–—]|-(?=\s))",
        r"\b(?:(?:am|is|are|we're|i'm|it's|still|currently) blocked (?:by|on|until)"
        r"|can(?:'t|not) (?:proceed|continue|go on) (?:until|without|before))\b",
    ),
    (
        "Failed approach",
        r"^(?:failed approach(?:es)?|failed attempt|dead end|mistake)s?\s?(?:[:–—]|-(?=\s))",
        r"\b(?:(?:i|we) tried\b.{2,120}\bbut\b|(?:did not|didn't|does not|doesn't|won't) work (?:because|since|as)"
        r"|(?:failed|reverted (?:it|that|this)|rolled (?:it|that|this) back|dropped (?:it|that)) because"
        r"|gave up on|(?:was|turned out to be) a dead end)\b",
    ),
    (
        "Discovery",
        r"^(?:discovery|discovered|findings?|root cause|cause|learned|lessons?(?: learned)?|learnings?|insights?)\s?"
        r"(?:[:–—]|-(?=\s))",
        r"\b(?:(?:it )?turns out(?: that)?|turned out (?:that|to be)"
        r"|(?:i|we) (?:found out|discovered|learned) (?:that|how|why)"
        r"|(?:the )?(?:root|real|actual|underlying) (?:cause|reason) (?:is|was)"
        r"|(?:bug|issue|problem|crash|failure|outage|leak|race|error) (?:is|was) caused by)\b",
    ),
    (
        "Pattern",
        r"^(?:pattern|convention|preference|rule)\s?(?:[:–—]|-(?=\s))",
        r"\b(?:(?:i|we) (?:always|never|prefer to|prefer|usually)|(?:our|the) convention is|by convention"
        r"|(?:please )?(?:always|never) (?:use|run|commit|write|put|name|add|call|push|merge|deploy|delete|edit|change"
        r"|touch|skip))\b",
    ),
    (
        "Status",
        r"^(?:status|state|progress)\s?(?:[:–—]|-(?=\s))",
        r"\b(?:all (?:\w+ )?(?:tests|checks) (?:now )?pass|(?:is|are) (?:now )?(?:deployed|released|merged|live|done"
        r"|complete|finished|in production))\b",
    ),
)
_CUES = tuple(
    (label, lazy_pattern(head, re.IGNORECASE), lazy_pattern(inside, re.IGNORECASE))
    for label, head, inside in _LABEL_TABLE
)
_ANY_LABEL = lazy_pattern("|".join(head for _, head, _ in _LABEL_TABLE), re.IGNORECASE)
_CUE_WORDS = (
    *("blocked", "proceed", "continue", "go on", "tried", "because", "work since", "work as", "gave up", "dead end"),
    *(
        "turns out",
        "turned out",
        "found out",
        "discovered",
        "learned",
        "cause is",
        "cause was",
        "caused by",
        "reason is",
        "reason was",
    ),
    *("always", "never", "prefer", "usually", "convention", "pass", "deployed", "released", "merged", "live", "done"),
    *("complete", "finished", "production"),
)
"""Every labelled sentence without an explicit label contains one of these; tested first, as most
sentences have none.
"""
_HYPOTHETICAL = lazy_pattern(
    r"^(?:if|whether|unless|when|once|should|suppose|maybe|perhaps|let me|let's|i'll|i will|we could|you could)\b"
    r"|\b(?:if it turns out|might be|may be|would be|could be|not sure (?:if|whether))\b",
    re.IGNORECASE,
)
_UNRESOLVED = lazy_pattern(
    r"^(?:open questions?|unresolved|unclear)\b"
    r"|\b(?:(?:is|are|remains?|still|left) (?:still )?(?:unclear|unresolved|undecided|unknown|open)"
    r"|open questions?|not (?:yet )?(?:clear|decided|known|understood|sure)"
    r"|nothing (?:(?:is|was|has been) )?(?:yet )?decided|no decision (?:yet|(?:was|has been) (?:made|taken))"
    r"|(?:do not|don't) (?:yet )?know|(?:to be|tbd|needs? to be) (?:decided|clarified)"
    r"|(?:have|has)(?: not|n't) (?:yet )?(?:decided|found|figured))\b",
    re.IGNORECASE,
)
_UNDECIDED = lazy_pattern(
    r"\b(?:undecided|not (?:yet )?(?:been )?decided|nothing (?:(?:is|was|has been) )?(?:yet )?decided"
    r"|no decision (?:yet|(?:was|has been) (?:made|taken))|(?:have|has)(?: not|n't) (?:yet )?decided)\b",
    re.IGNORECASE,
)
_ANSWERED = lazy_pattern(r"[?？]\W*(?:(?:re)?solved|answer(?:ed)?|closed|settled|decided)\b", re.IGNORECASE)
_NON_STATUS = lazy_pattern(r"\b(?:not|never|until|before|once|when|after|n't)\b", re.IGNORECASE)


def is_unresolved(sentence: str) -> bool:
    """Tell a sentence about an open question from one about a step to take."""
    return sentence.rstrip().endswith(("?", "？")) or _UNRESOLVED.search(sentence.replace("’", "'")) is not None


def is_undecided_choice(sentence: str) -> bool:
    """Return whether a sentence says of a choice that nobody has made it yet."""
    return _UNDECIDED.search(sentence.replace("’", "'")) is not None


def is_answered(line: str) -> bool:
    """Return whether a question stands before its answer, as in `Who pays? Resolved: the team`."""
    return _ANSWERED.search(line) is not None


def names_label(sentence: str) -> bool:
    """Return whether a label stands in front of the sentence."""
    return _ANY_LABEL.match(sentence) is not None


def find_point(sentence: str) -> tuple[str, int, str] | None:
    """Return the label, its confidence (2 for an explicit label, else 1) and the text without the label; None for no
    label.
    """
    lowered = sentence.lower()
    if not any(word in lowered for word in _CUE_WORDS) and not _ANY_LABEL.match(sentence):
        return None
    for label, head, inside in _CUES:
        if found := head.match(sentence):
            words = sentence[found.end() :].strip()
            return (label, 2, words) if len(words) >= 10 else None
        if inside.search(sentence) and not _HYPOTHETICAL.search(sentence):
            return None if label == "Status" and _NON_STATUS.search(sentence) else (label, 1, sentence)
    return None
