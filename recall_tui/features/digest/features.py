"""Measures of a candidate line, by which its worth is told.

Words are told apart within the session alone; no word has a weight of its own, so one project cannot teach another's.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from recall_tui.features.digest.collector import Candidate, DigestCollector
from recall_tui.text.classify.similarity import significant_words

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_A-Za-z]+")
_CAUSE = re.compile(
    r"\b(?:because|since|so that|which means|that's why|root cause|caused|due to|otherwise|so the|this means"
    r"|turns out"
    r"|turned out|the reason|therefore)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\b(?:instead of|instead|rather than|no longer|not|never|only|without|but|unlike|previously|used to|→)\b|→",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:now|replaced?s?|removed?|renamed?|moved?|extract(?:ed|s)|adds?|added|updated|changed|uses|fixed"
    r"|returns?|keeps?|kept)\b",
    re.IGNORECASE,
)
_NARRATION = re.compile(r"\b(?:i'll|let me|i need|i can|i'm|i've|i see|looking|let's)\b", re.IGNORECASE)
_DOUBT = re.compile(
    r"\b(?:actually|why|not working|doesn't work|still|wrong|are you sure|i don't think|no,|really\?|isn't"
    r"|didn't|hmm|wait)\b",
    re.IGNORECASE,
)
_RATIFIED = re.compile(
    r"\s*(?:yes|yeah|yep|ok|okay|sure|go|do it|sounds good|agree|lgtm|perfect|all|both|\d|please do|commit)\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:let's|instead|just|should|could we|can we|don't|always|never|prefer|want|remove|keep|rather|only|use)\b",
    re.IGNORECASE,
)
_ROUTINE_HEADING = re.compile(
    r"\b(?:tests?|testing|usage|files?|verification|verif\w+|commands?|example|summary of files|test plan"
    r"|results?|coverage"
    r"|next steps)\b",
    re.IGNORECASE,
)
_CHECKS = re.compile(
    r"\b(?:tests? (?:all )?pass|all tests|lint|coverage|test cases?|compiles|0 issues|passed|passing|verif(?:y"
    r"|ies|ied))\b",
    re.IGNORECASE,
)
_TENTATIVE = re.compile(
    r"\b(?:could|might|would|may|maybe|probably|perhaps|should|likely|seems?|appears?)\b|\?", re.IGNORECASE
)
_TRANSIENT = re.compile(
    r"\b(?:diagnostics?|lsp|gopls|nolint|lint (?:issues?|errors?)|typo|indentation|unused (?:import|variable)"
    r"|imports?|re-?read"
    r"|branch|rebased?|comments?|stage[ds]?|working tree|todos? list)\b",
    re.IGNORECASE,
)
_EDIT_LIST = re.compile(
    r"(?:`?[\w./-]+\.\w{1,5}(?::\d+)?`?)\s*(?:\([^)]*\))?\s*(?:[-–—:]|→)|(?:added|updated"
    r"|created) (?:\d+ )?(?:\w+ )?tests?\b",
    re.IGNORECASE,
)
_HASH = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b")
_OPEN = re.compile(
    r"\b(?:pre-existing|not (?:in|part of) this|out of scope|broader issue|follow-?\s?up|to-?do|remaining|remains?"
    r"|left (?:as|for|open)|not yet|still (?:need|open|miss|fail|to|not|has|have|uncommitted|refer)\w*"
    r"|unresolved|deferred"
    r"|minor|future|optional(?:ly)?|opportunity|not (?:fixed|addressed|committed|pushed|covered)|needs? to be"
    r"|(?:sh|c|w)ould be \w+ed|could (?:all )?(?:just )?use|missing|untested|unclear|open question)\b",
    re.IGNORECASE,
)
_OPEN_HEADING = re.compile(
    r"\b(?:open|remaining|next|todo|missing|pending|follow-?up|recommend\w*|suggest\w*|gaps?|limitations?"
    r"|not addressed"
    r"|minor|observations?|needed)\b",
    re.IGNORECASE,
)
_LESSON = re.compile(
    r"\b(?:because|which means|root cause|caused|due to|otherwise|turns out|turned out"
    r"|the (?:real |actual |main )?(?:issue|problem|bug|reason|cause)|defaults? (?:is|to)|requires?|fail(?:s"
    r"|ed)?|breaks?|broke"
    r"|never|always|doesn't|does not|didn't|isn't|cannot|can't|won't|needs|silently|incorrect\w*|wrong\w*|stale"
    r"|expects?"
    r"|means|miss(?:es|ed)|already|lost|bug|deprecated|exactly|note that|typically|actually)\b",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"`[^`]+`|\b\w+[._/]\w[\w./-]*|\b[a-z]+[A-Z]\w*|--?\w[\w-]+")

_MAX_CACHED_LINES = 8_192
"""Lines whose words are remembered: of one session, each is asked for several times."""

FEATURES = (
    "rarity",
    "in_last_reply",
    "in_closing_replies",
    "in_prompts",
    "in_plan",
    "centrality",
    "log_length",
    "is_short",
    "narration",
    "literals",
    "commit_hash",
    "doubted",
    "routine_heading",
    "has_heading",
    "place",
    "pasted",
    "ratified",
    "cause",
    "contrast",
    "change",
    "checks",
    "tentative",
    "transient",
    "edit_list",
    "open",
    "open_heading",
    "lesson",
    "unticked",
    "closing",
    "last",
    "first_of_reply",
    "bullet",
    "is_plan",
    "is_prompt",
    "is_request",
    "is_commit",
    "choice_in_prompt",
    "after_failure",
    "cause_after_failure",
)
"""The measures in the order in which `measure` gives them."""


@lru_cache(maxsize=_MAX_CACHED_LINES)
def words_of(text: str) -> frozenset[str]:
    """The words of a line that matter: in lower case, identifiers in parts, without endings."""
    return frozenset(
        word for word in significant_words(" ".join(part.lower() for part in _PARTS.findall(text))) if len(word) > 1
    )


def measure(heard: DigestCollector, candidates: Sequence[Candidate]) -> list[list[float]]:
    """For each candidate its FEATURES; shares are from 0 to 1, marks 0 or 1, lengths logarithms of characters."""
    words = [words_of(one.line.text) for one in candidates]
    counts = Counter(word for found in words for word in found)
    total = max(1, len(candidates))
    closing = {turn.last_reply: number for number, turn in enumerate(heard.turns) if turn.last_reply >= 0}
    last = max(closing, default=-1)
    prompts = [words_of(turn.prompt) for turn in heard.turns]
    said: dict[int, set[str]] = {}
    for one, found in zip(candidates, words, strict=True):
        if one.message in closing:
            said.setdefault(one.message, set()).update(found)
    closing_counts = Counter(word for found in said.values() for word in found)
    prompt_counts = Counter(word for found in prompts for word in found)
    plan_words = {word for one, found in zip(candidates, words, strict=True) if one.role == "plan" for word in found}
    centre = math.sqrt(sum(count * count for count in counts.values())) or 1.0
    last_message = max((one.message for one in candidates), default=1) or 1
    seen: set[int] = set()
    rows = []
    for one, found in zip(candidates, words, strict=True):
        text = one.line.text
        size = max(1, len(found))
        own = said.get(one.message, set())
        following = heard.turns[one.turn + 1].prompt if one.turn + 1 < len(heard.turns) else ""
        is_closing = one.message in closing
        is_person = one.role in ("prompt", "refusal")
        own_prompt = prompts[one.turn] if one.role in ("request", "prompt") else frozenset()
        cause = bool(_CAUSE.search(text))
        rows.append(
            [
                sum(math.log(total / counts[word]) for word in found) / size / math.log(total + 1),
                len(found & said.get(last, set())) / size if one.message != last else 0.5,
                sum(closing_counts[word] > (word in own) for word in found) / size,
                sum(prompt_counts[word] > (word in own_prompt) for word in found) / size,
                len(found & plan_words) / size if one.role != "plan" else 0.5,
                sum(counts[word] for word in found) / (math.sqrt(size) * centre),
                math.log(len(text)),
                float(len(text) < 50),
                float(bool(_NARRATION.search(text))),
                min(4, len(_LITERAL.findall(text))) / 4,
                float(bool(_HASH.search(text))),
                float(bool(following and one.role == "reply" and is_closing and _DOUBT.search(following[:300]))),
                float(bool(_ROUTINE_HEADING.search(one.line.heading))),
                float(bool(one.line.heading)),
                one.message / last_message,
                float(one.is_pasted),
                float(bool(is_closing and following and len(following) < 200 and _RATIFIED.match(following))),
                float(cause),
                float(bool(_CONTRAST.search(text))),
                float(bool(_CHANGE.search(text))),
                float(bool(_CHECKS.search(text))),
                float(bool(_TENTATIVE.search(text))),
                float(bool(_TRANSIENT.search(text))),
                float(bool(_EDIT_LIST.match(text))),
                float(bool(_OPEN.search(text))),
                float(bool(_OPEN_HEADING.search(f"{one.line.heading} {one.line.lead_in}"))),
                min(3, len(_LESSON.findall(text))) / 3,
                float(one.line.is_unticked or one.role == "todo"),
                float(is_closing),
                float(one.message == last),
                float(one.message not in seen),
                float(one.line.is_bullet),
                float(one.role == "plan"),
                float(is_person),
                float(one.role == "request"),
                float(one.role == "commit"),
                float(is_person and bool(_CHOICE.search(text))),
                float(one.is_after_failure),
                float(one.is_after_failure and cause),
            ]
        )
        seen.add(one.message)
    return rows
